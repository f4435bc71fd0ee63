//! Tables whose elements come and go, beside what a search that is written out finds.

use proptest::collection::vec;
use proptest::prelude::*;
use rand::{Rng as _, SeedableRng};

use super::super::case::Scheme;
use super::super::double_hashing::DoubleHashing;
use super::super::hopscotch::Hopscotch;
use super::super::linear_probing::LinearProbing;
use super::super::params::{NEIGHBOURHOOD, Size};
use super::super::quadratic_probing::QuadraticProbing;
use super::super::robin_hood::RobinHood;
use super::super::table::{Deletion, Slot, Table};
use super::{hits, table};
use crate::Rng;
use crate::math::divisors::gcd;
use crate::params::Params;

/// A table with the choices of its elements in the order in which they came.
struct Followed<T> {
    table: T,
    buckets: u32,
    rng: Rng,
    /// The choices of each element, and when it came.
    stored: Vec<(u32, [u32; 2])>,
    time: u32,
}

impl<T: Table> Followed<T> {
    fn new(table: T, elements: u32, buckets: u32) -> Self {
        let mut followed = Self {
            table,
            buckets,
            rng: Rng::seed_from_u64(11),
            stored: vec![(0, [0; 2]); elements as usize],
            time: 0,
        };
        (0..elements).for_each(|element| followed.insert(element));
        followed
    }

    fn below(&mut self, range: u32) -> u32 {
        (self.rng.next_u64() % u64::from(range)) as u32
    }

    fn insert(&mut self, element: u32) {
        // Small hash values come more often than large ones, so that many elements share one; the second choice is
        // one of the few steps of a table of 12.
        let home = self.below(self.buckets).min(self.below(self.buckets));
        let choices = [home, self.below(4)];
        self.time += 1;
        self.stored[element as usize] = (self.time, choices);
        self.table.insert(element, &choices);
    }

    fn replace_one(&mut self) {
        let element = self.below(self.stored.len() as u32);
        self.table.delete(element);
        self.insert(element);
    }

    /// Slots up to the element along its sequence, none of which is empty.
    fn search(&self, element: u32, step: impl Fn(u32, [u32; 2]) -> u32) -> u32 {
        let (_, choices) = self.stored[element as usize];
        let read = (0..self.buckets).find(|&i| {
            let slot = (choices[0] + step(i, choices)) % self.buckets;
            assert_ne!(self.table.slots().get(slot), Slot::Empty, "the search ends before it");
            self.table.slots().get(slot) == Slot::Full(element)
        });
        read.unwrap() + 1
    }

    fn assert_found(&self, step: impl Fn(u32, [u32; 2]) -> u32 + Copy) {
        for element in 0..self.stored.len() as u32 {
            assert_eq!(self.table.hit(element), Some(self.search(element, step)), "{element}");
        }
    }

    /// The elements in the order in which they came, into this empty table.
    fn again<U: Table>(&self, mut fresh: U) -> U {
        let mut order: Vec<u32> = (0..self.stored.len() as u32).collect();
        order.sort_unstable_by_key(|&element| self.stored[element as usize].0);
        for element in order {
            fresh.insert(element, &self.stored[element as usize].1);
        }
        fresh
    }
}

/// Elements and slots, the second full and the third of one element less.
const SIZES: [(u32, u32); 3] = [(9, 16), (16, 16), (15, 16)];

fn contents(table: &impl Table, buckets: u32) -> Vec<Slot> {
    (0..buckets).map(|slot| table.slots().get(slot)).collect()
}

/// Back-shift leaves the table in which the deleted element never was: the same element in the same slot.
#[test]
fn linear_probing_forgets_what_was_shifted_over() {
    for (n, m) in SIZES {
        let new = || table::<LinearProbing>(n, m, Deletion::BackShift);
        let mut followed = Followed::new(new(), n, m);
        for _ in 0..300 {
            followed.replace_one();
            followed.assert_found(|i, _| i);
            let fresh = followed.again(new());
            assert_eq!(contents(&followed.table, m), contents(&fresh, m));
        }
    }
}

/// Which of the elements with one hash value is first may differ, but not how far any of the slots' elements is from
/// its hash value.
#[test]
fn robin_hood_forgets_what_was_shifted_over() {
    for (n, m) in SIZES {
        let new = || table::<RobinHood>(n, m, Deletion::BackShift);
        let mut followed = Followed::new(new(), n, m);
        for _ in 0..300 {
            followed.replace_one();
            followed.assert_found(|i, _| i);
            let fresh = followed.again(new());
            let displaced = |table: &<RobinHood as Scheme>::Table| -> Vec<Option<u32>> {
                contents(table, m)
                    .into_iter()
                    .map(|slot| match slot {
                        Slot::Full(element) => table.hit(element),
                        Slot::Empty | Slot::Tombstone => None,
                    })
                    .collect()
            };
            assert_eq!(displaced(&followed.table), displaced(&fresh));
        }
    }
}

/// No search for an element ends before it, and all of them are found where the table says.
#[test]
fn elements_are_found_behind_tombstones() {
    for (n, m) in SIZES {
        let mut linear = Followed::new(table::<LinearProbing>(n, m, Deletion::Tombstones), n, m);
        let mut quadratic =
            Followed::new(table::<QuadraticProbing>(n, m, Deletion::Tombstones), n, m);
        let mut robin_hood = Followed::new(table::<RobinHood>(n, m, Deletion::Tombstones), n, m);
        for _ in 0..300 {
            linear.replace_one();
            linear.assert_found(|i, _| i);
            quadratic.replace_one();
            quadratic.assert_found(|i, _| i * (i + 1) / 2);
            robin_hood.replace_one();
            robin_hood.assert_found(|i, _| i);
        }
        let slots = linear.table.slots();
        assert_eq!(slots.tombstones(), m - n, "an empty slot is used up in the end");
        assert_eq!(linear.table.miss(&[3, 0]), m);
    }
    let steps: Vec<u32> = (1..12).filter(|&step| gcd(step.into(), 12) == 1).collect();
    let mut double = Followed::new(table::<DoubleHashing>(7, 12, Deletion::Tombstones), 7, 12);
    for _ in 0..300 {
        double.replace_one();
        double.assert_found(|i, choices| i * steps[choices[1] as usize]);
    }
}

/// What the definition says of a table with tombstones, in slots that hold keys: slot h + step(i) is read in step i, an
/// insertion takes the first one without an element, and a search ends at its element or at a slot never used.
struct Model<F> {
    slots: Vec<Slot>,
    step: F,
}

impl<F: Fn(u32) -> u32> Model<F> {
    fn new(buckets: u32, step: F) -> Self {
        Self { slots: vec![Slot::Empty; buckets as usize], step }
    }

    /// The slots in the order in which a key of this hash value reads them.
    fn sequence(&self, home: u32) -> impl Iterator<Item = usize> {
        let buckets = self.slots.len() as u32;
        (0..buckets).map(move |i| ((home + (self.step)(i)) % buckets) as usize)
    }

    /// The slots read until one is as wanted, all where none is.
    fn probes(&self, home: u32, wanted: impl Fn(Slot) -> bool) -> u32 {
        let found = self.sequence(home).position(|slot| wanted(self.slots[slot]));
        found.map_or(self.slots.len(), |before| before + 1) as u32
    }

    fn insert(&mut self, element: u32, home: u32) -> u32 {
        let is_free = |slot: &usize| !matches!(self.slots[*slot], Slot::Full(_));
        let slot = self.sequence(home).find(is_free).unwrap();
        self.slots[slot] = Slot::Full(element);
        self.probes(home, |slot| slot == Slot::Full(element))
    }

    /// The slots read for an absent key of each hash value.
    fn misses(&self) -> Vec<u32> {
        let until_empty = |home| self.probes(home, |slot| slot == Slot::Empty);
        (0..self.slots.len() as u32).map(until_empty).collect()
    }

    fn delete(&mut self, element: u32) {
        let own = self.slots.iter_mut().find(|slot| **slot == Slot::Full(element));
        *own.unwrap() = Slot::Tombstone;
    }
}

fn misses(table: &impl Table, buckets: u32) -> Vec<u32> {
    (0..buckets).map(|home| table.miss(&[home])).collect()
}

/// A table beside its model, through insertions and deletions: each number toggles the element that it is modulo n, and
/// the rest of it is the hash value of an element that comes.
fn assert_as_defined<S: Scheme>(
    (n, m): (u32, u32),
    toggles: &[u32],
    step: impl Fn(u32) -> u32,
) -> Result<(), TestCaseError> {
    let mut table = table::<S>(n, m, Deletion::Tombstones);
    let mut model = Model::new(m, step);
    let mut homes = vec![None; n as usize];
    for toggle in toggles {
        let (element, home) = (toggle % n, toggle / n % m);
        match homes[element as usize].take() {
            Some(_) => {
                table.delete(element);
                model.delete(element);
            }
            None => {
                let inserted = table.insert(element, &[home]);
                prop_assert!(inserted.stored);
                prop_assert_eq!(inserted.probes, model.insert(element, home));
                homes[element as usize] = Some(home);
            }
        }
        prop_assert_eq!(contents(&table, m), &model.slots[..]);
        for (element, home) in (0..).zip(&homes) {
            let found = home.map(|home| model.probes(home, |slot| slot == Slot::Full(element)));
            prop_assert_eq!(table.hit(element), found);
        }
        prop_assert_eq!(misses(&table, m), model.misses());
    }
    table.settle();
    prop_assert_eq!(misses(&table, m), model.misses());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Full tables and others, of 1 to 32 slots.
    #[test]
    fn quadratic_probing_is_as_defined(
        (n, m) in (0..6_u32).prop_flat_map(|bits| (1..=1_u32 << bits, Just(1 << bits))),
        toggles in vec(0..1_u32 << 16, 0..120),
    ) {
        assert_as_defined::<QuadraticProbing>((n, m), &toggles, |i| i * (i + 1) / 2)?;
    }

    #[test]
    fn linear_probing_is_as_defined(
        (n, m) in (1..30_u32).prop_flat_map(|m| (1..=m, Just(m))),
        toggles in vec(0..1_u32 << 16, 0..120),
    ) {
        assert_as_defined::<LinearProbing>((n, m), &toggles, |i| i)?;
    }
}

/// A look-up of an absent key in a Robin Hood table ends no sooner than those of the elements of its hash value.
#[test]
fn a_miss_passes_all_elements_of_its_hash_value() {
    for (deletion, n, m) in [(Deletion::BackShift, 13, 16), (Deletion::Tombstones, 9, 16)] {
        let mut followed = Followed::new(table::<RobinHood>(n, m, deletion), n, m);
        for _ in 0..200 {
            followed.replace_one();
            for home in 0..m {
                let own = (0..n).filter(|&e| followed.stored[e as usize].1[0] == home);
                let furthest = own.filter_map(|element| followed.table.hit(element)).max();
                let miss = followed.table.miss(&[home, 0]);
                assert!(furthest.is_none_or(|furthest| miss >= furthest.min(m)), "{home}");
            }
        }
    }
}

fn hopscotch(elements: u32, buckets: u32, neighbourhood: u32) -> <Hopscotch as Scheme>::Table {
    let given = [(NEIGHBOURHOOD.name, neighbourhood.into())];
    let params = Params::complete(&[NEIGHBOURHOOD], &given).unwrap();
    let scheme = Hopscotch::from_params(Size { elements, buckets }, &params).unwrap();
    scheme.table(Deletion::Freed)
}

/// Whatever hops, elements stay in their neighbourhoods, and a look-up reads those of one hash value alone.
#[test]
fn hopscotch_keeps_neighbourhoods() {
    for (n, m, neighbourhood) in [(14, 16, 4), (16, 16, 5), (9, 16, 16)] {
        let mut followed = Followed::new(hopscotch(n, m, neighbourhood), n, m);
        for _ in 0..500 {
            followed.replace_one();
            let slots = followed.table.slots();
            for home in 0..m {
                let mut read = 0;
                for slot in (0..neighbourhood).map(|step| (home + step) % m) {
                    let Slot::Full(element) = slots.get(slot) else { continue };
                    if followed.stored[element as usize].1[0] == home {
                        read += 1;
                        assert_eq!(followed.table.hit(element), Some(read));
                    }
                }
                assert_eq!(followed.table.miss(&[home]), read);
            }
            let stored = (0..m).filter(|&slot| slots.get(slot) != Slot::Empty).count();
            assert_eq!(stored, hits(&followed.table, n).len());
        }
    }
}

/// By hand, with H = 3: the fourth element of a hash value finds nobody that may hop; an element of the next one
/// hops to make room.
#[test]
fn hopscotch_hops_where_it_can() {
    let mut table = hopscotch(6, 8, 3);
    for (element, home) in [(0, 0), (1, 1), (2, 2)] {
        assert_eq!(table.insert(element, &[home]).moves, 0);
    }
    // The free slot is 3. Of the hash value 1 the element in slot 1 hops there.
    let hopped = table.insert(3, &[0]);
    assert_eq!((hopped.probes, hopped.moves, hopped.stored), (4, 1, true));
    assert_eq!(table.slots().of(1), Some(3));
    assert_eq!(table.slots().of(3), Some(1));
    assert_eq!((table.hit(3), table.miss(&[0])), (Some(2), 2));
    // The free slot is 4: the element in slot 2 hops there, the new one comes to slot 2; the next one finds slot 5.
    assert!(table.insert(4, &[0]).stored);
    let failed = table.insert(5, &[0]);
    assert!(!failed.stored, "three elements of one hash value fill their neighbourhood");
    assert_eq!(table.hit(5), None);
}
