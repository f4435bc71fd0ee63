//! Which files a command of `loadfactor trace` reads, and what it says of them.

use std::path::PathBuf;

use clap::Args;
use loadfactor_traces::{DamageLog, Input, TraceError, UnreadCounts};

use crate::cli::reading::ReadingArgs;
use crate::definition::Reading as How;
use crate::terminal::tell;

/// How the files of a trace are read, and whether damage is a failure.
#[derive(Debug, Args)]
pub(super) struct Reading {
    #[command(flatten)]
    how: ReadingArgs,
    /// Exit with status 3 if a file is damaged
    #[arg(long)]
    strict: bool,
}

impl Reading {
    /// The trace that the words stand for.
    pub(super) fn input(&self, words: &[PathBuf]) -> Result<Input, TraceError> {
        let How { layout, decoding, span } = self.how.options().applied_to(How::default());
        Input { files: Vec::new(), layout, decoding, span }.of_words(words)
    }

    /// Whether the damage is to be an exit status.
    pub(super) fn objects_to(&self, damage: &DamageLog) -> bool {
        self.strict && !damage.is_empty()
    }
}

/// The files as one name.
pub(super) fn label(input: &Input) -> String {
    match &input.files[..] {
        [first, .., last] => {
            format!("{} files, {} to {}", input.files.len(), first.display(), last.display())
        }
        [only] => only.display().to_string(),
        [] => String::new(),
    }
}

/// Warns of a trace most of whose packets have no key.
pub(super) fn warn_of_missing(label: &str, packets: u64, without_key: u64, unread: &UnreadCounts) {
    if without_key <= packets / 2 {
        return;
    }
    let unread = unread.by_number();
    let kinds = unread.iter().take(3).map(|(kind, packets)| format!("{packets} are {kind}"));
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    let kinds = if kinds.is_empty() { kinds } else { format!(" ({kinds})") };
    tell!(
        "warning: {label}: {without_key} of {packets} packets have no such key{kinds}; \
         `loadfactor trace info` counts what is there"
    );
}
