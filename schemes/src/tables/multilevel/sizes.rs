//! How large a multilevel table is.

use super::levels::Levels;
use crate::params::{ParamError, Params};
use crate::tables::Geometry;
use crate::tables::geometry::{BUCKET_SIZE, CHOICES};
use crate::tables::sub_tables::{SUB_TABLE_FACTOR, SubTables};

/// Geometry and sub-tables of a multilevel table.
#[derive(Debug, Clone)]
pub(crate) struct Sizes {
    /// With buckets of one.
    pub(crate) geometry: Geometry,
    /// d.
    pub(crate) choices: u32,
    /// d of them, with m buckets together.
    pub(crate) sub_tables: SubTables,
}

impl Sizes {
    /// Reads elements, buckets, choices and the factor between the sizes of sub-tables.
    ///
    /// # Errors
    /// Where a parameter is missing or out of its domain, buckets hold more than one element, a
    /// sub-table would get no bucket, or there are too many choices to keep.
    pub(crate) fn from_params(params: &Params) -> Result<Self, ParamError> {
        let geometry = Geometry::from_params(params)?;
        if geometry.bucket_size != 1 {
            let reason = "buckets of this scheme hold 1 element";
            return Err(ParamError::new(BUCKET_SIZE.name, reason));
        }
        let choices = params.small(CHOICES.name)?;
        if geometry.elements.checked_mul(choices).is_none() {
            let Geometry { elements, .. } = geometry;
            let reason = format!(
                "{elements} elements with {choices} choices are too many to keep: at most {} together",
                u32::MAX
            );
            return Err(ParamError::new(CHOICES.name, reason));
        }
        let factor = params.number(SUB_TABLE_FACTOR.name)?;
        let sub_tables = SubTables::new(geometry.buckets, choices, factor)?;
        Ok(Self { geometry, choices, sub_tables })
    }

    /// An empty table of this size.
    pub(crate) fn levels(&self) -> Levels {
        Levels::new(self.geometry.elements, self.sub_tables.clone())
    }
}
