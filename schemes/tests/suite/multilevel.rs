//! The conservative scheme, and second chance with buckets of two, against a model that follows
//! Sections 5.4 and 5.7 of "The Power of One Move" line by line; and the list of sub-tables.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use rand::SeedableRng;

use loadfactor_schemes::Rng;
use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::tables::Process;
use loadfactor_schemes::tables::{
    Conservative, Deletion, ExtremeSecondChance, Insertion, Multiple, Scheme, SecondChance, Table,
    TableVisitor,
};

use crate::case::Case;
use crate::model::{Script, Step};
use crate::simulation::simulate;

/// Sub-table, bucket, slot.
type Place = (usize, usize, usize);

#[derive(Debug, Clone)]
struct Model {
    insert: fn(&mut Self, u32) -> Insertion,
    /// T_1, …, T_d.
    tables: Vec<Vec<Vec<Option<u32>>>>,
    marked: Vec<Vec<bool>>,
    /// h_1(x), …, h_d(x) of the elements that came with choices.
    hashes: BTreeMap<u32, Vec<usize>>,
    list: Vec<u32>,
}

impl Model {
    fn new(insert: fn(&mut Self, u32) -> Insertion, h: usize, sizes: &[usize]) -> Self {
        Self {
            insert,
            tables: sizes.iter().map(|&size| vec![vec![None; h]; size]).collect(),
            marked: sizes.iter().map(|&size| vec![false; size]).collect(),
            hashes: BTreeMap::new(),
            list: Vec::new(),
        }
    }

    fn places(&self) -> BTreeMap<u32, Place> {
        let mut places = BTreeMap::new();
        for (i, table) in self.tables.iter().enumerate() {
            for (b, bucket) in table.iter().enumerate() {
                let stored = bucket.iter().enumerate().filter_map(|(s, x)| x.map(|x| (x, s)));
                places.extend(stored.map(|(x, s)| (x, (i, b, s))));
            }
        }
        places
    }

    fn holds(&self, x: u32) -> bool {
        self.list.contains(&x) || self.places().contains_key(&x)
    }

    /// T_i[h_i(x)].
    fn bucket(&mut self, i: usize, x: u32) -> &mut Vec<Option<u32>> {
        &mut self.tables[i][self.hashes[&x][i]]
    }

    fn is_full(&mut self, i: usize, x: u32) -> bool {
        self.bucket(i, x).iter().all(Option::is_some)
    }

    fn put(&mut self, i: usize, x: u32) {
        *self.bucket(i, x).iter_mut().find(|slot| slot.is_none()).unwrap() = Some(x);
    }

    /// y moves from T_i to T_k, and x takes its slot.
    fn replace(&mut self, i: usize, y: u32, k: usize, x: u32) {
        self.put(k, y);
        *self.bucket(i, x).iter_mut().find(|slot| **slot == Some(y)).unwrap() = Some(x);
    }

    /// Section 5.4.
    fn conservative(&mut self, x: u32) -> Insertion {
        let d = self.tables.len();
        if let Some(i) = (0..d).find(|&i| !self.is_full(i, x)) {
            self.put(i, x);
            return Insertion { accesses: i as u32 + 1, stored: true, ..Insertion::default() };
        }
        let h = self.hashes[&x].clone();
        let unmarked = (0..d - 1).find(|&j| !self.marked[j][h[j]]);
        let Some(j) = unmarked else {
            self.list.push(x);
            return Insertion { accesses: d as u32, ..Insertion::default() };
        };
        self.marked[j][h[j]] = true;
        let y = self.bucket(j, x)[0].unwrap();
        let k = (j + 1..d).find(|&k| !self.is_full(k, y));
        match k {
            Some(k) => self.replace(j, y, k, x),
            None => self.list.push(x),
        }
        Insertion {
            accesses: (d + k.map_or(d - 1 - j, |k| k - j)) as u32,
            stored: k.is_some(),
            moves: u32::from(k.is_some()),
            ..Insertion::default()
        }
    }

    /// Figure 5.1, with the change of Section 5.7.
    fn second_chance(&mut self, x: u32) -> Insertion {
        let d = self.tables.len();
        let mut accesses = 1;
        for i in 0..d {
            if !self.is_full(i, x) {
                self.put(i, x);
                return Insertion { accesses, stored: true, ..Insertion::default() };
            }
            if i + 1 == d {
                break;
            }
            accesses += 1;
            if !self.is_full(i + 1, x) {
                continue;
            }
            for y in self.bucket(i, x).clone().into_iter().flatten() {
                accesses += 1;
                if !self.is_full(i + 1, y) {
                    self.replace(i, y, i + 1, x);
                    return Insertion { accesses, stored: true, moves: 1, ..Insertion::default() };
                }
            }
        }
        self.list.push(x);
        Insertion { accesses, ..Insertion::default() }
    }

    fn arrive(&mut self, x: u32, choices: &[u32]) -> Insertion {
        let sizes = self.tables.iter().map(Vec::len);
        let h = sizes.zip(choices).map(|(size, &choice)| choice as usize % size).collect();
        self.hashes.insert(x, h);
        (self.insert)(self, x)
    }

    fn delete(&mut self, x: u32) {
        self.list.retain(|&other| other != x);
        if let Some((i, b, s)) = self.places().remove(&x) {
            self.tables[i][b][s] = None;
            self.marked[i][b] = false;
        }
    }

    fn occupancy(&self) -> Vec<u64> {
        let h = self.tables[0][0].len();
        let count = |bucket: &Vec<Option<u32>>| bucket.iter().flatten().count();
        let with = |k| self.tables.iter().flatten().filter(|bucket| count(bucket) == k).count();
        (0..=h).map(|k| with(k) as u64).collect()
    }

    fn loads(&self) -> Vec<f64> {
        let load = |table: &Vec<Vec<Option<u32>>>| {
            let slots = table.iter().flatten();
            slots.clone().flatten().count() as f64 / slots.count() as f64
        };
        self.tables.iter().map(load).collect()
    }
}

/// Runs the steps through the table and the model and compares them after each.
struct Alike<'c> {
    model: Model,
    steps: &'c [Step],
}

impl TableVisitor for Alike<'_> {
    type Output = Result<(), TestCaseError>;

    fn visit<T: Table>(self, mut table: T) -> Self::Output {
        let Self { model: empty, steps } = self;
        let mut model = empty.clone();
        let mut rng = Rng::seed_from_u64(0);
        for step in steps {
            match step {
                Step::Toggle(x, _) if model.holds(*x) => {
                    prop_assert_eq!(table.delete(*x), Deletion::default());
                    model.delete(*x);
                }
                Step::Toggle(x, choices) => {
                    let before = model.places();
                    let found = table.insert::<false>(*x, Script::new(choices), &mut rng);
                    prop_assert_eq!(found, model.arrive(*x, choices));
                    one_move_at_most(&before, &model.places(), found.moves)?;
                }
                Step::List(x) if model.holds(*x) => {}
                Step::List(x) => {
                    table.insert_overflowed(*x);
                    model.list.push(*x);
                }
                Step::Clear => {
                    table.clear();
                    model = empty.clone();
                }
            }
            prop_assert_eq!(table.overflow() as usize, model.list.len());
            prop_assert_eq!(table.occupancy(), model.occupancy());
            prop_assert_eq!(table.sub_table_loads(), model.loads());
        }
        Ok(())
    }
}

/// All but `moves` elements, none or one, are where they were.
fn one_move_at_most(
    before: &BTreeMap<u32, Place>,
    after: &BTreeMap<u32, Place>,
    moves: u32,
) -> Result<(), TestCaseError> {
    let moved = before.iter().filter(|&(x, place)| after.get(x) != Some(place)).count();
    prop_assert_eq!(moved, moves as usize);
    prop_assert!(moves <= 1);
    Ok(())
}

/// Sizes of 1 to 5 sub-tables, and what happens to some elements.
fn histories() -> impl Strategy<Value = (Vec<usize>, u32, Vec<Step>)> {
    (1..24_u32, vec(1..9_usize, 1..6)).prop_flat_map(|(n, sizes)| {
        let step = prop_oneof![
            60 => (0..n, vec(any::<u32>(), sizes.len())).prop_map(|(x, c)| Step::Toggle(x, c)),
            3 => (0..n).prop_map(Step::List),
            1 => Just(Step::Clear),
        ];
        (Just(sizes), Just(n), vec(step, 0..200))
    })
}

fn text(values: &[impl ToString]) -> Scalar {
    Scalar::Word(values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
}

/// A scheme with these sub-tables.
fn listed<S: Scheme>(n: u32, h: u32, sizes: &[usize]) -> S {
    let m = sizes.iter().sum::<usize>() as u32;
    let case = Case { n, m, h, d: sizes.len() as u32, alpha: 1.0 };
    case.scheme(&[("sub_table_buckets", text(sizes))])
}

proptest! {
    #[test]
    fn conservative_follows_section_5_4((sizes, n, steps) in histories()) {
        let model = Model::new(Model::conservative, 1, &sizes);
        listed::<Conservative>(n, 1, &sizes).table(true, Alike { model, steps: &steps })?;
    }

    #[test]
    fn second_chance_follows_section_5_7((sizes, n, steps) in histories(), h in 1..3_u32) {
        let model = Model::new(Model::second_chance, h as usize, &sizes);
        listed::<SecondChance>(n, h, &sizes).table(true, Alike { model, steps: &steps })?;
    }
}

/// The limits at the sizes of Table 5.1 (b), and what 400 tables of 10,000 elements come to.
#[test]
fn limits_are_met_at_the_published_sizes() {
    let case = |h| Case { n: 10_000, m: 0, h, d: 4, alpha: 1.0 };
    let sizes = |alphas: &str| [("buckets_per_element", Scalar::Word(alphas.into()))];
    let std2: Multiple = case(2).scheme(&sizes("0.297 0.1735 0.1059 0.0493"));
    met(&std2, 1700);
    met(&case(1).scheme::<Multiple>(&sizes("0.7867 0.5149 0.3152 0.1782")), 1701);
    met(&case(1).scheme::<Conservative>(&sizes("0.5214 0.4134 0.2802 0.1774")), 1702);
    met(&case(1).scheme::<SecondChance>(&sizes("0.4694 0.4562 0.2512 0.1082")), 1703);
    met(&case(1).scheme::<ExtremeSecondChance>(&sizes("0.3774 0.3624 0.2857 0.1276")), 1704);
    met(&case(2).scheme::<SecondChance>(&sizes("0.2048 0.1961 0.0954 0.0299")), 1705);
}

fn met<S: Scheme>(scheme: &S, seed: u64) {
    let outlook = scheme.outlook(Process::StaticFill);
    let measured = simulate(scheme, Process::StaticFill, 400, seed);
    for prediction in &outlook.predictions {
        if let Some(sample) = measured.of(prediction.metric) {
            sample.assert_mean(prediction.value, prediction.allowance, prediction.metric);
        }
    }
    assert!(outlook.predictions.len() > 5, "{outlook:?}");
}
