//! Seed, trials or precision, and the trace: what holds for the whole experiment.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use loadfactor_schemes::family::Family;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::{Absent, Domain, Param, Scalar};
use loadfactor_traces::{BadLayout, Layout, Preset, is_pattern};
use toml::de::DeValue;

use super::Input;
use super::diagnostics::{Errors, Mistake};
use super::experiment::{Stopping, SyntheticTrace, TraceSource};
use super::keys::{EXPERIMENT, PRECISION, SYNTHETIC};
use super::series::Series;
use super::sweep::{Scale, single};
use crate::estimate::verdict::LARGEST_ROOM;

use super::value::{Entry, Node, TomlTable, cannot_be, table, text};
use super::vocabulary::has_metric;

const fn count(name: &'static str, min: i64, absent: Absent) -> Param {
    let domain = Domain::Integer { min, max: 1_000_000_000 };
    Param { name, domain, absent, doc: "" }
}

const TRIALS: Param = count("trials", 1, Absent::Required);
const MIN_TRIALS: Param = count("min_trials", 2, Absent::Integer(16));
const MAX_TRIALS: Param = count("max_trials", 2, Absent::Required);
const PACKETS: Param = count("packets", 1, Absent::Required);
const RELATIVE: Param = Param {
    name: "relative",
    domain: Domain::Number { min: 1e-6, max: 1.0 },
    absent: Absent::Required,
    doc: "",
};
/// The names of the layouts of flow-key records.
const LAYOUTS: &[&str] =
    &["elastic13", "coco13", "waving21", "srcdst8", "seqack16", "srcdst", "csv"];
/// The names of the links that a synthetic capture may be like.
const PRESETS: &[&str] = &Preset::NAMES;
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

/// Where packets come from: the file that the command line names, else the key `trace` of
/// `[workload]`.
pub(crate) fn trace(
    workload: &TomlTable<'_>,
    input: &Input<'_>,
    errors: &mut Errors,
) -> Option<TraceSource> {
    let named = workload.get("trace").and_then(|entry| source(entry, input, errors));
    let layout = layout(workload, errors);
    let Some(paths) = &input.options.trace else {
        return named.map(|source| source.with_layout(layout));
    };
    for path in paths.iter().filter(|path| is_missing(path, input) && *path != Path::new("-")) {
        let title = format!("no such trace: `{}`, given on the command line", path.display());
        errors.push(Mistake::of_file(title));
    }
    Some(TraceSource::Files { paths: paths.clone(), layout: input.options.layout })
}

/// Whether there is no such file; whether a pattern stands for one is known when it is read.
fn is_missing(path: &Path, input: &Input<'_>) -> bool {
    !(input.exists)(path) && !is_pattern(path)
}

/// The layout of the records where the trace is no capture.
fn layout(workload: &TomlTable<'_>, errors: &mut Errors) -> Option<Layout> {
    let entry = workload.get("trace_layout");
    if let Some((node, DeValue::String(text))) = entry.map(|e| (e.node, e.node.get_ref()))
        && text.contains(':')
    {
        let bad = |error: BadLayout| errors.push(Mistake::at(&node.span(), error.to_string()));
        return text.parse().map_err(bad).ok();
    }
    match workload.scalar("trace_layout", &Domain::Word(LAYOUTS), errors)? {
        Scalar::Word(name) => name.parse().ok(),
        _ => None,
    }
}

fn source(entry: &Entry<'_>, input: &Input<'_>, errors: &mut Errors) -> Option<TraceSource> {
    let nodes = match entry.node.get_ref() {
        DeValue::Table(_) => return synthetic(&table("trace", entry.node, errors)?, errors),
        DeValue::Array(nodes) if !nodes.is_empty() => nodes.iter().collect(),
        _ => vec![entry.node],
    };
    let paths = nodes.into_iter().map(|node| path(node, input, errors));
    let paths = paths.collect::<Vec<_>>().into_iter().collect::<Option<_>>()?;
    Some(TraceSource::Files { paths, layout: None })
}

/// A path relative to the definition.
fn path(node: &Node<'_>, input: &Input<'_>, errors: &mut Errors) -> Option<PathBuf> {
    let DeValue::String(path) = node.get_ref() else {
        let mistake = cannot_be("trace", node);
        errors.push(mistake.label("expected a path, a list of paths, or `{ packets = … }`"));
        return None;
    };
    let folder = input.definition.path.parent().unwrap_or(Path::new(""));
    let path = folder.join(path.as_ref());
    if input.options.trace.is_none() && is_missing(&path, input) {
        let mistake = Mistake::at(&node.span(), format!("no such trace: `{}`", path.display()));
        let mistake = mistake.label("the path is relative to the definition");
        errors.push(mistake.help("`--trace PATH` takes another one"));
    }
    Some(path)
}

fn synthetic(table: &TomlTable<'_>, errors: &mut Errors) -> Option<TraceSource> {
    table.only(&SYNTHETIC, errors);
    table.complete(&SYNTHETIC, errors);
    let (seed, preset) = (seed(table, errors), preset(table, errors));
    let Scalar::Integer(packets) = table.scalar("packets", &PACKETS.domain, errors)? else {
        return None;
    };
    let trace = SyntheticTrace { packets: packets.unsigned_abs(), seed, preset };
    if let Some(Err(error)) = trace.link().map(|link| link.check()) {
        let mistake = Mistake::at(&table.span, format!("no such trace can be made: {error}"));
        errors.push(mistake.help("a longer capture reaches more"));
    }
    Some(TraceSource::Synthetic(trace))
}

/// The link that a synthetic capture is like, if the table names one.
fn preset(table: &TomlTable<'_>, errors: &mut Errors) -> Option<Preset> {
    match table.scalar("preset", &Domain::Word(PRESETS), errors)? {
        Scalar::Word(name) => name.parse().ok(),
        _ => None,
    }
}
