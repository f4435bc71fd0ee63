//! Integration of the differential equations behind fluid limits.

mod dormand_prince;
mod tableau;

use dormand_prince::Solver;

/// The local error that a step may have.
#[derive(Debug, Clone, Copy)]
pub enum Precision {
    /// 1e-11 of a component, which makes the result good to about 1e-10, and at least 1e-18: smaller
    /// fractions of elements are not resolved.
    Fine,
    /// 1e-5 of a component, at least 1e-10: for corrections that are small themselves.
    Rough,
}

impl Precision {
    /// Relative and absolute tolerance.
    pub(crate) fn tolerances(self) -> (f64, f64) {
        match self {
            Self::Fine => (1e-11, 1e-18),
            Self::Rough => (1e-5, 1e-10),
        }
    }
}

/// Steps after which a small system is given up.
pub(crate) const MOST_STEPS: usize = 100_000;
/// Steps times components after which a large one is given up: about a second.
pub(crate) const MOST_COMPONENT_STEPS: usize = 4_000_000;

/// A system of differential equations that could not be integrated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum IntegrationError {
    /// The step size fell below what floating point resolves: a singularity, or a value that is not
    /// a number.
    #[error("the step size vanished at t = {at}")]
    StepVanished {
        /// Where it happened.
        at: f64,
    },
    /// The budget of steps is spent: a stiff or large system.
    #[error(
        "the fluid limit was not computed: it needs more than {steps} steps (t = {at} was reached)"
    )]
    TooManySteps {
        /// The budget.
        steps: u32,
        /// How far the integration came.
        at: f64,
    },
}

/// The state at time `end` of the autonomous system `dy/dt = rate(y)` that is in `start` at time 0.
///
/// `rate` writes the derivative of its first argument into the second. The method is Dormand and
/// Prince's of order 8. The steps are limited to 100,000, and for more than 40
/// components to 4,000,000 divided by their number.
///
/// # Errors
/// [`IntegrationError`] when the integrator gives up.
pub fn integrate(
    start: Vec<f64>,
    end: f64,
    precision: Precision,
    rate: impl Fn(&[f64], &mut [f64]),
) -> Result<Vec<f64>, IntegrationError> {
    integrate_within(start, end, precision.tolerances(), rate)
}

/// As [`integrate`], with these relative and absolute tolerances.
pub(crate) fn integrate_within(
    start: Vec<f64>,
    end: f64,
    tolerances: (f64, f64),
    rate: impl Fn(&[f64], &mut [f64]),
) -> Result<Vec<f64>, IntegrationError> {
    if end.is_nan() || end <= 0.0 {
        return Ok(start);
    }
    let steps = MOST_STEPS.min(MOST_COMPONENT_STEPS / start.len().max(1)).max(1) as u32;
    Solver::new(rate, start, end, tolerances).run(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decay_and_its_integral() {
        let end = integrate(vec![1.0, 0.0], 3.0, Precision::Fine, |y, dy| {
            dy[0] = -y[0];
            dy[1] = y[0];
        });
        let end = end.unwrap();
        assert!((end[0] - (-3.0_f64).exp()).abs() < 1e-12);
        assert!((end[1] + (-3.0_f64).exp_m1()).abs() < 1e-12);
    }

    #[test]
    fn nothing_happens_in_no_time() {
        assert_eq!(integrate(vec![0.5], 0.0, Precision::Fine, |_, dy| dy[0] = 1.0), Ok(vec![0.5]));
    }

    #[test]
    fn a_singularity_is_an_error() {
        let blow_up = integrate(vec![1.0], 2.0, Precision::Fine, |y, dy| dy[0] = y[0] * y[0]);
        assert!(
            matches!(blow_up, Err(IntegrationError::StepVanished { at }) if (at - 1.0).abs() < 1e-3)
        );
    }

    /// What takes a second is the same number of components, in fewer steps the more there are.
    #[test]
    fn the_budget_of_a_large_system_is_smaller() {
        let stiff = integrate(vec![1.0; 400], 1.0, Precision::Rough, |y, dy| {
            dy.iter_mut().zip(y).for_each(|(rate, value)| *rate = -1e9 * value);
        });
        assert!(
            matches!(stiff, Err(IntegrationError::TooManySteps { steps: 10_000, .. })),
            "{stiff:?}"
        );
    }

    #[test]
    fn the_budget_is_an_error() {
        let stiff = integrate(vec![1.0], 1.0, Precision::Rough, |y, dy| dy[0] = -1e9 * y[0]);
        assert!(
            matches!(stiff, Err(IntegrationError::TooManySteps { steps: 100_000, .. })),
            "{stiff:?}"
        );
    }
}
