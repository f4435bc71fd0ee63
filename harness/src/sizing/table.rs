//! A table with whole numbers of buckets.

use loadfactor_schemes::math::apportion::apportion;
use loadfactor_schemes::tables::sizing::Model;
use loadfactor_schemes::tables::theory::multilevel::Multilevel;

use super::Error;

/// The largest bucket number that schemes can count to.
pub(super) const MOST_BUCKETS: u64 = i32::MAX as u64;

/// Sub-tables of whole numbers of buckets, and the limit at exactly these sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct FiniteTable {
    /// n.
    pub elements: u32,
    /// h.
    pub bucket_size: u8,
    /// Buckets of each sub-table.
    pub buckets: Vec<u32>,
    /// What to expect of many elements in sub-tables of this size per element.
    pub limit: Multilevel,
}

impl FiniteTable {
    /// The table with `total` buckets, cut in the proportions of `sizes`.
    ///
    /// # Errors
    /// Where a sub-table gets none, there are too many, or the limit cannot be computed.
    pub(super) fn cut(
        model: Model,
        elements: u32,
        sizes: &[f64],
        total: u64,
    ) -> Result<Self, Error> {
        if total > MOST_BUCKETS {
            return Err(Error::TooManyBuckets);
        }
        let buckets = apportion(total, sizes);
        if buckets.contains(&0) {
            return Err(Error::EmptySubTable { buckets: total, choices: sizes.len() });
        }
        let per_element: Vec<f64> =
            buckets.iter().map(|&m| f64::from(m) / f64::from(elements)).collect();
        let limit = model.limit(&per_element).map_err(Error::about(model.rule))?;
        Ok(Self { elements, bucket_size: model.rule.bucket_size(), buckets, limit })
    }

    /// Buckets of all sub-tables together.
    pub fn total_buckets(&self) -> u64 {
        self.buckets.iter().map(|&m| u64::from(m)).sum()
    }

    /// Places per element.
    pub fn space(&self) -> f64 {
        self.total_buckets() as f64 * f64::from(self.bucket_size) / f64::from(self.elements)
    }

    /// Elements on the overflow list, by the limit.
    pub fn overflow(&self) -> f64 {
        self.limit.overflow * f64::from(self.elements)
    }
}

/// The least total from `from` on that meets a condition which larger ones meet too.
pub(super) fn least_total(
    from: u64,
    meets: impl Fn(u64) -> Result<bool, Error>,
) -> Result<u64, Error> {
    if meets(from)? {
        return Ok(from);
    }
    let (mut short, mut step) = (from, 1);
    while !meets(short + step)? {
        (short, step) = (short + step, 2 * step);
    }
    let mut enough = short + step;
    while enough - short > 1 {
        let middle = short + (enough - short) / 2;
        *(if meets(middle)? { &mut enough } else { &mut short }) = middle;
    }
    Ok(enough)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_total_is_found_from_below() {
        for least in [1, 10, 11, 12, 13, 500, 12_345] {
            assert_eq!(least_total(10, |total| Ok(total >= least)).unwrap(), least.max(10));
        }
    }
}
