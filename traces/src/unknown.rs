//! A name that stands for nothing.

/// A name that stands for no key or compression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{name}`; known are {known}")]
pub struct UnknownName {
    /// What was named: `key` or `compression`.
    pub what: &'static str,
    /// The name as given.
    pub name: String,
    /// The names there are, separated by commas.
    pub known: String,
}
