//! The size of a table without its shape.

use super::Geometry;
use super::params::{BUCKET_SIZE, BUCKETS, ELEMENTS, LOAD};
use super::timed::ABSENT;
use crate::params::{Param, ParamError, Params};

/// Elements and the places that a table has for them, for a structure of another kind that stands beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// n.
    pub elements: u32,
    /// m·h.
    pub places: u32,
}

impl Room {
    /// The parameters that tell the size of a table.
    pub const PARAMS: &'static [Param] = &[ELEMENTS, LOAD, BUCKETS, BUCKET_SIZE];

    /// Reads the size.
    ///
    /// # Errors
    /// As that of a table, or where the places are above 2³² − 1.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let Geometry { elements, buckets, bucket_size } = Geometry::from_params(params)?;
        let places = buckets.checked_mul(bucket_size.into()).ok_or_else(|| {
            let reason = format!("{buckets} buckets of {bucket_size} are above 2^32 places");
            ParamError::new(BUCKETS.name, reason)
        })?;
        Ok(Self { elements, places })
    }

    /// Absent keys that a table of this size is asked for in turn, where it is timed.
    pub fn absent(&self) -> u64 {
        self.elements.min(ABSENT).into()
    }
}
