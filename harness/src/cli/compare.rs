//! `loadfactor compare`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::status::{BadInput, DIFFERS};
use crate::report::changes::{Changes, changes};

/// Compare two result folders: what moved, by how many standard errors
///
/// Rows are matched by everything that identifies a point, metric and prediction. Exit status 3
/// where a row moved further than chance allows at an error of 1 % over all rows.
#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// Results before: the folder given to --out, or one experiment's
    old: PathBuf,
    /// Results after
    new: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &CompareArgs) -> Result<ExitCode> {
    let changes: Changes = changes(&args.old, &args.new)?;
    if changes.compared == 0 {
        let text = "error: the two folders have no row in common: nothing was compared";
        return Err(BadInput(text.into()).into());
    }
    super::print(changes.to_string().as_bytes())?;
    Ok(if changes.moved.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(DIFFERS) })
}
