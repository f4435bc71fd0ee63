//! On the way to the equilibrium of alternation, in the fluid limit.
//!
//! Time is counted in lifetimes: `t` of them are `t·n` rounds with `n` elements. With `u_k` the
//! derivative of a tail `s_k` per insertion and bucket (see [`super::multiple`], [`super::d_random`],
//! [`super::d_left`]), `ds_k/dt = c·h·u_k − k·(s_k − s_{k+1})`. The overflow list follows
//! `dL/dt = 1 − Σ u_k − L`, `L` being the overflow fraction: on the way, it is not the fraction
//! of arrivals that overflow.
//!
//! For the exact course of a finite table see [`super::engset::occupancy_after`] (SINGLE) and
//! [`super::single_slot::relaxation`].

use super::d_left::{self, DLeft};
use super::finite_size::Limit;
use super::{FluidLimit, RELAXATION, d_random, exact_from_tails, multiple, tails, trials};
use crate::math::ode;
use crate::tables::theory::TheoryError;

pub use super::start::Start;

/// SINGLE after `lifetimes` of alternation.
///
/// # Errors
/// [`TheoryError`] when the equations cannot be integrated.
pub fn single(
    (c, h): (f64, u32),
    alpha: f64,
    start: Start,
    lifetimes: f64,
) -> Result<FluidLimit, TheoryError> {
    d_random((c, h), 1, alpha, start, lifetimes)
}

/// MULTIPLE after `lifetimes` of alternation.
///
/// # Errors
/// [`TheoryError`] when the equations cannot be integrated.
pub fn multiple(
    (c, h): (f64, u32),
    d: u32,
    alpha: f64,
    start: Start,
    lifetimes: f64,
) -> Result<FluidLimit, TheoryError> {
    let course = Course { per_bucket: c * f64::from(h), alpha, sub_tables: 1, lifetimes };
    let before = match start {
        Start::OverflowList => course.empty(h as usize),
        Start::Filled => course.filled(&multiple::static_fill(c, h, d, alpha)?),
    };
    let (tails, overflow) = course
        .follow(before, |state, rate| multiple::arrivals(&state[..h as usize], alpha, d, rate))?;
    let full = tails.last().copied().unwrap_or(1.0);
    let accesses = alpha * trials(full, 1.0 - full, d);
    Ok(FluidLimit { overflow, accesses, occupancy: exact_from_tails(&tails) })
}

/// d-random after `lifetimes` of alternation.
///
/// # Errors
/// [`TheoryError`] when the equations cannot be integrated.
pub fn d_random(
    (c, h): (f64, u32),
    d: u32,
    alpha: f64,
    start: Start,
    lifetimes: f64,
) -> Result<FluidLimit, TheoryError> {
    let course = Course { per_bucket: c * f64::from(h), alpha, sub_tables: 1, lifetimes };
    let before = match start {
        Start::OverflowList => course.empty(h as usize),
        Start::Filled => course.filled(&d_random::static_fill(c, h, d, alpha)?),
    };
    let (tails, overflow) =
        course.follow(before, |state, rate| d_random::arrivals(state, alpha, d, rate))?;
    Ok(d_random::limit(&tails, d, alpha, overflow))
}

/// d-left after `lifetimes` of alternation.
///
/// # Errors
/// [`TheoryError`] when the equations cannot be integrated, or have more than
/// [`d_left::MOST_STATES`] states.
pub fn d_left(
    (c, h): (f64, u32),
    d: u32,
    alpha: f64,
    start: Start,
    lifetimes: f64,
) -> Result<DLeft, TheoryError> {
    let system = d_left::Equations::new(h, d, alpha)?;
    let sub_tables = d as usize;
    let course = Course { per_bucket: c * f64::from(h), alpha, sub_tables, lifetimes };
    let before = match start {
        Start::OverflowList => course.empty(h as usize * sub_tables),
        Start::Filled => {
            let fill = d_left::static_fill(c, h, d, alpha)?;
            course.state(fill.tails(), fill.table.overflow)
        }
    };
    let (tails, overflow) =
        course.follow(before, |state, rate| system.arrivals(state, 1.0, rate))?;
    Ok(system.limit(&tails, overflow))
}

/// A state is the tails, level by level, and the elements per bucket that found no place.
pub(super) struct Course {
    pub(super) per_bucket: f64,
    pub(super) alpha: f64,
    pub(super) sub_tables: usize,
    pub(super) lifetimes: f64,
}

impl Course {
    pub(super) fn state(&self, mut tails: Vec<f64>, overflow: f64) -> Vec<f64> {
        tails.push((overflow - (1.0 - self.alpha)) * self.per_bucket);
        tails
    }

    pub(super) fn empty(&self, states: usize) -> Vec<f64> {
        self.state(vec![0.0; states], 1.0)
    }

    fn filled(&self, fill: &FluidLimit) -> Vec<f64> {
        self.state(tails(&fill.occupancy), fill.overflow)
    }

    /// Tails and overflow fraction at the end, from the derivatives per insertion and bucket.
    pub(super) fn follow(
        &self,
        start: Vec<f64>,
        arrivals: impl Fn(&[f64], &mut [f64]),
    ) -> Result<(Vec<f64>, f64), TheoryError> {
        let end = self.lifetimes.min(RELAXATION);
        let mut state = ode::integrate(start, end, ode::Precision::Fine, |state, rate| {
            arrivals(state, rate);
            self.departures(state, rate);
        })?;
        let unplaced = state.pop().unwrap_or(f64::NAN);
        Ok((state, 1.0 - self.alpha + unplaced / self.per_bucket))
    }

    /// From derivatives per insertion and bucket to those per lifetime, departures included.
    fn departures(&self, state: &[f64], rate: &mut [f64]) {
        let levels = state.len() - 1;
        for i in 0..levels {
            let next = if i + self.sub_tables < levels { state[i + self.sub_tables] } else { 0.0 };
            let leaving = (i / self.sub_tables + 1) as f64 * (state[i] - next);
            rate[i] = self.per_bucket * rate[i] - leaving;
        }
        rate[levels] = self.per_bucket * rate[levels] - state[levels];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::tables::theory::allowance::{Finite, Regime};
    use crate::tables::theory::{engset, single_slot};
    use rand::{RngExt as _, SeedableRng as _};

    const STARTS: [Start; 2] = [Start::OverflowList, Start::Filled];

    #[test]
    fn single_slots_in_closed_form() {
        // s' = c − (1 + c)·s for one choice.
        let (c, t) = (0.8_f64, 0.7_f64);
        let equilibrium = c / (1.0 + c);
        for (start, full) in [(Start::OverflowList, 0.0), (Start::Filled, -(-c).exp_m1())] {
            let limit = single((c, 1), 1.0, start, t).unwrap();
            let expected = equilibrium + (full - equilibrium) * (-(1.0 + c) * t).exp();
            assert!((limit.occupancy[1] - expected).abs() < 1e-10);
            assert!((limit.overflow - (1.0 - expected / c)).abs() < 1e-10);
        }
    }

    #[test]
    fn begins_with_the_start_and_ends_with_the_equilibrium() {
        for (c, h, d, alpha) in
            [(0.9, 4, 3, 1.0), (0.5, 2, 2, 0.6), (1.5, 8, 2, 0.9), (0.1, 16, 2, 1.0)]
        {
            for start in STARTS {
                let at = |t| multiple((c, h), d, alpha, start, t).unwrap();
                close(&at(1e3), &multiple::alternation(c, h, d, alpha));
                close(&at(0.0), &begun(start, multiple::static_fill(c, h, d, alpha)));
                let at = |t| d_random((c, h), d, alpha, start, t).unwrap();
                close(&at(1e3), &d_random::alternation(c, h, d, alpha));
                close(&at(0.0), &begun(start, d_random::static_fill(c, h, d, alpha)));
                let at = |t| d_left((c, h), d, alpha, start, t).unwrap().table;
                close(&at(1e3), &d_left::alternation(c, h, d, alpha).unwrap().table);
                let fill = d_left::static_fill(c, h, d, alpha).map(|limit| limit.table);
                close(&at(0.0), &begun(start, fill));
            }
        }
    }

    fn begun(start: Start, fill: Result<FluidLimit, TheoryError>) -> FluidLimit {
        let fill = fill.unwrap();
        let empty = (0..fill.occupancy.len()).map(|k| f64::from(u8::from(k == 0)));
        match start {
            Start::Filled => fill,
            Start::OverflowList => FluidLimit { overflow: 1.0, occupancy: empty.collect(), ..fill },
        }
    }

    #[track_caller]
    fn close(left: &FluidLimit, right: &FluidLimit) {
        assert!((left.overflow - right.overflow).abs() < 1e-9, "{left:?} {right:?}");
        for (a, b) in left.occupancy.iter().zip(&right.occupancy) {
            assert!((a - b).abs() < 1e-9, "{left:?} {right:?}");
        }
    }

    #[test]
    fn elements_are_conserved() {
        for (start, t) in STARTS.iter().flat_map(|&start| [0.1, 1.0, 5.0].map(|t| (start, t))) {
            let (c, h, d, alpha) = (0.9, 4, 3, 0.8);
            for limit in [
                multiple((c, h), d, alpha, start, t),
                d_random((c, h), d, alpha, start, t),
                d_left((c, h), d, alpha, start, t).map(|limit| limit.table),
            ] {
                let limit = limit.unwrap();
                let stored = (0_u32..).zip(&limit.occupancy).map(|(k, p)| f64::from(k) * p);
                let stored: f64 = stored.sum();
                assert!((stored - c * f64::from(h) * (1.0 - limit.overflow)).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn large_tables_come_close() {
        for start in STARTS {
            let (n, m, h, t) = (3_000_000, 1_000_000, 4, 1.5);
            let exact = engset::occupancy_after((n, m, h), 0.9, start, 4_500_000);
            let limit = single((0.75, h), 0.9, start, t).unwrap();
            assert!((engset::listed(n, m, &exact) - limit.overflow).abs() < 1e-6);
            for (a, b) in exact.iter().zip(&limit.occupancy) {
                assert!((a - b).abs() < 2e-6);
            }
            let exact = single_slot::relaxation((4000, 4000), 2, 1.0, start, 6000).unwrap();
            let limit = multiple((1.0, 1), 2, 1.0, start, t).unwrap();
            assert!((exact.overflow - limit.overflow).abs() < 2e-4);
            assert!((exact.accesses - limit.accesses).abs() < 4e-4);
        }
    }

    /// d-left with two choices, simulated.
    struct Simulated {
        loads: Vec<u8>,
        places: Vec<Option<usize>>,
    }

    impl Simulated {
        fn insert(&mut self, element: usize, h: u8, rng: &mut Rng) {
            let half = self.loads.len() / 2;
            let (left, right) = (rng.random_range(0..half), half + rng.random_range(0..half));
            let least = if self.loads[left] <= self.loads[right] { left } else { right };
            self.places[element] = (self.loads[least] < h).then_some(least);
            self.loads[least] += u8::from(self.loads[least] < h);
        }

        fn delete(&mut self, element: usize) {
            if let Some(bucket) = self.places[element].take() {
                self.loads[bucket] -= 1;
            }
        }

        fn overflow(n: usize, m: usize, h: u8, start: Start, rounds: usize, rng: &mut Rng) -> f64 {
            let mut table = Self { loads: vec![0; m], places: vec![None; n] };
            if start == Start::Filled {
                (0..n).for_each(|element| table.insert(element, h, rng));
            }
            for _ in 0..rounds {
                let element = rng.random_range(0..n);
                table.delete(element);
                table.insert(element, h, rng);
            }
            table.places.iter().filter(|place| place.is_none()).count() as f64 / n as f64
        }
    }

    #[test]
    fn simulation_of_d_left_agrees() {
        let mut rng = Rng::seed_from_u64(11);
        for (start, (n, m, h)) in
            STARTS.iter().flat_map(|&s| [(60, 60, 1), (120, 60, 2), (2000, 500, 4)].map(|x| (s, x)))
        {
            let trials: Vec<f64> =
                (0..200).map(|_| Simulated::overflow(n, m, h, start, n, &mut rng)).collect();
            let mean = trials.iter().sum::<f64>() / 200.0;
            let variance = trials.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 199.0;
            let c = n as f64 / (m as f64 * f64::from(h));
            let limit = d_left((c, h.into()), 2, 1.0, start, 1.0).unwrap();
            let table = Finite { n: n as u64, m: m as u64, alpha: 1.0 };
            let regime = Regime::Relaxation { start, lifetimes: 1.0 };
            let rule = d_left::Leftmost { d: 2 };
            let allowance = table.allowance(&rule, regime, &limit).unwrap().overflow;
            let distance = (mean - limit.table.overflow).abs();
            assert!(
                distance < 4.0 * (variance / 200.0).sqrt() + allowance,
                "{start:?} {n} {m} {h}"
            );
        }
    }
}
