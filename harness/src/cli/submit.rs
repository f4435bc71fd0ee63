//! `loadfactor submit`.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;

use super::exit::BadInput;
use super::plan::duration;
use super::selection::{Out, Selected, Selection};
use crate::count::counted;
use crate::files::{create_folder, write_atomic};
use crate::forecast::paces;
use crate::pipeline::{PipelineError, load_trace};
use crate::plan::Plan;
use crate::run::{FolderLock, Shard};
use crate::submission::slurm::{self, MERGE_SCRIPT, SHARD_SCRIPT, quoted, ranges};
use crate::submission::{FOLDER, Part, Phase, Request, Submission, is_taken};
use crate::terminal::tell;
use crate::trace::LoadedTrace;

/// Cut experiments into shards of about equal time, for a cluster
///
/// With --slurm the shards are submitted as an array of jobs, and behind them one that merges. Without, run
/// `loadfactor work DIR --shard K` for each shard by any engine, and then `loadfactor merge --out DIR`. The folder
/// of the results, the definitions, the traces and the program have to be where every node finds them.
/// Submitted again, only shards that are not done are run.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    loadfactor submit deletions --scale paper --slurm --time-per-job 30min\n  \
    loadfactor submit deletions --scale paper --slurm --sbatch \"--partition=short --account=x\"\n  \
    loadfactor submit one-move --shards 16 --dry-run      what would be submitted\n  \
    loadfactor submit one-move --shards 16                 for another engine; see docs/CLUSTER.md")]
pub(super) struct SubmitArgs {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    out: Out,
    /// Number of shards
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=Shard::MOST), conflicts_with = "time_per_job")]
    shards: Option<u64>,
    /// Time that a shard is to take, such as 30min or 2h; 30min where neither it nor --shards is given
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    time_per_job: Option<Duration>,
    /// Threads of each shard; one where it is not given
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Submit to Slurm
    #[arg(long)]
    slurm: bool,
    /// Options that sbatch is given beside ours, such as "--partition=short --account=x"; may be given several times
    #[arg(long, value_name = "OPTIONS", requires = "slurm", allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// Say what would be submitted, and submit nothing
    #[arg(long)]
    dry_run: bool,
}

/// Time of a shard where nothing is said of it.
const TIME_PER_JOB: Duration = Duration::from_secs(30 * 60);

/// An error in what a user gave or left.
pub(super) fn bad(error: impl std::fmt::Display) -> BadInput {
    BadInput(format!("error: {error}"))
}

/// The submission whose joint results go to `out`.
pub(super) fn submission_in(out: &Path) -> Result<Submission, BadInput> {
    let none = || {
        let out = out.display();
        bad(format!("{out} holds no submission: `loadfactor submit … --out {out}` makes one"))
    };
    Submission::read(out).map_err(bad)?.ok_or_else(none)
}

/// Runs the command.
pub(super) fn run(args: &SubmitArgs) -> Result<ExitCode> {
    let out = absolute(&args.out.out).with_context(|| args.out.out.display().to_string())?;
    if out.to_string_lossy().contains('\n') {
        return Err(bad("a job script takes no --out with a line end in its name").into());
    }
    let words = Selection::words("submit")?;
    let found = Submission::read(&out).map_err(bad)?;
    let is_new = found.is_none();
    let submission = match found {
        Some(earlier) => {
            check_same(args, &earlier, &words)?;
            earlier
        }
        None => cut(args, &out, words)?,
    };
    // Held until all is submitted, so that nobody submits the same meanwhile.
    let _lock = (!args.dry_run).then(|| lock(&submission, is_new)).transpose()?;
    let left = match is_new {
        true => (1..=submission.shards()).collect(),
        false => left_of(&submission),
    };
    tell_cut(&submission, &left);
    if left.is_empty() {
        match submission.state().is_done() {
            true => tell!(
                "every shard is done: `loadfactor merge --out {}` joins them",
                shown(&args.out.out)
            ),
            false => tell!("every shard that is not done is running: nothing is to be submitted"),
        }
        return Ok(ExitCode::SUCCESS);
    }
    let arrays = match args.slurm {
        true => slurm::arrays(&left, slurm::greatest_task(), &extra(args)?),
        false => Vec::new(),
    };
    if args.dry_run {
        return dry_run(args, &submission, &arrays);
    }
    prepare(&submission, is_new)?;
    match args.slurm {
        true => submit(args, &submission, &arrays),
        false => by_hand(args, &left),
    }
}

/// Keeps every other `submit` out of the folder, or refuses where one has made another submission since it was looked
/// at.
fn lock(submission: &Submission, is_new: bool) -> Result<FolderLock> {
    let lock = FolderLock::take(&submission.folder())?;
    let file = submission.file();
    if is_new && file.exists() {
        let file = file.display();
        return Err(bad(format!(
            "another `submit` has written {file} meanwhile: nothing was submitted; `loadfactor status` says how far \
             its shards are"
        ))
        .into());
    }
    Ok(lock)
}

/// Refuses to go on with a submission that was made otherwise.
fn check_same(args: &SubmitArgs, earlier: &Submission, words: &[String]) -> Result<(), BadInput> {
    earlier.check_program().map_err(bad)?;
    let file = earlier.file();
    let here = env::current_dir().unwrap_or_default();
    let request = earlier.request();
    let shards_differ = args.shards.is_some_and(|shards| shards != earlier.shards());
    let threads_differ = args.threads.is_some_and(|given| usize::from(given) != request.threads);
    let differs = match () {
        () if request.arguments != words => {
            format!("`{}`", shown_words(&request.arguments))
        }
        () if request.working_folder != here => {
            format!("the folder {}", request.working_folder.display())
        }
        () if shards_differ => counted(earlier.shards(), "shard"),
        () if threads_differ => {
            format!("shards of {}", counted(request.threads, "thread"))
        }
        () if args.time_per_job.is_some() => {
            format!("{}, whatever the time", counted(earlier.shards(), "shard"))
        }
        () => return Ok(()),
    };
    Err(bad(format!(
        "{} was made of {differs}: go on with the same, or name another --out",
        file.display()
    )))
}

/// The shards that are neither done nor running.
fn left_of(submission: &Submission) -> BTreeSet<u64> {
    let state = submission.state();
    for fault in &state.faults {
        tell!("{fault}");
    }
    let running = state.in_phase(Phase::Running);
    if !running.is_empty() {
        tell!("running, and not submitted again: {}", numbered(&running));
    }
    state.in_phase(Phase::Missing)
}

/// Shards by their numbers.
fn numbered(shards: &BTreeSet<u64>) -> String {
    let word = if shards.len() == 1 { "shard" } else { "shards" };
    format!("{word} {}", ranges(shards))
}

/// Measures how long batches take, and cuts them.
fn cut(args: &SubmitArgs, out: &Path, words: Vec<String>) -> Result<Submission> {
    if args.selection.reads_standard_input() {
        return Err(
            bad("shards cannot read a trace from standard input: write it into a file").into()
        );
    }
    let selected = args.selection.load()?;
    check_names(&selected)?;
    let (mut experiments, mut memory_bytes) = (Vec::new(), 0);
    for one in &selected {
        let (part, bytes) =
            measured(args, one, out).with_context(|| one.experiment.name.clone())?;
        experiments.push(part);
        memory_bytes = memory_bytes.max(bytes);
    }
    let request = Request {
        arguments: words,
        working_folder: env::current_dir().context("the working folder")?,
        threads: threads(args),
        memory_bytes,
        experiments,
    };
    let whole = Submission::new(out, request, 1);
    let shards = shards(args, &whole);
    Ok(Submission::new(out, whole.request().clone(), shards))
}

/// Refuses an experiment whose joint results would stand among the shards.
fn check_names(selected: &[Selected]) -> Result<(), BadInput> {
    let mut names = selected.iter().map(|one| &one.experiment.name);
    names.find(|name| is_taken(name)).map_or(Ok(()), |name| {
        Err(bad(format!(
            "the results of `{name}` would stand in the folder of the shards, `{FOLDER}`: rename its definition"
        )))
    })
}

/// An experiment with its times, and the bytes that a shard of it takes.
fn measured(
    args: &SubmitArgs,
    selected: &Selected,
    out: &Path,
) -> Result<(Part, u64), PipelineError> {
    let experiment = &selected.experiment;
    let plan = Plan::new(experiment, load_trace(experiment, out)?)?;
    let runs = |point| selected.holds(point);
    let part = Part::new(&plan, &paces(&plan, runs), runs);
    let run = (0..plan.points.len()).filter(|&point| runs(point));
    let of_trial = run.map(|point| plan.points[point].cost.bytes).max().unwrap_or(0);
    let of_trace = plan.trace.as_ref().map_or(0, LoadedTrace::bytes);
    let bytes = of_trial
        .saturating_mul(threads(args) as u64)
        .saturating_add(plan.result_bytes_of(runs))
        .saturating_add(of_trace);
    Ok((part, bytes))
}

fn threads(args: &SubmitArgs) -> usize {
    args.threads.unwrap_or(1).into()
}

/// As many shards as asked for, or as take the time asked for; never more than batches.
fn shards(args: &SubmitArgs, whole: &Submission) -> u64 {
    let time = args.time_per_job.unwrap_or(TIME_PER_JOB).as_secs_f64().max(1.0);
    let by_time = (whole.seconds() / threads(args) as f64 / time).ceil();
    let asked = args.shards.unwrap_or(by_time as u64);
    asked.clamp(1, whole.batches().clamp(1, Shard::MOST))
}

/// What was cut, or what is left of it.
fn tell_cut(submission: &Submission, left: &BTreeSet<u64>) {
    let costs = submission.seconds_of_shards();
    let threads = submission.request().threads;
    let mean = submission.seconds() / costs.len() as f64;
    let longest = costs.iter().copied().fold(0.0, f64::max);
    tell!(
        "{}, about {} of processor time, in {} of about {} each{}; the longest is {:.2} times the mean",
        counted(submission.parts().len(), "experiment"),
        duration(submission.seconds()),
        counted(submission.shards(), "shard"),
        duration(mean / threads as f64),
        if threads > 1 { format!(" on {threads} threads") } else { String::new() },
        longest / mean,
    );
    if left.len() < costs.len() && !left.is_empty() {
        tell!("not done: {}", numbered(left));
    }
}

/// Writes what shards and scripts need. What was cut is written once: shards may be reading it.
fn prepare(submission: &Submission, is_new: bool) -> Result<()> {
    let folder = submission.folder();
    let logs = folder.join("logs");
    create_folder(&logs).with_context(|| format!("cannot create {}", logs.display()))?;
    for (name, text) in scripts(submission)? {
        let path = folder.join(name);
        write_atomic(&path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if is_new {
        submission.write()?;
    }
    Ok(())
}

fn scripts(submission: &Submission) -> Result<[(&'static str, String); 2]> {
    let program = program()?;
    Ok([
        (SHARD_SCRIPT, slurm::shard_script(submission, &program)),
        (MERGE_SCRIPT, slurm::merge_script(submission, &program)),
    ])
}

/// This program, where nodes find it.
fn program() -> Result<PathBuf> {
    let program = env::current_exe().context("this program's own path")?;
    Ok(fs::canonicalize(&program).unwrap_or(program))
}

/// The options that sbatch is given beside ours, split as a shell splits them.
fn extra(args: &SubmitArgs) -> Result<Vec<String>, BadInput> {
    let split = |options: &String| {
        shlex::split(options)
            .ok_or_else(|| bad(format!("--sbatch: a quote is open in `{options}`")))
    };
    Ok(args.sbatch.iter().map(split).collect::<Result<Vec<_>, _>>()?.concat())
}

fn dry_run(args: &SubmitArgs, submission: &Submission, arrays: &[slurm::Job]) -> Result<ExitCode> {
    let mut text = String::new();
    for (name, script) in scripts(submission)? {
        text += &format!("{}:\n{script}\n", submission.folder().join(name).display());
    }
    let after: Vec<String> = (1..=arrays.len()).map(|number| format!("ARRAY{number}")).collect();
    let extra = extra(args)?;
    let merge = args.slurm.then(|| slurm::merge_job(&after, &extra));
    for job in arrays.iter().chain(&merge) {
        let words: Vec<String> = job.words(submission).iter().map(|word| quoted(word)).collect();
        text += &format!("sbatch {}\n", words.join(" "));
    }
    super::print(text.as_bytes())?;
    tell!("nothing was submitted, because of --dry-run");
    Ok(ExitCode::SUCCESS)
}

fn submit(args: &SubmitArgs, submission: &Submission, arrays: &[slurm::Job]) -> Result<ExitCode> {
    let mut numbers = Vec::new();
    for job in arrays {
        let so_far = || match numbers.is_empty() {
            true => "nothing was submitted".to_owned(),
            false => format!("submitted were the arrays {}", numbers.join(", ")),
        };
        let number = slurm::submit(submission, job).with_context(so_far)?;
        numbers.push(number);
    }
    let merge = slurm::submit(submission, &slurm::merge_job(&numbers, &extra(args)?))
        .context("the shards were submitted, and the merge was not")?;
    let out = shown(&args.out.out);
    tell!("submitted: array {}, then the merge {merge}", numbers.join(", "));
    tell!(
        "`loadfactor status --out {out}` says how far they are; logs are in {out}/submission/logs"
    );
    Ok(ExitCode::SUCCESS)
}

fn by_hand(args: &SubmitArgs, left: &BTreeSet<u64>) -> Result<ExitCode> {
    let out = shown(&args.out.out);
    tell!(
        "run `loadfactor work {out} --shard K` for each K of {}, on any machines that share the folder, and then \
         `loadfactor merge --out {out}`",
        ranges(left)
    );
    Ok(ExitCode::SUCCESS)
}

/// The words as somebody writes them, without the sign that no option follows.
fn shown_words(words: &[String]) -> String {
    let words = words.iter().filter(|word| *word != "--").map(|word| quoted(word));
    words.collect::<Vec<_>>().join(" ")
}

fn shown(path: &Path) -> String {
    quoted(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two that cut at the same time: the one that comes second to the lock has cut the work otherwise.
    #[test]
    fn a_first_submission_is_not_written_over_another_first_one() {
        let out = tempfile::tempdir().unwrap();
        let request = Request {
            arguments: Vec::new(),
            working_folder: PathBuf::new(),
            threads: 1,
            memory_bytes: 0,
            experiments: Vec::new(),
        };
        let submission = Submission::new(out.path(), request, 1);
        lock(&submission, true).unwrap();
        submission.write().unwrap();
        let error = lock(&submission, true).unwrap_err().to_string();
        assert!(error.contains("nothing was submitted"), "{error}");
        lock(&submission, false).unwrap();
    }
}
