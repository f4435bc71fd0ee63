//! The table of Song et al., Section 4.3: each element is hashed to d of m buckets, each with a counter of the
//! elements hashed to it, and is kept in the one with the smallest counter, of equal ones in the first.
//!
//! That a summary says an absent key is there is known exactly, see
//! [`false_positive::of_song`](super::false_positive::of_song), and so is the largest counter, see
//! [`CounterArray`](super::counters::CounterArray) with m counters and d choices. What buckets keep is known in
//! the limit of many buckets: then the counters of an element's buckets are independent, one more than Poisson
//! numbers of mean λ = n·d/m. Elements that share two buckets are left out by this, a fraction of the order
//! d²/m.

use crate::math::demand::Demand;
use crate::math::elementary::pow;

/// What the buckets keep that keep more than one element: a crisis each.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Crises {
    /// The expected number of buckets with two elements or more.
    pub buckets: f64,
    /// The expected number of elements beyond the first of each bucket.
    pub elements: f64,
}

/// The crises of a table of so many buckets, in the limit of many buckets with λ and d fixed. Where that is
/// small it is about the probability of any.
///
/// ```
/// use loadfactor_schemes::summaries::theory::song::crises;
///
/// // One choice: buckets keep a Poisson number of elements.
/// let found = crises(1_000, 1_000, 1);
/// assert!((found.elements - 1_000.0 * (-1.0_f64).exp()).abs() < 1e-9);
/// ```
pub fn crises(elements: u32, buckets: u32, choices: u32) -> Crises {
    let bucket = Bucket::mean(elements, buckets, choices);
    Crises {
        buckets: bucket.two_or_more * f64::from(buckets),
        elements: bucket.beyond_first * f64::from(buckets),
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
    fn mean(elements: u32, buckets: u32, choices: u32) -> Self {
        let lambda = f64::from(elements) * f64::from(choices) / f64::from(buckets);
        let counters = Demand::poisson(lambda, 2).all();
        let mut mean = Self::default();
        let mut above: f64 = 1.0;
        for (counter, &p) in counters.iter().enumerate() {
            // The other counters of an element are 1 and more.
            let equal = if counter == 0 { 0.0 } else { counters[counter - 1] };
            above -= equal;
            mean.add(p, &Self::of_counter(counter, above.max(0.0), equal, choices));
        }
        mean
    }

    /// Of a given counter: `above` and `equal` are the probabilities that another counter of an element is
    /// greater or the same. Averaged over the share of buckets that stand behind this one, which lose where
    /// counters are equal.
    fn of_counter(counter: usize, above: f64, equal: f64, choices: u32) -> Self {
        let mut mean = Self::default();
        for i in 0..=PANELS {
            let weight = match i {
                0 | PANELS => 1.0,
                _ if i % 2 == 1 => 4.0,
                _ => 2.0,
            };
            let behind = f64::from(i) / f64::from(PANELS);
            let kept = pow(above + equal * behind, f64::from(choices) - 1.0);
            mean.add(weight / 3.0 / f64::from(PANELS), &Self::of_elements(counter, kept));
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
    use super::*;

    /// Every element is kept once: n/m per bucket.
    #[test]
    fn no_element_is_lost_or_kept_twice() {
        for (elements, buckets, choices) in
            [(1_000, 1_000, 1), (900, 1_000, 2), (10_000, 131_072, 10)]
        {
            let bucket = Bucket::mean(elements, buckets, choices);
            let kept = bucket.one + bucket.two_or_more + bucket.beyond_first;
            let expected = f64::from(elements) / f64::from(buckets);
            assert!((kept / expected - 1.0).abs() < 1e-9, "{choices}: {kept} {expected}");
            assert!((bucket.none + bucket.one + bucket.two_or_more - 1.0).abs() < 1e-9);
        }
    }

    /// SplitMix64, enough for a few thousand draws.
    fn draws(seed: u64) -> impl Iterator<Item = u64> {
        (1..).map(move |i: u64| {
            let mut z = (seed + i).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        })
    }

    /// Buckets that keep more than one element, in one table.
    fn simulated(elements: usize, buckets: usize, choices: usize, seed: u64) -> f64 {
        let chosen: Vec<usize> =
            draws(seed << 32).take(elements * choices).map(|z| z as usize % buckets).collect();
        let mut counters = vec![0; buckets];
        chosen.iter().for_each(|&bucket| counters[bucket] += 1);
        let mut kept = vec![0; buckets];
        for own in chosen.chunks(choices) {
            if let Some(&bucket) = own.iter().min_by_key(|&&bucket| (counters[bucket], bucket)) {
                kept[bucket] += 1;
            }
        }
        kept.iter().filter(|&&number| number > 1).count() as f64
    }

    /// 200 tables of 2^14 buckets: within three standard errors, which are below one per cent.
    #[test]
    fn large_tables_are_close_to_the_limit() {
        for (elements, choices) in [(4_096, 2), (4_096, 3), (8_192, 3)] {
            let limit = crises(elements, 1 << 14, choices).buckets;
            let tables = 1..=200;
            let number = |seed| simulated(elements as usize, 1 << 14, choices as usize, seed);
            let mean = tables.map(number).sum::<f64>() / 200.0;
            let room = 3.0 * (limit / 200.0).sqrt();
            assert!((mean - limit).abs() < room, "{elements} {choices}: {mean} {limit} {room}");
        }
    }
}
