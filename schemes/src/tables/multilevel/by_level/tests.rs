//! Blocks of rounds against the same rounds one by one, with the same choices.

use std::collections::BTreeMap;

use super::arrivals::BLOCK;
use super::level::Level;
use super::number::Number;
use super::places::Places;
use super::{ByLevel, Passed, Way, bucket_size, run};
use crate::keys::Seeds;
use crate::tables::sub_tables::SubTables;
use crate::tables::trial::{Rounds, Sums};
use crate::tables::workloads::Span;
use crate::tables::workloads::course::{Block, Blocks, Course, Kind};
use crate::uniform::ByBlock;

const WAYS: [Way; 4] = [
    Way::FirstFree { bucket_size: 1 },
    Way::FirstFree { bucket_size: 2 },
    Way::SecondChance,
    Way::ExtremeSecondChance,
];

/// A table whose names stay in their places, round by round.
struct OneByOne<N> {
    way: Way,
    levels: Vec<Level<N>>,
    /// Who is in each bucket.
    buckets: Vec<Vec<u32>>,
    /// The choice in the next sub-table of the element in each bucket that was asked for it.
    next: BTreeMap<N, N>,
    /// All choices of the element in each bucket, where those are drawn together.
    choices: BTreeMap<N, Vec<N>>,
    sums: Sums,
}

impl<N: Number> OneByOne<N> {
    fn new(way: Way, sub_tables: &SubTables) -> Self {
        let levels = sub_tables.iter().map(Level::new).collect();
        let buckets = vec![Vec::new(); sub_tables.buckets() as usize];
        let (next, choices) = (BTreeMap::new(), BTreeMap::new());
        Self { way, levels, buckets, next, choices, sums: Sums::default() }
    }

    /// Begins a trial with the choices of this seed.
    fn begin(&mut self, seed: u64) {
        (0..).zip(&mut self.levels).for_each(|(number, level)| level.begin(seed, number));
        self.buckets.iter_mut().for_each(Vec::clear);
        self.next.clear();
        self.choices.clear();
    }

    fn has_room(&self, bucket: N) -> bool {
        self.buckets[bucket.index()].len() < usize::from(bucket_size(self.way))
    }

    fn put(&mut self, element: u32, bucket: N) {
        self.buckets[bucket.index()].push(element);
        self.next.remove(&bucket);
    }

    fn depart(&mut self, element: u32) {
        self.buckets.iter_mut().for_each(|bucket| bucket.retain(|&other| other != element));
    }

    /// Whether the element gets a place in extreme second chance.
    fn arrive_with_extreme_second_chance(&mut self, element: u32) -> bool {
        let own: Vec<N> = self.levels.iter_mut().map(|level| level.own.take(1)[0]).collect();
        for (i, &bucket) in own.iter().enumerate() {
            self.sums.accesses += 1;
            if self.has_room(bucket) {
                self.put(element, bucket);
                self.choices.insert(bucket, own);
                return true;
            }
            for in_the_way in &own[..i] {
                self.sums.accesses += 1;
                let its_choices = self.choices[in_the_way].clone();
                let to = its_choices[i];
                if self.has_room(to) {
                    self.sums.moves += 1;
                    self.put(element, to);
                    self.choices.insert(to, its_choices);
                    self.choices.insert(*in_the_way, own);
                    return true;
                }
            }
        }
        false
    }

    /// Whether the element gets a place.
    fn arrive(&mut self, element: u32) -> bool {
        if self.way == Way::ExtremeSecondChance {
            return self.arrive_with_extreme_second_chance(element);
        }
        let mut in_the_way = None;
        for i in 0..self.levels.len() {
            let own = self.levels[i].own.take(1)[0];
            let asks = in_the_way.filter(|_| self.way == Way::SecondChance);
            let other = asks.map(|bucket| {
                let drawn = self.levels[i].others.take(1)[0];
                (bucket, *self.next.entry(bucket).or_insert(drawn))
            });
            self.sums.accesses += 1;
            if self.has_room(own) {
                self.put(element, own);
                return true;
            }
            if let Some((bucket, other)) = other {
                self.sums.accesses += 1;
                if self.has_room(other) {
                    self.sums.moves += 1;
                    self.put(element, other);
                    self.next.insert(bucket, own);
                    return true;
                }
            }
            in_the_way = Some(own);
        }
        false
    }

    fn overflow(&self, elements: u32) -> u64 {
        u64::from(elements) - self.buckets.iter().map(|bucket| bucket.len() as u64).sum::<u64>()
    }

    fn round(&mut self, element: u32, elements: u32) {
        self.depart(element);
        let stored = self.arrive(element);
        self.sums.overflowed += u64::from(!stored);
        self.sums.overflow += self.overflow(elements);
        self.sums.arrivals += 1;
        self.sums.departures += 1;
        self.sums.readings += 1;
    }

    fn alternate(&mut self, rounds: u64, elements: u32, departures: &mut ByBlock) {
        self.sums = Sums::default();
        let (mut left, mut drawn) = (rounds as usize, [N::default(); BLOCK]);
        while left > 0 {
            departures.fill(0, &mut drawn);
            let number = left.min(BLOCK);
            drawn[..number].iter().for_each(|&drawn| self.round(drawn.index() as u32, elements));
            left -= number;
        }
    }
}

/// Elements that arrive and depart one by one, with a name each that nobody had before.
struct JumpingOneByOne<'o> {
    table: &'o mut OneByOne<u16>,
    in_system: Vec<u32>,
    arrived: u32,
}

impl JumpingOneByOne<'_> {
    fn arrive(&mut self) {
        let stored = self.table.arrive(self.arrived);
        self.in_system.push(self.arrived);
        self.arrived += 1;
        self.table.sums.arrivals += 1;
        self.table.sums.overflowed += u64::from(!stored);
    }

    fn depart(&mut self, position: u32) {
        let element = self.in_system.swap_remove(position as usize);
        self.table.depart(element);
        self.table.sums.departures += 1;
    }

    /// The length of the overflow list.
    fn length(&self) -> u32 {
        self.table.overflow(self.in_system.len() as u32) as u32
    }

    /// Follows a course; how long the list is in the end.
    fn follow(&mut self, course: &mut Blocks<'_>) -> u32 {
        (0..course.first()).for_each(|_| self.arrive());
        course.look(self.length());
        let mut block = Block::default();
        while course.fill(&mut block) {
            if block.begins_window {
                self.table.sums = Sums::default();
            }
            for step in &mut block.steps {
                match step.departing < self.in_system.len() as u32 {
                    true => self.depart(step.departing),
                    false => self.arrive(),
                }
                step.length = self.length();
            }
            course.read(&mut block);
        }
        self.length()
    }
}

/// A table that was used before and one of one round at a time, after the same rounds.
struct Both<N: Number> {
    by_level: Passed<N>,
    one_by_one: OneByOne<N>,
}

impl<N: Number> Both<N> {
    fn new(way: Way, sizes: &[u32], elements: u32, far: bool) -> Self {
        let size = |&slots: &u32| slots / u32::from(bucket_size(way));
        let sub_tables = SubTables::one_after_another(sizes.iter().map(size));
        let mut by_level = Passed::new(way, elements, &sub_tables).unwrap();
        by_level.places.far = far;
        run(&mut by_level, Rounds::Moment { filled: true, rounds: 50 }, &Seeds::of(5, 1));
        Self { by_level, one_by_one: OneByOne::new(way, &sub_tables) }
    }

    /// The sums of a window of both, filled before or not.
    fn sums(&mut self, elements: u32, filled: bool, rounds: u64, seeds: &Seeds) -> [Sums; 2] {
        let Self { by_level, one_by_one } = self;
        let warm_up = 100;
        let found = run(by_level, Rounds::Window { filled, warm_up, rounds }, seeds);
        one_by_one.begin(seeds.hash);
        if filled {
            (0..elements).for_each(|element| one_by_one.round(element, elements));
        }
        let mut departures = ByBlock::new(elements, seeds.departures);
        one_by_one.alternate(warm_up, elements, &mut departures);
        one_by_one.alternate(rounds, elements, &mut departures);
        [found, one_by_one.sums]
    }
}

/// So many rounds that 16 bits count time anew, and few and many elements beside those of a block.
#[test]
fn blocks_are_rounds_one_by_one() {
    check_blocks::<u16>(false);
    check_blocks::<u32>(false);
    check_blocks::<u32>(true);
}

/// `far`: what a block needs is read ahead.
fn check_blocks<N: Number>(far: bool) {
    let sizes = [(&[12, 9, 7, 5, 4][..], 30), (&[12, 9, 7][..], 30), (&[300, 200, 90, 30], 500)];
    for (sizes, elements) in sizes {
        for (way, filled) in WAYS.into_iter().flat_map(|way| [(way, true), (way, false)]) {
            if way == Way::ExtremeSecondChance && sizes.len() > 4 {
                continue;
            }
            let seeds = Seeds::of(5, u64::from(elements));
            let mut both = Both::<N>::new(way, sizes, elements, far);
            let [found, expected] = both.sums(elements, filled, 40_000, &seeds);
            let Both { by_level: table, one_by_one } = both;
            let what = format!("{way:?}, {sizes:?}, {filled}");
            assert_eq!(found, expected, "{what}");
            assert!(found.overflow > 0 && (found.moves > 0) == table.moves(), "{what}");
            assert_eq!(u64::from(table.overflow()), one_by_one.overflow(elements), "{what}");
            let in_use = table.sub_tables().into_iter().map(|in_use| in_use.elements);
            let taken = one_by_one.levels.iter().map(|level| {
                one_by_one.buckets[level.buckets()].iter().map(|bucket| bucket.len() as u64).sum()
            });
            assert!(in_use.eq::<Vec<u64>>(taken.collect()), "{what}");
            let of_load =
                |load| one_by_one.buckets.iter().filter(|b| b.len() == load).count() as u64;
            let loads = 0..=usize::from(bucket_size(way));
            assert_eq!(table.occupancy(), loads.map(of_load).collect::<Vec<_>>(), "{what}");
        }
    }
}

/// Elements that are in each other's way within a block are rare, and there are several ways to be: in thousands of rounds of
/// a small table one of them may not come at all.
#[test]
fn blocks_are_rounds_one_by_one_whatever_is_in_the_way() {
    check_many_trials::<u16>(false);
    check_many_trials::<u32>(false);
    check_many_trials::<u32>(true);
}

fn check_many_trials<N: Number>(far: bool) {
    for (sizes, elements) in [(&[12, 9, 7][..], 30), (&[30, 20, 12, 6], 60), (&[2, 2, 2, 2], 10)] {
        for way in WAYS {
            let mut both = Both::<N>::new(way, sizes, elements, far);
            for trial in 0..200 {
                let seeds = Seeds::of(6, trial);
                let [found, expected] = both.sums(elements, trial % 2 == 0, 3000, &seeds);
                assert_eq!(found, expected, "{way:?}, {sizes:?}, trial {trial}");
            }
        }
    }
}

/// With Poisson arrivals: so many steps that time is counted anew, and few and many elements beside those of a block.
#[test]
fn blocks_are_jumps_one_by_one() {
    let sizes = [(&[12, 9, 7, 5, 4][..], 30), (&[300, 200, 90, 30], 500), (&[2, 2, 2, 2], 10)];
    for ((sizes, elements), filled) in
        sizes.into_iter().flat_map(|size| [(size, true), (size, false)])
    {
        let sub_tables = SubTables::one_after_another(sizes.iter().copied());
        let by_level = ByLevel::new(Way::SecondChance, elements, &sub_tables).unwrap();
        let mut jumping = by_level.jumping(Kind::Jumps).unwrap();
        let mut one_by_one = OneByOne::new(Way::SecondChance, &sub_tables);
        let warm_up = if filled { 0.0 } else { 2.0 };
        let span = Span { warm_up, duration: 80.0 };
        let [mut course, mut same] =
            [filled; 2].map(|filled| Course::open(elements, span, filled).in_blocks());
        for trial in 0..4 {
            let seeds = Seeds::of(7, trial);
            course.begin(&seeds);
            same.begin(&seeds);
            let found = jumping.run(&mut course, &seeds);
            one_by_one.begin(seeds.hash);
            one_by_one.sums = Sums::default();
            let mut expected =
                JumpingOneByOne { table: &mut one_by_one, in_system: Vec::new(), arrived: 0 };
            let length = expected.follow(&mut same);
            let what = format!("{sizes:?}, {filled}, trial {trial}");
            assert_eq!(found, one_by_one.sums, "{what}");
            assert!(found.moves > 0 && found.overflowed > 0, "{what}");
            assert_eq!(jumping.table().overflow(), length, "{what}");
            let [averages, expected] = [course.averages(), same.averages()];
            assert_eq!(averages.overflow(), expected.overflow(), "{what}");
            assert_eq!(averages.system(), expected.system(), "{what}");
        }
    }
}

#[test]
fn tables_are_as_large_as_their_numbers_allow() {
    fn fits<N: Number>(way: Way, elements: u32, buckets: [u32; 2]) -> bool {
        let sub_tables = SubTables::one_after_another(buckets);
        Passed::<N>::new(way, elements, &sub_tables).is_some()
    }
    let (one, two) = (Way::SecondChance, Way::FirstFree { bucket_size: 2 });
    assert!(fits::<u16>(one, 65_535, [40_000, 25_534]));
    assert!(!fits::<u16>(one, 65_536, [40_000, 25_534]));
    assert!(!fits::<u16>(one, 100, [40_000, 25_535]));
    assert!(!fits::<u16>(two, 100, [40_000, 25_534]));
    assert!(fits::<u32>(one, 65_536, [40_000, 25_535]) && fits::<u32>(two, 100, [40_000, 25_535]));
    assert!(!fits::<u32>(Way::FirstFree { bucket_size: 3 }, 100, [5, 5]));
    let fits =
        |way, n, buckets| ByLevel::new(way, n, &SubTables::one_after_another(buckets)).is_some();
    let most = 1 << 26;
    assert!(fits(one, most + 1, vec![most - 5, 5]) && !fits(one, most + 2, vec![100, 5]));
    assert!(!fits(one, 100, vec![most - 5, 6]));
    assert!(fits(two, 100, vec![most / 2 - 1, 1]) && !fits(two, 100, vec![most / 2, 1]));
    let way = Way::ExtremeSecondChance;
    assert!(fits(way, 10, vec![5; 4]) && !fits(way, 10, vec![5; 5]));
    assert!(fits(way, 1 << 18, vec![5; 4]) && !fits(way, (1 << 18) + 1, vec![5; 4]));
    assert!(fits(way, 10, vec![(1 << 19) - 5, 5]) && !fits(way, 10, vec![(1 << 19) - 5, 6]));
    let jumps = |way, n, m| {
        let sub_tables = SubTables::one_after_another([m, 5]);
        ByLevel::new(way, n, &sub_tables).is_some_and(|by_level| by_level.jumps())
    };
    assert!(jumps(one, 1 << 15, 100) && !jumps(one, (1 << 15) + 1, 100));
    assert!(!jumps(way, 10, 100) && !jumps(one, 10, 65_530));
}

/// A place that was free is free from the new beginning on, one that is taken stays so, and so does whether its element was asked.
#[test]
fn time_is_counted_anew_before_it_ends() {
    fn check<N: Number>() {
        let steps = |number| (0..number).fold(N::default(), |time, _| time + N::STEP);
        let mut places = Places::<N>::new(3, 4, true);
        places.now = N::TAKEN - N::STEP - steps(BLOCK);
        let states = [N::TAKEN, N::TAKEN + N::ASKED, places.now, places.now - N::STEP];
        places.kept.states.as_mut()[..4].copy_from_slice(&states);
        let now = places.now;
        assert!(!places.make_time(BLOCK) && places.now == now);
        assert!(places.make_time(BLOCK + 1) && places.now == N::BEGINNING);
        let anew = [N::TAKEN, N::TAKEN + N::ASKED, N::default(), N::default()];
        assert_eq!(places.kept.states.as_ref()[..4], anew);
    }
    check::<u16>();
    check::<u32>();
}
