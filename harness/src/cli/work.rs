//! `loadfactor work`.

use std::env;
use std::path::{Path, PathBuf, absolute};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;

use super::exit::{BadInput, FAILED, INTERRUPTED, exit_code, one_line, status_of};
use super::note;
use super::selection::{Selection, Threads};
use super::submit::{bad, submission_in};
use crate::count::with_verb;
use crate::machine;
use crate::pipeline::{PipelineError, conduct_share, load_trace};
use crate::plan::Plan;
use crate::run::{FolderLock, Interrupt, Outcome, RunOptions, Shard, Share, to_stderr};
use crate::submission::task::Task;
use crate::submission::{Part, Submission};
use crate::terminal::tell;

/// Run one shard of what `submit` has cut
///
/// A shard goes on from its own journal: run again, it takes up what it has finished. Definitions, traces and the
/// program have to be those of the submission. `loadfactor merge --out DIR` joins the shards.
#[derive(Debug, Args)]
pub(super) struct WorkArgs {
    /// Folder of the joint results, as --out of `submit` named it
    #[arg(value_name = "DIR", default_value = "results")]
    out: PathBuf,
    /// Number of the shard, from 1; or auto: as Slurm, Kubernetes, GNU parallel, HyperQueue or
    /// LOADFACTOR_SHARD tell it in the environment
    #[arg(long, value_name = "K", default_value = "auto")]
    shard: Task,
    #[command(flatten)]
    threads: Threads,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

/// Runs the command.
pub(super) fn run(args: &WorkArgs) -> Result<ExitCode> {
    let out = absolute(&args.out).with_context(|| args.out.display().to_string())?;
    let submission = submission_in(&out)?;
    submission.check_program().map_err(bad)?;
    let shard = shard_of(args.shard, &submission)?;
    let selection = Selection::of_words(&submission.request().arguments)?;
    enter(&submission.request().working_folder)?;
    let interrupt = Interrupt::install()?;
    // Held to the end, so that the same shard started twice ends at once.
    let _lock = FolderLock::take(&submission.folder_of(shard.index()))?;
    let worker = Worker { args, submission: &submission, shard, selection, interrupt };
    worker.run()
}

fn shard_of(task: Task, submission: &Submission) -> Result<Shard> {
    let number = task.number(|name| env::var(name).ok()).map_err(bad)?;
    let none = || {
        let (file, shards) = (submission.file(), submission.shards());
        bad(format!("there is no shard {number}: {} has {shards}", file.display()))
    };
    Ok(submission.shard(number).ok_or_else(none)?)
}

/// Goes where the submission was made, since its words may name files from there.
pub(super) fn enter(folder: &Path) -> Result<(), BadInput> {
    env::set_current_dir(folder).map_err(|error| {
        let node = machine::host().unwrap_or_else(|| "this machine".to_owned());
        let folder = folder.display();
        bad(format!("{node} cannot enter {folder}, from where the work was submitted: {error}"))
    })
}

/// One shard at work.
struct Worker<'a> {
    args: &'a WorkArgs,
    submission: &'a Submission,
    shard: Shard,
    selection: Selection,
    interrupt: Interrupt,
}

impl Worker<'_> {
    fn run(&self) -> Result<ExitCode> {
        let mut statuses = Vec::new();
        let (mut batches, mut resumed, mut seconds) = (0, 0, 0.0);
        for (part, share) in self.submission.shares(self.shard) {
            match self.run_part(part, share) {
                Ok(outcome) => {
                    batches += outcome.batches_run;
                    resumed += outcome.batches_resumed;
                    seconds += outcome.seconds;
                    statuses.extend((outcome.failed() > 0).then_some(FAILED));
                }
                Err(Failure { status, text }) => {
                    tell!("{}: FAILED: {text}", part.name);
                    statuses.push(status);
                }
            }
            if self.interrupt.is_triggered() {
                tell!(
                    "interrupted; what is finished is saved, and the same shard run again goes on"
                );
                return Ok(ExitCode::from(INTERRUPTED));
            }
        }
        let shard = self.shard;
        let batches = with_verb(batches, ["batch", "batches"]);
        tell!("shard {shard}: {batches} in {seconds:.1} s, {resumed} taken up");
        Ok(exit_code(statuses))
    }

    fn run_part(&self, part: &Part, share: Share) -> Result<Outcome, Failure> {
        let experiment = self.selection.load_named(&part.name)?;
        let trace = load_trace(&experiment, self.submission.out()).map_err(PipelineError::from)?;
        let plan = Plan::new(&experiment, trace).map_err(PipelineError::from)?;
        part.check(&plan).map_err(bad)?;
        let options = RunOptions {
            threads: Some(self.args.threads.number().unwrap_or(self.submission.request().threads)),
            interrupt: self.interrupt.clone(),
            ..RunOptions::default()
        };
        let folder = self.submission.folder_of(self.shard.index()).join(&part.name);
        let progress = to_stderr(&part.name, self.args.quiet);
        let outcome = conduct_share(&plan, &folder, share, options, &*progress)?;
        note::of_damage(&outcome, &folder);
        Ok(outcome)
    }
}

/// Why an experiment of the shard did not come to its end.
struct Failure {
    status: u8,
    text: String,
}

impl From<PipelineError> for Failure {
    fn from(error: PipelineError) -> Self {
        Self { status: status_of(&error), text: one_line(&error.into()) }
    }
}

impl From<BadInput> for Failure {
    fn from(BadInput(text): BadInput) -> Self {
        let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end().to_owned();
        Self { status: super::exit::BAD_INPUT, text }
    }
}
