//! A batch of trials of one point: the types of scheme and hash are fixed here, outside the loop.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use loadfactor_schemes::hash::{HashKind, HashSpec, Source, SourceVisitor};
use loadfactor_schemes::laws::Laws;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::tables::{
    AnyScheme, Scheme, SchemeVisitor, StaticFill, Table, TableVisitor, constant_loads,
};
use loadfactor_schemes::theory::on_off::OnOff;

use super::arrivals::{Arrivals, KeySource, Keyless, Made, Packets};
use super::course::{Averages, Course};
use super::laws::LawReader;
use super::readings::{Outcome, Reading, Readings};
use super::trial::{self, Sums, Workload};
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
    /// The laws that are measured beside means.
    pub laws: Laws,
    /// The keys of arriving elements.
    pub keys: KeySource,
    /// Seed from which the trials' seeds are derived.
    pub seed: u64,
    /// What the heuristic for on-off flows needs.
    pub constant_loads: ConstantLoads,
}

/// The overflow fractions of a scheme under alternation with 0, 1, … elements, up to where the
/// queue of on-off flows hardly ever comes: computed when a trial first needs them, once for all
/// batches of a point.
#[derive(Debug, Clone, Default)]
pub struct ConstantLoads(Arc<OnceLock<Option<Vec<f64>>>>);

impl ConstantLoads {
    fn of<S: Scheme>(&self, scheme: &S, flows: &OnOff) -> Option<&[f64]> {
        let compute = || constant_loads(scheme, flows.law().ok()?.shares.len());
        self.0.get_or_init(compute).as_deref()
    }
}

impl Setup {
    /// Runs these trials; the moments of each metric over the trials, in a fixed order.
    pub fn run(&self, trials: Range<u64>) -> Vec<(Metric, Moments)> {
        self.scheme.visit(WithScheme { setup: self, trials })
    }

    /// In place of a table, where the trials look at no key, nothing departs, and the scheme has it: a
    /// matter of the definition alone, so that results are too.
    fn static_fill<S: Scheme>(&self, scheme: &S) -> Option<StaticFill> {
        let keyless = !matches!(self.keys, KeySource::Trace { .. });
        let random = self.hash.hash() == HashKind::Random && keyless;
        (random && self.process == Process::StaticFill).then(|| scheme.static_fill()).flatten()
    }

    fn fill(
        &self,
        mut fill: StaticFill,
        elements: u32,
        trials: Range<u64>,
    ) -> Vec<(Metric, Moments)> {
        let (mut moments, mut laws) = (Vec::new(), LawReader::new(self.laws));
        for number in trials {
            let (sums, overflow) = trial::fill(&mut fill, elements, &Seeds::of(self.seed, number));
            let outcome = Outcome::of_fill(&fill, overflow);
            let readings = self.readings(&sums, None, elements).of(&outcome);
            record(&mut moments, readings.into_iter().chain(laws.of(&outcome)));
        }
        moments.retain(|(_, moments)| moments.count() > 0);
        moments
    }

    fn readings<'s>(
        &'s self,
        sums: &'s Sums,
        averages: Option<&'s Averages<'s>>,
        elements: u32,
    ) -> Readings<'s> {
        let with_keys = matches!(self.keys, KeySource::Trace { .. });
        Readings { sums, averages, process: &self.process, elements, with_keys }
    }
}

struct WithScheme<'a> {
    setup: &'a Setup,
    trials: Range<u64>,
}

impl SchemeVisitor for WithScheme<'_> {
    type Output = Vec<(Metric, Moments)>;

    fn visit<S: Scheme>(self, scheme: &S) -> Self::Output {
        let Self { setup, trials } = self;
        match setup.static_fill(scheme) {
            Some(fill) => setup.fill(fill, scheme.geometry().elements, trials),
            None => setup.hash.visit(WithHash { setup, scheme, trials }),
        }
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
        let constant_loads = match &setup.process {
            Process::OnOff { flows, .. } => setup.constant_loads.of(scheme, flows),
            _ => None,
        };
        let course = Course::of(&setup.process, elements, constant_loads);
        let source = PhantomData::<fn() -> C>;
        let with_table = WithTable { setup, elements, trials, arrivals, course, source };
        scheme.table(setup.process.has_departures(), with_table)
    }
}

struct WithTable<'a, C, A> {
    setup: &'a Setup,
    elements: u32,
    trials: Range<u64>,
    arrivals: A,
    /// What a trial follows, where it does not consist of rounds.
    course: Option<Course<'a>>,
    source: PhantomData<fn() -> C>,
}

impl<C: Source, A: Arrivals> TableVisitor for WithTable<'_, C, A> {
    type Output = Vec<(Metric, Moments)>;

    fn visit<T: Table>(mut self, table: T) -> Self::Output {
        let mut moments = match self.course.take() {
            Some(course) => self.follow(table, course),
            None => self.run(table),
        };
        moments.retain(|(_, moments)| moments.count() > 0);
        moments
    }
}

impl<'a, C: Source, A: Arrivals> WithTable<'a, C, A> {
    fn run<T: Table>(self, mut table: T) -> Vec<(Metric, Moments)> {
        let workload = self.workload();
        let Self { setup, trials, mut arrivals, .. } = self;
        let (mut moments, mut laws) = (Vec::new(), LawReader::new(setup.laws));
        for number in trials {
            let seeds = Seeds::of(setup.seed, number);
            table.clear();
            arrivals.begin(seeds.keys);
            let sums;
            (table, arrivals, sums) = trial::run::<_, C, _>(table, arrivals, workload, &seeds);
            let outcome = Outcome::of(&table);
            let readings = setup.readings(&sums, None, workload.elements).of(&outcome);
            record(&mut moments, readings.into_iter().chain(laws.of(&outcome)));
        }
        moments
    }

    fn follow<T: Table>(self, mut table: T, mut course: Course<'_>) -> Vec<(Metric, Moments)> {
        let workload = self.workload();
        let Self { setup, trials, mut arrivals, .. } = self;
        let (mut moments, mut laws) = (Vec::new(), LawReader::new(setup.laws));
        for number in trials {
            let seeds = Seeds::of(setup.seed, number);
            table.clear();
            arrivals.begin(seeds.keys);
            course.begin(&seeds);
            let sums =
                trial::follow::<_, C, _>(&mut table, &mut arrivals, &mut course, workload, &seeds);
            let averages = Some(course.averages());
            let outcome = Outcome::of(&table);
            let readings = setup.readings(&sums, averages, workload.elements).of(&outcome);
            record(&mut moments, readings.into_iter().chain(laws.of(&outcome)));
        }
        moments
    }

    fn workload(&self) -> Workload<'a> {
        Workload { elements: self.elements, process: &self.setup.process, hash: &self.setup.hash }
    }
}

/// Adds one trial's readings: one observation per metric, whatever the length of the window.
fn record(moments: &mut Vec<(Metric, Moments)>, readings: impl IntoIterator<Item = Reading>) {
    for (slot, (metric, value)) in readings.into_iter().enumerate() {
        if slot == moments.len() {
            moments.push((metric, Moments::default()));
        }
        moments[slot].1.extend(value);
    }
}
