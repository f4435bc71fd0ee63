//! `documents.toml`: the documents that experiments reproduce.

use std::collections::BTreeMap;

use loadfactor_schemes::params::{Domain, Scalar};

use super::diagnostics::{Errors, Mistake};
use super::experiment::Document;
use super::keys::DOCUMENT;
use super::value::{Entry, TomlTable, list, table, text, tree};

const YEAR: Domain = Domain::Integer { min: 1900, max: 2100 };

/// The documents by key.
pub(crate) type Documents = BTreeMap<String, Document>;

/// Reads `documents.toml`; nothing where it has a mistake.
pub(crate) fn read(text: &str, errors: &mut Errors) -> Option<Documents> {
    let tree = tree(text, errors)?;
    let root = TomlTable::new(tree.get_ref(), 0..0);
    let read = |entry| document(entry, errors).map(|document| (document.key.clone(), document));
    let documents: Vec<Option<_>> = root.entries.iter().map(read).collect();
    documents.into_iter().collect()
}

fn document(entry: &Entry<'_>, errors: &mut Errors) -> Option<Document> {
    let table = table(entry.key, entry.node, errors)?;
    table.only(&DOCUMENT, errors);
    table.complete(&DOCUMENT, errors);
    let title = table.text("title", errors);
    let authors = table.text("authors", errors);
    let year = table.scalar("year", &YEAR, errors);
    let series = series(&table, errors);
    let Scalar::Integer(year) = year? else { return None };
    let year = u16::try_from(year).ok()?;
    Some(Document {
        key: entry.key.to_owned(),
        title: title?.to_owned(),
        authors: authors?.to_owned(),
        year,
        series,
    })
}

fn series(table: &TomlTable<'_>, errors: &mut Errors) -> Vec<String> {
    let Some(entry) = table.get("series") else { return Vec::new() };
    let nodes = list("series", entry.node, errors).unwrap_or_default();
    nodes.iter().filter_map(|node| text("series", node, errors)).map(str::to_owned).collect()
}

/// The document that the experiment's key `document` names; nothing where no list is at hand.
pub(crate) fn lookup(
    root: &TomlTable<'_>,
    documents: Option<&Documents>,
    errors: &mut Errors,
) -> Option<Document> {
    let key = root.text("document", errors)?;
    let documents = documents?;
    let document = documents.get(key);
    if let (None, Some(entry)) = (document, root.get("document")) {
        let mistake =
            Mistake::at(&entry.node.span(), format!("documents.toml does not list `{key}`"));
        errors.push(mistake.suggest(key, documents.keys().map(String::as_str)));
    }
    document.cloned()
}
