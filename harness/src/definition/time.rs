//! `[time]`: what is timed.

use loadfactor_schemes::params::{Absent, Domain, Param, Scalar};
use loadfactor_schemes::timed::Operation;

use super::diagnostics::{Errors, Mistake, Span};
use super::keys::TIME;
use super::series::Series;
use super::sweep::{Scale, single};
use super::value::{TomlTable, cannot_be, list, scalar, table, text};
use super::{Point, Stopping};

/// What is timed, and how long.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    /// The operations, in the order in which they are measured.
    pub operations: Vec<Operation>,
    /// Samples of each series, place of the sweep and operation.
    pub samples: u32,
    /// How often the structures are made anew meanwhile, with other keys, hash functions and places in memory.
    pub layouts: u32,
    /// The shortest time of a sample, in milliseconds.
    pub milliseconds: f64,
    /// The series that the others are divided by.
    pub baseline: usize,
}

/// What the table says, before it is known what the points can do.
#[derive(Debug)]
pub(crate) struct Wanted {
    timing: Timing,
    /// Whether it names the operations.
    named: bool,
}

const fn count(name: &'static str, min: i64, default: i64) -> Param {
    let domain = Domain::Integer { min, max: 1_000_000 };
    Param { name, domain, absent: Absent::Integer(default), doc: "" }
}

const SAMPLES: Param = count("samples", 5, 960);
const LAYOUTS: Param = count("layouts", 1, 96);
const MILLISECONDS: Param = Param {
    name: "milliseconds",
    domain: Domain::Number { min: 0.01, max: 60_000.0 },
    absent: Absent::Number(1.0),
    doc: "",
};

/// Reads the table, if the definition has it.
pub(crate) fn time(
    root: &TomlTable<'_>,
    series: &[Series<'_>],
    scale: Scale,
    errors: &mut Errors,
) -> Option<Wanted> {
    let entry = root.get("time")?;
    let table = table("time", entry.node, errors)?;
    table.only(&TIME, errors);
    let operations = operations(&table, errors);
    let [samples, layouts] = [&SAMPLES, &LAYOUTS].map(|param| whole(param, &table, scale, errors));
    let milliseconds = match value(&MILLISECONDS, &table, scale, errors) {
        Some(Scalar::Number(milliseconds)) => Some(milliseconds),
        _ => None,
    };
    let baseline = baseline(&table, series, errors);
    let (samples, layouts) = (samples?, layouts?);
    if layouts > samples && table.get("layouts").is_some() {
        let title = "`layouts` is above `samples`";
        let span = place_of_counts(&table, errors);
        let mistake = Mistake::at(&span, title).label(format!("{layouts} of {samples}"));
        errors.push(mistake.help(
            "each layout takes a sample at least: lower `time.layouts` or raise `time.samples`",
        ));
        return None;
    }
    let timing = Timing {
        operations: operations?,
        samples,
        layouts: layouts.min(samples),
        milliseconds: milliseconds?,
        baseline: baseline?,
    };
    Some(Wanted { timing, named: table.get("operations").is_some() })
}

/// The place of `layouts`, or of `samples` where the command line sets that alone.
fn place_of_counts(table: &TomlTable<'_>, errors: &Errors) -> Span {
    let spans = ["layouts", "samples"].map(|key| table.get(key).map(|entry| entry.node.span()));
    let set = spans.iter().flatten().find(|span| errors.is_set(span));
    set.or(spans.iter().flatten().next()).unwrap_or(&table.span).clone()
}

/// Reports what a timed definition cannot have beside its table: what trials are for.
pub(crate) fn check_others(root: &TomlTable<'_>, errors: &mut Errors) {
    if root.get("time").is_none() {
        return;
    }
    for key in ["trials", "precision", "largest_room", "figure", "derived"] {
        if let Some(entry) = root.get(key) {
            let title = format!("a definition with `[time]` has no `{key}`");
            let label = "it is measured with `loadfactor bench`, which runs no trials";
            errors.push(Mistake::at(&entry.key_span, title).label(label));
        }
    }
}

/// When a point that is timed has had enough trials: at once.
pub(crate) const NO_TRIALS: Stopping = Stopping::Trials(0);

/// What is timed of these points.
pub(crate) fn timing(
    wanted: Wanted,
    series: &[Series<'_>],
    points: &[Point],
    errors: &mut Errors,
) -> Timing {
    let Wanted { mut timing, named } = wanted;
    check_places(&timing, series, points, errors);
    let is_unable = |index: usize, operation: Operation| {
        points.iter().any(|point| point.series == index && !point.case.times(operation))
    };
    let unable = |operation: Operation| {
        let all = series.iter().enumerate();
        all.filter(move |&(index, _)| is_unable(index, operation)).map(|(_, one)| one)
    };
    if named {
        for &operation in &timing.operations {
            unable(operation).for_each(|one| errors.push(untimed(one, operation)));
        }
    } else {
        timing.operations.retain(|&operation| unable(operation).next().is_none());
    }
    timing
}

fn untimed(series: &Series<'_>, operation: Operation) -> Mistake {
    let (plural, nothing) = match operation {
        Operation::Insert => ("insertions", "no single element is inserted into"),
        Operation::Hit => ("hits", "no element is looked up in"),
        Operation::Miss => ("misses", "no key is looked up in"),
        Operation::Delete => ("deletions", "nothing is deleted from"),
    };
    let title = format!("the series `{}` has no {plural} to time", series.label);
    let scheme = series.scheme.info.name;
    let label = format!("`operations` asks for `{operation}`, and {nothing} `{scheme}` here");
    Mistake::at(&series.span, title).label(label)
}

/// Each place of the sweep must be there in every series, as it is held against the baseline's.
fn check_places(timing: &Timing, series: &[Series<'_>], points: &[Point], errors: &mut Errors) {
    let count = |index: usize| points.iter().filter(|point| point.series == index).count();
    let expected = count(timing.baseline);
    for (index, one) in series.iter().enumerate().filter(|(index, _)| count(*index) != expected) {
        let title = format!("the series `{}` has {} points", one.label, count(index));
        let label =
            format!("expected {expected}, as the baseline `{}` has", series[timing.baseline].label);
        errors.push(Mistake::at(&one.span, title).label(label));
    }
}

fn operations(table: &TomlTable<'_>, errors: &mut Errors) -> Option<Vec<Operation>> {
    let Some(entry) = table.get("operations") else { return Some(Operation::ALL.to_vec()) };
    let domain = Domain::Word(Operation::NAMES);
    let nodes = list("operations", entry.node, errors)?;
    let mut wanted = Vec::new();
    for node in nodes {
        let Some(Scalar::Word(name)) = scalar("operations", node, &domain, errors) else {
            continue;
        };
        wanted.extend(Operation::named(&name));
    }
    let in_order = Operation::ALL.into_iter().filter(|operation| wanted.contains(operation));
    (wanted.len() == nodes.len()).then(|| in_order.collect())
}

fn baseline(table: &TomlTable<'_>, series: &[Series<'_>], errors: &mut Errors) -> Option<usize> {
    let Some(entry) = table.get("baseline") else { return Some(0) };
    let label = text("baseline", entry.node, errors)?;
    let found = series.iter().position(|series| series.label == label);
    if found.is_none() {
        let mistake = cannot_be("baseline", entry.node).label("no series has this label");
        errors.push(mistake.suggest(label, series.iter().map(|series| series.label)));
    }
    found
}

fn value(
    param: &Param,
    table: &TomlTable<'_>,
    scale: Scale,
    errors: &mut Errors,
) -> Option<Scalar> {
    match table.get(param.name) {
        Some(entry) => single(param, entry.node, scale, errors),
        None => param.absent.value(),
    }
}

fn whole(param: &Param, table: &TomlTable<'_>, scale: Scale, errors: &mut Errors) -> Option<u32> {
    match value(param, table, scale, errors)? {
        Scalar::Integer(value) => u32::try_from(value).ok(),
        _ => None,
    }
}
