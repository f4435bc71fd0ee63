//! A structure between the samples of its operations.

use std::hint::black_box;
use std::time::Duration;

use loadfactor_schemes::timed::{Operation, Timed};

use super::Unsampled;
use super::clock::Clock;
use super::plan::WARM_UP;

/// How often a sample is taken at most, where others disturb it.
pub(super) const TRIES: u32 = 20;

/// Operations of the first attempt at a sample.
const FIRST_COUNT: u64 = 64;

/// Passes of which the fastest one says how long so many operations take.
const PASSES: u32 = 3;

/// More operations than any structure performs in the longest sample.
const MOST_OPERATIONS: u64 = 1_000_000_000_000;

/// How many times as long as a sample the structure may be emptied or filled meanwhile, which is not timed.
const MOST_EMPTYING: u32 = 20;

/// What so many operations took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pass {
    taken: Duration,
    /// The time in which the structure was emptied meanwhile, or filled anew.
    between: Duration,
}

/// A structure and the clock that it is timed by.
pub(super) struct Bench<'c> {
    timed: Box<dyn Timed>,
    /// Elements that are in.
    stored: u64,
    clock: &'c dyn Clock,
}

impl<'c> Bench<'c> {
    /// A structure as it was made, with nothing in it.
    pub(super) fn new(timed: Box<dyn Timed>, clock: &'c dyn Clock) -> Self {
        Self { timed, stored: 0, clock }
    }

    /// Elements that go in.
    pub(super) fn elements(&self) -> u64 {
        self.timed.elements()
    }

    /// Insertions begin with nothing, in memory that was written to before; everything else where every element is in.
    pub(super) fn make_ready(&mut self, operation: Operation) {
        self.fill();
        if operation == Operation::Insert {
            self.clear();
        }
    }

    /// Brings a structure that is filled or emptied to this share of the way, without a clock, unless it has come
    /// farther: the samples of a layout are spread over all loads.
    pub(super) fn advance(&mut self, operation: Operation, share: f64) {
        let elements = self.timed.elements();
        let way = (share * elements as f64) as u64;
        let ahead = match operation {
            Operation::Insert => way.saturating_sub(self.stored),
            Operation::Delete => way.saturating_sub(elements - self.stored),
            Operation::Hit | Operation::Miss => return,
        };
        self.run(operation, ahead);
    }

    /// Inserts what is not in, without a clock.
    fn fill(&mut self) {
        self.run(Operation::Insert, self.timed.elements());
    }

    fn clear(&mut self) {
        self.timed.clear();
        self.stored = 0;
    }

    fn run(&mut self, operation: Operation, count: u64) {
        let done = self.timed.run(operation, count);
        self.count(operation, done);
    }

    fn count(&mut self, operation: Operation, done: u64) {
        match operation {
            Operation::Insert => self.stored += done,
            Operation::Delete => self.stored -= done,
            Operation::Hit | Operation::Miss => {}
        }
    }

    /// Operations that take this long, about.
    pub(super) fn calibrated(
        &mut self,
        operation: Operation,
        target: Duration,
    ) -> Result<u64, Unsampled> {
        match operation {
            Operation::Miss if self.timed.absent() == 0 => return Err(Unsampled::NothingAbsent),
            _ if self.timed.elements() == 0 => return Err(Unsampled::NothingStored),
            _ => {}
        }
        let mut count = FIRST_COUNT;
        while count <= MOST_OPERATIONS {
            let Pass { taken, between } = self.fastest(operation, count);
            if between > MOST_EMPTYING * target {
                return Err(Unsampled::Emptying(MOST_EMPTYING));
            }
            if taken >= target {
                return Ok(count);
            }
            count = more(count, target.as_secs_f64() / taken.as_secs_f64().max(1e-9));
        }
        Err(Unsampled::NoTime(MOST_OPERATIONS))
    }

    /// The fastest of a few passes: what disturbs one of them is not taken for a slow operation, even where the
    /// system does not tell of it.
    fn fastest(&mut self, operation: Operation, count: u64) -> Pass {
        let first = self.undisturbed(operation, count);
        (1..PASSES).fold(first, |fastest, _| {
            let Pass { taken, between } = self.undisturbed(operation, count);
            Pass { taken: taken.min(fastest.taken), between: between.min(fastest.between) }
        })
    }

    /// Nanoseconds per operation.
    pub(super) fn sample(&mut self, operation: Operation, count: u64) -> f64 {
        let Pass { taken, .. } = self.undisturbed(operation, count);
        taken.as_secs_f64() * 1e9 / count as f64
    }

    /// A pass after a shorter one that warms up. One during which the system gave the core to somebody else is
    /// repeated, a few times.
    fn undisturbed(&mut self, operation: Operation, count: u64) -> Pass {
        let mut tries = 0;
        loop {
            self.perform(operation, ((count as f64 * WARM_UP) as u64).max(1));
            let before = self.clock.turns();
            let pass = self.perform(operation, count);
            tries += 1;
            if self.clock.turns() == before || tries == TRIES {
                return pass;
            }
        }
    }

    /// So many operations. Where all elements are in before that many were inserted, the structure is emptied; where
    /// all are out before that many were deleted, it is filled anew. Neither counts.
    fn perform(&mut self, operation: Operation, count: u64) -> Pass {
        let mut pass = Pass { taken: Duration::ZERO, between: Duration::ZERO };
        if matches!(operation, Operation::Hit | Operation::Miss) {
            pass.taken = self.timed_once(operation, count).0;
            return pass;
        }
        let mut left = count;
        while left > 0 {
            let (time, done) = self.timed_once(operation, left);
            pass.taken += time;
            left -= done.min(left);
            if left > 0 {
                let started = self.clock.now();
                self.begin_anew(operation);
                pass.between += self.clock.now() - started;
            }
        }
        pass
    }

    /// Empties the structure that was filled, or fills the one that was emptied as it was at first.
    fn begin_anew(&mut self, operation: Operation) {
        self.clear();
        if operation == Operation::Delete {
            self.fill();
        }
    }

    fn timed_once(&mut self, operation: Operation, count: u64) -> (Duration, u64) {
        let started = self.clock.now();
        let done = black_box(self.timed.run(operation, count));
        let taken = self.clock.now() - started;
        self.count(operation, done);
        (taken, done)
    }

    /// The structure with all its elements.
    pub(super) fn full(&mut self) -> &mut dyn Timed {
        self.fill();
        &mut *self.timed
    }
}

/// A little more than so many times as many operations, and never much more at once: the first ones are the slowest.
pub(super) fn more(count: u64, factor: f64) -> u64 {
    (count as f64 * (1.1 * factor).clamp(1.1, 10.0)).ceil() as u64
}

#[cfg(test)]
mod tests;
