//! Keys of a cross product {0, 1}^c under a hash function that is the XOR of a random word for each digit: simple
//! tabulation and H3. The values are a shifted linear space, the span of c random words.

use crate::math::distribution::Distribution;

/// The law of the rank of a random binary matrix: c words of b bits, each of which is in the span of those before it with
/// probability 2^(rank − b).
pub fn rank(words: u32, bits: u32) -> Distribution {
    let mut law = vec![1.0];
    for _ in 0..words {
        let inside = |rank: usize| 2.0_f64.powi(rank as i32 - bits as i32);
        let mut next = vec![0.0; law.len() + 1];
        for (rank, p) in law.iter().enumerate() {
            next[rank] += p * inside(rank);
            next[rank + 1] += p * (1.0 - inside(rank));
        }
        law = next;
    }
    Distribution::new(0, law)
}

/// Of 2^c keys in 2^b buckets: the loads that buckets may have that are not empty, all of them the same number
/// 2^(c − rank), each with its probability and the share of buckets that hold so many.
pub fn loads(digits: u32, bits: u32) -> Vec<(u32, f64, f64)> {
    let load = |(rank, p): (u32, f64)| {
        let share = 2.0_f64.powi(rank as i32 - bits as i32);
        (1 << (digits - rank), p, share)
    };
    rank(digits, bits).iter().filter(|(_, p)| *p > 0.0).map(load).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of all sums of the words.
    fn spanned(words: [u32; 3]) -> u32 {
        let sum = |choice: u32| {
            let chosen = words.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1);
            chosen.fold(0, |sum, (_, word)| sum ^ word)
        };
        let mut values: Vec<u32> = (0..8).map(sum).collect();
        values.sort_unstable();
        values.dedup();
        values.len() as u32
    }

    /// All triples of words of two bits, and of four.
    #[test]
    fn ranks_are_those_of_all_matrices() {
        for bits in [2, 4] {
            let words = 1_u32 << bits;
            let all = (0..words)
                .flat_map(|a| (0..words).flat_map(move |b| (0..words).map(move |c| [a, b, c])));
            let mut counts = [0.0; 4];
            all.for_each(|words| counts[spanned(words).ilog2() as usize] += 1.0);
            for (found, count) in rank(3, bits).probabilities().iter().zip(counts) {
                assert!((found - count / f64::from(words.pow(3))).abs() < 1e-15);
            }
        }
    }

    /// Every key is in a bucket, whatever the rank.
    #[test]
    fn loads_sum_up_to_the_keys() {
        for (digits, bits) in [(3, 3), (5, 2), (2, 6)] {
            for (load, _, share) in loads(digits, bits) {
                assert_eq!(f64::from(load) * share * f64::from(1 << bits), f64::from(1 << digits));
            }
        }
    }
}
