//! Trials by load against tables with elements, and lane against lane.

mod courses;
mod moving_back;

use pulp::{Scalar, Simd, WithSimd};
use rand::{Rng as _, SeedableRng};

use super::lanes::Arithmetic as _;
use super::*;
use crate::Rng;
use crate::hash::reduce;
use crate::math::elementary::pow;
use crate::tables::trial::Sums;
use crate::uniform::widths;

type Read = (Sums, Vec<u64>, Vec<(u64, u64)>, u32);

/// What trials under these rounds came to.
fn of(by_load: &ByLoad, rounds: Rounds, trials: Range<u64>) -> Vec<Read> {
    let mut all = Vec::new();
    let seeds = |trial| Seeds::of(9, trial);
    by_load.run(&Steps::Rounds(rounds), Averages::default(), trials, seeds, |sums, _, outcome| {
        all.push(read(sums, outcome));
    });
    all
}

fn read(sums: &Sums, outcome: &Outcome) -> Read {
    let used = outcome.sub_tables.iter().map(|used| (used.elements, used.places)).collect();
    (*sums, outcome.occupancy.clone(), used, outcome.overflow)
}

/// Of 50 elements, with every bucket size, number of choices and kind of table, and with elements that move back.
fn tables() -> Vec<ByLoad> {
    let mut all = Vec::new();
    for bucket_size in 1..=4 {
        let buckets = 60 / u32::from(bucket_size);
        let mut add = |search, move_back, buckets| {
            let way = Way::Searching(search);
            all.push(ByLoad { elements: 50, bucket_size, way, move_back, buckets });
        };
        for move_back in [None, Some(Named::Awaited), Some(Named::All)] {
            for choices in [1, 2, 4] {
                add(Search::Anywhere { choices }, move_back, vec![buckets]);
            }
            for choices in [2, 3] {
                add(Search::LeastLoaded { choices }, move_back, vec![buckets]);
            }
            add(Search::InTurn, move_back, vec![buckets / 2, buckets / 4, buckets / 4]);
            add(Search::ToTheLeft, move_back, vec![buckets / 4; 4]);
        }
        add(Search::Anywhere { choices: 5 }, None, vec![buckets]);
        // With room for 44 to 46 of them.
        for search in [Search::Anywhere { choices: 2 }, Search::LeastLoaded { choices: 2 }] {
            add(search, Some(Named::All), vec![46 / u32::from(bucket_size)]);
        }
    }
    all
}

/// Of 50 elements, filled by every rule that moves some, with numbers of 16 bits and of 32.
fn fills() -> Vec<ByLoad> {
    let rules = [
        InsertionRule::Conservative,
        InsertionRule::SecondChance,
        InsertionRule::SecondChanceOfTwo,
        InsertionRule::ExtremeSecondChance,
    ];
    let of = |rule: InsertionRule| {
        let buckets = [16, 14, 8, 4].map(|buckets| buckets / u32::from(rule.bucket_size()));
        ByLoad::filling(rule, 50, buckets.to_vec()).unwrap()
    };
    let short = rules.map(of).to_vec();
    let long = short.iter().cloned().map(ByLoad::long);
    short.iter().cloned().chain(long).collect()
}

/// All of these, with what they go through.
fn ways() -> Vec<(ByLoad, Rounds)> {
    let rounds = |table: ByLoad| ROUNDS.map(|rounds| (table.clone(), rounds));
    let fills = fills().into_iter().map(|fill| (fill, Rounds::Filling));
    tables().into_iter().flat_map(rounds).chain(fills).collect()
}

const ROUNDS: [Rounds; 4] = [
    Rounds::Filling,
    Rounds::Window { filled: true, warm_up: 40, rounds: 1000 },
    Rounds::Window { filled: false, warm_up: 0, rounds: 77 },
    Rounds::Moment { filled: false, rounds: 70 },
];

/// In whatever lane a trial is, and beside however many others.
#[test]
fn a_trial_is_the_same_in_every_lane() {
    for (table, rounds) in &ways() {
        let together = of(table, *rounds, 0..21);
        let alone: Vec<_> =
            (0..21).flat_map(|trial| of(table, *rounds, trial..trial + 1)).collect();
        let in_parts = [of(table, *rounds, 0..3), of(table, *rounds, 3..21)].concat();
        assert!(together == alone && together == in_parts, "{table:?} {rounds:?}");
    }
}

#[test]
fn a_trial_is_the_same_in_registers_of_every_width() {
    let seeds: [Seeds; AT_ONCE] = array::from_fn(|trial| Seeds::of(9, trial as u64));
    for (by_load, rounds) in ways() {
        let by_load = &by_load;
        let alone = of(by_load, rounds, 0..1);
        let runs = widths().into_iter().flat_map(|arch| {
            [3, AT_ONCE].map(|wanted| {
                by_load.together(arch, &Steps::Rounds(rounds), &seeds, &Spare::default(), wanted)
            })
        });
        let mut of_lanes: Vec<Vec<Read>> = Vec::new();
        for ended in runs {
            let of_lane = |(lane, sums): (usize, &Sums)| read(sums, &ended.outcome(lane, by_load));
            of_lanes.push(ended.sums.iter().enumerate().map(of_lane).collect());
        }
        let widest = of_lanes.last().unwrap();
        assert_eq!(widest[..1], alone);
        assert!(of_lanes.iter().all(|of_lanes| of_lanes[..] == widest[..of_lanes.len()]));
    }
}

/// Numbers of 16 bits of which a quarter is rejected. In the first sub-table each bucket is empty in the end with probability
/// (1 − 1/m)ⁿ; if nothing were rejected, as some would be chosen more often, it would be 1.6 % more.
#[test]
fn a_fill_leaves_out_the_steps_in_which_a_number_is_rejected() {
    const SIZES: [u32; 3] = [3 << 13, 30_000, 20_000];
    let fill = ByLoad::filling(InsertionRule::Conservative, SIZES[0], SIZES.to_vec()).unwrap();
    assert!(matches!(fill.way, Way::Filling { short: true, .. }));
    let (m, trials) = (f64::from(SIZES[0]), 160);
    let taken = of(&fill, Rounds::Filling, 0..trials).iter().map(|read| read.2[0].0).sum::<u64>();
    let empty = 1.0 - taken as f64 / trials as f64 / m;
    // The variance of the number of empty buckets is below that of independent ones.
    let expected = pow(1.0 - 1.0 / m, m);
    let error = (expected * (1.0 - expected) / m / trials as f64).sqrt();
    assert!((empty - expected).abs() < 5.0 * error, "{empty} {expected}");
}

/// No element is lost, no bucket holds more than it has room for, and what was counted is what is there.
#[test]
fn elements_are_in_buckets_or_on_the_list() {
    for (table, rounds) in &ways() {
        for (sums, occupancy, used, overflow) in of(table, *rounds, 0..20) {
            let in_buckets: u64 = (0..).zip(&occupancy).map(|(load, number)| load * number).sum();
            assert_eq!(in_buckets + u64::from(overflow), 50);
            assert_eq!(
                occupancy.iter().sum::<u64>(),
                table.buckets.iter().map(|&m| u64::from(m)).sum::<u64>()
            );
            assert!(occupancy.iter().all(|&number| number <= 60));
            match table.way {
                Way::Searching(search) if search != Search::InTurn => assert!(used.is_empty()),
                _ => assert_eq!(used.iter().map(|used| used.0).sum::<u64>(), in_buckets),
            }
            assert!(sums.overflowed <= sums.arrivals);
            if matches!(rounds, Rounds::Filling) {
                assert_eq!(sums.overflowed, u64::from(overflow));
            }
        }
    }
}

/// A table with elements in buckets, round by round as the paper has it.
struct OneByOne<'t> {
    table: &'t ByLoad,
    buckets: Vec<Vec<u32>>,
    /// The entries of the CAM, with an element and its choices.
    listed: Vec<Option<(u32, Vec<usize>)>>,
    rng: Rng,
}

impl<'t> OneByOne<'t> {
    fn new(table: &'t ByLoad, seed: u64) -> Self {
        let buckets = vec![Vec::new(); table.buckets.iter().sum::<u32>() as usize];
        Self { table, buckets, listed: Vec::new(), rng: Rng::seed_from_u64(seed) }
    }

    /// How many buckets hold 0, 1, … elements.
    fn occupancy(&self) -> Vec<u64> {
        let with = |load| self.buckets.iter().filter(|b| b.len() == load).count() as u64;
        (0..=self.table.bucket_size.into()).map(with).collect()
    }

    fn search(&self) -> Search {
        let Way::Searching(search) = self.table.way else { unreachable!("nothing is only filled") };
        search
    }

    fn choices(&mut self) -> Vec<usize> {
        let (all, in_table) = (&self.table.buckets, self.search().in_table());
        let mut draw = |m: u32| reduce(self.rng.next_u64(), m) as usize;
        match in_table {
            Some(choices) => (0..choices).map(|_| draw(all[0])).collect(),
            None => {
                let mut first = 0;
                let mut choices = Vec::new();
                for &m in all {
                    choices.push(first + draw(m));
                    first += m as usize;
                }
                choices
            }
        }
    }

    /// Puts first the choice that the element goes to.
    fn order(&mut self, choices: &mut [usize]) {
        match self.search() {
            Search::Anywhere { .. } | Search::InTurn => {}
            Search::LeastLoaded { .. } => {
                choices.sort_by_cached_key(|&choice| {
                    (self.buckets[choice].len(), self.rng.next_u64())
                });
            }
            Search::ToTheLeft => choices.sort_by_key(|&choice| self.buckets[choice].len()),
        }
    }

    fn is_full(&self, bucket: usize) -> bool {
        self.buckets[bucket].len() == usize::from(self.table.bucket_size)
    }

    fn arrive(&mut self, element: u32, sums: &mut Sums) {
        sums.arrivals += 1;
        let mut choices = self.choices();
        self.order(&mut choices);
        let found = choices.iter().position(|&choice| !self.is_full(choice));
        let in_order = matches!(self.search(), Search::Anywhere { .. } | Search::InTurn);
        sums.accesses +=
            found.filter(|_| in_order).map_or(choices.len(), |before| before + 1) as u64;
        match found {
            Some(found) => self.buckets[choices[found]].push(element),
            None => {
                sums.overflowed += 1;
                let free = self.listed.iter().position(Option::is_none);
                let entry = free.unwrap_or(self.listed.len());
                self.listed.resize(self.listed.len().max(entry + 1), None);
                self.listed[entry] = Some((element, choices));
            }
        }
    }

    fn depart_at_random(&mut self, sums: &mut Sums) -> u32 {
        let element = reduce(self.rng.next_u64(), self.table.elements);
        self.depart(element, sums);
        element
    }

    fn depart(&mut self, element: u32, sums: &mut Sums) {
        let is_it =
            |entry: &Option<(u32, _)>| entry.as_ref().is_some_and(|entry| entry.0 == element);
        if let Some(entry) = self.listed.iter().position(is_it) {
            self.listed[entry] = None;
            return;
        }
        let its = self.buckets.iter().position(|bucket| bucket.contains(&element)).unwrap();
        let was_full = self.is_full(its);
        self.buckets[its].retain(|&other| other != element);
        if self.table.move_back.is_some() && was_full {
            sums.lookups += 1;
            let waits = |entry: &&mut Option<(u32, Vec<usize>)>| {
                entry.as_ref().is_some_and(|(_, choices)| choices.contains(&its))
            };
            if let Some((back, _)) = self.listed.iter_mut().find(waits).and_then(Option::take) {
                sums.moves_back += 1;
                self.buckets[its].push(back);
            }
        }
    }

    fn read(&self, sums: &mut Sums) {
        let listed = self.listed.iter().flatten();
        sums.readings += 1;
        sums.overflow += listed.clone().count() as u64;
        if self.table.move_back.is_some() {
            sums.cam_entries += listed.map(|(_, choices)| choices.len() as u64).sum::<u64>();
            let last = self.listed.iter().rposition(Option::is_some);
            sums.cam_extent = sums.cam_extent.max(last.map_or(0, |last| last as u32 + 1));
        }
    }

    /// In place of all readings before, one of the table as it is.
    fn look(&self, sums: Sums) -> Sums {
        let mut looked = Sums { readings: 0, overflow: 0, cam_entries: 0, ..sums };
        self.read(&mut looked);
        looked
    }

    /// All elements arrive, or are on the list without having tried the table.
    fn start(&mut self, filled: bool) -> Sums {
        let mut sums = Sums::default();
        for element in 0..self.table.elements {
            match filled {
                true => self.arrive(element, &mut sums),
                false => self.listed.push(Some((element, Vec::new()))),
            }
            self.read(&mut sums);
        }
        sums
    }

    fn window(&mut self, rounds: u64) -> Sums {
        let mut sums = Sums::default();
        for _ in 0..rounds {
            let element = self.depart_at_random(&mut sums);
            self.arrive(element, &mut sums);
            self.read(&mut sums);
        }
        sums
    }

    fn run(&mut self, rounds: Rounds) -> Sums {
        match rounds {
            Rounds::Filling => {
                let sums = self.start(true);
                self.look(sums)
            }
            Rounds::Window { filled, warm_up, rounds } => {
                self.start(filled);
                self.window(warm_up);
                self.window(rounds)
            }
            Rounds::Moment { filled, rounds } => {
                self.start(filled);
                self.window(rounds);
                self.look(Sums::default())
            }
        }
    }
}

/// Mean and variance of the mean.
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, squares / (n - 1.0) / n)
}

/// What is compared of a trial: sums of the window, and how the buckets are filled at its end.
fn quantities(sums: &Sums, occupancy: &[u64]) -> Vec<f64> {
    let Sums { accesses, overflowed, overflow, lookups, moves_back, .. } = *sums;
    let cam = [sums.cam_entries, sums.cam_extent.into()];
    let sums = [accesses, overflowed, overflow, lookups, moves_back];
    sums.iter().chain(&cam).chain(occupancy).map(|&count| count as f64).collect()
}

/// In short, whatever a trial may go through.
const SHORT: [Rounds; 4] = [
    Rounds::Filling,
    Rounds::Window { filled: true, warm_up: 0, rounds: 60 },
    Rounds::Window { filled: false, warm_up: 70, rounds: 30 },
    Rounds::Moment { filled: false, rounds: 40 },
];

/// The law is that of a table with elements: means over 1,000 trials, within five standard errors of the difference. There are
/// 3,184 of them, so that one in 550 seeds would fail by chance.
#[test]
fn the_law_is_that_of_elements_in_buckets() {
    const TRIALS: u64 = 1000;
    let all = tables().into_iter().flat_map(|table| SHORT.map(|rounds| (table.clone(), rounds)));
    for (table, rounds) in all {
        let found = of(&table, rounds, 0..TRIALS);
        let found: Vec<_> = found.iter().map(|(sums, loads, ..)| quantities(sums, loads)).collect();
        let expected: Vec<_> = (0..TRIALS)
            .map(|trial| {
                let mut one = OneByOne::new(&table, trial);
                let sums = one.run(rounds);
                quantities(&sums, &one.occupancy())
            })
            .collect();
        compare(&found, &expected, &format!("{table:?} {rounds:?}"));
    }
}

/// Means within five standard errors of their difference.
fn compare(found: &[Vec<f64>], expected: &[Vec<f64>], what: &str) {
    for quantity in 0..found[0].len() {
        let of = |all: &[Vec<f64>]| mean(&all.iter().map(|q| q[quantity]).collect::<Vec<_>>());
        let ((found, one), (expected, other)) = (of(found), of(expected));
        let apart = (found - expected).abs();
        assert!(apart <= 5.0 * (one + other).sqrt(), "{what} {quantity}: {found} {expected}");
    }
}

/// Numbers of so many blocks below ranges of which every fourth fraction is rejected, one list for each lane: three of each round,
/// and one below a range that is told with its step, half as great in every other lane.
struct Drawn;

impl Drawn {
    const RANGE: u32 = 3 << 29;

    fn of<S: Simd, const G: usize>(simd: S, seeds: &[Seeds]) -> Vec<Vec<i32>> {
        let lanes = lanes::Lanes::<S, G> { simd };
        let mut draws = draws::Draws::new(lanes, [Self::RANGE; 3].into_iter(), seeds);
        let mut below = jumps::Below::new(lanes, seeds.iter().map(|seeds| seeds.departures));
        let mut ranges = [0; lanes::MOST_LANES];
        (0..).zip(&mut ranges).for_each(|(lane, range)| *range = Self::range(lane));
        let ranges = lanes.join(&ranges);
        let number = lanes::Lanes::<S, G>::NUMBER;
        let mut drawn = vec![Vec::new(); number];
        for _ in 0..100 {
            below.draw();
            for (step, round) in draws.block().enumerate() {
                for numbers in round.iter().copied().chain([below.of(step, ranges)]) {
                    let numbers = lanes.to_array(numbers);
                    drawn.iter_mut().zip(numbers).for_each(|(drawn, number)| drawn.push(number));
                }
            }
        }
        drawn
    }

    /// Of the last of four numbers.
    fn range(lane: usize) -> i32 {
        (Self::RANGE >> (lane % 2)) as i32
    }
}

impl WithSimd for Drawn {
    type Output = [Vec<Vec<i32>>; 2];

    fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
        // Two of the widest registers.
        let seeds: [Seeds; 32] = array::from_fn(|trial| Seeds::of(4, trial as u64));
        [Self::of::<S, 1>(simd, &seeds), Self::of::<S, 2>(simd, &seeds)]
    }
}

/// Where a fraction is rejected, another is drawn in its place in its lane alone.
#[test]
fn a_lane_rejects_for_itself() {
    let [_, widest] = Arch::new().dispatch(Drawn);
    for drawn in [Arch::new().dispatch(Drawn), Drawn.with_simd(Scalar::new())].concat() {
        assert!(drawn.iter().zip(&widest).all(|(lane, other)| lane == other));
    }
}

/// Without rejection three numbers in eight would be 0 modulo 3, and two in eight 2 modulo 3; with it, a third within four
/// standard errors. With half the range it would be seven in sixteen and five and four.
#[test]
fn fractions_that_would_make_numbers_likelier_are_rejected() {
    let [_, drawn] = Arch::new().dispatch(Drawn);
    let fourths = |lane: &Vec<i32>, last: bool| {
        let numbers = (1..).zip(lane).filter(move |(i, _)| (i % 4 == 0) == last);
        numbers.map(|(_, &number)| number).collect::<Vec<i32>>()
    };
    let in_lanes = || drawn.iter().enumerate();
    let kinds = [
        (Drawn::RANGE as i32, in_lanes().flat_map(|(_, lane)| fourths(lane, false)).collect()),
        (
            Drawn::range(0),
            in_lanes().step_by(2).flat_map(|(_, lane)| fourths(lane, true)).collect(),
        ),
        (
            Drawn::range(1),
            in_lanes().skip(1).step_by(2).flat_map(|(_, lane)| fourths(lane, true)).collect(),
        ),
    ];
    for (range, numbers) in kinds {
        let numbers: Vec<i32> = numbers;
        assert!(numbers.iter().all(|number| (0..range).contains(number)));
        let all = numbers.len() as f64;
        for rest in 0..3 {
            let share = numbers.iter().filter(|&number| number % 3 == rest).count() as f64 / all;
            assert!(
                (share - 1.0 / 3.0).abs() < 4.0 * (2.0 / 9.0 / all).sqrt(),
                "{range} {rest}: {share}"
            );
        }
    }
}

/// More than a table looks at, or than 32 bits can count.
#[test]
fn few_choices_of_small_buckets_are_taken() {
    let geometry = |elements, bucket_size| Geometry { elements, buckets: 100, bucket_size };
    let fits = |elements, bucket_size, choices| {
        ByLoad::anywhere(&geometry(elements, bucket_size), choices).is_some()
    };
    assert!(fits(50, 4, 8) && fits(1 << 26, 1, 1));
    assert!(!fits(50, 5, 8) && !fits(50, 4, 9) && !fits((1 << 26) + 1, 1, 1));
    assert!(ByLoad::in_turn(&geometry(50, 1), vec![5; 8]).is_some());
    assert!(ByLoad::in_turn(&geometry(50, 1), vec![5; 9]).is_none());
}
