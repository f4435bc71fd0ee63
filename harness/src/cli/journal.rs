//! `loadfactor journal`.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};

use super::exit::{FAILED, one_line};
use crate::count::{counted, with_verb};
use crate::run::{Inspection, RunError, compact, inspect, repair};
use crate::terminal::tell;

/// Look at the journals of finished batches, or mend them
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    loadfactor journal verify results/deletions/fig4\n  \
    loadfactor journal repair results/*/*\n\n\
    Exit status: 0 every journal is whole, or is now; 1 one is damaged or cannot be read.")]
pub(super) struct JournalArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Say what journals hold and what of them is damaged; nothing is written
    Verify(Folders),
    /// Write damaged journals anew with every record that is whole
    Repair(Folders),
    /// Write journals anew with each record once, and without damage
    Compact(Folders),
}

#[derive(Debug, Args)]
struct Folders {
    /// Folders of results, each with a journal
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
}

/// What is done with the journal of a folder.
type Act = fn(&Path) -> Result<Inspection, RunError>;

/// Runs the command.
pub(super) fn run(args: &JournalArgs) -> Result<ExitCode> {
    let (folders, act, mends): (_, Act, _) = match &args.action {
        Action::Verify(folders) => (folders, inspect, false),
        Action::Repair(folders) => (folders, repair, true),
        Action::Compact(folders) => (folders, compact, true),
    };
    let mut status = ExitCode::SUCCESS;
    for folder in &folders.folders {
        match act(folder) {
            Ok(found) => {
                super::print(describe(folder, &found).as_bytes())?;
                if !(mends || found.damage.is_empty()) {
                    status = ExitCode::from(FAILED);
                }
            }
            Err(error) => {
                tell!("error: {}", one_line(&error.into()));
                status = ExitCode::from(FAILED);
            }
        }
    }
    Ok(status)
}

fn describe(folder: &Path, found: &Inspection) -> String {
    let Inspection { batches, repeated, points, unknown, damage } = found;
    let batches = with_verb(*batches, ["batch", "batches"]);
    let mut text = format!("{}: {batches} of {}", folder.display(), counted(*points, "point"));
    let more = [(repeated, "recorded twice"), (unknown, "of another version")];
    for (number, what) in more.into_iter().filter(|(number, _)| **number > 0) {
        // Writing to a text cannot fail.
        let _ = write!(text, ", {number} {what}");
    }
    if damage.is_empty() {
        text += ", whole";
    }
    for damage in damage {
        let _ = write!(text, "\n  {damage}");
    }
    text + "\n"
}
