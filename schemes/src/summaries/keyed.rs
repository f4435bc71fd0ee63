//! Elements with keys, one after the other: the table and its summary as they would be built.

use super::members::Members;
use super::{Answers, Asked, Census, Multilevel, Summary};
use crate::filters::Bits;
use crate::hash::{Choices, Source};
use crate::keys::Arrivals;

/// A table whose elements have keys, with what a summary keeps of them.
pub(super) struct Keyed<'t, S: Summary> {
    table: &'t Multilevel,
    summary: &'t S,
    store: S::Store,
    taken: Bits,
    members: Members,
    pub(super) census: Census,
}

/// The hash functions of a trial: that of the table and those of the summary.
pub(super) struct Functions<H> {
    pub(super) table: H,
    pub(super) summary: Vec<H>,
}

impl<'t, S: Summary> Keyed<'t, S> {
    /// An empty one.
    pub(super) fn new(table: &'t Multilevel, summary: &'t S) -> Self {
        let (taken, census) = (Bits::new(table.buckets()), Census::new(table.types()));
        let (store, members) = (summary.store(), Members::default());
        Self { table, summary, store, taken, members, census }
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
        let mut types = vec![0_u32; usize::from(self.table.types()) + 1];
        for element in 0..self.table.elements() {
            let Some(key) = arrivals.newcomer(element) else { break };
            let place = self.place(functions.table.element(key));
            types[usize::from(place)] += 1;
            let own = if place == 0 { self.table.types() } else { place };
            self.summary.insert(&mut self.store, own, key, &mut functions.summary);
            self.members.push(key, own);
        }
        self.census.begin(types.iter().sum());
        (1..).zip(&types[1..]).for_each(|(own, &placed)| self.census.place(own, placed));
    }

    /// The sub-table, counted from 1, that takes the element of these choices; 0 where none does.
    #[inline(always)]
    fn place(&mut self, mut choices: impl Choices) -> u8 {
        for (own, sub_table) in (1..).zip(self.table.sub_tables()) {
            let bucket = sub_table.first + choices.next(sub_table.buckets);
            if !self.taken.is_set(bucket) {
                self.taken.set(bucket);
                return own;
            }
        }
        0
    }

    /// Asks for every element and for absent keys.
    pub(super) fn ask<H: Source>(
        &self,
        arrivals: &mut impl Arrivals,
        functions: &mut Functions<H>,
        asked: &Asked,
    ) -> Answers {
        let mut answers = Answers {
            failing: vec![0; usize::from(self.table.types())],
            given: self.summary.given(&self.store, &self.census),
            ..Answers::default()
        };
        let Self { summary, store, .. } = self;
        for (key, own) in self.members.iter() {
            let is_wrong = summary.look_up(store, key, &mut functions.summary) != own;
            answers.failing[usize::from(own) - 1] += u32::from(is_wrong);
        }
        while answers.asked < asked.queries {
            let Some(key) = arrivals.stranger() else { break };
            let told = summary.look_up(store, key, &mut functions.summary);
            answers.positive += u64::from(told > 0);
            answers.asked += 1;
        }
        answers
    }
}
