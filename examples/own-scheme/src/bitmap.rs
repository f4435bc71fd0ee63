//! A family of its own that is no table: bitmaps that count distinct keys.

#![expect(clippy::disallowed_methods, reason = "an example may differ in its last digits")]

use std::ops::Range;

use loadfactor_schemes::case::{Case, Cost, Means, Record, Request};
use loadfactor_schemes::family::{Axis, AxisKind, Family, SchemeEntry};
use loadfactor_schemes::hash::{Choices as _, HashSpec, Source, derive_seed};
use loadfactor_schemes::info::{SchemeInfo, WorkloadInfo};
use loadfactor_schemes::keys::{self, Arrivals, KEY_PARAMS, KeySource, Keyed, Seeds};
use loadfactor_schemes::params::{Absent, Domain, Param, ParamError, Scalar};
use loadfactor_schemes::prediction::{Outlook, Prediction};

/// What trials of bitmaps measure.
mod metrics {
    loadfactor_schemes::metrics! {
        ranks from 30_000;

        /// Bits that no key has set, as a share of all bits.
        ZERO_BITS_FRACTION = "zero_bits_fraction", "Fraction of bits not set", Share,
            ShareOf(BITS, Always);
        /// Number of keys as the bitmap estimates it, −m·ln z, divided by their true number.
        RELATIVE_ESTIMATE = "relative_estimate", "Estimate by true number", PerEvent, Nothing;
    }

    /// m.
    pub const BITS: &str = "bits";
}

const fn count(name: &'static str, doc: &'static str) -> Param {
    let domain = Domain::Integer { min: 1, max: 1 << 30 };
    Param { name, domain, absent: Absent::Required, doc }
}

const BITS: Param = count("bitmap_bits", "Number of bits, m.");
const COUNTED: Param = count("counted", "Number of distinct keys that arrive, n.");

static LINEAR_COUNTING: SchemeInfo = SchemeInfo {
    name: "bitmap",
    summary: "Each key sets one of m bits; from the fraction z of bits that stay zero, −m·ln z estimates how many different keys there were.",
    source: "Whang, Vander-Zanden and Taylor, \"A Linear-Time Probabilistic Counting Algorithm for Database Applications\", 1990",
    params: &[BITS],
    predictions: &[
        "distinct: fraction of bits not set, exact, (1 − 1/m)^n, and asymptotic, e^(−n/m)",
    ],
};

static DISTINCT: WorkloadInfo = WorkloadInfo {
    name: "distinct",
    summary: "n keys arrive at an empty bitmap: different ones, unless a trace repeats them.",
    decides: &[],
    params: &[COUNTED],
};

/// The entry of linear counting in the list of schemes.
const ENTRY: SchemeEntry = SchemeEntry {
    family: "bitmaps",
    info: &LINEAR_COUNTING,
    case: |request| Ok(Box::new(LinearCounting::read(request)?)),
};

/// Bitmaps.
pub static FAMILY: Family = Family {
    name: "bitmaps",
    summary: "Bitmaps count distinct keys in a few bits for each.",
    schemes: &[ENTRY],
    workloads: &[&DISTINCT],
    shared_params: &[],
    shared_params_are: "",
    metrics: metrics::METRICS,
    headline: metrics::ZERO_BITS_FRACTION,
    axes: &[Axis {
        name: "counted",
        label: "Distinct keys n",
        symbol: Some("n ="),
        kind: AxisKind::Parameter,
    }],
    curves: &[],
    alternatives: &[],
    long: &["counted"],
    large: &["bitmap_bits"],
};

/// A bitmap, its keys and its hash function.
#[derive(Debug, Clone)]
struct LinearCounting {
    /// m.
    bits: u32,
    /// n.
    counted: u32,
    hash: HashSpec,
    seed_text: String,
}

impl LinearCounting {
    fn read(request: &Request<'_>) -> Result<Self, ParamError> {
        let params = request.params;
        let (bits, counted) = (params.small(BITS.name)?, params.small(COUNTED.name)?);
        let hash = HashSpec::from_params(request.hash, params, 1, (bits, "bits"))?;
        let mut seed_text = format!("distinct {counted} keys in {bits} bits");
        for param in KEY_PARAMS {
            let value = params.get(param.name).map_or_else(String::new, ToString::to_string);
            seed_text += &format!("\n{}={value}", param.name);
        }
        Ok(Self { bits, counted, hash, seed_text })
    }
}

impl Case for LinearCounting {
    fn seed_text(&self) -> &str {
        &self.seed_text
    }

    fn cost(&self, keys: &KeySource) -> Cost {
        let operations = f64::from(self.counted) + f64::from(self.bits) / 8.0;
        let of_keys = keys.bytes() + u64::from(self.counted) * keys.bytes_per_element();
        Cost { operations, bytes: u64::from(self.bits) + of_keys }
    }

    fn arrivals(&self) -> u64 {
        self.counted.into()
    }

    fn run(&self, keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        keys::visit(&self.hash, keys, self.counted, Batch { case: self, seed, trials, out });
    }

    fn outlook(&self, _measured: Means<'_>) -> Outlook {
        let (m, n) = (f64::from(self.bits), f64::from(self.counted));
        let (exact, limit) = ((n * (-1.0 / m).ln_1p()).exp(), (-n / m).exp());
        let metric = metrics::ZERO_BITS_FRACTION;
        let predictions = vec![
            Prediction::exact(metric, exact, "(1 − 1/m)^n"),
            Prediction::asymptotic(metric, limit, "e^(−n/m)", (exact - limit).abs()),
        ];
        Outlook { predictions, missing: None }
    }

    fn at_one_moment(&self) -> bool {
        true
    }

    fn number_of(&self, things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
        (things == metrics::BITS).then(|| self.bits.into())
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        Vec::new()
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let at_most = operations.clamp(1.0, f64::from(self.counted)) as u32;
        Box::new(Self { counted: at_most, ..self.clone() })
    }
}

/// Some trials of a bitmap, and who takes their readings.
struct Batch<'a> {
    case: &'a LinearCounting,
    seed: u64,
    trials: Range<u64>,
    out: &'a mut dyn Record,
}

impl Keyed for Batch<'_> {
    type Output = ();

    fn run<S: Source, A: Arrivals>(self, mut arrivals: A) {
        let Self { case, seed, trials, out } = self;
        let mut is_set = vec![false; case.bits as usize];
        for number in trials {
            let seeds = Seeds::of(seed, number);
            is_set.fill(false);
            arrivals.begin(seeds.keys);
            let mut source = S::new(&case.hash, seeds.hash);
            let mut passes = 0;
            for element in 0..case.counted {
                // Another pass over a short trace, where it is one under new hash functions.
                if arrivals.left() == 0 && arrivals.next_pass() {
                    passes += 1;
                    source = S::new(&case.hash, derive_seed(seeds.hash, passes));
                }
                let (key, _) = arrivals.arrive(element);
                is_set[source.element(key).next(case.bits) as usize] = true;
            }
            case.record(&is_set, out);
        }
    }
}

impl LinearCounting {
    fn record(&self, is_set: &[bool], out: &mut dyn Record) {
        let zero = is_set.iter().filter(|&&is_set| !is_set).count() as f64 / is_set.len() as f64;
        let estimate = -f64::from(self.bits) * zero.ln();
        out.reading(metrics::ZERO_BITS_FRACTION, Some(zero));
        // A bitmap without a zero says nothing.
        let relative = (zero > 0.0).then(|| estimate / f64::from(self.counted));
        out.reading(metrics::RELATIVE_ESTIMATE, relative);
        out.end_of_trial();
    }
}
