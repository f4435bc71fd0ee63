//! Moving elements back from the overflow list when a deletion makes room (M-B), under alternation.
//!
//! Source: "Hash Tables With Finite Buckets Are Less Resistant to Deletions", Section VII. With one
//! choice (Theorem 10) a bucket always holds what a static fill with the elements now in the system
//! would leave there, so that [`super::occupancy::static_occupancy`] and
//! [`super::occupancy::static_overflow`] are exact, and [`super::bounds::fill`] is the limit. With more
//! choices there is the model of Theorem 11, which is approximate: it takes the choices of the listed
//! elements to be spread evenly over the full buckets.

use super::{FluidLimit, erlang, trials};
use crate::math::bisect::bisect;
use crate::math::elementary::{exp, exp_m1, ln, ln_1p};

/// MULTIPLE with M-B at load `c`, as modelled by Theorem 11 and extended to an insertion probability:
/// elements that never tried a bucket are never moved back.
///
/// With `p = P_h`, accesses `g = alpha·(1 − p^d)/(1 − p)` and `r = g·c·h`, the levels below `h` are
/// Poisson(`r`) cut off at `h − 1`, and `r·P_{h−1} = h·e^(−u)·p`, where `u` is the mean number of
/// matching choices on the list. Conservation of elements turns the definition of `u` into
/// `u/d + h·(1 − e^(−u)) = alpha·c·h·p^(d−1)`, in which nothing cancels, and overflow into
/// `1 − alpha + u·p/(c·h·d)`. The solution is unique.
pub fn multiple(c: f64, h: u32, d: u32, alpha: f64) -> FluidLimit {
    let model = Model { h, d, offered: alpha * c * f64::from(h), alpha };
    let full = Share { log_odds: bisect(-MOST_LOG_ODDS, MOST_LOG_ODDS, |y| model.imbalance(y)) };
    let listed = model.matches(&full) * full.value() / f64::from(d);
    let accesses = model.accesses(&full);
    let mut occupancy = erlang::occupancy(accesses * c * f64::from(h), h.saturating_sub(1));
    occupancy.iter_mut().for_each(|share| *share *= full.rest());
    occupancy.push(full.value());
    FluidLimit { overflow: 1.0 - alpha + listed / (c * f64::from(h)), accesses, occupancy }
}

/// Log odds between which the fraction of full buckets is searched: all that floating point can tell
/// from 0 and from 1.
const MOST_LOG_ODDS: f64 = 700.0;

/// A fraction that may be as close to 1 as to 0.
struct Share {
    log_odds: f64,
}

impl Share {
    fn value(&self) -> f64 {
        1.0 / (1.0 + exp(-self.log_odds))
    }

    fn rest(&self) -> f64 {
        1.0 / (1.0 + exp(self.log_odds))
    }

    fn ln(&self) -> f64 {
        -ln_1p(exp(-self.log_odds))
    }
}

struct Model {
    h: u32,
    d: u32,
    /// Elements that try a bucket, per bucket: `alpha·c·h`.
    offered: f64,
    alpha: f64,
}

impl Model {
    fn accesses(&self, full: &Share) -> f64 {
        self.alpha * trials(full.value(), full.rest(), self.d)
    }

    /// The number `u` of choices on the list that match a full bucket, on average.
    fn matches(&self, full: &Share) -> f64 {
        let d = f64::from(self.d);
        let failed = self.offered * exp((d - 1.0) * full.ln());
        bisect(0.0, d * failed, |u| u / d - f64::from(self.h) * exp_m1(-u) - failed)
    }

    /// `ln` of the flow from full buckets down over the flow up, at log odds `y` of a full bucket: it
    /// changes its sign once, from below.
    fn imbalance(&self, y: f64) -> f64 {
        let full = Share { log_odds: y };
        let down = ln(f64::from(self.h)) + full.ln() - self.matches(&full);
        let accepted = -exp_m1(f64::from(self.d) * full.ln());
        let offered = self.offered * trials(full.value(), full.rest(), self.d);
        let next_to_full = erlang::blocking(offered, self.h.saturating_sub(1));
        down - ln(self.offered * accepted) - ln(next_to_full)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::theory::multiple as without;
    use proptest::prelude::*;

    #[test]
    fn published_overflow() {
        for (c, percent) in [(1.0, "9.20"), (0.5, "0.19")] {
            assert_eq!(format!("{:.2}", 100.0 * multiple(c, 4, 2, 1.0).overflow), percent);
        }
    }

    /// The equations as Theorem 11 has them.
    #[track_caller]
    fn solves_theorem_11(limit: &FluidLimit, c: f64, h: u32, d: u32, alpha: f64) {
        let (p, load) = (&limit.occupancy, c * f64::from(h));
        let (full, rate) = (p[h as usize], limit.accesses * load);
        for k in 1..h as usize {
            let (up, down) = (rate * p[k - 1], k as f64 * p[k]);
            assert!((up - down).abs() <= 1e-11 * up + 1e-300, "level {k}: {up} up, {down} down");
        }
        let matches = (limit.overflow - 1.0 + alpha) * load * f64::from(d) / full;
        let unmatched = rate * p[h as usize - 1] / (f64::from(h) * full);
        let rounding = 1e-15 * load * f64::from(d) / full;
        assert!((matches + unmatched.ln()).abs() <= 1e-9 + rounding, "{matches} {unmatched}");
        let stored: f64 = p.iter().zip(0_u32..).map(|(p, k)| p * f64::from(k)).sum();
        assert!((limit.overflow - 1.0 + stored / load).abs() < 1e-12);
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-13);
    }

    #[test]
    fn small_overflow_keeps_its_digits() {
        // Nearly nothing is listed: u·(1/d + h) = ch·p^(d−1) with Erlang's p.
        let (c, h, d) = (0.05, 8, 3);
        let full = erlang::blocking(c * 8.0, h);
        let leading = full.powi(3) / (1.0 + 24.0);
        let limit = multiple(c, h, d, 1.0);
        assert!((limit.overflow / leading - 1.0).abs() < 1e-5, "{limit:?} {leading}");
    }

    #[test]
    fn extreme_loads() {
        for (h, d) in [(1, 1), (1, 1024), (4, 2), (255, 1), (255, 1024)] {
            let none = multiple(1e-6, h, d, 1.0);
            assert!((0.0..1e-5).contains(&none.overflow), "{h} {d}: {}", none.overflow);
            let crowd = multiple(1e6, h, d, 1.0);
            assert!((crowd.overflow - (1.0 - 1e-6)).abs() < 1e-12, "{h} {d}: {}", crowd.overflow);
            assert!((crowd.accesses / f64::from(d) - 1.0).abs() < 1e-12);
            assert_eq!(crowd.occupancy[h as usize], 1.0);
        }
    }

    #[test]
    fn without_insertions_everything_overflows() {
        let limit = multiple(0.5, 2, 3, 0.0);
        assert_eq!((limit.overflow, limit.accesses), (1.0, 0.0));
        assert_eq!(limit.occupancy[..2], [1.0, 0.0]);
    }

    proptest! {
        #[test]
        fn solves_the_model(c in 0.3..2.0, h in 1_u32..20, d in 1_u32..20, alpha in 0.3..=1.0) {
            solves_theorem_11(&multiple(c, h, d, alpha), c, h, d, alpha);
        }

        #[test]
        fn moving_back_helps(c in 0.01..5.0, h in 1_u32..255, d in 1_u32..1024, alpha in 0.01..=1.0) {
            let back = multiple(c, h, d, alpha).overflow;
            prop_assert!(back <= without::alternation(c, h, d, alpha).overflow + 1e-12);
            prop_assert!(back >= (1.0 - 1.0 / c).max(1.0 - alpha) - 1e-12);
        }

        #[test]
        fn more_elements_overflow_more(c in 0.01..5.0, h in 1_u32..100, d in 1_u32..100) {
            prop_assert!(multiple(1.01 * c, h, d, 1.0).overflow >= multiple(c, h, d, 1.0).overflow);
        }
    }
}
