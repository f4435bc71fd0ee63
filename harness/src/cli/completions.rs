//! `loadfactor completions` and `loadfactor man`.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use loadfactor_schemes::families;
use loadfactor_schemes::hash::HASHES;

use super::Cli;
use super::selection::Names;
use crate::files::{create_folder, write_atomic};
use crate::report::reference;

/// Write a completion script for a shell to standard output
///
/// It knows the experiments that are found from the working folder, the documents and schemes: write it
/// again where there are new ones.
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
    /// Write the pages of all commands into this folder instead
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    all: Option<PathBuf>,
}

/// The whole command line, as completions and man pages describe it.
pub(super) fn command() -> Command {
    Cli::command()
}

/// Runs `completions`.
pub(super) fn completions(args: &CompletionsArgs) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut with_words(command()), "loadfactor", &mut script);
    super::print(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// The command line with the words that may stand for an argument, where they are known.
fn with_words(command: Command) -> Command {
    let words = [
        ("experiments", experiments()),
        ("scheme", families::schemes().map(|entry| entry.info.name).collect()),
        ("hash", HASHES.iter().map(|hash| hash.name).collect()),
        ("name", reference::names()),
    ];
    let names: Vec<String> =
        command.get_subcommands().map(|one| one.get_name().to_owned()).collect();
    names.iter().fold(command, |command, name| {
        let with_all = |one| words.iter().fold(one, |one, (id, words)| with(one, id, words));
        command.mut_subcommand(name, with_all)
    })
}

/// The sub-command with these words for one of its arguments, if it has that.
fn with(command: Command, id: &str, words: &[&'static str]) -> Command {
    let has = command.get_arguments().any(|argument| argument.get_id() == id);
    match has && !words.is_empty() {
        true => command.mut_arg(id, |arg| arg.value_parser(PossibleValuesParser::new(words))),
        false => command,
    }
}

/// The names of all experiments and of their folders; none where there are none.
fn experiments() -> Vec<&'static str> {
    // A shell runs the script that the names stand in: a name that it could take for more is left out.
    let is_plain = |name: &str| {
        name.chars().all(|letter| letter.is_ascii_alphanumeric() || "._/-".contains(letter))
    };
    let mut found = Names::of(Vec::new()).find().unwrap_or_default();
    found.retain(|found| is_plain(&found.name));
    // The command line that the script is made of lives as long as the program.
    let mut names: Vec<&'static str> = found.into_iter().map(|found| &*found.name.leak()).collect();
    let folders = names.iter().filter_map(|name| Some(name.rsplit_once('/')?.0));
    names.extend(folders.collect::<BTreeSet<&str>>());
    names
}

/// Runs `man`.
pub(super) fn man(args: &ManArgs) -> Result<ExitCode> {
    if let Some(folder) = &args.all {
        return all_pages(folder);
    }
    let mut whole = command();
    whole.build();
    let page = match &args.command {
        None => whole,
        Some(name) => whole.find_subcommand(name).cloned().ok_or_else(|| {
            super::exit::BadInput(format!("error: there is no sub-command `{name}`"))
        })?,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    super::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a page for each command and sub-command.
fn all_pages(folder: &Path) -> Result<ExitCode> {
    let failed = || format!("cannot write man pages into {}", folder.display());
    create_folder(folder).with_context(failed)?;
    let mut whole = command().disable_help_subcommand(true);
    whole.build();
    write_page(whole, folder).with_context(failed)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the page of a command, and those of its sub-commands.
fn write_page(command: Command, folder: &Path) -> io::Result<()> {
    let page = clap_mangen::Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    write_atomic(&folder.join(page.get_filename()), &text)?;
    let pages = command.get_subcommands().filter(|one| !one.is_hide_set());
    pages.cloned().try_for_each(|one| write_page(one, folder))
}
