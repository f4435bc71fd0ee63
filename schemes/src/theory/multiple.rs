//! MULTIPLE in the fluid limit: up to `d` choices, one after the other, the first free place wins.
//!
//! Sources: "Hash Tables With Finite Buckets Are Less Resistant to Deletions", Theorem 9, for
//! alternation. For the static fill: buckets are accessed evenly, so that a bucket accessed `u` times
//! on average holds min(Poisson(`u`), `h`) elements; with `p` the probability of a full bucket an
//! insertion makes `G = alpha·(1 − p^d)/(1 − p)` accesses, hence `du/dt = G` over `t` in `[0, c·h]`
//! insertions per bucket.

use super::occupancy::Demand;
use super::{FluidLimit, bisect, erlang, ode, trials};

/// Equilibrium under alternation at load `c` (Theorem 9).
///
/// The accesses `a` solve `a = alpha·(1 − pi_h(a)^d)/(1 − pi_h(a))`, where `pi_h(a)` is the Erlang-B
/// probability at `a·c·h`. The solution is unique: written as `a·(1 − pi_h) = alpha·(1 − pi_h^d)`, the
/// left side grows and the right side falls with `a`.
pub fn alternation(c: f64, h: u32, d: u32, alpha: f64) -> FluidLimit {
    let per_bucket = c * f64::from(h);
    let needed = |a: f64| {
        let r = a * per_bucket;
        alpha * trials(erlang::blocking(r, h), erlang::acceptance(r, h), d)
    };
    let accesses = bisect(alpha, alpha * f64::from(d), |a| a - needed(a));
    let full = erlang::blocking(accesses * per_bucket, h);
    FluidLimit {
        overflow: 1.0 - alpha + alpha * full.powf(f64::from(d)),
        accesses,
        occupancy: erlang::occupancy(accesses * per_bucket, h),
    }
}

/// Accesses per insertion up to which MULTIPLE under alternation is optimal: `a_co` of Theorem 9(iii).
pub fn crossover_accesses(c: f64, h: u32, d: u32) -> f64 {
    alternation(c, h, d, 1.0).accesses
}

/// State after a static fill up to load `c`.
///
/// # Errors
/// [`ode::Error`] when the equation cannot be integrated.
pub fn static_fill(c: f64, h: u32, d: u32, alpha: f64) -> Result<FluidLimit, ode::Error> {
    let per_bucket = c * f64::from(h);
    let end = ode::integrate(vec![0.0, 0.0], per_bucket, |state, rate| {
        let demand = Demand::poisson(state[0], h);
        let full = demand.at_least(h);
        rate[0] = alpha * trials(full, demand.below(h), d);
        rate[1] = alpha * full.powf(f64::from(d));
    })?;
    Ok(FluidLimit {
        overflow: 1.0 - alpha + end[1] / per_bucket,
        accesses: end[0] / per_bucket,
        occupancy: Demand::poisson(end[0], h).kept(h),
    })
}
