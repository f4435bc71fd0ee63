//! `loadfactor trace`: look into captures, export their keys, make synthetic ones.

mod guard;
mod info;
mod json;
mod keys;
mod reading;
mod synth;

use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Look into a capture, export its keys, or make a synthetic one
#[derive(Debug, Args)]
pub(super) struct TraceArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Info(info::InfoArgs),
    Keys(keys::KeysArgs),
    Synth(synth::SynthArgs),
}

/// Runs `loadfactor trace`.
///
/// Exit status: 0 done, even if a file is damaged (that is reported); 1 a file could not be read or
/// written; 2 bad usage; 3 with --strict, a file is damaged.
///
/// # Errors
///
/// If a file cannot be read or written. `info --each` reports each failure and goes on with the next
/// file.
pub(super) fn run(args: &TraceArgs) -> anyhow::Result<ExitCode> {
    match &args.action {
        Action::Info(args) => info::run(args),
        Action::Keys(args) => keys::run(args),
        Action::Synth(args) => synth::run(args),
    }
}
