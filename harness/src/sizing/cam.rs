//! The CAM that holds the overflow list.

use loadfactor_schemes::math::bisect::smallest;
use loadfactor_schemes::math::poisson;
use loadfactor_schemes::tables::theory::multilevel::{Estimate, InsertionRule, rare_event};

use super::{FiniteTable, List, Question};

/// How large the CAM has to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cam {
    /// Elements that it has to hold.
    pub size: u32,
    /// Probability that the list is longer: when it is looked at, or at some time in the operations asked for.
    pub failure: f64,
    /// The size if the list were a Poisson number of the same mean.
    pub poisson_size: u32,
    /// Probability that the list is longer than that.
    pub poisson_failure: f64,
}

impl Cam {
    /// The smallest CAM that is too small with at most the probability asked for, never larger than the
    /// longest list that there can be.
    pub(super) fn for_question(question: &Question, list: &List, longest: u32) -> Self {
        let failure = question.cam_failure;
        let span = Span { operations: question.operations, elements: question.elements };
        let exceeds = |k: u32| if k < longest { list.exceeds(k) } else { 0.0 };
        let failing = |k: u32| span.failure(k, exceeds);
        let mean = list.mean();
        let by_poisson = |k: u32| span.failure(k, |k| poisson::exceeds(mean, k));
        let size = smallest(longest, |k| failing(k) <= failure);
        let poisson_size = smallest(longest, |k| by_poisson(k) <= failure);
        Self { size, failure: failing(size), poisson_size, poisson_failure: failing(poisson_size) }
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
        rare_event(rule, table.elements, &table.buckets, self.size, runs, seed).ok()
    }
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
    use super::super::definition::{Definition, Layout};
    use super::super::observation::observe;
    use super::super::smaller::list_of;
    use super::super::{Kind, Seen};
    use super::*;
    use loadfactor_schemes::tables::sizing::SizedFor;

    /// One choice among `m` buckets of one element, `n` elements: the list is a Markov chain, which is followed
    /// from its equilibrium through all operations.
    struct OneChoice {
        n: usize,
        m: usize,
    }

    impl OneChoice {
        /// The law after a round, where lists above `most` are forgotten.
        fn round(&self, law: &[f64], most: usize) -> Vec<f64> {
            let mut next = vec![0.0; law.len()];
            for (list, p) in law.iter().enumerate() {
                let listed = list as f64 / self.n as f64;
                for (deleted, left) in [(listed, list.wrapping_sub(1)), (1.0 - listed, list)] {
                    if deleted * p > 0.0 {
                        let stored = self.n - 1 - left;
                        let full = stored as f64 / self.m as f64;
                        next[left] += p * deleted * (1.0 - full);
                        next[left + 1] += p * deleted * full;
                    }
                }
            }
            next.iter_mut().skip(most + 1).for_each(|p| *p = 0.0);
            next
        }
    }

    impl OneChoice {
        /// The law of the list in equilibrium.
        fn equilibrium(&self) -> Vec<f64> {
            let mut law = vec![0.0; self.n + 2];
            law[0] = 1.0;
            (0..2000).for_each(|_| law = self.round(&law, self.n));
            law
        }
    }

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
            let mut within = law.clone();
            within.iter_mut().skip(k as usize + 1).for_each(|p| *p = 0.0);
            (0..operations).for_each(|_| within = table.round(&within, k as usize));
            let exceeded = 1.0 - within.iter().sum::<f64>();
            assert!(exceeded <= bound * (1.0 + 1e-9) + 1e-12, "{k}: {exceeded} {bound}");
            assert!(exceeded > 0.5 * bound, "{k}: {exceeded} {bound}");
            assert!(bound > 10.0 * exceeds(k), "{k}: {bound}");
        }
    }
}
