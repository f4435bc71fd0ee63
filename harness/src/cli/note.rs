//! What a user must know of a run beside its results.

use std::path::Path;

use crate::count::with_verb;
use crate::pipeline::Conducted;
use crate::run::Outcome;
use crate::terminal::tell;
use crate::trace::{KeysOfKind, LoadedTrace};

/// Says what of the journal was damaged.
pub(super) fn of_journal(conducted: &Conducted<'_>, folder: &Path) {
    of_damage(&conducted.outcome, folder);
}

/// The same of the journal of a shard.
pub(super) fn of_damage(outcome: &Outcome, folder: &Path) {
    for damage in &outcome.damage {
        tell!("{}: {damage}", folder.display());
    }
    if !outcome.damage.is_empty() {
        let run = [
            "batch that the journal did not hold was run now",
            "batches that the journal did not hold were run now",
        ];
        tell!("{}: {}", folder.display(), with_verb(outcome.batches_run, run));
    }
}

/// Says what is wrong with a trace, and where most of its packets are not used.
pub(super) fn of_trace(trace: &LoadedTrace) {
    of_files(trace);
    warn_of_missing(trace);
}

/// Says what of the files could not be read or has no time that is asked for, and where they seem to be other files
/// than was said.
pub(super) fn of_files(trace: &LoadedTrace) {
    let Some(keys) = trace.keys.values().next() else { return };
    for damage in &keys.damages {
        let label = trace.label();
        tell!("warning: {label}: trace is damaged, what is whole was used: {damage}");
    }
    if keys.layout_is_doubtful {
        tell!("{}", doubtful_layout(&trace.label()));
    }
    warn_of_untimed(&trace.label(), keys.untimed);
}

/// Warns of packets that a span of times leaves out because they have none.
pub(super) fn warn_of_untimed(label: &str, untimed: u64) {
    if untimed > 0 {
        tell!("warning: {label}: {untimed} packets are left out, which have no time");
    }
}

/// The warning of records that look like those of another layout.
pub(super) fn doubtful_layout(label: &str) -> String {
    format!("warning: {label}: many records have protocols that do not exist; another layout?")
}

fn warn_of_missing(trace: &LoadedTrace) {
    let missing = |keys: &KeysOfKind| keys.without_key > keys.packets / 2;
    for (kind, keys) in trace.keys.iter().filter(|(_, keys)| missing(keys)) {
        let unread = keys.unread.iter().take(3).map(|(kind, n)| format!("; {n} are {kind}"));
        tell!(
            "warning: {}: {} of {} packets have no `{kind}` key{}",
            trace.label(),
            keys.without_key,
            keys.packets,
            unread.collect::<String>()
        );
    }
}
