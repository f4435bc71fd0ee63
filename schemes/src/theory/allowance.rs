//! How far a finite table may be from its fluid limit: a bound on the bias that vanishes like `1/n`.
//!
//! Two effects, taken to first order in `1/n` where they are small:
//!
//! - *Finite population.* Beside its Poisson limit, the weight of occupancy `k` in a binomial or
//!   Engset law has the factor `1 + δ_k`, `δ_k = (k·r − k(k−1)/2)/n` with `r = c·h`. A probability of
//!   a full bucket, at the moment of an arrival, thus changes by the relative amount
//!   `δ_h − E[δ_X] − h/n`, which lies between `−h(h+1)/(2n)` and `r·h/n`: at most
//!   `ε = h²·max(1, c)/n`.
//! - *Fluctuation.* The fluid limit takes `p^l` for the probability that `l` choices are full, where
//!   a finite table has `E[(N/m)^l]` with `N` the number of full buckets. A Poisson `N` would give at
//!   most `Π_{i<l} (p + i/m)`: to first order, `l(l−1)/2` times its relative variance `1/(p·m)`. The
//!   number of stored elements varies too, at most like a Poisson number of mean `n`; full buckets
//!   follow it with an elasticity of at most `h`, which adds `h²/n ≤ ε` to the relative variance.
//!
//! Together a power `p^l` is off by at most `Π_{i<l} (p + (i+1)·p·ε + i/m) − p^l`. The feedback of a
//! deviation on later insertions is not derived; exact chains for one and two slots per bucket, with
//! up to 100 and 4 choices, stay within the allowance (see the tests).
//!
//! For schemes that pick the least loaded bucket the levels depend on each other, and the allowance is
//! the response of the fluid model itself: each product `s^d` is replaced by `Π_{i<d} (s + i/m)` and
//! the load raised by the factor `1 + ε/h`, which alone gives `ε` for a single choice at small load.
//!
//! Allowances are absolute, in units of the quantity, so that they stay meaningful where a limit
//! is 0.

use super::{FluidLimit, d_left, d_random, ode};

/// A finite table whose fluid limit is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finite<'a> {
    /// Elements.
    pub n: u64,
    /// Buckets.
    pub m: u64,
    /// Choices.
    pub d: u32,
    /// Insertion probability.
    pub alpha: f64,
    /// What the table tends to.
    pub limit: &'a FluidLimit,
}

impl Finite<'_> {
    /// For the overflow fraction of SINGLE and MULTIPLE.
    pub fn overflow(&self) -> f64 {
        self.alpha * self.power(self.full(), self.population(), self.d)
    }

    /// For the accesses per insertion of MULTIPLE.
    pub fn accesses(&self) -> f64 {
        let powers = (1..self.d).map(|l| self.power(self.full(), self.population(), l));
        self.alpha * powers.sum::<f64>()
    }

    fn full(&self) -> f64 {
        self.limit.occupancy.last().copied().unwrap_or(0.0)
    }

    fn population(&self) -> f64 {
        population(self.n as f64, self.m as f64, self.limit.occupancy.len() as f64 - 1.0)
    }

    /// Deviation of `p^l` when `p` itself is off by the relative amount `epsilon`.
    fn power(&self, p: f64, epsilon: f64, l: u32) -> f64 {
        let choice = |i: u32| {
            let i = f64::from(i);
            p * (1.0 + (i + 1.0) * epsilon) + i / self.m as f64
        };
        (0..l).map(choice).product::<f64>() - p.powf(f64::from(l))
    }
}

/// `ε`, relative.
pub(crate) fn population(n: f64, m: f64, h: f64) -> f64 {
    (h * h).max(h * n / m) / n
}

/// A finite table with a scheme that picks the least loaded bucket.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeastLoaded {
    /// Elements.
    pub n: u64,
    /// Buckets.
    pub m: u64,
    /// Bucket size.
    pub h: u32,
    /// Choices.
    pub d: u32,
    /// Insertion probability.
    pub alpha: f64,
}

/// The parameters `c, h, d, alpha, spread` of a perturbed fluid model, to its overflow fraction.
type Model<'a> = &'a dyn Fn(f64, u32, u32, f64, f64) -> Result<f64, ode::Error>;

impl LeastLoaded {
    /// For the overflow fraction of d-random after a static fill.
    ///
    /// # Errors
    /// [`ode::Error`] when the equations cannot be integrated.
    pub fn d_random_static_fill(&self) -> Result<f64, ode::Error> {
        self.response(1.0 / self.m as f64, &|c, h, d, alpha, spread| {
            Ok(d_random::static_fill_spread(c, h, d, alpha, spread)?.overflow)
        })
    }

    /// For the overflow fraction of d-random under alternation.
    ///
    /// # Errors
    /// [`ode::Error`] when the equations cannot be integrated.
    pub fn d_random_alternation(&self) -> Result<f64, ode::Error> {
        self.response(1.0 / self.m as f64, &|c, h, d, alpha, spread| {
            Ok(d_random::alternation_spread(c, h, d, alpha, spread)?.overflow)
        })
    }

    /// For the overflow fraction of d-left after a static fill.
    ///
    /// # Errors
    /// [`ode::Error`] when the equations cannot be integrated.
    pub fn d_left_static_fill(&self) -> Result<f64, ode::Error> {
        self.response(f64::from(self.d) / self.m as f64, &|c, h, d, alpha, spread| {
            Ok(d_left::static_fill_spread(c, h, d, alpha, spread)?.table.overflow)
        })
    }

    /// For the overflow fraction of d-left under alternation.
    ///
    /// # Errors
    /// [`ode::Error`] when the equations cannot be integrated.
    pub fn d_left_alternation(&self) -> Result<f64, ode::Error> {
        self.response(f64::from(self.d) / self.m as f64, &|c, h, d, alpha, spread| {
            Ok(d_left::alternation_spread(c, h, d, alpha, spread)?.table.overflow)
        })
    }

    fn response(&self, spread: f64, overflow: Model) -> Result<f64, ode::Error> {
        let (n, m, h) = (self.n as f64, self.m as f64, f64::from(self.h));
        let epsilon = population(n, m, h);
        let c = n / (m * h);
        let limit = overflow(c, self.h, self.d, self.alpha, 0.0)?;
        let raised = c * (1.0 + epsilon / h);
        let perturbed = overflow(raised, self.h, self.d, self.alpha, spread)?;
        Ok((perturbed - limit).max(0.0) + epsilon * (limit - (1.0 - self.alpha)).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::two_slots::{self, Rule};
    use crate::theory::{bounds, d_random, engset, erlang, multiple, occupancy, single_slot};

    const ALPHAS: [f64; 2] = [0.4, 1.0];

    fn grid(sizes: &[u64], h: u32) -> impl Iterator<Item = (u64, u64, f64)> {
        let loads = (1..=20).map(|tenths| f64::from(tenths) / 10.0);
        sizes.iter().flat_map(move |&m| {
            loads.clone().map(move |c| {
                let n = (c * (m * u64::from(h)) as f64).round() as u64;
                (n, m, n as f64 / (m * u64::from(h)) as f64)
            })
        })
    }

    #[track_caller]
    fn within(exact: f64, fluid: f64, allowance: f64, what: &str) {
        assert!(
            allowance >= 0.0 && (exact - fluid).abs() <= allowance + 1e-9,
            "{what}: {exact} against {fluid} ± {allowance}"
        );
    }

    #[test]
    fn covers_engset_against_erlang() {
        for h in 1..=16 {
            for (n, m, c) in grid(&[64, 256, 1024, 16384], h) {
                for alpha in ALPHAS {
                    let limit = multiple::alternation(c, h, 1, alpha);
                    assert!((limit.overflow - erlang::overflow(c, h, alpha)).abs() < 1e-14);
                    let table = Finite { n, m, d: 1, alpha, limit: &limit };
                    let exact = engset::overflow(n, m, h, alpha);
                    within(exact, limit.overflow, table.overflow(), &format!("n {n} m {m} h {h}"));
                }
            }
        }
    }

    #[test]
    fn covers_binomial_against_poisson() {
        for h in 1..=16 {
            for (n, m, c) in grid(&[64, 256, 1024], h) {
                let limit = multiple::static_fill(c, h, 1, 1.0).unwrap();
                assert!((limit.overflow - bounds::fill(1.0, c, h)).abs() < 1e-11);
                let table = Finite { n, m, d: 1, alpha: 1.0, limit: &limit };
                let exact = occupancy::static_overflow(n, m, h, 1.0);
                within(exact, limit.overflow, table.overflow(), &format!("n {n} m {m} h {h}"));
            }
        }
    }

    #[test]
    fn covers_exact_chains_of_single_slots() {
        for d in [2, 3, 4, 5, 6, 7, 8, 100] {
            for ((n, m, c), alpha) in grid(&[64, 256, 1024], 1).flat_map(|g| ALPHAS.map(|a| (g, a)))
            {
                let what = format!("n {n} m {m} d {d} alpha {alpha}");
                let check = |exact: single_slot::SingleSlot, limit: &FluidLimit| {
                    let table = Finite { n, m, d, alpha, limit };
                    within(exact.overflow, limit.overflow, table.overflow(), &what);
                    within(exact.accesses, limit.accesses, table.accesses(), &what);
                };
                check(
                    single_slot::alternation(n, m, d, alpha),
                    &multiple::alternation(c, 1, d, alpha),
                );
                let fill = multiple::static_fill(c, 1, d, alpha).unwrap();
                check(single_slot::static_fill(n, m, d, alpha), &fill);
            }
        }
    }

    #[test]
    fn covers_exact_chains_of_two_slots() {
        for (n, m) in [(8, 16), (16, 16), (32, 16), (40, 16), (16, 32), (64, 32)] {
            let c = f64::from(n) / f64::from(2 * m);
            for d in 1..=4 {
                let what = format!("n {n} m {m} d {d}");
                let first_free = |exact: f64, limit: &FluidLimit| {
                    let table = Finite { n: n.into(), m: m.into(), d, alpha: 1.0, limit };
                    within(exact, limit.overflow, table.overflow(), &what);
                };
                let rule = Rule::FirstFree;
                first_free(
                    two_slots::alternation(n, m, d, rule),
                    &multiple::alternation(c, 2, d, 1.0),
                );
                first_free(
                    two_slots::static_fill(n, m, d, rule),
                    &multiple::static_fill(c, 2, d, 1.0).unwrap(),
                );
                let table = LeastLoaded { n: n.into(), m: m.into(), h: 2, d, alpha: 1.0 };
                let exact = two_slots::alternation(n, m, d, Rule::LeastLoaded);
                let fluid = d_random::alternation(c, 2, d, 1.0).overflow;
                within(exact, fluid, table.d_random_alternation().unwrap(), &what);
                let exact = two_slots::static_fill(n, m, d, Rule::LeastLoaded);
                let fluid = d_random::static_fill(c, 2, d, 1.0).unwrap().overflow;
                within(exact, fluid, table.d_random_static_fill().unwrap(), &what);
            }
        }
    }

    #[test]
    fn shrinks_like_one_over_n() {
        let limit = multiple::alternation(0.5, 4, 4, 1.0);
        let at = |m| Finite { n: 2 * m, m, d: 4, alpha: 1.0, limit: &limit }.overflow();
        let ratio = at(1_000_000) / at(10_000_000);
        assert!((ratio - 10.0).abs() < 0.01, "{ratio}");
    }
}
