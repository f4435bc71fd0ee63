//! Tables with keys, held against those of trials.

use rand::{Rng as _, SeedableRng};

use super::super::case::Scheme;
use super::super::double_hashing::DoubleHashing;
use super::super::hopscotch::Hopscotch;
use super::super::linear_probing::LinearProbing;
use super::super::params::{NEIGHBOURHOOD, Size};
use super::super::quadratic_probing::QuadraticProbing;
use super::super::robin_hood::RobinHood;
use super::super::table::{Slot, Table as _};
use super::slots::State;
use super::*;
use crate::Rng;
use crate::case::Case;
use crate::families;
use crate::hash::{Choices as _, Derivation, HashKind, HashSpec, Hashed, Source as _, Xxh3};
use crate::keys::{Arrivals as _, KeySource, Made};
use crate::params::{Params, Scalar};
use crate::probing::first_free::Sequence;
use crate::timed::{ByChoices, Operation, Untimed, first_trial, key};

/// A table whose slots can be seen.
trait InSlots: ByChoices {
    fn slots(&self) -> &KeySlots;
}

impl<Q: Sequence + Send + 'static> InSlots for FirstFreeKeys<Q> {
    fn slots(&self) -> &KeySlots {
        &self.slots
    }
}

impl InSlots for RobinHoodKeys {
    fn slots(&self) -> &KeySlots {
        &self.slots
    }
}

impl InSlots for HopscotchKeys {
    fn slots(&self) -> &KeySlots {
        &self.slots
    }
}

/// A table of a trial and one that stores keys, which are given the same elements.
struct Both<S: Scheme> {
    trial: S::Table,
    keyed: S::KeyTable,
    source: Hashed<Xxh3>,
    ranges: Vec<u32>,
    keys: Vec<Vec<u8>>,
    stored: Vec<bool>,
}

impl<S: Scheme<KeyTable: InSlots>> Both<S> {
    fn new(scheme: &S, deletion: Deletion, width: usize) -> Self {
        let ranges = scheme.ranges();
        let spec =
            HashSpec::new(HashKind::Xxh3, Derivation::Seeds, ranges.len() as u32, width).unwrap();
        let mut made = Made::new(false);
        made.begin(9);
        let elements = scheme.size().elements;
        let key = |element| made.newcomer(element).unwrap()[..width].to_vec();
        Self {
            trial: scheme.table(deletion),
            keyed: scheme.key_table(Keyed { deletion, width }),
            source: Hashed::new(&spec, 5),
            ranges,
            keys: (0..elements).map(key).collect(),
            stored: vec![false; elements as usize],
        }
    }

    /// Inserts the element, or deletes it if it is there.
    fn change(&mut self, element: usize) {
        let bytes = &self.keys[element];
        if self.stored[element] {
            self.trial.delete(element as u32);
            self.keyed.delete(bytes, &mut self.source);
        } else {
            let mut made = self.source.element(bytes);
            let choices: Vec<u32> = self.ranges.iter().map(|&range| made.next(range)).collect();
            self.trial.insert(element as u32, &choices);
            self.keyed.insert(bytes, &mut self.source);
        }
        self.stored[element] = !self.stored[element];
    }

    /// Every slot is used for the same in both; returns the elements whose insertion failed.
    fn assert_same_slots(&mut self) -> u64 {
        for slot in 0..self.trial.slots().number() {
            let slots = self.keyed.slots();
            match (self.trial.slots().get(slot), slots.state(slot)) {
                (Slot::Full(element), State::Full) => {
                    assert_eq!(slots.key(slot), key(&self.keys[element as usize]));
                }
                (Slot::Empty, State::Empty) | (Slot::Tombstone, State::Tombstone) => {}
                other => panic!("slot {slot}: {other:?}"),
            }
        }
        let mut failed = 0;
        for (element, bytes) in self.keys.iter().enumerate() {
            let in_trial = self.trial.hit(element as u32).is_some();
            assert_eq!(self.keyed.contains(bytes, &mut self.source), in_trial);
            failed += u64::from(self.stored[element] && !in_trial);
        }
        failed
    }
}

/// A fill and 1500 random changes, looked at now and then; the most elements whose insertion had failed.
fn failed_like_a_trial<S: Scheme<KeyTable: InSlots>>(scheme: &S, deletion: Deletion) -> u64 {
    let mut most = 0;
    for width in [16, 7] {
        let mut both = Both::new(scheme, deletion, width);
        let elements = both.keys.len();
        (0..elements).for_each(|element| both.change(element));
        most = most.max(both.assert_same_slots());
        let mut rng = Rng::seed_from_u64(3);
        for step in 0..1500 {
            both.change((rng.next_u64() % elements as u64) as usize);
            if step % 50 == 0 {
                most = most.max(both.assert_same_slots());
            }
        }
        both.keyed.clear(0);
        both.trial.clear();
        both.stored.fill(false);
        both.assert_same_slots();
    }
    most
}

/// With a tenth of the slots free, and with none: searches then end after a whole round.
fn sizes(buckets: u32) -> [Size; 2] {
    [buckets * 9 / 10, buckets].map(|elements| Size { elements, buckets })
}

/// Insertions, deletions and look-ups of keys do in each slot what those of a trial's elements do.
#[test]
fn every_slot_holds_what_it_holds_in_a_trial() {
    for size in sizes(60) {
        let none = Params::default();
        for deletion in LinearProbing::DELETIONS {
            let linear = LinearProbing::from_params(size, &none).unwrap();
            assert_eq!(failed_like_a_trial(&linear, *deletion), 0);
            let robin_hood = RobinHood::from_params(size, &none).unwrap();
            assert_eq!(failed_like_a_trial(&robin_hood, *deletion), 0);
        }
        let double = DoubleHashing::from_params(size, &none).unwrap();
        assert_eq!(failed_like_a_trial(&double, Deletion::Tombstones), 0);
    }
    for size in sizes(64) {
        let quadratic = QuadraticProbing::from_params(size, &Params::default()).unwrap();
        assert_eq!(failed_like_a_trial(&quadratic, Deletion::Tombstones), 0);
    }
}

/// In small neighbourhoods keys have to hop, and for some there is no way.
#[test]
fn the_same_elements_hop_and_fail() {
    let failed = sizes(60).map(|size| {
        let mut params = Params::default();
        params.set(NEIGHBOURHOOD.name, Scalar::Integer(5));
        let hopscotch = Hopscotch::from_params(size, &params).unwrap();
        failed_like_a_trial(&hopscotch, Deletion::Freed)
    });
    assert!(failed.iter().all(|&failed| (1..20).contains(&failed)), "{failed:?}");
}

const ALL: [&str; 5] =
    ["linear-probing", "quadratic-probing", "double-hashing-table", "robin-hood", "hopscotch"];

fn case(scheme: &str, hash: &str) -> Box<dyn Case> {
    let given =
        [("elements", 470_i64.into()), ("buckets", 512_i64.into()), ("queries", 300_i64.into())];
    families::case(scheme, "probing-fill", hash, &given).unwrap()
}

/// The definition's own keys, hash functions and table: look-ups in the full one read what those of the trial of its seed
/// read.
#[test]
fn a_full_table_is_that_of_the_trial_of_its_seed() {
    for scheme in ALL {
        let case = case(scheme, "xxh3");
        let mut table = case.timed(&KeySource::Random, 8).unwrap();
        assert!(case.deletes() && case.timed_bytes(&KeySource::Random).unwrap() > table.bytes());
        assert_eq!(table.run(Operation::Insert, 1000), 470);
        let known = table.run(Operation::Hit, 470);
        let measured = table.measured().unwrap();
        assert!(first_trial(&*case, &KeySource::Random, 8).contains(&measured), "{scheme}");
        assert_eq!((measured.0, known), (PROBES_PER_HIT, 470), "{scheme}");
        assert_eq!(table.answers().positive, 0);
        assert_eq!(table.run(Operation::Delete, 300), 300);
        assert_eq!(table.run(Operation::Hit, 470), 170);
    }
}

#[test]
fn drawn_choices_are_no_table() {
    for scheme in ALL {
        let case = case(scheme, "random");
        assert_eq!(case.timed(&KeySource::Random, 1).err(), Some(Untimed::NO_KEYS));
        assert_eq!(case.timed_bytes(&KeySource::Random), Err(Untimed::NO_KEYS));
    }
}
