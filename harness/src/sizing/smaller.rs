//! Smaller tables of the same kind, of which more is seen in the same time.
//!
//! The cumulants of the overflow list grow in proportion to the table, so that their ratios are those of a small
//! one. Of n elements, as many operations show n times fewer lifetimes.

use super::budget::Budget;
use super::definition::Layout;
use super::observation::observe_in_time;
use super::{Definition, Error, List, Seen};

/// Elements of which a smaller table has about as many. The ratios then are right to some parts in a thousand.
const ELEMENTS: u32 = 5_000;

/// Elements beyond which a table is not simulated itself: a few lifetimes of it take longer than many of a smaller
/// one.
const LARGE: u32 = 50_000;

/// Elements of the table that is simulated in its place.
const IN_ITS_PLACE: u32 = 20_000;

/// Buckets that a sub-table of the smaller table has at least, so that rounding does not matter.
const LEAST_BUCKETS: u32 = 50;

/// Whether a table of so many elements is known by smaller ones alone.
pub(super) fn is_large(elements: u32) -> bool {
    elements > LARGE
}

/// A table of the same proportions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Smaller {
    pub(super) elements: u32,
    pub(super) buckets: Vec<u32>,
    /// How many times as small it is.
    by: u32,
}

impl Smaller {
    /// `None` where the table is small itself, or has so small a sub-table that its share would change.
    fn of(definition: &Definition<'_>) -> Option<Self> {
        let by = definition.elements / ELEMENTS;
        let smaller = Self::smaller_by(definition, by);
        (by > 1 && smaller.buckets.iter().all(|&buckets| buckets >= LEAST_BUCKETS))
            .then_some(smaller)
    }

    /// What is simulated in place of a large table; as large as its smallest sub-table asks for. `None` where the table
    /// is not large.
    pub(super) fn in_place_of(definition: &Definition<'_>) -> Option<Self> {
        let least = match definition.layout {
            Layout::SubTables(buckets) => buckets.iter().copied().min().unwrap_or(0),
            Layout::OneTable { buckets, .. } => buckets,
        };
        let by = (definition.elements / IN_ITS_PLACE).min(least / LEAST_BUCKETS);
        (is_large(definition.elements) && by > 1).then(|| Self::smaller_by(definition, by))
    }

    fn smaller_by(definition: &Definition<'_>, by: u32) -> Self {
        let buckets = match definition.layout {
            Layout::SubTables(buckets) => buckets.to_vec(),
            Layout::OneTable { buckets, .. } => vec![buckets],
        };
        let part = |whole: u32| (f64::from(whole) / f64::from(by.max(1))).round() as u32;
        let elements = part(definition.elements);
        Self { elements, buckets: buckets.into_iter().map(part).collect(), by }
    }

    pub(super) fn definition<'s>(&'s self, of: &Definition<'s>) -> Definition<'s> {
        let layout = match of.layout {
            Layout::SubTables(_) => Layout::SubTables(&self.buckets),
            Layout::OneTable { choices, .. } => {
                Layout::OneTable { buckets: self.buckets.iter().sum(), choices }
            }
        };
        Definition { elements: self.elements, layout, ..*of }
    }
}

/// The law of the list of this table, of which something was seen, with what a smaller table says of its shape.
///
/// # Errors
/// As with [`observe_in_time`], but for the time: without it, the shape is the one that was seen.
pub(super) fn list_of(
    definition: &Definition<'_>,
    seen: &Seen,
    budget: Budget<'_>,
) -> Result<List, Error> {
    let Some(smaller) = Smaller::of(definition) else {
        return Ok(List::of_simulation(seen, None));
    };
    let by = (seen.sample.elements / smaller.elements).max(1);
    let trials = seen.sample.trials * u64::from(by);
    match observe_in_time(&smaller.definition(definition), trials, budget) {
        Ok(shape) => Ok(List::of_simulation(seen, Some(&shape))),
        Err(Error::OutOfTime { .. }) => Ok(List::of_simulation(seen, None)),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::observation::observe;
    use super::*;
    use loadfactor_schemes::math::bisect::smallest;
    use loadfactor_schemes::tables::sizing::SizedFor;
    use loadfactor_schemes::tables::theory::multilevel::standard_law;

    fn definition(elements: u32, buckets: &[u32]) -> Definition<'_> {
        Definition {
            kind: Kind { scheme: "multiple", bucket_size: 1 },
            elements,
            layout: Layout::SubTables(buckets),
            workload: SizedFor::Alternation,
            trials: 20,
            cam_size: 1,
            seed: 1,
        }
    }

    /// Static fills of a table whose law is known, large enough that the shape of its list is that of a smaller one.
    /// From as few trials as are seen of large tables, mean and variance alone were far off.
    #[test]
    fn a_smaller_table_tells_how_long_the_list_of_a_large_one_gets() {
        let buckets = [9_000, 5_000, 3_000];
        let law = standard_law(20_000, &buckets).unwrap().overflow;
        let definition =
            Definition { workload: SizedFor::StaticFill, ..definition(20_000, &buckets) };
        let sample = observe(&definition, 200, Budget::unlimited()).unwrap();
        let seen = Seen::of_itself(sample);
        let list = list_of(&definition, &seen, Budget::unlimited()).unwrap();
        for failure in [1e-3, 1e-9] {
            let known = smallest(20_000, |k| law.exceeds(k) <= failure);
            let found = smallest(20_000, |k| list.exceeds(k) <= failure);
            let beyond = (f64::from(found) - f64::from(known)) / law.variance().sqrt();
            assert!((-0.1..0.8).contains(&beyond), "{failure}: {found} {known}");
        }
    }

    #[test]
    fn a_smaller_table_has_the_same_proportions() {
        let smaller = Smaller::of(&definition(100_000, &[60_000, 40_020])).unwrap();
        assert_eq!(smaller, Smaller { elements: 5_000, buckets: vec![3_000, 2_001], by: 20 });
    }

    #[test]
    fn neither_small_tables_nor_small_sub_tables_are_made_smaller() {
        assert_eq!(Smaller::of(&definition(9_999, &[9_000, 3_000])), None);
        assert_eq!(Smaller::of(&definition(100_000, &[100_000, 900])), None);
    }
}
