//! The false positive trial of Section 3.7 of "Less Hashing, Same Performance" by the harness, against the simulator
//! that one would write first: n = 10,000 elements of drawn choices in 8n bits, and ⌈10/p⌉ queries that end at the
//! first bit that is not set.
//!
//! Of k choices that are drawn the limit is the random words and the bits that are set: the harness takes three choices
//! from a word where there is room for them. Of double hashing it is the k bits that are set, in both ways: a processor
//! completes about one store per cycle, and neither way makes fewer than one for each bit.
//!
//! `cargo bench -p loadfactor --bench filter_trial` prints the ratio of runs in turns, and how many keys and queries
//! a second and core take.

#![expect(clippy::disallowed_macros, reason = "a bench prints for whoever runs it")]
#![expect(clippy::unwrap_used, reason = "a bench that cannot run has nothing to report")]

#[path = "trial/ratios.rs"]
mod ratios;

use std::env;
use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput};
use loadfactor::estimate::recorder::Recorder;
use loadfactor_schemes::filters::metrics::FALSE_POSITIVE_RATE;
use loadfactor_schemes::hash::{derive_seed, reduce};
use loadfactor_schemes::keys::KeySource;
use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::{Rng, case, families};
use rand::{Rng as _, SeedableRng};

const ELEMENTS: u32 = 10_000;
const BITS: u32 = 8 * ELEMENTS;
const CHOICES: u32 = 6;
const QUERIES: u64 = 464;

/// Trials of one batch.
const TRIALS: u64 = 100;

/// Pairs of batches that give a ratio.
const PAIRS: usize = 51;

const SEED: u64 = 5;

/// How an element gets its choices, with the name of the derivation.
#[derive(Clone, Copy)]
enum Way {
    Drawn,
    Double,
}

impl Way {
    const ALL: [Self; 2] = [Self::Drawn, Self::Double];

    fn name(self) -> &'static str {
        match self {
            Self::Drawn => "seeds",
            Self::Double => "double",
        }
    }

    fn case(self) -> Box<dyn case::Case> {
        let given = [
            ("elements", ELEMENTS.into()),
            ("bits", BITS.into()),
            ("choices", CHOICES.into()),
            ("queries", Scalar::Integer(QUERIES as i64)),
            ("choices_from", self.name().into()),
        ];
        families::case("bloom-filter", "membership", "random", &given).unwrap()
    }

    /// The mean false positive rate and its standard error.
    fn by_harness(self) -> (f64, f64) {
        let mut recorder = Recorder::default();
        self.case().run(&KeySource::Random, SEED, 0..TRIALS, &mut recorder);
        let moments = recorder.moments();
        let (_, rate) = moments.iter().find(|(metric, _)| *metric == FALSE_POSITIVE_RATE).unwrap();
        (rate.mean().unwrap(), rate.std_error().unwrap())
    }

    fn by_hand(self) -> f64 {
        // The simulator does not know them when it is compiled.
        let sizes = black_box([ELEMENTS, BITS, CHOICES]);
        let mut bits = vec![0_u64; BITS.div_ceil(64) as usize];
        let positive: u64 = (0..TRIALS)
            .map(|trial| {
                let mut rng = Rng::seed_from_u64(derive_seed(SEED, trial));
                bits.fill(0);
                match self {
                    Self::Drawn => drawn(&mut bits, &mut rng, sizes),
                    Self::Double => double(&mut bits, &mut rng, sizes),
                }
            })
            .sum();
        positive as f64 / (TRIALS * QUERIES) as f64
    }
}

#[inline(always)]
fn set(bits: &mut [u64], bit: u32) {
    bits[(bit / 64) as usize] |= 1 << (bit % 64);
}

#[inline(always)]
fn is_set(bits: &[u64], bit: u32) -> bool {
    bits[(bit / 64) as usize] >> (bit % 64) & 1 == 1
}

/// One trial in which each choice is a word: its false positives.
fn drawn(bits: &mut [u64], rng: &mut Rng, [elements, range, choices]: [u32; 3]) -> u64 {
    for _ in 0..elements * choices {
        set(bits, reduce(rng.next_u64(), range));
    }
    let positive = |_: &u64| (0..choices).all(|_| is_set(bits, reduce(rng.next_u64(), range)));
    (0..QUERIES).filter(positive).count() as u64
}

/// One trial in which two words make the choices of a key.
fn double(bits: &mut [u64], rng: &mut Rng, [elements, range, choices]: [u32; 3]) -> u64 {
    let next = |place: u32, step: u32| {
        let sum = place + step;
        if sum >= range { sum - range } else { sum }
    };
    for _ in 0..elements {
        let (mut place, step) = (reduce(rng.next_u64(), range), reduce(rng.next_u64(), range));
        for _ in 0..choices {
            set(bits, place);
            place = next(place, step);
        }
    }
    let positive = |_: &u64| {
        let (mut place, step) = (reduce(rng.next_u64(), range), reduce(rng.next_u64(), range));
        (0..choices).all(|_| {
            let own = is_set(bits, place);
            place = next(place, step);
            own
        })
    };
    (0..QUERIES).filter(positive).count() as u64
}

/// Panics unless both ways measure the same, within six standard errors.
fn check(way: Way) {
    let ((rate, error), by_hand) = (way.by_harness(), way.by_hand());
    assert!((rate - by_hand).abs() < 6.0 * 2f64.sqrt() * error, "{rate} {by_hand}");
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let asked = |flag| arguments.iter().any(|argument| argument == flag);
    Way::ALL.into_iter().for_each(check);
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    let keys = TRIALS * (u64::from(ELEMENTS) + QUERIES);
    for way in Way::ALL {
        let mut group = criterion.benchmark_group(way.name());
        group.throughput(Throughput::Elements(keys));
        group.bench_function("harness", |bencher| bencher.iter(|| way.by_harness()));
        group.bench_function("straightforward", |bencher| bencher.iter(|| way.by_hand()));
    }
    criterion.final_summary();
    if asked("--bench") && !asked("--test") && !asked("--list") {
        println!("{:<10} harness  by hand   ratio  (quartiles)", "ns per key");
        for way in Way::ALL {
            let both = ratios::compare(PAIRS, || way.by_harness(), || way.by_hand());
            let per_key = |time: Duration| time.as_secs_f64() * 1e9 / keys as f64;
            let (harness, by_hand) = (per_key(both.first), per_key(both.second));
            let (low, high) = both.quartiles;
            let name = way.name();
            println!(
                "{name:<10} {harness:>7.2}  {by_hand:>7.2}  {:>6.3}  ({low:.3} to {high:.3})",
                both.ratio
            );
        }
    }
}
