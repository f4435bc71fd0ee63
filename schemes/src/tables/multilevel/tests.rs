//! Tables that look a rule's answers up, step by step against those that follow it.

mod trials;

use std::collections::BTreeMap;

use rand::{Rng as _, SeedableRng};

use super::{Asked, InLater, InOthers, MultilevelRule, asked};
use crate::Rng;
use crate::hash::{Choices, reduce};
use crate::params::{Params, Scalar};
use crate::tables::extreme_second_chance::{Anywhere, Later};
use crate::tables::nameless::{Nameless, NamelessVisitor};
use crate::tables::{
    CamUse, Deletion, ExtremeSecondChance, Insertion, Scheme, SecondChance, SubTableUse, Table,
    TableVisitor,
};

const ELEMENTS: u32 = 30;
const ROUNDS: usize = 3000;

/// So full that every answer is asked for.
const SIZES: [u32; 5] = [12, 9, 7, 5, 4];

/// An element and its choices, each a bucket of a sub-table.
type Arrival = (u32, Vec<u32>);

struct Given<'a>(&'a [u32]);

impl Choices for Given<'_> {
    fn next(&mut self, _buckets: u32) -> u32 {
        let (first, rest) = self.0.split_first().unwrap();
        self.0 = rest;
        *first
    }
}

/// Elements that arrive in order, and then one after the other in place of one that departs.
fn arrivals(d: usize) -> Vec<Arrival> {
    let mut rng = Rng::seed_from_u64(d as u64);
    let mut below = |number| reduce(rng.next_u64(), number);
    let mut arrival = |element| (element, SIZES[..d].iter().map(|&size| below(size)).collect());
    let mut rng = Rng::seed_from_u64(99);
    let again = (0..ROUNDS).map(|_| reduce(rng.next_u64(), ELEMENTS));
    (0..ELEMENTS).chain(again).map(&mut arrival).collect()
}

/// What each insertion and the deletion before it did, the length of the list and the CAM after them, and the sub-tables in the
/// end.
type Log = (Vec<(Insertion, u32, Deletion, CamUse)>, Vec<SubTableUse>);

/// Runs the arrivals on an empty table, after others from which it is cleared.
struct Run<'a>(&'a [Arrival]);

impl Run<'_> {
    fn log(&self, table: &mut impl Table) -> Log {
        let mut rng = Rng::seed_from_u64(0);
        for (element, choices) in self.0.iter().take(ELEMENTS as usize / 2).rev() {
            table.insert::<true>(*element, Given(choices), &mut rng);
        }
        table.clear();
        let steps = self.0.iter().enumerate().map(|(step, (element, choices))| {
            let deletion = match step < ELEMENTS as usize {
                true => Deletion::default(),
                false => table.delete(*element),
            };
            let insertion = table.insert::<true>(*element, Given(choices), &mut rng);
            (insertion, table.overflow(), deletion, table.cam())
        });
        (steps.collect(), table.sub_tables())
    }
}

impl TableVisitor for Run<'_> {
    type Output = Log;

    fn visit<T: Table>(self, mut table: T) -> Log {
        self.log(&mut table)
    }
}

/// The same on a table of few elements, or with `BY_NAME` on that which courses have.
struct WithNames<'a, const BY_NAME: bool>(Run<'a>);

impl<const BY_NAME: bool> NamelessVisitor for WithNames<'_, BY_NAME> {
    const BY_NAME: bool = BY_NAME;

    type Output = Log;

    fn visit<T: Nameless, const R: usize>(self, mut table: T, ranges: [u32; R]) -> Log {
        assert_eq!(ranges[..], SIZES[..R]);
        self.0.log(&mut table)
    }
}

fn scheme<S: Scheme>(d: usize, given: &[(&str, Scalar)]) -> S {
    let sizes = SIZES[..d].iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let sizes = [("elements", ELEMENTS.into()), ("sub_table_buckets", Scalar::Word(sizes))];
    let all = [&sizes, given].concat();
    S::from_params(&Params::complete(S::INFO.params, &all).unwrap()).unwrap()
}

#[test]
fn answers_that_are_looked_up_are_those_of_the_rule() {
    for d in 2..=4 {
        let arrivals = arrivals(d);
        for moves_to in ["any", "later"] {
            let scheme: ExtremeSecondChance = scheme(d, &[("moves_to", moves_to.into())]);
            let expected = scheme.table(true, Run(&arrivals));
            let few = scheme.nameless(WithNames::<false>(Run(&arrivals)));
            let of_course = scheme.nameless(WithNames::<true>(Run(&arrivals)));
            assert!(few.as_ref() == Some(&expected), "{d} {moves_to}");
            assert!(of_course.as_ref() == Some(&expected), "{d} {moves_to}");
            let moves = |insertion: &Insertion| insertion.moves > 0 && insertion.stored;
            assert!(expected.0.iter().any(|(insertion, ..)| moves(insertion)));
        }
    }
    let (scheme, arrivals): (SecondChance, _) = (scheme(2, &[]), arrivals(2));
    assert!(
        scheme.nameless(WithNames::<false>(Run(&arrivals)))
            == Some(scheme.table(true, Run(&arrivals)))
    );
}

/// Without it a table would be wrong that looks at no other choices there.
#[test]
fn an_element_whose_last_choice_is_empty_asks_nobody_there() {
    fn check<A: Asked<D>, const D: usize>(rule: &mut impl MultilevelRule) {
        let in_last: usize = (0..D).filter_map(|way| A::bit(way, D - 1)).map(|bit| 1 << bit).sum();
        assert_eq!(in_last.count_ones() as usize, D - 1);
        let answers = asked::answers::<A, D>(rule);
        for full in (0..1 << A::BITS).filter(|full| full >> (D - 1) & 1 == 0) {
            assert_eq!(answers.to(full), answers.to(full & !in_last), "{full:b}");
        }
    }
    check::<InOthers, 2>(&mut Anywhere);
    check::<InOthers, 3>(&mut Anywhere);
    check::<InOthers, 4>(&mut Anywhere);
    check::<InLater, 2>(&mut Later);
    check::<InLater, 3>(&mut Later);
    check::<InLater, 4>(&mut Later);
}

#[test]
fn emptied_buckets_are_filled_as_step_by_step() {
    for d in 2..=5 {
        let arrivals = arrivals(d);
        for given in [("hints", "element"), ("hints", "place"), ("move_back", "deletion")] {
            let scheme: SecondChance = scheme(d, &[(given.0, given.1.into())]);
            let found = scheme.nameless(WithNames::<false>(Run(&arrivals))).unwrap();
            assert!(found == scheme.table(true, Run(&arrivals)), "{d} {given:?}");
            let filled = |(_, _, Deletion { moves, back }, _)| moves + back.moves > 0;
            assert!(found.0.into_iter().any(filled), "{d} {given:?}");
        }
    }
}

/// Second chance as Figure 5.1 has it, but an element that moves takes the later choices of the one that arrives in its
/// place for its own.
struct Handing {
    /// The first bucket of each sub-table.
    firsts: Vec<u32>,
    choices: BTreeMap<u32, Vec<u32>>,
    occupants: BTreeMap<u32, u32>,
    overflow: u32,
}

impl Handing {
    fn new(d: usize) -> Self {
        let firsts = (0..d).map(|level| SIZES[..level].iter().sum()).collect();
        Self { firsts, choices: BTreeMap::new(), occupants: BTreeMap::new(), overflow: 0 }
    }

    fn delete(&mut self, element: u32) {
        let before = self.occupants.len();
        self.occupants.retain(|_, occupant| *occupant != element);
        self.overflow -= u32::from(self.occupants.len() == before);
    }

    fn insert(&mut self, (element, choices): &Arrival) -> Insertion {
        let own: Vec<u32> = self.firsts.iter().zip(choices).map(|(a, b)| a + b).collect();
        self.choices.insert(*element, own.clone());
        let mut accesses = 0;
        for level in 0..own.len() {
            accesses += u32::from(level == 0);
            let Some(&in_the_way) = self.occupants.get(&own[level]) else {
                self.occupants.insert(own[level], *element);
                return Insertion { accesses, stored: true, ..Insertion::default() };
            };
            let Some(next) = own.get(level + 1) else { break };
            accesses += 1;
            if self.occupants.contains_key(next) {
                accesses += 1;
                let its_choices = self.choices.get_mut(&in_the_way).unwrap();
                if !self.occupants.contains_key(&its_choices[level + 1]) {
                    its_choices[level + 2..].copy_from_slice(&own[level + 2..]);
                    self.occupants.insert(its_choices[level + 1], in_the_way);
                    self.occupants.insert(own[level], *element);
                    return Insertion { accesses, stored: true, moves: 1, ..Insertion::default() };
                }
            }
        }
        self.overflow += 1;
        Insertion { accesses, ..Insertion::default() }
    }
}

#[test]
fn second_chance_hands_choices_on_that_nobody_has_looked_at() {
    for d in 2..=5 {
        let (scheme, arrivals): (SecondChance, _) = (scheme(d, &[]), arrivals(d));
        let mut handing = Handing::new(d);
        let (found, _) = scheme.nameless(WithNames::<false>(Run(&arrivals))).unwrap();
        for (step, (arrival, found)) in arrivals.iter().zip(found).enumerate() {
            if step >= ELEMENTS as usize {
                handing.delete(arrival.0);
            }
            let expected = (handing.insert(arrival), handing.overflow);
            assert_eq!((found.0, found.1), expected, "{d} choices, step {step}");
        }
    }
}
