//! Independent trials of a scheme with fully random choices, and how far they are from a value.

use std::fmt::Debug;

use rand::{Rng as _, SeedableRng};

use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::{HashSpec, RandomSource, Source, derive_seed, reduce};
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::tables::Process;
use loadfactor_schemes::tables::metrics;
use loadfactor_schemes::tables::{Deletion, Insertion, MovesBack, Scheme, Table, TableVisitor};

/// Standard errors that a mean may be off.
const STD_ERRORS: f64 = 4.0;
/// Rounds of alternation per element before the first reading: a fraction e^−20 of the elements
/// is left from the start.
const WARM_UP: u32 = 20;
/// Rounds of alternation per element that are averaged into one reading.
const OBSERVED: u32 = 2;

/// Readings of one quantity, one per trial.
#[derive(Debug, Default)]
pub struct Readings(Vec<f64>);

/// The readings of all trials.
#[derive(Debug, Default)]
pub struct Measured {
    pub overflow: Readings,
    pub accesses: Readings,
    /// Arrivals that went to the overflow list, per arrival.
    pub arrivals: Readings,
    /// Elements moved back, look-ups for that, per arrival.
    pub moves_back: Readings,
    pub lookups: Readings,
    /// Entries of the auxiliary CAM.
    pub cam_entries: Readings,
    /// Elements moved from bucket to bucket, per arrival: by insertions, by deletions.
    pub moves: Readings,
    pub moves_on_deletion: Readings,
    /// Load of each sub-table.
    pub loads: Vec<Readings>,
    /// Fraction of buckets with k elements, k = 0..=h.
    pub occupancy: Vec<Readings>,
}

impl Measured {
    /// The readings of a predicted quantity.
    pub fn of(&self, metric: Metric) -> Option<&Readings> {
        let number = usize::from(metric.number().unwrap_or_default());
        if metric.is_like(metrics::sub_table_load(1)) {
            return self.loads.get(number - 1);
        }
        if metric.is_like(metrics::occupancy(0)) {
            return self.occupancy.get(number);
        }
        let read = [
            (metrics::OVERFLOW_FRACTION, &self.overflow),
            (metrics::ACCESSES_PER_INSERTION, &self.accesses),
            (metrics::ARRIVAL_OVERFLOW_FRACTION, &self.arrivals),
            (metrics::MOVES_BACK_PER_DELETION, &self.moves_back),
            (metrics::CAM_LOOKUPS_PER_DELETION, &self.lookups),
            (metrics::CAM_ENTRIES, &self.cam_entries),
            (metrics::MOVES_PER_INSERTION, &self.moves),
        ];
        read.into_iter().find(|(own, _)| *own == metric).map(|(_, readings)| readings)
    }
}

impl Readings {
    /// Mean and its standard error.
    pub fn mean(&self) -> (f64, f64) {
        let count = self.0.len() as f64;
        let mean = self.0.iter().sum::<f64>() / count;
        let squares: f64 = self.0.iter().map(|x| (x - mean).powi(2)).sum();
        (mean, (squares / (count - 1.0) / count).sqrt())
    }

    /// Asserts that the mean is `expected` up to chance and an `allowance`.
    #[track_caller]
    pub fn assert_mean(&self, expected: f64, allowance: f64, what: impl Debug) {
        let (mean, std_error) = self.mean();
        let far = (mean - expected).abs() - allowance;
        assert!(
            far <= STD_ERRORS * std_error + 1e-12,
            "{what:?}: {mean} ± {std_error} against {expected} ± {allowance}"
        );
    }
}

/// Runs `trials` trials of the process.
pub fn simulate<S: Scheme>(scheme: &S, process: Process, trials: u64, seed: u64) -> Measured {
    let sizes = 0..=scheme.geometry().bucket_size;
    let occupancy = sizes.map(|_| Readings::default()).collect();
    let mut measured = Measured { occupancy, ..Measured::default() };
    scheme.table(true, Simulation { scheme, process, trials, seed, measured: &mut measured });
    measured
}

struct Simulation<'s, S> {
    scheme: &'s S,
    process: Process,
    trials: u64,
    seed: u64,
    measured: &'s mut Measured,
}

impl<S: Scheme> TableVisitor for Simulation<'_, S> {
    type Output = ();

    fn visit<T: Table>(self, mut table: T) {
        for trial in 0..self.trials {
            let trial = Trial::new(self.scheme, &mut table, derive_seed(self.seed, trial));
            trial.read(self.process, self.measured);
        }
    }
}

struct Trial<'t, T> {
    table: &'t mut T,
    source: RandomSource,
    rng: Rng,
    n: u32,
    m: u32,
    sums: Sums,
}

/// Sums over the insertions of a trial that are observed, and the deletions before them.
#[derive(Default)]
struct Sums {
    accesses: u64,
    overflowed: u64,
    moves: u64,
    moves_on_deletion: u64,
    moves_back: u64,
    lookups: u64,
}

impl Sums {
    fn insert(&mut self, insertion: Insertion) {
        self.accesses += u64::from(insertion.accesses);
        self.overflowed += u64::from(!insertion.stored);
        self.moves += u64::from(insertion.moves);
        self.add_back(insertion.back);
    }

    fn delete(&mut self, deletion: Deletion) {
        self.moves_on_deletion += u64::from(deletion.moves);
        self.add_back(deletion.back);
    }

    fn add_back(&mut self, back: MovesBack) {
        self.moves_back += u64::from(back.moves);
        self.lookups += u64::from(back.lookups);
    }
}

impl<'t, T: Table> Trial<'t, T> {
    fn new<S: Scheme>(scheme: &S, table: &'t mut T, seed: u64) -> Self {
        table.clear();
        let spec = HashSpec::random(scheme.choices()).unwrap();
        let geometry = scheme.geometry();
        Self {
            table,
            source: RandomSource::new(&spec, seed),
            rng: Rng::seed_from_u64(seed),
            n: geometry.elements,
            m: geometry.buckets,
            sums: Sums::default(),
        }
    }

    fn read(mut self, process: Process, measured: &mut Measured) {
        for element in 0..self.n {
            self.insert(element);
        }
        let (overflow, insertions) = match process {
            Process::StaticFill => (f64::from(self.table.overflow()), self.n),
            Process::Alternation => self.alternate(),
            other => panic!("{other:?} is simulated by the harness"),
        };
        let occupancy = self.table.occupancy();
        measured.overflow.0.push(overflow / f64::from(self.n));
        let per_insertion = |sum: u64| sum as f64 / f64::from(insertions);
        measured.accesses.0.push(per_insertion(self.sums.accesses));
        measured.arrivals.0.push(per_insertion(self.sums.overflowed));
        measured.moves_back.0.push(per_insertion(self.sums.moves_back));
        measured.lookups.0.push(per_insertion(self.sums.lookups));
        measured.cam_entries.0.push(f64::from(self.table.cam().entries));
        measured.moves.0.push(per_insertion(self.sums.moves));
        measured.moves_on_deletion.0.push(per_insertion(self.sums.moves_on_deletion));
        let loads = self.table.sub_table_loads();
        measured.loads.resize_with(loads.len(), Readings::default);
        measured.loads.iter_mut().zip(loads).for_each(|(readings, load)| readings.0.push(load));
        assert_eq!(occupancy.len(), measured.occupancy.len());
        for (readings, buckets) in measured.occupancy.iter_mut().zip(occupancy) {
            readings.0.push(buckets as f64 / f64::from(self.m));
        }
    }

    /// Mean length of the overflow list over the observed rounds, and their number.
    fn alternate(&mut self) -> (f64, u32) {
        for _ in 0..WARM_UP * self.n {
            self.round();
        }
        self.sums = Sums::default();
        let rounds = OBSERVED * self.n;
        let mut listed = 0;
        for _ in 0..rounds {
            self.round();
            listed += u64::from(self.table.overflow());
        }
        (listed as f64 / f64::from(rounds), rounds)
    }

    fn round(&mut self) {
        let element = reduce(self.rng.next_u64(), self.n);
        self.sums.delete(self.table.delete(element));
        self.insert(element);
    }

    fn insert(&mut self, element: u32) {
        let insertion =
            self.table.insert::<false>(element, self.source.element(&[]), &mut self.rng);
        self.sums.insert(insertion);
    }
}
