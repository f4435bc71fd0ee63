//! d-left in the fluid limit: one choice in each of `d` equal sub-tables, the least loaded bucket
//! gets the element, ties go to the left.
//!
//! The scheme is Vöcking's ("How Asymmetry Helps Load Balancing"), the differential equations are of
//! the kind Mitzenmacher and Vöcking use for it, here with full buckets. With `s_{j,k}` the fraction
//! of the buckets of sub-table `j` that hold at least `k` elements, an insertion raises a bucket of
//! sub-table `j` to `k` elements with probability
//! `alpha·Π_{i<j} s_{i,k} · (s_{j,k−1} − s_{j,k}) · Π_{i>j} s_{i,k−1}` and overflows with
//! `1 − alpha + alpha·Π_j s_{j,h}`. A sub-table has `m/d` buckets, which multiplies its rates by `d`.

use super::{FluidLimit, exact_from_tails, ode};

/// d-left in the limit of many buckets.
#[derive(Debug, Clone, PartialEq)]
pub struct DLeft {
    /// The table as a whole.
    pub table: FluidLimit,
    /// Fraction of buckets with exactly `k` elements, `k = 0..=h`, of each sub-table from the left.
    pub sub_tables: Vec<Vec<f64>>,
}

/// State after a static fill up to load `c`.
///
/// # Errors
/// [`ode::Error`] when the equations cannot be integrated.
pub fn static_fill(c: f64, h: u32, d: u32, alpha: f64) -> Result<DLeft, ode::Error> {
    static_fill_spread(c, h, d, alpha, 0.0)
}

/// Equilibrium under alternation at load `c`, reached from an empty table.
///
/// # Errors
/// [`ode::Error`] when the equations cannot be integrated.
pub fn alternation(c: f64, h: u32, d: u32, alpha: f64) -> Result<DLeft, ode::Error> {
    alternation_spread(c, h, d, alpha, 0.0)
}

/// [`static_fill`], with tails that deviate from their mean by the variance `spread` per unit.
pub(super) fn static_fill_spread(
    c: f64,
    h: u32,
    d: u32,
    alpha: f64,
    spread: f64,
) -> Result<DLeft, ode::Error> {
    let system = Equations { h: h as usize, d: d as usize, alpha, spread };
    let per_bucket = c * f64::from(h);
    let mut end = ode::integrate(system.empty(), per_bucket, |state, rate| {
        system.arrivals(state, 1.0, rate);
    })?;
    let overflowed = end.pop().unwrap_or(f64::NAN);
    Ok(system.limit(&end, 1.0 - alpha + overflowed / per_bucket))
}

/// [`alternation`], likewise.
pub(super) fn alternation_spread(
    c: f64,
    h: u32,
    d: u32,
    alpha: f64,
    spread: f64,
) -> Result<DLeft, ode::Error> {
    let system = Equations { h: h as usize, d: d as usize, alpha, spread };
    let mut end = ode::integrate(system.empty(), ode::RELAXATION, |state, rate| {
        system.arrivals(state, c * f64::from(h), rate);
        system.departures(state, rate);
    })?;
    end.pop();
    let overflow = 1.0 - alpha + alpha * system.all_full(&end);
    Ok(system.limit(&end, overflow))
}

/// The state is `s_{j,k}` at `j·h + k − 1`, followed by the elements overflowed per bucket.
struct Equations {
    h: usize,
    d: usize,
    alpha: f64,
    spread: f64,
}

impl Equations {
    /// Probability that a choice in sub-table `j` finds at least `k` elements, given that all choices
    /// in the sub-tables before do.
    fn tail(&self, state: &[f64], j: usize, k: usize) -> f64 {
        match k {
            0 => 1.0,
            _ => (state[j * self.h + k - 1] + j as f64 * self.spread).min(1.0),
        }
    }

    fn empty(&self) -> Vec<f64> {
        vec![0.0; self.d * self.h + 1]
    }

    /// Writes the derivatives due to `rate` insertions per bucket and unit of time.
    fn arrivals(&self, state: &[f64], rate: f64, derivative: &mut [f64]) {
        let attempts = self.alpha * rate;
        for k in 1..=self.h {
            for j in 0..self.d {
                derivative[j * self.h + k - 1] =
                    attempts * self.d as f64 * self.raised(state, j, k);
            }
        }
        derivative[self.d * self.h] = attempts * self.all_full(state);
    }

    /// Probability that an attempt raises a bucket of sub-table `j` to `k` elements.
    fn raised(&self, state: &[f64], j: usize, k: usize) -> f64 {
        let left: f64 = (0..j).map(|i| self.tail(state, i, k)).product();
        let right: f64 = (j + 1..self.d).map(|i| self.tail(state, i, k - 1)).product();
        left * (self.tail(state, j, k - 1) - self.tail(state, j, k)) * right
    }

    /// Adds the derivatives due to departures at rate 1 per element.
    fn departures(&self, state: &[f64], derivative: &mut [f64]) {
        for j in 0..self.d {
            let tails = &state[j * self.h..(j + 1) * self.h];
            for (k, tail) in tails.iter().enumerate() {
                let next = tails.get(k + 1).copied().unwrap_or(0.0);
                derivative[j * self.h + k] -= (k + 1) as f64 * (tail - next);
            }
        }
    }

    fn all_full(&self, state: &[f64]) -> f64 {
        (0..self.d).map(|j| self.tail(state, j, self.h)).product()
    }

    fn limit(&self, tails: &[f64], overflow: f64) -> DLeft {
        let sub_tables: Vec<Vec<f64>> = tails.chunks(self.h.max(1)).map(exact_from_tails).collect();
        let share = |k: usize| sub_tables.iter().map(|law| law[k]).sum::<f64>() / self.d as f64;
        let occupancy = (0..=self.h).map(share).collect();
        let accesses = self.alpha * self.d as f64;
        DLeft { table: FluidLimit { overflow, accesses, occupancy }, sub_tables }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::allowance::LeastLoaded;
    use crate::theory::{bounds, d_random, erlang};
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
        for (n, m, h, d) in [(3000, 3000, 1, 3), (6000, 3000, 2, 2), (12_000, 3000, 4, 4)] {
            let trials: Vec<f64> = (0..100).map(|_| simulated_fill(n, m, h, d, &mut rng)).collect();
            let mean = trials.iter().sum::<f64>() / 100.0;
            let variance = trials.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 99.0;
            let (h, d) = (u32::from(h), d as u32);
            let c = f64::from(n) / (m as f64 * f64::from(h));
            let limit = static_fill(c, h, d, 1.0).unwrap().table.overflow;
            let table = LeastLoaded { n: n.into(), m: m as u64, h, d, alpha: 1.0 };
            let allowance = table.d_left_static_fill().unwrap();
            assert!(allowance < 0.05 * limit);
            assert!((mean - limit).abs() < 4.0 * (variance / 100.0).sqrt() + allowance);
        }
    }
}
