//! Measurements by a clock that runs as fast as it is told to.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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
        let timed = Steady { clock: clock.clock.clone(), elements: 10, inserted: 0 };
        let mut bench = Bench { timed: Box::new(timed), clock: &clock };
        let started = clock.now();
        bench.sample(Operation::Hit, 1000);
        assert_eq!((clock.now() - started).as_nanos(), expected * 5 * 1250);
    }
}

/// A structure of which an insertion takes 7 ns, a hit 5, a miss 3, and clearing it a million.
struct Steady {
    clock: Told,
    elements: u64,
    inserted: u64,
}

impl Steady {
    fn pass(&self, nanoseconds: u64) {
        self.clock.0.fetch_add(nanoseconds, Ordering::Relaxed);
    }
}

impl Timed for Steady {
    fn elements(&self) -> u64 {
        self.elements
    }

    fn absent(&self) -> u64 {
        100
    }

    fn clear(&mut self) {
        self.inserted = 0;
        self.pass(1_000_000);
    }

    fn run(&mut self, operation: Operation, count: u64) -> u64 {
        let (count, each) = match operation {
            Operation::Insert => (count.min(self.elements - self.inserted), 7),
            Operation::Hit => (count, 5),
            Operation::Miss => (count, 3),
        };
        self.inserted += if operation == Operation::Insert { count } else { 0 };
        self.pass(each * count);
        if operation == Operation::Miss { count / 10 } else { count }
    }

    fn bytes(&self) -> u64 {
        8
    }
}

fn bench(clock: &Told, elements: u64) -> Bench<'_> {
    Bench { timed: Box::new(Steady { clock: clock.clone(), elements, inserted: 0 }), clock }
}

/// Also where a sample takes many structures: emptying one is no insertion.
#[test]
fn an_operation_takes_what_it_takes() {
    let clock = Told::default();
    let mut bench = bench(&clock, 50);
    for (operation, expected) in Operation::ALL.into_iter().zip([7.0, 5.0, 3.0]) {
        bench.make_ready(operation);
        for count in [1, 49, 50, 51, 1000] {
            let sample = bench.sample(operation, count);
            assert!((sample - expected).abs() < 1e-9, "{operation} {count}: {sample}");
        }
    }
    assert_eq!(bench.answers(), Answers { asked: 100, positive: 10 });
}

#[test]
fn a_sample_is_as_long_as_wanted_and_hardly_longer() {
    let clock = Told::default();
    let mut bench = bench(&clock, 1_000_000);
    for (operation, each) in Operation::ALL.into_iter().zip([7, 5, 3]) {
        let count = bench.calibrated(operation, Duration::from_millis(1));
        assert!((1_000_000..1_300_000).contains(&(count * each)), "{operation}: {count}");
    }
}

#[test]
fn each_round_has_every_series_once_in_an_order_that_the_seed_decides() {
    let of = |seed| {
        let mut order = Order::new(4, seed);
        (0..20).map(|_| order.next()).collect::<Vec<_>>()
    };
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
    for mut round in of(1) {
        round.sort_unstable();
        assert_eq!(round, [0, 1, 2, 3]);
    }
    assert!(of(1).windows(2).any(|pair| pair[0] != pair[1]));
}

#[test]
fn the_samples_are_spread_over_the_layouts() {
    let all: Vec<u32> = (0..4).map(|layout| rounds(10, 4, layout)).collect();
    assert_eq!(all, [3, 3, 2, 2]);
    assert_eq!(rounds(5, 1, 0), 5);
}

/// A real filter of a definition: what comes out has the shape that was asked for, whatever the times are.
#[test]
fn a_definition_is_measured_place_by_place() {
    let definition = crate::timing::tests::DEFINITION;
    let experiment = crate::definition::Experiment::from_text("timed", definition).unwrap();
    let plan = TimedPlan::new(&experiment, None).unwrap();
    assert_eq!(plan.places.len(), 2);
    let measured = measure(&plan, &plan.places[1], &Monotonic::default()).unwrap();
    assert_eq!(measured.len(), 2);
    for own in &measured {
        assert_eq!((own.elements, own.sampled.len(), own.answers.asked), (200, 2, 2000));
        for sampled in &own.sampled {
            let lengths: Vec<usize> = sampled.layouts.iter().map(Vec::len).collect();
            assert_eq!(lengths, [3, 3]);
            assert!(sampled.count >= FIRST_COUNT);
        }
    }
}
