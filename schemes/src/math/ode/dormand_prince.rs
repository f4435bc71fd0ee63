//! Dormand and Prince's method of order 8 for autonomous systems, with the control of the step size of Hairer,
//! Nørsett and Wanner's code DOP853.
//!
//! It is written out here because its digits must not depend on the processor: the powers that the control of
//! the step size takes are eighth roots, which are square roots three times over, and those are exact.

use super::IntegrationError;
use super::tableau::{ERROR_5, STAGES, STATES, STEP, STEP_3};

/// How much of the step that the error allows is taken.
const SAFETY: f64 = 0.9;
/// How much shorter and longer than the last one a step may be.
const SHORTER: f64 = 0.333;
const LONGER: f64 = 6.0;

/// An integration on its way.
pub(super) struct Solver<F> {
    rate: F,
    end: f64,
    relative: f64,
    absolute: f64,
    at: f64,
    step: f64,
    state: Vec<f64>,
    /// The derivatives of a step; the first is that of the state.
    derivatives: [Vec<f64>; STAGES],
    /// The state after the step that is tried.
    next: Vec<f64>,
}

impl<F: Fn(&[f64], &mut [f64])> Solver<F> {
    /// From `start` at time 0 to `end`, with these relative and absolute tolerances.
    pub(super) fn new(
        rate: F,
        start: Vec<f64>,
        end: f64,
        (relative, absolute): (f64, f64),
    ) -> Self {
        let zeros = vec![0.0; start.len()];
        let mut solver = Self {
            rate,
            end,
            relative,
            absolute,
            at: 0.0,
            step: end,
            derivatives: std::array::from_fn(|_| zeros.clone()),
            next: zeros,
            state: start,
        };
        (solver.rate)(&solver.state, &mut solver.derivatives[0]);
        solver.step = solver.first_step();
        solver
    }

    /// The state at the end, in at most `most` steps.
    ///
    /// # Errors
    /// [`IntegrationError`] when the step vanishes, or `most` do not suffice.
    pub(super) fn run(mut self, most: u32) -> Result<Vec<f64>, IntegrationError> {
        let mut rejected = false;
        for _ in 0..most {
            if 0.1 * self.step <= f64::EPSILON * self.at {
                return Err(IntegrationError::StepVanished { at: self.at });
            }
            let last = self.at + 1.01 * self.step > self.end;
            if last {
                self.step = self.end - self.at;
            }
            let error = self.try_step();
            let wanted = self.step / factor(error);
            if error <= 1.0 {
                self.take_step();
                if last {
                    return Ok(self.state);
                }
                let longest = if rejected { self.step } else { self.end };
                self.step = wanted.min(longest);
            } else {
                self.step = wanted;
            }
            rejected = error > 1.0 || error.is_nan();
        }
        Err(IntegrationError::TooManySteps { steps: most, at: self.at })
    }

    /// A step over which the state and its first two derivatives let expect an error within tolerance.
    fn first_step(&mut self) -> f64 {
        let [first, second, ..] = &mut self.derivatives;
        let scales = self.state.iter().map(|value| self.absolute + value.abs() * self.relative);
        let scales: Vec<f64> = scales.collect();
        let size = squares(self.state.iter().copied(), &scales);
        let slope = squares(first.iter().copied(), &scales);
        let short = if size < 1e-10 || slope < 1e-10 { 1e-6 } else { 0.01 * (size / slope).sqrt() };
        let short = short.min(self.end);
        let moved = self.state.iter().zip(&*first).map(|(value, rate)| value + rate * short);
        self.next = moved.collect();
        (self.rate)(&self.next, second);
        let bend = second.iter().zip(&*first).map(|(after, before)| after - before);
        let bend = squares(bend, &scales).sqrt() / short;
        let steepest = slope.sqrt().max(bend);
        let step =
            if steepest <= 1e-15 { (short * 1e-3).max(1e-6) } else { eighth_root(0.01 / steepest) };
        (100.0 * short).min(step.min(self.end))
    }

    /// The derivatives of a step, the state after it, and its error in units of the tolerance.
    fn try_step(&mut self) -> f64 {
        for (stage, weights) in (1..).zip(STATES) {
            let (before, rest) = self.derivatives.split_at_mut(stage);
            self.next.copy_from_slice(&self.state);
            for (derivative, weight) in before.iter().zip(weights) {
                add(&mut self.next, derivative, self.step * weight);
            }
            (self.rate)(&self.next, &mut rest[0]);
        }
        let [mut squares_5, mut squares_3] = [0.0; 2];
        for i in 0..self.state.len() {
            let slope = self.combination(i, &STEP);
            let (old, new) = (self.state[i], self.state[i] + slope * self.step);
            let scale = self.absolute + old.abs().max(new.abs()) * self.relative;
            let error_5 = self.combination(i, &ERROR_5) / scale;
            let of_order_3 =
                STEP_3.iter().map(|&(stage, weight)| self.derivatives[stage][i] * weight);
            let error_3 = of_order_3.fold(slope, |left, term| left - term) / scale;
            squares_5 += error_5 * error_5;
            squares_3 += error_3 * error_3;
            self.next[i] = new;
        }
        let both = squares_5 + 0.01 * squares_3;
        let both = if both <= 0.0 { 1.0 } else { both };
        self.step * squares_5 * (1.0 / (both * self.state.len() as f64)).sqrt()
    }

    /// A component of the derivatives with these weights.
    fn combination(&self, component: usize, weights: &[f64; STAGES]) -> f64 {
        let terms = self.derivatives.iter().zip(weights);
        terms.map(|(derivative, weight)| derivative[component] * weight).sum()
    }

    fn take_step(&mut self) {
        self.at += self.step;
        std::mem::swap(&mut self.state, &mut self.next);
        (self.rate)(&self.state, &mut self.derivatives[0]);
    }
}

/// By how much the next step is shorter than one with this error, which is in units of the tolerance.
fn factor(error: f64) -> f64 {
    let wanted = (eighth_root(error) / SAFETY).min(1.0 / SHORTER);
    if error <= 1.0 { wanted.max(1.0 / LONGER) } else { wanted }
}

fn eighth_root(x: f64) -> f64 {
    x.sqrt().sqrt().sqrt()
}

/// The sum of the squares of these values, each in units of its scale.
fn squares(values: impl Iterator<Item = f64>, scales: &[f64]) -> f64 {
    values.zip(scales).map(|(value, scale)| (value / scale) * (value / scale)).sum()
}

fn add(state: &mut [f64], derivative: &[f64], weight: f64) {
    state.iter_mut().zip(derivative).for_each(|(value, rate)| *value += rate * weight);
}
