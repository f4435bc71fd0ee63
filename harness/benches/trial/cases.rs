//! The cases: what the harness runs, and the loop by hand that it is compared with.

use std::ops::Range;
use std::sync::Arc;

use loadfactor::estimate::moments::Moments;
use loadfactor::workloads::{ConstantLoads, KeySource, Process, Setup, TraceKeys};
use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::{Derivation, HashKind, HashSpec};
use loadfactor_schemes::laws::Laws;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::{Params, Scalar};
use loadfactor_schemes::tables::{AnyScheme, Geometry, SCHEMES};
use loadfactor_traces::Keys;
use rand::{Rng as _, SeedableRng};

use super::by_hand::{self, Problem, Totals};
use super::straightforward;

/// A batch of trials by hand.
pub type ByHand = fn(&Problem, Range<u64>) -> Totals;

/// One case, to be run in both ways.
pub struct Case {
    /// Scheme, workload, hash and size.
    pub name: String,
    /// Trials of one batch.
    pub trials: u64,
    setup: Setup,
    problem: Problem,
    by_hand: ByHand,
    /// Whether both ways make the same draws, and not only draws of the same law.
    same_draws: bool,
}

/// m, h and n.
#[derive(Clone, Copy)]
struct Size {
    name: &'static str,
    buckets: u32,
    bucket_size: u8,
    elements: u32,
}

/// Fits in the first-level cache.
const SMALL: Size = Size { name: "small", buckets: 1024, bucket_size: 4, elements: 4096 };
/// Does not fit in the second-level cache.
const LARGE: Size = Size { name: "large", buckets: 1 << 20, bucket_size: 1, elements: 1 << 20 };

/// Insertions of one batch, about, where a trial is not longer.
const INSERTIONS: u64 = 1 << 18;

const SEED: u64 = 5;

impl Case {
    /// Every case that goes element by element.
    pub fn all() -> Vec<Self> {
        let drawn: [(&str, u32, [ByHand; 2]); 3] = [
            ("multiple", 2, [by_hand::fill_multiple::<2>, by_hand::alternate_multiple::<2>]),
            ("multiple", 4, [by_hand::fill_multiple::<4>, by_hand::alternate_multiple::<4>]),
            ("d-random", 2, [by_hand::fill_two_random, by_hand::alternate_two_random]),
        ];
        let mut cases = Vec::new();
        for size in [SMALL, LARGE] {
            let alternate = by_hand::alternate_single;
            cases.push(Self::drawn(size, "single", 1, alternation(size), alternate));
            for (scheme, choices, [fill, alternate]) in drawn {
                cases.push(Self::drawn(size, scheme, choices, Process::StaticFill, fill));
                cases.push(Self::drawn(size, scheme, choices, alternation(size), alternate));
            }
            cases.extend([(1, "single"), (2, "multiple")].map(|both| Self::naive(size, both)));
            cases.push(Self::hashed(size));
            cases.push(Self::traced(size));
        }
        cases
    }

    fn drawn(size: Size, scheme: &str, choices: u32, process: Process, by_hand: ByHand) -> Self {
        let workload = match process {
            Process::StaticFill => "static-fill",
            _ => "alternation",
        };
        let setup = Setup {
            scheme: configured(scheme, size, choices),
            hash: HashSpec::random(choices).unwrap(),
            process,
            laws: Laws::default(),
            keys: KeySource::Random,
            seed: SEED,
            constant_loads: ConstantLoads::default(),
        };
        let name = format!("{} {scheme} d={choices} {workload}", size.name);
        Self::new(name, size, setup, Vec::new(), by_hand)
    }

    /// Alternation against the simulator that one would write first.
    fn naive(size: Size, (choices, scheme): (u32, &str)) -> Self {
        let by_hand = match choices {
            1 => straightforward::alternate::<1>,
            _ => straightforward::alternate::<2>,
        };
        let mut case = Self::drawn(size, scheme, choices, alternation(size), by_hand);
        case.name += " straightforward";
        case
    }

    /// A static fill against the simulator that one would write first.
    pub fn fill(name: &str, scheme: AnyScheme, sub_tables: Vec<u32>, by_hand: ByHand) -> Self {
        let Geometry { elements, buckets, bucket_size } = scheme.shape().geometry;
        let choices = scheme.shape().choices;
        let setup = Setup {
            scheme,
            hash: HashSpec::random(choices).unwrap(),
            process: Process::StaticFill,
            laws: Laws::default(),
            keys: KeySource::Random,
            seed: SEED,
            constant_loads: ConstantLoads::default(),
        };
        let size = Size { name: "", buckets, bucket_size, elements };
        let name = format!("{name} n={elements} static-fill straightforward");
        let mut case = Self::new(name, size, setup, Vec::new(), by_hand);
        case.problem.sub_tables = sub_tables;
        // Enough for a standard error.
        Self { same_draws: false, trials: case.trials.max(10), ..case }
    }

    fn hashed(size: Size) -> Self {
        let setup = Setup {
            scheme: configured("multiple", size, 2),
            hash: HashSpec::new(HashKind::Xxh3, Derivation::Seeds, 2, 16).unwrap(),
            process: alternation(size),
            laws: Laws::default(),
            keys: KeySource::Random,
            seed: SEED,
            constant_loads: ConstantLoads::default(),
        };
        let name = format!("{} multiple d=2 alternation xxh3", size.name);
        Self::new(name, size, setup, Vec::new(), by_hand::alternate_xxh3)
    }

    fn traced(size: Size) -> Self {
        let process = alternation(size);
        let packets = packets(process.arrivals(size.elements));
        let keys: Keys = packets.iter().map(|(key, _)| &key[..]).collect();
        let trace = Arc::new(TraceKeys::of(keys).unwrap());
        let setup = Setup {
            scheme: configured("multiple", size, 2),
            hash: HashSpec::new(HashKind::Xxh3, Derivation::Seeds, 2, 16).unwrap(),
            process,
            laws: Laws::default(),
            keys: KeySource::Trace { keys: trace, renew: true, shuffled: false },
            seed: SEED,
            constant_loads: ConstantLoads::default(),
        };
        let name = format!("{} multiple d=2 alternation xxh3 trace", size.name);
        Self::new(name, size, setup, packets, by_hand::alternate_trace)
    }

    fn new(
        name: String,
        size: Size,
        setup: Setup,
        packets: Vec<([u8; 13], u32)>,
        by_hand: ByHand,
    ) -> Self {
        let (warm_up, rounds) = match setup.process {
            Process::Alternation { warm_up, rounds, .. } => (warm_up, rounds),
            _ => (0, 0),
        };
        let Size { elements, buckets, bucket_size, .. } = size;
        let sub_tables = Vec::new();
        let problem = Problem {
            elements,
            sub_tables,
            buckets,
            bucket_size,
            warm_up,
            rounds,
            seed: SEED,
            packets,
        };
        let trials = (INSERTIONS / setup.process.arrivals(elements)).max(1);
        Self { name, trials, setup, problem, by_hand, same_draws: true }
    }

    /// Insertions of one batch, warm-up included.
    pub fn insertions(&self) -> u64 {
        self.trials * self.setup.process.arrivals(self.problem.elements)
    }

    /// A batch by the harness.
    pub fn run(&self) -> Vec<(Metric, Moments)> {
        self.setup.run(0..self.trials)
    }

    /// The same batch by hand.
    pub fn run_by_hand(&self) -> Totals {
        (self.by_hand)(&self.problem, 0..self.trials)
    }

    /// Panics unless both ways measure the same: within six standard errors, where draws differ.
    pub fn check(&self) {
        let measured = self.run();
        let moments = |wanted| measured.iter().find(|(metric, _)| *metric == wanted);
        let totals = self.run_by_hand();
        let readings = self.trials * self.problem.rounds.max(1);
        let arrivals = match self.setup.process {
            Process::StaticFill => self.trials * u64::from(self.problem.elements),
            _ => readings,
        };
        let expected = [
            (Metric::OverflowElements, totals.overflow as f64 / readings as f64),
            (Metric::AccessesPerInsertion, totals.accesses as f64 / arrivals as f64),
            (Metric::MovesPerInsertion, totals.moves as f64 / arrivals as f64),
            (Metric::RepeatedKeyFraction, totals.repeated as f64 / arrivals as f64),
        ];
        for (metric, by_hand) in expected {
            let moments = moments(metric).map(|(_, moments)| moments);
            let by_harness = moments.and_then(Moments::mean).unwrap_or(0.0);
            let error = moments.and_then(Moments::std_error).filter(|_| !self.same_draws);
            let room = 6.0 * 2f64.sqrt() * error.unwrap_or(0.0) + 1e-9 * by_hand;
            let apart = (by_harness - by_hand).abs();
            assert!(apart <= room, "{}: {metric} {by_harness} {by_hand}", self.name);
        }
    }
}

fn alternation(size: Size) -> Process {
    let elements = u64::from(size.elements);
    let rounds = match size.elements {
        4096 => 30 * elements,
        _ => 2 * elements,
    };
    Process::Alternation { warm_up: elements, rounds, filled: true }
}

fn configured(scheme: &str, size: Size, choices: u32) -> AnyScheme {
    let whole = [
        ("elements", size.elements),
        ("buckets", size.buckets),
        ("bucket_size", size.bucket_size.into()),
        ("choices", choices),
    ];
    scheme_of(scheme, whole.map(|(name, value)| (name, Scalar::Integer(value.into()))))
}

/// The scheme with these parameters, the others as they are by default.
pub fn scheme_of(
    scheme: &str,
    given: impl IntoIterator<Item = (&'static str, Scalar)>,
) -> AnyScheme {
    let info = SCHEMES.iter().find(|info| info.name == scheme).unwrap();
    let mut params = Params::default();
    for param in info.params {
        if let Some(value) = param.absent.value() {
            params.set(param.name, value);
        }
    }
    for (name, value) in given {
        params.set(name, value);
    }
    AnyScheme::from_params(scheme, &params).unwrap().unwrap()
}

/// Packets of flows that come back: every second one carries an earlier key.
fn packets(number: u64) -> Vec<([u8; 13], u32)> {
    let mut rng = Rng::seed_from_u64(SEED);
    let mut packets: Vec<([u8; 13], u32)> = Vec::new();
    let mut distinct = 0;
    for _ in 0..number {
        let earlier = rng.next_u64() as usize % (2 * packets.len() + 1);
        let packet = packets.get(earlier).copied().unwrap_or_else(|| {
            let mut key = [0; 13];
            rng.fill_bytes(&mut key);
            distinct += 1;
            (key, distinct - 1)
        });
        packets.push(packet);
    }
    packets
}
