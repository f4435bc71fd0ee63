//! `loadfactor schema`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::format::print_json;
use crate::definition::schema;

/// Write the JSON Schema of definitions, by which an editor completes and checks them
///
/// A definition whose first line is `#:schema PATH` is checked against the schema in that file by Taplo
/// and by the extension Even Better TOML.
#[derive(Debug, Args)]
pub(super) struct SchemaArgs {}

/// Runs the command.
pub(super) fn run(_: &SchemaArgs) -> Result<ExitCode> {
    print_json(&schema())?;
    Ok(ExitCode::SUCCESS)
}
