//! Trials with names, drawn by the block, against tables that follow the rule, with the same draws.

use std::slice::Iter;

use rand::SeedableRng;

use super::{ELEMENTS, SIZES, scheme};
use crate::Rng;
use crate::hash::Choices;
use crate::keys::Seeds;
use crate::params::Scalar;
use crate::tables::multilevel::by_level::BLOCK;
use crate::tables::multilevel::named_trial::Drawing;
use crate::tables::nameless::{Nameless, NamelessVisitor, Shape};
use crate::tables::sub_tables::{SubTable, SubTables};
use crate::tables::trial::{RoundTrial, Rounds, Sums};
use crate::tables::{ExtremeSecondChance, Scheme, SecondChance, SubTableUse, Table, TableVisitor};

/// What a trial comes to.
type Came = (Sums, Vec<SubTableUse>, u32);

/// Makes a trial as a run does.
#[derive(Clone, Copy)]
struct AsRun<'a, S>(&'a S, Rounds, &'a Seeds);

impl<S: Scheme> NamelessVisitor for AsRun<'_, S> {
    type Output = Came;

    fn visit<T: Nameless, const R: usize>(self, table: T, ranges: [u32; R]) -> Came {
        let Self(scheme, rounds, seeds) = self;
        let (table, sums) = table.trial(&Shape::new(scheme.geometry(), ranges), rounds, seeds);
        (sums, table.sub_tables(), table.overflow())
    }
}

/// Makes one step by step, with `D` choices.
struct OneByOne<'a, const D: usize>(Rounds, &'a Seeds);

impl<const D: usize> TableVisitor for OneByOne<'_, D> {
    type Output = Came;

    fn visit<T: Table>(self, mut table: T) -> Came {
        let sub_tables: Vec<SubTable> =
            SubTables::one_after_another(SIZES[..D].iter().copied()).iter().copied().collect();
        let sub_tables: [_; D] = sub_tables.try_into().unwrap();
        let drawing = Drawing::new(ELEMENTS, &sub_tables, self.1);
        let rng = Rng::seed_from_u64(0);
        let sums = self.0.run(&mut Steps { table: &mut table, sub_tables, drawing, rng });
        (sums, table.sub_tables(), table.overflow())
    }
}

struct Steps<'t, T, const D: usize> {
    table: &'t mut T,
    sub_tables: [SubTable; D],
    drawing: Drawing<D>,
    rng: Rng,
}

/// Places as choices of buckets of the sub-tables.
struct Places<'a>(Iter<'a, u16>, Iter<'a, SubTable>);

impl Choices for Places<'_> {
    fn next(&mut self, _buckets: u32) -> u32 {
        let (place, sub_table) = (self.0.next().unwrap(), self.1.next().unwrap());
        u32::from(*place) - 1 - sub_table.first
    }
}

impl<T: Table, const D: usize> Steps<'_, T, D> {
    fn insert(&mut self, element: u32, own: &[u16; D], sums: &mut Sums) {
        let choices = Places(own.iter(), self.sub_tables.iter());
        sums.add(self.table.insert::<true>(element, choices, &mut self.rng), false);
        sums.read(self.table);
    }
}

impl<T: Table, const D: usize> RoundTrial for Steps<'_, T, D> {
    fn fill(&mut self) -> Sums {
        let mut sums = Sums { arrivals: ELEMENTS.into(), ..Sums::default() };
        let drawn: Vec<_> =
            (0..ELEMENTS).step_by(BLOCK).flat_map(|_| *self.drawing.choices()).collect();
        (0..ELEMENTS).zip(&drawn).for_each(|(element, own)| self.insert(element, own, &mut sums));
        sums
    }

    fn list(&mut self) {
        (0..ELEMENTS).for_each(|element| self.table.insert_overflowed(element));
    }

    fn alternate(&mut self, rounds: u64) -> Sums {
        let mut sums = Sums::of_window(rounds);
        for block in (0..rounds as usize).step_by(BLOCK) {
            let (departing, arriving) = (self.drawing.departing(), *self.drawing.choices());
            let of_block = departing.iter().zip(&arriving).take(rounds as usize - block);
            for (&element, own) in of_block {
                sums.delete(self.table.delete(element.into()));
                self.insert(element.into(), own, &mut sums);
            }
        }
        sums
    }

    fn look(&self, sums: &mut Sums) {
        sums.look(self.table);
    }
}

/// However it begins and ends; what the windows came to. Both have the same draws: whether those are independent is tested where
/// their means are held against those of hash functions.
fn trials_are_steps<S: Scheme, const D: usize>(given: (&str, &str)) -> Vec<Sums> {
    let scheme: S = scheme(D, &[(given.0, Scalar::from(given.1))]);
    let all = [
        Rounds::Filling,
        Rounds::Window { filled: true, warm_up: 100, rounds: 3000 },
        Rounds::Window { filled: false, warm_up: 500, rounds: 1000 },
        Rounds::Moment { filled: true, rounds: 300 },
    ];
    let windows = all.iter().zip(0..).map(|(&rounds, trial)| {
        let seeds = Seeds::of(12, trial);
        let found = scheme.nameless(AsRun(&scheme, rounds, &seeds)).unwrap();
        let expected = scheme.table(true, OneByOne::<D>(rounds, &seeds));
        assert_eq!(found, expected, "{D} {given:?} {rounds:?}");
        found.0
    });
    windows.collect()
}

fn with_up_to_four_sub_tables<S: Scheme>(given: (&str, &str)) -> Vec<Sums> {
    let [two, three] = [trials_are_steps::<S, 2>(given), trials_are_steps::<S, 3>(given)];
    [two, three, trials_are_steps::<S, 4>(given)].concat()
}

#[test]
fn trials_that_are_drawn_by_the_block_are_steps() {
    let sums = with_up_to_four_sub_tables::<ExtremeSecondChance>(("moves_to", "any"));
    assert!(sums.iter().all(|sums| sums.accesses > 0 || sums.readings == 1));
    assert!(sums.iter().any(|sums| sums.moves > 0 && sums.overflow > 0));
    for given in [("hints", "element"), ("hints", "place"), ("move_back", "deletion")] {
        let mut sums = with_up_to_four_sub_tables::<SecondChance>(given);
        sums.extend(trials_are_steps::<SecondChance, 5>(given));
        let fills = |sums: &Sums| sums.moves_on_deletion + sums.moves_back > 0;
        assert!(sums.iter().any(fills), "{given:?}");
    }
}
