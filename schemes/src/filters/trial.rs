//! One trial of a filter.

use super::{Bits, Filter, Size, metrics};
use crate::case::Record;
use crate::hash::{HashSpec, Source};
use crate::keys::{Arrivals, Seeds};
use crate::metric::common;

/// n elements in, q absent keys asked, of a filter with no bit set and of arrivals that were begun.
///
/// A trace that is too short is gone through again under the same hash functions: what is in the
/// filter is asked for with the functions that put it there.
pub(super) fn run<F: Filter, S: Source, A: Arrivals>(
    filter: &F,
    bits: &mut Bits,
    arrivals: &mut A,
    (hash, queries): (&HashSpec, u64),
    seeds: &Seeds,
) -> Outcome {
    let mut source = S::new(hash, seeds.hash);
    let mut repeated = 0;
    for element in 0..filter.size().elements {
        if arrivals.left() == 0 {
            arrivals.next_pass();
        }
        let (key, is_repeated) = arrivals.arrive(element);
        repeated += u64::from(is_repeated);
        filter.insert(bits, source.element(key));
    }
    let (mut asked, mut positive) = (0, 0);
    while asked < queries {
        let Some(key) = arrivals.stranger() else { break };
        positive += u64::from(filter.contains(bits, source.element(key)));
        asked += 1;
    }
    Outcome { repeated, asked, positive }
}

/// What one trial counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Elements whose key an earlier one has.
    pub(super) repeated: u64,
    /// Absent keys that the filter was asked for.
    pub(super) asked: u64,
    /// Those of them to which it said yes.
    pub(super) positive: u64,
}

impl Outcome {
    /// Hands over the readings of the trial.
    pub(super) fn record(&self, size: &Size, bits: &Bits, with_keys: bool, out: &mut dyn Record) {
        let rate = (self.asked > 0).then(|| self.positive as f64 / self.asked as f64);
        out.reading(metrics::FALSE_POSITIVE_RATE, rate);
        let set = bits.count() as f64 / f64::from(size.bits);
        out.reading(metrics::BITS_SET_FRACTION, Some(set));
        if with_keys {
            let repeated = self.repeated as f64 / f64::from(size.elements);
            out.reading(common::REPEATED_KEY_FRACTION, Some(repeated));
        }
        out.end_of_trial();
    }
}
