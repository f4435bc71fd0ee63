//! A local minimum of a smooth function: the method of Broyden, Fletcher, Goldfarb and Shanno.
//!
//! Each iteration costs one gradient, and near a minimum few are needed. Nocedal and Wright, "Numerical
//! Optimization", Chapter 6, has the method.

use nalgebra::{DMatrix, DVector};

use super::SizingError;
use super::objective::{Objective, Point, shares};

/// Where a descent ended.
#[derive(Debug, Clone)]
pub(super) struct End {
    pub(super) point: Point,
    /// Whether it was stopped on its way.
    pub(super) stopped: bool,
}

/// The minimum that descent from `start` leads to, or where it was stopped.
///
/// # Errors
/// Those of the objective at the start and wherever a slope is needed. A step to where it has no value is
/// shortened.
pub(super) fn minimise(start: Vec<f64>, objective: &Objective<'_>) -> Result<End, SizingError> {
    let mut point = objective.point(DVector::from_vec(start), 0.0)?;
    match descend_from(&mut point, objective) {
        Ok(()) => Ok(End { point, stopped: false }),
        Err(SizingError::Stopped) => Ok(End { point, stopped: true }),
        Err(error) => Err(error),
    }
}

fn descend_from(point: &mut Point, objective: &Objective<'_>) -> Result<(), SizingError> {
    let mut gradient = objective.gradient(point)?;
    let mut metric = Metric::new(point);
    for _ in 0..MOST_ITERATIONS {
        let step = metric.step(&gradient);
        let gain = -step.dot(&gradient);
        let Some(next) = descend(objective, point, &step, gain)? else { break };
        if gain < NEGLIGIBLE_GAIN {
            *point = next;
            break;
        }
        let next_gradient = objective.gradient(&next)?;
        metric.learn(&next.at - &point.at, &next_gradient - &gradient);
        (*point, gradient) = (next, next_gradient);
    }
    Ok(())
}

const MOST_ITERATIONS: usize = 200;

/// What an iteration has to promise, in the logarithm that is minimised, for another one to follow.
const NEGLIGIBLE_GAIN: f64 = 1e-11;

/// The longest step of a variable, a logarithm of a share: far from the minimum the metric is not to be
/// trusted.
const LONGEST_STEP: f64 = 1.5;

/// A lower point in the direction of `step`, half as far as often as it takes.
///
/// # Errors
/// [`SizingError::Stopped`] alone.
fn descend(
    objective: &Objective<'_>,
    from: &Point,
    step: &DVector<f64>,
    gain: f64,
) -> Result<Option<Point>, SizingError> {
    for scale in (0..30).map(|halvings| 0.5_f64.powi(halvings)) {
        match objective.point(&from.at + step * scale, from.value) {
            Ok(next) if next.value < from.value - 1e-4 * scale * gain => return Ok(Some(next)),
            Err(SizingError::Stopped) => return Err(SizingError::Stopped),
            _ => {}
        }
    }
    Ok(None)
}

/// An estimate of the inverse of the second derivatives.
///
/// Before the first step it is taken to be in inverse proportion to the shares, as the size of a small
/// sub-table matters little. Otherwise a start with a tiny one would take its small slope for the end.
struct Metric {
    inverse: DMatrix<f64>,
    scaled: bool,
}

impl Metric {
    fn new(start: &Point) -> Self {
        let inverse = DMatrix::from_diagonal(&shares(&start.at).map(f64::recip));
        Self { inverse, scaled: false }
    }

    fn step(&self, gradient: &DVector<f64>) -> DVector<f64> {
        let step = -(&self.inverse * gradient);
        let longest = step.amax();
        if longest > LONGEST_STEP { step * (LONGEST_STEP / longest) } else { step }
    }

    /// Takes into account that `step` changed the gradient by `change`. Where the function curves down,
    /// nothing is learned, so that steps lead downhill.
    fn learn(&mut self, step: DVector<f64>, change: DVector<f64>) {
        let curvature = step.dot(&change);
        if curvature <= 1e-12 * step.norm() * change.norm() {
            return;
        }
        if !self.scaled {
            self.inverse *= curvature / change.dot(&(&self.inverse * &change));
            self.scaled = true;
        }
        let identity = DMatrix::identity(step.len(), step.len());
        let project = identity - &step * change.transpose() / curvature;
        let known = &step * step.transpose() / curvature;
        self.inverse = &project * &self.inverse * project.transpose() + known;
    }
}
