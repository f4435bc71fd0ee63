//! A point of the family of perfect hash tables.

use std::ops::{Range, RangeInclusive};

use super::build::{Build, VALUES};
use super::metrics::{
    ACCEPTED_SUM_OF_SQUARES, FIRST_FUNCTION_GOOD, FIRST_LEVEL_TRIES, GIVEN_UP_FRACTION,
    PLACES_PER_ELEMENT, TRIES_PER_BUCKET, collision_free, tries_of_size,
};
use super::params::{BUCKETS_PER_KEY, ELEMENTS, SQUARE_LIMIT};
use super::{outlook, theory, timed};
use crate::case::{Case, Cost, Means, Record, Request};
use crate::chains::metrics::SUM_OF_SQUARES;
use crate::hash::HashSpec;
use crate::keys::{KEY_PARAMS, KeySource, Seeds, choice_stream};
use crate::params::{ParamError, Scalar};
use crate::prediction::Outlook;
use crate::timed::{ABSENT, Operation, Timed, TimedKeys, Untimed, check_keys};

/// Sizes of buckets whose tries are measured by themselves.
pub(super) const SIZES: RangeInclusive<u16> = 2..=6;

/// A perfect hash table to be built, with a hash function.
#[derive(Debug, Clone)]
pub(super) struct PerfectCase {
    /// n.
    pub(super) elements: u32,
    /// m.
    pub(super) buckets: u32,
    square_limit: f64,
    pub(super) hash: HashSpec,
    seed_text: String,
}

/// A point of it.
///
/// # Errors
/// The first parameter that cannot be used.
pub(super) fn read(request: &Request<'_>) -> Result<Box<dyn Case>, ParamError> {
    let params = request.params;
    let elements = params.small(ELEMENTS.name)?;
    let buckets = (params.number(BUCKETS_PER_KEY.name)? * f64::from(elements)).round().max(1.0);
    let hash = HashSpec::from_params(request.hash, params, 1, (VALUES, "values"))?;
    let mut seed_text = format!("perfect table of {elements} elements");
    for name in KEY_PARAMS.iter().map(|param| param.name) {
        let value = params.get(name).map_or_else(String::new, ToString::to_string);
        seed_text += &format!("\n{name}={value}");
    }
    let square_limit = params.number(SQUARE_LIMIT.name)?;
    let case = PerfectCase { elements, buckets: buckets as u32, square_limit, hash, seed_text };
    case.check().map(|case| Box::new(case) as Box<dyn Case>)
}

impl PerfectCase {
    /// Functions below the limit must be known to exist.
    fn check(self) -> Result<Self, ParamError> {
        let (n, m) = (f64::from(self.elements), f64::from(self.buckets));
        if theory::good(n, m, self.limit()) > 0.0 {
            return Ok(self);
        }
        let reason = format!(
            "Σ nᵢ² is {} on average, so that hardly a function may be below {}",
            theory::squares(n, m),
            self.limit()
        );
        Err(ParamError::new(SQUARE_LIMIT.name, reason))
    }

    /// The least Σ nᵢ² that is refused.
    pub(super) fn limit(&self) -> f64 {
        self.square_limit * f64::from(self.elements)
    }

    /// Absent keys that it is asked for where it is timed.
    pub(super) fn absent(&self) -> u64 {
        self.elements.min(ABSENT).into()
    }

    fn record(&self, build: &Build, is_built: bool, out: &mut dyn Record) {
        let taken = |value: f64| is_built.then_some(value);
        let squares = build.squares as f64;
        let good = build.first_level_tries == 1 && (build.first_squares as f64) < self.limit();
        out.reading(SUM_OF_SQUARES, Some(build.first_squares as f64));
        out.reading(FIRST_LEVEL_TRIES, taken(build.first_level_tries.into()));
        out.reading(FIRST_FUNCTION_GOOD, Some(f64::from(u8::from(good))));
        out.reading(ACCEPTED_SUM_OF_SQUARES, taken(squares));
        let places = f64::from(self.buckets) + squares;
        out.reading(PLACES_PER_ELEMENT, taken(places / f64::from(self.elements)));
        let all = mean(build.tries.iter().map(|own| own.functions.into()));
        out.reading(TRIES_PER_BUCKET, all.filter(|_| is_built));
        out.reading(GIVEN_UP_FRACTION, Some(f64::from(u8::from(!is_built))));
        for size in SIZES {
            let of_size = || {
                let such = build.tries.iter().filter(|own| own.elements == u32::from(size));
                such.map(|own| own.functions)
            };
            let free = of_size().map(|tries| f64::from(u8::from(tries == 1)));
            out.reading(tries_of_size(size), mean(of_size().map(f64::from)).filter(|_| is_built));
            out.reading(collision_free(size), mean(free).filter(|_| is_built));
        }
        out.end_of_trial();
    }
}

/// The mean of numbers, where there is one.
fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = numbers.fold((0.0, 0.0), |(count, sum), x| (count + 1.0, sum + x));
    (count > 0.0).then(|| sum / count)
}

impl Case for PerfectCase {
    fn seed_text(&self) -> &str {
        &self.seed_text
    }

    fn cost(&self, keys: &KeySource) -> Cost {
        // Half of the buckets that are left are done in each round.
        let rounds = 2 + u32::BITS - self.elements.leading_zeros();
        let drawn = f64::from(rounds) * f64::from(self.elements);
        let of_keys = u64::from(self.elements) * keys.bytes_per_element() + keys.bytes();
        let bytes = Build::bytes(self.elements, self.buckets) + of_keys;
        Cost { operations: drawn + f64::from(self.buckets), bytes }
    }

    fn arrivals(&self) -> u64 {
        self.elements.into()
    }

    fn distinct_keys(&self) -> u64 {
        self.elements.into()
    }

    fn run(&self, keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        let mut build = Build::new(self.elements, self.buckets);
        choice_stream(&self.hash, keys, self.elements, vec![VALUES], &mut |stream| {
            for number in trials.clone() {
                let is_built = build.build(stream, &Seeds::of(seed, number), self.limit());
                self.record(&build, is_built, out);
            }
        });
    }

    fn outlook(&self, _measured: Means<'_>) -> Outlook {
        outlook::of(self)
    }

    fn at_one_moment(&self) -> bool {
        true
    }

    fn number_of(&self, _things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
        None
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        Vec::new()
    }

    fn timed(&self, keys: &KeySource, seed: u64) -> Result<Box<dyn Timed>, Untimed> {
        timed::table(self, keys, Seeds::of(seed, 0))
    }

    fn timed_bytes(&self, keys: &KeySource) -> Result<u64, Untimed> {
        check_keys(&self.hash)?;
        let of_keys = u64::from(self.elements) + self.absent();
        let of_table = timed::most_bytes(self) + Build::bytes(self.elements, self.buckets);
        Ok(of_table + of_keys * TimedKeys::BYTES_PER_KEY + keys.bytes())
    }

    /// The set is static.
    fn times(&self, operation: Operation) -> bool {
        matches!(operation, Operation::Hit | Operation::Miss)
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let most = (operations / 16.0).clamp(1.0, self.elements.into()) as u32;
        let share = f64::from(most) / f64::from(self.elements);
        let buckets = (f64::from(self.buckets) * share).ceil() as u32;
        Box::new(Self { elements: most, buckets, ..self.clone() })
    }
}
