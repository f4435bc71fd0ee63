//! Integration of the differential equations behind fluid limits.

use ode_solvers::dop_shared::IntegrationError;
use ode_solvers::{DVector, Dop853, OutputType, System};

/// Local error that a step may have, relative to the component.
const RELATIVE_TOLERANCE: f64 = 1e-11;
/// Local error that a step may have at least; below it fractions of elements are not resolved.
const ABSOLUTE_TOLERANCE: f64 = 1e-18;
/// Steps after which the integration is given up.
const MOST_STEPS: u32 = 100_000;

/// Lifetimes after which alternation has forgotten an empty table: deviations shrink like `e^(−t)`.
pub const RELAXATION: f64 = 45.0;

/// A system of differential equations that could not be integrated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The step size fell below what floating point resolves: a singularity, or a value that is not
    /// a number.
    #[error("the step size vanished at t = {at}")]
    StepVanished {
        /// Where it happened.
        at: f64,
    },
    /// More steps than any smooth, moderately stiff system needs.
    #[error("not done after {MOST_STEPS} steps, at t = {at}")]
    TooManySteps {
        /// How far the integration came.
        at: f64,
    },
}

/// The state at time `end` of the autonomous system `dy/dt = rate(y)` that is in `start` at time 0.
///
/// `rate` writes the derivative of its first argument into the second. The method is Dormand and
/// Prince's of order 8; relative precision is about 1e-10 for components above 1e-18.
///
/// # Errors
/// [`Error`] when the integrator gives up.
pub fn integrate(
    start: Vec<f64>,
    end: f64,
    rate: impl Fn(&[f64], &mut [f64]),
) -> Result<Vec<f64>, Error> {
    if end.is_nan() || end <= 0.0 {
        return Ok(start);
    }
    let mut solver = Dop853::from_param(
        Autonomous(rate),
        0.0,
        end,
        end,
        DVector::from_vec(start),
        RELATIVE_TOLERANCE,
        ABSOLUTE_TOLERANCE,
        0.9,
        0.0,
        0.333,
        6.0,
        end,
        0.0,
        MOST_STEPS,
        NEVER_TEST_STIFFNESS,
        OutputType::Sparse,
    );
    solver.integrate()?;
    let states = solver.y_out();
    Ok(states.last().map(|state| state.as_slice().to_vec()).unwrap_or_default())
}

/// A decaying system is always stiff near its equilibrium, and small steps are then what is wanted.
const NEVER_TEST_STIFFNESS: u32 = u32::MAX;

struct Autonomous<F>(F);

impl<F: Fn(&[f64], &mut [f64])> System<f64, DVector<f64>> for Autonomous<F> {
    fn system(&self, _time: f64, state: &DVector<f64>, derivative: &mut DVector<f64>) {
        (self.0)(state.as_slice(), derivative.as_mut_slice());
    }
}

impl From<IntegrationError> for Error {
    fn from(error: IntegrationError) -> Self {
        match error {
            IntegrationError::MaxNumStepReached { x, .. } => Self::TooManySteps { at: x },
            IntegrationError::StepSizeUnderflow { x }
            | IntegrationError::StiffnessDetected { x } => Self::StepVanished { at: x },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decay_and_its_integral() {
        let end = integrate(vec![1.0, 0.0], 3.0, |y, dy| {
            dy[0] = -y[0];
            dy[1] = y[0];
        });
        let end = end.unwrap();
        assert!((end[0] - (-3.0_f64).exp()).abs() < 1e-12);
        assert!((end[1] + (-3.0_f64).exp_m1()).abs() < 1e-12);
    }

    #[test]
    fn nothing_happens_in_no_time() {
        assert_eq!(integrate(vec![0.5], 0.0, |_, dy| dy[0] = 1.0), Ok(vec![0.5]));
    }

    #[test]
    fn a_singularity_is_an_error() {
        let blow_up = integrate(vec![1.0], 2.0, |y, dy| dy[0] = y[0] * y[0]);
        assert!(matches!(blow_up, Err(Error::StepVanished { at }) if (at - 1.0).abs() < 1e-3));
    }
}
