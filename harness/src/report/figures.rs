//! From an experiment's points to its figures.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::iter;

use rayon::prelude::*;

use loadfactor_schemes::case::Case;
use loadfactor_schemes::family::CurveInfo;
use loadfactor_schemes::metric::{Metric, Numbers};
use loadfactor_schemes::params::{Domain, Scalar};
use loadfactor_schemes::prediction::Kind;

use super::between::{Gaps, Spacing};
use super::figure::{self, Axis, Curve, Figure, Measured, Scale};
use super::fitted;
use super::fixed;
use super::joined::{Vertex, joined};
use super::looks::Looks;
use super::names::{introduction, label, parameter};
use super::number::number;
use super::ratio::ratio;
use super::results::Results;
use super::spot::{Place, Spot, kind_of_line};
use super::tails;
use crate::definition::{
    AxisDef, AxisScale, FigureDef, Line, NUMBER, Point, PublishedValues, lines, place_along,
};
use crate::estimate::comparison::Subject;

/// Vertices of a curve of theory.
const CURVE_STEPS: u32 = 200;

/// Draws one figure of the experiment, of which `gaps` has the predictions between points.
pub fn draw(results: &Results<'_>, definition: &FigureDef, gaps: &Gaps, footer: &str) -> Figure {
    let published = results.experiment.published_values();
    let sketch = Sketch { results, definition, published, gaps };
    let mut series = sketch.series();
    let mut curves = sketch.curves(&series);
    curves.extend(sketch.approximations());
    curves.extend(sketch.bounds());
    curves.extend(sketch.fitted(&series));
    if Metric::family(&definition.y.column).is_some() {
        tails::cut(&mut series, &mut curves);
    }
    let prediction = sketch.prediction_label();
    let title = definition.title.clone();
    let origins = sketch.origins();
    let mut y = axis(&definition.y, &definition.y, &origins);
    if definition.from_limit && definition.y.label.is_none() {
        y.label = format!("{}: distance from the limit", y.label);
    }
    if !definition.ratio_to.is_empty() {
        y.percent = false;
        if definition.y.label.is_none() {
            y.label = format!("{}: ratio", y.label);
        }
    }
    Figure {
        title: title.unwrap_or_else(|| results.experiment.title.clone()),
        subtitle: sketch.subtitle(),
        prediction,
        x: axis(&definition.x, &definition.y, &origins),
        y,
        series,
        curves,
        footer: footer.to_owned(),
    }
}

/// The predictions between points that the figures of the experiment show.
pub fn gaps(results: &Results<'_>) -> Gaps {
    let asked_of = |gaps: &Gaps, definition: &FigureDef| {
        let published = results.experiment.published_values();
        let sketch = Sketch { results, definition, published, gaps };
        // The lines themselves are drawn once everything between their points is known.
        let _ = (sketch.series(), sketch.approximations(), sketch.bounds());
    };
    let figures = &results.experiment.figures;
    Gaps::new(results.experiment, |gaps| {
        figures.par_iter().for_each(|definition| asked_of(gaps, definition));
    })
}

/// A scheme under a workload, which declare the parameters of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Origin<'p> {
    scheme: &'p str,
    workload: &'p str,
}

impl<'p> Origin<'p> {
    fn of(point: &'p Point) -> Self {
        Self { scheme: &point.scheme, workload: &point.workload }
    }
}

fn axis(definition: &AxisDef, y: &AxisDef, origins: &[Origin<'_>]) -> Axis {
    let numbers =
        |column: &str| -> Option<&'static Numbers> { Metric::family(column)?.numbers.as_ref() };
    let family = Metric::family(&definition.column).map(|info| Metric::new(info, 0));
    let metric = definition.column.parse::<Metric>().ok().or(family);
    let labels = numbers(&y.column).map(|numbers| numbers.labels);
    let label = definition.label.clone().unwrap_or_else(|| match (metric, labels) {
        (_, Some([label, _])) if family.is_some() => label.to_owned(),
        (_, Some([_, number])) => number.to_owned(),
        (Some(metric), None) => metric.label(),
        (None, None) => self::label(origins.iter().map(|own| own.scheme), &definition.column),
    });
    let scale = match definition.scale {
        AxisScale::Linear => Scale::Linear,
        AxisScale::Log => Scale::Log,
        AxisScale::Probit => Scale::Probit,
    };
    let percent = metric.is_some_and(Metric::is_fraction);
    let whole = definition.column == NUMBER || is_whole(origins, &definition.column);
    Axis { label, scale, range: definition.range, percent, whole }
}

/// Whether it is a parameter of whole numbers.
fn is_whole(origins: &[Origin<'_>], column: &str) -> bool {
    let declared = |own: &Origin<'_>| parameter(own.scheme, own.workload, column);
    let mut declared = origins.iter().filter_map(declared).peekable();
    declared.peek().is_some() && declared.all(|own| matches!(own.domain, Domain::Integer { .. }))
}

struct Sketch<'r> {
    results: &'r Results<'r>,
    definition: &'r FigureDef,
    published: PublishedValues<'r>,
    gaps: &'r Gaps,
}

impl Sketch<'_> {
    fn series(&self) -> Vec<figure::Series> {
        let (mut series, mut lines) = (Vec::new(), Vec::new());
        for index in self.shown() {
            let own = self.lines(index);
            series.extend(iter::repeat_n(index, own.len()));
            lines.extend(own);
        }
        let styles = Looks::new(self.results.experiment).of_lines(&series);
        let styled = lines.into_iter().zip(styles);
        styled.map(|(line, style)| figure::Series { style, ..line }).collect()
    }

    /// The lines of a series, divided by those of another where the figure is of ratios.
    fn lines(&self, series: usize) -> Vec<figure::Series> {
        let shown = &self.definition.series;
        let place = shown.iter().position(|&own| own == series);
        let below = place.and_then(|place| self.definition.ratio_to.get(place));
        let lines = self.lines_of(series);
        let Some(&divisor) = below else { return lines };
        let below = self.lines_of(divisor);
        // Each has its own one below, or all have the same: the definition was checked for it.
        let below = below.iter().cycle();
        lines.into_iter().zip(below).map(|(line, below)| ratio(line, below)).collect()
    }

    /// The points of the series shown.
    fn points(&self) -> impl Iterator<Item = &Point> {
        self.results.experiment.points.iter().filter(|point| self.shows(point.series))
    }

    /// Where all that is drawn comes from.
    fn origins(&self) -> Vec<Origin<'_>> {
        let origins: BTreeSet<Origin<'_>> = self.points().map(Origin::of).collect();
        origins.into_iter().collect()
    }

    /// What is the same for all that is drawn.
    fn subtitle(&self) -> String {
        fixed::in_short(&self.points().collect::<Vec<_>>(), &self.definition.x.column)
    }

    /// The lines of one series.
    fn lines_of(&self, series: usize) -> Vec<figure::Series> {
        let subjects = self.results.subjects_of(series);
        let points: Vec<&Point> = subjects.iter().map(|subject| self.point(subject)).collect();
        let FigureDef { x, y, .. } = self.definition;
        let name = &self.results.experiment.series[series];
        let drawn = |line: Line<'_>| {
            let own: Vec<&Subject> = line.places.iter().map(|&place| &subjects[place]).collect();
            self.line(label_of(name, &line), &own)
        };
        lines(&points, [&x.column, &y.column]).into_iter().map(drawn).collect()
    }

    fn line(&self, label: String, subjects: &[&Subject]) -> figure::Series {
        let spots: Vec<Spot<'_>> =
            subjects.iter().flat_map(|subject| self.spots(subject)).collect();
        let mut measured: Vec<Measured> = spots.iter().filter_map(Spot::measured).collect();
        measured.sort_by(|a, b| a.x.total_cmp(&b.x));
        let kind = kind_of_line(&spots);
        let predicted = self.vertices(subjects, |spot| spot.predicted(kind?));
        let published = spots.iter().filter_map(|spot| self.published(spot)).collect();
        figure::Series { label, style: figure::Style::default(), measured, predicted, published }
    }

    /// The vertices of a line through what theory says of these points, and between them where there is
    /// something between them; the others stand alone, and where it says nothing the line is broken.
    fn vertices(
        &self,
        subjects: &[&Subject],
        predicted: impl Fn(&Spot<'_>) -> Option<f64>,
    ) -> Vec<(f64, f64)> {
        let vertex = |spot: &Spot<'_>| Some((spot.predicted_x()?, predicted(spot)));
        let mut ends: Vec<(Vertex, &Subject)> = Vec::new();
        for &subject in subjects {
            let vertices = self.spots(subject).iter().filter_map(vertex).collect::<Vec<_>>();
            ends.extend(vertices.into_iter().map(|vertex| (vertex, subject)));
        }
        if ends.iter().all(|((_, predicted), _)| predicted.is_none()) {
            return Vec::new();
        }
        ends.sort_by(|a, b| a.0.0.total_cmp(&b.0.0));
        let spacing = match self.definition.x.scale {
            AxisScale::Log => Spacing::Geometric,
            AxisScale::Linear | AxisScale::Probit => Spacing::Even,
        };
        let inner = |a: &Subject, b: &Subject| -> Option<Vec<Vertex>> {
            let is_gap = a.point != b.point;
            let gap = is_gap.then(|| self.gaps.between(a.point, b.point, spacing)).flatten()?;
            let spots =
                gap.iter().flat_map(|between| self.spots_at(&between.subject, &between.point));
            Some(spots.filter_map(|spot| vertex(&spot)).collect())
        };
        let between: Vec<_> = ends.windows(2).map(|pair| inner(pair[0].1, pair[1].1)).collect();
        let ends: Vec<Vertex> = ends.into_iter().map(|(vertex, _)| vertex).collect();
        joined(&ends, &between)
    }

    /// What is drawn of a point: one metric, or each of a family.
    fn spots<'s>(&self, subject: &'s Subject) -> Vec<Spot<'s>> {
        self.spots_at(subject, self.point(subject))
    }

    fn spots_at<'s>(&self, subject: &'s Subject, point: &Point) -> Vec<Spot<'s>> {
        let column = &self.definition.y.column;
        let Some(family) = Metric::family(column) else {
            let spot = self.place(point).zip(column.parse().ok());
            return spot.and_then(|(x, y)| self.spot(subject, x, y)).into_iter().collect();
        };
        let measured = subject.measured.iter().map(|(metric, _)| *metric);
        let predicted = subject.predictions.iter().map(|prediction| prediction.metric);
        let all: BTreeSet<Metric> = measured.chain(predicted).collect();
        let spot = |y: Metric| {
            let number = y.number().filter(|_| y.is_like(Metric::new(family, 0)))?;
            self.spot(subject, Place::Parameter(number.into()), y)
        };
        all.into_iter().filter_map(spot).collect()
    }

    /// A spot, if what it is measured from is known.
    fn spot<'s>(&self, subject: &'s Subject, x: Place, y: Metric) -> Option<Spot<'s>> {
        let limit = subject.predicted(y, Kind::Asymptotic).filter(|_| self.definition.from_limit);
        let known = limit.is_some() || !self.definition.from_limit;
        known.then_some(Spot { subject, x, y, limit })
    }

    /// What the lines are.
    fn prediction_label(&self) -> String {
        let mut kinds: Vec<Kind> = self
            .shown()
            .filter_map(|series| {
                let subjects = self.results.subjects_of(series).iter();
                kind_of_line(&subjects.flat_map(|subject| self.spots(subject)).collect::<Vec<_>>())
            })
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        let words = kinds.iter().map(|kind| match kind {
            Kind::Asymptotic => "limit for n → ∞",
            Kind::Approximate => "approximate model",
            kind => kind.name(),
        });
        match words.collect::<Vec<_>>().join(" or ") {
            none if none.is_empty() => "prediction".to_owned(),
            kinds => format!("prediction, {kinds}"),
        }
    }

    /// The published value of y at this spot; where x is a metric, its published value if there
    /// is one, else the predicted one.
    fn published(&self, spot: &Spot<'_>) -> Option<(f64, f64)> {
        let value = |metric: Metric| {
            let point = self.point(spot.subject);
            self.published.find(point, metric).map(|published| published.value)
        };
        if spot.limit.is_some() || !self.definition.ratio_to.is_empty() {
            return None;
        }
        let y = value(spot.y)?;
        let x = match spot.x {
            Place::Parameter(x) => x,
            Place::Metric(metric) => value(metric).or_else(|| spot.predicted_x())?,
        };
        Some((x, y))
    }

    fn curves(&self, series: &[figure::Series]) -> Vec<Curve> {
        let extent = self.extent(series).filter(|_| !self.definition.lines.is_empty());
        let Some((low, high)) = extent else { return Vec::new() };
        let places = self.places(low, high);
        let cases = self.cases_of_curves(low);
        let varies = |name: &str, x: f64| {
            let mut own = cases.iter().flat_map(|(parameters, _)| parameters);
            own.any(|&(other, value)| other == name && value != x)
        };
        let of_curve = |&curve: &&'static CurveInfo| {
            let drawn = |(parameters, subject): &(Vec<(&str, f64)>, &Subject)| {
                let mut label = curve.label.to_owned();
                let told = parameters.iter().filter(|(name, x)| varies(name, *x));
                label.extend(told.map(|(name, x)| format!(", {name} = {}", number(*x))));
                let vertex = |&x: &f64| Some((x, subject.case.curve(curve.name, x)?));
                Curve { label, points: places.iter().filter_map(vertex).collect() }
            };
            cases.par_iter().map(drawn).collect::<Vec<_>>()
        };
        self.definition.lines.iter().flat_map(of_curve).collect()
    }

    /// The approximate predictions of the series that have better ones.
    fn approximations(&self) -> Vec<Curve> {
        let shown = self.shown().filter(|_| self.definition.approximate);
        let curve = |series: usize| {
            let subjects = self.results.subjects_of(series);
            let spots: Vec<Spot<'_>> =
                subjects.iter().flat_map(|subject| self.spots(subject)).collect();
            let source = spots.iter().find_map(Spot::approximation)?.1;
            let subjects: Vec<&Subject> = subjects.iter().collect();
            let points = self.vertices(&subjects, |spot| Some(spot.approximation()?.0));
            let label = format!("{}, {source}", self.results.experiment.series[series]);
            Some(Curve { label, points })
        };
        shown.filter_map(curve).collect()
    }

    /// The bounds of the series that have some.
    fn bounds(&self) -> Vec<Curve> {
        let shown = self.shown().filter(|_| self.definition.bounds);
        let of_series = |series: usize| {
            let subjects: Vec<&Subject> = self.results.subjects_of(series).iter().collect();
            let name = &self.results.experiment.series[series];
            let bound = |(kind, word): (Kind, &str)| {
                let points = self.vertices(&subjects, |spot| spot.predicted(kind));
                Curve { label: format!("{name}, {word}"), points }
            };
            [(Kind::LowerBound, "lower bound"), (Kind::UpperBound, "upper bound")].map(bound)
        };
        shown.flat_map(of_series).filter(|bound| !bound.points.is_empty()).collect()
    }

    /// The laws that are fitted to what was measured.
    fn fitted(&self, series: &[figure::Series]) -> Vec<Curve> {
        let of_law = |law| {
            series.iter().filter_map(move |line| fitted::curve(law, &line.label, &line.measured))
        };
        self.definition.fitted.iter().flat_map(|&law| of_law(law)).collect()
    }

    /// The range of x that is drawn.
    fn extent(&self, series: &[figure::Series]) -> Option<(f64, f64)> {
        let places = series.iter().flat_map(|s| {
            s.measured.iter().map(|m| m.x).chain(s.predicted.iter().map(|point| point.0))
        });
        let (low, high) = places.fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x), h.max(x)));
        self.definition.x.range.or((low <= high).then_some((low, high)))
    }

    /// Where a curve has vertices: evenly spaced as the axis shows them.
    fn places(&self, low: f64, high: f64) -> Vec<f64> {
        let share = |i: u32| f64::from(i) / f64::from(CURVE_STEPS);
        let at = |i: u32| match self.definition.x.scale {
            AxisScale::Log if low > 0.0 => low * (high / low).powf(share(i)),
            _ => low + (high - low) * share(i),
        };
        (0..=CURVE_STEPS).map(at).collect()
    }

    /// Of the points shown, one for each set of parameters on which curves depend; the last parameter
    /// changes slowest. Points that have no such curve at this x are left out.
    fn cases_of_curves(&self, x: f64) -> Vec<(Vec<(&'static str, f64)>, &Subject)> {
        let shown = self.results.subjects.iter().filter(|s| self.shows(self.point(s).series));
        let mut cases: Vec<_> =
            shown.map(|subject| (subject.case.curve_parameters(), subject)).collect();
        let is_on = |case: &dyn Case| {
            self.definition.lines.iter().any(|curve| case.curve(curve.name, x).is_some())
        };
        cases.retain(|(_, subject)| is_on(&*subject.case));
        cases.sort_by(|(a, _), (b, _)| in_order_of_curves(a, b));
        cases.dedup_by(|a, b| a.0 == b.0);
        cases
    }

    /// The series shown.
    fn shown(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.results.experiment.series.len()).filter(|&series| self.shows(series))
    }

    fn shows(&self, series: usize) -> bool {
        let shown = &self.definition.series;
        shown.is_empty() || shown.contains(&series)
    }

    fn place(&self, point: &Point) -> Option<Place> {
        let column = &self.definition.x.column;
        match column.parse() {
            Ok(metric) => Some(Place::Metric(metric)),
            Err(_) => place_along(point, column).map(Place::Parameter),
        }
    }

    fn point(&self, subject: &Subject) -> &Point {
        &self.results.experiment.points[subject.point]
    }
}

/// The name of a line: that of the series, with what tells it from the other lines.
fn label_of(series: &str, line: &Line<'_>) -> String {
    let said = |(name, value): &(String, Scalar)| {
        format!("{} {value}", introduction(&line.first.scheme, name))
    };
    let settings: Vec<String> = line.settings.iter().map(said).collect();
    match &settings[..] {
        [] => series.to_owned(),
        settings => format!("{series}, {}", settings.join(", ")),
    }
}

/// Parameters of curves by number, then from the last to the first.
fn in_order_of_curves(a: &[(&str, f64)], b: &[(&str, f64)]) -> Ordering {
    let both = a.iter().zip(b).rev();
    let values = both.map(|(a, b)| a.1.total_cmp(&b.1));
    values.fold(a.len().cmp(&b.len()), Ordering::then)
}
