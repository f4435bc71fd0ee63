//! Whether a printed value is met.

use std::fmt;

use crate::definition::PrintedNumber;

/// Distance below which two numbers are the same but for rounding, as 1/3 and its decimals: a part of the
/// printed value, which may be as small as a tail probability.
fn rounding(printed: &PrintedNumber) -> f64 {
    1e-16 + 1e-9 * printed.value.abs()
}

/// Whether a printed value is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// Within half a unit of the last printed digit and our confidence interval, which is no wider.
    Met,
    /// Not within half a unit of the last printed digit, but within what the document's own measurement
    /// scatters by.
    WithinScatter,
    /// Further away.
    NotMet,
    /// Not further away, but our interval is wider than the last digit: a longer run decides.
    Undecided,
    /// The printed value may be off by as much as itself: it says nothing.
    NoInformation,
    /// Nothing that is run here can judge it.
    NotTestable,
    /// Nothing to compare with in this run.
    NotRun,
}

impl Agreement {
    /// All of them, in the order of a summary.
    pub const ALL: [Agreement; 7] = [
        Agreement::Met,
        Agreement::WithinScatter,
        Agreement::NotMet,
        Agreement::Undecided,
        Agreement::NoInformation,
        Agreement::NotTestable,
        Agreement::NotRun,
    ];

    /// The word that stands in tables.
    pub fn name(&self) -> &'static str {
        match self {
            Agreement::Met => "met",
            Agreement::WithinScatter => "within scatter",
            Agreement::NotMet => "not met",
            Agreement::Undecided => "undecided",
            Agreement::NoInformation => "no information",
            Agreement::NotTestable => "not testable",
            Agreement::NotRun => "not run",
        }
    }

    /// Whether our value is the printed one. Being imprecise does not help: a wide interval may contradict the
    /// printed value, but not confirm it.
    pub(super) fn of(printed: &PrintedNumber, ours: &Ours) -> Self {
        let Some(value) = ours.value else { return Agreement::NotRun };
        let (tolerance, room) = (printed.tolerance() + rounding(printed), ours.room());
        if let Some(unit) = ours.largest_error {
            return largest_error(printed.value, value - printed.value - tolerance, room, unit);
        }
        if printed.at_most {
            return whole_interval(value - printed.value - tolerance, room);
        }
        if printed.half_unit > 0.0 && printed.tolerance() >= printed.value.abs() {
            return Agreement::NoInformation;
        }
        let distance = (value - printed.value).abs();
        match by_digits(distance, printed.half_unit + rounding(printed), room) {
            Agreement::Met => Agreement::Met,
            _ if printed.scatter > 0.0 => match whole_interval(distance - tolerance, room) {
                Agreement::Met => Agreement::WithinScatter,
                other => other,
            },
            other => other,
        }
    }
}

/// Whether a value so far away is the printed one, up to half a unit of its last digit.
fn by_digits(distance: f64, half_unit: f64, half_width: f64) -> Agreement {
    if distance - half_unit > half_width {
        Agreement::NotMet
    } else if half_width > half_unit {
        Agreement::Undecided
    } else {
        Agreement::Met
    }
}

/// Where the last digit decides nothing, our whole interval must be on one side of the end of what is meant;
/// `beyond` is how far its middle is past it.
fn whole_interval(beyond: f64, half_width: f64) -> Agreement {
    if beyond + half_width <= 0.0 {
        Agreement::Met
    } else if beyond > half_width {
        Agreement::NotMet
    } else {
        Agreement::Undecided
    }
}

/// Whether the largest error that our simulation has seen is no larger than the document's; `beyond` is by how
/// much. It is chance's in both: fewer trials make it larger, so that ours may be taken as it is where it is
/// not larger. An error of the whole quantity, which whoever sees nothing has, says nothing.
fn largest_error(printed: f64, beyond: f64, half_width: f64, unit: ErrorUnit) -> Agreement {
    if unit == ErrorUnit::Prediction && printed >= 1.0 {
        Agreement::NoInformation
    } else if beyond <= 0.0 {
        Agreement::Met
    } else if beyond > half_width {
        Agreement::NotMet
    } else {
        Agreement::Undecided
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What errors are told in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorUnit {
    /// The unit of the quantity.
    Quantity,
    /// The prediction.
    Prediction,
}

/// Our value of what was printed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ours {
    pub(super) value: Option<f64>,
    /// Half-width of the 95 % confidence interval, for a measurement.
    pub(super) half_width: Option<f64>,
    /// Whether it was measured.
    measured: bool,
    /// Whether it is the largest of errors, and in which unit.
    largest_error: Option<ErrorUnit>,
}

impl Ours {
    pub(super) fn predicted(value: Option<f64>) -> Self {
        Self { value, ..Self::default() }
    }

    pub(super) fn measured(value: Option<f64>, half_width: Option<f64>) -> Self {
        Self { value, half_width, measured: true, largest_error: None }
    }

    /// The same as the largest of errors in this unit.
    pub(super) fn largest_error(self, unit: Option<ErrorUnit>) -> Self {
        Self { largest_error: unit, ..self }
    }

    /// How far the value may be off: a measurement of unknown error by anything.
    fn room(&self) -> f64 {
        self.half_width.unwrap_or(if self.measured { f64::INFINITY } else { 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreement(value: f64, half_unit: f64, scatter: f64, ours: Ours) -> Agreement {
        let printed = PrintedNumber { value, half_unit, scatter, at_most: false };
        Agreement::of(&printed, &ours)
    }

    fn measured(value: f64, half_width: f64) -> Ours {
        Ours::measured(Some(value), Some(half_width))
    }

    #[test]
    fn a_wide_interval_never_confirms_a_printed_value() {
        let of = |value, half_width| agreement(0.31, 0.005, 0.0, measured(value, half_width));
        assert_eq!(of(0.312, 0.004), Agreement::Met);
        assert_eq!(of(0.312, 0.006), Agreement::Undecided);
        assert_eq!(of(0.4, 0.006), Agreement::NotMet);
        assert_eq!(of(0.319, 0.005), Agreement::Met);
        assert_eq!(of(0.321, 0.005), Agreement::NotMet);
    }

    #[test]
    fn a_measurement_of_unknown_error_decides_nothing() {
        let unknown = Ours::measured(Some(0.31), None);
        assert_eq!(agreement(0.31, 0.005, 0.0, unknown), Agreement::Undecided);
        let predicted = Ours::predicted(Some(0.31));
        assert_eq!(agreement(0.31, 0.005, 0.0, predicted), Agreement::Met);
    }

    #[test]
    fn beside_the_scatter_of_the_document_the_whole_interval_counts() {
        let of = |value, half_width| agreement(0.31, 0.005, 0.02, measured(value, half_width));
        assert_eq!(of(0.312, 0.004), Agreement::Met);
        assert_eq!(of(0.312, 0.01), Agreement::WithinScatter);
        assert_eq!(of(0.33, 0.004), Agreement::WithinScatter);
        assert_eq!(of(0.33, 0.006), Agreement::Undecided);
        assert_eq!(of(0.345, 0.006), Agreement::NotMet);
    }

    #[test]
    fn a_tolerance_as_large_as_the_value_says_nothing() {
        let of =
            |value, half_unit, scatter| agreement(value, half_unit, scatter, measured(value, 0.0));
        assert_eq!(of(0.0005, 0.00005, 0.0007), Agreement::NoInformation);
        assert_eq!(of(0.0, 0.5, 0.0), Agreement::NoInformation);
        assert_eq!(of(0.0, 0.0, 0.0), Agreement::Met);
    }

    #[test]
    fn tail_probabilities_are_told_apart() {
        let of = |value| agreement(3.77e-15, 5e-18, 0.0, Ours::predicted(Some(value)));
        assert_eq!(of(3.77e-15), Agreement::Met);
        assert_eq!(of(1.32e-15), Agreement::NotMet);
    }

    #[test]
    fn an_upper_end_is_met_by_whole_intervals_alone() {
        let printed = PrintedNumber { value: 0.01, half_unit: 0.001, scatter: 0.0, at_most: true };
        let of = |value, half_width| Agreement::of(&printed, &measured(value, half_width));
        assert_eq!(of(0.004, 0.001), Agreement::Met);
        assert_eq!(of(0.004, 0.01), Agreement::Undecided);
        assert_eq!(of(0.03, 0.01), Agreement::NotMet);
    }

    #[test]
    fn a_largest_error_is_as_random_as_the_documents() {
        let of = |printed, value, half_width, unit| {
            let printed =
                PrintedNumber { value: printed, half_unit: 0.0005, scatter: 0.0, at_most: true };
            Agreement::of(&printed, &measured(value, half_width).largest_error(Some(unit)))
        };
        let relative = |value, half_width| of(0.01, value, half_width, ErrorUnit::Prediction);
        assert_eq!(relative(0.0104, 0.01), Agreement::Met);
        assert_eq!(relative(0.012, 0.01), Agreement::Undecided);
        assert_eq!(relative(0.03, 0.01), Agreement::NotMet);
        let blind = Ours::measured(Some(1.0), None).largest_error(Some(ErrorUnit::Prediction));
        let printed = PrintedNumber { value: 0.5, half_unit: 0.05, scatter: 0.0, at_most: true };
        assert_eq!(Agreement::of(&printed, &blind), Agreement::Undecided);
        assert_eq!(of(2.68, 1.0, 0.1, ErrorUnit::Prediction), Agreement::NoInformation);
        assert_eq!(of(2.68, 1.0, 0.1, ErrorUnit::Quantity), Agreement::Met);
    }

    #[test]
    fn what_was_not_run_is_not_judged() {
        assert_eq!(agreement(0.01, 0.1, 0.0, Ours::default()), Agreement::NotRun);
    }
}
