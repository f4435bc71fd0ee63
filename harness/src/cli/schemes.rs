//! `loadfactor schemes`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::status::BadInput;
use crate::definition::suggestion;
use crate::report::reference;

/// Describe schemes, hash functions and workloads: parameters, defaults, sources, predictions
#[derive(Debug, Args)]
pub(super) struct SchemesArgs {
    /// A scheme, hash function or workload; all where none is given
    name: Option<String>,
}

/// Runs the command.
pub(super) fn run(args: &SchemesArgs) -> Result<ExitCode> {
    let text = match &args.name {
        None => reference::all(),
        Some(name) => reference::one(name).ok_or_else(|| {
            let hint = suggestion(name, &reference::names()).unwrap_or_default();
            BadInput(format!("error: there is no scheme, hash or workload `{name}`; {hint}"))
        })?,
    };
    super::print(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
