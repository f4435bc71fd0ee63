//! Random insertions and deletions against a model that keeps every element in a list.

use proptest::collection::vec;
use proptest::prelude::*;
use rand::SeedableRng;

use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::Choices;
use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::tables::{
    CamUse, DRandom, Deletion, Insertion, MovesBack, Multiple, Scheme, Single, Table, TableVisitor,
};

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
pub enum Step {
    /// The element arrives with these choices, or departs if it is there.
    Toggle(u32, Vec<u32>),
    /// The element arrives on the overflow list, if it is not there.
    List(u32),
    /// The table is emptied.
    Clear,
}

/// Where an element may go: the bucket, and the buckets read.
type Rule = fn(&Model, &[u32]) -> (Option<usize>, Vec<usize>);

/// Buckets as lists of their elements, and the overflow list with the buckets of each element, in
/// the entries of a CAM.
#[derive(Debug)]
struct Model {
    h: usize,
    move_back: &'static str,
    buckets: Vec<Vec<u32>>,
    list: Vec<Option<(u32, Vec<usize>)>>,
}

impl Model {
    fn new(case: &Case, move_back: &'static str) -> Self {
        let buckets = vec![Vec::new(); case.m as usize];
        Self { h: case.h as usize, move_back, buckets, list: Vec::new() }
    }

    fn full(&self, bucket: usize) -> bool {
        self.buckets[bucket].len() == self.h
    }

    fn listed(&self) -> impl Iterator<Item = &(u32, Vec<usize>)> {
        self.list.iter().flatten()
    }

    fn holds(&self, element: u32) -> bool {
        let stored = self.buckets.iter().any(|bucket| bucket.contains(&element));
        stored || self.listed().any(|(other, _)| *other == element)
    }

    fn insert(&mut self, element: u32, choices: &[u32], rule: Rule) -> Insertion {
        let (bucket, read) = rule(self, choices);
        let accesses = read.len() as u32;
        match bucket {
            Some(bucket) => self.buckets[bucket].push(element),
            None => self.list(element, read.clone()),
        }
        let mut back = MovesBack::default();
        let first_read = |i: usize| !read[..i].contains(&read[i]);
        for bucket in (0..read.len()).filter(|&i| first_read(i)).map(|i| read[i]) {
            if self.move_back == "insertion" && !self.full(bucket) {
                let found = self.look_up(bucket);
                back.lookups += found.lookups;
                back.moves += found.moves;
            }
        }
        Insertion { accesses, stored: bucket.is_some(), back, ..Insertion::default() }
    }

    /// Puts the element into the first free entry of the list.
    fn list(&mut self, element: u32, buckets: Vec<usize>) {
        let listed = Some((element, buckets));
        match self.list.iter().position(Option::is_none) {
            Some(free) => self.list[free] = listed,
            None => self.list.push(listed),
        }
    }

    fn look_up(&mut self, bucket: usize) -> MovesBack {
        let of_bucket = |entry: &&mut Option<(u32, Vec<usize>)>| {
            entry.as_ref().is_some_and(|(_, buckets)| buckets.contains(&bucket))
        };
        let found = self.list.iter_mut().find(of_bucket).and_then(Option::take);
        let moves = found.is_some().into();
        self.buckets[bucket].extend(found.map(|(element, _)| element));
        MovesBack { lookups: 1, moves }
    }

    fn delete(&mut self, element: u32) -> MovesBack {
        for entry in &mut self.list {
            entry.take_if(|(other, _)| *other == element);
        }
        let stored = self.buckets.iter().position(|bucket| bucket.contains(&element));
        let Some(bucket) = stored else { return MovesBack::default() };
        let was_full = self.full(bucket);
        self.buckets[bucket].retain(|&other| other != element);
        match self.move_back {
            "deletion" if was_full => self.look_up(bucket),
            _ => MovesBack::default(),
        }
    }

    fn occupancy(&self) -> Vec<u64> {
        let with = |k| self.buckets.iter().filter(|bucket| bucket.len() == k).count() as u64;
        (0..=self.h).map(with).collect()
    }

    fn cam(&self) -> CamUse {
        let last = self.list.iter().rposition(Option::is_some);
        CamUse {
            entries: self.listed().map(|(_, buckets)| buckets.len() as u32).sum(),
            extent: last.map_or(0, |entry| entry as u32 + 1),
        }
    }
}

fn only_choice(model: &Model, choices: &[u32]) -> (Option<usize>, Vec<usize>) {
    first_free(model, &choices[..1])
}

fn first_free(model: &Model, choices: &[u32]) -> (Option<usize>, Vec<usize>) {
    let mut buckets: Vec<_> = choices.iter().map(|c| *c as usize % model.buckets.len()).collect();
    let free = buckets.iter().position(|&bucket| !model.full(bucket));
    let found = free.map(|read| buckets[read]);
    buckets.truncate(free.map_or(choices.len(), |read| read + 1));
    (found, buckets)
}

fn first_free_of_sub_tables(model: &Model, choices: &[u32]) -> (Option<usize>, Vec<usize>) {
    let size = model.buckets.len() / choices.len();
    let of_sub_table = |(j, c): (usize, &u32)| (j * size + *c as usize % size) as u32;
    let buckets: Vec<_> = choices.iter().enumerate().map(of_sub_table).collect();
    first_free(model, &buckets)
}

fn least_loaded(model: &Model, choices: &[u32]) -> (Option<usize>, Vec<usize>) {
    let buckets = choices.iter().map(|c| *c as usize % model.buckets.len());
    least_loaded_of(model, buckets.collect())
}

fn least_loaded_of_sub_tables(model: &Model, choices: &[u32]) -> (Option<usize>, Vec<usize>) {
    let size = model.buckets.len() / choices.len();
    let bucket = |(j, c): (usize, &u32)| j * size + *c as usize % size;
    least_loaded_of(model, choices.iter().enumerate().map(bucket).collect())
}

fn least_loaded_of(model: &Model, buckets: Vec<usize>) -> (Option<usize>, Vec<usize>) {
    // The first of several minima.
    let best = buckets.iter().copied().min_by_key(|&bucket| model.buckets[bucket].len());
    (best.filter(|&bucket| !model.full(bucket)), buckets)
}

/// Runs the steps through the table and the model and compares them after each.
struct Alike<'c> {
    case: &'c Case,
    move_back: &'static str,
    steps: &'c [Step],
    rule: Rule,
}

impl TableVisitor for Alike<'_> {
    type Output = Result<(), TestCaseError>;

    fn visit<T: Table>(self, mut table: T) -> Self::Output {
        let mut model = Model::new(self.case, self.move_back);
        let mut rng = Rng::seed_from_u64(0);
        for step in self.steps {
            match step {
                Step::Toggle(element, _) if model.holds(*element) => {
                    let back = model.delete(*element);
                    let expected = Deletion { back, ..Deletion::default() };
                    prop_assert_eq!(table.delete(*element), expected);
                }
                Step::Toggle(element, choices) => {
                    let found = table.insert::<false>(*element, Script::new(choices), &mut rng);
                    prop_assert_eq!(found, model.insert(*element, choices, self.rule));
                }
                Step::List(element) if model.holds(*element) => {}
                Step::List(element) => {
                    table.insert_overflowed(*element);
                    model.list(*element, Vec::new());
                }
                Step::Clear => {
                    table.clear();
                    model = Model::new(self.case, self.move_back);
                }
            }
            self.compare(&table, &model)?;
        }
        Ok(())
    }
}

impl Alike<'_> {
    fn compare<T: Table>(&self, table: &T, model: &Model) -> Result<(), TestCaseError> {
        prop_assert_eq!(table.overflow() as usize, model.listed().count());
        prop_assert_eq!(table.occupancy(), model.occupancy());
        if self.move_back != "none" {
            prop_assert_eq!(table.cam(), model.cam());
        }
        if self.move_back == "deletion" {
            let mut choices = model.listed().flat_map(|(_, buckets)| buckets);
            prop_assert!(choices.all(|&bucket| model.full(bucket)), "none could be in a bucket");
        }
        Ok(())
    }
}

/// Compares a scheme that never moves an element back.
fn assert_alike<S: Scheme>(
    scheme: &S,
    case: &Case,
    steps: &[Step],
    rule: Rule,
) -> Result<(), TestCaseError> {
    scheme.table(true, Alike { case, move_back: "none", steps, rule })
}

/// Compares a scheme with moving back, in both variants.
fn assert_moves_back<S: Scheme>(
    (case, steps): (&Case, &[Step]),
    params: &[(&str, Scalar)],
    rule: Rule,
) -> Result<(), TestCaseError> {
    for move_back in ["deletion", "insertion"] {
        let further = ("move_back", Scalar::Word(move_back.into()));
        let scheme: S = case.scheme(&[params, &[further]].concat());
        scheme.table(true, Alike { case, move_back, steps, rule })?;
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
        let split = case.multiple_on_sub_tables(1.0, "none");
        assert_alike(&split, &case, &steps, first_free_of_sub_tables)?;
    }

    #[test]
    fn d_random_uses_the_leftmost_least_loaded_choice((case, steps) in histories()) {
        assert_alike(&case.d_random("left", false), &case, &steps, least_loaded)?;
        assert_alike(&case.d_random("left", true), &case, &steps, least_loaded_of_sub_tables)?;
    }

    #[test]
    fn elements_move_back_in_the_order_of_the_cam((case, steps) in histories()) {
        let choices = ("choices", Scalar::Integer(case.d.into()));
        let left = ("ties", Scalar::Word("left".into()));
        let run = (&case, &steps[..]);
        let one = Case { d: 1, ..case };
        assert_moves_back::<Single>((&one, &steps), &[], only_choice)?;
        assert_moves_back::<Multiple>(run, std::slice::from_ref(&choices), first_free)?;
        let sub_tables = ("sub_tables", Scalar::Flag(true));
        let split = [choices.clone(), sub_tables];
        assert_moves_back::<Multiple>(run, &split, first_free_of_sub_tables)?;
        assert_moves_back::<DRandom>(run, &[choices, left], least_loaded)?;
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

/// Fills the table with elements of these choices; loads of the sub-tables.
struct Loads<'c>(&'c [[u32; 2]]);

impl TableVisitor for Loads<'_> {
    type Output = Vec<f64>;

    fn visit<T: Table>(self, mut table: T) -> Vec<f64> {
        let mut rng = Rng::seed_from_u64(0);
        for (element, choices) in (0..).zip(self.0) {
            table.insert::<false>(element, Script::new(choices), &mut rng);
        }
        table.sub_table_loads()
    }
}

/// Sub-tables of four and of two buckets.
#[test]
fn each_choice_has_its_sub_table_and_each_sub_table_its_load() {
    let case = Case { n: 5, m: 6, h: 1, d: 2, alpha: 1.0 };
    for move_back in ["none", "deletion"] {
        let loads = |choices: &[[u32; 2]]| {
            case.multiple_on_sub_tables(2.0, move_back).table(true, Loads(choices))
        };
        assert_eq!(loads(&[[3, 0]]), [0.25, 0.0]);
        assert_eq!(loads(&[[3, 0], [3, 1], [0, 1]]), [0.5, 0.5]);
        assert_eq!(loads(&[[3, 0], [3, 0], [3, 1], [3, 0]]), [0.25, 1.0]);
    }
    assert!(case.multiple().table(true, Loads(&[[3, 0]])).is_empty());
}
