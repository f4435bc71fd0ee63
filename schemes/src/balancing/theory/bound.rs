//! Theorem 1: the loads of least cost, for so many accesses and so much overflow.
//!
//! a·n accesses are a·n elements of one choice each, of which the fullest buckets give up all but (1 − γ)·n. No
//! scheme that makes so many accesses has a lower mean of any convex function of the load.

use crate::math::bisect::smallest;
use crate::math::demand::Demand;

/// The law of the loads of least cost, `P_LB`, where a bucket is read `demand` times and `stored` elements are
/// left to it on average.
pub fn law(demand: &Demand, stored: f64) -> Vec<f64> {
    let Some(k0) = threshold_of(demand, stored) else { return demand.all() };
    let mut law = demand.kept(k0);
    let above = stored - capped(demand, k0);
    law[k0 as usize] -= above;
    law.push(above);
    law
}

/// k0, the greatest threshold that leaves fewer elements than `stored` where buckets are read Poisson many times;
/// `None` where everything stays.
pub fn threshold(attempts: f64, stored: f64) -> Option<u32> {
    threshold_of(&Demand::poisson(attempts, 0), stored)
}

fn threshold_of(demand: &Demand, stored: f64) -> Option<u32> {
    let most = demand.most();
    // With no bucket above the greatest demand that is possible, everything stays.
    if capped(demand, most) <= stored * (1.0 + ROUNDING) {
        return None;
    }
    Some(smallest(most, |k| capped(demand, k) >= stored).saturating_sub(1))
}

/// Of a sum of some hundred terms.
const ROUNDING: f64 = 1e-12;

/// `E[min(X, k)]`.
fn capped(demand: &Demand, k: u32) -> f64 {
    demand.mean_of(|x| x.min(k.into()) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balancing::theory::one_choice::{mean, mean_square};

    fn bound(a: f64, r: f64, overflow: f64) -> Vec<f64> {
        law(&Demand::poisson(a * r, 0), r * (1.0 - overflow))
    }

    /// Theorem 1 as the errata correct it, for r = 8 and a = 1.1 with its terms summed one by one.
    #[test]
    fn the_law_is_that_of_the_corrected_theorem() {
        let (l, stored) = (8.8_f64, 8.0);
        let q: Vec<f64> = (0..60)
            .scan(0.0_f64, |ln_factorial, i| {
                *ln_factorial += if i == 0 { 0.0 } else { f64::from(i).ln() };
                Some((f64::from(i) * l.ln() - l - *ln_factorial).exp())
            })
            .collect();
        let min_mean =
            |k: usize| -> f64 { q.iter().enumerate().map(|(i, q)| i.min(k) as f64 * q).sum() };
        let k0 = (0..60).filter(|&k| min_mean(k) < stored).max().unwrap();
        let e0 = l * q[..k0].iter().sum::<f64>();
        let p0: f64 = q[..=k0].iter().sum();
        let k = k0 as f64;
        let found = bound(1.1, 8.0, 0.0);
        assert_eq!(found.len(), k0 + 2);
        assert!((found[k0] - (q[k0] + e0 + (k + 1.0) * (1.0 - p0) - stored)).abs() < 1e-12);
        assert!((found[k0 + 1] - (stored - e0 - k * (1.0 - p0))).abs() < 1e-12);
        assert!((0..k0).all(|i| (found[i] - q[i]).abs() < 1e-14));
    }

    #[test]
    fn it_is_a_law_of_the_mean_that_is_stored() {
        for (a, r, overflow) in
            [(1.0, 8.0, 0.01), (1.1, 8.0, 0.0), (1.2, 6.4, 0.005), (3.0, 0.2, 0.0), (1.0, 0.5, 0.9)]
        {
            let law = bound(a, r, overflow);
            assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-11, "{a} {r} {overflow}: {law:?}");
            assert!(
                (mean(&law) - r * (1.0 - overflow)).abs() < 1e-10,
                "{a} {r} {overflow}: {law:?}"
            );
            assert!(law.iter().all(|p| *p > -1e-12), "{a} {r} {overflow}: {law:?}");
        }
    }

    /// With one access and nothing to lose the bound is the law of plain chains.
    #[test]
    fn one_access_without_overflow_is_poisson() {
        let law = bound(1.0, 8.0, 0.0);
        assert!((mean_square(&law) - 72.0).abs() < 1e-9);
    }

    #[test]
    fn more_accesses_and_more_overflow_balance_better() {
        let cost = |a, overflow| mean_square(&bound(a, 8.0, overflow));
        assert!(cost(1.2, 0.0) < cost(1.1, 0.0) && cost(1.1, 0.0) < cost(1.0, 0.0));
        assert!(cost(1.1, 0.01) < cost(1.1, 0.0));
    }
}
