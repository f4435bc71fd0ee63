//! `loadfactor merge`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;

use super::status::{BadInput, FAILED};
use crate::report::ownership;
use crate::run::{JOURNAL, merge};
use crate::terminal::tell;

/// Join the journals of shards into one folder
///
/// SHARD is what --out named for `loadfactor run --shard`. Afterwards `loadfactor report --out DIR`
/// writes the tables and figures; `loadfactor run --out DIR` first runs whatever is missing.
#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// Result folders of the shards
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
    /// Folder of the joint results
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &MergeArgs) -> Result<ExitCode> {
    let mut experiments = BTreeSet::new();
    for shard in &args.shards {
        let mut own = BTreeSet::new();
        journals(shard, shard, &mut own)
            .with_context(|| format!("cannot read {}", shard.display()))?;
        if own.is_empty() {
            tell!("{} holds no journal", shard.display());
        }
        experiments.append(&mut own);
    }
    if experiments.is_empty() {
        return Err(BadInput("error: none of these folders holds a journal".into()).into());
    }
    if experiments.contains(Path::new("")) {
        let text =
            "error: a SHARD is what --out named, and not the folder of one experiment below it";
        return Err(BadInput(text.into()).into());
    }
    let mut status = ExitCode::SUCCESS;
    for experiment in experiments {
        let with: Vec<PathBuf> = args
            .shards
            .iter()
            .map(|shard| shard.join(&experiment))
            .filter(|f| f.is_dir())
            .collect();
        let sources: Vec<&Path> = with.iter().map(PathBuf::as_path).collect();
        let folder = args.out.join(&experiment);
        ownership::check_files(&folder, [])?;
        let merged = merge(&sources, &folder)?;
        tell!(
            "{}: {} batches from {} shards, {} of them found more than once",
            experiment.display(),
            merged.batches,
            sources.len(),
            merged.duplicates
        );
        for (path, damage) in &merged.damage {
            tell!("  {}: {damage}", path.display());
            status = ExitCode::from(FAILED);
        }
    }
    Ok(status)
}

/// Collects the folders below `folder` that hold a journal, relative to `root`.
fn journals(root: &Path, folder: &Path, found: &mut BTreeSet<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        // A link to a folder is not followed: it could lead back here.
        if entry.file_type()?.is_dir() {
            journals(root, &path, found)?;
        } else if path.file_name().is_some_and(|name| name == JOURNAL) {
            found.extend(folder.strip_prefix(root).map(Path::to_owned));
        }
    }
    Ok(())
}
