//! Elements with keys, one after the other: the table and its summary as they would be built.

use super::members::{Members, NOWHERE};
use super::{Answers, Asked, Census, Multilevel, Summary};
use crate::filters::Bits;
use crate::hash::{Choices, HashSpec, Source, derive_seed};
use crate::keys::Arrivals;

/// A table whose elements have keys, with what a summary keeps of them.
pub(super) struct Keyed<'t, S: Summary> {
    table: &'t Multilevel,
    summary: &'t S,
    store: S::Store,
    taken: Bits,
    members: Members,
}

/// The hash functions of a trial: that of the table and those of the summary.
pub(super) struct Functions<H> {
    pub(super) table: H,
    pub(super) summary: Vec<H>,
}

impl<H: Source> Functions<H> {
    /// Those of these specifications, that of the table first.
    pub(super) fn new(specs: &[HashSpec], seed: u64) -> Self {
        let of = |use_: usize| H::new(&specs[use_], derive_seed(seed, use_ as u64));
        Self { table: of(0), summary: (1..specs.len()).map(of).collect() }
    }
}

impl<'t, S: Summary> Keyed<'t, S> {
    /// An empty one, for keys of at most so many bytes.
    pub(super) fn new(table: &'t Multilevel, summary: &'t S, key_bytes: usize) -> Self {
        let (store, taken) = (summary.store(), Bits::new(table.buckets()));
        Self { table, summary, store, taken, members: Members::new(key_bytes) }
    }

    /// Fills it anew with as many elements as arrive with keys of their own, at most n.
    pub(super) fn fill<H: Source>(
        &mut self,
        arrivals: &mut impl Arrivals,
        functions: &mut Functions<H>,
    ) {
        self.summary.clear(&mut self.store);
        self.taken.clear();
        self.members.clear();
        for element in 0..self.table.elements() {
            if !self.arrive(element, arrivals, functions) {
                break;
            }
        }
    }

    /// An element arrives and gets this number; whether there was one with a key of its own.
    #[inline(always)]
    pub(super) fn arrive<H: Source>(
        &mut self,
        element: u32,
        arrivals: &mut impl Arrivals,
        functions: &mut Functions<H>,
    ) -> bool {
        let Some(key) = arrivals.newcomer(element) else { return false };
        let (own, bucket) = place(self.table, &mut self.taken, functions.table.element(key));
        self.summary.insert(&mut self.store, own, key, &mut functions.summary);
        self.members.put(element, key, own, bucket);
        true
    }

    /// Takes an element out of table and summary.
    pub(super) fn take_out<H: Source>(&mut self, element: u32, functions: &mut Functions<H>) {
        let (key, member) = self.members.get(element);
        self.summary.remove(&mut self.store, member.own, key, &mut functions.summary);
        if member.bucket != NOWHERE {
            self.taken.unset(member.bucket);
        }
    }

    /// Elements that are in it.
    pub(super) fn elements(&self) -> u32 {
        self.members.len()
    }

    /// Where they are.
    pub(super) fn census(&self) -> Census {
        let types = self.table.types();
        let mut placed = vec![0_u32; usize::from(types)];
        for (_, member) in self.members.iter().filter(|(_, own)| own.bucket != NOWHERE) {
            placed[usize::from(member.own) - 1] += 1;
        }
        let mut census = Census::new(types);
        census.begin(self.members.len());
        (1..).zip(placed).for_each(|(own, placed)| census.place(own, placed));
        census
    }

    /// Asks for every element and for absent keys.
    pub(super) fn ask<H: Source>(
        &self,
        census: &Census,
        arrivals: &mut impl Arrivals,
        functions: &mut Functions<H>,
        asked: &Asked,
    ) -> Answers {
        let Self { summary, store, .. } = self;
        if !summary.is_asked() {
            return Answers { counters: summary.counters(store), ..Answers::default() };
        }
        let mut failing = vec![0; usize::from(self.table.types())];
        for (key, member) in self.members.iter() {
            let is_wrong = summary.look_up(store, key, &mut functions.summary) != member.own;
            failing[usize::from(member.own) - 1] += u32::from(is_wrong);
        }
        let (given, counters) = (summary.given(store, census, &failing), summary.counters(store));
        let mut answers = Answers { failing, given, counters, ..Answers::default() };
        while answers.asked < asked.queries {
            let Some(key) = arrivals.stranger() else { break };
            let told = summary.look_up(store, key, &mut functions.summary);
            answers.positive += u64::from(told > 0);
            answers.asked += 1;
        }
        answers
    }
}

/// The type and the bucket of an element of these choices, which is taken from now on; where none of its buckets is
/// empty, the last type.
#[inline(always)]
fn place(table: &Multilevel, taken: &mut Bits, mut choices: impl Choices) -> (u8, u32) {
    for (own, sub_table) in (1..).zip(table.sub_tables()) {
        let bucket = sub_table.first + choices.next(sub_table.buckets);
        if !taken.is_set(bucket) {
            taken.set(bucket);
            return (own, bucket);
        }
    }
    (table.types(), NOWHERE)
}
