//! The measured and predicted quantities, one name per quantity.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A quantity that a trial measures and a prediction may give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Elements on the overflow list divided by all elements, γ.
    OverflowFraction,
    /// Elements on the overflow list.
    OverflowElements,
    /// Arriving elements that went to the overflow list, as a share of all arrivals.
    ArrivalOverflowFraction,
    /// Buckets read per arriving element, a.
    AccessesPerInsertion,
    /// Arrivals whose key is already stored by another element, as a share of all arrivals.
    RepeatedKeyFraction,
    /// Share of buckets that hold exactly this many elements.
    Occupancy(u8),
}

impl Metric {
    /// Every quantity but the occupancies, in the order of the table.
    pub const NAMED: [Metric; 5] = [
        Metric::OverflowFraction,
        Metric::OverflowElements,
        Metric::ArrivalOverflowFraction,
        Metric::AccessesPerInsertion,
        Metric::RepeatedKeyFraction,
    ];

    /// What is measured, as it is written on an axis.
    pub fn label(&self) -> String {
        match self {
            Metric::OverflowFraction => "Overflow fraction γ".into(),
            Metric::OverflowElements => "Elements on the overflow list".into(),
            Metric::ArrivalOverflowFraction => "Fraction of arrivals that overflow".into(),
            Metric::AccessesPerInsertion => "Accesses per insertion a [buckets]".into(),
            Metric::RepeatedKeyFraction => "Fraction of arrivals with a stored key".into(),
            Metric::Occupancy(k) => format!("Fraction of buckets with {k} elements"),
        }
    }

    /// Whether the quantity is a share between 0 and 1.
    pub fn is_fraction(&self) -> bool {
        !matches!(self, Metric::OverflowElements | Metric::AccessesPerInsertion)
    }

    fn name(&self) -> &'static str {
        match self {
            Metric::OverflowFraction => "overflow_fraction",
            Metric::OverflowElements => "overflow_elements",
            Metric::ArrivalOverflowFraction => "arrival_overflow_fraction",
            Metric::AccessesPerInsertion => "accesses_per_insertion",
            Metric::RepeatedKeyFraction => "repeated_key_fraction",
            Metric::Occupancy(_) => "occupancy_",
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Metric::Occupancy(k) => f.pad(&format!("{}{k}", self.name())),
            named => f.pad(named.name()),
        }
    }
}

/// A name that is no metric's.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not the name of a metric")]
pub struct UnknownMetric(pub String);

impl FromStr for Metric {
    type Err = UnknownMetric;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let occupancy = || name.strip_prefix("occupancy_")?.parse().ok().map(Metric::Occupancy);
        Metric::NAMED
            .into_iter()
            .find(|metric| metric.name() == name)
            .or_else(occupancy)
            .ok_or_else(|| UnknownMetric(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_its_metric() {
        for metric in
            Metric::NAMED.into_iter().chain([Metric::Occupancy(0), Metric::Occupancy(255)])
        {
            assert_eq!(metric.to_string().parse(), Ok(metric));
        }
        assert!("occupancy_256".parse::<Metric>().is_err());
        assert!("overflow".parse::<Metric>().is_err());
    }
}
