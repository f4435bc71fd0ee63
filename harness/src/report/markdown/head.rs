//! What was reproduced, what is held fixed, what varies, and how the rest is read.

use std::fmt::{self, Write};

use loadfactor_schemes::params::Scalar;

use super::super::fixed::{Fixed, fixed};
use super::super::number::short;
use super::super::results::Results;
use super::settings::{is_default, scheme, what};
use super::varied;
use crate::definition::{CHOSEN, Document, Experiment, Point, declared};
use crate::escape::markdown;
use crate::estimate::interval::LEVEL;
use crate::estimate::verdict::FAMILY_ERROR;

pub(super) fn section(results: &Results<'_>, scale: &str, out: &mut String) -> fmt::Result {
    let experiment = results.experiment;
    writeln!(out, "# {}\n", markdown(&experiment.title))?;
    if let Some(document) = &experiment.document {
        let Document { authors, title, year, .. } = document;
        let [authors, title, place] = [authors, title, &experiment.place].map(|w| markdown(w));
        writeln!(out, "{authors}, \"{title}\", {year}. {place}.\n")?;
    }
    held_fixed(results, scale, out)?;
    varied::section(experiment, out)?;
    legend(out)
}

fn held_fixed(results: &Results<'_>, scale: &str, out: &mut String) -> fmt::Result {
    let experiment = results.experiment;
    let points: Vec<&Point> = experiment.points.iter().collect();
    let (usual, chosen): (Vec<Fixed>, Vec<Fixed>) = fixed(&points)
        .into_iter()
        .partition(|fixed| is_usual(experiment, &fixed.name, &fixed.value));
    writeln!(out, "## What is held fixed\n\n| what | key | value |\n|---|---|---|")?;
    for Fixed { name, value } in chosen {
        writeln!(out, "| {} | `{name}` | {} |", what(experiment, &name), short(&value))?;
    }
    for name in CHOSEN {
        let value = points.first().and_then(|point| point.value(name));
        let same =
            |value: &Scalar| points.iter().all(|point| point.value(name).as_ref() == Some(value));
        if let Some(value) = value.filter(same) {
            writeln!(out, "| {} | `{name}` | {value} |", what(experiment, name))?;
        }
    }
    for setting in &experiment.settings {
        writeln!(out, "| Set on the command line | `--set` | {} |", markdown(setting))?;
    }
    writeln!(out, "| Seed | `seed` | {} |", experiment.seed)?;
    writeln!(out, "| Scale of the run | | {scale} |")?;
    writeln!(out, "| Trials of each point | `trials` | {} |\n", trials(results))?;
    if usual.is_empty() {
        return Ok(());
    }
    let usual: Vec<String> = usual.iter().map(|f| format!("`{}` {}", f.name, f.value)).collect();
    writeln!(out, "Left as they are by default: {}.\n", usual.join(", "))
}

/// Whether a parameter without a symbol has the value that it has where nothing is said of it.
fn is_usual(experiment: &Experiment, name: &str, value: &Scalar) -> bool {
    let has_symbol = declared(scheme(experiment), name).is_some_and(|axis| axis.symbol.is_some());
    !has_symbol && is_default(experiment, name, value)
}

fn trials(results: &Results<'_>) -> String {
    let least = results.least_trials;
    let equal = least * results.experiment.points.len() as u64 == results.trials;
    if equal { format!("{least}") } else { format!("{least} or more") }
}

fn legend(out: &mut String) -> fmt::Result {
    let (level, error) = (LEVEL * 100.0, FAMILY_ERROR * 100.0);
    writeln!(
        out,
        "## How to read the rows

- **±** from the mean over trials to the further end of its {level} % confidence interval; `≤` and `≥` that end where no \
trial saw anything else. That of a share stays between 0 and 1, so that its other end may be nearer: both are in \
`table.csv`.
- **z** (measured − predicted) divided by the standard error of what was measured.
- **room** how far apart the two may be: chance, such that all facts together are judged at an error of {error} %, \
and the distance that the theory itself leaves open.
- **kinds** *exact* for this n and m; *asymptotic* for n → ∞; *refined* a limit with its first correction; \
*approximate* a model that its source calls one; *lower* and *upper bound*.
- **verdicts** *agrees* within the room; *differs* beyond it; *bound holds* or *is violated*; *off*, an approximate \
model beyond it; *undecided*, within a room too wide to say anything.\n"
    )
}
