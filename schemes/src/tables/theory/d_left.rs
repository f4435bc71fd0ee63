//! d-left in the fluid limit: one choice in each of `d` equal sub-tables, the least loaded bucket
//! gets the element, ties go to the left.
//!
//! The scheme is Vöcking's ("How Asymmetry Helps Load Balancing"), the differential equations are of
//! the kind Mitzenmacher and Vöcking use for it, here with full buckets. With `s_{j,k}` the fraction
//! of the buckets of sub-table `j` that hold at least `k` elements, an insertion raises a bucket of
//! sub-table `j` to `k` elements with probability
//! `alpha·Π_{i<j} s_{i,k} · (s_{j,k−1} − s_{j,k}) · Π_{i>j} s_{i,k−1}` and overflows with
//! `1 − alpha + alpha·Π_j s_{j,h}`. A sub-table has `m/d` buckets, which multiplies its rates by `d`.

use std::ops::Range;

use nalgebra::{DMatrix, DVector};

use super::finite_size::{FluidRule, Limit};
use super::{FluidLimit, RELAXATION, exact_from_tails, tails};
use crate::math::ode;
use crate::tables::theory::TheoryError;

/// d-left in the limit of many buckets.
#[derive(Debug, Clone, PartialEq)]
pub struct DLeft {
    /// The table as a whole.
    pub table: FluidLimit,
    /// Fraction of buckets with exactly `k` elements, `k = 0..=h`, of each sub-table from the left.
    pub sub_tables: Vec<Vec<f64>>,
}

impl Limit for DLeft {
    fn table(&self) -> &FluidLimit {
        &self.table
    }

    fn tails(&self) -> Vec<f64> {
        let own: Vec<Vec<f64>> = self.sub_tables.iter().map(|law| tails(law)).collect();
        let levels = 0..self.table.occupancy.len() - 1;
        levels.flat_map(|k| own.iter().map(move |s| s[k])).collect()
    }
}

/// States (`h·d`) up to which the equations are tried.
pub const MOST_STATES: usize = super::finite_size::MOST_COVARIANCES;

/// State after a static fill up to load `c`.
///
/// # Errors
/// [`TheoryError`] when the equations cannot be integrated, or have more than [`MOST_STATES`] states.
pub fn static_fill(c: f64, h: u32, d: u32, alpha: f64) -> Result<DLeft, TheoryError> {
    let system = Equations::new(h, d, alpha)?;
    let per_bucket = c * f64::from(h);
    let mut end =
        ode::integrate(system.empty(), per_bucket, ode::Precision::Fine, |state, rate| {
            system.arrivals(state, 1.0, rate);
        })?;
    let overflowed = end.pop().unwrap_or(f64::NAN);
    Ok(system.limit(&end, 1.0 - alpha + overflowed / per_bucket))
}

/// Equilibrium under alternation at load `c`, reached from an empty table.
///
/// # Errors
/// As [`static_fill`].
pub fn alternation(c: f64, h: u32, d: u32, alpha: f64) -> Result<DLeft, TheoryError> {
    let system = Equations::new(h, d, alpha)?;
    let start = system.empty();
    let mut end = ode::integrate(start, RELAXATION, ode::Precision::Fine, |state, rate| {
        system.arrivals(state, c * f64::from(h), rate);
        system.departures(state, rate);
    })?;
    end.pop();
    let all_full = all_passed(&end, system.d).last().copied().unwrap_or(1.0);
    Ok(system.limit(&end, 1.0 - alpha + alpha * all_full))
}

/// The state is `s_{j,k}` at `(k − 1)·d + j`, followed by the elements overflowed per bucket.
pub(super) struct Equations {
    h: usize,
    d: usize,
    alpha: f64,
}

/// The probabilities that an attempt goes past each state and all before it: the product of the last
/// `d` tails, one of each sub-table.
fn all_passed(tails: &[f64], d: usize) -> Vec<f64> {
    (1..=tails.len()).map(|end| tails[end.saturating_sub(d)..end].iter().product()).collect()
}

impl Equations {
    pub(super) fn new(h: u32, d: u32, alpha: f64) -> Result<Self, TheoryError> {
        let (h, d) = (h as usize, d as usize);
        match h * d {
            ..=MOST_STATES => Ok(Self { h, d, alpha }),
            states => Err(TheoryError::TooLarge { states, most: MOST_STATES }),
        }
    }

    fn empty(&self) -> Vec<f64> {
        vec![0.0; self.d * self.h + 1]
    }

    /// Writes the derivatives due to `rate` insertions per bucket and unit of time.
    pub(super) fn arrivals(&self, state: &[f64], rate: f64, derivative: &mut [f64]) {
        let attempts = self.alpha * rate;
        let states = self.d * self.h;
        let mut arriving = 1.0;
        for (place, passed) in derivative.iter_mut().zip(all_passed(&state[..states], self.d)) {
            *place = attempts * self.d as f64 * (arriving - passed);
            arriving = passed;
        }
        derivative[states] = attempts * arriving;
    }

    /// Adds the derivatives due to departures at rate 1 per element.
    fn departures(&self, state: &[f64], derivative: &mut [f64]) {
        let tails = &state[..self.d * self.h];
        for (i, tail) in tails.iter().enumerate() {
            let next = tails.get(i + self.d).copied().unwrap_or(0.0);
            derivative[i] -= (i / self.d + 1) as f64 * (tail - next);
        }
    }

    pub(super) fn limit(&self, tails: &[f64], overflow: f64) -> DLeft {
        let law = |j: usize| {
            let own: Vec<f64> = tails.iter().skip(j).step_by(self.d).copied().collect();
            exact_from_tails(&own)
        };
        let sub_tables: Vec<Vec<f64>> = (0..self.d).map(law).collect();
        let share = |k: usize| sub_tables.iter().map(|law| law[k]).sum::<f64>() / self.d as f64;
        let occupancy = (0..=self.h).map(share).collect();
        let accesses = self.alpha * self.d as f64;
        DLeft { table: FluidLimit { overflow, accesses, occupancy }, sub_tables }
    }
}

/// The least loaded of one choice in each of `d` sub-tables, ties to the left.
#[derive(Debug, Clone, Copy)]
pub struct Leftmost {
    /// Sub-tables, and choices.
    pub d: u32,
}

/// Tails are taken to be at least this, to divide by.
const LEAST_TAIL: f64 = 1e-60;

impl Leftmost {
    /// The tails that each product consists of, and the product.
    fn products<'t>(&self, tails: &'t [f64]) -> impl Iterator<Item = (Range<usize>, f64)> + 't {
        let d = self.sub_tables();
        (1..=tails.len()).map(move |end| {
            let factors = end.saturating_sub(d)..end;
            (factors.clone(), tails[factors].iter().product())
        })
    }
}

impl FluidRule for Leftmost {
    type Limit = DLeft;
    const READS_ALL: bool = true;

    fn choices(&self) -> u32 {
        self.d
    }

    fn sub_tables(&self) -> usize {
        self.d as usize
    }

    fn passed(&self, tails: &[f64]) -> DVector<f64> {
        DVector::from_vec(all_passed(tails, self.sub_tables()))
    }

    fn slopes(&self, tails: &[f64]) -> DMatrix<f64> {
        let tails: Vec<f64> = tails.iter().map(|tail| tail.max(LEAST_TAIL)).collect();
        let mut slopes = DMatrix::zeros(tails.len(), tails.len());
        for (i, (factors, product)) in self.products(&tails).enumerate() {
            for j in factors {
                slopes[(i, j)] = product / tails[j];
            }
        }
        slopes
    }

    fn curvature(&self, tails: &[f64], covariance: &DMatrix<f64>) -> DVector<f64> {
        let tails: Vec<f64> = tails.iter().map(|tail| tail.max(LEAST_TAIL)).collect();
        let curvature = self.products(&tails).map(|(factors, product)| {
            let pairs = factors.clone().flat_map(|a| (factors.start..a).map(move |b| (a, b)));
            pairs.map(|(a, b)| product / tails[a] / tails[b] * covariance[(a, b)]).sum::<f64>()
        });
        DVector::from_vec(curvature.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::theory::allowance::{Finite, Regime};
    use crate::tables::theory::{bounds, d_random, erlang};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn one_sub_table_is_single() {
        let (fill, dynamic) = (static_fill(0.9, 4, 1, 0.7), alternation(0.9, 4, 1, 0.7));
        assert!((fill.unwrap().table.overflow - bounds::fill(0.7, 0.9, 4)).abs() < 1e-10);
        assert!((dynamic.unwrap().table.overflow - erlang::overflow(0.9, 4, 0.7)).abs() < 1e-10);
    }

    #[test]
    fn two_sub_tables_of_single_slots_in_closed_form() {
        // Left: x' = 2(1 − x), as every element tries it first. Right: y' = 2x(1 − y).
        let c = 0.8_f64;
        let x = 1.0 - (-2.0 * c).exp();
        let y = 1.0 - (-2.0 * c + x).exp();
        let limit = static_fill(c, 1, 2, 1.0).unwrap();
        assert!((limit.sub_tables[0][1] - x).abs() < 1e-10);
        assert!((limit.sub_tables[1][1] - y).abs() < 1e-10);
        assert!((limit.table.overflow - (1.0 - (x + y) / (2.0 * c))).abs() < 1e-10);
    }

    #[test]
    fn equilibrium_of_single_slots_in_closed_form() {
        // 2c(1 − x) = x and 2c·x(1 − y) = y.
        let c = 0.8_f64;
        let x = 2.0 * c / (1.0 + 2.0 * c);
        let y = 2.0 * c * x / (1.0 + 2.0 * c * x);
        let limit = alternation(c, 1, 2, 1.0).unwrap();
        assert!((limit.table.overflow - x * y).abs() < 1e-10);
    }

    #[test]
    fn asymmetry_helps() {
        for (c, h, d) in [(0.3, 1, 2), (1.0, 1, 4), (0.5, 4, 2), (1.0, 4, 4), (0.9, 8, 3)] {
            let fill = static_fill(c, h, d, 1.0).unwrap().table;
            let dynamic = alternation(c, h, d, 1.0).unwrap().table;
            assert!(fill.overflow < d_random::static_fill(c, h, d, 1.0).unwrap().overflow);
            assert!(dynamic.overflow < d_random::alternation(c, h, d, 1.0).overflow);
            assert!(fill.overflow < dynamic.overflow);
        }
    }

    #[test]
    fn stored_elements_are_conserved() {
        for (c, h, d, alpha) in
            [(0.3, 2, 2, 0.5), (1.0, 4, 4, 1.0), (2.0, 3, 5, 0.9), (0.5, 2, 2, 0.0)]
        {
            for limit in [static_fill(c, h, d, alpha), alternation(c, h, d, alpha)] {
                let table = limit.unwrap().table;
                let stored: f64 =
                    table.occupancy.iter().zip(0_u32..).map(|(p, k)| p * f64::from(k)).sum();
                assert!((stored - c * f64::from(h) * (1.0 - table.overflow)).abs() < 1e-9);
            }
        }
    }

    /// Overflow fraction of one simulated fill.
    fn simulated_fill(n: u32, m: usize, h: u8, d: usize, rng: &mut Xoshiro256PlusPlus) -> f64 {
        let (mut loads, mut overflowed) = (vec![0_u8; m], 0_u32);
        for _ in 0..n {
            let choices = (0..d).map(|j| j * (m / d) + rng.random_range(0..m / d));
            match choices.min_by_key(|&bucket| loads[bucket]) {
                Some(bucket) if loads[bucket] < h => loads[bucket] += 1,
                _ => overflowed += 1,
            }
        }
        f64::from(overflowed) / f64::from(n)
    }

    #[test]
    fn simulation_agrees() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        for (n, m, h, d) in
            [(60, 60, 1, 3), (3000, 3000, 1, 3), (60, 30, 2, 2), (12_000, 3000, 4, 4)]
        {
            let trials: Vec<f64> = (0..100).map(|_| simulated_fill(n, m, h, d, &mut rng)).collect();
            let mean = trials.iter().sum::<f64>() / 100.0;
            let variance = trials.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 99.0;
            let (h, d) = (u32::from(h), d as u32);
            let c = f64::from(n) / (m as f64 * f64::from(h));
            let limit = static_fill(c, h, d, 1.0).unwrap();
            let table = Finite { n: n.into(), m: m as u64, alpha: 1.0 };
            let allowance =
                table.allowance(&Leftmost { d }, Regime::StaticFill, &limit).unwrap().overflow;
            let limit = limit.table.overflow;
            assert!((mean - limit).abs() < 4.0 * (variance / 100.0).sqrt() + allowance);
        }
    }
}
