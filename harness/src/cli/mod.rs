//! The command line: one file per sub-command.

mod abreast;
mod ahead;
mod bench;
mod check;
mod compare;
mod completions;
mod diagnose;
mod exit;
mod format;
mod journal;
mod list;
mod merge;
mod note;
mod parameters;
mod plan;
mod predict;
mod published;
mod reading;
mod report;
mod run;
mod schema;
mod schemes;
mod selection;
mod size;

mod status;
mod submit;
mod summary;
mod trace;
mod work;

use std::io::{self, Write, stdout};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

/// Does what a paper predicts of a hash structure hold? For this scheme, with this hash function,
/// on this trace.
#[derive(Debug, Parser)]
#[command(
    name = "loadfactor",
    version,
    about,
    max_term_width = 100,
    after_help = "Exit status: 0 done; 1 something failed at run time; 2 bad usage or bad definition; \
                  3 of compare, a row moved, changed or is missing, of bench --beside an operation is slower, and with --strict a row differs \
                  where it should agree, nothing was judged or trials are missing; 130 interrupted.",
    after_long_help = "Examples:\n  \
        loadfactor list                                 what there is to run\n  \
        loadfactor run deletions/fig4                   one experiment, at quick scale\n  \
        loadfactor run deletions --scale paper          a folder of experiments, as the paper ran them\n  \
        loadfactor run deletions/fig7 --trace my.pcap   on a capture of yours\n  \
        loadfactor run my.toml                          a definition of yours, anywhere\n  \
        loadfactor submit deletions --scale paper --slurm   on a cluster\n\n\
        Exit status: 0 done; 1 something failed at run time; 2 bad usage or bad definition; \
        3 of compare, a row moved, changed or is missing, of bench --beside an operation is slower, and \
        with --strict a row differs where it \
        should agree, nothing was judged or trials are missing; 130 interrupted."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::RunArgs),
    Bench(bench::BenchArgs),
    List(list::ListArgs),
    Check(check::CheckArgs),
    Plan(plan::PlanArgs),
    Predict(predict::PredictArgs),
    Report(report::ReportArgs),
    Published(published::PublishedArgs),
    Compare(compare::CompareArgs),
    Diagnose(diagnose::DiagnoseArgs),
    Size(size::SizeArgs),
    Submit(submit::SubmitArgs),
    Work(work::WorkArgs),
    Status(status::StatusArgs),
    Merge(merge::MergeArgs),
    Journal(journal::JournalArgs),
    Schemes(schemes::SchemesArgs),
    Schema(schema::SchemaArgs),
    Trace(trace::TraceArgs),
    Completions(completions::CompletionsArgs),
    Man(completions::ManArgs),
}

/// Runs the command line and returns its exit status; errors go to standard error.
pub(crate) fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::List(args) => list::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Predict(args) => predict::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Published(args) => published::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Diagnose(args) => diagnose::run(&args),
        Command::Size(args) => size::run(&args),
        Command::Submit(args) => submit::run(&args),
        Command::Work(args) => work::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Journal(args) => journal::run(&args),
        Command::Schemes(args) => schemes::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Completions(args) => completions::completions(&args),
        Command::Man(args) => completions::man(&args),
    };
    outcome.unwrap_or_else(|error| exit::report(&error))
}

/// Writes to standard output. A reader who has heard enough, as `head` has, changes nothing: what there is to
/// do is done, and the exit status tells what it would have told.
fn print(bytes: &[u8]) -> Result<()> {
    let mut out = stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}
