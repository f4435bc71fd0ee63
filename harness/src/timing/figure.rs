//! The figure of a measurement: what a look-up costs, and what it is worth.

use loadfactor_schemes::metric::{Metric, Unit};
use loadfactor_schemes::timed::Operation;

use super::plan::TimedPlan;
use super::record::Circumstances;
use super::subject::look_up;
use super::table::Row;
use crate::estimate::interval::Interval;
use crate::report::figure::{
    Axis, Figure, FigureError, Measured, Scale, Series, Style, parsed, pdf, png,
};
use crate::report::manifest::REVISION;

/// Names of the pictures.
pub(super) const PICTURES: [&str; 3] = ["figure-time.svg", "figure-time.pdf", "figure-time.png"];

/// Pixels of the PNG per unit of the SVG.
const PNG_SCALE: f32 = 2.0;

/// The figure in every format, with the names of its files.
pub(super) fn pictures(
    plan: &TimedPlan<'_>,
    rows: &[Row],
    circumstances: &Circumstances,
) -> Result<[(&'static str, Vec<u8>); 3], FigureError> {
    let svg = figure(plan, rows, circumstances).svg()?;
    let tree = parsed(&svg)?;
    let (pdf, png) = (pdf(&tree)?, png(&tree, PNG_SCALE)?);
    let [of_svg, of_pdf, of_png] = PICTURES;
    Ok([(of_svg, svg.into_bytes()), (of_pdf, pdf), (of_png, png)])
}

/// Nanoseconds of a look-up with their intervals, against what the structures are worth: a mark for each structure.
fn figure(plan: &TimedPlan<'_>, rows: &[Row], circumstances: &Circumstances) -> Figure {
    let experiment = plan.experiment;
    let of_place = |place: usize| if plan.places.len() > 1 { place } else { 0 };
    let Worth { metric, label, scale, percent } = worth(rows);
    let operation = figure_operation(rows);
    let mut series = Vec::new();
    for (colour, label) in experiment.series.iter().enumerate() {
        let own =
            rows.iter().filter(|row| row.series == *label && row.operation == operation.name());
        for (place, row) in own.enumerate() {
            let at = if plan.places.len() > 1 { format!(", {}", row.at) } else { String::new() };
            series.push(Series {
                label: format!("{label}{at}"),
                style: Style { colour, variant: of_place(place), line: 0 },
                measured: mark(row, metric).into_iter().collect(),
                ..Series::default()
            });
        }
    }
    let axis = |label: &str, scale, percent| Axis {
        label: label.into(),
        scale,
        range: None,
        percent,
        whole: false,
    };
    Figure {
        title: experiment.title.clone(),
        subtitle: String::new(),
        prediction: String::new(),
        x: axis(label, scale, percent),
        y: axis(time_label(operation), Scale::Linear, false),
        series,
        curves: Vec::new(),
        footer: format!(
            "{}, seed {}, scale {}; geometric means of the medians of {} layouts, {} samples in all; loadfactor {} ({REVISION})",
            experiment.name,
            experiment.seed,
            circumstances.scale,
            plan.timing.layouts,
            plan.timing.samples,
            env!("CARGO_PKG_VERSION"),
        ),
    }
}

/// The look-up that the figure is of.
pub(super) fn figure_operation(rows: &[Row]) -> Operation {
    let metric = rows.iter().find_map(metric_of).map(|metric| metric.to_string());
    look_up(metric.as_deref())
}

fn time_label(operation: Operation) -> &'static str {
    match operation {
        Operation::Hit => "Nanoseconds for a stored key",
        _ => "Nanoseconds for an absent key",
    }
}

/// The horizontal axis.
struct Worth {
    /// `None` where it is the rate of false positives.
    metric: Option<Metric>,
    label: &'static str,
    scale: Scale,
    percent: bool,
}

/// The metric that is measured beside answers to absent keys, or else the rate of those.
fn worth(rows: &[Row]) -> Worth {
    let metric = rows.iter().find_map(metric_of);
    match metric.map(Metric::info) {
        Some(info) => {
            let mut own = rows.iter().filter(|row| metric_of(row) == metric);
            let is_positive = own.all(|row| row.value != Some(0.0));
            // What is exactly 0, as the overflow of a table with room enough may be, has no place on a logarithmic one.
            let scale = if is_positive { Scale::Log } else { Scale::Linear };
            Worth { metric, label: info.label, scale, percent: info.unit == Unit::Share }
        }
        None => Worth { metric, label: "False positive rate", scale: Scale::Log, percent: true },
    }
}

/// What is measured of a structure beside its answers.
fn metric_of(row: &Row) -> Option<Metric> {
    row.metric.as_deref()?.parse().ok()
}

/// A structure in the figure, with the interval of its time. What it is worth has none: it is counted in the very structures
/// that are timed, and how it would be in others their answers, which are not independent, do not say.
fn mark(row: &Row, metric: Option<Metric>) -> Option<Measured> {
    // Of structures of another family another metric is measured, which has no place on this axis.
    if metric_of(row) != metric {
        return None;
    }
    let x = row.value.or(row.false_positive_rate)?;
    let Interval { low, high } =
        row.interval().unwrap_or(Interval { low: f64::NAN, high: f64::NAN });
    Some(Measured { x, y: row.nanoseconds, low, high })
}
