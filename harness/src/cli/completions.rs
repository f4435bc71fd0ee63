//! `loadfactor completions` and `loadfactor man`.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;

/// Write a completion script for a shell to standard output
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Write the man page of a sub-command, or of loadfactor, to standard output
#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// The sub-command
    command: Option<String>,
}

/// The whole command line, as completions and man pages describe it.
pub(super) fn command() -> clap::Command {
    Cli::command()
}

/// Runs `completions`.
pub(super) fn completions(args: &CompletionsArgs) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "loadfactor", &mut script);
    super::print(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs `man`.
pub(super) fn man(args: &ManArgs) -> Result<ExitCode> {
    let mut whole = command();
    whole.build();
    let page = match &args.command {
        None => whole,
        Some(name) => whole.find_subcommand(name).cloned().ok_or_else(|| {
            super::status::BadInput(format!("error: there is no sub-command `{name}`"))
        })?,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    super::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
