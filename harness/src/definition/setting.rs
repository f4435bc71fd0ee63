//! A value that the command line gives in place of the definition's: `--set KEY=VALUE`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;
use toml::de::{DeTable, DeValue};

use super::source::{Source, Span};

/// The option that gives a setting.
pub(crate) const OPTION: &str = "--set";

/// A key of the definition, such as `point.load`, with a value as TOML has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The words on the command line, as messages show them.
    pub(crate) source: Arc<Source>,
    /// The parts of the key, each with its place in the words.
    pub(crate) key: Vec<(String, Span)>,
    /// The value as it stands in the definition.
    pub(crate) value: String,
    /// The place of the value in the words.
    pub(crate) value_span: Span,
}

/// Words that set nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SettingError {
    /// There is no value.
    #[error("expected KEY=VALUE, such as trials=1000 or point.load=[0.5, 0.9]")]
    NoValue,
    /// The key is none.
    #[error(
        "`{0}` is no key of a definition, which is such as `trials`, `point.load` or `series.\"M-B\".choices`"
    )]
    Key(String),
    /// The value is none.
    #[error("`{value}` is no value of TOML: {reason}")]
    Value {
        /// What was given.
        value: String,
        /// Why it is none.
        reason: String,
    },
}

/// Keys that say how much is measured and how it is told, and nothing of what.
const OF_THE_RUN: [&str; 7] =
    ["trials", "precision", "seed", "rounds", "duration", "title", "largest_room"];

impl Setting {
    /// Whether the experiment is another one with this setting: not the one that the document and the words of
    /// the definition speak of.
    pub(crate) fn alters(&self) -> bool {
        !self.key.iter().any(|(part, _)| OF_THE_RUN.contains(&part.as_str()))
    }
}

impl FromStr for Setting {
    type Err = SettingError;

    fn from_str(words: &str) -> Result<Self, SettingError> {
        let equals = outside_quotes(words, '=').ok_or(SettingError::NoValue)?;
        let key = key(&words[..equals])?;
        let (value, value_span) = value(words, equals + 1)?;
        let source = Source::new(OPTION.as_ref(), words);
        Ok(Self { source, key, value, value_span })
    }
}

impl Setting {
    /// The key as it stands in the words.
    pub(crate) fn key_span(&self) -> Span {
        self.span_of(0)
    }

    /// The key from one of its parts on.
    pub(crate) fn span_of(&self, part: usize) -> Span {
        let end = self.key.last().map_or(0, |(_, span)| span.end);
        self.key.get(part).map_or(end, |(_, span)| span.start)..end
    }

    /// Whether one sets what the other sets, or a part of it.
    pub(crate) fn is_part_of(&self, other: &Setting) -> bool {
        let parts = |setting: &Setting| setting.key.iter().map(|(part, _)| part.clone()).collect();
        let (own, others): (Vec<String>, Vec<String>) = (parts(self), parts(other));
        own.starts_with(&others)
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.source.whole())
    }
}

/// The first such character outside of quotes.
fn outside_quotes(text: &str, wanted: char) -> Option<usize> {
    let mut quote = None;
    for (index, c) in text.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == wanted => return Some(index),
            None if c == '"' || c == '\'' => quote = Some(c),
            None => {}
        }
    }
    None
}

fn key(text: &str) -> Result<Vec<(String, Span)>, SettingError> {
    let none = || SettingError::Key(text.trim().to_owned());
    if text.contains(['\n', '\r', '[']) {
        return Err(none());
    }
    let line = format!("{text}= 0");
    let tree = DeTable::parse(&line).map_err(|_| none())?;
    let (mut parts, mut table) = (Vec::new(), tree.get_ref());
    while let Some((name, node)) = table.iter().next() {
        parts.push((name.get_ref().to_string(), name.span()));
        match node.get_ref().as_table() {
            Some(inner) => table = inner,
            None => return Ok(parts),
        }
    }
    Err(none())
}

/// The value after `start`, and its place; a word may stand without quotes, which a shell takes away.
fn value(words: &str, start: usize) -> Result<(String, Span), SettingError> {
    let given = &words[start..];
    let lead = "x=";
    let line = format!("{lead}{given}");
    let parsed = DeTable::parse(&line).map(|tree| {
        let only = if tree.get_ref().len() == 1 { tree.get_ref().get("x") } else { None };
        only.filter(|node| is_one_value(node.get_ref())).map(toml::Spanned::span)
    });
    match parsed {
        Ok(Some(span)) => {
            let own = start + span.start - lead.len()..start + span.end - lead.len();
            Ok((line[span].to_owned(), own))
        }
        _ if is_word(given.trim()) => {
            let lead = given.len() - given.trim_start().len();
            let (word, begin) = (given.trim(), start + lead);
            Ok((format!("\"{word}\""), begin..begin + word.len()))
        }
        other => Err(SettingError::Value {
            value: given.trim().to_owned(),
            reason: other.err().map_or_else(
                || "expected one value".to_owned(),
                |error| error.message().to_owned(),
            ),
        }),
    }
}

fn is_one_value(value: &DeValue<'_>) -> bool {
    !matches!(value, DeValue::Datetime(_))
}

fn is_word(text: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    !text.is_empty() && text.chars().all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_parts_and_a_value_is_toml_or_a_word() {
        let read = |words: &str| {
            let setting: Setting = words.parse().unwrap();
            let parts: Vec<String> = setting.key.iter().map(|(part, _)| part.clone()).collect();
            let place = words[setting.value_span].to_owned();
            (parts.join("|"), setting.value, place)
        };
        let own = |key: &str, value: &str, place: &str| (key.into(), value.into(), place.into());
        assert_eq!(read("trials=1000"), own("trials", "1000", "1000"));
        assert_eq!(read("point.load = [0.5, 0.9]"), own("point|load", "[0.5, 0.9]", "[0.5, 0.9]"));
        assert_eq!(
            read("series.\"a = b\".ties=left"),
            own("series|a = b|ties", "\"left\"", "left")
        );
        assert_eq!(read("title='x = y'"), own("title", "'x = y'", "'x = y'"));
        assert_eq!(read("trials=3 # three"), own("trials", "3", "3"));
    }

    #[test]
    fn words_that_set_nothing_are_told() {
        let message = |words: &str| words.parse::<Setting>().unwrap_err().to_string();
        insta::assert_snapshot!(message("trials"), @"expected KEY=VALUE, such as trials=1000 or point.load=[0.5, 0.9]");
        insta::assert_snapshot!(message("=3"), @r#"`` is no key of a definition, which is such as `trials`, `point.load` or `series."M-B".choices`"#);
        insta::assert_snapshot!(message("[point]\nload=3"), @r#"
        `[point]
        load` is no key of a definition, which is such as `trials`, `point.load` or `series."M-B".choices`
        "#);
        insta::assert_snapshot!(message("trials="), @"`` is no value of TOML: string values must be quoted, expected literal string");
        insta::assert_snapshot!(message("point.load=[0.5,"), @"`[0.5,` is no value of TOML: unclosed array, expected `]`");
        // What would be more than the value that was asked for.
        insta::assert_snapshot!(message("trials=3\n[workload]\nkind=\"open\""), @r#"
        `3
        [workload]
        kind="open"` is no value of TOML: expected one value
        "#);
    }
}
