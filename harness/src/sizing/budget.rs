//! How long an answer may take, and who is told how far it is.

use std::time::{Duration, Instant};

use crate::run::{Progress, Silent};

/// The time that is left for an answer or for a part of it.
#[derive(Clone, Copy)]
pub(super) struct Budget<'p> {
    /// When it ends; never where there is no limit.
    until: Option<Instant>,
    pub(super) progress: &'p dyn Progress,
}

impl<'p> Budget<'p> {
    /// From now on.
    pub(super) fn new(limit: Option<Duration>, progress: &'p dyn Progress) -> Self {
        let until = limit.and_then(|limit| Instant::now().checked_add(limit));
        Self { until, progress }
    }

    /// As long as it takes, without a word.
    #[cfg(test)]
    pub(super) fn unlimited() -> Self {
        Self::new(None, &Silent)
    }

    pub(super) fn is_over(&self) -> bool {
        self.until.is_some_and(|until| until <= Instant::now())
    }

    /// What is left; `None` where there is no limit.
    pub(super) fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }

    /// Half of what is left: the other half is for what comes after.
    pub(super) fn half(self) -> Self {
        Self::new(self.left().map(|left| left / 2), self.progress)
    }

    /// The same time, without a word.
    pub(super) fn silent(self) -> Budget<'static> {
        Budget { until: self.until, progress: &Silent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_no_time_is_none_and_without_a_limit_nothing_is_over() {
        let none = Budget::new(Some(Duration::ZERO), &Silent);
        assert!(none.is_over() && none.half().is_over() && none.silent().is_over());
        let free = Budget::unlimited();
        assert!(!free.is_over() && free.half().left().is_none());
        let hour = Duration::from_secs(3600);
        let half = Budget::new(Some(hour), &Silent).half().left();
        assert!(half.is_some_and(|left| left <= hour / 2 && left > hour / 3));
    }
}
