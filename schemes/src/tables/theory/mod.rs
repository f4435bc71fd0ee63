//! What mathematics says about a scheme: exact laws for finite tables, limits for large ones.
//!
//! Notation as in the papers: `n` elements in `m` buckets of size `h`, load `c = n/(m·h)`, `d`
//! choices per element, insertion probability `alpha` (an element is put directly on the overflow
//! list with probability `1 − alpha`). Three workloads recur:
//! - *static fill*: `n` insertions into an empty table;
//! - *alternation*: delete one of the `n` elements (members of the overflow list included) chosen
//!   uniformly, insert a new one, and look at the table after the insertion, in equilibrium or on
//!   the way to it (relaxation);
//! - *open model*: elements arrive as a Poisson process, `n` per unit of time, and each stays for an
//!   exponential time of mean 1. The overflow fraction is the mean length of the list divided by `n`.
//!
//! Overflow fractions are elements on the overflow list per element in the system. Parameters are
//! taken as they are: `n`, `m`, `d ≥ 1`, `h ≥ 1`, `c > 0` and `alpha` in `[0, 1]` is the common domain,
//! outside of which results have no meaning (often not a number) but nothing panics.

use crate::math::elementary::{exp_m1, ln_1p, pow};

pub mod allocation;
pub mod allowance;
pub mod bounds;
mod covariance;
pub mod cuckoo;
pub mod d_left;
pub mod d_random;
mod differences;
pub mod engset;
#[cfg(test)]
mod enumeration;
pub mod erlang;
mod error;
mod finite_size;
pub mod list_of_one_choice;
#[cfg(test)]
pub(crate) mod methodology;
pub mod moving_back;
pub mod multilevel;
pub mod multiple;
pub mod occupancy;
pub mod on_off;
pub mod refined;
pub mod relaxation;
pub mod second_chance;
pub mod single_slot;
#[cfg(test)]
mod small_table;
mod start;
pub mod sub_tables;
pub mod uneven;

pub use error::TheoryError;

/// A scheme in the limit of many buckets.
#[derive(Debug, Clone, PartialEq)]
pub struct FluidLimit {
    /// Elements on the overflow list, per element in the system.
    pub overflow: f64,
    /// Buckets read per insertion, elements sent directly to the overflow list included.
    pub accesses: f64,
    /// Fraction of buckets that hold exactly `k` elements, `k = 0..=h`.
    pub occupancy: Vec<f64>,
}

/// Lifetimes after which alternation has forgotten an empty table: deviations shrink like `e^(−t)`.
const RELAXATION: f64 = 45.0;

/// Fractions of buckets with exactly `k` elements from those with at least `k + 1`, `k = 0..h`.
fn exact_from_tails(tails: &[f64]) -> Vec<f64> {
    let at_least = std::iter::once(1.0).chain(tails.iter().copied());
    let more = tails.iter().copied().chain(std::iter::once(0.0));
    at_least.zip(more).map(|(s, next)| s - next).collect()
}

/// Fractions of buckets with at least `k = 1..=h` elements, summed from the full ones: small values
/// keep their digits.
fn tails(occupancy: &[f64]) -> Vec<f64> {
    let sums = occupancy.iter().skip(1).rev().scan(0.0, |sum, share| {
        *sum += share;
        Some(*sum)
    });
    let mut tails: Vec<f64> = sums.collect();
    tails.reverse();
    tails
}

/// First and second derivative of `s^d`, `d ≥ 1`.
fn power_slopes(s: f64, d: u32) -> [f64; 2] {
    let power = |exponent: u32| pow(s, f64::from(exponent));
    let d_real = f64::from(d);
    [d_real * power(d.saturating_sub(1)), d_real * (d_real - 1.0) * power(d.saturating_sub(2))]
}

/// `1 + p + … + p^(d−1)`, the choices an element looks at when each fails with probability `p`.
///
/// `q = 1 − p` comes separately because one of the two is known to more digits.
fn trials(p: f64, q: f64, d: u32) -> f64 {
    if q <= 0.0 {
        f64::from(d)
    } else if p < 0.5 {
        (1.0 - pow(p, f64::from(d))) / q
    } else {
        -exp_m1(f64::from(d) * ln_1p(-q)) / q
    }
}
