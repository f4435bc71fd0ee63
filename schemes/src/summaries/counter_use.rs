//! How far the counters of a summary count.

use super::metrics;
use crate::case::Record;
use crate::filters::metrics::FILTER_OVERFLOW_FRACTION;
use crate::params::{Absent, Domain, Param, ParamError, Params};

/// `counter_law`, of a summary with counters.
pub(super) const COUNTER_LAW: Param = Param {
    name: "counter_law",
    domain: Domain::Integer { min: 1, max: 999 },
    absent: Absent::Optional,
    doc: "Greatest v for which `max_counter_at_least_<v>` is measured. Without it none is.",
};

/// Whose greatest counter has its law measured, and up to which value.
#[derive(Debug, Clone, Copy)]
pub(super) struct CounterLaw {
    /// Where they stand among [`CounterUse::greatest`].
    pub(super) of: usize,
    /// 0 where it is not measured.
    pub(super) last: u16,
}

impl CounterLaw {
    /// That of these counters, as far as [`COUNTER_LAW`] says.
    ///
    /// # Errors
    /// Where that is out of its domain.
    pub(super) fn from_params(params: &Params, of: u32) -> Result<Self, ParamError> {
        let last = params.get(COUNTER_LAW.name).map(|_| params.small(COUNTER_LAW.name));
        Ok(Self { of: of as usize, last: last.transpose()?.unwrap_or_default() as u16 })
    }
}

/// The greatest values that counters had in a trial.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CounterUse {
    /// The greatest value of a counter of B_0, B_1, .., or of one for type 1, 2, ..
    pub greatest: Vec<u16>,
    /// Whether some counter was to go beyond its greatest value.
    pub overflowed: bool,
}

impl CounterUse {
    /// Takes in the next filter, or type, whose counters go to `greatest`; the most that one of them was to count.
    pub(super) fn look_at(&mut self, most: u32, greatest: u16) {
        self.greatest.push(u16::try_from(most).unwrap_or(u16::MAX).min(greatest));
        self.overflowed |= most > greatest.into();
    }

    /// Hands it over; `first` is the number of the first filter, or type.
    pub(super) fn record(&self, first: u16, law: CounterLaw, out: &mut dyn Record) {
        let overflowed = f64::from(u8::from(self.overflowed));
        out.reading(FILTER_OVERFLOW_FRACTION, Some(overflowed));
        for (own, &greatest) in (first..).zip(&self.greatest) {
            out.reading(metrics::max_counter(own), Some(greatest.into()));
        }
        for value in 1..=law.last {
            let reached = f64::from(u8::from(self.greatest[law.of] >= value));
            out.reading(metrics::max_counter_at_least(value), Some(reached));
        }
    }
}
