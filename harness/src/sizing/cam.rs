//! The CAM that holds the overflow list.

use loadfactor_schemes::math::poisson;
use loadfactor_schemes::tables::theory::multilevel::{Estimate, InsertionRule, rare_event};

use super::{FiniteTable, List};

/// How large the CAM has to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cam {
    /// Elements that it has to hold.
    pub size: u32,
    /// Probability that the list is longer.
    pub failure: f64,
    /// The size if the list were a Poisson number of the same mean.
    pub poisson_size: u32,
    /// Probability that the list is longer than that.
    pub poisson_failure: f64,
}

impl Cam {
    /// The smallest CAM that is too small with at most this probability, never larger than the number of
    /// elements.
    pub(super) fn for_failure(list: &List, elements: u32, failure: f64) -> Self {
        let size = list.cam_size(failure).min(elements);
        let poisson_size = poisson::upper_quantile(list.mean(), failure).min(elements);
        let exceeds = |k: u32| if k < elements { list.exceeds(k) } else { 0.0 };
        Self { size, failure: exceeds(size), poisson_size, poisson_failure: exceeds(poisson_size) }
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

/// Insertions of all runs together.
const MOST_STEPS: u32 = 2_000_000;
const MOST_RUNS: u32 = 400;
const LEAST_RUNS: u32 = 50;
/// Beyond, the outcomes of an insertion are too many.
const MOST_SUB_TABLES: usize = 4;
