//! `loadfactor schemes`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::exit::BadInput;
use super::format::{Printed, print_json};
use crate::definition::suggestion;
use crate::report::{reference, reference_json};

/// Describe schemes, hash functions and workloads: parameters, defaults, sources, predictions
#[derive(Debug, Args)]
pub(super) struct SchemesArgs {
    /// A scheme, hash function or workload; all where none is given
    name: Option<String>,
    #[command(flatten)]
    printed: Printed,
}

/// Runs the command.
pub(super) fn run(args: &SchemesArgs) -> Result<ExitCode> {
    match args.printed.as_json() {
        true => {
            print_json(&found(args.name.as_deref(), reference_json::all, reference_json::one)?)?;
        }
        false => {
            let text = found(args.name.as_deref(), reference::all, reference::one)?;
            super::print(text.as_bytes())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Everything, or the entry of this name.
fn found<T>(name: Option<&str>, all: fn() -> T, one: fn(&str) -> Option<T>) -> Result<T, BadInput> {
    let Some(name) = name else { return Ok(all()) };
    one(name).ok_or_else(|| {
        let hint = suggestion(name, &reference::names()).unwrap_or_default();
        BadInput(format!("error: there is no scheme, hash or workload `{name}`; {hint}"))
    })
}
