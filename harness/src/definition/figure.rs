//! The figures of an experiment.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use loadfactor_schemes::family::{CurveInfo, Family};
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::{Domain, Param, Scalar};

use super::diagnostics::{Errors, Mistake};
use super::experiment::{AxisDef, AxisScale, FigureDef, FittedLaw};
use super::keys::FIGURE;
use super::settings::measured_by;
use super::value::{Entry, Node, TomlTable, cannot_be, list, scalar, text};
use super::vocabulary::{curve, curve_names, has_metric, place_names};

/// The horizontal axis of a family of metrics that differ by a number.
pub(crate) const NUMBER: &str = "number";

/// In `lines`, the approximate predictions of the series.
const APPROXIMATE: &str = "approximate";

/// In `lines`, the bounds of the series.
const BOUNDS: &str = "bounds";

/// What `lines` may name.
static LINES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    curve_names().chain([APPROXIMATE, BOUNDS]).chain(FittedLaw::ALL.map(FittedLaw::name)).collect()
});

/// What a figure may name.
pub(crate) struct Names<'a> {
    /// The labels of the series; nothing where one has none.
    pub(crate) labels: Option<&'a [&'a str]>,
    /// The parameters of the series.
    pub(crate) params: Vec<&'static Param>,
    /// The families of their schemes.
    pub(crate) families: Vec<&'static Family>,
}

/// Reads the figures.
pub(crate) fn read(
    tables: &[TomlTable<'_>],
    names: &Names<'_>,
    errors: &mut Errors,
) -> Vec<FigureDef> {
    check_ids(tables, errors);
    let read = |(i, table)| figure(i, table, names, errors);
    tables.iter().enumerate().filter_map(read).collect()
}

/// What the figure is called: its place where it has no `id` of its own.
pub(super) fn id_of(i: usize, table: &TomlTable<'_>) -> String {
    let id = table.get("id").and_then(|entry| entry.node.get_ref().as_str());
    id.map_or((i + 1).to_string(), str::to_owned)
}

fn check_ids(tables: &[TomlTable<'_>], errors: &mut Errors) {
    let mut seen = BTreeSet::new();
    for (i, table) in tables.iter().enumerate() {
        let entry = table.get("id");
        let span = entry.map_or(&table.span, |entry| &entry.key_span);
        let id = id_of(i, table);
        if !id.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) || id.is_empty() {
            errors.push(
                Mistake::at(span, format!("`{id}` cannot be an id"))
                    .label("expected letters, digits, `-` and `_`"),
            );
        }
        if !seen.insert(id.clone()) {
            errors.push(Mistake::at(span, format!("two figures have the id `{id}`")));
        }
    }
}

fn figure(
    i: usize,
    table: &TomlTable<'_>,
    names: &Names<'_>,
    errors: &mut Errors,
) -> Option<FigureDef> {
    table.only(&FIGURE, errors);
    table.complete(&FIGURE, errors);
    let id = table.text("id", errors).map_or((i + 1).to_string(), str::to_owned);
    let title = table.text("title", errors).map(str::to_owned);
    let series = shown("series", table, names.labels, errors);
    let series = series.unwrap_or_else(|| (0..names.labels.unwrap_or_default().len()).collect());
    let ratio_to = ratio_to(table, names.labels, series.len(), errors);
    let x = axis(table, ["x", "x_label", "x_scale", "x_range"], names, errors);
    let y = axis(table, ["y", "y_label", "y_scale", "y_range"], names, errors);
    let Lines { curves, approximate, bounds, fitted } = drawn_besides(table, names, errors);
    let from_limit = table.scalar("y_from", &Domain::Word(&["zero", "limit"]), errors);
    let from_limit = from_limit == Some(Scalar::Word("limit".to_owned()));
    let (x, y) = (x?, y?);
    check_plane(table, &curves, [&x, &y], errors);
    check_family(table, &x, &y, errors);
    check_fitted(table, &fitted, &x, errors);
    Some(FigureDef {
        id,
        title,
        x,
        y,
        from_limit,
        lines: curves,
        approximate,
        bounds,
        fitted,
        series,
        ratio_to,
    })
}

/// The indices of the series that a key names.
fn shown(
    key: &str,
    table: &TomlTable<'_>,
    labels: Option<&[&str]>,
    errors: &mut Errors,
) -> Option<Vec<usize>> {
    let (labels, entry) = (labels?, table.get(key)?);
    let nodes = list(key, entry.node, errors).unwrap_or_default();
    Some(nodes.iter().filter_map(|node| index(key, node, labels, errors)).collect())
}

/// One series for each of those shown, or one for all of them.
fn ratio_to(
    table: &TomlTable<'_>,
    labels: Option<&[&str]>,
    shown_series: usize,
    errors: &mut Errors,
) -> Vec<usize> {
    let Some(below) = shown("ratio_to", table, labels, errors) else { return Vec::new() };
    match below[..] {
        [one] => vec![one; shown_series],
        _ if below.len() == shown_series => below,
        _ => {
            if let Some(entry) = table.get("ratio_to") {
                let label = format!("expected one label, or one for each of {shown_series} series");
                errors.push(cannot_be("ratio_to", entry.node).label(label));
            }
            Vec::new()
        }
    }
}

fn index(key: &str, node: &Node<'_>, labels: &[&str], errors: &mut Errors) -> Option<usize> {
    let label = text(key, node, errors)?;
    let index = labels.iter().position(|own| *own == label);
    if index.is_none() {
        let mistake = Mistake::at(&node.span(), format!("no series has the label `{label}`"));
        errors.push(mistake.suggest(label, labels.iter().copied()));
    }
    index
}

fn axis(
    table: &TomlTable<'_>,
    [column, label, scale, range]: [&str; 4],
    names: &Names<'_>,
    errors: &mut Errors,
) -> Option<AxisDef> {
    let column = table.get(column).and_then(|entry| self::column(entry, names, errors));
    let label = table.text(label, errors).map(str::to_owned);
    let scale = axis_scale(table, scale, errors);
    let range = table.get(range).and_then(|entry| axis_range(entry, scale, errors));
    Some(AxisDef { column: column?, label, scale, range })
}

/// Whether one of the families has the metric of this name.
fn is_measured(families: &[&Family], name: &str) -> bool {
    let metric: Result<Metric, _> = name.parse();
    metric.is_ok_and(|metric| families.iter().any(|family| has_metric(family, metric)))
}

/// A metric, or a parameter that is a number.
fn column(entry: &Entry<'_>, names: &Names<'_>, errors: &mut Errors) -> Option<String> {
    let name = text(entry.key, entry.node, errors)?;
    let numeric =
        |domain: &Domain| matches!(domain, Domain::Integer { .. } | Domain::Number { .. });
    let params: BTreeSet<&str> = names
        .params
        .iter()
        .filter(|param| numeric(&param.domain))
        .map(|param| param.name)
        .collect();
    let families: Vec<&str> = match entry.key {
        "x" => [NUMBER].into_iter().chain(place_names(&names.families)).collect(),
        _ => metric_families(&names.families),
    };
    // A parameter is chosen: what it gives stands along the other axis.
    let params = if entry.key == "x" { params } else { BTreeSet::new() };
    match name.parse::<Metric>() {
        Ok(metric) => measured_by(&names.families, metric, entry, errors)?,
        Err(_) if params.contains(name) || families.contains(&name) => {}
        Err(_) => {
            let mut metrics = Metric::names();
            metrics.retain(|name| is_measured(&names.families, name));
            let named = metrics.iter().map(String::as_str);
            let valid = named.chain(params).chain(families);
            let expected = match entry.key {
                "x" => "expected a metric, or a parameter that is a number",
                _ => "expected a metric",
            };
            let mistake = cannot_be(entry.key, entry.node).label(expected);
            errors.push(mistake.suggest(name, valid));
            return None;
        }
    }
    Some(name.to_owned())
}

/// The names by which numbered metrics of these families go together.
fn metric_families(of: &[&'static Family]) -> Vec<&'static str> {
    let is_measured = |name: &&str| {
        let metric = Metric::family(name).map(|info| Metric::new(info, 0));
        metric.is_some_and(|metric| of.iter().any(|family| has_metric(family, metric)))
    };
    Metric::families().filter(is_measured).collect()
}

fn axis_scale(table: &TomlTable<'_>, key: &str, errors: &mut Errors) -> AxisScale {
    match table.scalar(key, &Domain::Word(&["linear", "log", "probit"]), errors) {
        Some(Scalar::Word(word)) if word == "log" => AxisScale::Log,
        Some(Scalar::Word(word)) if word == "probit" => AxisScale::Probit,
        _ => AxisScale::Linear,
    }
}

/// The longest axis on which places can be computed.
const LONGEST_AXIS: f64 = 1e300;

/// The shortest one, as a part of its ends.
const SHORTEST_AXIS: f64 = 1e-10;

fn axis_range(entry: &Entry<'_>, scale: AxisScale, errors: &mut Errors) -> Option<(f64, f64)> {
    let domain = Domain::Number { min: f64::MIN, max: f64::MAX };
    let ends: Option<Vec<f64>> = list(entry.key, entry.node, errors)?
        .iter()
        .map(|node| match scalar(entry.key, node, &domain, errors)? {
            Scalar::Number(end) => Some(end),
            _ => None,
        })
        .collect();
    let wrong = match ends?[..] {
        [low, high] if low >= high => "the first end must be below the second",
        [low, high] if high - low > LONGEST_AXIS => "the ends are too far apart to be drawn",
        [low, high] if high - low < SHORTEST_AXIS * low.abs().max(high.abs()) => {
            "the ends are too close to each other to be drawn"
        }
        [low, _] if scale == AxisScale::Log && low <= 0.0 => "a logarithmic axis begins above 0",
        [low, high] if scale == AxisScale::Probit && !(low > 0.0 && high < 1.0) => {
            "a probit axis lies between 0 and 1"
        }
        [low, high] => return Some((low, high)),
        _ => "expected two ends, such as `[0, 1]`",
    };
    errors
        .push(Mistake::at(&entry.node.span(), format!("`{}` is no range", entry.key)).label(wrong));
    None
}

/// What `lines` names.
#[derive(Default)]
struct Lines {
    curves: Vec<&'static CurveInfo>,
    approximate: bool,
    bounds: bool,
    fitted: Vec<FittedLaw>,
}

fn drawn_besides(table: &TomlTable<'_>, names: &Names<'_>, errors: &mut Errors) -> Lines {
    let Some(entry) = table.get("lines") else { return Lines::default() };
    let domain = Domain::Word(&LINES);
    let nodes = list("lines", entry.node, errors).unwrap_or_default();
    let words: Vec<Scalar> =
        nodes.iter().filter_map(|node| scalar("lines", node, &domain, errors)).collect();
    let named = |name: &str| words.contains(&Scalar::Word(name.to_owned()));
    let curves: Vec<&'static CurveInfo> =
        words.iter().filter_map(|word| curve(&word.to_string())).collect();
    check_curves(entry, &curves, names, errors);
    Lines {
        curves,
        approximate: named(APPROXIMATE),
        bounds: named(BOUNDS),
        fitted: FittedLaw::ALL.into_iter().filter(|law| named(law.name())).collect(),
    }
}

/// A curve is drawn for points of its family.
fn check_curves(
    entry: &Entry<'_>,
    curves: &[&'static CurveInfo],
    names: &Names<'_>,
    errors: &mut Errors,
) {
    let is_known =
        |curve: &CurveInfo| names.families.iter().any(|own| own.curve(curve.name).is_some());
    if let Some(curve) = curves.iter().find(|curve| !is_known(curve)) {
        let label = format!("`{}` is of another family than the series", curve.name);
        errors.push(cannot_be(entry.key, entry.node).label(label));
    }
}

/// A law is fitted to a distribution function, which is drawn along a number.
fn check_fitted(table: &TomlTable<'_>, fitted: &[FittedLaw], x: &AxisDef, errors: &mut Errors) {
    if fitted.is_empty() || x.column == NUMBER {
        return;
    }
    if let Some(entry) = table.get("lines") {
        let label = format!("a law is fitted to a distribution along x = \"{NUMBER}\"");
        errors.push(cannot_be("lines", entry.node).label(label));
    }
}

/// A curve is drawn in the plane of its two quantities: in another one it would mean nothing.
fn check_plane(
    table: &TomlTable<'_>,
    lines: &[&'static CurveInfo],
    [x, y]: [&AxisDef; 2],
    errors: &mut Errors,
) {
    let plane = |curve: &CurveInfo| [curve.x.to_owned(), curve.y.to_string()];
    let lost = lines.iter().find(|&&curve| plane(curve) != [x.column.as_str(), y.column.as_str()]);
    if let Some((entry, curve)) = table.get("lines").zip(lost) {
        let [x, y] = plane(curve);
        let label = format!("expected x = \"{x}\" and y = \"{y}\"");
        errors.push(Mistake::at(&entry.key_span, format!("`lines` {}", curve.says)).label(label));
    }
}

/// A family of metrics is drawn along their number, and only that.
fn check_family(table: &TomlTable<'_>, x: &AxisDef, y: &AxisDef, errors: &mut Errors) {
    let of_family = Metric::family(&y.column).is_some();
    if of_family == (x.column == NUMBER) {
        return;
    }
    let (key, label) = match of_family {
        true => ("x", format!("expected x = \"{NUMBER}\", the number behind `{}_`", y.column)),
        false => ("y", "expected the name of a metric without its number".to_owned()),
    };
    if let Some(entry) = table.get(key) {
        errors.push(cannot_be(key, entry.node).label(label));
    }
}
