//! The multilevel hash table, MHT, of one element per bucket.

use super::params::{BUCKETS_PER_ELEMENT, ELEMENTS, SUB_TABLE_BUCKETS};
use crate::params::{Param, ParamError, Params};
use crate::tables::{SubTable, SubTables};

/// The most sub-tables, which is that of types.
const MOST_TYPES: usize = 64;

/// n elements and the d sub-tables that they are to go into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Multilevel {
    elements: u32,
    sub_tables: SubTables,
}

impl Multilevel {
    /// The parameters of [`from_params`](Self::from_params).
    pub const PARAMS: [Param; 3] = [ELEMENTS, SUB_TABLE_BUCKETS, BUCKETS_PER_ELEMENT];

    /// Reads n and the sub-tables.
    ///
    /// # Errors
    /// Where the sub-tables are missing, given twice, too many or of an impossible size.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let elements = params.small(ELEMENTS.name)?;
        let error = |reason: String| ParamError::new(SUB_TABLE_BUCKETS.name, reason);
        let sub_tables = SubTables::listed(params)?
            .ok_or_else(|| error("missing; give this or `buckets_per_element`".to_owned()))?;
        let types = sub_tables.iter().len();
        if types > MOST_TYPES {
            return Err(error(format!("{types} sub-tables; at most {MOST_TYPES} are possible")));
        }
        Ok(Self { elements, sub_tables })
    }

    /// The same sub-tables for another number of elements.
    #[must_use]
    pub fn holding(&self, elements: u32) -> Self {
        Self { elements, ..self.clone() }
    }

    /// n.
    pub fn elements(&self) -> u32 {
        self.elements
    }

    /// d, the number of sub-tables and of types.
    pub fn types(&self) -> u8 {
        self.sub_tables().len() as u8
    }

    /// The sub-tables, the first first.
    #[inline]
    pub fn sub_tables(&self) -> std::slice::Iter<'_, SubTable> {
        self.sub_tables.iter()
    }

    /// m_1..m_d.
    pub fn sizes(&self) -> Vec<u32> {
        self.sub_tables.sizes()
    }

    /// Buckets of the greatest sub-table.
    pub fn widest(&self) -> u32 {
        self.sub_tables().map(|own| own.buckets).max().unwrap_or(0)
    }

    /// Buckets of all sub-tables.
    pub fn buckets(&self) -> u32 {
        self.sub_tables.buckets()
    }

    /// Bytes of the bit table that says of each bucket whether it holds an element (Section 4.4).
    pub fn bit_table_bytes(&self) -> u64 {
        u64::from(self.buckets().div_ceil(u8::BITS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Scalar;

    fn read(given: &[(&str, Scalar)]) -> Result<Multilevel, ParamError> {
        Multilevel::from_params(&Params::complete(&Multilevel::PARAMS, given)?)
    }

    /// The table for 10,000 elements of Section 4.8, said in both ways, and its bit table of Section 4.10.2.
    #[test]
    fn sub_tables_are_listed_by_buckets_or_per_element() {
        let n = ("elements", 10_000_i64.into());
        let counted = ("sub_table_buckets", "40000 10000 5000 2500 2500".into());
        let table = read(&[n.clone(), counted.clone()]).unwrap();
        let per_element = ("buckets_per_element", "4 1 0.5 0.25 0.25".into());
        assert_eq!(read(&[n.clone(), per_element]).unwrap(), table);
        assert_eq!((table.types(), table.buckets(), table.widest()), (5, 60_000, 40_000));
        assert_eq!(table.bit_table_bytes(), 7500);
        assert_eq!(read(std::slice::from_ref(&n)).unwrap_err().name, "sub_table_buckets");
        let many = ("sub_table_buckets", "8 ".repeat(65).as_str().into());
        assert_eq!(read(&[n, many]).unwrap_err().name, "sub_table_buckets");
        assert_eq!(read(&[counted]).unwrap_err().name, "elements");
    }
}
