//! Secondary clustering: keys with one hash value read the slots in one order, and each hash value has an order of its
//! own, all of them equally likely. Knuth's model of quadratic probing: "The Art of Computer Programming", volume 3,
//! Section 6.4, for m → ∞.

use crate::math::elementary::ln_1p;

/// Slots read in a look-up of an element at load α: 1 − ln(1 − α) − α/2.
pub fn probes_per_hit(load: f64) -> f64 {
    1.0 - ln_1p(-load) - load / 2.0
}

/// Slots read in a look-up of an absent key: 1/(1 − α) − ln(1 − α) − α.
pub fn probes_per_miss(load: f64) -> f64 {
    1.0 / (1.0 - load) - ln_1p(-load) - load
}
