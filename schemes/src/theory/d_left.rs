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
    let system = Equations {
        h: h as usize,
        d: d as usize,
        alpha,
    };
    let mut end = ode::integrate(system.empty(), c * f64::from(h), |state, rate| {
        system.arrivals(state, 1.0, rate);
    })?;
    let overflowed = end.pop().unwrap_or(f64::NAN);
    Ok(system.limit(&end, 1.0 - alpha + overflowed / (c * f64::from(h))))
}

/// Equilibrium under alternation at load `c`, reached from an empty table.
///
/// # Errors
/// [`ode::Error`] when the equations cannot be integrated.
pub fn alternation(c: f64, h: u32, d: u32, alpha: f64) -> Result<DLeft, ode::Error> {
    let system = Equations {
        h: h as usize,
        d: d as usize,
        alpha,
    };
    let mut end = ode::integrate(system.empty(), RELAXATION, |state, rate| {
        system.arrivals(state, c * f64::from(h), rate);
        system.departures(state, rate);
    })?;
    end.pop();
    let overflow = 1.0 - alpha + alpha * system.all_full(&end);
    Ok(system.limit(&end, overflow))
}

/// Lifetimes until the empty table is forgotten: deviations shrink at least like `e^(−t)`.
const RELAXATION: f64 = 45.0;

/// The state is `s_{j,k}` at `j·h + k − 1`, followed by the elements overflowed per bucket.
struct Equations {
    h: usize,
    d: usize,
    alpha: f64,
}

impl Equations {
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
        let tail = |i: usize, k: usize| {
            if k == 0 {
                1.0
            } else {
                state[i * self.h + k - 1]
            }
        };
        let left: f64 = (0..j).map(|i| tail(i, k)).product();
        let right: f64 = (j + 1..self.d).map(|i| tail(i, k - 1)).product();
        left * (tail(j, k - 1) - tail(j, k)) * right
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
        (1..=self.d).map(|j| state[j * self.h - 1]).product()
    }

    fn limit(&self, tails: &[f64], overflow: f64) -> DLeft {
        let sub_tables: Vec<Vec<f64>> = tails.chunks(self.h).map(exact_from_tails).collect();
        let share = |k: usize| sub_tables.iter().map(|law| law[k]).sum::<f64>() / self.d as f64;
        let occupancy = (0..=self.h).map(share).collect();
        let accesses = self.alpha * self.d as f64;
        DLeft {
            table: FluidLimit {
                overflow,
                accesses,
                occupancy,
            },
            sub_tables,
        }
    }
}
