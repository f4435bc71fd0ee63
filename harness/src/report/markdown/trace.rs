//! The trace that packets came from.

use std::fmt::{self, Write};

use loadfactor_schemes::metric::common::REPEATED_KEY_FRACTION;

use super::super::results::Results;

pub(super) fn section(results: &Results<'_>, out: &mut String) -> fmt::Result {
    let Some(trace) = results.trace else { return Ok(()) };
    let names = trace.files.iter().filter_map(|file| file.file_name());
    let names: Vec<_> = names.map(|name| format!("`{}`", name.to_string_lossy())).collect();
    writeln!(out, "## The trace\n\n{}, SHA-256 `{}`.\n", names.join(", "), trace.digest)?;
    let selection = trace.reading.selection();
    if !selection.is_empty() {
        writeln!(out, "Read of it: {selection}.\n")?;
    }
    writeln!(out, "| key | packets | with this key | distinct keys | repeated keys |")?;
    writeln!(out, "|---|---:|---:|---:|---:|")?;
    for (kind, keys) in &trace.keys {
        let (all, distinct) = (keys.all.packets(), keys.all.distinct());
        let repeated = 100.0 * (1.0 - distinct as f64 / all as f64);
        writeln!(out, "| {kind} | {} | {all} | {distinct} | {repeated:.1} % |", keys.packets)?;
    }
    writeln!(out)?;
    if results.subjects.iter().any(|subject| subject.mean(REPEATED_KEY_FRACTION).is_some()) {
        writeln!(
            out,
            "Elements with the same key have the same choices, which no model of independent choices knows. \
             `repeated_key_fraction` is the share of arrivals whose key another stored element had at that \
             moment.\n"
        )?;
    }
    writeln!(out, "{}: the intervals speak of this trace, not of others.\n", packets(results))?;
    for damage in trace.keys.values().flat_map(|keys| &keys.damages).take(10) {
        writeln!(out, "- damaged: {damage}")?;
    }
    Ok(())
}

/// Which packets the trials see.
fn packets(results: &Results<'_>) -> &'static str {
    match results.subjects.iter().any(|subject| subject.case.is_of_windows()) {
        true => {
            "Trials with windows see the packets of one window each, all others the same packets"
        }
        false => "All trials see the same packets",
    }
}
