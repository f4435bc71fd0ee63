//! The samples: how many nanoseconds an operation took, of all series in turn.

use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use loadfactor_schemes::Rng;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::timed::{Answers, Operation, Timed};
use rand::SeedableRng;
use rand::seq::SliceRandom;

use super::TimingError;
use super::plan::{Place, TimedPlan, WARM_UP};

/// How often a sample is taken at most, where others disturb it.
const TRIES: u32 = 20;

/// Operations of the first attempt at a sample.
const FIRST_COUNT: u64 = 64;

/// Something that tells the time.
pub trait Clock {
    /// The time since some moment.
    fn now(&self) -> Duration;

    /// How often this thread was put on a core, where that is known.
    fn turns(&self) -> Option<u64> {
        None
    }
}

/// The clock of the system that never goes back.
#[derive(Debug, Clone, Copy)]
pub struct Monotonic(Instant);

impl Default for Monotonic {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for Monotonic {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    /// The third number that Linux has of a thread.
    fn turns(&self) -> Option<u64> {
        let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        told.split_whitespace().nth(2)?.parse().ok()
    }
}

/// What was measured of one operation of one structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// The operation.
    pub operation: Operation,
    /// Operations of each sample.
    pub count: u64,
    /// Nanoseconds per operation: for each layout its samples, in the order of the rounds.
    pub layouts: Vec<Vec<f64>>,
}

/// What was measured of one structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// One entry for each operation that is timed, in their order.
    pub sampled: Vec<Sampled>,
    /// Elements of the structure.
    pub elements: u64,
    /// What the full structures were like.
    pub full: Full,
}

/// Structures of one kind that hold all their elements, one of each layout.
#[derive(Debug, Clone, PartialEq)]
pub struct Full {
    /// Bytes of the largest of them, its keys aside.
    pub bytes: u64,
    /// What they answered to absent keys.
    pub answers: Answers,
    /// What else is measured of each of them.
    pub measured: Vec<(Metric, f64)>,
}

impl Full {
    /// The metric that is measured beside answers, and its mean.
    pub fn mean(&self) -> Option<(Metric, f64)> {
        let &(metric, _) = self.measured.first()?;
        let sum: f64 = self.measured.iter().map(|&(_, value)| value).sum();
        Some((metric, sum / self.measured.len() as f64))
    }
}

/// Measures the structures of a place, in the order of the series.
///
/// In each round every series gives one sample, in an order of chance that the seed decides: what slows the machine
/// down for longer than a round slows all of them.
///
/// # Errors
/// Where a structure cannot be timed.
pub fn measure(
    plan: &TimedPlan<'_>,
    place: &Place,
    clock: &dyn Clock,
) -> Result<Vec<Measured>, TimingError> {
    let timing = plan.timing;
    let mut order = Order::new(place.points.len(), plan.experiment.seed);
    let target = Duration::from_secs_f64(timing.milliseconds / 1e3);
    let mut measured: Vec<Measured> = Vec::new();
    for layout in 0..timing.layouts {
        let made = place.points.iter().map(|&point| plan.structure(point, layout));
        let mut benches: Vec<Bench<'_>> = made
            .map(|structure| Ok(Bench { timed: structure?, stored: 0, clock }))
            .collect::<Result<_, TimingError>>()?;
        if measured.is_empty() {
            measured = benches.iter().map(|bench| bench.nothing_yet(&timing.operations)).collect();
        }
        let rounds = rounds(timing.samples, timing.layouts, layout);
        let deletes = timing.operations.contains(&Operation::Delete);
        for (number, &operation) in timing.operations.iter().enumerate() {
            if operation == Operation::Delete {
                look_at(&mut benches, &mut measured);
            }
            for (bench, own) in benches.iter_mut().zip(&mut measured) {
                bench.make_ready(operation);
                let sampled = &mut own.sampled[number];
                sampled.layouts.push(Vec::new());
                if sampled.count == 0 {
                    sampled.count = bench.calibrated(operation, target);
                }
            }
            for round in 0..rounds {
                let share = (f64::from(round) + 0.5) / f64::from(rounds);
                for series in order.next() {
                    let Sampled { count, layouts, .. } = &mut measured[series].sampled[number];
                    benches[series].advance(operation, share);
                    let sample = benches[series].sample(operation, *count);
                    layouts[layout as usize].push(sample);
                }
            }
        }
        if !deletes {
            look_at(&mut benches, &mut measured);
        }
    }
    Ok(measured)
}

/// Takes note of what the structures are like when they hold all elements. Before anything was deleted that is decided
/// by seeds alone; later it may depend on how many deletions there were time for.
fn look_at(benches: &mut [Bench<'_>], measured: &mut [Measured]) {
    for (bench, own) in benches.iter_mut().zip(measured) {
        bench.look_at(&mut own.full);
    }
}

/// The rounds of a layout, where the samples do not divide evenly those that are left for the first ones.
fn rounds(samples: u32, layouts: u32, layout: u32) -> u32 {
    samples / layouts + u32::from(layout < samples % layouts)
}

/// The order of the series, another one in each round.
struct Order {
    series: Vec<usize>,
    rng: Rng,
}

impl Order {
    fn new(series: usize, seed: u64) -> Self {
        Self { series: (0..series).collect(), rng: Rng::seed_from_u64(seed) }
    }

    fn next(&mut self) -> Vec<usize> {
        self.series.shuffle(&mut self.rng);
        self.series.clone()
    }
}

/// A structure and the clock that it is timed by.
struct Bench<'c> {
    timed: Box<dyn Timed>,
    /// Elements that are in.
    stored: u64,
    clock: &'c dyn Clock,
}

impl Bench<'_> {
    fn nothing_yet(&self, operations: &[Operation]) -> Measured {
        let none = |&operation| Sampled { operation, count: 0, layouts: Vec::new() };
        Measured {
            sampled: operations.iter().map(none).collect(),
            elements: self.timed.elements(),
            full: Full {
                bytes: 0,
                answers: Answers { asked: 0, positive: 0 },
                measured: Vec::new(),
            },
        }
    }

    /// Insertions begin with nothing, in memory that was written to before; everything else where every element is in.
    fn make_ready(&mut self, operation: Operation) {
        self.fill();
        if operation == Operation::Insert {
            self.clear();
        }
    }

    /// Brings a structure that is filled or emptied to this share of the way, without a clock, unless it has come
    /// farther: the samples of a layout are spread over all loads.
    fn advance(&mut self, operation: Operation, share: f64) {
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

    fn run(&mut self, operation: Operation, count: u64) -> u64 {
        let done = self.timed.run(operation, count);
        self.count(operation, done);
        done
    }

    fn count(&mut self, operation: Operation, done: u64) {
        match operation {
            Operation::Insert => self.stored += done,
            Operation::Delete => self.stored -= done,
            Operation::Hit | Operation::Miss => {}
        }
    }

    /// Operations that take this long, about.
    fn calibrated(&mut self, operation: Operation, target: Duration) -> u64 {
        let mut count = FIRST_COUNT;
        loop {
            let taken = self.perform(operation, count);
            if taken >= target {
                return count;
            }
            let factor = target.as_secs_f64() / taken.as_secs_f64().max(1e-9);
            // A little more than enough, and never much more at once: the first operations are the slowest.
            count = (count as f64 * (1.1 * factor).clamp(1.1, 10.0)).ceil() as u64;
        }
    }

    /// Nanoseconds per operation. A sample during which the system gave the core to somebody else is taken again, a
    /// few times.
    fn sample(&mut self, operation: Operation, count: u64) -> f64 {
        let mut tries = 0;
        loop {
            self.perform(operation, ((count as f64 * WARM_UP) as u64).max(1));
            let before = self.clock.turns();
            let taken = self.perform(operation, count);
            tries += 1;
            if self.clock.turns() == before || tries == TRIES {
                return taken.as_secs_f64() * 1e9 / count as f64;
            }
        }
    }

    /// The time of so many operations. Where all elements are in before that many were inserted, the structure is
    /// cleared; where all are out before that many were deleted, it is filled anew. Neither counts.
    fn perform(&mut self, operation: Operation, count: u64) -> Duration {
        if matches!(operation, Operation::Hit | Operation::Miss) {
            return self.timed_once(operation, count).0;
        }
        let (mut taken, mut left) = (Duration::ZERO, count);
        while left > 0 {
            let (time, done) = self.timed_once(operation, left);
            taken += time;
            left -= done.min(left);
            if left > 0 {
                self.begin_anew(operation);
            }
        }
        taken
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

    /// What the structure is like when it holds all elements.
    fn look_at(&mut self, full: &mut Full) {
        self.fill();
        full.bytes = full.bytes.max(self.timed.bytes());
        full.measured.extend(self.timed.measured());
        let Answers { asked, positive } = self.timed.answers();
        full.answers.asked += asked;
        full.answers.positive += positive;
    }
}

#[cfg(test)]
mod tests;
