//! Where in its span a course is whose events come at any time.

use std::collections::VecDeque;

use super::{Clock, Step};
use crate::tables::workloads::Span;

/// The time of a course.
pub(super) struct Pace {
    /// n.
    elements: u32,
    span: Span,
    now: f64,
}

impl Pace {
    pub(super) fn new(elements: u32, span: Span) -> Self {
        Self { elements, span, now: 0.0 }
    }

    pub(super) fn begin(&mut self) {
        self.now = 0.0;
    }

    /// That of the last event.
    pub(super) fn now(&self) -> f64 {
        self.now
    }

    pub(super) fn is_over(&self) -> bool {
        self.now >= self.span.end()
    }

    /// The table stays as it is up to this time, or to the end if that is before; whether it is not.
    pub(super) fn pass(&mut self, to: f64, steps: &mut VecDeque<Step>) -> bool {
        let (warm_up, end) = (self.span.warm_up, self.span.end());
        let to = to.min(end);
        if self.now <= warm_up && to > warm_up {
            steps.push_back(Step::Measure);
        }
        let from = self.now.max(warm_up);
        if to > from {
            steps.push_back(Step::Read(to - from));
        }
        self.now = to;
        to < end
    }

    /// A tick is the n-th part of a lifetime.
    pub(super) fn clock(&self) -> Clock {
        let [end, window] = [self.span.end(), self.span.warm_up].map(|time| self.tick_at(time));
        Clock { number: end + 1, window, lifetime: self.elements.into() }
    }

    /// That of the last event.
    pub(super) fn tick(&self) -> u64 {
        self.tick_at(self.now)
    }

    fn tick_at(&self, time: f64) -> u64 {
        (time * f64::from(self.elements)) as u64
    }
}
