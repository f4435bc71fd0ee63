//! Sub-tables of different sizes, each choice in its own.

use crate::params::{Absent, Domain, Param, ParamError};

use super::geometry::BUCKETS;

/// `sub_table_factor`.
pub(crate) const SUB_TABLE_FACTOR: Param = Param {
    name: "sub_table_factor",
    domain: Domain::Number { min: 0.01, max: 100.0 },
    absent: Absent::Number(1.0),
    doc: "Buckets of a sub-table divided by those of the next, where there are sub-tables; sizes are rounded so that they sum up to m.",
};

/// m buckets split into d sub-tables, one after the other, each with `factor` times the buckets of
/// the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SubTables(Vec<SubTable>);

/// One sub-table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SubTable {
    /// Its first bucket.
    pub(crate) first: u32,
    /// Its buckets.
    pub(crate) buckets: u32,
}

impl SubTables {
    /// Splits `buckets` buckets into `choices` sub-tables. Where the sizes are not whole numbers
    /// they are rounded to the sum m, by largest remainder.
    ///
    /// # Errors
    /// Where a sub-table would get no bucket.
    pub(crate) fn new(buckets: u32, choices: u32, factor: f64) -> Result<Self, ParamError> {
        let sizes = apportion(buckets, &weights(choices, factor));
        if sizes.contains(&0) {
            let reason = format!("{buckets} buckets are too few for {choices} such sub-tables");
            return Err(ParamError::new(BUCKETS.name, reason));
        }
        let sub_tables = sizes.iter().scan(0, |end, &buckets| {
            let first = *end;
            *end += buckets;
            Some(SubTable { first, buckets })
        });
        Ok(Self(sub_tables.collect()))
    }

    /// The sub-tables, in the order of the choices.
    #[inline]
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, SubTable> {
        self.0.iter()
    }
}

/// Relative sizes, the greatest of them 1.
fn weights(choices: u32, factor: f64) -> Vec<f64> {
    let weight = |j: u32| match factor >= 1.0 {
        true => factor.powf(-f64::from(j)),
        false => factor.powf(f64::from(choices - 1 - j)),
    };
    (0..choices).map(weight).collect()
}

/// Whole numbers of sum `total` in proportion to the weights, by largest remainder; of equal
/// remainders the first comes first.
fn apportion(total: u32, weights: &[f64]) -> Vec<u32> {
    let sum: f64 = weights.iter().sum();
    let quota = |weight: &f64| f64::from(total) * weight / sum;
    let mut sizes: Vec<u32> = weights.iter().map(|weight| quota(weight) as u32).collect();
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by(|&i, &j| quota(&weights[j]).fract().total_cmp(&quota(&weights[i]).fract()));
    let left = total.saturating_sub(sizes.iter().sum());
    order.iter().take(left as usize).for_each(|&i| sizes[i] += 1);
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn no_sub_table_is_empty() {
        for (buckets, choices, factor) in [(3, 4, 1.0), (1000, 4, 100.0), (1 << 30, 1024, 0.01)] {
            assert_eq!(SubTables::new(buckets, choices, factor).unwrap_err().name, "buckets");
        }
    }
}
