//! Quantities made of several points: ratios, orders, extremes, largest errors, optima.

use std::collections::BTreeSet;

use loadfactor_schemes::family::CurveInfo;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::prediction::Kind;

use super::condition::Condition;
use super::point::{Point, same};

/// A `[[derived]]` table.
#[derive(Debug, Clone, PartialEq)]
pub struct Derived {
    /// Its name, as a document might say it.
    pub name: String,
    /// How it is made.
    pub derivation: Derivation,
}

/// How a derived quantity is made.
#[derive(Debug, Clone, PartialEq)]
pub enum Derivation {
    /// The first value divided by the second.
    Ratio(Pair),
    /// The first value less the second.
    Difference(Pair),
    /// The share of steps at which the quantity falls, from each series to the next.
    Order {
        /// From the one said to be greatest to the one said to be least.
        operands: Vec<Operand>,
        /// The quantity.
        of: Metric,
        /// Where.
        at: Coordinates,
    },
    /// The least or greatest x of a series with a property.
    Extreme(Extreme),
    /// The largest distance of measurements from predictions.
    LargestError(LargestError),
    /// What the family of a series computes as best.
    Optimum(Optimum),
    /// The probability that a Poisson number of this mean is above the limit.
    PoissonTail {
        /// The mean.
        mean: f64,
        /// The limit.
        above: u32,
    },
}

impl Derivation {
    /// The quantities that it yields from these points; `None` where only its family knows them.
    pub(super) fn quantities(&self, points: &[Point]) -> Option<BTreeSet<String>> {
        Some(match self {
            Self::Ratio(pair) | Self::Difference(pair) => BTreeSet::from([pair.of.clone()]),
            Self::Order { of, .. } => BTreeSet::from([of.to_string()]),
            Self::Extreme(extreme) => BTreeSet::from([extreme.x.clone()]),
            Self::LargestError(largest) => {
                let own = points.iter().filter(|point| largest.series.contains(&point.series));
                let params = own.flat_map(|point| point.params.iter());
                params.map(|(name, _)| name.to_owned()).chain([largest.of.to_string()]).collect()
            }
            Self::PoissonTail { .. } => BTreeSet::from(["probability".to_owned()]),
            Self::Optimum(_) => return None,
        })
    }

    /// Whether it is the ratio or difference of this point and another value.
    pub(super) fn pairs(&self, point: &Point) -> bool {
        let (Self::Ratio(pair) | Self::Difference(pair)) = self else { return false };
        pair.operands.contains(&Operand::Series(point.series)) && pair.at.hold(point)
    }
}

/// Two values that are held against each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The quantity: a metric, or one that a derived quantity yields.
    pub of: String,
    /// The two.
    pub operands: [Operand; 2],
    /// Where on each series.
    pub at: Coordinates,
}

/// Something that has a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// The one point of this series, by its index, at the coordinates.
    Series(usize),
    /// A curve of theory, at the x of the first operand.
    Curve(CurveName),
    /// A derived quantity that stands further up.
    Derived(String),
}

/// A curve of theory, told apart by its name.
#[derive(Debug, Clone, Copy)]
pub struct CurveName(pub &'static CurveInfo);

impl PartialEq for CurveName {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

/// The least or greatest x of a series with a property.
#[derive(Debug, Clone, PartialEq)]
pub struct Extreme {
    /// A parameter, a column or a place along an axis.
    pub x: String,
    /// Index of the series.
    pub series: usize,
    /// Which of its points.
    pub at: Coordinates,
    /// The property.
    pub condition: Condition,
    /// Whether the greatest is asked for.
    pub greatest: bool,
}

/// The largest distance of measurements from predictions.
#[derive(Debug, Clone, PartialEq)]
pub struct LargestError {
    /// The quantity.
    pub of: Metric,
    /// Indices of the series.
    pub series: Vec<usize>,
    /// Which of their points.
    pub at: Coordinates,
    /// What the prediction must meet.
    pub condition: Option<Condition>,
    /// The kind of the predictions.
    pub against: Kind,
    /// Whether distances are divided by the prediction.
    pub relative: bool,
}

/// What the family of a series computes as best.
#[derive(Debug, Clone, PartialEq)]
pub struct Optimum {
    /// Index of the series; its first point is asked.
    pub series: usize,
    /// What is to be least.
    pub least: String,
    /// What is held.
    pub of: String,
    /// The most that it may be.
    pub at_most: f64,
    /// Whether what can be chosen is equal everywhere instead of best.
    pub equal: bool,
}

/// The values of parameters, columns and places that a point must have.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Coordinates(pub Vec<(String, Scalar)>);

/// How far a place along an axis may be from the coordinate that names it, relative: structures are made of
/// whole things, so that 1.2 places per element may be 1.1998.
const ROUNDED: f64 = 2e-3;

impl Coordinates {
    /// Whether the point has them.
    pub fn hold(&self, point: &Point) -> bool {
        self.0.iter().all(|(name, wanted)| {
            let is = |own: Scalar| same(&numeric(own), &numeric(wanted.clone()));
            point.value(name).is_some_and(is) || self::is_near(point, name, wanted)
        })
    }
}

fn is_near(point: &Point, name: &str, wanted: &Scalar) -> bool {
    let near = |(own, wanted): (f64, f64)| (own - wanted).abs() <= ROUNDED * wanted.abs();
    abscissa(point, name).zip(wanted.as_number()).is_some_and(near)
}

/// The point's value along an axis: a parameter, a column or a place.
pub fn abscissa(point: &Point, name: &str) -> Option<f64> {
    let column = || point.case.columns().into_iter().find(|(own, _)| *own == name)?.1;
    let value = point.value(name).or_else(column);
    value.and_then(|value| value.as_number()).or_else(|| point.case.place(name))
}

/// Whole numbers as numbers, so that `load = 1` is the load 1.0.
fn numeric(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::Integer(whole) => Scalar::Number(whole as f64),
        other => other,
    }
}
