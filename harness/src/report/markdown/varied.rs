//! What varies, and what each series is: its scheme and workload, and the values of all that is not held fixed.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use loadfactor_schemes::params::Scalar;

use super::super::number::short;
use super::super::points::points_of;
use super::settings::{is_default, what};
use crate::definition::{CHOSEN, Experiment, Point, varying};
use crate::escape::markdown;

/// Values of a swept word that are listed.
const LISTED: usize = 6;

pub(super) fn section(experiment: &Experiment, out: &mut String) -> fmt::Result {
    let names = names(experiment);
    if names.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "What varies, within a series or from one to another, or is said of some series only:\n"
    )?;
    for name in &names {
        writeln!(out, "- {} (`{name}`)", what(experiment, name))?;
    }
    let heads: String = names.iter().map(|name| format!(" `{name}` |")).collect();
    writeln!(out, "\n| series |{heads}\n|---|{}", "---|".repeat(names.len()))?;
    for (series, label) in experiment.series.iter().enumerate() {
        let points = &experiment.points[points_of(experiment, series)];
        let cells: String =
            names.iter().map(|name| format!(" {} |", values(points, name))).collect();
        writeln!(out, "| {} |{cells}", markdown(label))?;
    }
    writeln!(out)
}

/// The settings that vary, but for those that have their usual value wherever they have one.
fn names(experiment: &Experiment) -> Vec<String> {
    let mut names = varying(experiment.points.iter());
    names.retain(|name| {
        let mut values = experiment.points.iter().filter_map(|point| point.params.get(name));
        CHOSEN.contains(&name.as_str()) || !values.all(|value| is_default(experiment, name, value))
    });
    names
}

/// The values of a setting: the ends of many numbers, the first of many words.
fn values(points: &[Point], name: &str) -> String {
    let (mut different, mut known) = (Vec::<Scalar>::new(), BTreeSet::new());
    for value in points.iter().filter_map(|point| point.value(name)) {
        if known.insert(value.to_string()) {
            different.push(value);
        }
    }
    let count = different.len();
    let numbers: Option<Vec<f64>> = different.iter().map(Scalar::as_number).collect();
    if let Some(numbers) = numbers.filter(|_| count > LISTED) {
        let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let [low, high] = [low, high].map(|end| short(&Scalar::Number(end)));
        return format!("{low} to {high}, {count} values");
    }
    let mut listed: Vec<String> = different.iter().take(LISTED).map(short).collect();
    if count > LISTED {
        listed.push(format!("{} more", count - LISTED));
    }
    listed.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two schemes, one with a swept hash function: neither is a parameter, and a reader must learn of both.
    #[test]
    fn each_series_is_told_with_its_scheme_and_its_hash_functions() {
        let text = "title = \"t\"\ntrials = 1\n[workload]\nkind = \"static-fill\"\n\
                    [point]\nbuckets = 100\nload = { from = 0.1, to = 0.8, step = 0.1 }\n\
                    [[series]]\nlabel = \"a\"\nscheme = \"single\"\nhash = [\"random\", \"xxh3\"]\n\
                    [[series]]\nlabel = \"b\"\nscheme = \"multiple\"\nchoices = 2\n";
        let experiment = Experiment::from_text("test", text).unwrap();
        let mut out = String::new();
        section(&experiment, &mut out).unwrap();
        insta::assert_snapshot!(out, @"
        What varies, within a series or from one to another, or is said of some series only:

        - The scheme (`scheme`)
        - The hash (`hash`)
        - Number of choices, d (`choices`)
        - Load c = n/(m·h) (`load`)

        | series | `scheme` | `hash` | `choices` | `load` |
        |---|---|---|---|---|
        | a | single | random; xxh3 |  | 0.1 to 0.8, 8 values |
        | b | multiple | random | 2 | 0.1 to 0.8, 8 values |
        ");
    }
}
