//! The table of Song et al., Section 4.3: each element is hashed to d of m buckets, each with a counter of the
//! elements hashed to it, and is kept in the one with the smallest counter, of equal ones in the first.
//!
//! That a summary says an absent key is there is known exactly, see
//! [`false_positive::of_song`](super::false_positive::of_song), and so is the largest counter, see
//! [`CounterArray`](super::counters::CounterArray) with m counters and d choices. What buckets keep is known in
//! the limit of many buckets: then the counters of an element's buckets are independent, one more than Poisson
//! numbers of mean λ = n·d/m, as far as they count. Elements that share two buckets are left out by this, a fraction
//! of the order d²/m.

use crate::math::demand::Demand;
use crate::math::elementary::{exp_m1, pow};

/// What the buckets keep that keep more than one element: a crisis each.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Crises {
    /// The expected number of buckets with two elements or more.
    pub buckets: f64,
    /// The expected number of elements beyond the first of each bucket.
    pub elements: f64,
    /// How far a table of this size may be from the limit, as a share of it.
    pub allowance: f64,
}

/// A table with its summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// n.
    pub elements: u32,
    /// m.
    pub buckets: u32,
    /// d.
    pub choices: u32,
    /// Beyond it no counter counts: 2^b − 1.
    pub greatest: u32,
}

/// The crises of a table of so many buckets, in the limit of many buckets with λ and d fixed. Where that is
/// small it is about the probability of any.
///
/// ```
/// use loadfactor_schemes::summaries::theory::song::{Size, crises};
///
/// // One choice: buckets keep a Poisson number of elements.
/// let found = crises(Size { elements: 1_000, buckets: 1_000, choices: 1, greatest: 7 });
/// assert!((found.elements - 1_000.0 * (-1.0_f64).exp()).abs() < 1e-9);
/// ```
pub fn crises(size: Size) -> Crises {
    let bucket = Bucket::mean(size);
    let buckets = f64::from(size.buckets);
    Crises {
        buckets: bucket.two_or_more * buckets,
        elements: bucket.beyond_first * buckets,
        allowance: size.allowance(),
    }
}

impl Size {
    /// λ, the mean of a counter.
    fn lambda(&self) -> f64 {
        f64::from(self.elements) * f64::from(self.choices) / f64::from(self.buckets)
    }

    /// Two elements in one bucket share another one with a probability of d²/m at most. That frees each of them of one
    /// counter that would have to be 2 or more for them to stay there, which it is with probability 1 − e^(−λ).
    fn allowance(&self) -> f64 {
        let choices = f64::from(self.choices);
        let shared = choices * choices / f64::from(self.buckets);
        shared / exp_m1(-self.lambda()).powi(2)
    }
}

/// Panels of Simpson's rule over the position of a bucket, which is smooth.
const PANELS: u32 = 1 << 10;

/// What one bucket keeps.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Bucket {
    none: f64,
    one: f64,
    two_or_more: f64,
    beyond_first: f64,
}

impl Bucket {
    /// On average over counters and positions.
    fn mean(size: Size) -> Self {
        let counters = Demand::poisson(size.lambda(), 2).all();
        let mut mean = Self::default();
        for (hashes, &p) in counters.iter().enumerate() {
            let level = hashes.min(size.greatest as usize);
            // The other counters of an element are 1 and more.
            let lower: f64 = counters.iter().take(level.saturating_sub(1)).sum();
            let equal = match level.checked_sub(1) {
                Some(_) if level == size.greatest as usize => 1.0 - lower,
                Some(others) => counters[others],
                None => 0.0,
            };
            let above = (1.0 - lower - equal).max(0.0);
            mean.add(p, &Self::with_hashes(hashes, above, equal, size.choices));
        }
        mean
    }

    /// With so many hashes: `above` and `equal` are the probabilities that another counter of an element is
    /// greater or the same. Averaged over the share of buckets that stand behind this one, which lose where
    /// counters are equal.
    fn with_hashes(hashes: usize, above: f64, equal: f64, choices: u32) -> Self {
        let mut mean = Self::default();
        for i in 0..=PANELS {
            let weight = match i {
                0 | PANELS => 1.0,
                _ if i % 2 == 1 => 4.0,
                _ => 2.0,
            };
            let behind = f64::from(i) / f64::from(PANELS);
            let kept = pow(above + equal * behind, f64::from(choices) - 1.0);
            mean.add(weight / 3.0 / f64::from(PANELS), &Self::of_elements(hashes, kept));
        }
        mean
    }

    /// Each of so many elements is kept with this probability, whatever the others are.
    fn of_elements(elements: usize, kept: f64) -> Self {
        let nothing = Self { none: 1.0, ..Self::default() };
        (0..elements).fold(nothing, |bucket, _| Self {
            none: bucket.none * (1.0 - kept),
            one: bucket.one * (1.0 - kept) + bucket.none * kept,
            two_or_more: bucket.two_or_more + bucket.one * kept,
            beyond_first: bucket.beyond_first + (bucket.one + bucket.two_or_more) * kept,
        })
    }

    fn add(&mut self, weight: f64, other: &Self) {
        self.none += weight * other.none;
        self.one += weight * other.one;
        self.two_or_more += weight * other.two_or_more;
        self.beyond_first += weight * other.beyond_first;
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng as _};

    use super::*;
    use crate::Rng;
    use crate::hash::{Choices, reduce};
    use crate::summaries::pruned::PrunedTable;

    /// Every element is kept once: n/m per bucket.
    #[test]
    fn no_element_is_lost_or_kept_twice() {
        for (elements, buckets, choices) in
            [(1_000, 1_000, 1), (900, 1_000, 2), (10_000, 131_072, 10)]
        {
            let bucket = Bucket::mean(Size { elements, buckets, choices, greatest: 7 });
            let kept = bucket.one + bucket.two_or_more + bucket.beyond_first;
            let expected = f64::from(elements) / f64::from(buckets);
            assert!((kept / expected - 1.0).abs() < 1e-9, "{choices}: {kept} {expected}");
            assert!((bucket.none + bucket.one + bucket.two_or_more - 1.0).abs() < 1e-9);
        }
    }

    /// The means of 200 trials of 2^14 buckets, with their standard errors: buckets that keep more than one element, and
    /// elements beyond the first of each. Counters of one bit tell nothing apart, so that the first bucket wins.
    #[test]
    fn large_tables_are_close_to_the_limit() {
        let buckets = 1 << 14;
        for (elements, choices, bits) in
            [(4_096, 2, 3), (4_096, 3, 3), (8_192, 3, 2), (4_096, 3, 1)]
        {
            let size = Size { elements, buckets, choices, greatest: (1 << bits) - 1 };
            let limit = crises(size);
            let mut table = PrunedTable::new(buckets, elements, choices, bits);
            let (mut rng, trials) = (Rng::seed_from_u64(5), 200);
            let mut found = [0.0; 2];
            for _ in 0..trials {
                table.clear();
                (0..elements).for_each(|own| table.spread(own, Drawn(&mut rng)));
                table.prune(elements);
                let crowded = (0..buckets).filter(|&own| table.elements_in(own) > 1).count();
                found[0] += crowded as f64 / f64::from(trials);
                found[1] += f64::from(table.crisis_elements()) / f64::from(trials);
            }
            for (found, limit) in found.into_iter().zip([limit.buckets, limit.elements]) {
                // Elements that share a bucket are pairs for the most part, about as scattered as a Poisson number.
                let room =
                    4.0 * (1.5 * limit / f64::from(trials)).sqrt() + size.allowance() * limit;
                assert!((found - limit).abs() < room, "{size:?}: {found} {limit} {room}");
            }
        }
    }

    struct Drawn<'r>(&'r mut Rng);

    impl Choices for Drawn<'_> {
        fn next(&mut self, buckets: u32) -> u32 {
            reduce(self.0.next_u64(), buckets)
        }
    }
}
