//! The flow filter of FlowRadar: a Bloom filter that is asked whether a flow is new before the flow is put in.

use crate::math::bins::filled;

/// Less weight than this is left out.
const NEGLIGIBLE: f64 = 1e-25;

/// Moments of the filling at which the filter is looked at for a mean.
const MOMENTS: u32 = 4096;

/// The mean share of the flows that the filter takes for new ones, where its bits are set independently: what is missing
/// is of order 1/bits.
pub fn new_share(flows: u32, bits: u32, choices: u32) -> f64 {
    let all = f64::from(flows) * f64::from(choices);
    let known = |moment: u32| {
        let thrown = all * (f64::from(moment) + 0.5) / f64::from(MOMENTS);
        filled(thrown, bits.into()).powi(choices as i32)
    };
    1.0 - (0..MOMENTS).map(known).sum::<f64>() / f64::from(MOMENTS)
}

/// The law of the number of flows that a Bloom filter of these bits takes for new ones when so many different ones
/// come, each with `choices` bits.
pub fn taken_for_new(flows: u32, bits: u32, choices: u32) -> Vec<f64> {
    let (flows, choices) = (flows as usize, choices as usize);
    let width = (choices * flows).min(bits as usize) + 1;
    // By the number of flows that were taken for known ones, and the number of bits that are set.
    let mut known = vec![vec![0.0; width]];
    known[0][0] = 1.0;
    for _ in 0..flows {
        let mut next = vec![vec![0.0; width]; known.len() + 1];
        for (number, law) in known.iter().enumerate() {
            for (set, &p) in law.iter().enumerate().filter(|(_, p)| **p > NEGLIGIBLE) {
                for (added, share) in added_bits(set, bits, choices).into_iter().enumerate() {
                    if share > 0.0 {
                        next[number + usize::from(added == 0)][set + added] += p * share;
                    }
                }
            }
        }
        while next.last().is_some_and(|law| law.iter().sum::<f64>() <= NEGLIGIBLE) {
            next.pop();
        }
        known = next;
    }
    let mut law = vec![0.0; flows + 1];
    known.iter().enumerate().for_each(|(number, own)| law[flows - number] = own.iter().sum());
    law
}

/// The probabilities that so many choices set 0, 1, … bits that were not set.
fn added_bits(set: usize, bits: u32, choices: usize) -> Vec<f64> {
    let mut law = vec![0.0; choices + 1];
    law[0] = 1.0;
    for _ in 0..choices {
        for added in (0..=choices).rev() {
            let hit = ((set + added) as f64 / f64::from(bits)).min(1.0);
            let from_below = match added.checked_sub(1) {
                Some(below) => law[below] * (1.0 - (set + below) as f64 / f64::from(bits)).max(0.0),
                None => 0.0,
            };
            law[added] = law[added] * hit + from_below;
        }
    }
    law
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ways in which three flows may choose two of four bits.
    #[test]
    fn flows_are_taken_for_new_as_in_all_filters() {
        let (bits, choices, flows) = (4_u32, 2, 3_u32);
        let ways = 4_u64.pow(6);
        let mut expected = vec![0.0; 4];
        for way in 0..ways {
            let (mut set, mut new) = (0_u32, 0);
            for flow in 0..flows {
                let of = |i: u32| 1 << (way / 4_u64.pow(2 * flow + i) % 4);
                let own = of(0) | of(1);
                new += usize::from(set & own != own);
                set |= own;
            }
            expected[new] += 1.0 / ways as f64;
        }
        let own = taken_for_new(flows, bits, choices);
        assert!(
            own.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12),
            "{own:?} {expected:?}"
        );
    }

    /// In a filter of many bits for each flow both ways agree on the mean.
    #[test]
    fn bits_are_set_as_good_as_independently() {
        let (flows, bits, choices) = (100, 1500, 3);
        let law = taken_for_new(flows, bits, choices);
        let mean: f64 = law.iter().zip(0..).map(|(p, number)| p * f64::from(number)).sum();
        let own = new_share(flows, bits, choices);
        let off = (own - mean / f64::from(flows)).abs();
        assert!(off < 0.05 * (1.0 - own) && own < 0.999, "{own} {mean}");
    }
}
