//! Random insertions and deletions against a model that keeps every element in a list.

use proptest::collection::vec;
use proptest::prelude::*;
use rand::SeedableRng;

use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::Choices;
use loadfactor_schemes::tables::{Insertion, Scheme, Table, TableVisitor};

use crate::case::Case;

/// Choices known beforehand; asking for more of them than there are is a mistake.
pub struct Script<'c>(std::slice::Iter<'c, u32>);

impl<'c> Script<'c> {
    pub fn new(choices: &'c [u32]) -> Self {
        Self(choices.iter())
    }
}

impl Choices for Script<'_> {
    fn next(&mut self, buckets: u32) -> u32 {
        self.0.next().expect("a scheme asks for at most d choices") % buckets
    }
}

/// What happens to an element of the table, or to all.
#[derive(Debug, Clone)]
enum Step {
    /// The element arrives with these choices, or departs if it is there.
    Toggle(u32, Vec<u32>),
    /// The element arrives on the overflow list, if it is not there.
    List(u32),
    /// The table is emptied.
    Clear,
}

/// Where an element may go: the position of a bucket, and the buckets read.
type Rule = fn(&Model, &[u32]) -> (Option<usize>, u32);

/// Buckets as lists of their elements, and the overflow list as one.
#[derive(Debug)]
struct Model {
    h: usize,
    buckets: Vec<Vec<u32>>,
    listed: Vec<u32>,
}

impl Model {
    fn new(case: &Case) -> Self {
        let buckets = vec![Vec::new(); case.m as usize];
        Self { h: case.h as usize, buckets, listed: Vec::new() }
    }

    fn full(&self, bucket: usize) -> bool {
        self.buckets[bucket].len() == self.h
    }

    fn holds(&self, element: u32) -> bool {
        self.buckets.iter().chain([&self.listed]).any(|list| list.contains(&element))
    }

    fn insert(&mut self, element: u32, choices: &[u32], rule: Rule) -> Insertion {
        let (bucket, accesses) = rule(self, choices);
        match bucket {
            Some(bucket) => self.buckets[bucket].push(element),
            None => self.listed.push(element),
        }
        Insertion { accesses, stored: bucket.is_some(), ..Insertion::default() }
    }

    fn delete(&mut self, element: u32) {
        for list in self.buckets.iter_mut().chain([&mut self.listed]) {
            list.retain(|&other| other != element);
        }
    }

    fn occupancy(&self) -> Vec<u64> {
        let with = |k| self.buckets.iter().filter(|bucket| bucket.len() == k).count() as u64;
        (0..=self.h).map(with).collect()
    }
}

fn only_choice(model: &Model, choices: &[u32]) -> (Option<usize>, u32) {
    first_free(model, &choices[..1])
}

fn first_free(model: &Model, choices: &[u32]) -> (Option<usize>, u32) {
    let buckets: Vec<_> = choices.iter().map(|c| *c as usize % model.buckets.len()).collect();
    match buckets.iter().position(|&bucket| !model.full(bucket)) {
        Some(read) => (Some(buckets[read]), read as u32 + 1),
        None => (None, choices.len() as u32),
    }
}

fn least_loaded(model: &Model, choices: &[u32]) -> (Option<usize>, u32) {
    let buckets = choices.iter().map(|c| *c as usize % model.buckets.len());
    least_loaded_of(model, buckets.collect())
}

fn least_loaded_of_sub_tables(model: &Model, choices: &[u32]) -> (Option<usize>, u32) {
    let size = model.buckets.len() / choices.len();
    let bucket = |(j, c): (usize, &u32)| j * size + *c as usize % size;
    least_loaded_of(model, choices.iter().enumerate().map(bucket).collect())
}

fn least_loaded_of(model: &Model, buckets: Vec<usize>) -> (Option<usize>, u32) {
    // The first of several minima.
    let best = buckets.iter().copied().min_by_key(|&bucket| model.buckets[bucket].len());
    (best.filter(|&bucket| !model.full(bucket)), buckets.len() as u32)
}

/// Runs the steps through the table and the model and compares them after each.
struct Alike<'c> {
    case: &'c Case,
    steps: &'c [Step],
    rule: Rule,
}

impl TableVisitor for Alike<'_> {
    type Output = Result<(), TestCaseError>;

    fn visit<T: Table>(self, mut table: T) -> Self::Output {
        let Self { case, steps, rule } = self;
        compare(&mut table, case, steps, rule)
    }
}

fn assert_alike<S: Scheme>(
    scheme: &S,
    case: &Case,
    steps: &[Step],
    rule: Rule,
) -> Result<(), TestCaseError> {
    scheme.table(true, Alike { case, steps, rule })
}

fn compare(
    table: &mut impl Table,
    case: &Case,
    steps: &[Step],
    rule: Rule,
) -> Result<(), TestCaseError> {
    let mut model = Model::new(case);
    let mut rng = Rng::seed_from_u64(0);
    for step in steps {
        match step {
            Step::Toggle(element, _) if model.holds(*element) => {
                table.delete(*element);
                model.delete(*element);
            }
            Step::Toggle(element, choices) => {
                let found = table.insert::<false>(*element, Script::new(choices), &mut rng);
                prop_assert_eq!(found, model.insert(*element, choices, rule));
            }
            Step::List(element) if model.holds(*element) => {}
            Step::List(element) => {
                table.insert_overflowed(*element);
                model.listed.push(*element);
            }
            Step::Clear => {
                table.clear();
                model = Model::new(case);
            }
        }
        prop_assert_eq!(table.overflow() as usize, model.listed.len());
        prop_assert_eq!(table.occupancy(), model.occupancy());
    }
    Ok(())
}

/// A table whose number of buckets d divides, and what happens to it.
fn histories() -> impl Strategy<Value = (Case, Vec<Step>)> {
    (1..20_u32, 1..5_u32, 1..5_u32, 1..5_u32).prop_flat_map(|(n, range, h, d)| {
        let case = Case { n, m: range * d, h, d, alpha: 1.0 };
        let step = prop_oneof![
            40 => (0..n, vec(any::<u32>(), d as usize)).prop_map(|(e, c)| Step::Toggle(e, c)),
            4 => (0..n).prop_map(Step::List),
            1 => Just(Step::Clear),
        ];
        (Just(case), vec(step, 0..120))
    })
}

proptest! {
    #[test]
    fn single_uses_its_only_choice((case, steps) in histories()) {
        assert_alike(&case.single(), &case, &steps, only_choice)?;
    }

    #[test]
    fn multiple_uses_the_first_free_choice((case, steps) in histories()) {
        assert_alike(&case.multiple(), &case, &steps, first_free)?;
    }

    #[test]
    fn d_random_uses_the_leftmost_least_loaded_choice((case, steps) in histories()) {
        assert_alike(&case.d_random("left", false), &case, &steps, least_loaded)?;
        assert_alike(&case.d_random("left", true), &case, &steps, least_loaded_of_sub_tables)?;
    }

    /// Where chance decides, the model cannot know the bucket, but elements are conserved: each is
    /// in a bucket or on the list, and leaves what it was in.
    #[test]
    fn chance_conserves_elements((case, steps) in histories(), alpha in 0.0..=1.0, sub_tables: bool) {
        let case = Case { alpha, ..case };
        case.d_random("random", sub_tables).table(true, Conserved { case: &case, steps: &steps })?;
    }
}

struct Conserved<'c> {
    case: &'c Case,
    steps: &'c [Step],
}

impl TableVisitor for Conserved<'_> {
    type Output = Result<(), TestCaseError>;

    fn visit<T: Table>(self, mut table: T) -> Self::Output {
        let Self { case, steps } = self;
        let mut rng = Rng::seed_from_u64(1);
        let mut stored: Vec<Option<bool>> = vec![None; case.n as usize];
        for step in steps {
            if let Step::Toggle(element, choices) = step {
                let place = &mut stored[*element as usize];
                match place.take() {
                    Some(_) => {
                        table.delete(*element);
                    }
                    None => {
                        let found = table.insert::<false>(*element, Script::new(choices), &mut rng);
                        prop_assert!(
                            found.accesses == case.d || (found.accesses == 0 && !found.stored)
                        );
                        *place = Some(found.stored);
                    }
                }
            }
            let count = |place| stored.iter().filter(|&&p| p == Some(place)).count() as u64;
            let occupancy = table.occupancy();
            prop_assert_eq!(u64::from(table.overflow()), count(false));
            prop_assert_eq!(occupancy.iter().sum::<u64>(), u64::from(case.m));
            prop_assert_eq!(
                (0..).zip(&occupancy).map(|(k, buckets)| k * buckets).sum::<u64>(),
                count(true)
            );
        }
        Ok(())
    }
}
