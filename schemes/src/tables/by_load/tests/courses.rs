//! Poisson arrivals and on-off flows in lockstep.

use super::*;
use crate::tables::process::Bins;
use crate::tables::theory::on_off::OnOff;
use crate::tables::workloads::Span;
use crate::tables::workloads::course::{Runs, Step};

/// Courses around 50 elements: with Poisson arrivals from a full table with a warm-up, and from an empty one with a warm-up and
/// without; with on-off flows a few that bring many, with a warm-up, and many that bring one at a time, without.
fn courses() -> [Course<'static>; 5] {
    let span = |warm_up| Span { warm_up, duration: 1.5 };
    let slots = |flows, rate, burst, length| {
        let flows = OnOff { flows, rate, burst };
        Course::slots(50, &flows, length, Bins { width: 10, largest: 60 }, Some(&CONSTANT_LOADS))
    };
    [
        Course::open(50, span(0.7), true),
        Course::open(50, span(2.0), false),
        Course::open(50, span(0.0), false),
        slots(7, 0.13, 20.0, (300, 100)),
        slots(60, 0.016, 4.0, (0, 150)),
    ]
}

/// Overflow fractions of constant loads: any will do.
const CONSTANT_LOADS: [f64; 1000] = [0.25; 1000];

/// Those that begin with the window, with Poisson arrivals and with flows.
const FROM_EMPTY: usize = 2;
const FLOWS_FROM_EMPTY: usize = 4;

/// With every bucket size and kind of table.
fn followers() -> Vec<ByLoad> {
    tables().into_iter().filter(|table| table.move_back.is_none()).collect()
}

/// What a trial that followed a course came to.
#[derive(Debug, Clone, PartialEq)]
struct Came {
    sums: Sums,
    occupancy: Vec<u64>,
    listed: u32,
    /// Of the list and of the system, and in the intervals of the latter.
    averages: Vec<Option<f64>>,
}

impl Came {
    fn new(sums: &Sums, averages: &Averages<'_>, occupancy: Vec<u64>, listed: u32) -> Self {
        let in_intervals = averages.by_number().into_iter().map(|(_, value)| value);
        let averages = [averages.overflow(), averages.system()].into_iter().chain(in_intervals);
        let averages = averages.collect();
        Self { sums: *sums, occupancy, listed, averages }
    }

    fn quantities(&self) -> Vec<f64> {
        let Sums { arrivals, departures, accesses, overflowed, .. } = self.sums;
        let counts = [arrivals, departures, accesses, overflowed, self.listed.into()];
        let counts = counts.iter().chain(&self.occupancy).map(|&count| count as f64);
        counts.chain(self.averages.iter().map(|value| value.unwrap_or(0.0))).collect()
    }
}

fn steps(course: usize) -> (Steps, Averages<'static>) {
    let course = courses().into_iter().nth(course).unwrap();
    (Steps::of_course(&course).unwrap(), course.into_averages())
}

/// What trials of this course, of [`courses`], came to.
fn of(by_load: &ByLoad, course: usize, trials: Range<u64>) -> Vec<Came> {
    let mut all = Vec::new();
    let (steps, averages) = steps(course);
    let seeds = |trial| Seeds::of(11, trial);
    by_load.run(&steps, averages, trials, seeds, |sums, averages, outcome| {
        all.push(Came::new(sums, averages.unwrap(), outcome.occupancy.clone(), outcome.overflow));
    });
    all
}

/// Whatever lane it is in, and however long the others take.
#[test]
fn a_trial_is_the_same_in_every_lane() {
    for table in &followers() {
        for course in 0..courses().len() {
            let together = of(table, course, 0..21);
            let alone: Vec<_> =
                (0..21).flat_map(|trial| of(table, course, trial..trial + 1)).collect();
            let in_parts = [of(table, course, 0..3), of(table, course, 3..21)].concat();
            assert!(together == alone && together == in_parts, "{table:?}");
        }
    }
}

/// In whatever registers the processor has, as without any.
#[test]
fn a_trial_is_the_same_in_registers_of_every_width() {
    let seeds: [Seeds; AT_ONCE] = array::from_fn(|trial| Seeds::of(11, trial as u64));
    for table in &followers() {
        for course in 0..courses().len() {
            let (steps, mut averages) = steps(course);
            let expected = of(table, course, 0..AT_ONCE as u64);
            let runs = widths().into_iter().flat_map(|arch| {
                [3, AT_ONCE]
                    .map(|wanted| table.together(arch, &steps, &seeds, &Spare::default(), wanted))
            });
            for mut ended in runs {
                for (lane, expected) in expected.iter().enumerate().take(ended.sums.len()) {
                    let (sums, outcome) = (ended.sums[lane], ended.outcome(lane, table));
                    let averages = ended.averages(lane, &mut averages).unwrap();
                    let came = Came::new(&sums, averages, outcome.occupancy, outcome.overflow);
                    assert_eq!(came, *expected, "{table:?}");
                }
            }
        }
    }
}

/// All that arrived and did not depart is in a bucket or on the list.
#[test]
fn elements_are_in_buckets_or_on_the_list() {
    for table in &followers() {
        let from_empty = [FROM_EMPTY, FLOWS_FROM_EMPTY];
        for came in from_empty.into_iter().flat_map(|course| of(table, course, 0..20)) {
            let in_buckets: u64 =
                (0..).zip(&came.occupancy).map(|(load, number)| load * number).sum();
            let there = in_buckets + u64::from(came.listed);
            assert_eq!(there + came.sums.departures, came.sums.arrivals);
            assert_eq!(
                came.occupancy.iter().sum::<u64>(),
                table.buckets.iter().map(|&m| u64::from(m)).sum::<u64>()
            );
            assert!(came.sums.overflowed <= came.sums.arrivals);
        }
    }
}

impl OneByOne<'_> {
    /// Follows the course step by step, as it names elements.
    fn follow(
        &mut self,
        course: &mut Course<'static>,
        mut averages: Averages<'_>,
        seeds: &Seeds,
    ) -> Came {
        course.begin(seeds);
        let (mut sums, mut number) = (Sums::default(), 0);
        while let Some(step) = course.next() {
            match step {
                Step::Insert(element) => {
                    self.arrive(element, &mut sums);
                    number += 1;
                }
                Step::Delete(element) => {
                    self.depart(element, &mut sums);
                    sums.departures += 1;
                    number -= 1;
                }
                Step::Measure => sums = Sums::default(),
                Step::Read(weight) => averages.add(weight, number, self.length(), 0),
            }
        }
        Came::new(&sums, &averages, self.occupancy(), self.length())
    }

    fn length(&self) -> u32 {
        self.listed.iter().flatten().count() as u32
    }
}

/// The law is that of a table with elements which follows the course step by step: means over 1,000 trials, within five standard
/// errors of the difference. There are 2,640 of them, so that one in 600 seeds would fail by chance.
#[test]
fn the_law_is_that_of_elements_that_follow_a_course() {
    const TRIALS: u64 = 1000;
    for table in followers() {
        for (number, mut course) in courses().into_iter().enumerate() {
            let found = of(&table, number, 0..TRIALS);
            let found: Vec<_> = found.iter().map(Came::quantities).collect();
            let one = |trial| {
                let mut one = OneByOne::new(&table, trial);
                one.follow(&mut course, steps(number).1, &Seeds::of(13, trial)).quantities()
            };
            let expected: Vec<_> = (0..TRIALS).map(one).collect();
            compare(&found, &expected, &format!("{table:?}, course {number}"));
        }
    }
}

/// Poisson arrivals of so many elements that their number can be made real, and flows after which so few are in the system that all
/// numbers can be counted, where none moves.
#[test]
fn courses_are_of_elements_that_stay() {
    let table = |elements| Geometry { elements, buckets: 100, bucket_size: 2 };
    let staying = |elements| ByLoad::anywhere(&table(elements), 2).unwrap();
    let span = Span { warm_up: 0.0, duration: 1.0 };
    let poisson = |elements| Steps::Poisson(Poisson { first: elements, span });
    let flows = |rate, burst| {
        let law = OnOff { flows: 100, rate, burst };
        Steps::Flows(Flows { law, runs: Runs::new(&law).into(), warm_up: 0, slots: 1 })
    };
    let follows = |elements| staying(elements).follows(&poisson(elements));
    assert!(follows(1) && follows(1 << 20) && !follows((1 << 20) + 1));
    let few = |rate, burst| staying(50).follows(&flows(rate, burst));
    assert!(few(0.0098, 40.0) && !few(0.009_93, 40.0));
    assert!(few(1e-6, 2000.0) && !few(1e-6, 2049.0));
    // A few megabytes, which all threads of a run have room for.
    assert!(staying(50).bytes(&flows(0.0098, 40.0)) < 16 << 20);
    let moving_back = staying(50).moving_back(|| Some(0.0)).unwrap();
    let moving = fills().into_iter().chain([moving_back]);
    for table in moving {
        assert!(!table.follows(&poisson(50)) && !table.follows(&flows(0.005, 1.0)), "{table:?}");
    }
}
