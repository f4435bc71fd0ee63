//! Coordinates that no point of a series has, beside the values that its points have.

use std::collections::BTreeSet;
use std::fmt;

use loadfactor_schemes::params::Scalar;

use super::derivation::{Coordinates, Derivation, Operand, abscissa};
use super::point::Point;

/// Values that are told at most.
const MOST_TOLD: usize = 12;

/// The first coordinate that leaves no point.
#[derive(Debug, Clone, PartialEq)]
pub struct Unmet {
    name: String,
    wanted: Scalar,
    /// What the points have that meet the coordinates before it, in their order.
    values: Vec<String>,
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, wanted, values } = self;
        write!(f, "`{name} = {wanted}` is not among its values")?;
        match values.len() {
            0 => write!(f, ": it has none"),
            all if all > MOST_TOLD => {
                write!(f, ", of which there are {all}: {}, …", values[..MOST_TOLD].join(", "))
            }
            _ => write!(f, ": {}", values.join(", ")),
        }
    }
}

impl Coordinates {
    /// The first coordinate that none of these points has beside those before it; `None` where a point has all.
    pub fn unmet<'p>(&self, points: impl Iterator<Item = &'p Point>) -> Option<Unmet> {
        let mut left: Vec<&Point> = points.collect();
        for coordinate in &self.0 {
            let (name, wanted) = coordinate;
            let only = Self(vec![coordinate.clone()]);
            let meeting: Vec<&Point> =
                left.iter().copied().filter(|point| only.hold(point)).collect();
            if meeting.is_empty() {
                let values = values(&left, name);
                return Some(Unmet { name: name.clone(), wanted: wanted.clone(), values });
            }
            left = meeting;
        }
        None
    }
}

/// The values of the points in this column or along this axis, each once.
fn values(points: &[&Point], name: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let value = |point: &&Point| {
        let along_axis = || abscissa(point, name).map(|value| value.to_string());
        point.value(name).map(|value| value.to_string()).or_else(along_axis)
    };
    points.iter().filter_map(value).filter(|value| seen.insert(value.clone())).collect()
}

impl Derivation {
    /// The series without a point at the coordinates, and the coordinate that leaves none.
    pub fn unmet(&self, points: &[Point]) -> Option<(usize, Unmet)> {
        let (series, at) = self.places()?;
        series.into_iter().find_map(|series| {
            let own = points.iter().filter(|point| point.series == series);
            Some((series, at.unmet(own)?))
        })
    }

    /// The series whose points are asked, and where.
    fn places(&self) -> Option<(Vec<usize>, &Coordinates)> {
        let of = |operands: &[Operand]| {
            let series = |operand: &Operand| match operand {
                Operand::Series(series) => Some(*series),
                Operand::Curve(_) | Operand::Derived(_) => None,
            };
            operands.iter().filter_map(series).collect()
        };
        match self {
            Self::Ratio(pair) | Self::Difference(pair) => Some((of(&pair.operands), &pair.at)),
            Self::Order { operands, at, .. } => Some((of(operands), at)),
            Self::Extreme(extreme) => Some((vec![extreme.series], &extreme.at)),
            Self::LargestError(largest) => Some((largest.series.clone(), &largest.at)),
            Self::Optimum(_) | Self::PoissonTail { .. } => None,
        }
    }
}
