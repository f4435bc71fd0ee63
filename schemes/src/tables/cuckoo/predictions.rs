//! What the best placement says of cuckoo hashing.

use super::super::outlook;
use super::Cuckoo;
use crate::math::elementary::exp;
use crate::prediction::{Kind, Prediction};
use crate::tables::Process;
use crate::tables::metrics;
use crate::tables::theory::{allocation, cuckoo};

const SOURCE: &str = "best placement";

/// Buckets up to which the best placement is computed for these n and m: the time is proportional
/// to m.
const MOST_BUCKETS: u32 = 1_000_000;

impl Cuckoo {
    /// No element can be in a bucket that it did not choose, so that the best placement of n elements
    /// bounds every process with n elements from below. A static fill that gives up only when there
    /// is no way to make room reaches it: an element that found none would not find one later.
    ///
    /// Large tables stay above the bound of Theorem 6 as well; how far below it the mean of a small one
    /// may be is not known.
    pub(super) fn predictions(&self, process: Process) -> Vec<Prediction> {
        if matches!(process, Process::Open | Process::OnOff { .. }) {
            return Vec::new();
        }
        let reaches_it = process == Process::StaticFill && self.finds_every_way();
        match (self.finite_overflow(), reaches_it) {
            (Some(overflow), true) => [self.exact(overflow), self.limit()].concat(),
            (Some(overflow), false) => vec![lower_bound(overflow, 0.0)],
            (None, true) => [self.limit(), vec![self.limit_as_bound()]].concat(),
            (None, false) => vec![self.limit_as_bound()],
        }
    }

    /// Whether an insertion finds room wherever moves can make it. A walk over single slots with
    /// two choices reads each bucket at most twice before it does.
    fn finds_every_way(&self) -> bool {
        let (limit, m) = (u64::from(self.eviction_limit), u64::from(self.geometry.buckets));
        match self.breadth_first {
            true => limit >= m,
            false => self.choices == 1 || self.has_pairs() && limit >= 2 * m,
        }
    }

    /// Whether elements are edges between single slots.
    pub(super) fn has_pairs(&self) -> bool {
        self.choices == 2 && self.geometry.bucket_size == 1
    }

    /// The overflow fraction of the best placement for these n and m, where it is known.
    fn finite_overflow(&self) -> Option<f64> {
        let (n, m) = (self.geometry.elements, self.geometry.buckets);
        let known = self.has_pairs() && !self.sub_tables && m <= MOST_BUCKETS;
        known.then(|| cuckoo::static_overflow(n.into(), m.into()))
    }

    fn exact(&self, overflow: f64) -> Vec<Prediction> {
        let mut exact = outlook::exact_overflow(overflow, &self.geometry, SOURCE);
        if self.stash_size == Some(0) {
            let (n, m) = (self.geometry.elements, self.geometry.buckets);
            let failure = 1.0 - cuckoo::success(n.into(), m.into());
            exact.push(Prediction::exact(metrics::FAILURE_FRACTION, failure, SOURCE));
        }
        exact
    }

    /// The limit for many buckets, where it is reached. With sub-tables it is the same, as each bucket
    /// is the choice of as many elements.
    fn limit(&self) -> Vec<Prediction> {
        let (d, h) = (self.choices, self.geometry.bucket_size.into());
        let allowance = self.granularity() + self.fluctuation(allocation::threshold(d, h));
        outlook::overflow_limit(self.least_overflow(), &self.geometry, SOURCE, allowance).to_vec()
    }

    fn limit_as_bound(&self) -> Prediction {
        lower_bound(self.least_overflow(), self.granularity())
    }

    fn least_overflow(&self) -> f64 {
        let h = self.geometry.bucket_size.into();
        allocation::least_overflow(self.geometry.load(), h, self.choices)
    }

    /// How far the mean overflow fraction of a finite table may be below the limit: 1/m, some three
    /// times what simulations of tables from 8 buckets on show, most of it with two choices of single
    /// slots in sub-tables.
    fn granularity(&self) -> f64 {
        1.0 / f64::from(self.geometry.buckets)
    }

    /// How far it may be above the limit near the threshold, where some tables have an overflow and
    /// others do not. With a normal excess of mean μ and deviation σ, what is positive of it is
    /// on average at most σ·φ(μ/σ) more than the limit max(μ, 0). Other choices for one element
    /// change the overflow by one at most, hence σ² ≤ 1/(2n) (Efron and Stein). Below the threshold
    /// μ is taken to be as far from 0 as it is above, at the same distance.
    fn fluctuation(&self, threshold: f64) -> f64 {
        let deviation = (0.5 / f64::from(self.geometry.elements)).sqrt();
        let distance = (self.geometry.load() - threshold).abs();
        let h = self.geometry.bucket_size.into();
        let excess = allocation::least_overflow(threshold + distance, h, self.choices);
        let z = excess / deviation;
        deviation * exp(-0.5 * z * z) / std::f64::consts::TAU.sqrt()
    }
}

fn lower_bound(value: f64, allowance: f64) -> Prediction {
    let kind = Kind::LowerBound;
    Prediction { kind, allowance, ..Prediction::exact(metrics::OVERFLOW_FRACTION, value, SOURCE) }
}
