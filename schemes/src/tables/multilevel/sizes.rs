//! How large a multilevel table is.

use crate::params::{ParamError, Params};
use crate::tables::params::{BUCKET_SIZE, CHOICES};
use crate::tables::sub_tables::{SUB_TABLE_FACTOR, SubTables};
use crate::tables::theory::multilevel::InsertionRule;
use crate::tables::{Geometry, StaticFill};

/// Geometry and sub-tables of a multilevel table.
#[derive(Debug, Clone)]
pub(crate) struct Sizes {
    pub(crate) geometry: Geometry,
    /// d.
    pub(crate) choices: u32,
    /// d of them, with m buckets together.
    pub(crate) sub_tables: SubTables,
}

impl Sizes {
    /// Reads elements, bucket size, and the sub-tables: a list of them, or buckets, choices and the
    /// factor between their sizes.
    ///
    /// # Errors
    /// Where a parameter is missing or out of its domain, or a sub-table would get no bucket.
    pub(crate) fn from_params(params: &Params) -> Result<Self, ParamError> {
        if let Some(sub_tables) = SubTables::listed(params)? {
            let geometry = Geometry::with_buckets(params, sub_tables.buckets())?;
            return Ok(Self { geometry, choices: sub_tables.iter().len() as u32, sub_tables });
        }
        SubTables::require_numbers(params)?;
        let geometry = Geometry::from_params(params)?;
        let choices = params.small(CHOICES.name)?;
        let factor = params.number(SUB_TABLE_FACTOR.name)?;
        let sub_tables = SubTables::new(geometry.buckets, choices, factor)?;
        Ok(Self { geometry, choices, sub_tables })
    }

    /// As [`from_params`](Self::from_params), for a table that keeps all choices of each element.
    ///
    /// # Errors
    /// Where buckets hold more than `largest` elements, or there are too many choices to keep, also.
    pub(crate) fn with_choices_kept(params: &Params, largest: u8) -> Result<Self, ParamError> {
        let sizes = Self::from_params(params)?;
        if sizes.geometry.bucket_size > largest {
            let reason = match largest {
                1 => "buckets of this scheme hold 1 element".to_owned(),
                _ => format!("buckets of this scheme hold 1 to {largest} elements"),
            };
            return Err(ParamError::new(BUCKET_SIZE.name, reason));
        }
        let Geometry { elements, .. } = sizes.geometry;
        if elements.checked_mul(sizes.choices).is_none() {
            let reason = format!(
                "{elements} elements with {} choices are too many to keep: at most {} together",
                sizes.choices,
                u32::MAX
            );
            return Err(ParamError::new(CHOICES.name, reason));
        }
        Ok(sizes)
    }

    /// What a static fill of such sub-tables by this rule may use.
    pub(crate) fn static_fill(&self, rule: InsertionRule) -> Option<StaticFill> {
        StaticFill::new(rule, self.geometry.elements, &self.sub_tables)
    }

    /// Buckets of each sub-table per element, α_i.
    pub(crate) fn per_element(&self) -> Vec<f64> {
        let elements = f64::from(self.geometry.elements);
        self.sub_tables.iter().map(|sub_table| f64::from(sub_table.buckets) / elements).collect()
    }
}
