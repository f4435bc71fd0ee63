//! What the document printed, beside what was found here.

use loadfactor_schemes::families;
use loadfactor_schemes::family::CurveInfo;

use super::agreement::{Agreement, ErrorUnit, Ours};
use super::number::{number, short_error};
use super::points::points_of;
use super::results::Results;
use crate::definition::{
    Claim, Counterpart, Derivation, DerivedClaim, LargestError, PointClaim, Published,
};
use crate::derived::DerivedRow;
use crate::estimate::comparison::Subject;

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
    /// From ours to the further end of its 95 % confidence interval, for a measurement.
    pub half_width: Option<f64>,
    /// Whether the two are the same at the printed precision.
    pub verdict: Agreement,
}

impl PublishedRow<'_> {
    /// Ours in the unit in which the document prints its own: a share in per cent where it does so.
    pub fn ours_as_printed(&self) -> Option<String> {
        let (factor, unit) = self.unit();
        self.ours.map(|ours| number(factor * ours) + unit)
    }

    /// How far the further end of our interval is, in that unit.
    pub fn half_width_as_printed(&self) -> Option<String> {
        let (factor, unit) = self.unit();
        self.half_width.map(|half| short_error(factor * half) + unit)
    }

    /// The unit of the printed value, and how many of it make 1.
    fn unit(&self) -> (f64, &'static str) {
        if self.published.printed_value().contains('%') { (100.0, "%") } else { (1.0, "") }
    }
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
    let ours = if results.experiment.altered { Ours::default() } else { ours };
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
    let x = claim.at.number(curve.x).ok()?;
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
        Counterpart::Predicted(kind) => Ours::predicted(subject.predicted(claim.metric, kind)),
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
            let unit = unit_of_largest_error(results, row);
            Ours::measured(Some(estimate.value), estimate.half_width).largest_error(unit)
        }
        Counterpart::Predicted(kind) => Ours::predicted(row.prediction(*kind)),
    }
}

/// The unit of a row that is the largest of errors, and not the place of it.
fn unit_of_largest_error(results: &Results<'_>, row: &DerivedRow) -> Option<ErrorUnit> {
    let derived = results.experiment.derived.iter().find(|derived| derived.name == row.name)?;
    match &derived.derivation {
        Derivation::LargestError(LargestError { of, relative, .. })
            if of.to_string() == row.quantity =>
        {
            Some(if *relative { ErrorUnit::Prediction } else { ErrorUnit::Quantity })
        }
        _ => None,
    }
}
