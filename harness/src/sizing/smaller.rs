//! Smaller tables of the same kind, of which more is seen in the same time.
//!
//! The cumulants of the overflow list grow in proportion to the table, so that their ratios are those of a small
//! one. Of n elements, as many operations show n times fewer lifetimes.

use super::definition::Layout;
use super::observation::observe;
use super::{Definition, Error, List, Sample};
use crate::run::Progress;

/// Elements of which a smaller table has about as many. The ratios then are right to some parts in a thousand.
const ELEMENTS: u32 = 5_000;

/// Buckets that a sub-table of the smaller table has at least, so that rounding does not matter.
const LEAST_BUCKETS: u32 = 50;

/// A table of the same proportions.
#[derive(Debug, Clone, PartialEq)]
struct Smaller {
    elements: u32,
    buckets: Vec<u32>,
    /// How many times as small it is.
    by: u32,
}

impl Smaller {
    /// `None` where the table is small itself, or has so small a sub-table that its share would change.
    fn of(definition: &Definition<'_>) -> Option<Self> {
        let by = definition.elements / ELEMENTS;
        let buckets = match definition.layout {
            Layout::SubTables(buckets) => buckets.to_vec(),
            Layout::OneTable { buckets, .. } => vec![buckets],
        };
        let kept = buckets.iter().all(|&buckets| buckets >= by.saturating_mul(LEAST_BUCKETS));
        let part = |whole: u32| (f64::from(whole) / f64::from(by)).round() as u32;
        (by > 1 && kept).then(|| Self {
            elements: part(definition.elements),
            buckets: buckets.into_iter().map(part).collect(),
            by,
        })
    }

    fn definition<'s>(&'s self, of: &Definition<'s>) -> Definition<'s> {
        let layout = match of.layout {
            Layout::SubTables(_) => Layout::SubTables(&self.buckets),
            Layout::OneTable { choices, .. } => {
                Layout::OneTable { buckets: self.buckets.iter().sum(), choices }
            }
        };
        Definition { elements: self.elements, layout, ..*of }
    }
}

/// The law of the list of this table, of which a sample was seen, with what a smaller table says of its shape.
///
/// # Errors
/// As with [`observe`].
pub(super) fn list_of(
    definition: &Definition<'_>,
    list: &Sample,
    progress: &dyn Progress,
) -> Result<List, Error> {
    let Some(smaller) = Smaller::of(definition) else {
        return Ok(List::of_simulation(list, None));
    };
    let trials = list.trials * u64::from(smaller.by);
    let shape = observe(&smaller.definition(definition), trials, progress)?;
    Ok(List::of_simulation(list, Some(&shape)))
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;
    use crate::run::Silent;
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
        let sample = observe(&definition, 200, &Silent).unwrap();
        let list = list_of(&definition, &sample, &Silent).unwrap();
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
