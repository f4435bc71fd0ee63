//! Job scripts for Slurm, and what `sbatch` is called with.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::io;
use std::path::Path;
use std::process::{Command, Output};

use thiserror::Error;

use super::Submission;

/// Greatest number of an array's task where Slurm does not tell: its `MaxArraySize` is 1001 unless configured.
const GREATEST_TASK: u64 = 1000;

/// What a time limit is beyond the time expected, as a factor …
const HEAD_ROOM: f64 = 3.0;
/// … and in minutes, for starting and reading traces.
const MINUTES_MORE: f64 = 5.0;

/// Memory beyond what trials and results take, as a factor …
const MEMORY_ROOM: f64 = 1.5;
/// … and in bytes, for the program and its predictions.
const MEMORY_MORE: f64 = 512.0 * 1024.0 * 1024.0;

/// Minutes in which the merge reads journals and writes tables and figures.
const MERGE_MINUTES: f64 = 120.0;

/// Slurm cannot be asked, or refuses.
#[derive(Debug, Error)]
pub enum SlurmError {
    /// A program of Slurm's cannot be started.
    #[error("cannot start {program}: {source}; is this a machine from which jobs are submitted?")]
    Start {
        /// The program.
        program: &'static str,
        /// Why.
        source: io::Error,
    },
    /// `sbatch` refuses.
    #[error("sbatch refuses the job: {0}")]
    Refused(String),
    /// `sbatch` says something else than a job's number.
    #[error("sbatch names no job: `{0}`")]
    NoJob(String),
}

/// A job to submit: its script, and what `sbatch` is given before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Options of `sbatch`.
    pub options: Vec<String>,
    /// File name of the script in the submission's folder.
    pub script: &'static str,
    /// What the script is given.
    pub arguments: Vec<String>,
}

/// File name of the script of a shard.
pub const SHARD_SCRIPT: &str = "shard.sh";
/// File name of the script that merges.
pub const MERGE_SCRIPT: &str = "merge.sh";

/// The script of a shard.
pub fn shard_script(submission: &Submission, program: &Path) -> String {
    let request = submission.request();
    let threads = request.threads;
    let slowest = submission.seconds_of_shards().into_iter().fold(0.0, f64::max) / threads as f64;
    let head = Head {
        name: "loadfactor",
        log: "shard-%A-%a.log",
        threads,
        memory: request.memory_bytes,
        minutes: slowest / 60.0 * HEAD_ROOM + MINUTES_MORE,
    };
    let out = quoted(&submission.out().display().to_string());
    // Not `auto`: a variable of another engine may come with the environment of whoever submits.
    let shard = "$((SLURM_ARRAY_TASK_ID + ${1:-0}))";
    let call = format!("work {out} --shard {shard} --threads {threads} --quiet");
    head.script(submission, program, &call)
}

/// The script that merges when all shards have ended.
pub fn merge_script(submission: &Submission, program: &Path) -> String {
    let head = Head {
        name: "loadfactor-merge",
        log: "merge-%j.log",
        threads: 1,
        memory: submission.request().memory_bytes,
        minutes: MERGE_MINUTES,
    };
    let out = quoted(&submission.out().display().to_string());
    head.script(submission, program, &format!("merge --out {out}"))
}

/// What a job asks of its machine.
struct Head {
    name: &'static str,
    log: &'static str,
    threads: usize,
    memory: u64,
    minutes: f64,
}

impl Head {
    /// A script that becomes the program, so that signals reach it: a minute before its time is up, and when the job
    /// is cancelled, it saves what is finished.
    fn script(&self, submission: &Submission, program: &Path, call: &str) -> String {
        let Self { name, log, threads, memory, minutes } = self;
        // A per cent sign of the folder's own stands for nothing.
        let logs = submission.folder().join("logs").display().to_string().replace('%', "%%");
        let log = format!("{logs}/{log}");
        let megabytes = (*memory as f64 * MEMORY_ROOM + MEMORY_MORE) / (1024.0 * 1024.0);
        let mut script = String::from("#!/bin/sh\n");
        let options = [
            format!("--job-name={name}"),
            format!("--output={}", quoted(&log)),
            "--open-mode=append".to_owned(),
            "--nodes=1".to_owned(),
            "--ntasks=1".to_owned(),
            format!("--cpus-per-task={threads}"),
            format!("--mem={:.0}M", megabytes.ceil()),
            format!("--time={:.0}", minutes.ceil()),
            "--signal=B:TERM@60".to_owned(),
            "--requeue".to_owned(),
        ];
        for option in options {
            let _ = writeln!(script, "#SBATCH {option}");
        }
        let program = quoted(&program.display().to_string());
        let _ = writeln!(script, "exec {program} {call}");
        script
    }
}

/// The arrays that run these shards. Numbers beyond what an array's task can have are reached by an offset.
pub fn arrays(shards: &BTreeSet<u64>, greatest: u64, extra: &[String]) -> Vec<Job> {
    let mut jobs = Vec::new();
    let mut rest = shards.iter().copied().peekable();
    while let Some(&first) = rest.peek() {
        let offset = (first - 1) / greatest * greatest;
        let mut tasks = BTreeSet::new();
        while let Some(shard) = rest.next_if(|shard| *shard <= offset + greatest) {
            tasks.insert(shard - offset);
        }
        let options = ["--parsable".to_owned(), format!("--array={}", ranges(&tasks))];
        let options = [&options[..], extra].concat();
        jobs.push(Job { options, script: SHARD_SCRIPT, arguments: vec![offset.to_string()] });
    }
    jobs
}

/// The job that merges after these, whatever becomes of them, and after any other merge. Options that are of shards alone
/// are left out.
pub fn merge_job(after: &[String], extra: &[String]) -> Job {
    let options = [
        "--parsable".to_owned(),
        format!("--dependency=afterany:{},singleton", after.join(":")),
        "--kill-on-invalid-dep=no".to_owned(),
    ];
    let is_of_shards =
        |option: &&String| ["--array", "--dependency"].iter().any(|own| option.starts_with(own));
    let extra: Vec<String> = extra.iter().filter(|option| !is_of_shards(option)).cloned().collect();
    Job { options: [&options[..], &extra].concat(), script: MERGE_SCRIPT, arguments: Vec::new() }
}

impl Job {
    /// The words behind `sbatch`.
    pub fn words(&self, submission: &Submission) -> Vec<String> {
        let script = submission.folder().join(self.script).display().to_string();
        [&self.options[..], &[script], &self.arguments].concat()
    }
}

/// Submits a job of the submission and returns its number.
///
/// # Errors
/// Where `sbatch` cannot be started or refuses.
pub fn submit(submission: &Submission, job: &Job) -> Result<String, SlurmError> {
    let output = call("sbatch", &job.words(submission))?;
    if !output.status.success() {
        return Err(SlurmError::Refused(said(&output.stderr)));
    }
    let answer = said(&output.stdout);
    // With several clusters the number is followed by a semicolon and the cluster.
    let number = answer.split(';').next().unwrap_or_default();
    match !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
        true => Ok(number.to_owned()),
        false => Err(SlurmError::NoJob(answer)),
    }
}

/// Greatest number that a task of an array may have, as this cluster is configured.
pub fn greatest_task() -> u64 {
    let configured = call("scontrol", &["show".to_owned(), "config".to_owned()]).ok();
    let told = configured.and_then(|output| max_array_size(&said(&output.stdout)));
    told.map_or(GREATEST_TASK, |size| size.saturating_sub(1).max(1))
}

fn max_array_size(configuration: &str) -> Option<u64> {
    let line = configuration.lines().find(|line| line.starts_with("MaxArraySize"))?;
    line.split_once('=')?.1.trim().parse().ok()
}

fn call(program: &'static str, words: &[String]) -> Result<Output, SlurmError> {
    let output = Command::new(program).args(words).output();
    output.map_err(|source| SlurmError::Start { program, source })
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

/// Numbers as Slurm takes them: 1-4,7,9-12.
pub fn ranges(numbers: &BTreeSet<u64>) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let text =
        |(first, last)| if first == last { format!("{first}") } else { format!("{first}-{last}") };
    ranges.into_iter().map(text).collect::<Vec<_>>().join(",")
}

/// A word as a shell takes it for one, whatever it holds.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_beyond_an_arrays_greatest_task_are_reached_by_an_offset() {
        let shards: BTreeSet<u64> = [1, 2, 3, 10, 11, 12, 25].into();
        let jobs = arrays(&shards, 10, &["--partition=short".to_owned()]);
        let words = |job: &Job| {
            format!("{}, given {}", job.options[1..].join(" "), job.arguments.join(" "))
        };
        let told: Vec<String> = jobs.iter().map(words).collect();
        assert_eq!(
            told,
            [
                "--array=1-3,10 --partition=short, given 0",
                "--array=1-2 --partition=short, given 10",
                "--array=5 --partition=short, given 20",
            ]
        );
    }

    #[test]
    fn the_size_of_arrays_is_read_from_the_configuration() {
        let told = "MailProg = /bin/mail\nMaxArraySize            = 4001\nMaxBatchRequeue = 5\n";
        assert_eq!(max_array_size(told), Some(4001));
        assert_eq!(max_array_size("slurm_load_ctl_conf error"), None);
    }

    #[test]
    fn a_word_stays_one_in_a_shell() {
        assert_eq!(quoted("/data/run-1"), "/data/run-1");
        assert_eq!(quoted("it's here"), r"'it'\''s here'");
    }
}
