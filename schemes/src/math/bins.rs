//! Balls into bins: how many are not empty, and whether given ones are.

use crate::math::elementary::{exp_m1, ln_1p};

/// Balls per bin above which no bin of a few is empty, up to the last digit of a double.
const CERTAINLY_COVERED: f64 = 100.0;

/// Weights so much smaller than the greatest are left out.
const NEGLIGIBLE: f64 = 1e-300;

/// Mean fraction of bins that are not empty after so many balls.
pub(crate) fn filled(balls: f64, bins: f64) -> f64 {
    if balls == 0.0 { 0.0 } else { -exp_m1(balls * ln_1p(-1.0 / bins)) }
}

/// Probabilities that so many balls occupy exactly 0, 1, … bins.
pub(crate) fn occupied(balls: u32, bins: f64) -> Vec<f64> {
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
pub(crate) fn covered(j: usize, balls: f64, bins: f64) -> f64 {
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

/// Probability that so many choices fall into bins alone that are not empty after so many balls: they are j
/// different bins, and the balls cover these. Bins are not independent, so that this is more than the power of
/// the fraction filled.
pub(crate) fn all_hit(choices: u32, balls: f64, bins: f64) -> f64 {
    let hit = |(j, probability): (usize, &f64)| probability * covered(j, balls, bins);
    occupied(choices, bins).iter().enumerate().map(hit).sum()
}

/// Steps that [`covered`] takes for 1 to so many given bins together, about.
pub(crate) fn work(most: u32, balls: f64, bins: f64) -> f64 {
    if balls / bins > CERTAINLY_COVERED {
        return 0.0;
    }
    let of_bins = |j: f64| {
        let fallen = balls * j / bins;
        j * (fallen + REACH * fallen.sqrt() + REACH)
    };
    (1..=most).map(|j| of_bins(j.into())).sum()
}

/// How many standard deviations above its mean a binomial law of negligible weights ends.
const REACH: f64 = 40.0;

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

    /// One bin is full after one ball, and empty before.
    #[test]
    fn no_ball_fills_no_bin() {
        assert_eq!([filled(0.0, 1.0), filled(1.0, 1.0), filled(0.0, 9.0)], [0.0, 1.0, 0.0]);
    }
}
