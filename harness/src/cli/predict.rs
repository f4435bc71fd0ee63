//! `loadfactor predict`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;

use super::selection::{Changes, Names, folder};
use crate::files::write_atomic;
use crate::pipeline::{load_trace, results};
use crate::plan::Plan;
use crate::table::Table;

/// Write the predictions alone, without any simulation
///
/// The table is that of `run` with the measured columns empty. Bounds stand at the predicted
/// accesses per insertion. Without --out the tables go to standard output.
#[derive(Debug, Args)]
pub(super) struct PredictArgs {
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    changes: Changes,
    /// Write DIR/EXPERIMENT/table.csv and table.parquet instead
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(args: &PredictArgs) -> Result<ExitCode> {
    for experiment in args.names.load(&args.changes)? {
        let scratch = args.out.clone().unwrap_or_else(|| PathBuf::from("results"));
        let plan = Plan::new(&experiment, load_trace(&experiment, &scratch)?)?;
        let results = results(&plan, &[]);
        let table = Table::join(&experiment, &results.subjects, &results.comparisons)?;
        match &args.out {
            None => super::print(&table.csv()?)?,
            Some(out) => {
                let folder = folder(out, &experiment);
                std::fs::create_dir_all(&folder)
                    .with_context(|| format!("cannot create {}", folder.display()))?;
                for (name, bytes) in
                    [("table.csv", table.csv()?), ("table.parquet", table.parquet()?)]
                {
                    let path = folder.join(name);
                    write_atomic(&path, &bytes)
                        .with_context(|| format!("cannot write {}", path.display()))?;
                    eprintln!("{}", path.display());
                }
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
