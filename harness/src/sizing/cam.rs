//! The CAM that holds the overflow list.

use loadfactor_schemes::math::bisect::smallest;
use loadfactor_schemes::math::poisson;
use loadfactor_schemes::tables::theory::multilevel::{Estimate, InsertionRule, rare_event};

use super::budget::Budget;
use super::passage::{self, Sought};
use super::{Definition, Error, FiniteTable, List, Passage, Places, Question};

/// How large the CAM has to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cam {
    /// Elements that it has to hold.
    pub places: Places,
    /// Probability that the list is longer: when it is looked at, or at some time in the operations asked for; `None`
    /// where that was not found out.
    pub failure: Option<f64>,
    /// The size if the list were a Poisson number of the same mean.
    pub poisson_size: u32,
    /// Probability that the list is longer than that, likewise.
    pub poisson_failure: Option<f64>,
    /// How it was measured; `None` where it follows from a law of the list.
    pub passage: Option<Passage>,
}

impl Cam {
    /// The smallest CAM that is too small with at most the probability asked for, never larger than the
    /// longest list that there can be.
    pub(super) fn for_question(question: &Question, list: &List, longest: u32) -> Self {
        let failure = question.cam_failure;
        let span = Span { operations: question.operations, elements: question.elements };
        let exceeds = |k: u32| if k < longest { list.exceeds(k) } else { 0.0 };
        let failing = |k: u32| span.failure(k, exceeds);
        let size = smallest(longest, |k| failing(k) <= failure);
        let poisson_size = poisson_size(question, list.mean(), longest);
        Self {
            places: Places::known(size),
            failure: Some(failing(size)),
            poisson_size,
            poisson_failure: Some(failing(poisson_size)),
            passage: None,
        }
    }

    /// The CAM under deletions as splitting measures it, of a table with so many elements on its list on average;
    /// `None` where no list gets long enough for that.
    ///
    /// # Errors
    /// As with [`passage::measured`].
    pub(super) fn measured(
        definition: &Definition<'_>,
        question: &Question,
        mean: f64,
        longest: u32,
        budget: Budget<'_>,
    ) -> Result<Option<Self>, Error> {
        let poisson_size = poisson_size(question, mean, longest);
        let sought = Sought { question, mean, longest, poisson_size };
        let Some(passage) = passage::measured(definition, &sought, budget)? else {
            return Ok(None);
        };
        Ok(Some(Self {
            places: passage.places,
            failure: passage.failure.map(|rare| rare.value),
            poisson_size,
            poisson_failure: passage.poisson_failure,
            passage: Some(passage),
        }))
    }

    /// The number of places, or the greatest that it may be.
    pub(super) fn size(&self) -> u32 {
        self.places.cautious()
    }

    /// The probability that it is too small after a static fill, from simulations in which long lists are
    /// likely; `None` where these take long.
    pub(super) fn estimate(
        &self,
        rule: InsertionRule,
        table: &FiniteTable,
        seed: u64,
    ) -> Option<Estimate> {
        let runs = (MOST_STEPS / table.elements).min(MOST_RUNS);
        if runs < LEAST_RUNS || table.buckets.len() > MOST_SUB_TABLES {
            return None;
        }
        rare_event(rule, table.elements, &table.buckets, self.size(), runs, seed).ok()
    }
}

/// The places that a list would need that is a Poisson number of this mean.
fn poisson_size(question: &Question, mean: f64, longest: u32) -> u32 {
    let span = Span { operations: question.operations, elements: question.elements };
    let failing = |k: u32| span.failure(k, |k| poisson::exceeds(mean, k));
    smallest(longest, |k| failing(k) <= question.cam_failure)
}

/// How long the CAM is to last.
#[derive(Debug, Clone, Copy)]
struct Span {
    /// Deletions, each followed by an insertion; none where the list is looked at once.
    operations: u64,
    /// n.
    elements: u32,
}

impl Span {
    /// A bound of the probability that the list is longer than `k` at the begin or after one of the
    /// operations, in equilibrium.
    ///
    /// A list that gets longer than `k` has been longer at the begin, or grows from `k` to `k + 1` at some time. In
    /// equilibrium it grows so as often as it shrinks from `k + 1` to `k`, and for that one of its elements has
    /// to be deleted: with the probability `(k + 1)/n` in each operation that finds the list so long.
    fn failure(self, k: u32, exceeds: impl Fn(u32) -> f64) -> f64 {
        let beyond = exceeds(k);
        let next = (beyond - exceeds(k + 1)).max(0.0);
        let shrinks = f64::from(k + 1) / f64::from(self.elements) * next;
        (beyond + self.operations as f64 * shrinks).min(1.0)
    }
}

/// Insertions of all runs together.
const MOST_STEPS: u32 = 2_000_000;
const MOST_RUNS: u32 = 400;
const LEAST_RUNS: u32 = 50;
/// Beyond, the outcomes of an insertion are too many.
const MOST_SUB_TABLES: usize = 4;

#[cfg(test)]
mod tests {
    use super::super::budget::Budget;
    use super::super::chain::OneChoice;
    use super::super::definition::{Definition, Layout};
    use super::super::observation::observe;
    use super::super::smaller::list_of;
    use super::super::{Kind, Seen};
    use super::*;
    use loadfactor_schemes::tables::sizing::SizedFor;

    /// Watched for many lifetimes, the table shows how long its list gets far beyond what is ever seen.
    #[test]
    fn a_simulated_list_under_deletions_has_the_cam_of_its_law() {
        let law = OneChoice { n: 20, m: 60 }.equilibrium();
        let exceeds = |k: u32| law.iter().skip(k as usize + 1).sum::<f64>();
        let definition = Definition {
            kind: Kind { scheme: "multiple", bucket_size: 1 },
            elements: 20,
            layout: Layout::SubTables(&[60]),
            workload: SizedFor::Alternation,
            trials: 20,
            cam_size: 1,
            seed: 1,
        };
        let sample = observe(&definition, 100_000, Budget::unlimited()).unwrap();
        let seen = Seen::of_itself(sample.clone());
        let list = list_of(&definition, &seen, Budget::unlimited()).unwrap();
        let mean: f64 = law.iter().enumerate().map(|(k, p)| k as f64 * p).sum();
        let seen = sample.mean();
        assert!((seen.value - mean).abs() < 4.0 * seen.error, "{seen:?} {mean}");
        for failure in [1e-3, 1e-6, 1e-9] {
            let known = smallest(20, |k| exceeds(k) <= failure);
            let found = smallest(20, |k| list.exceeds(k) <= failure);
            assert!((known..=known + 2).contains(&found), "{failure}: {found} {known}");
        }
    }

    #[test]
    fn the_bound_over_operations_is_kept_and_close() {
        let table = OneChoice { n: 20, m: 60 };
        let law = table.equilibrium();
        let exceeds = |k: u32| law.iter().skip(k as usize + 1).sum::<f64>();
        let operations = 200;
        let span = Span { operations, elements: 20 };
        for k in 11..=14 {
            let bound = span.failure(k, exceeds);
            let exceeded = table.exceeded(k, operations);
            assert!(exceeded <= bound * (1.0 + 1e-9) + 1e-12, "{k}: {exceeded} {bound}");
            assert!(exceeded > 0.5 * bound, "{k}: {exceeded} {bound}");
            assert!(bound > 10.0 * exceeds(k), "{k}: {bound}");
        }
    }
}
