//! Poisson arrivals of elements that each stay for a time of their own, by the jumps of their number.

use std::collections::VecDeque;

use rand::{Rng as _, SeedableRng};

use super::exponential::exponential;
use super::jump_blocks::JumpBlocks;
use super::pace::Pace;
use super::system::System;
use super::{Clock, Poisson, Step};
use crate::Rng;
use crate::hash::reduce;
use crate::keys::Seeds;
use crate::tables::workloads::Span;

/// Arrivals at rate n, and exponential lifetimes of mean 1.
///
/// What is left of an exponential lifetime does not depend on how long it has lasted. So while there are N elements, the
/// next event comes after an exponential time of mean 1/(n + N), whatever was before. It is an arrival with probability
/// n/(n + N), else each of the elements departs with the same probability. Nobody needs to know when each departs.
pub(super) struct Jumps {
    /// n.
    elements: u32,
    /// Elements that arrive at time 0.
    first: u32,
    span: Span,
    pace: Pace,
    system: System,
    events: Rng,
    gaps: Rng,
}

impl Jumps {
    /// A system that is empty or begins with n elements.
    pub(super) fn new(elements: u32, span: Span, filled: bool) -> Self {
        Self {
            elements,
            first: if filled { elements } else { 0 },
            span,
            pace: Pace::new(elements, span),
            system: System::default(),
            events: Rng::seed_from_u64(0),
            gaps: Rng::seed_from_u64(0),
        }
    }

    /// The same process in blocks.
    pub(super) fn in_blocks(&self) -> JumpBlocks {
        JumpBlocks::new(self.elements, self.first, self.span)
    }

    pub(super) fn poisson(&self) -> Poisson {
        Poisson { first: self.first, span: self.span }
    }

    pub(super) fn begin(&mut self, seeds: &Seeds) {
        self.system.clear();
        self.pace.begin();
        self.branch(seeds);
    }

    /// Draws what is to come from other seeds.
    pub(super) fn branch(&mut self, seeds: &Seeds) {
        self.events = Rng::seed_from_u64(seeds.departures);
        self.gaps = Rng::seed_from_u64(seeds.arrivals);
    }

    pub(super) fn clock(&self) -> Clock {
        self.pace.clock()
    }

    pub(super) fn tick(&self) -> u64 {
        self.pace.tick()
    }

    /// Adds the steps of the next event; whether there was one before the end.
    pub(super) fn advance(&mut self, steps: &mut VecDeque<Step>) -> bool {
        if self.pace.now() == 0.0 && self.system.known() < self.first {
            self.arrive(steps);
            return true;
        }
        if self.pace.is_over() {
            return false;
        }
        let all = self.elements + self.system.number();
        let time = self.pace.now() + exponential(&mut self.gaps) / f64::from(all);
        if self.pace.pass(time, steps) {
            match reduce(self.events.next_u64(), all).checked_sub(self.elements) {
                None => self.arrive(steps),
                Some(position) => steps.push_back(Step::Delete(self.system.depart(position))),
            }
        }
        true
    }

    fn arrive(&mut self, steps: &mut VecDeque<Step>) {
        steps.push_back(Step::Insert(self.system.arrive()));
    }
}
