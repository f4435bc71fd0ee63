//! The operations in which a CAM may become too small, cut into spans of which one is measured.

use super::Question;

/// Lifetimes of the elements in one span at most. A list that is too long on both sides of a cut is counted twice, and it
/// is so long for a small part of a lifetime.
const LIFETIMES: u64 = 2;

/// Spans of equally many operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Horizon {
    /// How many of them.
    pub spans: u64,
    /// Operations in each, after which the list is looked at; one for a list that is looked at once.
    pub operations: u64,
}

impl Horizon {
    pub(super) fn of(question: &Question) -> Self {
        let operations = question.operations.max(1);
        let spans = operations.div_ceil(LIFETIMES * u64::from(question.elements));
        Self { spans, operations: operations.div_ceil(spans) }
    }

    /// The probability of what has this probability in one span, in any of them: a bound where there are several, as
    /// it may happen in more than one.
    pub fn in_any(self, in_one: f64) -> f64 {
        (self.spans as f64 * in_one).min(1.0)
    }

    /// The probability in one span with which it has this one in any of them at most.
    pub(super) fn in_one(self, in_any: f64) -> f64 {
        in_any / self.spans as f64
    }
}
