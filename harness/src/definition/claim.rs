//! What a document prints, as `published.csv` lists it.

use std::collections::{BTreeMap, BTreeSet};

use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::{Params, Scalar};
use loadfactor_schemes::prediction::Kind;

use super::point::{Point, same};
use super::printed::PrintedNumber;

/// What a published value is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counterpart {
    /// The paper simulated or measured it: compare with our measurement.
    Measured,
    /// The paper computed it: compare with our prediction of this kind.
    Predicted(Kind),
}

/// A row of `published.csv`: what the document prints.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// Its id, unique in the file.
    pub id: String,
    /// Where it is printed, such as `VIII-A, Fig. 4`.
    pub place: String,
    /// The number or words, as printed.
    pub printed: String,
    /// What it says.
    pub claim: Claim,
    /// Remark of the one who entered it; why nothing can judge it, where nothing can.
    pub note: String,
}

/// What a row of `published.csv` says.
#[derive(Debug, Clone, PartialEq)]
pub enum Claim {
    /// A number of points of a series, or of a curve of theory.
    OfPoints(PointClaim),
    /// A number of a derived quantity.
    Derived(DerivedClaim),
    /// Nothing that is run here can judge it.
    NotTestable,
}

/// A number that is printed of points of a series, or of a curve of theory.
#[derive(Debug, Clone, PartialEq)]
pub struct PointClaim {
    /// Which points it speaks of: those of this series …
    pub series: String,
    /// … whose parameters have these values.
    pub at: Params,
    /// The quantity.
    pub metric: Metric,
    /// The number.
    pub number: PrintedNumber,
    /// What it is compared with.
    pub counterpart: Counterpart,
}

/// A number that is printed of a derived quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct DerivedClaim {
    /// The name of the `[[derived]]` table.
    pub name: String,
    /// The quantity, where it yields several.
    pub quantity: Option<String>,
    /// The number.
    pub number: PrintedNumber,
    /// What it is compared with.
    pub counterpart: Counterpart,
}

impl Published {
    /// The number or words as the document has them, without what is known here of their scatter.
    pub fn printed_value(&self) -> &str {
        self.printed.split('±').next().unwrap_or_default().trim_end()
    }

    /// What it says of points, if it does.
    fn of_points(&self) -> Option<&PointClaim> {
        match &self.claim {
            Claim::OfPoints(claim) => Some(claim),
            Claim::Derived(_) | Claim::NotTestable => None,
        }
    }
}

impl PointClaim {
    /// Whether the published value speaks of this point of the series `series`.
    pub fn speaks_of(&self, series: &str, point: &Point) -> bool {
        let equal =
            |name: &str, value: &Scalar| point.value(name).is_some_and(|own| same(&own, value));
        self.series == series && self.at.iter().all(|(name, value)| equal(name, value))
    }
}

/// What a document published, by series and quantity.
#[derive(Debug)]
pub struct PublishedValues<'e> {
    series: &'e [String],
    /// Measured values before computed ones, in the order of the file.
    values: BTreeMap<(&'e str, Metric), Vec<&'e PointClaim>>,
}

impl<'e> PublishedValues<'e> {
    /// The rows of an experiment whose series have these labels.
    pub(super) fn new(series: &'e [String], published: &'e [Published]) -> Self {
        let mut values = BTreeMap::<_, Vec<&PointClaim>>::new();
        for claim in published.iter().filter_map(Published::of_points) {
            values.entry((claim.series.as_str(), claim.metric)).or_default().push(claim);
        }
        let computed = |claim: &&PointClaim| claim.counterpart != Counterpart::Measured;
        values.values_mut().for_each(|of_quantity| of_quantity.sort_by_key(computed));
        Self { series, values }
    }

    /// The quantities of which a value is printed.
    pub fn metrics(&self) -> BTreeSet<Metric> {
        self.values.keys().map(|(_, metric)| *metric).collect()
    }

    /// The value printed of this quantity at this point: a measured one before a computed one.
    pub fn find(&self, point: &Point, metric: Metric) -> Option<&'e PrintedNumber> {
        let series = self.series.get(point.series)?;
        let of_quantity = self.values.get(&(series.as_str(), metric))?;
        let claim = of_quantity.iter().find(|claim| claim.speaks_of(series, point));
        claim.map(|claim| &claim.number)
    }
}
