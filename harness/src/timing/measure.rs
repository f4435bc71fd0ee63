//! The samples: how many nanoseconds an operation took, of all series in turn.

use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use loadfactor_schemes::Rng;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::timed::{Answers, Operation, Timed};
use rand::SeedableRng;
use rand::seq::SliceRandom;

use super::plan::{Place, TimedPlan, WARM_UP};
use super::statistics::median;
use super::{TimingError, Unsampled};

/// How often a sample is taken at most, where others disturb it.
const TRIES: u32 = 20;

/// Operations of the first attempt at a sample.
const FIRST_COUNT: u64 = 64;

/// Passes of which the fastest one says how long so many operations take.
const PASSES: u32 = 3;

/// More operations than any structure performs in the longest sample.
const MOST_OPERATIONS: u64 = 1_000_000_000_000;

/// How many times as long as a sample the structure may be emptied or filled meanwhile, which is not timed.
const MOST_EMPTYING: u32 = 20;

/// The share of the wanted time that samples must take.
const SHORTEST: f64 = 0.5;

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
/// down for longer than a round slows all of them. `progress` is told how many layouts are done.
///
/// # Errors
/// Where a structure cannot be timed.
pub fn measure(
    plan: &TimedPlan<'_>,
    place: &Place,
    clock: &dyn Clock,
    progress: &mut dyn FnMut(u32),
) -> Result<Vec<Measured>, TimingError> {
    let timing = plan.timing;
    let unsampled = |series: usize, operation, reason| TimingError::Unsampled {
        series: plan.experiment.series[series].clone(),
        operation,
        reason,
    };
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
            for (series, (bench, own)) in benches.iter_mut().zip(&mut measured).enumerate() {
                bench.make_ready(operation);
                let sampled = &mut own.sampled[number];
                sampled.layouts.push(Vec::new());
                if sampled.count == 0 {
                    let count = bench.calibrated(operation, target);
                    sampled.count = count.map_err(|reason| unsampled(series, operation, reason))?;
                }
            }
            for attempt in 1..=TRIES {
                for round in 0..rounds {
                    let share = (f64::from(round) + 0.5) / f64::from(rounds);
                    for series in order.next() {
                        let Sampled { count, layouts, .. } = &mut measured[series].sampled[number];
                        benches[series].advance(operation, share);
                        let sample = benches[series].sample(operation, *count);
                        layouts[layout as usize].push(sample);
                    }
                }
                let sampled = measured.iter_mut().map(|own| &mut own.sampled[number]);
                if layout > 0 || attempt == TRIES || !lengthened(sampled, target) {
                    break;
                }
                benches.iter_mut().for_each(|bench| bench.make_ready(operation));
            }
        }
        if !deletes {
            look_at(&mut benches, &mut measured);
        }
        progress(layout + 1);
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

/// Whether the samples of the first layout have to be taken anew, because those of a series are far shorter than
/// wanted: it gets more operations.
fn lengthened<'s>(series: impl Iterator<Item = &'s mut Sampled>, target: Duration) -> bool {
    let target = target.as_secs_f64() * 1e9;
    let (mut all, mut again) = (Vec::new(), false);
    for sampled in series {
        let taken = median(&mut sampled.layouts.concat()).map(|each| each * sampled.count as f64);
        if let Some(taken) = taken.filter(|&taken| taken < SHORTEST * target) {
            sampled.count = more(sampled.count, target / taken);
            again = true;
        }
        all.push(sampled);
    }
    if again {
        all.iter_mut().flat_map(|sampled| sampled.layouts.last_mut()).for_each(Vec::clear);
    }
    again
}

/// A little more than so many times as many operations, and never much more at once: the first ones are the slowest.
fn more(count: u64, factor: f64) -> u64 {
    (count as f64 * (1.1 * factor).clamp(1.1, 10.0)).ceil() as u64
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

/// What so many operations took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pass {
    taken: Duration,
    /// The time in which the structure was emptied meanwhile, or filled anew.
    between: Duration,
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
    fn calibrated(&mut self, operation: Operation, target: Duration) -> Result<u64, Unsampled> {
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
    fn sample(&mut self, operation: Operation, count: u64) -> f64 {
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
