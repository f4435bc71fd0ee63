//! The law of the load of a bucket that elements try X times: equations (5) to (8), solved.

use crate::math::demand::Demand;

/// The threshold h, `None` where everything is taken, and the probability p beyond it.
pub type Taking = (Option<u32>, f64);

/// Probabilities that a bucket holds 0, 1, … elements after as many attempts as `demand` says.
///
/// The first h stay, then each attempt brings one more with probability p, once:
/// `P(h) = E[(1−p)^(X−h); X ≥ h]`. With a Poisson demand these are the solutions of the differential equations;
/// with a binomial one they hold for so many attempts on so many buckets.
pub fn law(demand: &Demand, (threshold, p): Taking) -> Vec<f64> {
    let Some(h) = threshold else { return demand.all() };
    let mut law = demand.kept(h);
    let at_least = law[h as usize];
    law[h as usize] = demand.discounted(h, 1.0 - p);
    law.push((at_least - law[h as usize]).max(0.0));
    law
}

/// The demand of Poisson attempts, as far as the law needs it.
pub fn poisson(attempts: f64, (threshold, _): Taking) -> Demand {
    Demand::poisson(attempts, threshold.unwrap_or(0))
}

/// The demand of so many attempts on so many buckets.
pub fn binomial(attempts: u64, buckets: u32, (threshold, _): Taking) -> Demand {
    match buckets {
        1 => Demand::certain(attempts),
        _ => Demand::binomial(attempts, 1.0 / f64::from(buckets), threshold.unwrap_or(0)),
    }
}

/// The mean of a law.
pub fn mean(law: &[f64]) -> f64 {
    law.iter().enumerate().map(|(load, p)| load as f64 * p).sum()
}

/// The mean square of a law.
pub fn mean_square(law: &[f64]) -> f64 {
    law.iter().enumerate().map(|(load, p)| (load as f64) * (load as f64) * p).sum()
}

/// The share of full buckets, with h elements or more.
pub fn full(law: &[f64], (threshold, _): Taking) -> f64 {
    threshold.map_or(0.0, |h| law.iter().skip(h as usize).sum())
}

/// The probability that a bucket refuses the next element.
pub fn refusal(law: &[f64], (threshold, p): Taking) -> f64 {
    // A law that ends before the threshold has no bucket that is full.
    let at = |load: u32| law.get(load as usize).copied().unwrap_or(0.0);
    threshold.map_or(0.0, |h| (1.0 - p) * at(h) + at(h + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every sequence of choices and coins of five elements on three buckets.
    fn enumerated(elements: u32, buckets: u64, (h, p): (u32, f64)) -> Vec<f64> {
        let mut states = vec![(vec![0_u32; buckets as usize], 1.0)];
        for _ in 0..elements {
            let mut next = Vec::new();
            for (state, weight) in &states {
                for bucket in 0..buckets as usize {
                    let weight = weight / buckets as f64;
                    let takes = match state[bucket].cmp(&h) {
                        std::cmp::Ordering::Less => 1.0,
                        std::cmp::Ordering::Equal => p,
                        std::cmp::Ordering::Greater => 0.0,
                    };
                    let mut with = state.clone();
                    with[bucket] += 1;
                    next.push((with, weight * takes));
                    next.push((state.clone(), weight * (1.0 - takes)));
                }
            }
            next.retain(|(_, weight)| *weight > 0.0);
            states = next;
        }
        let mut law = vec![0.0; h as usize + 2];
        states.iter().for_each(|(state, weight)| law[state[0] as usize] += weight);
        law
    }

    #[test]
    fn the_law_is_that_of_all_outcomes() {
        for taking in [(0, 0.3), (1, 0.0), (1, 0.5), (2, 1.0)] {
            let expected = enumerated(5, 3, taking);
            let taking = (Some(taking.0), taking.1);
            let found = law(&binomial(5, 3, taking), taking);
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-12, "{taking:?} {found} {expected}");
            }
        }
    }

    /// Equation (7), whose powers of 1 − p cancel where p is close to 1.
    #[test]
    fn the_law_is_the_solution_of_the_differential_equations() {
        let (r, h, p) = (2.5_f64, 2, 0.5_f64);
        let taking = (Some(h), p);
        let found = law(&poisson(r, taking), taking);
        let by_hand = ((-p * r).exp() - (-r).exp() * (1.0 + r * (1.0 - p))) / (1.0 - p).powi(2);
        assert!((found[2] - by_hand).abs() < 1e-12, "{found:?} {by_hand}");
        assert!((found[0] - (-r).exp()).abs() < 1e-12 && (found[1] - r * (-r).exp()).abs() < 1e-12);
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn without_a_threshold_everything_stays() {
        let taking = (None, 1.0);
        let found = law(&poisson(8.0, taking), taking);
        assert!((mean(&found) - 8.0).abs() < 1e-12 && (mean_square(&found) - 72.0).abs() < 1e-10);
        assert_eq!((full(&found, taking), refusal(&found, taking)), (0.0, 0.0));
    }
}
