//! A batch of trials of one point: the types of scheme and hash are fixed here, outside the loop.

use std::marker::PhantomData;
use std::ops::Range;

use loadfactor_schemes::hash::{HashSpec, Source, SourceVisitor};
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::tables::{AnyScheme, Scheme, SchemeVisitor, Table, TableVisitor};

use super::arrivals::{Arrivals, KeySource, Keyless, Made, Packets};
use super::readings::Readings;
use super::trial::{self, Workload};
use super::{Process, Seeds};
use crate::estimate::moments::Moments;

/// Everything that decides a point's trials.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The configured scheme.
    pub scheme: AnyScheme,
    /// The hash function and how it gives choices.
    pub hash: HashSpec,
    /// The sequence of insertions and deletions.
    pub process: Process,
    /// The keys of arriving elements.
    pub keys: KeySource,
    /// Seed from which the trials' seeds are derived.
    pub seed: u64,
}

impl Setup {
    /// Runs these trials; the moments of each metric over the trials, in a fixed order.
    pub fn run(&self, trials: Range<u64>) -> Vec<(Metric, Moments)> {
        self.scheme.visit(WithScheme { setup: self, trials })
    }
}

struct WithScheme<'a> {
    setup: &'a Setup,
    trials: Range<u64>,
}

impl SchemeVisitor for WithScheme<'_> {
    type Output = Vec<(Metric, Moments)>;

    fn visit<S: Scheme>(self, scheme: &S) -> Self::Output {
        self.setup.hash.visit(WithHash { setup: self.setup, scheme, trials: self.trials })
    }
}

struct WithHash<'a, S> {
    setup: &'a Setup,
    scheme: &'a S,
    trials: Range<u64>,
}

impl<S: Scheme> SourceVisitor for WithHash<'_, S> {
    type Output = Vec<(Metric, Moments)>;

    fn visit<C: Source>(self) -> Self::Output {
        match &self.setup.keys {
            KeySource::Trace { keys, renew, shuffled } => {
                let elements = self.scheme.geometry().elements;
                self.run::<C, _>(Packets::new(keys, *renew, *shuffled, elements))
            }
            KeySource::Random if C::LOOKS_AT_KEYS => self.run::<C, _>(Made::new(false)),
            KeySource::Sequential if C::LOOKS_AT_KEYS => self.run::<C, _>(Made::new(true)),
            KeySource::Random | KeySource::Sequential => self.run::<C, _>(Keyless),
        }
    }
}

impl<S: Scheme> WithHash<'_, S> {
    fn run<C: Source, A: Arrivals>(self, arrivals: A) -> Vec<(Metric, Moments)> {
        let Self { setup, scheme, trials } = self;
        let elements = scheme.geometry().elements;
        let with_table =
            WithTable { setup, elements, trials, arrivals, source: PhantomData::<fn() -> C> };
        scheme.table(setup.process.has_departures(), with_table)
    }
}

struct WithTable<'a, C, A> {
    setup: &'a Setup,
    elements: u32,
    trials: Range<u64>,
    arrivals: A,
    source: PhantomData<fn() -> C>,
}

impl<C: Source, A: Arrivals> TableVisitor for WithTable<'_, C, A> {
    type Output = Vec<(Metric, Moments)>;

    fn visit<T: Table>(self, mut table: T) -> Self::Output {
        let Self { setup, elements, trials, mut arrivals, .. } = self;
        let Setup { hash, process, keys, seed, .. } = setup;
        let with_keys = matches!(keys, KeySource::Trace { .. });
        let workload = Workload { elements, process, hash };
        let mut moments = Vec::new();
        for number in trials {
            let seeds = Seeds::of(*seed, number);
            table.clear();
            arrivals.begin(seeds.keys);
            let sums;
            (table, arrivals, sums) = trial::run::<_, C, _>(table, arrivals, workload, &seeds);
            let readings = Readings { sums: &sums, elements, with_keys };
            record(&mut moments, readings.of(&table));
        }
        moments
    }
}

/// Adds one trial's readings: one observation per metric, whatever the length of the window.
fn record(moments: &mut Vec<(Metric, Moments)>, readings: impl IntoIterator<Item = (Metric, f64)>) {
    for (slot, (metric, value)) in readings.into_iter().enumerate() {
        if slot == moments.len() {
            moments.push((metric, Moments::default()));
        }
        moments[slot].1.push(value);
    }
}
