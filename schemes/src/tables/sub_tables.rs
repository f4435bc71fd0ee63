//! Sub-tables of different sizes, each choice in its own.

use crate::math::apportion::apportion;
use crate::math::elementary::pow;
use crate::params::{Absent, Domain, Param, ParamError, Params};

use super::params::{BUCKETS, CHOICES, ELEMENTS, LOAD};

/// `buckets` of a scheme whose sub-tables may be listed instead.
pub(crate) const BUCKETS_OR_LIST: Param = Param {
    absent: Absent::Optional,
    doc: "Number of buckets, m; left out where `sub_table_buckets` or `buckets_per_element` list the sub-tables.",
    ..BUCKETS
};

/// `choices` of a scheme whose sub-tables may be listed instead.
pub(crate) const CHOICES_OR_LIST: Param = Param {
    absent: Absent::Optional,
    doc: "Number of choices, d: independent uniform hash functions. Where the sub-tables are listed, d is their number.",
    ..CHOICES
};

/// `sub_table_buckets`.
pub(crate) const SUB_TABLE_BUCKETS: Param = Param {
    name: "sub_table_buckets",
    domain: Domain::Numbers,
    absent: Absent::Optional,
    doc: "Buckets of each sub-table, from the first to the last, with spaces between, such as \"2185 1092 546 273\".",
};

/// `buckets_per_element`.
pub(crate) const BUCKETS_PER_ELEMENT: Param = Param {
    name: "buckets_per_element",
    domain: Domain::Numbers,
    absent: Absent::Optional,
    doc: "Buckets of each sub-table per element, α_i, from the first to the last, with spaces between, such as \"0.47 0.45 0.25 0.11\": sub-table i has ⌊α_i·n⌋ buckets, where `elements` gives n.",
};

/// `sub_table_factor`.
pub(crate) const SUB_TABLE_FACTOR: Param = Param {
    name: "sub_table_factor",
    domain: Domain::Number { min: 0.01, max: 100.0 },
    absent: Absent::Number(1.0),
    doc: "Buckets of a sub-table divided by those of the next, where there are sub-tables; sizes are rounded so that they sum up to m.",
};

/// The greatest number of sub-tables, which is that of choices.
const MOST_SUB_TABLES: usize = 1024;

/// m buckets split into d sub-tables, one after the other, each with `factor` times the buckets of
/// the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubTables(Vec<SubTable>);

/// One sub-table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubTable {
    /// Its first bucket.
    pub first: u32,
    /// Its buckets.
    pub buckets: u32,
}

impl SubTables {
    /// Splits `buckets` buckets into `choices` sub-tables. Where the sizes are not whole numbers
    /// they are rounded to the sum m, by largest remainder.
    ///
    /// # Errors
    /// Where a sub-table would get no bucket.
    pub fn new(buckets: u32, choices: u32, factor: f64) -> Result<Self, ParamError> {
        let sizes = apportion(buckets.into(), &weights(choices, factor));
        if sizes.contains(&0) {
            let reason = format!("{buckets} buckets are too few for {choices} such sub-tables");
            return Err(ParamError::new(BUCKETS.name, reason));
        }
        Ok(Self::one_after_another(sizes))
    }

    /// The sub-tables that a definition lists, if it does.
    ///
    /// # Errors
    /// Where they are listed twice, a number of buckets is not whole or out of range, or `buckets`,
    /// `choices` or `load` say something else.
    pub(crate) fn listed(params: &Params) -> Result<Option<Self>, ParamError> {
        let counts = params.numbers(SUB_TABLE_BUCKETS.name)?;
        let sizes = params.numbers(BUCKETS_PER_ELEMENT.name)?;
        let sub_tables = match (counts, sizes) {
            (None, None) => return Ok(None),
            (Some(_), Some(_)) => {
                let reason = "the sub-tables are listed twice; choose one";
                return Err(ParamError::new(BUCKETS_PER_ELEMENT.name, reason));
            }
            (Some(counts), None) => Self::counted(SUB_TABLE_BUCKETS.name, &counts)?,
            (None, Some(sizes)) => {
                Self::counted(BUCKETS_PER_ELEMENT.name, &counts_of(&sizes, params)?)?
            }
        };
        sub_tables.check_consistent(params)?;
        Ok(Some(sub_tables))
    }

    /// Checks that buckets and choices are given where no sub-tables are listed.
    ///
    /// # Errors
    /// The first that is missing.
    pub(crate) fn require_numbers(params: &Params) -> Result<(), ParamError> {
        let missing = [BUCKETS.name, CHOICES.name].into_iter().find(|n| params.get(n).is_none());
        missing.map_or(Ok(()), |name| {
            let reason = "missing; give `buckets` and `choices`, or list the sub-tables with `sub_table_buckets` or `buckets_per_element`";
            Err(ParamError::new(name, reason))
        })
    }

    fn counted(name: &str, counts: &[f64]) -> Result<Self, ParamError> {
        if counts.len() > MOST_SUB_TABLES {
            let reason = format!(
                "lists {} sub-tables; at most {MOST_SUB_TABLES} are possible",
                counts.len()
            );
            return Err(ParamError::new(name, reason));
        }
        let most = f64::from(i32::MAX);
        let too_many = counts.iter().sum::<f64>() > most;
        let impossible = |count: &f64| too_many || count.fract() != 0.0 || *count < 1.0;
        if let Some(count) = counts.iter().find(|count| impossible(count)) {
            let reason = format!(
                "gives a sub-table of {count} buckets; whole numbers from 1 are possible, and {most} buckets together"
            );
            return Err(ParamError::new(name, reason));
        }
        Ok(Self::one_after_another(counts.iter().map(|&count| count as u32)))
    }

    /// Refuses `buckets` or `choices` that contradict the listed sub-tables.
    fn check_consistent(&self, params: &Params) -> Result<(), ParamError> {
        let says = |name: &str, found: u32| match params.get(name) {
            Some(_) if params.small(name)? != found => {
                let reason = format!("the sub-tables that are listed give {found}; leave it out");
                Err(ParamError::new(name, reason))
            }
            _ => Ok(()),
        };
        says(BUCKETS.name, self.buckets())?;
        says(CHOICES.name, self.0.len() as u32)
    }

    /// Buckets of each.
    pub fn sizes(&self) -> Vec<u32> {
        self.iter().map(|sub_table| sub_table.buckets).collect()
    }

    /// m.
    pub fn buckets(&self) -> u32 {
        self.iter().map(|sub_table| sub_table.buckets).sum()
    }

    /// Sub-tables of so many buckets each.
    pub(super) fn one_after_another(sizes: impl IntoIterator<Item = u32>) -> Self {
        let sub_tables = sizes.into_iter().scan(0, |end, buckets| {
            let first = *end;
            *end += buckets;
            Some(SubTable { first, buckets })
        });
        Self(sub_tables.collect())
    }

    /// The sub-tables, in the order of the choices.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, SubTable> {
        self.0.iter()
    }
}

/// `⌊α_i·n⌋`, where a product that is whole but for its last bits is whole.
fn counts_of(sizes: &[f64], params: &Params) -> Result<Vec<f64>, ParamError> {
    if params.get(LOAD.name).is_some() {
        let reason = "buckets per element give the load already; give `elements` instead";
        return Err(ParamError::new(LOAD.name, reason));
    }
    let elements = params.number(ELEMENTS.name)?;
    Ok(sizes.iter().map(|size| (size * elements * (1.0 + 1e-12)).floor()).collect())
}

/// Relative sizes, the greatest of them 1.
fn weights(choices: u32, factor: f64) -> Vec<f64> {
    let weight = |j: u32| match factor >= 1.0 {
        true => pow(factor, -f64::from(j)),
        false => pow(factor, f64::from(choices - 1 - j)),
    };
    (0..choices).map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Scalar;

    fn sizes(buckets: u32, choices: u32, factor: f64) -> Vec<u32> {
        let sub_tables = SubTables::new(buckets, choices, factor).unwrap();
        sub_tables.iter().map(|sub_table| sub_table.buckets).collect()
    }

    /// The first is the multilevel table of "The Power of One Move", as in Fig. 8 of "Hash Tables
    /// With Finite Buckets Are Less Resistant to Deletions".
    #[test]
    fn sizes_are_in_proportion_and_sum_up() {
        assert_eq!(sizes(4096, 4, 2.0), [2185, 1092, 546, 273]);
        assert_eq!(sizes(4096, 4, 0.5), [273, 546, 1092, 2185]);
        assert_eq!(sizes(12, 4, 1.0), [3, 3, 3, 3]);
        assert_eq!(sizes(11, 4, 1.0), [3, 3, 3, 2]);
        for factor in [0.01, 0.9, 1.0, 1.37, 100.0] {
            assert_eq!(sizes(2_147_483_647, 3, factor).iter().sum::<u32>(), 2_147_483_647);
        }
    }

    #[test]
    fn each_begins_where_the_last_ends() {
        let sub_tables = SubTables::new(15, 4, 2.0).unwrap();
        assert_eq!(sub_tables.iter().map(|s| s.first).collect::<Vec<_>>(), [0, 8, 12, 14]);
    }

    fn listed(params: &[(&str, Scalar)]) -> Result<Vec<u32>, ParamError> {
        let mut all = Params::default();
        params.iter().for_each(|(name, value)| all.set(name, value.clone()));
        let sub_tables = SubTables::listed(&all)?.unwrap();
        Ok(sub_tables.iter().map(|sub_table| sub_table.buckets).collect())
    }

    /// 0.2857 · 10,000 is 2856.9999999999995 in floating point.
    #[test]
    fn listed_sizes_are_taken_as_they_are() {
        let text = |text: &str| Scalar::Word(text.into());
        let n = ("elements", Scalar::Integer(10_000));
        let sizes = ("buckets_per_element", text("0.3774 0.36249 0.2857"));
        assert_eq!(listed(&[n.clone(), sizes.clone()]), Ok(vec![3774, 3624, 2857]));
        let counts = ("sub_table_buckets", text("5 3"));
        assert_eq!(listed(&[n.clone(), counts.clone()]), Ok(vec![5, 3]));
        let named = |params: &[(&str, Scalar)]| listed(params).unwrap_err().name;
        assert_eq!(named(&[n.clone(), counts.clone(), sizes.clone()]), "buckets_per_element");
        assert_eq!(named(&[counts.clone(), ("choices", Scalar::Integer(3))]), "choices");
        assert_eq!(named(&[counts, ("buckets", Scalar::Integer(9))]), "buckets");
        assert_eq!(named(&[("load", Scalar::Number(0.5)), sizes.clone()]), "load");
        let many = |d| ("sub_table_buckets", text(&"1 ".repeat(d)));
        assert_eq!(named(&[n.clone(), many(1025)]), "sub_table_buckets");
        assert_eq!(listed(&[n.clone(), many(1024)]).map(|sizes| sizes.len()), Ok(1024));
        assert_eq!(named(&[("elements", Scalar::Integer(2)), sizes]), "buckets_per_element");
        assert_eq!(named(&[n, ("sub_table_buckets", text("5 2.5"))]), "sub_table_buckets");
    }

    #[test]
    fn no_sub_table_is_empty() {
        for (buckets, choices, factor) in [(3, 4, 1.0), (1000, 4, 100.0), (1 << 30, 1024, 0.01)] {
            assert_eq!(SubTables::new(buckets, choices, factor).unwrap_err().name, "buckets");
        }
    }
}
