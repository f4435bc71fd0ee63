//! The event whose probability is asked for.

use thiserror::Error;

use crate::metric::Metric;
use crate::params::ParamError;

/// The parameter that names the count.
pub(super) const EVENT: &str = "event";
/// The parameter that says when the event counts.
pub(super) const EVER: &str = "ever";

/// An event of the kind "this count ends beyond that".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// What is counted.
    pub metric: Metric,
    /// The event is that there are more.
    pub beyond: u64,
    /// Whether it counts at any time of a trial, or at its end.
    pub ever: bool,
}

/// Why there are no trials of an event.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct NotRare {
    /// The parameter that would have to be another.
    pub param: &'static str,
    /// What is wrong with it.
    pub reason: String,
}

impl NotRare {
    /// A parameter that stands in the way.
    pub fn new(param: &'static str, reason: impl Into<String>) -> Self {
        Self { param, reason: reason.into() }
    }

    /// No trial of this kind counts any event.
    pub fn nothing() -> Self {
        Self::new(EVENT, "no trial of this scheme under this workload can be taken up again")
    }

    /// Trials count other events.
    pub fn not_counted(event: &Event, counted: &[Metric]) -> Self {
        let counted: Vec<String> = counted.iter().map(|metric| format!("`{metric}`")).collect();
        let reason = format!(
            "`{}` is not counted here; the events of this scheme under this workload are of {}",
            event.metric,
            counted.join(", ")
        );
        Self::new(EVENT, reason)
    }

    /// The count is known at the end of a trial alone, or cannot become less.
    pub fn not_ever(reason: impl Into<String>) -> Self {
        Self::new(EVER, reason)
    }

    /// Keys have to be drawn anew in the middle of a trial.
    pub fn trace() -> Self {
        let reason = "the packets of a trace come as they are, so that a trial cannot be taken up again with fresh \
                      chance; with `keys = \"random\"` it can";
        Self::new("keys", reason)
    }

    /// Choices have to be drawn anew in the middle of a trial, or of a choice.
    pub fn hashed(hash: &str) -> Self {
        let reason = format!(
            "fresh chance begins in the middle of a trial, where choices of `{hash}` follow from its seed and the keys; \
             here only `hash = \"random\"` can be taken up again"
        );
        Self::new("hash", reason)
    }
}

impl From<NotRare> for ParamError {
    fn from(error: NotRare) -> Self {
        ParamError::new(error.param, error.reason)
    }
}
