//! Seed, trials or precision: what holds for the whole experiment.

use std::collections::BTreeSet;

use loadfactor_schemes::family::Family;

use super::diagnostics::{Errors, Mistake};
use super::experiment::Stopping;
use super::keys::{EXPERIMENT, PRECISION};
use super::series::Series;
use super::sweep::{Scale, single};
use crate::estimate::verdict::LARGEST_ROOM;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::{Absent, Domain, Param, Scalar};

use super::value::{Entry, TomlTable, cannot_be, table, text};
use super::vocabulary::has_metric;

const fn count(name: &'static str, min: i64, absent: Absent) -> Param {
    let domain = Domain::Integer { min, max: 1_000_000_000 };
    Param { name, domain, absent, doc: "" }
}

const TRIALS: Param = count("trials", 1, Absent::Required);
const MIN_TRIALS: Param = count("min_trials", 2, Absent::Integer(16));
const MAX_TRIALS: Param = count("max_trials", 2, Absent::Required);
const RELATIVE: Param = Param {
    name: "relative",
    domain: Domain::Number { min: 1e-6, max: 1.0 },
    absent: Absent::Required,
    doc: "",
};
const ROOM: Domain = Domain::Number { min: 0.0, max: 1e6 };
const SEED: Domain = Domain::Integer { min: 0, max: i64::MAX };

/// The seed in a table, or 1.
pub(crate) fn seed(table: &TomlTable<'_>, errors: &mut Errors) -> u64 {
    match table.scalar("seed", &SEED, errors) {
        Some(Scalar::Integer(seed)) => seed.unsigned_abs(),
        _ => 1,
    }
}

/// The share of its prediction that a row's room may have.
pub(crate) fn largest_room(root: &TomlTable<'_>, errors: &mut Errors) -> f64 {
    match root.scalar("largest_room", &ROOM, errors) {
        Some(Scalar::Number(share)) => share,
        _ => LARGEST_ROOM,
    }
}

/// When a point has had enough trials, where its series does not say.
pub(crate) fn stopping(
    root: &TomlTable<'_>,
    scale: Scale,
    errors: &mut Errors,
) -> Option<Stopping> {
    let is_given = ["trials", "precision"].iter().any(|key| root.get(key).is_some());
    if !is_given && !root.misspells("trials", &EXPERIMENT.names()) {
        let mistake = Mistake::at(&root.span, "an experiment lacks `trials`");
        errors.push(mistake.label("expected `trials` or `precision`"));
    }
    given_stopping(root, scale, errors)
}

/// The rule of each series: its own, or that of the experiment.
pub(crate) fn stopping_of_series(
    tables: &[TomlTable<'_>],
    shared: Stopping,
    scale: Scale,
    errors: &mut Errors,
) -> Vec<Stopping> {
    let own = |table| given_stopping(table, scale, errors).unwrap_or(shared);
    tables.iter().map(own).collect()
}

/// Reports a metric of `precision` that the trials of a series do not measure.
pub(crate) fn check_precision(
    root: &TomlTable<'_>,
    tables: &[TomlTable<'_>],
    series: &[Series<'_>],
    stopping: &[Stopping],
    errors: &mut Errors,
) {
    for ((table, series), rule) in tables.iter().zip(series).zip(stopping) {
        let Stopping::Precision { metric, .. } = rule else { continue };
        let Some(entry) = table.get("precision").or(root.get("precision")) else { continue };
        if !has_metric(series.family, *metric) {
            let title = format!("the series `{}` does not measure `{metric}`", series.label);
            let label = format!("its scheme is of the family `{}`", series.family.name);
            errors.push(Mistake::at(&entry.key_span, title).label(label));
        }
    }
}

/// The rule that a table gives, if it gives one.
fn given_stopping(table: &TomlTable<'_>, scale: Scale, errors: &mut Errors) -> Option<Stopping> {
    match (table.get("trials"), table.get("precision")) {
        (Some(_), None) => whole(&TRIALS, table, scale, errors).map(Stopping::Trials),
        (None, Some(entry)) => {
            precision(&self::table("precision", entry.node, errors)?, scale, errors)
        }
        (None, None) => None,
        (Some(_), Some(entry)) => {
            let mistake = Mistake::at(&entry.key_span, "give `trials` or `precision`, not both");
            errors.push(mistake.help("the ceiling of `precision` is its `max_trials`"));
            None
        }
    }
}

fn precision(table: &TomlTable<'_>, scale: Scale, errors: &mut Errors) -> Option<Stopping> {
    table.only(&PRECISION, errors);
    table.complete(&PRECISION, errors);
    let metric = table.get("metric").and_then(|entry| metric("metric", entry, errors));
    let relative =
        table.get("relative").and_then(|entry| single(&RELATIVE, entry.node, scale, errors));
    let min_trials = whole(&MIN_TRIALS, table, scale, errors);
    let max_trials = whole(&MAX_TRIALS, table, scale, errors);
    let Scalar::Number(relative) = relative? else { return None };
    let (min_trials, max_trials) = (min_trials?, max_trials?);
    if min_trials > max_trials {
        let mistake = Mistake::at(&table.span, "`min_trials` is above `max_trials`");
        errors.push(mistake.label(format!("{min_trials} to {max_trials} at the scale `{scale}`")));
        return None;
    }
    Some(Stopping::Precision { metric: metric?, relative, min_trials, max_trials })
}

/// The whole number of a parameter, or its default.
fn whole(param: &Param, table: &TomlTable<'_>, scale: Scale, errors: &mut Errors) -> Option<u64> {
    let value = match table.get(param.name) {
        Some(entry) => single(param, entry.node, scale, errors),
        None => param.absent.value(),
    };
    match value? {
        Scalar::Integer(value) => Some(value.unsigned_abs()),
        _ => None,
    }
}

/// The metric that an entry names.
pub(crate) fn metric(name: &str, entry: &Entry<'_>, errors: &mut Errors) -> Option<Metric> {
    let word = text(name, entry.node, errors)?;
    let metric = word.parse().ok();
    if metric.is_none() {
        let names = Metric::names();
        let mistake = cannot_be(name, entry.node).label("no such metric");
        errors.push(mistake.suggest(word, names.iter().map(String::as_str)));
    }
    metric
}

/// One of the families must measure the quantity that the entry names; else a mistake.
pub(crate) fn measured_by(
    families: &[&Family],
    metric: Metric,
    entry: &Entry<'_>,
    errors: &mut Errors,
) -> Option<()> {
    if families.iter().any(|family| has_metric(family, metric)) {
        return Some(());
    }
    let names: BTreeSet<&str> = families.iter().map(|family| family.name).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let mistake = cannot_be(entry.key, entry.node);
    errors.push(
        mistake.label(format!("no series of the family `{}` measures it", names.join("`, `"))),
    );
    None
}
