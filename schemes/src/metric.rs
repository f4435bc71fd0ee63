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
    /// Variance over the trials of the overflow list's length at the end of a trial, in elements².
    OverflowVariance,
    /// Arriving elements that went to the overflow list, as a share of all arrivals.
    ArrivalOverflowFraction,
    /// Buckets read per arriving element, a.
    AccessesPerInsertion,
    /// Elements moved from bucket to bucket, per arriving element.
    MovesPerInsertion,
    /// Elements moved from bucket to bucket, per departing element.
    MovesPerDeletion,
    /// Arrivals for which an element was lost, as the overflow list was full, as a share of all
    /// arrivals.
    LostFraction,
    /// Trials in which an element was lost, as a share of all trials.
    FailureFraction,
    /// Elements moved back from the overflow list to a bucket, per departing element.
    MovesBackPerDeletion,
    /// Look-ups in the auxiliary CAM for an element to move back, per departing element.
    CamLookupsPerDeletion,
    /// Entries of the auxiliary CAM that hold a bucket.
    CamEntries,
    /// Entries that the primary CAM needs: the greatest extent of those in use.
    CamExtent,
    /// Most elements in one bucket.
    MaxLoad,
    /// Elements that arrive per slot.
    ArrivalsPerSlot,
    /// Elements in the system, where their number varies, N.
    SystemElements,
    /// Elements expected on the overflow list if each number in the system came with the overflow
    /// fraction of a constant load.
    HeuristicOverflowElements,
    /// Arrivals whose key is already stored by another element, as a share of all arrivals.
    RepeatedKeyFraction,
    /// Share of buckets that hold exactly this many elements.
    Occupancy(u16),
    /// Elements in this sub-table, counted from 1, as a share of its places.
    SubTableLoad(u16),
    /// Share of the time with a number in the system in the interval that begins here.
    SystemShare(u16),
    /// Overflow fraction while the number in the system is in the interval that begins here.
    OverflowFractionAt(u16),
    /// Trials that end with at most this many elements on the overflow list, as a share of all
    /// trials.
    OverflowAtMost(u16),
    /// Elements in this sub-table, counted from 1, at the end of a trial.
    SubTableElements(u16),
    /// Variance over the trials of their number, in elements².
    SubTableVariance(u16),
    /// Trials that end with at most this many elements in the sub-table that is looked at, as a
    /// share of all trials.
    SubTableElementsAtMost(u16),
}

/// A family of quantities that differ by a number.
struct Family {
    /// The name of the family as a whole.
    name: &'static str,
    /// What is measured, and what the number counts, as they are written on axes.
    labels: [&'static str; 2],
    /// The name before the number.
    prefix: &'static str,
    /// The name after it.
    suffix: &'static str,
    member: fn(u16) -> Metric,
    /// The greatest number.
    last: u16,
}

const FAMILIES: [Family; 8] = [
    Family {
        name: "occupancy",
        labels: ["Fraction of buckets", "Elements in the bucket"],
        prefix: "occupancy_",
        suffix: "",
        member: Metric::Occupancy,
        last: 255,
    },
    Family {
        name: "subtable_load",
        labels: ["Load of the sub-table", "Sub-table"],
        prefix: "subtable_",
        suffix: "_load",
        member: Metric::SubTableLoad,
        last: 1024,
    },
    Family {
        name: "system_share",
        labels: ["Share of the time", "Elements in the system"],
        prefix: "system_share_",
        suffix: "",
        member: Metric::SystemShare,
        last: u16::MAX,
    },
    Family {
        name: "overflow_fraction_at",
        labels: ["Overflow fraction γ", "Elements in the system"],
        prefix: "overflow_fraction_at_",
        suffix: "",
        member: Metric::OverflowFractionAt,
        last: u16::MAX,
    },
    Family {
        name: "overflow_at_most",
        labels: ["Fraction of trials with at most so many", "Elements on the overflow list"],
        prefix: "overflow_at_most_",
        suffix: "",
        member: Metric::OverflowAtMost,
        last: u16::MAX,
    },
    Family {
        name: "subtable_elements",
        labels: ["Elements in the sub-table", "Sub-table"],
        prefix: "subtable_",
        suffix: "_elements",
        member: Metric::SubTableElements,
        last: 1024,
    },
    Family {
        name: "subtable_variance",
        labels: ["Variance of the elements in the sub-table", "Sub-table"],
        prefix: "subtable_",
        suffix: "_variance",
        member: Metric::SubTableVariance,
        last: 1024,
    },
    Family {
        name: "subtable_elements_at_most",
        labels: ["Fraction of trials with at most so many", "Elements in the sub-table"],
        prefix: "subtable_elements_at_most_",
        suffix: "",
        member: Metric::SubTableElementsAtMost,
        last: u16::MAX,
    },
];

impl Metric {
    /// Every quantity without a number in its name, in the order of the table.
    pub const NAMED: [Metric; 18] = [
        Metric::OverflowFraction,
        Metric::OverflowElements,
        Metric::OverflowVariance,
        Metric::ArrivalOverflowFraction,
        Metric::AccessesPerInsertion,
        Metric::MovesPerInsertion,
        Metric::MovesPerDeletion,
        Metric::LostFraction,
        Metric::FailureFraction,
        Metric::MovesBackPerDeletion,
        Metric::CamLookupsPerDeletion,
        Metric::CamEntries,
        Metric::CamExtent,
        Metric::MaxLoad,
        Metric::ArrivalsPerSlot,
        Metric::SystemElements,
        Metric::HeuristicOverflowElements,
        Metric::RepeatedKeyFraction,
    ];

    /// What is measured, as it is written on an axis.
    pub fn label(&self) -> String {
        match self {
            Metric::OverflowFraction => "Overflow fraction γ".into(),
            Metric::OverflowElements => "Elements on the overflow list".into(),
            Metric::OverflowVariance => "Variance of the overflow list's length".into(),
            Metric::ArrivalOverflowFraction => "Fraction of arrivals that overflow".into(),
            Metric::AccessesPerInsertion => "Accesses per insertion a [buckets]".into(),
            Metric::MovesPerInsertion => "Moves per insertion".into(),
            Metric::MovesPerDeletion => "Moves per deletion".into(),
            Metric::LostFraction => "Fraction of arrivals with a loss".into(),
            Metric::FailureFraction => "Fraction of trials with a loss".into(),
            Metric::MovesBackPerDeletion => "Elements moved back per deletion".into(),
            Metric::CamLookupsPerDeletion => "Look-ups in the auxiliary CAM per deletion".into(),
            Metric::CamEntries => "Entries of the auxiliary CAM in use".into(),
            Metric::CamExtent => "Entries that the primary CAM needs".into(),
            Metric::MaxLoad => "Most elements in one bucket".into(),
            Metric::ArrivalsPerSlot => "Arrivals per slot".into(),
            Metric::SystemElements => "Elements in the system".into(),
            Metric::HeuristicOverflowElements => {
                "Elements on the overflow list, from constant loads".into()
            }
            Metric::RepeatedKeyFraction => "Fraction of arrivals with a stored key".into(),
            Metric::Occupancy(k) => format!("Fraction of buckets with {k} elements"),
            Metric::SubTableLoad(i) => format!("Load of sub-table {i}"),
            Metric::SystemShare(n) => format!("Share of the time with {n} elements or some more"),
            Metric::OverflowFractionAt(n) => {
                format!("Overflow fraction γ with {n} elements or some more")
            }
            Metric::OverflowAtMost(k) => {
                format!("Fraction of trials with at most {k} elements on the overflow list")
            }
            Metric::SubTableElements(i) => format!("Elements in sub-table {i}"),
            Metric::SubTableVariance(i) => format!("Variance of the elements in sub-table {i}"),
            Metric::SubTableElementsAtMost(x) => {
                format!("Fraction of trials with at most {x} elements in the sub-table")
            }
        }
    }

    /// Whether the quantity is a share between 0 and 1.
    pub fn is_fraction(&self) -> bool {
        match self {
            Metric::OverflowFraction
            | Metric::ArrivalOverflowFraction
            | Metric::LostFraction
            | Metric::FailureFraction
            | Metric::RepeatedKeyFraction
            | Metric::Occupancy(_)
            | Metric::SubTableLoad(_)
            | Metric::SystemShare(_)
            | Metric::OverflowFractionAt(_)
            | Metric::OverflowAtMost(_)
            | Metric::SubTableElementsAtMost(_) => true,
            Metric::OverflowElements
            | Metric::OverflowVariance
            | Metric::AccessesPerInsertion
            | Metric::MovesPerInsertion
            | Metric::MovesPerDeletion
            | Metric::MovesBackPerDeletion
            | Metric::CamLookupsPerDeletion
            | Metric::CamEntries
            | Metric::CamExtent
            | Metric::MaxLoad
            | Metric::ArrivalsPerSlot
            | Metric::SystemElements
            | Metric::HeuristicOverflowElements
            | Metric::SubTableElements(_)
            | Metric::SubTableVariance(_) => false,
        }
    }

    /// The metric with the number 0 of the family of this name, such as `overflow_fraction_at`.
    pub fn of_family(name: &str) -> Option<Self> {
        let family = FAMILIES.iter().find(|family| family.name == name)?;
        Some((family.member)(0))
    }

    /// The names of the families of quantities that differ by a number.
    pub fn families() -> impl Iterator<Item = &'static str> {
        FAMILIES.iter().map(|family| family.name)
    }

    /// What the quantities of its family are, and what their number counts, as they are written on
    /// axes.
    pub fn family_labels(&self) -> Option<[&'static str; 2]> {
        self.family().map(|(family, _)| family.labels)
    }

    /// The number in the name, and the metric with the number 0 of the same family.
    pub fn numbered(&self) -> Option<(Metric, u16)> {
        self.family().map(|(family, number)| ((family.member)(0), number))
    }

    fn family(&self) -> Option<(&'static Family, u16)> {
        let (family, number) = match *self {
            Metric::Occupancy(k) => (0, k),
            Metric::SubTableLoad(i) => (1, i),
            Metric::SystemShare(n) => (2, n),
            Metric::OverflowFractionAt(n) => (3, n),
            Metric::OverflowAtMost(k) => (4, k),
            Metric::SubTableElements(i) => (5, i),
            Metric::SubTableVariance(i) => (6, i),
            Metric::SubTableElementsAtMost(x) => (7, x),
            _ => return None,
        };
        Some((&FAMILIES[family], number))
    }

    fn name(&self) -> &'static str {
        match self {
            Metric::OverflowFraction => "overflow_fraction",
            Metric::OverflowElements => "overflow_elements",
            Metric::OverflowVariance => "overflow_variance",
            Metric::ArrivalOverflowFraction => "arrival_overflow_fraction",
            Metric::AccessesPerInsertion => "accesses_per_insertion",
            Metric::MovesPerInsertion => "moves_per_insertion",
            Metric::MovesPerDeletion => "moves_per_deletion",
            Metric::LostFraction => "lost_fraction",
            Metric::FailureFraction => "failure_fraction",
            Metric::MovesBackPerDeletion => "moves_back_per_deletion",
            Metric::CamLookupsPerDeletion => "cam_lookups_per_deletion",
            Metric::CamEntries => "cam_entries",
            Metric::CamExtent => "cam_extent",
            Metric::MaxLoad => "max_load",
            Metric::ArrivalsPerSlot => "arrivals_per_slot",
            Metric::SystemElements => "system_elements",
            Metric::HeuristicOverflowElements => "heuristic_overflow_elements",
            Metric::RepeatedKeyFraction => "repeated_key_fraction",
            Metric::Occupancy(_)
            | Metric::SubTableLoad(_)
            | Metric::SystemShare(_)
            | Metric::OverflowFractionAt(_)
            | Metric::OverflowAtMost(_)
            | Metric::SubTableElements(_)
            | Metric::SubTableVariance(_)
            | Metric::SubTableElementsAtMost(_) => {
                self.family().map_or("", |(family, _)| family.prefix)
            }
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.family() {
            Some((family, number)) => f.pad(&format!("{}{number}{}", family.prefix, family.suffix)),
            None => f.pad(self.name()),
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
        let member = |family: &Family| {
            let rest = name.strip_prefix(family.prefix)?.strip_suffix(family.suffix)?;
            let number: u16 = rest.parse().ok()?;
            (number <= family.last).then(|| (family.member)(number))
        };
        Metric::NAMED
            .into_iter()
            .find(|metric| metric.name() == name)
            .or_else(|| FAMILIES.iter().find_map(member))
            .ok_or_else(|| UnknownMetric(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_its_metric() {
        let numbered = FAMILIES.iter().flat_map(|family| [0, family.last].map(family.member));
        for metric in Metric::NAMED.into_iter().chain(numbered) {
            assert_eq!(metric.to_string().parse(), Ok(metric));
        }
        for family in FAMILIES {
            assert_eq!(Metric::of_family(family.name), Some((family.member)(0)));
        }
        assert!("occupancy_256".parse::<Metric>().is_err());
        assert!("overflow".parse::<Metric>().is_err());
    }
}
