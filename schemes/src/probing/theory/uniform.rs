//! Uniform probing: each key reads the slots in an order of its own, all m! of them equally likely. Double hashing is
//! as good for m → ∞ (Guibas and Szemerédi, 1978; Lueker and Molodowitch, 1993).

use crate::math::elementary::{exp, exp_m1, ln_1p};

/// Slots read in a look-up of an element: (m + 1)/n·(H_{m+1} − H_{m−n+1}), the mean of what the insertions read. Knuth,
/// "The Art of Computer Programming", volume 3, Section 6.4.
pub fn probes_per_hit(buckets: u32, elements: u32) -> f64 {
    let insertions = (0..elements).map(|before| probes_per_miss(buckets, before));
    insertions.sum::<f64>() / f64::from(elements)
}

/// Slots read in a look-up of an absent key, n < m: (m + 1)/(m − n + 1), there.
pub fn probes_per_miss(buckets: u32, elements: u32) -> f64 {
    (f64::from(buckets) + 1.0) / (f64::from(buckets - elements) + 1.0)
}

/// The limit of [`probes_per_hit`] at load α.
pub fn limit_of_hits(load: f64) -> f64 {
    -ln_1p(-load) / load
}

/// The limit of [`probes_per_miss`] at load α.
pub fn limit_of_misses(load: f64) -> f64 {
    1.0 / (1.0 - load)
}

/// n elements in m slots after R rounds, each of which turns a random element into a tombstone and puts a new one into
/// the first slot of its order that holds none.
///
/// After a deletion m − n + 1 slots hold no element, and each of them is the first with the same probability. So
/// one of the m − n slots that were empty after the fill is still empty with probability (1 − 1/(m − n + 1))^R.
#[derive(Debug, Clone, Copy)]
pub struct Tombstones {
    buckets: f64,
    elements: f64,
    /// The probability that an element of the fill is still there.
    stays: f64,
    /// The probability that a slot that was empty after the fill is so still.
    empty: f64,
    /// Slots read for an element of the fill.
    of_fill: f64,
}

impl Tombstones {
    /// After so many rounds.
    pub fn after(rounds: u32, buckets: u32, elements: u32) -> Self {
        let (m, n) = (f64::from(buckets), f64::from(elements));
        let untouched = |among: f64| match among > 1.0 {
            true => exp(f64::from(rounds) * ln_1p(-1.0 / among)),
            false => 0.0,
        };
        let of_fill = probes_per_hit(buckets, elements);
        Self {
            buckets: m,
            elements: n,
            stays: untouched(n),
            empty: untouched(m - n + 1.0),
            of_fill,
        }
    }

    /// Slots read for an insertion in one of the rounds: (m + 1)/(m − n + 2).
    pub fn probes_per_insertion(&self) -> f64 {
        (self.buckets + 1.0) / (self.buckets - self.elements + 2.0)
    }

    /// Slots read in a look-up of an element: as many as its insertion read, in the fill or in a round.
    pub fn probes_per_hit(&self) -> f64 {
        self.stays * self.of_fill + (1.0 - self.stays) * self.probes_per_insertion()
    }

    /// Slots read in a look-up of an absent key: (m + 1)/(e + 1) with e empty slots. Of the m − n slots each is
    /// taken for empty independently of the others, so that this is an approximation; without any, all m are read.
    pub fn probes_per_miss(&self) -> f64 {
        if self.empty == 0.0 {
            return self.buckets;
        }
        let slots = self.buckets - self.elements + 1.0;
        let some = if self.empty < 1.0 { -exp_m1(slots * ln_1p(-self.empty)) } else { 1.0 };
        ((self.buckets + 1.0) * some / (slots * self.empty)).min(self.buckets)
    }

    /// Tombstones as a share of all slots.
    pub fn tombstone_fraction(&self) -> f64 {
        (self.buckets - self.elements) * (1.0 - self.empty) / self.buckets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From a fill to a table without any empty slot.
    #[test]
    fn misses_grow_to_all_slots() {
        let after = |rounds| Tombstones::after(rounds, 1024, 819).probes_per_miss();
        assert!((after(0) / probes_per_miss(1024, 819) - 1.0).abs() < 1e-12);
        let [few, many, most] = [100, 1000, 8192].map(after);
        assert!(after(0) < few && few < many && many < most, "{few} {many} {most}");
        assert_eq!([most, after(1_000_000)], [1024.0; 2]);
    }
}
