//! `report.md`: what a person reads of an experiment.

use std::fmt::{self, Write};

use loadfactor_schemes::families;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::metric::common;
use loadfactor_schemes::params::Params;

use super::number::number;
use super::points::{Varying, varying_parameters};
use super::published::{PublishedRow, published_rows};
use super::results::{Results, Verdicts};
use super::{analysis, derived};
use crate::definition::{Document, FigureDef};
use crate::estimate::comparison::{Comparison, Subject};
use crate::estimate::interval::confidence_interval;
use crate::estimate::verdict::FAMILY_ERROR;

/// Rows that contradict a prediction, listed at most.
const LISTED: usize = 40;

/// The report as Markdown.
pub fn markdown(results: &Results<'_>) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_report(results, &mut text);
    text
}

fn write_report(results: &Results<'_>, out: &mut String) -> fmt::Result {
    heading(results, out)?;
    verdicts(results, out)?;
    figures(results, out)?;
    tables(results, out)?;
    contradictions(results, out)?;
    derived::section(results, out)?;
    published(results, out)?;
    trace(results, out)?;
    failures(results, out)?;
    writeln!(out, "\nAll rows: `table.csv`, `table.parquet`. How this was made: `manifest.json`.")
}

fn heading(results: &Results<'_>, out: &mut String) -> fmt::Result {
    let experiment = results.experiment;
    writeln!(out, "# {}\n", experiment.title)?;
    if let Some(document) = &experiment.document {
        let (Document { authors, title, year, .. }, place) = (document, &experiment.place);
        writeln!(out, "{authors}, \"{title}\", {year}. {place}.\n")?;
    }
    if !experiment.analysis.is_empty() {
        writeln!(out, "{}\n", analysis::filled(results))?;
    }
    Ok(())
}

fn verdicts(results: &Results<'_>, out: &mut String) -> fmt::Result {
    let all = results.verdicts().tally();
    writeln!(out, "## Does the prediction hold?\n")?;
    if results.trials == 0 {
        return writeln!(out, "Nothing was measured; the predictions stand alone.\n");
    }
    for reservation in results.reservations() {
        writeln!(out, "**Note:** {reservation}.\n")?;
    }
    writeln!(
        out,
        "{} facts were judged on {} trials, together at an error of {} %.\n",
        all.judged(),
        results.trials,
        FAMILY_ERROR * 100.0
    )?;
    writeln!(
        out,
        "| series | agrees | differs | bound holds | bound violated | off | undecided |"
    )?;
    writeln!(out, "|---|---:|---:|---:|---:|---:|---:|")?;
    for (index, label) in results.experiment.series.iter().enumerate() {
        let t = Verdicts::of(results.comparisons_of_series(index).iter()).tally();
        writeln!(
            out,
            "| {label} | {} | {} | {} | {} | {} | {} |",
            t.agrees, t.differs, t.bound_holds, t.bound_violated, t.off, t.undecided
        )?;
    }
    writeln!(out)
}

fn figures(results: &Results<'_>, out: &mut String) -> fmt::Result {
    for FigureDef { id, title, .. } in &results.experiment.figures {
        let title = title.as_ref().unwrap_or(&results.experiment.title);
        writeln!(out, "![{title}](figure-{id}.svg)\n")?;
    }
    Ok(())
}

/// One table per series with the metrics that the figures show.
fn tables(results: &Results<'_>, out: &mut String) -> fmt::Result {
    let metrics = shown_metrics(results);
    for (index, label) in results.experiment.series.iter().enumerate() {
        let subjects = results.subjects_of(index);
        let params = |s: &Subject| &results.experiment.points[s.point].params;
        let varying = varying_parameters(subjects.iter().map(params));
        let columns: Vec<&str> = varying.iter().map(String::as_str).collect();
        writeln!(out, "## {label}\n")?;
        writeln!(
            out,
            "| {}metric | measured | ± | predicted | prediction | z | room | verdict |",
            columns.iter().map(|name| format!("{name} | ")).collect::<String>()
        )?;
        writeln!(out, "|{}---|---:|---:|---:|---|---:|---:|---|", "---:|".repeat(columns.len()))?;
        for subject in subjects {
            let prefix = prefix(&columns, &results.experiment.points[subject.point].params);
            for &metric in &metrics {
                rows(results, subject, metric, &prefix, out)?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn shown_metrics(results: &Results<'_>) -> Vec<Metric> {
    let axes = results.experiment.figures.iter().flat_map(|f| [&f.y, &f.x]);
    let named = axes.filter_map(|axis| axis.column.parse().ok());
    let mut metrics: Vec<Metric> = named.collect();
    if metrics.is_empty() {
        metrics.extend(headlines(results));
    }
    if results.trace.is_some() {
        metrics.push(common::REPEATED_KEY_FRACTION);
    }
    for subject in &results.subjects {
        metrics.extend(subject.case.always_shown(&|metric| subject.moments(metric).is_some()));
    }
    metrics.sort_unstable();
    metrics.dedup();
    metrics
}

/// What the families of the experiment's schemes show where there is no figure.
fn headlines(results: &Results<'_>) -> Vec<Metric> {
    let is_used = |name: &str| results.experiment.points.iter().any(|point| point.scheme == name);
    let used = families::schemes().filter(|entry| is_used(entry.info.name));
    used.filter_map(|entry| Some(entry.family()?.headline)).collect()
}

fn prefix(columns: &[&str], params: &Params) -> String {
    let value = |name: &&str| match params.get(name) {
        Some(value) => format!("{value} | "),
        None => " | ".to_owned(),
    };
    columns.iter().map(value).collect()
}

fn rows(
    results: &Results<'_>,
    subject: &Subject,
    metric: Metric,
    prefix: &str,
    out: &mut String,
) -> fmt::Result {
    let moments = subject.moments(metric);
    let mean = optional(moments.and_then(|m| m.mean()));
    let interval = moments.and_then(confidence_interval);
    let half = interval.map_or(String::new(), |i| format!("{:.1e}", (i.high - i.low) / 2.0));
    let of_point = results.comparisons_of(subject.point..subject.point + 1);
    let mut predictions = of_point.iter().filter(|c| c.prediction.metric == metric).peekable();
    if predictions.peek().is_none() && moments.is_some() {
        return writeln!(out, "| {prefix}{metric} | {mean} | {half} | | | | | |");
    }
    for Comparison { prediction, z, room, verdict, .. } in predictions {
        let room = room.map_or(String::new(), |room| format!("{:.1e}", room.room));
        let z = z.map_or(String::new(), |z| format!("{z:+.1}"));
        let (value, kind, source) = (number(prediction.value), prediction.kind, prediction.source);
        writeln!(
            out,
            "| {prefix}{metric} | {mean} | {half} | {value} | {kind}: {source} | {z} | {room} | {verdict} |"
        )?;
    }
    Ok(())
}

fn contradictions(results: &Results<'_>, out: &mut String) -> fmt::Result {
    let differing: Vec<&Comparison> =
        results.comparisons.iter().filter(|c| c.verdict.contradicts()).collect();
    if differing.is_empty() {
        return Ok(());
    }
    writeln!(out, "## Rows that contradict a prediction\n")?;
    writeln!(out, "| series | point | metric | measured | predicted | prediction | deviation |")?;
    writeln!(out, "|---|---|---|---:|---:|---|---:|")?;
    let varying = Varying::new(results.experiment);
    for comparison in differing.iter().take(LISTED) {
        let Comparison { point, prediction, relative_deviation, .. } = comparison;
        let mean = results.subjects[*point].moments(prediction.metric).and_then(|m| m.mean());
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {}: {} | {} |",
            results.experiment.series[series_of(results, *point)],
            varying.describe(*point),
            prediction.metric,
            optional(mean),
            number(prediction.value),
            prediction.kind,
            prediction.source,
            relative_deviation.map_or(String::new(), |r| format!("{:+.2} %", r * 100.0)),
        )?;
    }
    if differing.len() > LISTED {
        writeln!(out, "\n{} more stand in `table.csv`.", differing.len() - LISTED)?;
    }
    writeln!(out)
}

fn published(results: &Results<'_>, out: &mut String) -> fmt::Result {
    let rows = published_rows(results);
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "## What the document printed\n")?;
    writeln!(
        out,
        "| id | place | quantity | printed | ours | ± | compared with | at the printed precision |"
    )?;
    writeln!(out, "|---|---|---|---:|---:|---:|---|---|")?;
    for PublishedRow { published, quantity, against, ours, half_width, verdict } in &rows {
        writeln!(
            out,
            "| {} | {} | {quantity} | {} | {} | {} | {against} | {verdict} |",
            published.id,
            published.place,
            published.printed,
            optional(*ours),
            half_width.map_or(String::new(), |half| format!("{half:.1e}")),
        )?;
    }
    for row in rows.iter().filter(|row| !row.published.note.is_empty()) {
        writeln!(out, "\n- {}: {}", row.published.id, row.published.note)?;
    }
    writeln!(out)
}

fn trace(results: &Results<'_>, out: &mut String) -> fmt::Result {
    let Some(trace) = results.trace else { return Ok(()) };
    let name = trace.path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into());
    writeln!(out, "## The trace\n\n`{name}`, SHA-256 `{}`.\n", trace.digest)?;
    writeln!(out, "| key | packets | with this key | distinct keys | repeated keys |")?;
    writeln!(out, "|---|---:|---:|---:|---:|")?;
    for (kind, keys) in &trace.keys {
        let (all, distinct) = (keys.all.packets(), keys.all.distinct());
        let repeated = 100.0 * (1.0 - distinct as f64 / all as f64);
        writeln!(out, "| {kind} | {} | {all} | {distinct} | {repeated:.1} % |", keys.packets)?;
    }
    writeln!(
        out,
        "\nElements with the same key have the same choices, \
         which no model of independent choices knows. `repeated_key_fraction` is the share of \
         arrivals whose key another stored element had at that moment; the series without \
         repeated keys and those with the `random` hash show what remains when they are gone. All \
         trials see the same packets: the intervals speak of this trace, not of others.\n"
    )?;
    for damage in trace.keys.values().flat_map(|keys| &keys.damages).take(10) {
        writeln!(out, "- damaged: {damage}")?;
    }
    Ok(())
}

fn failures(results: &Results<'_>, out: &mut String) -> fmt::Result {
    if !results.failures.is_empty() {
        writeln!(out, "## Points that failed\n")?;
    }
    let varying = Varying::new(results.experiment);
    for (point, error) in &results.failures {
        let series = &results.experiment.series[series_of(results, *point)];
        writeln!(out, "- {series}, {}: {error}", varying.describe(*point))?;
    }
    Ok(())
}

fn series_of(results: &Results<'_>, point: usize) -> usize {
    results.experiment.points[point].series
}

fn optional(value: Option<f64>) -> String {
    value.map_or(String::new(), number)
}
