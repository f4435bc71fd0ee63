//! The likeliest way to an overflow list of a given length.
//!
//! For `n` insertions, `E[e^(θ|L|) | counts n·u after t·n insertions] ≈ e^(n·S(t, u) + S₁(t, u))`, where
//! `S` solves the Hamilton–Jacobi equation `∂S/∂t + H(u, ∂S/∂u) = 0` with `S(1, u) = θ·u_L`. The path
//! from the empty table has `du/dt = ∂H/∂p`, `dp/dt = −∂H/∂u`, `u(0) = 0` and `p(1) = θ·e_L`, with
//! `p = ∂S/∂u`. Along it the curvature `P = ∂²S/∂u²` has the Riccati equation
//!
//! `dP/dt = −H_uu − H_up·P − P·H_pu − P·H_pp·P`, `P(1) = 0`,
//!
//! and expanding one insertion to the next order in `1/n` gives
//! `dS₁/dt = ½·H_u·H_p − ½·tr(P·H_pp)`, `S₁(1) = 0`.
//!
//! The two-point problem is solved by differential dynamic programming, which is Newton's method in
//! two sweeps: `p`, `P`, `S` and `S₁` backwards along the last path `ū`, where `p` has the additional
//! term `P·(dū/dt − H_p)`, then `u` forwards with the momentum `p + P·(u − ū)`. Both are integrated by
//! the classical Runge–Kutta method in equal steps, with cubic interpolation between them.

use nalgebra::{DMatrix, DVector};

use super::hamiltonian::Hamiltonian;
use crate::tables::theory::TheoryError;

/// The least steps of a path.
const LEAST_STEPS: usize = 128;
/// The steps in the time in which as many elements look at a sub-table as it has buckets.
const STEPS_PER_VISIT: f64 = 2.0;
/// The most steps; sub-tables that fill faster are refused.
const MOST_STEPS: usize = 2048;
/// The most steps of the first fluid limit, from which the steps are chosen.
const MOST_PROBED: usize = 4 * MOST_STEPS;
/// The most steps times the work of each: as a law takes hundreds of sweeps, some seconds.
const MOST_WORK: f64 = 2e7;
/// Pairs of sweeps after which the search is given up.
const MOST_SWEEPS: usize = 10;
/// The least step of `θ`.
const LEAST_STEP: f64 = 0.02;
/// The relative change of the length of the overflow list at which a path is final: the next sweeps
/// would change it by the square.
const CONVERGED: f64 = 1e-5;

/// A path of the counts per element, and the expansion of `S` around it, in equal steps of time.
#[derive(Debug, Clone)]
pub(super) struct Path {
    /// θ.
    pub(super) tilt: f64,
    points: Vec<Point>,
}

#[derive(Debug, Clone)]
struct Point {
    /// The sets of buckets and the overflow list, per element.
    means: Moving,
    action: Action,
    /// Time derivative of `action.momentum`.
    force: DVector<f64>,
}

/// A vector with its derivative by time.
#[derive(Debug, Clone)]
struct Moving {
    at: DVector<f64>,
    rate: DVector<f64>,
}

/// The expansion of `S` by the sets of buckets, or its derivative by time.
#[derive(Debug, Clone)]
pub(super) struct Action {
    /// `S`.
    pub(super) value: f64,
    /// `S₁`.
    pub(super) correction: f64,
    /// `p` without `θ`.
    momentum: DVector<f64>,
    /// `P`.
    curvature: DMatrix<f64>,
}

impl Path {
    /// The fluid limit, `θ = 0`.
    ///
    /// # Errors
    /// [`TheoryError::TooSmall`] if a sub-table is too small for the elements that look at it,
    /// [`TheoryError::TooLong`] if that makes for too much work.
    pub(super) fn fluid(hamiltonian: &Hamiltonian) -> Result<Self, TheoryError> {
        let too_small = TheoryError::TooSmall { most: MOST_STEPS as f64 / STEPS_PER_VISIT };
        let smallest = hamiltonian.of_each_set.iter().fold(1.0, |least: f64, &m| least.min(m));
        let probed = (STEPS_PER_VISIT / smallest).max(LEAST_STEPS as f64);
        if probed.is_nan() || probed > MOST_PROBED as f64 {
            return Err(too_small);
        }
        let probe = Self::fluid_in(hamiltonian, probed as usize);
        let steps = STEPS_PER_VISIT * probe.busiest(hamiltonian);
        if steps.is_nan() || steps > MOST_STEPS as f64 {
            return Err(too_small);
        }
        let steps = (steps as usize).max(LEAST_STEPS);
        if steps as f64 * hamiltonian.work() > MOST_WORK {
            return Err(TheoryError::TooLong);
        }
        let mut path = Self::fluid_in(hamiltonian, steps);
        path.backwards(hamiltonian);
        Ok(path)
    }

    /// The means of the fluid limit in so many steps.
    fn fluid_in(hamiltonian: &Hamiltonian, steps: usize) -> Self {
        let sets = hamiltonian.outcomes.sets.len();
        let none = DVector::zeros(sets + 1);
        let still = Point {
            means: Moving { at: none.clone(), rate: none },
            action: Action::end(sets, 0.0),
            force: DVector::zeros(sets),
        };
        let mut path = Self { tilt: 0.0, points: vec![still; steps + 1] };
        path.forwards(hamiltonian);
        path
    }

    /// How often a bucket is looked at, at the fastest: over all times and sub-tables, the greatest rate
    /// at which elements get past the earlier sub-tables, per bucket. It says how small steps must be.
    fn busiest(&self, hamiltonian: &Hamiltonian) -> f64 {
        let outcomes = hamiltonian.outcomes;
        let mut most = 0.0_f64;
        for point in &self.points {
            let mut looking = 1.0;
            for i in 0..outcomes.sets.sub_tables() {
                let elements = outcomes.sets.elements(i);
                most = most.max(looking / hamiltonian.of_each_set[elements.start]);
                looking -= point.means.rate.as_slice()[elements].iter().sum::<f64>();
            }
        }
        most
    }

    /// The path for another `θ`.
    ///
    /// # Errors
    /// [`TheoryError::NoPath`] if it is not found.
    pub(super) fn continued(
        &self,
        hamiltonian: &Hamiltonian,
        tilt: f64,
    ) -> Result<Self, TheoryError> {
        let path = self.furthest(hamiltonian, tilt);
        if path.tilt == tilt { Ok(path) } else { Err(TheoryError::NoPath) }
    }

    /// The path for another `θ`, or for the one closest to it for which a path is found from here. The
    /// steps of `θ` are halved where no path is found.
    pub(super) fn furthest(&self, hamiltonian: &Hamiltonian, tilt: f64) -> Self {
        let mut path = self.clone();
        let mut step = (tilt - self.tilt).clamp(-1.0, 1.0);
        while path.tilt != tilt && step.abs() >= LEAST_STEP.min((tilt - path.tilt).abs()) {
            let rest = tilt - path.tilt;
            let next = if rest.abs() <= step.abs() { tilt } else { path.tilt + step };
            match path.tilted(hamiltonian, next) {
                Some(found) => path = found,
                None => step = (next - path.tilt) / 2.0,
            }
        }
        path
    }

    /// The path for another `θ`, if the sweeps converge when started from this one.
    fn tilted(&self, hamiltonian: &Hamiltonian, tilt: f64) -> Option<Self> {
        let mut path = Self { tilt, ..self.clone() };
        for _ in 0..MOST_SWEEPS {
            let before = path.overflow();
            path.backwards(hamiltonian);
            path.forwards(hamiltonian);
            if !path.overflow().is_finite() {
                return None;
            }
            if (path.overflow() - before).abs() <= CONVERGED * before {
                path.backwards(hamiltonian);
                return Some(path);
            }
        }
        None
    }

    /// `u_L(1)`, the derivative of `S` by `θ`.
    pub(super) fn overflow(&self) -> f64 {
        self.points.last().map_or(0.0, |end| end.means.at[end.means.at.len() - 1])
    }

    /// `−ln P(|L| ≈ n·u_L)/n`, Legendre's transform of `S`.
    pub(super) fn rate(&self) -> f64 {
        (self.tilt * self.overflow() - self.start().value).max(0.0)
    }

    /// The expansion of `S` at the empty table.
    pub(super) fn start(&self) -> &Action {
        &self.points[0].action
    }

    /// `S` and the momentum, `θ` included, at time `t` where the counts per element are `means`: between
    /// the expansions around the points before and after.
    pub(super) fn outlook(&self, t: f64, means: &DVector<f64>) -> (f64, DVector<f64>) {
        let steps = (self.points.len() - 1) as f64;
        let place = (t * steps).clamp(0.0, steps);
        let i = (place as usize).min(self.points.len() - 2);
        let s = place - i as f64;
        let [(from, before), (to, after)] = [i, i + 1].map(|i| self.outlook_from(i, means));
        (from * (1.0 - s) + to * s, (before * (1.0 - s) + after * s).push(self.tilt))
    }

    /// `S` and the momentum without `θ` by the quadratic expansion around a point.
    ///
    /// One more bucket in a set makes the list longer or shorter by about one element at most. Where the
    /// expansion says more, it is used too far from its point: the momentum is clamped to `±θ`. In the same
    /// way `S` is at least what the elements on the list contribute, as they stay there.
    fn outlook_from(&self, i: usize, means: &DVector<f64>) -> (f64, DVector<f64>) {
        let Point { means: Moving { at, .. }, action, .. } = &self.points[i];
        let last = means.len() - 1;
        let away = (means - at).rows(0, last).clone_owned();
        let bend = &action.curvature * &away;
        let more = self.tilt * (means[last] - at[last]);
        let value = action.value + more + away.dot(&(&action.momentum + &bend / 2.0));
        let most = self.tilt.abs();
        let momentum = (&action.momentum + bend).map(|p| p.clamp(-most, most));
        (value.max(self.tilt * means[last]), momentum)
    }

    /// The momentum a part `s` of the step after the point `i`.
    fn momentum_after(&self, i: usize, s: f64, means: &DVector<f64>) -> DVector<f64> {
        let (from, to) = (&self.points[i], &self.points[i + 1]);
        let h = self.step();
        let forces = [&from.force, &to.force];
        let along = interpolate([&from.action.momentum, &to.action.momentum], forces, h, s).at;
        let reference = interpolate_moving(&from.means, &to.means, h, s).at;
        let away = (means - reference).rows(0, along.len()).clone_owned();
        let from = &from.action.curvature * &away;
        let to = &to.action.curvature * &away;
        (along + from * (1.0 - s) + to * s).push(self.tilt)
    }

    fn step(&self) -> f64 {
        1.0 / (self.points.len() - 1) as f64
    }

    /// Replaces the means by what the momentum makes of them.
    fn forwards(&mut self, hamiltonian: &Hamiltonian) {
        let h = self.step();
        let rate = |path: &Self, i, s, means: &DVector<f64>| {
            hamiltonian.drift(means.as_slice(), path.momentum_after(i, s, means).as_slice())
        };
        let mut path = Vec::with_capacity(self.points.len());
        let mut at = DVector::zeros(self.points[0].means.at.len());
        for i in 0..self.points.len() - 1 {
            let first = rate(self, i, 0.0, &at);
            let second = rate(self, i, 0.5, &(&at + &first * (h / 2.0)));
            let third = rate(self, i, 0.5, &(&at + &second * (h / 2.0)));
            let fourth = rate(self, i, 1.0, &(&at + &third * h));
            let next = &at + (&first + (second + third) * 2.0 + fourth) * (h / 6.0);
            path.push(Moving { at, rate: first });
            at = next;
        }
        let end = rate(self, self.points.len() - 2, 1.0, &at);
        path.push(Moving { at, rate: end });
        self.points.iter_mut().zip(path).for_each(|(point, means)| point.means = means);
    }

    /// Replaces the expansion of `S` by that around the present means.
    fn backwards(&mut self, hamiltonian: &Hamiltonian) {
        let h = self.step();
        let last = self.points.len() - 1;
        let end = &mut self.points[last];
        end.action = Action::end(
            hamiltonian.outcomes.sets.len(),
            self.tilt * end.means.at[end.means.at.len() - 1],
        );
        let mut first = end.action.rate(hamiltonian, self.tilt, &end.means);
        end.force = first.momentum.clone();
        for i in (0..last).rev() {
            let (from, to) = (&self.points[i + 1], &self.points[i].means);
            let middle = interpolate_moving(to, &from.means, h, 0.5);
            let rate = |action: &Action, means| action.rate(hamiltonian, self.tilt, means);
            let second = rate(&from.action.plus(-h / 2.0, &first), &middle);
            let third = rate(&from.action.plus(-h / 2.0, &second), &middle);
            let fourth = rate(&from.action.plus(-h, &third), to);
            let action = [(1.0, &first), (2.0, &second), (2.0, &third), (1.0, &fourth)]
                .into_iter()
                .fold(from.action.clone(), |sum, (weight, rate)| sum.plus(-h / 6.0 * weight, rate));
            first = rate(&action, to);
            self.points[i].action = action;
            self.points[i].force = first.momentum.clone();
        }
    }
}

impl Action {
    /// At time 1.
    fn end(sets: usize, value: f64) -> Self {
        let (momentum, curvature) = (DVector::zeros(sets), DMatrix::zeros(sets, sets));
        Self { value, correction: 0.0, momentum, curvature }
    }

    /// The derivatives by time along the given means.
    fn rate(&self, hamiltonian: &Hamiltonian, tilt: f64, means: &Moving) -> Self {
        let sets = self.momentum.len();
        let momentum = self.momentum.clone().push(tilt);
        let at = hamiltonian.expand(means.at.as_slice(), momentum.as_slice());
        let noise = at.noise.view((0, 0), (sets, sets));
        let turned = &self.curvature * at.mixed.rows(0, sets);
        let spread = &self.curvature * noise;
        let (velocity, drift) = (means.rate.rows(0, sets), at.drift.rows(0, sets));
        Self {
            value: momentum.dot(&means.rate) - at.value,
            correction: (at.slope.dot(&drift) - spread.trace()) / 2.0,
            momentum: &self.curvature * (velocity - drift) - at.slope,
            curvature: -at.bend - &turned - turned.transpose() - spread * &self.curvature,
        }
    }

    fn plus(&self, h: f64, rate: &Self) -> Self {
        Self {
            value: self.value + h * rate.value,
            correction: self.correction + h * rate.correction,
            momentum: &self.momentum + &rate.momentum * h,
            curvature: &self.curvature + &rate.curvature * h,
        }
    }
}

fn interpolate_moving(from: &Moving, to: &Moving, h: f64, s: f64) -> Moving {
    interpolate([&from.at, &to.at], [&from.rate, &to.rate], h, s)
}

/// The cubic with these values and derivatives at both ends of a step `h`, a part `s` of it from the
/// start.
fn interpolate(at: [&DVector<f64>; 2], rates: [&DVector<f64>; 2], h: f64, s: f64) -> Moving {
    let secant = at[1] - at[0];
    let (start, end) = (rates[0] * h - &secant, &secant - rates[1] * h);
    let bend = &start * (1.0 - s) + &end * s;
    let rate = (&secant + &bend * (1.0 - 2.0 * s) + (end - start) * (s * (1.0 - s))) / h;
    Moving { at: at[0] + secant * s + bend * (s * (1.0 - s)), rate }
}
