//! What the document printed, beside what was found here.

use std::fmt;

use loadfactor_schemes::families;
use loadfactor_schemes::family::CurveInfo;
use loadfactor_schemes::prediction::Prediction;

use super::points::points_of;
use super::results::Results;
use crate::definition::{Claim, Counterpart, DerivedClaim, PointClaim, PrintedNumber, Published};
use crate::estimate::comparison::Subject;

/// Distance below which two numbers are the same but for rounding, as 1/3 and its decimals: a part of the
/// printed value, which may be as small as a tail probability.
fn rounding(printed: &PrintedNumber) -> f64 {
    1e-16 + 1e-9 * printed.value.abs()
}

/// Whether a printed value is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// Within half a unit of the last printed digit and our confidence interval, which is no wider.
    Met,
    /// Not within half a unit of the last printed digit, but within what the document's own measurement
    /// scatters by.
    WithinScatter,
    /// Further away.
    NotMet,
    /// Not further away, but our interval is wider than the last digit: a longer run decides.
    Undecided,
    /// The printed value may be off by as much as itself: it says nothing.
    NoInformation,
    /// Nothing that is run here can judge it.
    NotTestable,
    /// Nothing to compare with in this run.
    NotRun,
}

impl Agreement {
    /// All of them, in the order of a summary.
    pub const ALL: [Agreement; 7] = [
        Agreement::Met,
        Agreement::WithinScatter,
        Agreement::NotMet,
        Agreement::Undecided,
        Agreement::NoInformation,
        Agreement::NotTestable,
        Agreement::NotRun,
    ];

    /// The word that stands in tables.
    pub fn name(&self) -> &'static str {
        match self {
            Agreement::Met => "met",
            Agreement::WithinScatter => "within scatter",
            Agreement::NotMet => "not met",
            Agreement::Undecided => "undecided",
            Agreement::NoInformation => "no information",
            Agreement::NotTestable => "not testable",
            Agreement::NotRun => "not run",
        }
    }

    /// Whether our value is the printed one. Being imprecise does not help: a wide interval may contradict the
    /// printed value, but not confirm it.
    fn of(printed: &PrintedNumber, ours: &Ours) -> Self {
        let Some(value) = ours.value else { return Agreement::NotRun };
        let (tolerance, room) = (printed.tolerance() + rounding(printed), ours.room());
        if printed.at_most {
            return whole_interval(value - printed.value - tolerance, room);
        }
        if printed.half_unit > 0.0 && printed.tolerance() >= printed.value.abs() {
            return Agreement::NoInformation;
        }
        let distance = (value - printed.value).abs();
        match by_digits(distance, printed.half_unit + rounding(printed), room) {
            Agreement::Met => Agreement::Met,
            _ if printed.scatter > 0.0 => match whole_interval(distance - tolerance, room) {
                Agreement::Met => Agreement::WithinScatter,
                other => other,
            },
            other => other,
        }
    }
}

/// Whether a value so far away is the printed one, up to half a unit of its last digit.
fn by_digits(distance: f64, half_unit: f64, half_width: f64) -> Agreement {
    if distance - half_unit > half_width {
        Agreement::NotMet
    } else if half_width > half_unit {
        Agreement::Undecided
    } else {
        Agreement::Met
    }
}

/// Where the last digit decides nothing, our whole interval must be on one side of the end of what is meant;
/// `beyond` is how far its middle is past it.
fn whole_interval(beyond: f64, half_width: f64) -> Agreement {
    if beyond + half_width <= 0.0 {
        Agreement::Met
    } else if beyond > half_width {
        Agreement::NotMet
    } else {
        Agreement::Undecided
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Our value of what was printed.
#[derive(Debug, Clone, Copy, Default)]
struct Ours {
    value: Option<f64>,
    /// Half-width of the 95 % confidence interval, for a measurement.
    half_width: Option<f64>,
    /// Whether it was measured.
    measured: bool,
}

impl Ours {
    fn predicted(value: Option<f64>) -> Self {
        Self { value, half_width: None, measured: false }
    }

    fn measured(value: Option<f64>, half_width: Option<f64>) -> Self {
        Self { value, half_width, measured: true }
    }

    /// How far the value may be off: a measurement of unknown error by anything.
    fn room(&self) -> f64 {
        self.half_width.unwrap_or(if self.measured { f64::INFINITY } else { 0.0 })
    }
}

/// One printed value and ours.
#[derive(Debug, Clone)]
pub struct PublishedRow<'r> {
    /// What was printed.
    pub published: &'r Published,
    /// The quantity, with the series and the parameters that it speaks of.
    pub quantity: String,
    /// What it is compared with: `measured` or a kind of prediction.
    pub against: &'static str,
    /// Ours.
    pub ours: Option<f64>,
    /// Half-width of our 95 % confidence interval, for a measurement.
    pub half_width: Option<f64>,
    /// Whether the two are the same at the printed precision.
    pub verdict: Agreement,
}

/// Every printed value with its counterpart, in the order of the file.
pub fn published_rows<'r>(results: &'r Results<'_>) -> Vec<PublishedRow<'r>> {
    results.experiment.published.iter().map(|published| row(results, published)).collect()
}

fn row<'r>(results: &'r Results<'_>, published: &'r Published) -> PublishedRow<'r> {
    let (number, counterpart, ours) = match &published.claim {
        Claim::OfPoints(claim) => (&claim.number, claim.counterpart, of_points(results, claim)),
        Claim::Derived(claim) => (&claim.number, claim.counterpart, derived(results, claim)),
        Claim::NotTestable => return not_testable(published),
    };
    PublishedRow {
        published,
        quantity: quantity(&published.claim),
        against: against(counterpart),
        ours: ours.value,
        half_width: ours.half_width,
        verdict: Agreement::of(number, &ours),
    }
}

fn not_testable(published: &Published) -> PublishedRow<'_> {
    PublishedRow {
        published,
        quantity: String::new(),
        against: "",
        ours: None,
        half_width: None,
        verdict: Agreement::NotTestable,
    }
}

fn quantity(claim: &Claim) -> String {
    match claim {
        Claim::OfPoints(PointClaim { metric, series, at, .. }) => {
            let at: Vec<String> =
                at.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            match at.is_empty() {
                true => format!("{metric}, {series}"),
                false => format!("{metric}, {series} ({})", at.join(", ")),
            }
        }
        Claim::Derived(DerivedClaim { name, quantity: Some(quantity), .. }) => {
            format!("{quantity}, {name}")
        }
        Claim::Derived(DerivedClaim { name, .. }) => name.clone(),
        Claim::NotTestable => String::new(),
    }
}

fn against(counterpart: Counterpart) -> &'static str {
    match counterpart {
        Counterpart::Measured => "measured",
        Counterpart::Predicted(kind) => kind.name(),
    }
}

fn of_points(results: &Results<'_>, claim: &PointClaim) -> Ours {
    let curve = families::families().find_map(|family| family.curve(&claim.series));
    match curve {
        Some(curve) => Ours::predicted(on_curve(results, claim, curve)),
        None => subject(results, claim).map_or_else(Ours::default, |s| at_point(s, claim)),
    }
}

fn on_curve(results: &Results<'_>, claim: &PointClaim, curve: &CurveInfo) -> Option<f64> {
    let x = claim.at.number(&curve.x.to_string()).ok()?;
    results.subjects.iter().find_map(|subject| subject.case.curve(curve.name, x))
}

/// The first point that the value speaks of.
fn subject<'r>(results: &'r Results<'_>, claim: &PointClaim) -> Option<&'r Subject> {
    let experiment = results.experiment;
    let series = experiment.series.iter().position(|label| *label == claim.series)?;
    let speaks = |&point: &usize| claim.speaks_of(&claim.series, &experiment.points[point]);
    points_of(experiment, series).find(speaks).map(|point| &results.subjects[point])
}

fn at_point(subject: &Subject, claim: &PointClaim) -> Ours {
    match claim.counterpart {
        Counterpart::Measured => {
            Ours::measured(subject.mean(claim.metric), subject.half_width(claim.metric))
        }
        Counterpart::Predicted(kind) => {
            let same = |p: &&Prediction| p.metric == claim.metric && p.kind == kind;
            let value = subject.predictions.iter().find(same).map(|prediction| prediction.value);
            Ours::predicted(value)
        }
    }
}

fn derived(results: &Results<'_>, claim: &DerivedClaim) -> Ours {
    let DerivedClaim { name, quantity, counterpart, .. } = claim;
    let is_meant = |own: &str| quantity.as_ref().is_none_or(|quantity| quantity == own);
    let row = results.derived.iter().find(|row| row.name == *name && is_meant(&row.quantity));
    let Some(row) = row else { return Ours::default() };
    match counterpart {
        Counterpart::Measured => {
            let Some(estimate) = row.measured else { return Ours::default() };
            Ours::measured(Some(estimate.value), estimate.half_width)
        }
        Counterpart::Predicted(kind) => Ours::predicted(row.prediction(*kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreement(value: f64, half_unit: f64, scatter: f64, ours: Ours) -> Agreement {
        let printed = PrintedNumber { value, half_unit, scatter, at_most: false };
        Agreement::of(&printed, &ours)
    }

    fn measured(value: f64, half_width: f64) -> Ours {
        Ours::measured(Some(value), Some(half_width))
    }

    #[test]
    fn a_wide_interval_never_confirms_a_printed_value() {
        let of = |value, half_width| agreement(0.31, 0.005, 0.0, measured(value, half_width));
        assert_eq!(of(0.312, 0.004), Agreement::Met);
        assert_eq!(of(0.312, 0.006), Agreement::Undecided);
        assert_eq!(of(0.4, 0.006), Agreement::NotMet);
        assert_eq!(of(0.319, 0.005), Agreement::Met);
        assert_eq!(of(0.321, 0.005), Agreement::NotMet);
    }

    #[test]
    fn a_measurement_of_unknown_error_decides_nothing() {
        let unknown = Ours::measured(Some(0.31), None);
        assert_eq!(agreement(0.31, 0.005, 0.0, unknown), Agreement::Undecided);
        let predicted = Ours::predicted(Some(0.31));
        assert_eq!(agreement(0.31, 0.005, 0.0, predicted), Agreement::Met);
    }

    #[test]
    fn beside_the_scatter_of_the_document_the_whole_interval_counts() {
        let of = |value, half_width| agreement(0.31, 0.005, 0.02, measured(value, half_width));
        assert_eq!(of(0.312, 0.004), Agreement::Met);
        assert_eq!(of(0.312, 0.01), Agreement::WithinScatter);
        assert_eq!(of(0.33, 0.004), Agreement::WithinScatter);
        assert_eq!(of(0.33, 0.006), Agreement::Undecided);
        assert_eq!(of(0.345, 0.006), Agreement::NotMet);
    }

    #[test]
    fn a_tolerance_as_large_as_the_value_says_nothing() {
        let of =
            |value, half_unit, scatter| agreement(value, half_unit, scatter, measured(value, 0.0));
        assert_eq!(of(0.0005, 0.00005, 0.0007), Agreement::NoInformation);
        assert_eq!(of(0.0, 0.5, 0.0), Agreement::NoInformation);
        assert_eq!(of(0.0, 0.0, 0.0), Agreement::Met);
    }

    #[test]
    fn tail_probabilities_are_told_apart() {
        let of = |value| agreement(3.77e-15, 5e-18, 0.0, Ours::predicted(Some(value)));
        assert_eq!(of(3.77e-15), Agreement::Met);
        assert_eq!(of(1.32e-15), Agreement::NotMet);
    }

    #[test]
    fn an_upper_end_is_met_by_whole_intervals_alone() {
        let printed = PrintedNumber { value: 0.01, half_unit: 0.001, scatter: 0.0, at_most: true };
        let of = |value, half_width| Agreement::of(&printed, &measured(value, half_width));
        assert_eq!(of(0.004, 0.001), Agreement::Met);
        assert_eq!(of(0.004, 0.01), Agreement::Undecided);
        assert_eq!(of(0.03, 0.01), Agreement::NotMet);
    }

    #[test]
    fn what_was_not_run_is_not_judged() {
        assert_eq!(agreement(0.01, 0.1, 0.0, Ours::default()), Agreement::NotRun);
    }
}
