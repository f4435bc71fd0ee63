//! `published.csv`: what a document prints, row by row.

use std::collections::BTreeSet;

use csv::{ReaderBuilder, StringRecord};
use loadfactor_schemes::family::CurveInfo;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::{Domain, Params, Scalar};

use super::diagnostics::{Errors, Mistake, Span};
use loadfactor_schemes::prediction::Kind;

use super::claim::{Claim, Counterpart, DerivedClaim, PointClaim, Published};
use super::derivation::Derived;
use super::point::Point;
use super::printed::{PrintedNumber, printed};
use super::series::Series;
use super::value::check_characters;
use super::vocabulary::{curve, curve_names, has_metric};

/// The columns of the file.
const COLUMNS: [&str; 9] =
    ["id", "experiment", "place", "series", "at", "metric", "value", "compare", "note"];

/// One row with the place of each field.
struct Row<'r> {
    fields: Vec<&'r str>,
    spans: Vec<Span>,
}

impl<'r> Row<'r> {
    fn get(&self, column: &str) -> (&'r str, &Span) {
        let i = COLUMNS.iter().position(|own| *own == column).unwrap_or(0);
        (self.fields[i], &self.spans[i])
    }
}

/// The parts of an experiment that rows speak of.
pub(crate) struct Parts<'a> {
    pub(crate) series: &'a [Series<'a>],
    pub(crate) points: &'a [Point],
    pub(crate) derived: &'a [Derived],
}

/// What the rows are checked against.
pub(crate) struct Checked<'a> {
    /// The file stem of the definition: the rows of other experiments are passed over.
    pub(crate) experiment: &'a str,
    pub(crate) parts: &'a Parts<'a>,
    /// Whether every point is there that the document speaks of.
    pub(crate) complete: bool,
}

/// In `compare`: nothing that is run can judge the row.
const NOT_TESTABLE: &str = "not-testable";

/// Reads the rows of one experiment.
pub(crate) fn read(text: &str, checked: &Checked<'_>, errors: &mut Errors) -> Vec<Published> {
    let Some(records) = records(text, errors) else { return Vec::new() };
    let mut ids = BTreeSet::new();
    let mut published = Vec::new();
    for (record, line) in &records {
        let row = Row { fields: record.iter().collect(), spans: field_spans(text, line) };
        let (id, span) = row.get("id");
        if id.is_empty() || !ids.insert(id) {
            errors.push(Mistake::at(span, format!("the id `{id}` is not unique")));
        }
        if row.get("experiment").0 == checked.experiment {
            for (column, (field, span)) in COLUMNS.iter().zip(row.fields.iter().zip(&row.spans)) {
                check_characters(column, field, span, errors);
            }
            published.extend(read_row(&row, checked, errors));
        }
    }
    published
}

/// Reports the rows that no experiment of the folder reads, whose definitions have these file stems.
pub(crate) fn check_experiments(text: &str, stems: &[String], errors: &mut Errors) {
    for (record, line) in records(text, errors).unwrap_or_default() {
        let row = Row { fields: record.iter().collect(), spans: field_spans(text, &line) };
        let (name, span) = row.get("experiment");
        if !stems.iter().any(|stem| stem == name) {
            let mistake = Mistake::at(span, format!("no experiment here is called `{name}`"));
            errors.push(mistake.suggest(name, stems.iter().map(String::as_str)));
        }
    }
}

/// The records below a correct header, each with its place; nothing where the file is no such table.
fn records(text: &str, errors: &mut Errors) -> Option<Vec<(StringRecord, Span)>> {
    let mut reader = ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let mut records = Vec::new();
    let mut record = StringRecord::new();
    loop {
        let more = reader.read_record(&mut record);
        let start = record.position().map_or(0, |position| position.byte() as usize);
        let line = start..reader.position().byte() as usize;
        match more {
            Ok(false) => break,
            Ok(true) => records.push((record.clone(), line)),
            Err(error) => {
                errors.push(unreadable(&error, text));
                return None;
            }
        }
    }
    if records.first().is_none_or(|(record, _)| record != COLUMNS[..]) {
        let header = 0..text.lines().next().map_or(0, str::len);
        let mistake = Mistake::at(&header, "the first row must name the columns");
        errors.push(mistake.label(format!("expected {}", COLUMNS.join(","))));
        return None;
    }
    records.remove(0);
    Some(records)
}

fn unreadable(error: &csv::Error, text: &str) -> Mistake {
    let start = error.position().map_or(0, |position| position.byte() as usize);
    let end = text
        .get(start..)
        .and_then(|rest| rest.find('\n'))
        .map_or(text.len(), |length| start + length);
    let title = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("the row has {len} fields; the table has {expected_len} columns")
        }
        _ => error.to_string(),
    };
    let mistake = Mistake::at(&(start..end), title);
    mistake.label("a field with a comma stands in quotes")
}

/// The place of each field of the record at `line`, quotes included.
fn field_spans(text: &str, line: &Span) -> Vec<Span> {
    let raw = text.get(line.clone()).unwrap_or_default();
    let lead = raw.len() - raw.trim_start_matches(['\r', '\n']).len();
    let (mut spans, mut start, mut quoted) = (Vec::new(), line.start + lead, false);
    for (i, c) in raw.char_indices().skip(lead) {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                spans.push(start..line.start + i);
                start = line.start + i + 1;
            }
            _ => {}
        }
    }
    spans.push(start..line.start + raw.trim_end().len());
    spans.resize(COLUMNS.len(), line.clone());
    spans
}

fn read_row(row: &Row<'_>, checked: &Checked<'_>, errors: &mut Errors) -> Option<Published> {
    let (name, _) = row.get("series");
    let is_derived = checked.parts.derived.iter().any(|derived| derived.name == name);
    let claim = match row.get("compare").0 {
        NOT_TESTABLE => not_testable(row, errors),
        _ if is_derived => derived_claim(row, errors).map(Claim::Derived),
        _ => point_claim(row, checked, errors).map(Claim::OfPoints),
    };
    let text = |column| row.get(column).0.to_owned();
    Some(Published {
        id: text("id"),
        place: text("place"),
        printed: text("value"),
        claim: claim?,
        note: text("note"),
    })
}

/// A row that nothing can judge must say why.
fn not_testable(row: &Row<'_>, errors: &mut Errors) -> Option<Claim> {
    let (note, span) = row.get("note");
    if note.is_empty() {
        errors.push(Mistake::at(span, "`note` must say why nothing can judge this row"));
        return None;
    }
    Some(Claim::NotTestable)
}

fn derived_claim(row: &Row<'_>, errors: &mut Errors) -> Option<DerivedClaim> {
    let (number, counterpart) = (value(row, errors), counterpart(row, errors));
    let (at, span) = row.get("at");
    if !at.is_empty() {
        let mistake = Mistake::at(span, "a derived quantity stands at no place");
        errors.push(mistake.label("its `[[derived]]` table says where"));
    }
    let quantity = row.get("metric").0;
    Some(DerivedClaim {
        name: row.get("series").0.to_owned(),
        quantity: (!quantity.is_empty()).then(|| quantity.to_owned()),
        number: number?,
        counterpart: counterpart?,
    })
}

fn point_claim(row: &Row<'_>, checked: &Checked<'_>, errors: &mut Errors) -> Option<PointClaim> {
    let (name, _) = row.get("series");
    let at = match curve(name) {
        Some(curve) => curve_at(row, curve, errors),
        None => point_at(row, checked, errors),
    };
    let metric = metric(row, errors);
    if let Some(metric) = metric {
        check_family(row, metric, checked, errors);
    }
    let number = value(row, errors);
    let counterpart = counterpart(row, errors);
    let claim = PointClaim {
        series: name.to_owned(),
        at: at?,
        metric: metric?,
        number: number?,
        counterpart: counterpart?,
    };
    check_match(row, &claim, checked, errors);
    Some(claim)
}

fn metric(row: &Row<'_>, errors: &mut Errors) -> Option<Metric> {
    let (name, span) = row.get("metric");
    let metric = name.parse().ok();
    if metric.is_none() {
        let names = Metric::names();
        let mistake = Mistake::at(span, format!("`{name}` is no metric"));
        errors.push(mistake.suggest(name, names.iter().map(String::as_str)));
    }
    metric
}

/// The series must be of a family that measures the metric.
fn check_family(row: &Row<'_>, metric: Metric, checked: &Checked<'_>, errors: &mut Errors) {
    let label = row.get("series").0;
    let series = checked.parts.series.iter().find(|series| series.label == label);
    if let Some(series) = series.filter(|series| !has_metric(series.family, metric)) {
        let title = format!("the series `{label}` has no `{metric}`");
        let label = format!("its scheme is of the family `{}`", series.family.name);
        errors.push(Mistake::at(row.get("metric").1, title).label(label));
    }
}

fn value(row: &Row<'_>, errors: &mut Errors) -> Option<PrintedNumber> {
    let (text, span) = row.get("value");
    let value = printed(text);
    if value.is_none() {
        let mistake = Mistake::at(span, format!("`{text}` is no printed number"));
        errors.push(mistake.label("expected such as `2.195`, `31.1%`, `1/3` or `=0.497487`"));
    }
    value
}

fn counterpart(row: &Row<'_>, errors: &mut Errors) -> Option<Counterpart> {
    let (name, span) = row.get("compare");
    if name == "measured" {
        return Some(Counterpart::Measured);
    }
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
    if kind.is_none() {
        let mistake = Mistake::at(span, format!("`compare` cannot be `{name}`"));
        errors.push(
            mistake.label(
                "expected `measured`, `not-testable` or a kind of prediction, such as `exact`",
            ),
        );
    }
    kind.map(Counterpart::Predicted)
}

/// The pairs of `at`, each with the place of the whole field.
fn pairs<'r>(row: &Row<'r>, errors: &mut Errors) -> Option<Vec<(&'r str, &'r str)>> {
    let (at, span) = row.get("at");
    let pairs = at.split(';').filter(|pair| !pair.trim().is_empty());
    let split: Option<Vec<_>> =
        pairs.map(|pair| pair.split_once('=').map(|(k, v)| (k.trim(), v.trim()))).collect();
    if split.is_none() {
        let mistake = Mistake::at(span, format!("`at` cannot be `{at}`"));
        errors.push(mistake.label("expected such as `load=0.3;choices=2`"));
    }
    split
}

fn curve_at(row: &Row<'_>, curve: &CurveInfo, errors: &mut Errors) -> Option<Params> {
    let x = curve.x;
    let mut at = Params::default();
    for (name, value) in pairs(row, errors)? {
        match (name, value.parse()) {
            (name, Ok(value)) if name == x && f64::is_finite(value) => {
                at.set(name, Scalar::Number(value))
            }
            _ => {
                let mistake =
                    Mistake::at(row.get("at").1, format!("a curve has no place `{name}={value}`"));
                errors.push(mistake.label(format!("expected such as `{x}=2`")));
                return None;
            }
        }
    }
    Some(at)
}

fn point_at(row: &Row<'_>, checked: &Checked<'_>, errors: &mut Errors) -> Option<Params> {
    let (label, span) = row.get("series");
    let Some(series) = checked.parts.series.iter().find(|series| series.label == label) else {
        let labels = checked.parts.series.iter().map(|series| series.label).chain(curve_names());
        let derived = checked.parts.derived.iter().map(|derived| derived.name.as_str());
        let labels = labels.chain(derived);
        let mistake = Mistake::at(span, format!("no series has the label `{label}`"));
        errors.push(mistake.suggest(label, labels));
        return None;
    };
    let mut at = Params::default();
    for (name, value) in pairs(row, errors)? {
        at.set(name, param_at(row, series, name, value, errors)?);
    }
    Some(at)
}

fn param_at(
    row: &Row<'_>,
    series: &Series<'_>,
    name: &str,
    value: &str,
    errors: &mut Errors,
) -> Option<Scalar> {
    let span = row.get("at").1;
    let params = series.params();
    let Some(param) = params.iter().find(|param| param.name == name) else {
        let mistake =
            Mistake::at(span, format!("the series `{}` has no parameter `{name}`", series.label));
        errors.push(mistake.suggest(name, params.iter().map(|param| param.name)));
        return None;
    };
    let scalar = match param.domain {
        Domain::Integer { .. } => value.parse().ok().map(Scalar::Integer),
        Domain::Number { .. } => value.parse().ok().map(Scalar::Number),
        Domain::Word(_) | Domain::Numbers | Domain::Metric => Some(Scalar::Word(value.to_owned())),
        Domain::Flag => value.parse().ok().map(Scalar::Flag),
    };
    let accepted = scalar.and_then(|scalar| param.domain.accept(&scalar));
    if accepted.is_none() {
        let mistake = Mistake::at(span, format!("`{name}` cannot be `{value}`"));
        errors.push(mistake.label(format!("expected {}", param.domain)));
    }
    accepted
}

/// At the scale of the document every published value must speak of a point.
fn check_match(row: &Row<'_>, claim: &PointClaim, checked: &Checked<'_>, errors: &mut Errors) {
    let Parts { series, points, .. } = checked.parts;
    let found = || points.iter().any(|point| claim.speaks_of(series[point.series].label, point));
    let curve = curve(&claim.series).is_some();
    if checked.complete && !curve && !found() {
        let title =
            format!("no point of the series `{}` is at `{}`", claim.series, row.get("at").0);
        errors.push(Mistake::at(row.get("at").1, title));
    }
}
