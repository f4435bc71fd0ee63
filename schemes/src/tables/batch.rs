//! A batch of trials of one point: the types of table, hash function and keys are fixed here, outside
//! the loop.

use std::marker::PhantomData;
use std::ops::Range;

use super::by_load::{ByLoad, Steps};
use super::follow::follow;
use super::law_readings::LawReader;
use super::multilevel::by_level::{self, Jumping, Number, Numbered, Passed};
use super::nameless::{self, Nameless, NamelessVisitor, Shape};
use super::readings::{Outcome, Reading, Readings};
use super::setup::Setup;
use super::static_fill::StaticFill;
use super::trial::{self, Rounds, Setting, Sums};
use super::workloads::Schedule;
use super::workloads::course::{Averages, Blocks, Course};
use super::{Geometry, Process, Scheme, Table, TableVisitor};
use crate::case::Record;
use crate::hash::Source;
use crate::keys::{self, Arrivals, KeySource, Keyed, Seeds, Stream, Streamed};

/// Trials of a setup, and who takes their readings.
pub(super) struct Batch<'a, S> {
    pub(super) setup: &'a Setup<S>,
    pub(super) keys: &'a KeySource,
    /// Seed from which the trials' seeds are derived.
    pub(super) seed: u64,
    pub(super) trials: Range<u64>,
    pub(super) out: &'a mut dyn Record,
}

impl<S: Scheme> Batch<'_, S> {
    pub(super) fn run(self) {
        if self.setup.lockstep
            && let Some((by_load, steps)) = self.setup.by_load(self.keys)
        {
            return self.by_load(&by_load, &steps);
        }
        match self.setup.static_fill(self.keys) {
            Some(fill) => self.fill(fill),
            None => {
                if let Some(batch) = self.drawn_ahead() {
                    let elements = batch.elements();
                    keys::visit(&batch.setup.hash, batch.keys, elements, batch);
                }
            }
        }
    }

    /// Runs the trials with choices drawn together and departures drawn ahead, where that is possible: a matter of the
    /// definition alone, so that results are too. Gives itself back where it is not.
    fn drawn_ahead(self) -> Option<Self> {
        let setup = self.setup;
        if !setup.is_random(self.keys) {
            return Some(self);
        }
        let geometry = setup.scheme.geometry();
        let by_level = setup.scheme.by_level();
        let mut batch = Some(self);
        match setup.schedule() {
            Schedule::Rounds(rounds) if let Some(table) = by_level.and_then(|it| it.table()) => {
                batch.take()?.by_level(table, rounds);
            }
            Schedule::Rounds(rounds) if nameless::pays(&geometry) => {
                setup.scheme.nameless(Unnamed { batch: &mut batch, rounds, geometry });
            }
            Schedule::Rounds(_) => {}
            Schedule::Course(course) => {
                let course = course.in_blocks();
                if let Some(jumping) = by_level.and_then(|it| it.jumping(course.kind())) {
                    batch.take()?.jumping(jumping, course);
                    return None;
                }
                setup.scheme.nameless(InBlocks { batch: &mut batch, course, geometry });
            }
        }
        batch
    }

    fn fill(self, mut fill: StaticFill) {
        let elements = self.elements();
        let mut reader = self.reader();
        for number in self.trials {
            let (sums, overflow) = trial::fill(&mut fill, elements, &Seeds::of(self.seed, number));
            reader.read(&sums, None, &Outcome::of_fill(&fill, overflow), self.out);
        }
    }

    fn by_load(self, by_load: &ByLoad, steps: &Steps) {
        let mut reader = self.reader();
        let Self { setup, seed, trials, out, .. } = self;
        let averages = match setup.schedule() {
            Schedule::Rounds(_) => Averages::default(),
            Schedule::Course(course) => course.into_averages(),
        };
        let seeds = |trial| Seeds::of(seed, trial);
        by_load.run(steps, averages, trials, seeds, |sums, averages, outcome| {
            reader.read(sums, averages, outcome, out);
        });
    }

    fn by_level(self, table: Numbered, rounds: Rounds) {
        match table {
            Numbered::Narrow(table) => self.passing(table, rounds),
            Numbered::Wide(table) => self.passing(table, rounds),
        }
    }

    fn passing<N: Number>(self, mut table: Passed<N>, rounds: Rounds) {
        let mut reader = self.reader();
        for number in self.trials {
            let sums = by_level::run(&mut table, rounds, &Seeds::of(self.seed, number));
            reader.read(&sums, None, &Outcome::by_level(&table), self.out);
        }
    }

    fn jumping(self, mut jumping: Jumping, mut course: Blocks<'_>) {
        let mut reader = self.reader();
        for number in self.trials {
            let seeds = Seeds::of(self.seed, number);
            course.begin(&seeds);
            let sums = jumping.run(&mut course, &seeds);
            let outcome = Outcome::by_level(jumping.table());
            reader.read(&sums, Some(course.averages()), &outcome, self.out);
        }
    }

    fn elements(&self) -> u32 {
        self.setup.scheme.geometry().elements
    }

    fn reader(&self) -> Reader {
        Reader {
            process: self.setup.process(),
            elements: self.elements(),
            with_keys: matches!(self.keys, KeySource::Trace { .. }),
            laws: LawReader::new(self.setup.laws),
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
        let setup = self.setup;
        let departures = setup.process().has_departures();
        match setup.schedule() {
            Schedule::Rounds(rounds) => {
                let source = PhantomData::<fn() -> C>;
                setup.scheme.table(departures, InRounds { batch: self, arrivals, rounds, source });
            }
            Schedule::Course(course) => {
                let mut stream = Streamed::<C, A>::new(setup.hash, arrivals);
                // Choices that look at no key are those that cost next to nothing.
                if C::LOOKS_AT_KEYS {
                    let stream: &mut dyn Stream<false> = &mut stream;
                    setup.scheme.table(departures, Following { batch: self, stream, course });
                } else {
                    let stream: &mut dyn Stream<true> = &mut stream;
                    setup.scheme.table(departures, Following { batch: self, stream, course });
                }
            }
        }
    }
}

struct InRounds<'a, S, C, A> {
    batch: Batch<'a, S>,
    arrivals: A,
    rounds: Rounds,
    source: PhantomData<fn() -> C>,
}

impl<S: Scheme, C: Source, A: Arrivals> TableVisitor for InRounds<'_, S, C, A> {
    type Output = ();

    fn visit<T: Table>(self, table: T) {
        let Self { batch, arrivals, rounds, .. } = self;
        S::in_rounds::<C, T, A>(batch, table, arrivals, rounds);
    }
}

/// The loop over trials in rounds, as a method that every scheme has: the compiler then puts it into the
/// unit of the scheme's file, and a change of one scheme does not compile the loops of the others again.
trait InUnitOfScheme: Scheme {
    #[inline(never)]
    fn in_rounds<C: Source, T: Table, A: Arrivals>(
        batch: Batch<'_, Self>,
        mut table: T,
        mut arrivals: A,
        rounds: Rounds,
    ) {
        let setting = Setting::new(batch.elements(), &batch.setup.hash);
        let mut reader = batch.reader();
        for number in batch.trials {
            let seeds = Seeds::of(batch.seed, number);
            table.clear();
            arrivals.begin(seeds.keys);
            let sums;
            (table, arrivals, sums) =
                trial::run::<_, C, _>(table, arrivals, setting, rounds, &seeds);
            reader.read(&sums, None, &Outcome::of(&table), batch.out);
        }
    }
}

impl<S: Scheme> InUnitOfScheme for S {}

struct Unnamed<'o, 'a, S> {
    /// Taken by whoever runs it.
    batch: &'o mut Option<Batch<'a, S>>,
    rounds: Rounds,
    geometry: Geometry,
}

impl<S: Scheme> NamelessVisitor for Unnamed<'_, '_, S> {
    type Output = ();

    fn visit<T: Nameless, const R: usize>(self, mut table: T, ranges: [u32; R]) {
        let Some(batch) = self.batch.take() else { return };
        let shape = Shape::new(self.geometry, ranges);
        let mut reader = batch.reader();
        for number in batch.trials {
            let seeds = Seeds::of(batch.seed, number);
            table.clear();
            let sums;
            (table, sums) = table.trial(&shape, self.rounds, &seeds);
            reader.read(&sums, None, &Outcome::of(&table), batch.out);
        }
    }
}

struct InBlocks<'o, 'a, 'f, S> {
    /// Taken by whoever runs it.
    batch: &'o mut Option<Batch<'a, S>>,
    course: Blocks<'f>,
    geometry: Geometry,
}

impl<S: Scheme> NamelessVisitor for InBlocks<'_, '_, '_, S> {
    const BY_NAME: bool = true;

    type Output = ();

    fn visit<T: Nameless, const R: usize>(self, mut table: T, ranges: [u32; R]) {
        let Self { batch, mut course, geometry } = self;
        let Some(batch) = batch.take() else { return };
        let shape = Shape::new(geometry, ranges);
        let mut reader = batch.reader();
        for number in batch.trials {
            let seeds = Seeds::of(batch.seed, number);
            table.clear();
            course.begin(&seeds);
            let sums;
            (table, sums) = nameless::follow(table, &shape, &mut course, &seeds);
            reader.read(&sums, Some(course.averages()), &Outcome::of(&table), batch.out);
        }
    }
}

struct Following<'a, 's, 'f, S, const CHEAP: bool> {
    batch: Batch<'a, S>,
    stream: &'s mut dyn Stream<CHEAP>,
    course: Box<Course<'f>>,
}

impl<S: Scheme, const CHEAP: bool> TableVisitor for Following<'_, '_, '_, S, CHEAP> {
    type Output = ();

    fn visit<T: Table>(self, mut table: T) {
        let Self { batch, stream, mut course } = self;
        let mut reader = batch.reader();
        for number in batch.trials {
            let seeds = Seeds::of(batch.seed, number);
            table.clear();
            stream.begin(&seeds);
            course.begin(&seeds);
            let sums = follow(&mut table, stream, &mut course, &seeds);
            reader.read(&sums, Some(course.averages()), &Outcome::of(&table), batch.out);
        }
    }
}
