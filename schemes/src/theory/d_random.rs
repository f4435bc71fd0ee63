//! d-random in the fluid limit: all `d` choices are read, the least loaded bucket gets the element.
//!
//! With `s_k` the fraction of buckets that hold at least `k` elements, a static fill follows
//! `ds_k/dt = alpha·(s_{k−1}^d − s_k^d)`, `k = 1..=h`, for `t` in `[0, c·h]`. Under alternation the
//! equilibrium satisfies `alpha·c·h·(s_{k−1}^d − s_k^d) = k·(s_k − s_{k+1})`, where `s_0 = 1` and
//! `s_{h+1} = 0`. An insertion overflows with probability `1 − alpha + alpha·s_h^d`.

use super::{FluidLimit, bisect, exact_from_tails, ode};

/// State after a static fill up to load `c`.
///
/// # Errors
/// [`ode::Error`] when the equations cannot be integrated.
pub fn static_fill(c: f64, h: u32, d: u32, alpha: f64) -> Result<FluidLimit, ode::Error> {
    let per_bucket = c * f64::from(h);
    let mut end = ode::integrate(vec![0.0; h as usize + 1], per_bucket, |tails, rate| {
        let mut attempts = alpha;
        for (tail, rate) in tails.iter().zip(rate.iter_mut()).take(h as usize) {
            let passed_on = alpha * tail.powf(f64::from(d));
            *rate = attempts - passed_on;
            attempts = passed_on;
        }
        rate[h as usize] = attempts;
    })?;
    let overflowed = end.pop().unwrap_or(f64::NAN);
    Ok(limit(&end, d, alpha, 1.0 - alpha + overflowed / per_bucket))
}

/// Equilibrium under alternation at load `c`.
///
/// Given `s_h`, the equations yield `s_{h−1}, …, s_0` one after the other, and `s_h` is found by
/// bisection on `s_0 = 1`. As `s_h` may be as small as `exp(−d^h)`, everything is done in logarithms.
pub fn alternation(c: f64, h: u32, d: u32, alpha: f64) -> FluidLimit {
    if alpha == 0.0 {
        return limit(&vec![0.0; h as usize], d, alpha, 1.0);
    }
    let ln_rate = (alpha * c * f64::from(h)).ln();
    let depth = bisect(SHALLOWEST, DEEPEST, |depth| {
        -ln_tails(-depth.exp(), ln_rate, h, d)[0]
    });
    let ln_tails = ln_tails(-depth.exp(), ln_rate, h, d);
    let tails: Vec<f64> = ln_tails
        .iter()
        .skip(1)
        .map(|tail| tail.exp().min(1.0))
        .collect();
    let all_full = tails.last().map_or(1.0, |full| full.powf(f64::from(d)));
    limit(&tails, d, alpha, 1.0 - alpha + alpha * all_full)
}

/// Range searched for `ln(−ln s_h)`: `s_h` from `1 − 1e-26` down to `exp(−1e300)`.
const SHALLOWEST: f64 = -60.0;
const DEEPEST: f64 = 690.0;

/// `ln s_0, …, ln s_h` from `ln s_h` and the logarithm of the arrival rate per bucket.
fn ln_tails(ln_full: f64, ln_rate: f64, h: u32, d: u32) -> Vec<f64> {
    let d = f64::from(d);
    let mut tails = vec![ln_full];
    let (mut tail, mut next) = (ln_full, f64::NEG_INFINITY);
    for k in (1..=h).rev() {
        let departures = f64::from(k).ln() - ln_rate + tail + (-(next - tail).exp()).ln_1p();
        (tail, next) = (ln_add(d * tail, departures) / d, tail);
        tails.push(tail);
    }
    tails.reverse();
    tails
}

/// `ln(e^x + e^y)`.
fn ln_add(x: f64, y: f64) -> f64 {
    let (small, large) = if x < y { (x, y) } else { (y, x) };
    large + (small - large).exp().ln_1p()
}

fn limit(tails: &[f64], d: u32, alpha: f64, overflow: f64) -> FluidLimit {
    FluidLimit {
        overflow,
        accesses: alpha * f64::from(d),
        occupancy: exact_from_tails(tails),
    }
}
