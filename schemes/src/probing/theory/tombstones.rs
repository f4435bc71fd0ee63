//! Linear probing with tombstones, which use up the empty slots.
//!
//! In each round an element becomes a tombstone and a new one takes the first slot from its hash value on that holds no
//! element. A slot that was never used is taken at the latest when its own hash value comes, so that after R rounds it is still
//! empty with probability (1 − 1/m)^R at most; clusters before it make that sooner. In the end there is no empty slot,
//! and every look-up of an absent key reads all m.

use crate::math::elementary::{exp, ln_1p};

/// Expected number of slots that are still empty after so many rounds, at most: (m − n)·(1 − 1/m)^R. It holds for every scheme
/// whose first slot is chosen evenly and taken if it is empty.
pub fn empty_at_most(rounds: u32, buckets: u32, elements: u32) -> f64 {
    f64::from(buckets - elements) * exp(f64::from(rounds) * ln_1p(-1.0 / f64::from(buckets)))
}

/// Tombstones as a share of all slots, at least.
pub fn fraction_at_least(rounds: u32, buckets: u32, elements: u32) -> f64 {
    let empty = empty_at_most(rounds, buckets, elements);
    (f64::from(buckets - elements) - empty) / f64::from(buckets)
}

/// Slots read by linear probing in a look-up of an absent key, at least: with e empty slots ½·(m/e + 1) if they are
/// spread evenly and more if they are not, and m without any. That is convex in e, so that it may be taken at a bound on
/// the mean of e.
pub fn probes_per_miss_at_least(rounds: u32, buckets: u32, elements: u32) -> f64 {
    let (m, empty) = (f64::from(buckets), empty_at_most(rounds, buckets, elements));
    match empty < 1.0 {
        true => m - 0.5 * empty * (m - 1.0),
        false => 0.5 * (m / empty + 1.0),
    }
}
