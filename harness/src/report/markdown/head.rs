//! What was reproduced, what is held fixed, and how the rest is read.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use loadfactor_schemes::params::Scalar;

use super::super::fixed::{Fixed, fixed};
use super::super::names::{declared, meaning, parameter};
use super::super::number::short;
use super::super::points::varying_parameters;
use super::super::results::Results;
use crate::definition::{Document, Experiment, Point};
use crate::estimate::interval::LEVEL;
use crate::estimate::verdict::FAMILY_ERROR;

/// Values of a swept word that are listed.
const LISTED: usize = 6;

pub(super) fn section(results: &Results<'_>, scale: &str, out: &mut String) -> fmt::Result {
    let experiment = results.experiment;
    writeln!(out, "# {}\n", experiment.title)?;
    if let Some(document) = &experiment.document {
        let (Document { authors, title, year, .. }, place) = (document, &experiment.place);
        writeln!(out, "{authors}, \"{title}\", {year}. {place}.\n")?;
    }
    held_fixed(results, scale, out)?;
    varied(experiment, out)?;
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
    for name in ["scheme", "hash", "workload"] {
        let value = points.first().and_then(|point| point.value(name));
        let same =
            |value: &Scalar| points.iter().all(|point| point.value(name).as_ref() == Some(value));
        if let Some(value) = value.filter(same) {
            writeln!(out, "| The {name} | `{name}` | {value} |")?;
        }
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
    let has_symbol = declared(name).is_some_and(|axis| axis.symbol.is_some());
    let default = parameter(scheme(experiment), name).and_then(|param| param.absent.value());
    !has_symbol && default.as_ref() == Some(value)
}

fn what(experiment: &Experiment, name: &str) -> String {
    let param = parameter(scheme(experiment), name);
    param.map_or_else(|| name.replace('_', " "), |param| meaning(param).to_owned())
}

/// The scheme that explains parameters of the same name in several families.
fn scheme(experiment: &Experiment) -> &str {
    experiment.points.first().map_or("", |point| &point.scheme)
}

fn trials(results: &Results<'_>) -> String {
    let least = results.least_trials;
    let equal = least * results.experiment.points.len() as u64 == results.trials;
    if equal { format!("{least}") } else { format!("{least} or more") }
}

fn varied(experiment: &Experiment, out: &mut String) -> fmt::Result {
    let mut varying = varying_parameters(experiment.points.iter().map(|point| &point.params));
    varying.retain(|name| {
        let mut values = experiment.points.iter().filter_map(|point| point.params.get(name));
        !values.all(|value| is_usual(experiment, name, value))
    });
    if varying.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "What varies, within a series or from one to another, or is said of some series only:\n"
    )?;
    for name in varying {
        writeln!(out, "- {} (`{name}`): {}", what(experiment, &name), values(experiment, &name))?;
    }
    writeln!(out)
}

/// The values of a parameter: the ends of many numbers, the first of many words.
fn values(experiment: &Experiment, name: &str) -> String {
    let mut different: Vec<&Scalar> = Vec::new();
    let mut known = BTreeSet::new();
    for value in experiment.points.iter().filter_map(|point| point.params.get(name)) {
        if known.insert(value.to_string()) {
            different.push(value);
        }
    }
    let numbers: Option<Vec<f64>> = different.iter().map(|value| value.as_number()).collect();
    let count = different.len();
    match numbers.filter(|_| count > LISTED) {
        Some(numbers) => {
            let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let [low, high] = [low, high].map(|end| short(&Scalar::Number(end)));
            format!("{low} to {high}, {count} values")
        }
        None => {
            let listed = different.iter().take(LISTED).map(|value| short(value));
            let rest = if count > LISTED {
                format!(" and {} more", count - LISTED)
            } else {
                String::new()
            };
            format!("{}{rest}", listed.collect::<Vec<_>>().join("; "))
        }
    }
}

fn legend(out: &mut String) -> fmt::Result {
    let (level, error) = (LEVEL * 100.0, FAMILY_ERROR * 100.0);
    writeln!(
        out,
        "## How to read the rows

- **±** half the width of the {level} % confidence interval of the mean over trials; `≤` and `≥` its end where no \
trial saw anything else. Intervals of shares stay between 0 and 1.
- **z** (measured − predicted) divided by the standard error of what was measured.
- **room** how far apart the two may be: chance, such that all facts together are judged at an error of {error} %, \
and the distance that the theory itself leaves open.
- **kinds** *exact* for this n and m; *asymptotic* for n → ∞; *refined* a limit with its first correction; \
*approximate* a model that its source calls one; *lower* and *upper bound*.
- **verdicts** *agrees* within the room; *differs* beyond it; *bound holds* or *is violated*; *off*, an approximate \
model beyond it; *undecided*, within a room too wide to say anything.\n"
    )
}
