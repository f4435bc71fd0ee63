//! `report.md`: what a person reads of an experiment, who has the document that it reproduces and nothing else.

mod findings;
mod head;
mod printed;
mod quantities;
mod settings;
mod trace;
mod varied;

use std::fmt::{self, Write};

use super::derived;
use super::points::Varying;
use super::results::Results;
use crate::definition::FigureDef;
use crate::escape;

/// The report as Markdown, of a run at this scale, with the figures that were drawn.
pub fn markdown(results: &Results<'_>, scale: &str, drawn: &[String]) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_report(results, scale, drawn, &mut text);
    text
}

fn write_report(
    results: &Results<'_>,
    scale: &str,
    drawn: &[String],
    out: &mut String,
) -> fmt::Result {
    head::section(results, scale, out)?;
    findings::section(results, out)?;
    figures(results, drawn, out)?;
    quantities::section(results, out)?;
    derived::section(results, out)?;
    printed::section(results, out)?;
    trace::section(results, out)?;
    failures(results, out)?;
    writeln!(out, "\nAll rows: `table.csv`, `table.parquet`. How this was made: `manifest.json`.")
}

fn figures(results: &Results<'_>, drawn: &[String], out: &mut String) -> fmt::Result {
    let is_drawn = |figure: &&FigureDef| drawn.contains(&figure.id);
    for FigureDef { id, title, .. } in results.experiment.figures.iter().filter(is_drawn) {
        let title = title.as_ref().unwrap_or(&results.experiment.title);
        let title = escape::markdown(title);
        writeln!(out, "![{title}](figure-{id}.svg)\n")?;
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

/// A value in a cell, which is empty where there is none.
fn optional<T>(value: Option<T>, text: impl Fn(T) -> String) -> String {
    value.map_or_else(String::new, text)
}
