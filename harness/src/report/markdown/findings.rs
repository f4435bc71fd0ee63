//! What came out, in words.

use std::fmt::{self, Write};

use super::super::agreement::Agreement;
use super::super::analysis;
use super::super::published::published_rows;
use super::super::results::{Results, Tally, Verdicts};
use crate::definition::Experiment;
use crate::escape::markdown;
use crate::estimate::verdict::FAMILY_ERROR;

pub(super) fn section(results: &Results<'_>, out: &mut String) -> fmt::Result {
    writeln!(out, "## Findings\n")?;
    let Experiment { analysis, altered, on_other_packets, .. } = results.experiment;
    if !analysis.is_empty() && !altered && !on_other_packets {
        writeln!(out, "{}\n", analysis::filled(results))?;
    }
    if results.trials == 0 {
        return writeln!(out, "Nothing was measured; the predictions stand alone.\n");
    }
    for reservation in results.reservations() {
        writeln!(out, "**Note:** {reservation}.\n")?;
    }
    let tally = results.verdicts().tally();
    if tally.judged() == 0 {
        writeln!(out, "{} trials; nothing was judged.\n", results.trials)?;
        printed(results, out)?;
        return by_series(results, out);
    }
    writeln!(
        out,
        "{} facts were judged on {} trials, together at an error of {} %: {}.\n",
        tally.judged(),
        results.trials,
        FAMILY_ERROR * 100.0,
        in_words(&tally)
    )?;
    for contradiction in results.contradictions() {
        writeln!(out, "- {}\n", markdown(&contradiction))?;
    }
    printed(results, out)?;
    by_series(results, out)
}

fn in_words(tally: &Tally) -> String {
    let counts = [
        (tally.agrees, "prediction agrees", "predictions agree"),
        (tally.differs, "differs", "differ"),
        (tally.bound_holds, "bound holds", "bounds hold"),
        (tally.bound_violated, "is violated", "are violated"),
        (tally.off, "approximate model is off", "approximate models are off"),
        (tally.undecided, "is undecided", "are undecided"),
    ];
    let named = counts.map(|(count, one, many)| {
        let what = if count == 1 { one } else { many };
        format!("{count} {what}")
    });
    named.join(", ")
}

fn printed(results: &Results<'_>, out: &mut String) -> fmt::Result {
    let rows = published_rows(results);
    let count = |agreement| rows.iter().filter(|row| row.verdict == agreement).count();
    let counts = Agreement::ALL.map(|agreement| (count(agreement), agreement));
    let named = counts.iter().filter(|(count, _)| *count > 0);
    let named: Vec<String> =
        named.map(|(count, agreement)| format!("{count} {agreement}")).collect();
    match named.is_empty() {
        true => Ok(()),
        false => {
            writeln!(out, "Of the values that the document printed: {}.\n", named.join(", "))
        }
    }
}

fn by_series(results: &Results<'_>, out: &mut String) -> fmt::Result {
    writeln!(out, "Facts of each series; what several series state is counted in each of them:\n")?;
    writeln!(
        out,
        "| series | agrees | differs | bound holds | bound violated | off | undecided |"
    )?;
    writeln!(out, "|---|---:|---:|---:|---:|---:|---:|")?;
    for (index, label) in results.experiment.series.iter().enumerate() {
        let t = Verdicts::of(results.comparisons_of_series(index).iter()).tally();
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} |",
            markdown(label),
            t.agrees,
            t.differs,
            t.bound_holds,
            t.bound_violated,
            t.off,
            t.undecided
        )?;
    }
    writeln!(out)
}
