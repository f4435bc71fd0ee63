//! Measurements by a clock that runs as fast as it is told to.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use loadfactor_schemes::timed::Answers;

use super::*;

/// A clock that structures move on.
#[derive(Debug, Clone, Default)]
struct Told(Arc<AtomicU64>);

impl Clock for Told {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}

/// The same, of which the thread loses its core in the first samples.
#[derive(Debug)]
struct Disturbed {
    clock: Told,
    /// Questions for the turns so far, two for each sample.
    asked: AtomicU64,
    /// Samples that are disturbed.
    disturbed: u64,
}

impl Clock for Disturbed {
    fn now(&self) -> Duration {
        self.clock.now()
    }

    fn turns(&self) -> Option<u64> {
        Some(self.asked.fetch_add(1, Ordering::Relaxed).min(2 * self.disturbed))
    }
}

#[test]
fn a_disturbed_sample_is_taken_again_but_not_for_ever() {
    for (disturbed, expected) in [(0, 1), (3, 4), (1000, TRIES.into())] {
        let clock = Disturbed { clock: Told::default(), asked: AtomicU64::new(0), disturbed };
        let timed = Box::new(Steady::new(&clock.clock, 10));
        let mut bench = Bench { timed, stored: 0, clock: &clock };
        let started = clock.now();
        bench.sample(Operation::Hit, 1000);
        assert_eq!((clock.now() - started).as_nanos(), expected * 5 * 1250);
    }
}

/// A structure of which an insertion takes 7 ns, a hit 5, a miss 3, a deletion 9, and clearing it a million.
struct Steady {
    clock: Told,
    elements: u64,
    absent: u64,
    inserted: u64,
    /// Calls before which the machine stands still for ten milliseconds, without a word of the system.
    halts: Vec<u64>,
    calls: u64,
}

/// Nanoseconds of each operation.
const EACH: [u64; 4] = [7, 5, 3, 9];

impl Steady {
    fn new(clock: &Told, elements: u64) -> Self {
        let (clock, halts) = (clock.clone(), Vec::new());
        Self { clock, elements, absent: 100, inserted: 0, halts, calls: 0 }
    }

    fn pass(&self, nanoseconds: u64) {
        self.clock.0.fetch_add(nanoseconds, Ordering::Relaxed);
    }
}

impl Timed for Steady {
    fn elements(&self) -> u64 {
        self.elements
    }

    fn absent(&self) -> u64 {
        self.absent
    }

    fn clear(&mut self) {
        self.inserted = 0;
        self.pass(1_000_000);
    }

    fn run(&mut self, operation: Operation, count: u64) -> u64 {
        let count = match operation {
            Operation::Insert => count.min(self.elements - self.inserted),
            Operation::Delete => count.min(self.inserted),
            Operation::Hit | Operation::Miss => count,
        };
        match operation {
            Operation::Insert => self.inserted += count,
            Operation::Delete => self.inserted -= count,
            Operation::Hit | Operation::Miss => {}
        }
        self.calls += 1;
        self.pass(if self.halts.contains(&self.calls) { 10_000_000 } else { 0 });
        self.pass(EACH[operation as usize] * count);
        if operation == Operation::Miss { count / 10 } else { count }
    }

    fn bytes(&self) -> u64 {
        8
    }
}

fn bench(clock: &Told, elements: u64) -> Bench<'_> {
    Bench { timed: Box::new(Steady::new(clock, elements)), stored: 0, clock }
}

/// Also where a sample takes many structures: emptying one is no insertion, and filling one no deletion.
#[test]
fn an_operation_takes_what_it_takes() {
    let clock = Told::default();
    let mut bench = bench(&clock, 50);
    for (operation, expected) in Operation::ALL.into_iter().zip(EACH.map(|each| each as f64)) {
        bench.make_ready(operation);
        for count in [1, 49, 50, 51, 1000] {
            let sample = bench.sample(operation, count);
            assert!((sample - expected).abs() < 1e-9, "{operation} {count}: {sample}");
        }
    }
    let full = bench.full();
    assert_eq!((full.bytes(), full.answers()), (8, Answers { asked: 100, positive: 10 }));
}

/// Each pass has a warm-up in front, so that every second call is timed. A halt in one of them, which nobody tells of,
/// is not taken for slow operations.
#[test]
fn a_halt_does_not_end_the_search_for_the_length_of_a_sample() {
    for halt in 1..30 {
        let clock = Told::default();
        let steady = Steady { halts: vec![halt], ..Steady::new(&clock, 1_000_000) };
        let mut bench = Bench { timed: Box::new(steady), stored: 0, clock: &clock };
        let count = bench.calibrated(Operation::Hit, Duration::from_millis(1)).unwrap();
        assert!((200_000..260_000).contains(&count), "halt {halt}: {count}");
    }
}

#[test]
fn a_disturbed_attempt_is_repeated() {
    let told = Told::default();
    let clock = Disturbed { clock: told.clone(), asked: AtomicU64::new(0), disturbed: 3 };
    let halts = vec![2, 4, 6];
    let steady = Steady { halts, ..Steady::new(&told, 10) };
    let mut bench = Bench { timed: Box::new(steady), stored: 0, clock: &clock };
    assert_eq!(bench.undisturbed(Operation::Hit, 64).taken.as_nanos(), 64 * 5);
}

#[test]
fn what_gives_no_sample_is_refused() {
    let clock = Told::default();
    let of = |steady: Steady, operation| {
        let mut bench = Bench { timed: Box::new(steady), stored: 0, clock: &clock };
        bench.make_ready(operation);
        bench.calibrated(operation, Duration::from_millis(1)).unwrap_err()
    };
    let steady = |elements| Steady::new(&clock, elements);
    let nothing = of(Steady { absent: 0, ..steady(10) }, Operation::Miss);
    assert_eq!(nothing, Unsampled::NothingAbsent);
    assert_eq!(of(steady(0), Operation::Insert), Unsampled::NothingStored);
    // Ten elements go in within 70 ns, and emptying takes a millisecond.
    assert_eq!(of(steady(10), Operation::Insert), Unsampled::Emptying(MOST_EMPTYING));
    let still = Told::default();
    let mut bench = Bench { timed: Box::new(steady(10)), stored: 0, clock: &still };
    let no_time = bench.calibrated(Operation::Hit, Duration::from_millis(1)).unwrap_err();
    assert_eq!(no_time, Unsampled::NoTime(MOST_OPERATIONS));
}

/// A structure that takes many samples to be filled is not timed while it is nearly empty alone.
#[test]
fn samples_are_spread_over_all_loads() {
    let clock = Told::default();
    let mut bench = bench(&clock, 1000);
    for operation in [Operation::Insert, Operation::Delete] {
        bench.make_ready(operation);
        for round in 0..10_u32 {
            bench.advance(operation, (f64::from(round) + 0.5) / 10.0);
            let way = 100 * round + 50;
            let stored = if operation == Operation::Insert { way } else { 1000 - way };
            assert_eq!(bench.stored, u64::from(stored), "{operation} {round}");
            bench.sample(operation, 16);
        }
    }
    // One that is filled several times in a sample is where the sample left it.
    bench.make_ready(Operation::Insert);
    bench.sample(Operation::Insert, 3760);
    assert_eq!(bench.stored, 700);
    bench.advance(Operation::Insert, 0.5);
    assert_eq!(bench.stored, 700);
}

#[test]
fn a_sample_is_as_long_as_wanted_and_hardly_longer() {
    let clock = Told::default();
    let mut bench = bench(&clock, 1_000_000);
    for (operation, each) in Operation::ALL.into_iter().zip(EACH) {
        let count = bench.calibrated(operation, Duration::from_millis(1)).unwrap();
        assert!((1_000_000..1_300_000).contains(&(count * each)), "{operation}: {count}");
    }
}
