//! One table for each quantity, with a row for each point: what was measured, and every prediction of it side
//! by side. Rows that agree are folded away.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use rayon::prelude::*;

use loadfactor_schemes::families;
use loadfactor_schemes::metric::{Metric, common};
use loadfactor_schemes::prediction::Kind;

use super::super::fixed::value_of;
use super::super::number::{number, short, short_error};
use super::super::points::Varying;
use super::super::results::Results;
use super::{optional, series_of};
use crate::definition::{Claim, FigureDef, PublishedValues, varying};
use crate::escape::markdown;
use crate::estimate::comparison::{Comparison, Subject};
use crate::estimate::verdict::Verdict;

/// Contradictions of further quantities that are listed at most.
const LISTED: usize = 40;

pub(super) fn section(results: &Results<'_>, out: &mut String) -> fmt::Result {
    let metrics = shown_metrics(results);
    let table = |&metric| {
        let mut text = String::new();
        Quantity::new(results, metric).write(&mut text).map(|()| text)
    };
    for text in metrics.par_iter().map(table).collect::<Result<Vec<_>, _>>()? {
        out.push_str(&text);
    }
    contradictions(results, &metrics, out)
}

/// The quantities of the figures, of what the document printed, and those that a family always shows; without
/// figures its headline.
fn shown_metrics(results: &Results<'_>) -> BTreeSet<Metric> {
    let axes = results.experiment.figures.iter().flat_map(|f| [&f.y, &f.x]);
    let mut metrics: BTreeSet<Metric> = axes.filter_map(|axis| axis.column.parse().ok()).collect();
    if metrics.is_empty() {
        metrics.extend(headlines(results));
    }
    for published in &results.experiment.published {
        if let Claim::OfPoints(claim) = &published.claim {
            metrics.insert(claim.metric);
        }
    }
    if results.trace.is_some() {
        metrics.insert(common::REPEATED_KEY_FRACTION);
    }
    for subject in &results.subjects {
        metrics.extend(subject.case.always_shown(&|metric| subject.moments(metric).is_some()));
    }
    metrics
}

/// What the families of the experiment's schemes show where there is no figure.
fn headlines(results: &Results<'_>) -> Vec<Metric> {
    let is_used = |name: &str| results.experiment.points.iter().any(|point| point.scheme == name);
    let used = families::schemes().filter(|entry| is_used(entry.info.name));
    used.filter_map(|entry| Some(entry.family()?.headline)).collect()
}

/// The table of one quantity.
struct Quantity<'r> {
    results: &'r Results<'r>,
    metric: Metric,
    /// The points at which it was measured or is predicted.
    subjects: Vec<&'r Subject>,
    /// What tells them apart: where they stand in the figures, and the settings that vary.
    varying: Vec<String>,
    /// The kinds of prediction that any of them has.
    kinds: BTreeSet<Kind>,
    published: PublishedValues<'r>,
}

impl<'r> Quantity<'r> {
    fn new(results: &'r Results<'_>, metric: Metric) -> Self {
        let of = |subject: &&Subject| {
            let predicted = subject.predictions.iter().any(|p| p.metric == metric);
            predicted || subject.moments(metric).is_some()
        };
        let subjects: Vec<&Subject> = results.subjects.iter().filter(of).collect();
        let settings = varying_within_series(results, &subjects);
        let mut varying = places(results, metric);
        varying.retain(|name| !settings.contains(name));
        varying.extend(settings);
        let all = subjects.iter().flat_map(|subject| &subject.predictions);
        let kinds = all.filter(|p| p.metric == metric).map(|p| p.kind).collect();
        let published = results.experiment.published_values();
        Self { results, metric, subjects, varying, kinds, published }
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        if self.subjects.is_empty() {
            return Ok(());
        }
        writeln!(out, "## {} (`{}`)\n", self.metric.label(), self.metric)?;
        self.sources(out)?;
        let agrees = |subject: &&&Subject| {
            let verdicts = self.verdicts(subject);
            !verdicts.is_empty()
                && verdicts.iter().all(|v| matches!(v, Verdict::Agrees | Verdict::BoundHolds))
        };
        let (folded, open): (Vec<&Subject>, Vec<&Subject>) =
            self.subjects.iter().copied().partition(|subject| agrees(&subject));
        self.table(&open, out)?;
        if folded.is_empty() {
            return Ok(());
        }
        let rows = if folded.len() == 1 { "row agrees" } else { "rows agree" };
        writeln!(
            out,
            "<details><summary>{} {rows} with every prediction</summary>\n",
            folded.len()
        )?;
        self.table(&folded, out)?;
        writeln!(out, "</details>\n")
    }

    /// Where the predictions of each kind come from.
    fn sources(&self, out: &mut String) -> fmt::Result {
        for kind in &self.kinds {
            let all = self.subjects.iter().flat_map(|subject| &subject.predictions);
            let of_kind = all.filter(|p| p.metric == self.metric && p.kind == *kind);
            let sources: BTreeSet<&str> = of_kind.map(|prediction| prediction.source).collect();
            let sources: Vec<&str> = sources.into_iter().collect();
            writeln!(out, "- {}: {}", words(kind.name()), sources.join("; "))?;
        }
        writeln!(out)
    }

    fn table(&self, subjects: &[&Subject], out: &mut String) -> fmt::Result {
        if subjects.is_empty() {
            return Ok(());
        }
        let printed = subjects.iter().any(|subject| self.printed(subject).is_some());
        let varying: String = self.varying.iter().map(|name| format!(" {name} |")).collect();
        let kinds = self.kinds.iter().map(|kind| format!(" {} (z, room) |", words(kind.name())));
        let kinds: String = kinds.collect();
        let (head, rule) = if printed { (" printed |", "---:|") } else { ("", "") };
        writeln!(out, "| series |{varying} measured | ± |{kinds}{head} verdict |")?;
        let columns = "---:|".repeat(self.varying.len() + 2 + self.kinds.len());
        writeln!(out, "|---|{columns}{rule}---|")?;
        for subject in subjects {
            self.row(subject, printed, out)?;
        }
        writeln!(out)
    }

    fn row(&self, subject: &Subject, printed: bool, out: &mut String) -> fmt::Result {
        let experiment = self.results.experiment;
        let point = &experiment.points[subject.point];
        write!(out, "| {} |", markdown(&experiment.series[point.series]))?;
        for name in &self.varying {
            let value = point.value(name).or_else(|| value_of(point, name));
            write!(out, " {} |", optional(value, |value| short(&value)))?;
        }
        let mean = optional(subject.mean(self.metric), number);
        write!(out, " {mean} | {} |", uncertainty(subject, self.metric))?;
        for kind in &self.kinds {
            let of_kind = self.comparisons(subject).filter(|c| c.prediction.kind == *kind);
            write!(out, " {} |", of_kind.map(cell).collect::<Vec<_>>().join("; "))?;
        }
        if printed {
            write!(out, " {} |", optional(self.printed(subject), number))?;
        }
        let verdicts = self.verdicts(subject).into_iter().map(|verdict| words(verdict.name()));
        writeln!(out, " {} |", verdicts.collect::<Vec<_>>().join(", "))
    }

    fn printed(&self, subject: &Subject) -> Option<f64> {
        let point = &self.results.experiment.points[subject.point];
        self.published.find(point, self.metric).map(|number| number.value)
    }

    fn comparisons(&self, subject: &Subject) -> impl Iterator<Item = &Comparison> {
        let all = self.results.comparisons_of(subject.point..subject.point + 1).iter();
        all.filter(|comparison| comparison.prediction.metric == self.metric)
    }

    /// The different verdicts on a row, in the order of its predictions.
    fn verdicts(&self, subject: &Subject) -> Vec<Verdict> {
        let mut verdicts: Vec<Verdict> = Vec::new();
        for Comparison { verdict, .. } in self.comparisons(subject) {
            if !verdicts.contains(verdict) {
                verdicts.push(*verdict);
            }
        }
        verdicts
    }
}

/// The settings that vary within a series; what else tells points apart, their series' label says.
fn varying_within_series(results: &Results<'_>, subjects: &[&Subject]) -> Vec<String> {
    let of_series =
        subjects.chunk_by(|a, b| series_of(results, a.point) == series_of(results, b.point));
    let point = |subject: &&Subject| &results.experiment.points[subject.point];
    let varying = of_series.flat_map(|own| varying(own.iter().map(point)));
    varying.collect::<BTreeSet<String>>().into_iter().collect()
}

/// What is along the x axes of the figures of a quantity, where that is no metric: by it a reader finds the rows
/// of a mark.
fn places(results: &Results<'_>, metric: Metric) -> Vec<String> {
    let of_metric =
        |figure: &&FigureDef| figure.y.column.parse().is_ok_and(|own: Metric| own == metric);
    let figures = results.experiment.figures.iter().filter(of_metric);
    let columns: BTreeSet<&str> = figures.map(|figure| figure.x.column.as_str()).collect();
    let own = |column: &&str| column.parse::<Metric>().is_err();
    columns.into_iter().filter(own).map(str::to_owned).collect()
}

/// From the mean to the further end of the interval, or that end where every trial saw nothing, or all there is.
fn uncertainty(subject: &Subject, metric: Metric) -> String {
    let Some((mean, interval)) = subject.mean(metric).zip(subject.interval(metric)) else {
        return String::new();
    };
    if metric.is_fraction() && mean <= 0.0 {
        return format!("≤ {:.1e}", interval.high);
    }
    if metric.is_fraction() && mean >= 1.0 {
        return format!("≥ 1 − {:.1e}", 1.0 - interval.low);
    }
    optional(subject.half_width(metric), short_error)
}

/// A prediction with z and room.
fn cell(Comparison { prediction, z, room, .. }: &Comparison) -> String {
    let value = number(prediction.value);
    let z = z.map(|z| format!("{z:+.1}"));
    let room = room.map(|room| format!("{:.1e}", room.room));
    let beside: Vec<String> = z.into_iter().chain(room).collect();
    if beside.is_empty() { value } else { format!("{value} ({})", beside.join(", ")) }
}

/// A name of the table as words.
fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// Contradictions of quantities that have no table here.
fn contradictions(
    results: &Results<'_>,
    shown: &BTreeSet<Metric>,
    out: &mut String,
) -> fmt::Result {
    let contradicts =
        |c: &&Comparison| c.verdict.contradicts() && !shown.contains(&c.prediction.metric);
    let all: Vec<&Comparison> = results.comparisons.iter().filter(contradicts).collect();
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "## Other quantities that contradict a prediction\n")?;
    writeln!(
        out,
        "| series | point | quantity | measured | ± | prediction (z, room) | deviation |"
    )?;
    writeln!(out, "|---|---|---|---:|---:|---:|---:|")?;
    let varying = Varying::new(results.experiment);
    for &comparison in all.iter().take(LISTED) {
        let Comparison { point, prediction, relative_deviation, .. } = comparison;
        let (subject, metric) = (&results.subjects[*point], prediction.metric);
        writeln!(
            out,
            "| {} | {} | {metric} | {} | {} | {}, {}: {} | {} |",
            markdown(&results.experiment.series[series_of(results, *point)]),
            varying.describe(*point),
            optional(subject.mean(metric), number),
            uncertainty(subject, metric),
            words(prediction.kind.name()),
            prediction.source,
            cell(comparison),
            optional(*relative_deviation, |r| format!("{:+.2} %", r * 100.0)),
        )?;
    }
    if all.len() > LISTED {
        writeln!(out, "\n{} more stand in `table.csv`.", all.len() - LISTED)?;
    }
    writeln!(out)
}
