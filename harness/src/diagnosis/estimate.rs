//! Values with their errors, from trials that all settings share.

use super::cause::SETTINGS;
use crate::estimate::moments::Moments;

/// What was measured in each trial, in all settings.
///
/// The k-th trials of all settings draw from one seed. A number that is made of several settings is made
/// within each trial, and its error is that of the mean over trials: it is right however much or little
/// the settings share.
pub(super) type Trials = [[f64; SETTINGS]];

/// A value and its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its standard error.
    pub std_error: f64,
}

impl Estimate {
    /// The mean of independent values; without an error where there are no two.
    pub(super) fn of_trials(values: impl Iterator<Item = f64>) -> Self {
        let mut moments = Moments::default();
        values.for_each(|value| moments.push(value));
        Self {
            value: moments.mean().unwrap_or(f64::NAN),
            std_error: moments.std_error().unwrap_or(f64::INFINITY),
        }
    }

    /// Whether its distance from 0 is more than chance explains: three standard errors.
    pub fn is_certain(&self) -> bool {
        self.value.abs() > 3.0 * self.std_error
    }

    /// Whether it is smaller than its own error.
    pub fn is_lost_in_its_error(&self) -> bool {
        self.value.abs() < self.std_error
    }
}
