//! A multilevel table that stores keys, with its summary.

use super::buckets::Buckets;
use crate::hash::{Choices as _, Source};
use crate::summaries::keyed::Functions;
use crate::summaries::{Multilevel, Summary};
use crate::timed::Structure;

/// Buckets of keys and what the summary keeps of them. An element of a crisis is stored nowhere.
pub(super) struct Summarised<S: Summary, H> {
    table: Multilevel,
    summary: S,
    store: S::Store,
    buckets: Buckets,
    functions: Functions<H>,
}

impl<S: Summary, H: Source> Summarised<S, H> {
    /// An empty one, for keys of so many bytes.
    pub(super) fn new(
        table: Multilevel,
        summary: S,
        functions: Functions<H>,
        width: usize,
    ) -> Self {
        let (store, buckets) = (summary.store(), Buckets::new(table.buckets(), width));
        Self { table, summary, store, buckets, functions }
    }

    /// The first sub-table with its bucket of this key that is as wanted.
    #[inline(always)]
    fn first(&mut self, key: &[u8], wanted: impl Fn(&Buckets, u32) -> bool) -> Option<(u8, u32)> {
        let mut choices = self.functions.table.element(key);
        (1..).zip(self.table.sub_tables()).find_map(|(own, sub_table)| {
            let bucket = sub_table.first + choices.next(sub_table.buckets);
            wanted(&self.buckets, bucket).then_some((own, bucket))
        })
    }
}

impl<S: Summary, H: Source> Structure for Summarised<S, H> {
    fn clear(&mut self) {
        self.summary.clear(&mut self.store);
        self.buckets.clear();
    }

    fn insert(&mut self, key: &[u8]) {
        let place = self.first(key, |buckets, bucket| !buckets.is_taken(bucket));
        if let Some((_, bucket)) = place {
            self.buckets.put(bucket, key);
        }
        let own = place.map_or_else(|| self.table.types(), |(own, _)| own);
        self.summary.insert(&mut self.store, own, key, &mut self.functions.summary);
    }

    /// Of the bucket that the summary tells, or without one of any of its own.
    #[inline(always)]
    fn contains(&mut self, key: &[u8]) -> bool {
        if !S::TELLS {
            return self.first(key, |buckets, bucket| buckets.holds(bucket, key)).is_some();
        }
        let told = self.summary.look_up(&self.store, key, &mut self.functions.summary);
        let mut choices = self.functions.table.element(key);
        let told = self.table.sub_tables().take(told.into());
        let bucket = told.map(|own| own.first + choices.next(own.buckets)).last();
        bucket.is_some_and(|bucket| self.buckets.holds(bucket, key))
    }

    fn delete(&mut self, key: &[u8]) {
        let found = self.first(key, |buckets, bucket| buckets.holds(bucket, key));
        if let Some((_, bucket)) = found {
            self.buckets.take(bucket);
        }
        let own = found.map_or_else(|| self.table.types(), |(own, _)| own);
        self.summary.remove(&mut self.store, own, key, &mut self.functions.summary);
    }

    fn bytes(&self) -> u64 {
        let of_summary = self.summary.bytes(self.table.elements()).unwrap_or_default();
        self.buckets.bytes_of_keys() + self.table.bit_table_bytes() + of_summary
    }
}
