//! The cases: what the harness runs, and the loop by hand that it is compared with.

use std::ops::Range;
use std::sync::Arc;

use loadfactor::estimate::moments::Moments;
use loadfactor::estimate::recorder::Recorder;
use loadfactor_schemes::case::Lockstep;
use loadfactor_schemes::keys::{KeySource, Places, TraceKeys};
use loadfactor_schemes::metric::{Metric, common};
use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::tables::metrics;
use loadfactor_schemes::{Rng, case, families};
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
    /// Batches that the check takes together.
    checked: u64,
    case: Box<dyn case::Case>,
    keys: KeySource,
    problem: Problem,
    by_hand: ByHand,
    /// Whether both ways make the same draws, and not only draws of the same law.
    same_draws: bool,
    /// By what part of itself a mean may differ that does not differ by chance.
    apart: f64,
}

/// m, h and n.
#[derive(Clone, Copy)]
struct Size {
    name: &'static str,
    buckets: u32,
    bucket_size: u8,
    elements: u32,
}

/// Rounds before the measuring window and in it; none where tables are filled alone.
type Rounds = Option<(u64, u64)>;

/// Fits in the first-level cache.
const SMALL: Size = Size { name: "small", buckets: 1024, bucket_size: 4, elements: 4096 };
/// Does not fit in the second-level cache.
const LARGE: Size = Size { name: "large", buckets: 1 << 20, bucket_size: 1, elements: 1 << 20 };

/// Insertions of one batch, about, where a trial is not longer; trials that go in lockstep are one step at least.
const INSERTIONS: u64 = 1 << 18;

const SEED: u64 = 5;

impl Case {
    /// Every case of a table in which nothing moves.
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
                cases.push(Self::drawn(size, scheme, choices, None, fill));
                cases.push(Self::drawn(size, scheme, choices, alternation(size), alternate));
            }
            let straightforward = [(1, "single"), (2, "multiple"), (4, "multiple")];
            cases.extend(straightforward.map(|both| Self::naive(size, both)));
            cases.push(Self::hashed(size));
            cases.push(Self::traced(size));
        }
        cases
    }

    fn drawn(size: Size, scheme: &str, choices: u32, rounds: Rounds, by_hand: ByHand) -> Self {
        let workload = workload_of(rounds);
        let name = format!("{} {scheme} d={choices} {workload}", size.name);
        let case = configured(scheme, size, choices, rounds, "random");
        let case = Self::new(name, case, KeySource::Random, problem(size, rounds), by_hand);
        // The harness makes several numbers of a word.
        Self { same_draws: false, ..case }
    }

    /// Alternation against the simulator that one would write first.
    fn naive(size: Size, (choices, scheme): (u32, &str)) -> Self {
        let by_hand = match choices {
            1 => straightforward::alternate::<1>,
            2 => straightforward::alternate::<2>,
            _ => straightforward::alternate::<4>,
        };
        let mut case = Self::drawn(size, scheme, choices, alternation(size), by_hand);
        case.name += " straightforward";
        case
    }

    /// A static fill against the simulator that one would write first.
    pub fn fill(
        name: &str,
        scheme: &str,
        given: &[(&str, Scalar)],
        (elements, bucket_size, sub_tables): (u32, u8, Vec<u32>),
        by_hand: ByHand,
    ) -> Self {
        let case = families::case(scheme, "static-fill", "random", given).unwrap();
        let size = Size { name: "", buckets: sub_tables.iter().sum(), bucket_size, elements };
        let problem = Problem { sub_tables, ..problem(size, None) };
        let name = format!("{name} n={elements} static-fill straightforward");
        let case = Self::new(name, case, KeySource::Random, problem, by_hand);
        // Enough for a standard error.
        Self { same_draws: false, trials: case.trials.max(10), ..case }
    }

    /// Alternation against the simulator that one would write first; rounds per element before the window and in it.
    pub fn rounds(
        name: &str,
        scheme: &str,
        given: &[(&str, Scalar)],
        (elements, bucket_size, sub_tables): (u32, u8, Vec<u32>),
        (warm_up, rounds): (u32, u32),
        by_hand: ByHand,
    ) -> Self {
        let case = families::case(scheme, "alternation", "random", given).unwrap();
        let size = Size { name: "", buckets: sub_tables.iter().sum(), bucket_size, elements };
        let of = |each: u32| u64::from(elements) * u64::from(each);
        let problem = Problem { sub_tables, ..problem(size, Some((of(warm_up), of(rounds)))) };
        let name = format!("{name} n={elements} alternation straightforward");
        let case = Self::new(name, case, KeySource::Random, problem, by_hand);
        // Enough for a standard error, where a trial is not long.
        let trials = if elements < 1 << 20 { case.trials.max(10) } else { 2 };
        Self { same_draws: false, trials, ..case }
    }

    /// On-off flows against the simulator that one would write first; slots before the window and in it.
    pub fn on_off(
        name: &str,
        scheme: &str,
        given: &[(&str, Scalar)],
        (buckets, bucket_size): (u32, u8),
        (warm_up, slots): (u32, u32),
        by_hand: ByHand,
    ) -> Self {
        let case = families::case(scheme, "on-off", "random", given).unwrap();
        let size = Size { name: "", buckets, bucket_size, elements: 0 };
        let problem = problem(size, Some((warm_up.into(), slots.into())));
        let name = format!("{name} on-off straightforward");
        let case = Self::new(name, case, KeySource::Random, problem, by_hand);
        // The number in the system is correlated over thousands of slots: one batch says little.
        Self { same_draws: false, trials: case.trials.max(10), checked: 40, ..case }
    }

    /// A workload whose elements come and go at any time against the simulator that one would write first; parts of a
    /// lifetime before the window and in it.
    pub fn timed(
        name: &str,
        (scheme, workload): (&str, &str),
        given: &[(&str, Scalar)],
        (elements, buckets, bucket_size): (u32, u32, u8),
        parts: (u64, u64),
        by_hand: ByHand,
    ) -> Self {
        let case = families::case(scheme, workload, "random", given).unwrap();
        let size = Size { name: "", buckets, bucket_size, elements };
        let name = format!("{name} {workload} straightforward");
        let case = Self::new(name, case, KeySource::Random, problem(size, Some(parts)), by_hand);
        // Enough for a standard error.
        Self { same_draws: false, trials: case.trials.max(10), ..case }
    }

    fn hashed(size: Size) -> Self {
        let rounds = alternation(size);
        let name = format!("{} multiple d=2 alternation xxh3", size.name);
        let case = configured("multiple", size, 2, rounds, "xxh3");
        Self::new(name, case, KeySource::Random, problem(size, rounds), by_hand::alternate_xxh3)
    }

    fn traced(size: Size) -> Self {
        let rounds = alternation(size);
        let case = configured("multiple", size, 2, rounds, "xxh3");
        let packets = packets(case.arrivals());
        let bytes = packets.iter().flat_map(|(key, _)| *key).collect();
        let ids = packets.iter().map(|(_, id)| *id).collect();
        let trace = TraceKeys::new(bytes, Places::Width(13), ids).unwrap();
        let keys = KeySource::Trace { keys: Arc::new(trace), renew: true, shuffled: false };
        let name = format!("{} multiple d=2 alternation xxh3 trace", size.name);
        let problem = Problem { packets, ..problem(size, rounds) };
        Self::new(name, case, keys, problem, by_hand::alternate_trace)
    }

    fn new(
        name: String,
        case: Box<dyn case::Case>,
        keys: KeySource,
        problem: Problem,
        by_hand: ByHand,
    ) -> Self {
        let trials = (INSERTIONS / case.arrivals()).max(1);
        let together = case.in_lockstep(&keys).filter(|_| case.arrivals() <= INSERTIONS);
        let (case, trials) = match together {
            Some(Lockstep { case, at_once, .. }) => (case, trials.next_multiple_of(at_once)),
            None => (case, trials),
        };
        Self {
            name,
            trials,
            case,
            keys,
            problem,
            by_hand,
            same_draws: true,
            apart: 1e-9,
            checked: 1,
        }
    }

    /// The same, where both ways make the same draws.
    pub fn with_same_draws(self) -> Self {
        Self { same_draws: true, ..self }
    }

    /// The same, where the way by hand is of a slightly different scheme.
    pub fn nearly(self, apart: f64) -> Self {
        Self { apart, ..self }
    }

    /// Insertions of one batch, warm-up included; of on-off flows as many as are hardly exceeded.
    pub fn insertions(&self) -> u64 {
        self.trials * self.case.arrivals()
    }

    /// A batch by the harness.
    pub fn run(&self) -> Vec<(Metric, Moments)> {
        self.run_trials(self.trials)
    }

    fn run_trials(&self, trials: u64) -> Vec<(Metric, Moments)> {
        let mut recorder = Recorder::default();
        self.case.run(&self.keys, SEED, 0..trials, &mut recorder);
        recorder.moments()
    }

    /// The same batch by hand.
    pub fn run_by_hand(&self) -> Totals {
        (self.by_hand)(&self.problem, 0..self.trials)
    }

    /// Panics unless both ways measure the same: within six standard errors, where draws differ, and a part in a hundred
    /// of few trials.
    pub fn check(&self) {
        let trials = self.checked * self.trials;
        let measured = self.run_trials(trials);
        let moments = |wanted| measured.iter().find(|(metric, _)| *metric == wanted);
        let totals = (self.by_hand)(&self.problem, 0..trials);
        let readings = trials * self.problem.rounds.max(1);
        let arrivals = match (totals.insertions, self.problem.rounds) {
            (0, 0) => trials * u64::from(self.problem.elements),
            (0, _) => readings,
            (insertions, _) => insertions,
        };
        let expected = [
            (metrics::OVERFLOW_ELEMENTS, totals.overflow as f64 / readings as f64),
            (metrics::ACCESSES_PER_INSERTION, totals.accesses as f64 / arrivals as f64),
            (metrics::MOVES_PER_INSERTION, totals.moves as f64 / arrivals as f64),
            (metrics::MOVES_PER_DELETION, totals.moves_on_deletion as f64 / arrivals as f64),
            (metrics::MOVES_BACK_PER_DELETION, totals.moves_back as f64 / arrivals as f64),
            (common::REPEATED_KEY_FRACTION, totals.repeated as f64 / arrivals as f64),
        ];
        for (metric, by_hand) in expected {
            let moments = moments(metric).map(|(_, moments)| moments);
            let by_harness = moments.and_then(Moments::mean).unwrap_or(0.0);
            let error = moments.and_then(Moments::std_error).filter(|_| !self.same_draws);
            // Of few long trials the scatter is not known.
            let few = !self.same_draws && self.trials < 10;
            let least = if few { 1e-2 } else { self.apart };
            let room = 6.0 * 2f64.sqrt() * error.unwrap_or(0.0) + least * by_hand;
            let apart = (by_harness - by_hand).abs();
            assert!(apart <= room, "{}: {metric} {by_harness} {by_hand}", self.name);
        }
    }
}

fn workload_of(rounds: Rounds) -> &'static str {
    if rounds.is_some() { "alternation" } else { "static-fill" }
}

fn alternation(size: Size) -> Rounds {
    let elements = u64::from(size.elements);
    let rounds = match size.elements {
        4096 => 30 * elements,
        _ => 2 * elements,
    };
    Some((elements, rounds))
}

fn problem(size: Size, rounds: Rounds) -> Problem {
    let Size { elements, buckets, bucket_size, .. } = size;
    let (warm_up, rounds) = rounds.unwrap_or_default();
    let (sub_tables, packets) = (Vec::new(), Vec::new());
    Problem { elements, sub_tables, buckets, bucket_size, warm_up, rounds, seed: SEED, packets }
}

fn configured(
    scheme: &str,
    size: Size,
    choices: u32,
    rounds: Rounds,
    hash: &str,
) -> Box<dyn case::Case> {
    let mut given: Vec<(&str, Scalar)> = vec![
        ("elements", size.elements.into()),
        ("buckets", size.buckets.into()),
        ("bucket_size", u32::from(size.bucket_size).into()),
    ];
    if scheme != "single" {
        given.push(("choices", choices.into()));
    }
    if let Some((_, rounds)) = rounds {
        given.extend([("warm_up", 1.0.into()), ("rounds", Scalar::Integer(rounds as i64))]);
    }
    families::case(scheme, workload_of(rounds), hash, &given).unwrap()
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
