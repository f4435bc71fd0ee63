//! The course of a trial that does not consist of rounds: a sequence of steps, whatever the table.
//!
//! It is made here, once for all schemes and hash functions; the one loop that is built for each of
//! them is that of `trial::follow`.

mod alias;
mod averages;
mod block;
mod blocks;
mod clock;
mod exponential;
mod jump_blocks;
mod jumps;
mod pace;
mod round_blocks;
mod runs;
mod slot_blocks;
mod slots;
mod system;
mod tally;
mod timed;
mod times;
mod ziggurat;

use std::collections::VecDeque;
use std::sync::Arc;

pub(in crate::tables) use averages::Averages;
pub(in crate::tables) use block::{Block, BlockStep, Kind};
pub(in crate::tables) use blocks::Blocks;
pub(in crate::tables) use clock::{Clock, Queue};
pub(in crate::tables) use runs::{Run, Runs};
pub(in crate::tables) use system::System;
pub(in crate::tables) use tally::Tally;

use self::jumps::Jumps;
use self::slots::Slots;
use self::timed::Timed;
use super::Span;
use crate::keys::Seeds;
use crate::tables::Table;
use crate::tables::process::Bins;
use crate::tables::theory::on_off::OnOff;

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::tables) enum Step {
    /// This element, which is not in the system, arrives.
    Insert(u32),
    /// This element departs.
    Delete(u32),
    /// The measuring window begins.
    Measure,
    /// The table is read; it stays as it is for so long.
    Read(f64),
}

/// Poisson arrivals, as trials in lockstep follow them.
#[derive(Debug, Clone, Copy)]
pub(in crate::tables) struct Poisson {
    /// Elements that arrive at time 0.
    pub(in crate::tables) first: u32,
    pub(in crate::tables) span: Span,
}

/// On-off flows, as trials in lockstep follow them.
#[derive(Debug, Clone)]
pub(in crate::tables) struct Flows {
    pub(in crate::tables) law: OnOff,
    /// How many of them are on, slot after slot.
    pub(in crate::tables) runs: Arc<Runs>,
    /// Slots before the measuring window, of a system that is empty at first, and in it.
    pub(in crate::tables) warm_up: u64,
    pub(in crate::tables) slots: u64,
}

enum Events {
    Timed(Timed),
    Jumps(Jumps),
    Slots(Slots),
}

/// The steps of one trial after the other, and what was read.
pub(in crate::tables) struct Course<'f> {
    events: Events,
    /// Steps that follow from an event.
    queue: VecDeque<Step>,
    /// Elements in the system after the last step.
    system: u32,
    /// The table has room for the elements `0..room`.
    room: u32,
    averages: Averages<'f>,
}

impl<'f> Course<'f> {
    /// Always n elements, each for an exponential time of its own.
    pub(in crate::tables) fn closed(elements: u32, span: Span) -> Self {
        Self::new(elements, Events::Timed(Timed::new(elements, span)), Averages::default())
    }

    /// Poisson arrivals at rate n; at first n elements if `filled`, else none.
    pub(in crate::tables) fn open(elements: u32, span: Span, filled: bool) -> Self {
        Self::new(elements, Events::Jumps(Jumps::new(elements, span, filled)), Averages::default())
    }

    /// On-off flows, for so many slots before the measuring window and in it. `constant_loads` are the
    /// overflow fractions under alternation with 0, 1, … elements.
    pub(in crate::tables) fn slots(
        elements: u32,
        flows: &OnOff,
        (warm_up, slots): (u64, u64),
        bins: Bins,
        constant_loads: Option<&'f [f64]>,
    ) -> Self {
        let events = Events::Slots(Slots::new(flows, warm_up, slots));
        Self::new(elements, events, Averages::in_bins(bins, constant_loads))
    }

    fn new(elements: u32, events: Events, averages: Averages<'f>) -> Self {
        Self { events, queue: VecDeque::new(), system: 0, room: elements, averages }
    }

    /// Starts a trial with an empty table.
    pub(in crate::tables) fn begin(&mut self, seeds: &Seeds) {
        self.queue.clear();
        self.system = 0;
        self.averages.clear();
        match &mut self.events {
            Events::Timed(timed) => timed.begin(seeds),
            Events::Jumps(jumps) => jumps.begin(seeds),
            Events::Slots(slots) => slots.begin(seeds),
        }
    }

    /// What is still to come follows from other seeds: arrivals, and which element departs when. To be called between
    /// events.
    ///
    /// Lifetimes and gaps are exponential, so that what is left of them has the law of a whole one.
    pub(in crate::tables) fn branch(&mut self, seeds: &Seeds) {
        match &mut self.events {
            Events::Timed(timed) => timed.branch(seeds),
            Events::Jumps(jumps) => jumps.branch(seeds),
            Events::Slots(slots) => slots.branch(seeds),
        }
    }

    /// Whether it is one of Poisson arrivals, and which.
    pub(in crate::tables) fn poisson(&self) -> Option<Poisson> {
        match &self.events {
            Events::Jumps(jumps) => Some(jumps.poisson()),
            Events::Timed(_) | Events::Slots(_) => None,
        }
    }

    /// Whether it is one of on-off flows, and which.
    pub(in crate::tables) fn flows(&self) -> Option<Flows> {
        match &self.events {
            Events::Slots(slots) => Some(slots.flows()),
            Events::Timed(_) | Events::Jumps(_) => None,
        }
    }

    /// How long a trial lasts.
    pub(in crate::tables) fn clock(&self) -> Clock {
        match &self.events {
            Events::Timed(timed) => timed.clock(),
            Events::Jumps(jumps) => jumps.clock(),
            Events::Slots(slots) => slots.clock(),
        }
    }

    /// How the number of elements changes, where flows bring them.
    pub(in crate::tables) fn queue(&self) -> Option<Queue> {
        match &self.events {
            Events::Timed(_) | Events::Jumps(_) => None,
            Events::Slots(slots) => Some(slots.queue()),
        }
    }

    /// The tick of the clock in which the last event was.
    pub(in crate::tables) fn tick(&self) -> u64 {
        match &self.events {
            Events::Timed(timed) => timed.tick(),
            Events::Jumps(jumps) => jumps.tick(),
            Events::Slots(slots) => slots.tick(),
        }
    }

    /// The next step; `None` at the end of the trial.
    pub(in crate::tables) fn next(&mut self) -> Option<Step> {
        while self.queue.is_empty() {
            if !self.advance() {
                return None;
            }
        }
        self.next_of_event()
    }

    /// Goes on to the next event, once the steps of the last one were taken; whether there was one before the end.
    pub(in crate::tables) fn advance(&mut self) -> bool {
        match &mut self.events {
            Events::Timed(timed) => timed.advance(&mut self.queue),
            Events::Jumps(jumps) => jumps.advance(&mut self.queue),
            Events::Slots(slots) => slots.advance(&mut self.queue),
        }
    }

    /// The next step that follows from the last event.
    pub(in crate::tables) fn next_of_event(&mut self) -> Option<Step> {
        let step = self.queue.pop_front();
        match step {
            Some(Step::Insert(_)) => self.system += 1,
            Some(Step::Delete(_)) => self.system -= 1,
            Some(Step::Measure | Step::Read(_)) | None => {}
        }
        step
    }

    /// How many elements the table needs room for, if it has too little for this one.
    pub(in crate::tables) fn more_room(&mut self, element: u32) -> Option<u32> {
        (element >= self.room).then(|| {
            self.room = element.saturating_add(1).max(self.room.saturating_mul(2));
            self.room
        })
    }

    /// Reads a table that stays as it is for so long.
    pub(in crate::tables) fn read<T: Table>(&mut self, weight: f64, table: &T) {
        let entries = if T::MOVES_BACK { table.cam().entries } else { 0 };
        self.averages.add(weight, self.system, table.overflow(), entries);
    }

    /// What was read in the trial.
    pub(in crate::tables) fn averages(&self) -> &Averages<'f> {
        &self.averages
    }

    /// What trials that follow it otherwise are read into.
    pub(in crate::tables) fn into_averages(self) -> Averages<'f> {
        self.averages
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    /// A course, how long its window is, and the number of elements where that is constant.
    type Made = fn(u32, Span, OnOff, u64) -> (Course<'static>, f64, bool);

    const COURSES: [Made; 4] = [
        |n, span, _, _| (Course::closed(n, span), span.duration, true),
        |n, span, _, _| (Course::open(n, span, true), span.duration, false),
        |n, span, _, _| (Course::open(n, span, false), span.duration, false),
        |n, span, flows, slots| {
            let bins = Bins { width: 1, largest: 10 };
            let length = ((10.0 * span.warm_up) as u64, slots);
            (Course::slots(n, &flows, length, bins, None), slots as f64, false)
        },
    ];

    fn spans() -> impl Strategy<Value = Span> {
        (0.0..3.0, 0.1..3.0).prop_map(|(warm_up, duration)| Span { warm_up, duration })
    }

    fn flows() -> impl Strategy<Value = OnOff> {
        (1_u32..50, 0.01..0.9, 1.0..20.0).prop_map(|(flows, load, burst)| OnOff {
            flows,
            rate: load / f64::from(flows) / 2.0,
            burst,
        })
    }

    proptest! {
        /// Who arrives is not in the system, who departs is; the window is begun once and read
        /// from end to end; a closed system is read with all its elements.
        #[test]
        fn steps_are_consistent(
            made in proptest::sample::select(&COURSES[..]),
            span in spans(),
            flows in flows(),
            slots in 1_u64..200,
            elements in 1_u32..40,
            seed: u64,
        ) {
            let (mut course, length, closed) = made(elements, span, flows, slots);
            for trial in 0..2 {
                course.begin(&Seeds::of(seed, trial));
                let mut system = BTreeSet::new();
                let (mut windows, mut read) = (0, 0.0);
                while let Some(step) = course.next() {
                    match step {
                        Step::Insert(element) => prop_assert!(system.insert(element)),
                        Step::Delete(element) => prop_assert!(system.remove(&element)),
                        Step::Measure => windows += 1,
                        Step::Read(weight) => {
                            prop_assert!(windows == 1 && weight > 0.0);
                            prop_assert!(!closed || system.len() == elements as usize);
                            read += weight;
                        }
                    }
                    prop_assert_eq!(course.system as usize, system.len());
                }
                prop_assert!((read - length).abs() < 1e-9, "{} {}", read, length);
            }
        }
    }
}
