//! Tables that stand for several: `each = ["Std", "SC"]`, with `{}` in the place of the word.

use std::borrow::Cow;
use std::collections::BTreeSet;

use toml::Spanned;
use toml::de::DeValue;

use super::diagnostics::{Errors, Mistake, Span};
use super::value::{Entry, Node, TomlTable, list, text};

/// What stands for the word in the texts of the table.
const WORD: &str = "{}";

/// A table with one of the words filled in.
pub(super) struct Filled<'t> {
    span: Span,
    entries: Vec<(&'t str, Span, Node<'t>)>,
}

impl Filled<'_> {
    /// The table as one that was written so.
    pub(super) fn table(&self) -> TomlTable<'_> {
        let entries = self.entries.iter();
        let entries =
            entries.map(|(key, key_span, node)| Entry { key, key_span: key_span.clone(), node });
        TomlTable { span: self.span.clone(), entries: entries.collect() }
    }
}

/// The table once for each word under `each`; once as it is where it has no such key.
pub(super) fn filled<'t>(table: &TomlTable<'t>, errors: &mut Errors) -> Vec<Filled<'t>> {
    let Some(each) = table.get("each") else { return vec![with(table, Clone::clone)] };
    let words = words(each, errors);
    words.into_iter().map(|word| with(table, |node| replaced(node, word))).collect()
}

/// The words, each once.
fn words<'t>(entry: &Entry<'t>, errors: &mut Errors) -> Vec<&'t str> {
    let mut seen = BTreeSet::new();
    let mut words = Vec::new();
    for node in list(entry.key, entry.node, errors).unwrap_or_default() {
        let Some(word) = text(entry.key, node, errors) else { continue };
        match seen.insert(word) {
            true => words.push(word),
            false => errors.push(Mistake::at(&node.span(), format!("`{word}` stands here twice"))),
        }
    }
    words
}

fn with<'t>(table: &TomlTable<'t>, node: impl Fn(&Node<'t>) -> Node<'t>) -> Filled<'t> {
    let entry = |own: &Entry<'t>| (own.key, own.key_span.clone(), node(own.node));
    Filled { span: table.span.clone(), entries: table.entries.iter().map(entry).collect() }
}

/// The value with the word in the place of [`WORD`] in each of its texts.
fn replaced<'t>(node: &Node<'t>, word: &str) -> Node<'t> {
    let value = match node.get_ref() {
        DeValue::String(text) => DeValue::String(Cow::Owned(text.replace(WORD, word))),
        DeValue::Array(nodes) => {
            DeValue::Array(nodes.iter().map(|node| replaced(node, word)).collect())
        }
        DeValue::Table(table) => {
            let entry = |(key, node): (&_, _)| (Clone::clone(key), replaced(node, word));
            DeValue::Table(table.iter().map(entry).collect())
        }
        other => other.clone(),
    };
    Spanned::new(node.span(), value)
}
