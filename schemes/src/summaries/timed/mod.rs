//! A multilevel table that stores keys, with its summary, to be timed.

use super::keyed::Functions;
use super::{Multilevel, Summary};
use crate::filters::Bits;
use crate::hash::{Choices as _, FamilyVisitor, HashFamily, HashSpec, Hashed, Source};
use crate::keys::{KeySource, Seeds};
use crate::timed::{Operation, Timed, TimedKeys, Untimed};

/// The table with the keys and the hash functions of a trial of this seed, and with at most so many absent keys.
///
/// # Errors
/// Where choices are drawn, a trace has too few different keys, or these are not of one width.
pub(super) fn structure<S: Summary>(
    table: Multilevel,
    summary: S,
    hashes: &[HashSpec],
    keys: &KeySource,
    (absent, seed): (u64, u64),
) -> Result<Box<dyn Timed>, Untimed> {
    let seeds = Seeds::of(seed, 0);
    let keys = TimedKeys::of(keys, table.elements(), absent, seeds.keys);
    let keys = keys.ok_or(Untimed::TOO_FEW_KEYS)?;
    let width = keys.width().ok_or(ONE_WIDTH)?;
    let kind = hashes[0].hash();
    let made = Made { table, summary, hashes, keys, width, seed: seeds.hash };
    kind.visit(made).map_err(|_| Untimed::NO_KEYS)
}

/// A bucket has room for a key of one width.
const ONE_WIDTH: Untimed = Untimed("the keys of the trace are not all of one width");

/// A structure whose hash function has no type yet.
struct Made<'h, S> {
    table: Multilevel,
    summary: S,
    hashes: &'h [HashSpec],
    keys: TimedKeys,
    width: usize,
    seed: u64,
}

impl<S: Summary> FamilyVisitor for Made<'_, S> {
    type Output = Box<dyn Timed>;

    fn visit<H: HashFamily>(self) -> Box<dyn Timed> {
        let Self { table, summary, hashes, keys, width, seed } = self;
        let functions = Functions::<Hashed<H>>::new(hashes, seed);
        let buckets = Buckets {
            taken: Bits::new(table.buckets()),
            keys: vec![0; table.buckets() as usize * width],
            width,
        };
        let store = summary.store();
        Box::new(TimedTable { table, summary, store, buckets, functions, keys })
    }
}

/// Buckets of one key each.
struct Buckets {
    taken: Bits,
    keys: Vec<u8>,
    width: usize,
}

impl Buckets {
    fn put(&mut self, bucket: u32, key: &[u8]) {
        self.taken.set(bucket);
        let first = bucket as usize * self.width;
        self.keys[first..first + self.width].copy_from_slice(key);
    }

    fn holds(&self, bucket: u32, key: &[u8]) -> bool {
        let first = bucket as usize * self.width;
        self.taken.is_set(bucket) && self.keys[first..first + self.width] == *key
    }
}

/// A table between the operations that are timed. An element of a crisis is stored nowhere.
struct TimedTable<S: Summary, H> {
    table: Multilevel,
    summary: S,
    store: S::Store,
    buckets: Buckets,
    functions: Functions<H>,
    keys: TimedKeys,
}

/// What the operations of a table need, beside the key.
struct Parts<'t, S: Summary, H> {
    table: &'t Multilevel,
    summary: &'t S,
    store: &'t mut S::Store,
    buckets: &'t mut Buckets,
    functions: &'t mut Functions<H>,
}

impl<S: Summary, H: Source> Parts<'_, S, H> {
    /// The first sub-table with its bucket of this key that is as wanted.
    #[inline(always)]
    fn first(&mut self, key: &[u8], wanted: impl Fn(&Buckets, u32) -> bool) -> Option<(u8, u32)> {
        let mut choices = self.functions.table.element(key);
        (1..).zip(self.table.sub_tables()).find_map(|(own, sub_table)| {
            let bucket = sub_table.first + choices.next(sub_table.buckets);
            wanted(self.buckets, bucket).then_some((own, bucket))
        })
    }

    fn insert(&mut self, key: &[u8]) {
        let place = self.first(key, |buckets, bucket| !buckets.taken.is_set(bucket));
        if let Some((_, bucket)) = place {
            self.buckets.put(bucket, key);
        }
        let own = place.map_or_else(|| self.table.types(), |(own, _)| own);
        self.summary.insert(self.store, own, key, &mut self.functions.summary);
    }

    /// Whether the key is in the bucket that the summary tells, or without one in any of its own.
    #[inline(always)]
    fn holds(&mut self, key: &[u8]) -> bool {
        if !S::TELLS {
            return self.first(key, |buckets, bucket| buckets.holds(bucket, key)).is_some();
        }
        let told = self.summary.look_up(self.store, key, &mut self.functions.summary);
        let mut choices = self.functions.table.element(key);
        let told = self.table.sub_tables().take(told.into());
        let bucket = told.map(|own| own.first + choices.next(own.buckets)).last();
        bucket.is_some_and(|bucket| self.buckets.holds(bucket, key))
    }

    fn take_out(&mut self, key: &[u8]) {
        let found = self.first(key, |buckets, bucket| buckets.holds(bucket, key));
        if let Some((_, bucket)) = found {
            self.buckets.taken.unset(bucket);
        }
        let own = found.map_or_else(|| self.table.types(), |(own, _)| own);
        self.summary.remove(self.store, own, key, &mut self.functions.summary);
    }
}

impl<S: Summary, H: Source> Timed for TimedTable<S, H> {
    fn elements(&self) -> u64 {
        self.keys.elements()
    }

    fn absent(&self) -> u64 {
        self.keys.absent()
    }

    fn clear(&mut self) {
        self.summary.clear(&mut self.store);
        self.buckets.taken.clear();
        self.keys.clear();
    }

    fn run(&mut self, operation: Operation, count: u64) -> u64 {
        let Self { table, summary, store, buckets, functions, keys } = self;
        let mut parts = Parts { table, summary, store, buckets, functions };
        let mut yes = 0;
        match operation {
            Operation::Insert => {
                yes = keys.arrive(count);
                (0..yes).for_each(|_| parts.insert(keys.next_arriving()));
            }
            Operation::Hit => {
                (0..count).for_each(|_| yes += u64::from(parts.holds(keys.next_element())));
            }
            Operation::Miss => {
                (0..count).for_each(|_| yes += u64::from(parts.holds(keys.next_absent())));
            }
            Operation::Delete => {
                yes = keys.leave(count);
                (0..yes).for_each(|_| parts.take_out(keys.next_leaving()));
            }
        }
        yes
    }

    fn bytes(&self) -> u64 {
        let of_summary = self.summary.bytes(self.table.elements()).unwrap_or_default();
        self.buckets.keys.len() as u64 + self.table.bit_table_bytes() + of_summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;
    use crate::params::Scalar;

    fn timed(scheme: &str, hash: &str, own: &[(&str, Scalar)]) -> Result<Box<dyn Timed>, Untimed> {
        let table = [
            ("elements", Scalar::from(1000_i64)),
            ("sub_table_buckets", "4000 1000 500 250 250".into()),
            ("queries", 5000_i64.into()),
        ];
        let given = [&table[..], own].concat();
        let case = families::case(scheme, "summary-fill", hash, &given).unwrap();
        case.timed(&KeySource::Random, 7)
    }

    fn schemes() -> [(&'static str, Vec<(&'static str, Scalar)>); 4] {
        let cells = vec![("cells", 15_000_i64.into()), ("cell_choices", 15_i64.into())];
        let choices = ("filter_choices", "7 20 20 20 20".into());
        let places = "10600 12000 2000 300 200";
        let bits = vec![("filter_bits", places.into()), choices.clone()];
        let counters = vec![
            ("filter_counters", places.into()),
            choices,
            ("filter_counter_bits", "8 8 8 8 8".into()),
        ];
        [
            ("mht", Vec::new()),
            ("single-filter-summary", cells),
            ("multiple-filter-summary", bits),
            ("counting-filter-summary", counters),
        ]
    }

    /// Look-ups end in the bucket that holds the key, or in one that does not: a full table knows each of its
    /// elements, and no absent key, whatever the summary tells.
    #[test]
    fn every_element_is_found_and_no_absent_key_is() {
        for (scheme, own) in schemes() {
            let mut table = timed(scheme, "xxh3", &own).unwrap();
            assert_eq!(table.run(Operation::Hit, 1000), 0, "it is empty");
            assert_eq!(table.run(Operation::Insert, 400), 400);
            assert_eq!(table.run(Operation::Insert, 4000), 600);
            assert_eq!(table.run(Operation::Hit, 2500), 2500, "{scheme}");
            assert_eq!(table.answers().positive, 0, "{scheme}");
            table.clear();
            assert_eq!(table.run(Operation::Hit, 1000), 0);
        }
    }

    #[test]
    fn what_is_deleted_is_forgotten() {
        for (scheme, own) in [0, 3].map(|number| schemes()[number].clone()) {
            let mut table = timed(scheme, "xxh3", &own).unwrap();
            table.run(Operation::Insert, 1000);
            assert_eq!(table.run(Operation::Delete, 700), 700);
            assert_eq!(table.run(Operation::Hit, 1000), 300, "{scheme}");
            assert_eq!(table.run(Operation::Insert, 700), 700);
            assert_eq!(table.run(Operation::Hit, 1000), 1000, "{scheme}");
        }
    }

    #[test]
    fn drawn_choices_are_no_structure() {
        assert_eq!(timed("mht", "random", &[]).err(), Some(Untimed::NO_KEYS));
    }
}
