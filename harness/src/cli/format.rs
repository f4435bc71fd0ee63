//! How tables are printed: for a person, or for a program.

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde_json::Value;

/// How a table is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a person
    Text,
    /// For a program: docs/JSON.md has the fields
    Json,
}

/// The option that says how.
#[derive(Debug, Args)]
pub(super) struct Printed {
    /// How it is printed
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

impl Printed {
    /// Whether JSON is wanted.
    pub(super) fn as_json(&self) -> bool {
        self.format == Format::Json
    }
}

/// Writes JSON to standard output.
pub(super) fn print_json(value: &Value) -> Result<()> {
    super::print(format!("{value:#}\n").as_bytes())
}
