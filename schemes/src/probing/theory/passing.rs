//! How many elements pass from one slot to the next at most.
//!
//! Along the slots of a block, y − 1 elements pass on where y is a walk that begins at 1, has steps of X − 1 with X the
//! number of elements of the slot's hash value, and ends at 0, behind the empty slot. The greatest number that passes is the
//! greatest displacement in a Robin Hood table (see [`robin_hood`](super::robin_hood)). Where it is H or more, H elements
//! want the H − 1 slots behind some slot, so that no table keeps every element in a neighbourhood of H slots; where it is less,
//! hopscotch hashing does: if nobody can hop into the hole, the H − 1 elements before it and the new one have all hash
//! values that are H or more slots before the hole.

use super::blocks::Blocks;
use crate::math::elementary::{exp, ln};
use libm::lgamma;

/// Elements times elements times heights beyond which the law is not computed.
const MOST_TERMS: f64 = 5e7;

/// Elements beyond which the law is not computed for every number.
const MOST_ELEMENTS: u32 = 256;

/// Numbers times elements beyond which the bound is not computed.
const MOST_SLOTS: f64 = 1e6;

/// What adds nothing to an expectation.
const NEGLIGIBLE: f64 = 1e-13;

/// Heights above the limit that the walk may jump to: of a Poisson number with mean below 1.
const JUMPS: usize = 24;

/// The probability that at least so many elements, at least one, pass from some slot to the next: n elements in m > n slots.
/// `None` where the integral over blocks takes too long.
pub fn some_at_least(number: u32, buckets: u32, elements: u32) -> Option<f64> {
    let n = f64::from(elements);
    if number >= elements {
        return Some(0.0);
    }
    if n * n * (JUMPS as f64) > MOST_TERMS {
        return None;
    }
    let mut blocks = Blocks::new(buckets, elements)?;
    for (length, share) in (1..).zip(shares(number, buckets, elements)) {
        blocks.add(length, share);
    }
    Some(blocks.some())
}

/// The expected number of elements that pass from one slot to the next at most, by the probabilities of each number.
/// `None` of tables that are not small.
pub fn most(buckets: u32, elements: u32) -> Option<f64> {
    if elements > MOST_ELEMENTS || buckets < elements + 2 {
        return None;
    }
    let mut sum = 0.0;
    for number in 1..elements {
        let reached = some_at_least(number, buckets, elements)?;
        sum += reached;
        if reached < NEGLIGIBLE {
            break;
        }
    }
    Some(sum)
}

/// An upper bound on it: so many pass some slot with a probability that is at most the expected number of such slots. `None`
/// where that takes too long.
pub fn most_at_most(buckets: u32, elements: u32) -> Option<f64> {
    let (m, mut sum, mut terms) = (f64::from(buckets), 0.0, 0.0);
    for number in 1..elements {
        let slots = m * at_least(number, buckets, elements);
        sum += slots.min(1.0);
        if slots < NEGLIGIBLE {
            break;
        }
        terms += f64::from(elements);
        if terms > MOST_SLOTS {
            return None;
        }
    }
    Some(sum)
}

/// The probability that at least c ≥ 1 elements pass from a given slot to the next: of the last j slots up to it the greatest j is
/// taken that j + c elements hashed to, behind which the other m − j slots are passed by none, by the ballot theorem with
/// probability (m − n + c)/(m − j).
pub fn at_least(c: u32, buckets: u32, elements: u32) -> f64 {
    let [m, n, c_] = [buckets, elements, c].map(f64::from);
    let ln_factorial = |k: f64| lgamma(k + 1.0);
    (1..=elements.saturating_sub(c).min(buckets - 1))
        .map(|j| {
            let (j, k) = (f64::from(j), f64::from(j) + c_);
            let ways = ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k);
            let chance = ways + k * ln(j / m) + (n - k) * ln(1.0 - j / m);
            exp(chance) * (m - n + c_) / (m - j)
        })
        .sum()
}

/// z > 1 with ln z = α·(z − 1), below load 1: the probability that c elements pass a slot falls as z^(−c), as that of c in the
/// queue of an M/D/1 server does, and they come about by z times as many arrivals as usual.
pub fn decay(load: f64) -> f64 {
    // Newton's method on a convex function, from the right.
    (0..100).fold(2.0 / (load * load), |z, _| z - (load * (z - 1.0) - ln(z)) / (load - 1.0 / z))
}

/// Of the clusters of 1, 2, …, n elements, the shares in which so many pass some slot.
fn shares(number: u32, buckets: u32, elements: u32) -> Vec<f64> {
    let load = f64::from(elements) / f64::from(buckets);
    let n = elements as usize;
    let arrivals: Vec<f64> = (0..=number as usize + JUMPS).map(|x| poisson(load, x)).collect();
    let limit = number as usize;
    // ends[above][r]: the walk ends r steps after it was so far above the limit.
    let ends: Vec<Vec<f64>> = (0..JUMPS)
        .map(|above| (0..=n + 1).map(|steps| hits_zero(load, limit + 1 + above, steps)).collect())
        .collect();
    let mut heights = vec![0.0; limit + 1];
    heights[1.min(limit)] = 1.0;
    let mut passed = vec![0.0; n + 1];
    for step in 1..=n {
        for (above, ends) in ends.iter().enumerate() {
            let from = heights.iter().enumerate().skip(1);
            let jump: f64 = from.map(|(y, p)| p * arrivals[limit + 2 + above - y]).sum();
            for left in 1..=n + 1 - step {
                passed[step + left - 1] += jump * ends[left];
            }
        }
        heights = stepped(&heights, &arrivals);
    }
    (1..=n).map(|length| (passed[length] / hits_zero(load, 1, length + 1)).min(1.0)).collect()
}

/// One step of the walk below its limit; at 0 it has ended.
fn stepped(heights: &[f64], arrivals: &[f64]) -> Vec<f64> {
    let to = |height: usize| {
        let from = (1..=heights.len() - 1).take_while(|&y| y <= height + 1);
        from.map(|y| heights[y] * arrivals[height + 1 - y]).sum()
    };
    (0..heights.len()).map(|height| if height == 0 { 0.0 } else { to(height) }).collect()
}

/// The probability that a walk from this height is at 0 for the first time after so many steps: Borel and Tanner.
fn hits_zero(load: f64, height: usize, steps: usize) -> f64 {
    if steps < height {
        return 0.0;
    }
    let ratio = height as f64 / steps as f64;
    ratio * poisson(load * steps as f64, steps - height)
}

fn poisson(mean: f64, number: usize) -> f64 {
    let k = number as f64;
    exp(k * ln(mean) - mean - lgamma(k + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Elements that pass each slot, going round twice.
    fn greatest(homes: &[u32], buckets: u32) -> u32 {
        let (mut passing, mut greatest) = (0_u32, 0);
        for slot in (0..buckets).chain(0..buckets) {
            let own = homes.iter().filter(|&&home| home == slot).count() as u32;
            passing = (passing + own).saturating_sub(1);
            greatest = greatest.max(passing);
        }
        greatest
    }

    /// All sequences of hash values.
    #[test]
    fn probabilities_are_those_of_all_sequences() {
        for (m, n) in [(4, 2), (6, 4), (7, 5), (8, 5)] {
            let ways = u32::pow(m, n);
            let mut reached = vec![0_u32; n as usize];
            for way in 0..ways {
                let homes: Vec<u32> = (0..n).map(|element| way / m.pow(element) % m).collect();
                reached[greatest(&homes, m) as usize] += 1;
            }
            for number in 1..n {
                let beyond: u32 = reached[number as usize..].iter().sum();
                let expected = f64::from(beyond) / f64::from(ways);
                let found = some_at_least(number, m, n).unwrap();
                assert!((found - expected).abs() < 1e-10, "{m} {n} {number}: {found} {expected}");
            }
        }
    }

    #[test]
    fn tails_decay_at_the_rate_of_a_queue() {
        for load in [0.1, 0.5, 0.9, 0.99] {
            let z = decay(load);
            assert!(z > 1.0 / load && (load * (z - 1.0) - f64::ln(z)).abs() < 1e-9, "{load}: {z}");
        }
        let [rare, rarer] = [8, 12].map(|number| some_at_least(number, 1200, 600).unwrap());
        let rate = (rare / rarer).powf(0.25);
        assert!((rate / decay(0.5) - 1.0).abs() < 0.1, "{rate} {}", decay(0.5));
    }

    /// The law of one slot, and that of all: one element passes with them what it passes alone.
    #[test]
    fn means_are_below_their_bounds() {
        for (m, n) in [(4, 2), (40, 30), (200, 100)] {
            let (mean, bound) = (most(m, n).unwrap(), most_at_most(m, n).unwrap());
            assert!(mean > 0.0 && mean <= bound, "{m} {n}: {mean} {bound}");
        }
        // One of two elements passes the slot of the other: with probability 1/4, and there is no second.
        assert!((most(4, 2).unwrap() - 0.25).abs() < 1e-12);
        assert!((most_at_most(4, 2).unwrap() - 0.25).abs() < 1e-12);
    }

    /// All elements but one pass a slot if they all have one hash value: m^(1 − n).
    #[test]
    fn the_rarest_is_one_hash_value() {
        let found = some_at_least(29, 40, 30).unwrap();
        assert!((found * 40.0_f64.powi(29) - 1.0).abs() < 1e-9, "{found}");
    }
}
