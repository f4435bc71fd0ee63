//! What is asked of a perfect hash table: a point of an experiment, read and checked.

use std::ops::RangeInclusive;

use super::build::VALUE_BITS;
use super::params::{BUCKETS_PER_ELEMENT, ELEMENTS, SQUARE_LIMIT};
use super::theory;
use crate::case::Request;
use crate::hash::HashSpec;
use crate::params::ParamError;

/// Sizes of buckets whose tries are measured by themselves.
pub(super) const SIZES: RangeInclusive<u16> = 2..=6;

/// A perfect hash table to be built, with a hash function.
#[derive(Debug, Clone)]
pub(super) struct Point {
    /// n.
    pub(super) elements: u32,
    /// m.
    pub(super) buckets: u32,
    /// The limit of Σ nᵢ² by n.
    pub(super) square_limit: f64,
    pub(super) hash: HashSpec,
}

impl Point {
    /// Reads a point.
    ///
    /// # Errors
    /// The first parameter that cannot be used.
    pub(super) fn read(request: &Request<'_>) -> Result<Self, ParamError> {
        let params = request.params;
        let elements = params.small(ELEMENTS.name)?;
        let buckets =
            (params.number(BUCKETS_PER_ELEMENT.name)? * f64::from(elements)).round().max(1.0);
        let hash = HashSpec::from_params(request.hash, params, 1, (1, "values"))?;
        check_width(&hash)?;
        let square_limit = params.number(SQUARE_LIMIT.name)?;
        Self { elements, buckets: buckets as u32, square_limit, hash }.check()
    }

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
}

/// Places of both levels follow from a whole value of a function, of which a slice may have too little.
fn check_width(hash: &HashSpec) -> Result<(), ParamError> {
    let bits = hash.choice_bits();
    if bits >= VALUE_BITS {
        return Ok(());
    }
    let reason = format!(
        "a place follows from a value of {VALUE_BITS} bits, and a slice has {bits}; use `slice_bits = {VALUE_BITS}` or `choices_from = \"seeds\"`"
    );
    Err(ParamError::new("slice_bits", reason))
}
