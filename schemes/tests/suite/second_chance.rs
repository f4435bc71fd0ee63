//! Second chance against a model that follows Figure 5.1 of "The Power of One Move" line by line,
//! with a list of CAM entries and a table of hints beside it.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use rand::SeedableRng;

use loadfactor_schemes::Rng;
use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::prediction::Kind;
use loadfactor_schemes::tables::Process;
use loadfactor_schemes::tables::metrics;
use loadfactor_schemes::tables::{
    CamUse, Deletion, Insertion, MovesBack, Scheme, Table, TableVisitor,
};

use crate::case::Case;
use crate::model::{Script, Step};
use crate::simulation::simulate;

/// What fills a bucket that a deletion empties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    Nothing,
    MoveBack,
    HintToElement,
    HintToPlace,
}

impl After {
    const ALL: [Self; 4] = [Self::Nothing, Self::MoveBack, Self::HintToElement, Self::HintToPlace];

    fn params(self) -> Vec<(&'static str, Scalar)> {
        match self {
            Self::Nothing => vec![],
            Self::MoveBack => vec![("move_back", Scalar::Word("deletion".into()))],
            Self::HintToElement => vec![("hints", Scalar::Word("element".into()))],
            Self::HintToPlace => vec![("hints", Scalar::Word("place".into()))],
        }
    }

    fn hints(self) -> bool {
        matches!(self, Self::HintToElement | Self::HintToPlace)
    }
}

/// Something or nothing in each slot of each sub-table.
type Slots<T> = Vec<Vec<Option<T>>>;

/// Sub-table and slot.
type Place = (usize, usize);

/// Empty slots.
fn empty<T: Clone>(sizes: &[usize]) -> Slots<T> {
    sizes.iter().map(|&size| vec![None; size]).collect()
}

#[derive(Debug)]
struct Model {
    after: After,
    /// T_1, …, T_d.
    tables: Slots<u32>,
    /// h_1(x), …, h_d(x) of the elements that came with choices.
    hashes: BTreeMap<u32, Vec<usize>>,
    /// The entries of the primary CAM.
    list: Vec<Option<u32>>,
    /// An element and where it was when it was put down.
    hints: Slots<(u32, Place)>,
}

impl Model {
    fn new(after: After, sizes: &[usize]) -> Self {
        let (tables, hints) = (empty(sizes), empty(sizes));
        Self { after, tables, hashes: BTreeMap::new(), list: Vec::new(), hints }
    }

    fn place(&self, element: u32) -> Option<Place> {
        let in_table = |table: &Vec<_>| table.iter().position(|&slot| slot == Some(element));
        let mut places = self.tables.iter().map(in_table).enumerate();
        places.find_map(|(i, slot)| slot.map(|slot| (i, slot)))
    }

    fn holds(&self, element: u32) -> bool {
        self.place(element).is_some() || self.list.contains(&Some(element))
    }

    fn put_on_list(&mut self, x: u32) {
        match self.list.iter().position(Option::is_none) {
            Some(lowest) => self.list[lowest] = Some(x),
            None => self.list.push(Some(x)),
        }
    }

    fn insert(&mut self, x: u32, choices: &[u32]) -> Insertion {
        let sizes = self.tables.iter().map(Vec::len);
        let h = sizes.zip(choices).map(|(size, &choice)| choice as usize % size).collect();
        self.hashes.insert(x, h);
        let mut reads = 1;
        let pushed = self.figure_5_1(x, &mut reads);
        self.leave_hints(x);
        Insertion {
            accesses: reads,
            stored: self.place(x).is_some(),
            moves: u32::from(pushed),
            ..Insertion::default()
        }
    }

    /// Whether an element was pushed on. Each line that looks at a bucket that x has not looked at
    /// counts as a read.
    fn figure_5_1(&mut self, x: u32, reads: &mut u32) -> bool {
        let d = self.tables.len();
        let hx = self.hashes[&x].clone();
        for i in 0..d - 1 {
            let Some(y) = self.tables[i][hx[i]] else {
                self.tables[i][hx[i]] = Some(x);
                return false;
            };
            *reads += 1;
            if self.tables[i + 1][hx[i + 1]].is_some() {
                let hy = self.hashes[&y][i + 1];
                *reads += 1;
                if self.tables[i + 1][hy].is_none() {
                    self.tables[i + 1][hy] = Some(y);
                    self.tables[i][hx[i]] = Some(x);
                    self.hints[i][hx[i]] = Some((y, (i + 1, hy)));
                    return true;
                }
            }
        }
        if self.tables[d - 1][hx[d - 1]].is_none() {
            self.tables[d - 1][hx[d - 1]] = Some(x);
        } else {
            self.put_on_list(x);
        }
        false
    }

    fn leave_hints(&mut self, x: u32) {
        let Some(place) = self.place(x) else { return };
        for i in 0..place.0 {
            self.hints[i][self.hashes[&x][i]] = Some((x, place));
        }
    }

    fn delete(&mut self, x: u32) -> Deletion {
        let place = self.place(x);
        self.hashes.remove(&x);
        let Some((i, slot)) = place else {
            self.list.iter_mut().filter(|entry| **entry == Some(x)).for_each(|entry| *entry = None);
            return Deletion::default();
        };
        self.tables[i][slot] = None;
        match self.after {
            After::Nothing => Deletion::default(),
            After::MoveBack => self.move_back(i, slot),
            After::HintToElement | After::HintToPlace => self.follow_hint(i, slot),
        }
    }

    fn may_be_in(&self, x: u32, i: usize, slot: usize) -> bool {
        self.hashes.get(&x).is_some_and(|h| h[i] == slot)
    }

    fn move_back(&mut self, i: usize, slot: usize) -> Deletion {
        let matches = |entry: &Option<u32>| entry.is_some_and(|x| self.may_be_in(x, i, slot));
        let found = self.list.iter().position(matches);
        if let Some(entry) = found {
            self.tables[i][slot] = self.list[entry].take();
        }
        let back = MovesBack { lookups: 1, moves: u32::from(found.is_some()) };
        Deletion { back, ..Deletion::default() }
    }

    fn follow_hint(&mut self, i: usize, slot: usize) -> Deletion {
        match self.hinted(i, slot) {
            Some((y, (level, old))) if level > i && self.may_be_in(y, i, slot) => {
                self.tables[level][old] = None;
                self.tables[i][slot] = Some(y);
                Deletion { moves: 1, ..Deletion::default() }
            }
            _ => Deletion::default(),
        }
    }

    /// The element that the hint in the slot leads to, and where that element is.
    fn hinted(&self, i: usize, slot: usize) -> Option<(u32, Place)> {
        let (x, place) = self.hints[i][slot]?;
        match self.after {
            After::HintToPlace => Some((self.tables[place.0][place.1]?, place)),
            _ => Some((x, self.place(x)?)),
        }
    }

    fn loads(&self) -> Vec<f64> {
        let load = |t: &Vec<Option<_>>| t.iter().flatten().count() as f64 / t.len() as f64;
        self.tables.iter().map(load).collect()
    }

    fn cam(&self) -> CamUse {
        let listed = self.list.iter().flatten();
        let entries = listed.filter(|x| self.hashes.contains_key(x)).count() * self.tables.len();
        let extent = self.list.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        match self.after {
            After::MoveBack => CamUse { entries: entries as u32, extent: extent as u32 },
            _ => CamUse::default(),
        }
    }

    /// What must hold after every operation.
    fn check(&self) -> Result<(), TestCaseError> {
        for (i, table) in self.tables.iter().enumerate() {
            for (slot, x) in table.iter().enumerate() {
                prop_assert!(x.is_none_or(|x| self.may_be_in(x, i, slot)), "{x:?} in {i}, {slot}");
            }
        }
        for x in self.list.iter().flatten().filter(|_| self.after == After::MoveBack) {
            let mut h = self.hashes.get(x).into_iter().flatten().zip(&self.tables);
            prop_assert!(h.all(|(&slot, table)| table[slot].is_some()), "{x} could move back");
        }
        Ok(())
    }
}

/// Runs the steps through the table and the model and compares them after each.
struct Alike<'c> {
    after: After,
    sizes: &'c [usize],
    steps: &'c [Step],
}

impl TableVisitor for Alike<'_> {
    type Output = Result<(), TestCaseError>;

    fn visit<T: Table>(self, mut table: T) -> Self::Output {
        let mut model = Model::new(self.after, self.sizes);
        let mut rng = Rng::seed_from_u64(0);
        prop_assert_eq!(T::MOVES_BACK, self.after == After::MoveBack);
        prop_assert_eq!(T::MOVES_ON_DELETION, self.after.hints());
        for step in self.steps {
            match step {
                Step::Toggle(x, _) if model.holds(*x) => {
                    prop_assert_eq!(table.delete(*x), model.delete(*x));
                }
                Step::Toggle(x, choices) => {
                    let found = table.insert::<false>(*x, Script::new(choices), &mut rng);
                    prop_assert!(found.moves <= 1);
                    prop_assert_eq!(found, model.insert(*x, choices));
                }
                Step::List(x) if model.holds(*x) => {}
                Step::List(x) => {
                    table.insert_overflowed(*x);
                    model.put_on_list(*x);
                }
                Step::Clear => {
                    table.clear();
                    model = Model::new(self.after, self.sizes);
                }
            }
            model.check()?;
            prop_assert_eq!(table.overflow() as usize, model.list.iter().flatten().count());
            prop_assert_eq!(table.sub_table_loads(), model.loads());
            prop_assert_eq!(table.cam(), model.cam());
            let taken = model.tables.iter().flatten().flatten().count() as u64;
            let buckets = self.sizes.iter().sum::<usize>() as u64;
            prop_assert_eq!(table.occupancy(), [buckets - taken, taken]);
        }
        Ok(())
    }
}

/// Sizes of sub-tables, each twice the next, the number of elements, and what happens.
fn histories() -> impl Strategy<Value = (Vec<usize>, u32, Vec<Step>)> {
    (1..24_u32, 1..3_usize, 1..5_usize).prop_flat_map(|(n, last, d)| {
        let sizes = (0..d).rev().map(|level| last << level).collect();
        let step = prop_oneof![
            60 => (0..n, vec(any::<u32>(), d)).prop_map(|(x, c)| Step::Toggle(x, c)),
            3 => (0..n).prop_map(Step::List),
            1 => Just(Step::Clear),
        ];
        (Just(sizes), Just(n), vec(step, 0..200))
    })
}

fn case(sizes: &[usize], n: u32) -> Case {
    Case { n, m: sizes.iter().sum::<usize>() as u32, h: 1, d: sizes.len() as u32, alpha: 1.0 }
}

proptest! {
    #[test]
    fn follows_figure_5_1((sizes, n, steps) in histories()) {
        for after in After::ALL {
            let scheme = case(&sizes, n).second_chance(2.0, &after.params());
            scheme.table(true, Alike { after, sizes: &sizes, steps: &steps })?;
        }
    }
}

/// With one sub-table it is SINGLE, whose overflow is known exactly.
#[test]
fn one_choice_is_single() {
    let case = Case { n: 90, m: 100, h: 1, d: 1, alpha: 1.0 };
    for process in [Process::StaticFill, Process::Alternation] {
        for (after, seed) in After::ALL.into_iter().zip(1500..) {
            // A static fill is what moving back makes of alternation (Theorem 10).
            let as_process = match after {
                After::MoveBack => Process::StaticFill,
                _ => process,
            };
            let measured = simulate(&case.second_chance(1.0, &after.params()), process, 400, seed);
            let exact = case.single().outlook(as_process).predictions;
            let exact = exact.iter().find(|p| p.kind == Kind::Exact).unwrap();
            assert_eq!(exact.metric, metrics::OVERFLOW_FRACTION);
            measured.overflow.assert_mean(exact.value, 0.0, (after, process));
        }
    }
}

#[test]
fn what_fills_emptied_buckets_matters_under_alternation_alone() {
    let case = case(&[8, 4, 2], 12);
    for after in After::ALL {
        let scheme = case.second_chance(2.0, &after.params());
        let plain = case.second_chance(2.0, &[]);
        assert_eq!(scheme.outlook(Process::StaticFill), plain.outlook(Process::StaticFill));
        let known = !scheme.outlook(Process::Alternation).predictions.is_empty();
        assert_eq!(known, after == After::Nothing);
    }
}

#[test]
fn what_it_cannot_do_is_refused() {
    let small = case(&[4, 2], 6);
    let refusal =
        |case: Case, further: &[_]| case.try_second_chance(2.0, further).unwrap_err().to_string();
    for hints in [After::HintToElement, After::HintToPlace] {
        assert_eq!(
            refusal(small, &[After::MoveBack.params(), hints.params()].concat()),
            "`hints`: both `hints` and `move_back = \"deletion\"` fill the bucket that a deletion empties; choose one"
        );
    }
    assert_eq!(
        refusal(small, &[("move_back", Scalar::Word("insertion".into()))]),
        "`move_back`: no bucket that an insertion of this scheme reads has room after it; \"none\" or \"deletion\" are possible"
    );
    assert_eq!(
        refusal(Case { h: 3, ..small }, &[]),
        "`bucket_size`: buckets of this scheme hold 1 to 2 elements"
    );
    assert_eq!(
        refusal(Case { h: 2, ..small }, &After::HintToPlace.params()),
        "`bucket_size`: moving back and hints are for buckets of 1 element"
    );
    assert_eq!(
        refusal(
            Case { n: 1 << 30, m: 4096, d: 1024, ..small },
            &[("sub_table_factor", Scalar::Number(1.0))]
        ),
        "`choices`: 1073741824 elements with 1024 choices are too many to keep: at most 4294967295 together"
    );
}
