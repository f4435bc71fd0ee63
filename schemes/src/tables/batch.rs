//! A batch of trials of one point: the types of table, hash function and keys are fixed here, outside
//! the loop.

use std::marker::PhantomData;
use std::ops::Range;

use super::case::TableCase;
use super::law_readings::LawReader;
use super::readings::{Outcome, Reading, Readings};
use super::static_fill::StaticFill;
use super::trial::{self, Rounds, Setting, Sums};
use super::workloads::Schedule;
use super::workloads::course::{Averages, Course};
use super::{Process, Scheme, Table, TableVisitor};
use crate::case::Record;
use crate::hash::{HashKind, Source};
use crate::keys::{self, Arrivals, KeySource, Keyed, Seeds};

/// Trials of a case, and who takes their readings.
pub(super) struct Batch<'a, S> {
    pub(super) case: &'a TableCase<S>,
    pub(super) keys: &'a KeySource,
    /// Seed from which the trials' seeds are derived.
    pub(super) seed: u64,
    pub(super) trials: Range<u64>,
    pub(super) out: &'a mut dyn Record,
}

impl<S: Scheme> Batch<'_, S> {
    pub(super) fn run(self) {
        match self.static_fill() {
            Some(fill) => self.fill(fill),
            None => {
                let elements = self.elements();
                keys::visit(&self.case.hash, self.keys, elements, self);
            }
        }
    }

    /// In place of a table, where the trials look at no key, nothing departs, and the scheme has it: a
    /// matter of the definition alone, so that results are too.
    fn static_fill(&self) -> Option<StaticFill> {
        let keyless = !matches!(self.keys, KeySource::Trace { .. });
        let random = self.case.hash.hash() == HashKind::Random && keyless;
        let fills = random && self.case.process() == Process::StaticFill;
        fills.then(|| self.case.scheme.static_fill()).flatten()
    }

    fn fill(self, mut fill: StaticFill) {
        let elements = self.elements();
        let mut reader = self.reader();
        for number in self.trials {
            let (sums, overflow) = trial::fill(&mut fill, elements, &Seeds::of(self.seed, number));
            reader.read(&sums, None, &Outcome::of_fill(&fill, overflow), self.out);
        }
    }

    fn elements(&self) -> u32 {
        self.case.scheme.geometry().elements
    }

    fn reader(&self) -> Reader {
        Reader {
            process: self.case.process(),
            elements: self.elements(),
            with_keys: matches!(self.keys, KeySource::Trace { .. }),
            laws: LawReader::new(self.case.laws),
        }
    }
}

/// From what a trial left to the readings that are recorded.
struct Reader {
    process: Process,
    elements: u32,
    with_keys: bool,
    laws: LawReader,
}

impl Reader {
    fn read(
        &mut self,
        sums: &Sums,
        averages: Option<&Averages<'_>>,
        outcome: &Outcome,
        out: &mut dyn Record,
    ) {
        let Self { process, elements, with_keys, .. } = *self;
        let readings = Readings { sums, averages, process: &process, elements, with_keys };
        let all: [Vec<Reading>; 2] = [readings.of(outcome), self.laws.of(outcome)];
        all.into_iter().flatten().for_each(|(metric, value)| out.reading(metric, value));
        out.end_of_trial();
    }
}

impl<S: Scheme> Keyed for Batch<'_, S> {
    type Output = ();

    fn run<C: Source, A: Arrivals>(self, arrivals: A) {
        let scheme = &*self.case.scheme;
        let process = self.case.process();
        let constant_loads = self.case.constant_loads.get(scheme, &process);
        let schedule = self.case.workload.schedule(self.elements(), constant_loads);
        let source = PhantomData::<fn() -> C>;
        scheme
            .table(process.has_departures(), WithTable { batch: self, arrivals, schedule, source });
    }
}

struct WithTable<'a, 'f, S, C, A> {
    batch: Batch<'a, S>,
    arrivals: A,
    schedule: Schedule<'f>,
    source: PhantomData<fn() -> C>,
}

impl<S: Scheme, C: Source, A: Arrivals> TableVisitor for WithTable<'_, '_, S, C, A> {
    type Output = ();

    fn visit<T: Table>(self, table: T) {
        let Self { batch, arrivals, schedule, .. } = self;
        match schedule {
            Schedule::Rounds { overflowed, windows } => {
                let rounds = Rounds { overflowed, windows: &windows };
                batch.rounds::<T, C, A>(table, arrivals, rounds);
            }
            Schedule::Course(course) => batch.follow::<T, C, A>(table, arrivals, course),
        }
    }
}

impl<S: Scheme> Batch<'_, S> {
    fn rounds<T: Table, C: Source, A: Arrivals>(
        self,
        mut table: T,
        mut arrivals: A,
        rounds: Rounds<'_>,
    ) {
        let setting = Setting { elements: self.elements(), hash: &self.case.hash };
        let mut reader = self.reader();
        for number in self.trials {
            let seeds = Seeds::of(self.seed, number);
            table.clear();
            arrivals.begin(seeds.keys);
            let sums;
            (table, arrivals, sums) =
                trial::run::<_, C, _>(table, arrivals, setting, rounds, &seeds);
            reader.read(&sums, None, &Outcome::of(&table), self.out);
        }
    }

    fn follow<T: Table, C: Source, A: Arrivals>(
        self,
        mut table: T,
        mut arrivals: A,
        mut course: Course<'_>,
    ) {
        let setting = Setting { elements: self.elements(), hash: &self.case.hash };
        let mut reader = self.reader();
        for number in self.trials {
            let seeds = Seeds::of(self.seed, number);
            table.clear();
            arrivals.begin(seeds.keys);
            course.begin(&seeds);
            let sums =
                trial::follow::<_, C, _>(&mut table, &mut arrivals, &mut course, setting, &seeds);
            reader.read(&sums, Some(course.averages()), &Outcome::of(&table), self.out);
        }
    }
}
