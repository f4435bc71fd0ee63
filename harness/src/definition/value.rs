//! Access to the parsed TOML with the place of every key and value.

use loadfactor_schemes::params::{Domain, Scalar};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostics::{Errors, Mistake, Span};
use super::keys::TableKeys;
use super::suggestion::nearest;
use crate::escape::is_control;

/// The key whose text may have several lines.
const PROSE: &str = "analysis";

/// A value and its place.
pub(crate) type Node<'t> = Spanned<DeValue<'t>>;

/// The tree of a file; nothing where it is not TOML.
pub(crate) fn tree<'t>(text: &'t str, errors: &mut Errors) -> Option<Spanned<DeTable<'t>>> {
    let (tree, syntax) = DeTable::parse_recoverable(text);
    for error in &syntax {
        let span = error.span().unwrap_or(0..0);
        let mistake = Mistake::at(&span, "this is not TOML").label(error.message());
        errors.push(match bare_list(text, &span) {
            Some(list) => mistake.help(format!("several values are a list: `{list}`")),
            None => mistake,
        });
    }
    syntax.is_empty().then_some(tree)
}

/// The list that is meant by numbers in a row behind `=`, as in `rows = 3 4`.
fn bare_list(text: &str, span: &Span) -> Option<String> {
    let position = text.floor_char_boundary(span.start);
    let start = text[..position].rfind('\n').map_or(0, |end| end + 1);
    let (key, values) = text[start..].lines().next()?.split_once('=')?;
    let values = values.split('#').next()?.split([' ', '\t', ',']);
    let values: Vec<&str> = values.filter(|value| !value.is_empty()).collect();
    let are_numbers = values.iter().all(|value| value.parse::<f64>().is_ok());
    let is_list = values.len() > 1 && are_numbers;
    is_list.then(|| format!("{} = [{}]", key.trim(), values.join(", ")))
}

/// A key with its value.
#[derive(Debug, Clone)]
pub(crate) struct Entry<'t> {
    pub(crate) key: &'t str,
    pub(crate) key_span: Span,
    pub(crate) node: &'t Node<'t>,
}

/// A table with its entries in the order of the file.
#[derive(Debug, Clone)]
pub(crate) struct TomlTable<'t> {
    /// The place of its header, or of its braces.
    pub(crate) span: Span,
    pub(crate) entries: Vec<Entry<'t>>,
}

impl<'t> TomlTable<'t> {
    pub(crate) fn new(table: &'t DeTable<'t>, span: Span) -> Self {
        let entry = |(key, node): (&'t Spanned<_>, _)| Entry {
            key: text_of(key),
            key_span: key.span(),
            node,
        };
        let mut entries: Vec<Entry<'t>> = table.iter().map(entry).collect();
        entries.sort_by_key(|entry| entry.key_span.start);
        Self { span, entries }
    }

    /// The table without entries, for one that the file does not have.
    pub(crate) fn absent() -> Self {
        Self { span: 0..0, entries: Vec::new() }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Entry<'t>> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The entries whose keys are not among the table's own: parameters, or misspelt.
    pub(crate) fn others(&self, keys: &TableKeys) -> impl Iterator<Item = &Entry<'t>> {
        self.entries.iter().filter(move |entry| keys.keys.iter().all(|key| key.name != entry.key))
    }

    /// Reports every key that is not declared.
    pub(crate) fn only(&self, keys: &TableKeys, errors: &mut Errors) {
        for entry in self.others(keys) {
            let place = format!("{} has no such key", keys.name);
            errors.push(unknown_key(entry, place).suggest(entry.key, keys.names()));
        }
    }

    /// Whether an entry that is none of `known` is probably meant as `name`.
    pub(crate) fn misspells(&self, name: &str, known: &[&str]) -> bool {
        let unknown = self.entries.iter().filter(|entry| !known.contains(&entry.key));
        unknown.filter_map(|entry| nearest(entry.key, known)).any(|near| near == name)
    }

    /// Reports every required key that is missing, but for those that are only misspelt.
    pub(crate) fn complete(&self, keys: &TableKeys, errors: &mut Errors) {
        let known = keys.names();
        let missing = |name: &str| self.get(name).is_none() && !self.misspells(name, &known);
        for key in keys.keys.iter().filter(|key| key.required && missing(key.name)) {
            let title = format!("{} lacks `{}`", keys.name, key.name);
            errors
                .push(Mistake::at(&self.span, title).label(format!("`{}`: {}", key.name, key.doc)));
        }
    }

    /// The text under a key, or nothing where it is absent or no text.
    pub(crate) fn text(&self, key: &str, errors: &mut Errors) -> Option<&'t str> {
        text(key, self.get(key)?.node, errors)
    }

    /// The scalar under a key, or nothing where it is absent or outside the domain.
    pub(crate) fn scalar(&self, key: &str, domain: &Domain, errors: &mut Errors) -> Option<Scalar> {
        scalar(key, self.get(key)?.node, domain, errors)
    }

    /// The tables under a key: those of `[[key]]`.
    pub(crate) fn tables(&self, key: &str, errors: &mut Errors) -> Vec<TomlTable<'t>> {
        let Some(entry) = self.get(key) else { return Vec::new() };
        if entry.node.get_ref().is_table() {
            errors.push(cannot_be(key, entry.node).label(format!("write it as `[[{key}]]`")));
            return Vec::new();
        }
        let nodes = list(key, entry.node, errors).unwrap_or_default();
        nodes.iter().filter_map(|node| table(key, node, errors)).collect()
    }
}

fn text_of<'t>(key: &'t Spanned<std::borrow::Cow<'t, str>>) -> &'t str {
    key.get_ref()
}

/// A key that no one knows.
pub(crate) fn unknown_key(entry: &Entry<'_>, label: impl Into<String>) -> Mistake {
    Mistake::at(&entry.key_span, format!("unknown key `{}`", entry.key)).label(label)
}

/// A value of the wrong type, or one that is impossible.
pub(crate) fn cannot_be(name: &str, node: &Node<'_>) -> Mistake {
    Mistake::at(&node.span(), format!("`{name}` cannot be {}", describe(node.get_ref())))
}

/// The value as it is called in a message.
pub(crate) fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text {:?}", shortened(text)),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The table in a node.
pub(crate) fn table<'t>(
    name: &str,
    node: &'t Node<'t>,
    errors: &mut Errors,
) -> Option<TomlTable<'t>> {
    let table = node.get_ref().as_table();
    if table.is_none() {
        errors.push(cannot_be(name, node).label("expected a table"));
    }
    table.map(|table| TomlTable::new(table, node.span()))
}

/// The text in a node.
pub(crate) fn text<'t>(name: &str, node: &'t Node<'t>, errors: &mut Errors) -> Option<&'t str> {
    let text = node.get_ref().as_str();
    match text {
        None => errors.push(cannot_be(name, node).label("expected text in quotes")),
        Some(text) => check_characters(name, text, &node.span(), errors),
    }
    text
}

/// Texts are shown on terminals and on pages: a character that would do something there is a mistake. Only
/// prose has lines.
pub(crate) fn check_characters(name: &str, text: &str, span: &Span, errors: &mut Errors) {
    let is_line = |letter: char| name == PROSE && "\n\r\t".contains(letter);
    if let Some(letter) = text.chars().find(|&letter| is_control(letter) && !is_line(letter)) {
        let code = u32::from(letter);
        let mistake = Mistake::at(span, format!("`{name}` has the character U+{code:04X}"));
        errors.push(mistake.label("it would not be shown, but do something"));
    }
}

/// The nodes of a list that is not empty.
pub(crate) fn list<'t>(
    name: &str,
    node: &'t Node<'t>,
    errors: &mut Errors,
) -> Option<&'t [Node<'t>]> {
    let nodes = node.get_ref().as_array().map(|nodes| &nodes[..]);
    let mistake = match nodes {
        Some([]) => Mistake::at(&node.span(), format!("`{name}` is empty")),
        Some(nodes) => return Some(nodes),
        None => cannot_be(name, node),
    };
    errors.push(mistake.label("expected a list of one or more"));
    None
}

/// The scalar in a node, if the domain accepts it.
pub(crate) fn scalar(
    name: &str,
    node: &Node<'_>,
    domain: &Domain,
    errors: &mut Errors,
) -> Option<Scalar> {
    let accepted = scalar_as_written(node).and_then(|scalar| domain.accept(&scalar));
    if accepted.is_none() {
        errors.push(outside(name, node, domain));
    }
    accepted
}

fn outside(name: &str, node: &Node<'_>, domain: &Domain) -> Mistake {
    let mistake = cannot_be(name, node).label(format!("expected {domain}"));
    match (domain, node.get_ref()) {
        (Domain::Word(words), DeValue::String(word)) => match nearest(word, words) {
            Some(near) => mistake.help(format!("did you mean \"{near}\"?")),
            None => mistake,
        },
        _ => mistake,
    }
}

/// The scalar as written, whatever its domain.
pub(crate) fn scalar_as_written(node: &Node<'_>) -> Option<Scalar> {
    match node.get_ref() {
        DeValue::String(text) => Some(Scalar::Word(text.to_string())),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).ok().map(Scalar::Integer)
        }
        DeValue::Float(number) => number.as_str().parse().ok().map(Scalar::Number),
        DeValue::Boolean(flag) => Some(Scalar::Flag(*flag)),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}
