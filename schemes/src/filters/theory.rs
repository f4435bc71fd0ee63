//! What a filter of fully random choices does: exactly, and in the limit of many bits.

use super::metrics;
use super::params::Size;
use super::workloads::Workload;
use crate::hash::{Derivation, HashSpec};
use crate::math::elementary::{exp_m1, ln_1p, pow};
use crate::prediction::{Outlook, Prediction};

const EXACT: &str = "balls into bins";
const LIMIT: &str = "Poisson limit";

/// Balls per bin above which no bin of a few is empty, up to the last digit of a double.
const CERTAINLY_COVERED: f64 = 100.0;

/// Weights so much smaller than the greatest are left out.
const NEGLIGIBLE: f64 = 1e-300;

/// What is known of independent choices; of others nothing yet.
pub(super) fn outlook(
    workload: &Workload,
    hash: &HashSpec,
    independent: impl FnOnce() -> Vec<Prediction>,
) -> Outlook {
    let Workload::Membership { .. } = workload;
    match hash.derivation() {
        Derivation::Progression(_) => Outlook::default(),
        Derivation::Seeds | Derivation::Slices { .. } => {
            Outlook { predictions: independent(), missing: None }
        }
    }
}

/// The standard filter: k·n balls into m bins.
pub(super) fn standard(size: &Size) -> Vec<Prediction> {
    let balls = f64::from(size.choices) * f64::from(size.elements);
    let set = filled(balls, f64::from(size.bits));
    both(size, set, all_hit(size, balls))
}

/// The partitioned filter: n balls into m/k bins, k times independently.
pub(super) fn partitioned(size: &Size) -> Vec<Prediction> {
    let slice = f64::from(size.bits) / f64::from(size.choices);
    let set = filled(size.elements.into(), slice);
    both(size, set, power(set, size.choices))
}

/// The rate of a filter of which so many bits are set, as one choice after the other meets one of them.
pub(super) fn all_set(set: u64, bits: u32, choices: u32) -> f64 {
    power(set as f64 / f64::from(bits), choices)
}

/// Fraction of bits set and false positive probability, exact and in the limit. The allowance of the
/// limit is its distance from the exact value.
fn both(size: &Size, set: f64, positive: f64) -> Vec<Prediction> {
    let per_bit = f64::from(size.choices) * f64::from(size.elements) / f64::from(size.bits);
    let limit = -exp_m1(-per_bit);
    let exact = [
        (metrics::FALSE_POSITIVE_RATE, positive),
        (metrics::FALSE_POSITIVE_RATE_GIVEN_BITS, positive),
        (metrics::BITS_SET_FRACTION, set),
    ];
    let limits = [power(limit, size.choices), power(limit, size.choices), limit];
    let exactly = exact.map(|(metric, value)| Prediction::exact(metric, value, EXACT));
    let roughly = exact.into_iter().zip(limits).map(|((metric, value), limit)| {
        Prediction::asymptotic(metric, limit, LIMIT, (value - limit).abs())
    });
    exactly.into_iter().chain(roughly).collect()
}

/// Mean fraction of bins that are not empty after so many balls.
fn filled(balls: f64, bins: f64) -> f64 {
    -exp_m1(balls * ln_1p(-1.0 / bins))
}

fn power(x: f64, exponent: u32) -> f64 {
    pow(x, exponent.into())
}

/// Probability that the k choices of an absent key hit set bits alone: its choices are j different bits,
/// and all of these are set. The bits of one filter are not independent, so that this is more than the
/// k-th power of the fraction of bits set.
fn all_hit(size: &Size, balls: f64) -> f64 {
    let bits = f64::from(size.bits);
    let hit = |(j, probability): (usize, &f64)| probability * covered(j, balls, bits);
    occupied(size.choices, bits).iter().enumerate().map(hit).sum()
}

/// Probabilities that so many balls occupy exactly 0, 1, … bins.
fn occupied(balls: u32, bins: f64) -> Vec<f64> {
    let mut law = vec![1.0];
    law.resize(balls as usize + 1, 0.0);
    (0..balls).for_each(|_| throw(&mut law, bins));
    law
}

/// One more ball: it falls into an occupied bin or occupies another one. From the last number on, so that
/// each is changed before the one it depends on.
fn throw(law: &mut [f64], bins: f64) {
    for i in (0..law.len()).rev() {
        let from_below =
            if i == 0 { 0.0 } else { law[i - 1] * ((bins - (i - 1) as f64) / bins).max(0.0) };
        law[i] = law[i] * (i as f64 / bins) + from_below;
    }
}

/// Probability that so many balls in so many bins leave none of j given bins empty: binomially many of them
/// fall into the j, and these cover all. Only positive terms, so that small values keep their digits.
fn covered(j: usize, balls: f64, bins: f64) -> f64 {
    let share = j as f64 / bins;
    if j == 0 || balls / bins > CERTAINLY_COVERED {
        return 1.0;
    }
    let (mut all, mut covering) = (0.0, 0.0);
    let mut law = vec![1.0];
    law.resize(j + 1, 0.0);
    let mut thrown = 0;
    for (number, weight) in binomial(balls, share) {
        while thrown < number {
            throw(&mut law, j as f64);
            thrown += 1;
        }
        all += weight;
        covering += weight * law[j];
    }
    covering / all
}

/// The binomial law up to a common factor, from the least number that matters on.
fn binomial(trials: f64, p: f64) -> impl Iterator<Item = (u64, f64)> {
    let ratio = move |k: f64| (trials - k + 1.0) / k * p / (1.0 - p);
    let mode = if p < 1.0 { ((trials + 1.0) * p).floor().min(trials) } else { trials };
    let (mut down, mut k, mut weight) = (Vec::new(), mode, 1.0);
    while k > 0.0 && p < 1.0 {
        weight /= ratio(k);
        k -= 1.0;
        if weight <= NEGLIGIBLE {
            break;
        }
        down.push((k as u64, weight));
    }
    let up = std::iter::successors(Some((mode, 1.0)), move |&(k, weight): &(f64, f64)| {
        let next = (k + 1.0, weight * ratio(k + 1.0));
        (k < trials && next.1 > NEGLIGIBLE).then_some(next)
    });
    down.into_iter().rev().chain(up.map(|(k, weight)| (k as u64, weight)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All choices of all elements and of an absent key, each as likely as any other.
    fn enumerated(size: &Size, is_partitioned: bool) -> (f64, f64) {
        let (m, k) = (size.bits, size.choices);
        let range = if is_partitioned { m / k } else { m };
        let stride = if is_partitioned { range } else { 0 };
        let draws = k * size.elements;
        let (mut set, mut positive) = (0.0, 0.0);
        let (all, queries) = (u64::from(range).pow(draws), u64::from(range).pow(k));
        let bits = |code: u64, draws: u32| {
            let digits = (0..draws).scan(code, move |rest, i| {
                let digit = *rest % u64::from(range);
                *rest /= u64::from(range);
                Some(u64::from(i % k * stride) + digit)
            });
            digits.fold(0_u64, |word, bit| word | 1 << bit)
        };
        for word in (0..all).map(|code| bits(code, draws)) {
            set += f64::from(word.count_ones()) / f64::from(m);
            let hit = (0..queries).filter(|&query| bits(query, k) & !word == 0).count();
            positive += hit as f64 / queries as f64;
        }
        (set / all as f64, positive / all as f64)
    }

    #[test]
    fn exact_values_are_those_of_all_outcomes() {
        for (elements, bits, choices) in
            [(1, 1, 1), (2, 4, 2), (3, 3, 2), (1, 6, 3), (2, 6, 3), (4, 5, 1)]
        {
            let size = Size { elements, bits, choices };
            for is_partitioned in [false, true] {
                if is_partitioned && bits % choices != 0 {
                    continue;
                }
                let (set, positive) = enumerated(&size, is_partitioned);
                let found = if is_partitioned { partitioned(&size) } else { standard(&size) };
                assert!((found[0].value - positive).abs() < 1e-12, "{size:?} {found:?} {positive}");
                assert!((found[2].value - set).abs() < 1e-12, "{size:?} {found:?} {set}");
            }
        }
    }

    /// The bits of a filter are positively correlated as far as all of k matter, which the limit does not know.
    #[test]
    fn the_limit_is_below_and_reached() {
        let mut last = f64::INFINITY;
        for bits in [64, 1024, 65_536, 1 << 24] {
            let found = standard(&Size { elements: bits / 8, bits, choices: 5 });
            let (exact, limit) = (found[0].value, found[3].value);
            assert!(exact > limit && exact - limit < last, "{bits}: {exact} {limit}");
            last = (exact - limit) / 4.0;
        }
        assert!(last < 1e-7);
    }

    #[test]
    fn rare_and_certain_positives_keep_their_digits() {
        let rare = standard(&Size { elements: 1, bits: 1 << 30, choices: 10 });
        // All ten choices of the absent key among at most ten bits.
        assert!(rare[0].value > 0.0 && rare[0].value < 1e-70);
        let full = standard(&Size { elements: 1 << 20, bits: 64, choices: 64 });
        assert!((1.0 - full[0].value).abs() < 1e-12 && full[2].value == 1.0);
    }
}
