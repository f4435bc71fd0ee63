//! `loadfactor merge`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf, absolute};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;

use super::exit::{BadInput, FAILED, exit_code, one_line};
use super::selection::Selection;
use super::status;
use super::submit::{bad, submission_in};
use super::summary::Summary;
use super::work::enter;
use crate::count::{counted, with_verb};
use crate::pipeline::{conduct_recorded, load_trace};
use crate::plan::Plan;
use crate::report::{Request, ownership};
use crate::run::{JOURNAL, merge};
use crate::submission::{FOLDER, Submission, shard_folders};
use crate::terminal::tell;

/// Join the journals of shards into one folder
///
/// Where no SHARD is named, they are those of the submission in DIR; tables, figures and reports are written, too, and
/// what is missing is told. Else SHARD is what --out named for `loadfactor run --shard`, and afterwards
/// `loadfactor report --out DIR` writes the tables and figures. `loadfactor run --out DIR` first runs whatever is missing.
#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// Result folders of the shards
    #[arg(value_name = "SHARD")]
    shards: Vec<PathBuf>,
    /// Folder of the joint results
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &MergeArgs) -> Result<ExitCode> {
    match args.shards.is_empty() {
        true => merge_submission(&args.out),
        false => merge_shards(&args.shards, &args.out),
    }
}

fn merge_shards(shards: &[PathBuf], out: &Path) -> Result<ExitCode> {
    let mut sources: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for shard in shards {
        let found =
            journals_in(shard).with_context(|| format!("cannot read {}", shard.display()))?;
        if found.is_empty() {
            tell!("{} holds no journal", shard.display());
        }
        for (experiment, folder) in found {
            sources.entry(experiment).or_default().push(folder);
        }
    }
    if sources.is_empty() {
        return Err(BadInput("error: none of these folders holds a journal".into()).into());
    }
    if sources.contains_key(Path::new("")) {
        let text =
            "error: a SHARD is what --out named, and not the folder of one experiment below it";
        return Err(BadInput(text.into()).into());
    }
    let mut is_whole = true;
    for (experiment, folders) in &sources {
        is_whole &= join(experiment, folders, out)?;
    }
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

/// Joins the journals of one experiment, and says whether all could be read to their end.
fn join(experiment: &Path, folders: &[PathBuf], out: &Path) -> Result<bool> {
    let sources: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
    let folder = out.join(experiment);
    ownership::check_files(&folder, [])?;
    let merged = merge(&sources, &folder)?;
    tell!(
        "{}: {} from {}, {} of them found more than once",
        experiment.display(),
        with_verb(merged.batches, ["batch", "batches"]),
        counted(sources.len(), "shard"),
        merged.duplicates
    );
    for (path, damage) in &merged.damage {
        tell!("  {}: {damage}", path.display());
    }
    Ok(merged.damage.is_empty())
}

/// Joins the shards of a submission, and writes its tables, figures and reports.
fn merge_submission(out: &Path) -> Result<ExitCode> {
    let out = absolute(out).with_context(|| out.display().to_string())?;
    let submission = submission_in(&out)?;
    submission.check_program().map_err(bad)?;
    let selection = Selection::of_words(&submission.request().arguments)?;
    enter(&submission.request().working_folder)?;
    let mut summary = Summary::default();
    let mut failed = false;
    for part in 0..submission.parts().len() {
        if let Err(error) = merge_part(part, &submission, &selection, &mut summary) {
            tell!("{}: FAILED: {}", submission.parts()[part].name, one_line(&error));
            failed = true;
        }
    }
    summary.tell();
    let state = submission.state();
    let is_done = state.is_done();
    if !is_done {
        super::print(status::text(&submission, &state).as_bytes())?;
        tell!(
            "not all shards are done: `loadfactor submit` with the same words submits the others"
        );
    }
    let missing = (failed || !is_done).then_some(FAILED);
    Ok(exit_code(summary.failure().into_iter().chain(missing)))
}

/// Joins the journals of an experiment that is still what was cut, by its place among those of the submission, and
/// writes its results.
fn merge_part(
    index: usize,
    submission: &Submission,
    selection: &Selection,
    summary: &mut Summary,
) -> Result<()> {
    let part = &submission.parts()[index];
    let experiment = selection.load_named(&part.name)?;
    let plan = Plan::new(&experiment, load_trace(&experiment, submission.out())?)?;
    part.check(&plan)?;
    let shards = submission.shards_of(index).into_iter();
    let folders: Vec<PathBuf> = shards
        .map(|shard| submission.folder_of(shard).join(&part.name))
        .filter(|folder| folder.join(JOURNAL).is_file())
        .collect();
    if folders.is_empty() {
        tell!("{}: no shard has run any of it yet", part.name);
        return Ok(());
    }
    join(Path::new(&part.name), &folders, submission.out())?;
    let request = Request { scale: selection.scale(), only: None, shard: None };
    let folder = submission.out().join(&part.name);
    summary.add(&conduct_recorded(&plan, &folder, &request)?, |point| part.is_run(point));
    Ok(())
}

/// The experiments and folders of the journals below a result folder. Where a submission is in it, those of the
/// submission's shards are among them, merged or not.
fn journals_in(out: &Path) -> io::Result<Vec<(PathBuf, PathBuf)>> {
    let shards = shard_folders(out)?;
    let submission = (!shards.is_empty()).then(|| out.join(FOLDER));
    let mut found = Vec::new();
    for root in iter::once(out.to_owned()).chain(shards) {
        let mut experiments = BTreeSet::new();
        journals(&root, &root, submission.as_deref(), &mut experiments)?;
        found.extend(experiments.into_iter().map(|one| (one.clone(), root.join(one))));
    }
    Ok(found)
}

/// Collects the folders below `folder` that hold a journal, relative to `root`, but for those in `except`.
fn journals(
    root: &Path,
    folder: &Path,
    except: Option<&Path>,
    found: &mut BTreeSet<PathBuf>,
) -> io::Result<()> {
    if except == Some(folder) {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        // A link to a folder is not followed: it could lead back here.
        if entry.file_type()?.is_dir() {
            journals(root, &path, except, found)?;
        } else if path.file_name().is_some_and(|name| name == JOURNAL) {
            found.extend(folder.strip_prefix(root).map(Path::to_owned));
        }
    }
    Ok(())
}
