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
    /// The table with `total` buckets, cut in the proportions of `sizes`, each sub-table having at least one.
    ///
    /// # Errors
    /// Where there are fewer buckets than sub-tables, or too many, or the limit cannot be computed.
    pub(super) fn cut(
        model: Model,
        elements: u32,
        sizes: &[f64],
        total: u64,
    ) -> Result<Self, Error> {
        if total > MOST_BUCKETS {
            return Err(Error::TooManyBuckets);
        }
        if total < sizes.len() as u64 {
            return Err(Error::EmptySubTable { buckets: total, choices: sizes.len() });
        }
        Self::of(model, elements, one_at_least(total, sizes))
    }

    /// The table of sub-tables with these numbers of buckets.
    ///
    /// # Errors
    /// Where the limit cannot be computed.
    pub(super) fn of(model: Model, elements: u32, buckets: Vec<u32>) -> Result<Self, Error> {
        let per_element: Vec<f64> =
            buckets.iter().map(|&m| f64::from(m) / f64::from(elements)).collect();
        let limit = model.limit(&per_element).map_err(Error::about(model.rule))?;
        Ok(Self { elements, bucket_size: model.rule.bucket_size(), buckets, limit })
    }

    /// Buckets of all sub-tables together.
    pub fn total_buckets(&self) -> u64 {
        self.buckets.iter().map(|&m| u64::from(m)).sum()
    }

    /// Buckets of each sub-table per element.
    pub(super) fn sizes(&self) -> Vec<f64> {
        let per_element = |&m: &u32| f64::from(m) / f64::from(self.elements);
        self.buckets.iter().map(per_element).collect()
    }

    /// Places per element.
    pub fn space(&self) -> f64 {
        self.total_buckets() as f64 * f64::from(self.bucket_size) / f64::from(self.elements)
    }

    /// The longest list that there can be: an element that overflows has found a full bucket in each
    /// sub-table.
    pub fn longest_list(&self) -> u32 {
        let stored = u32::from(self.bucket_size) * self.buckets.len() as u32;
        self.elements.saturating_sub(stored)
    }

    /// Elements on the overflow list, by the limit.
    pub fn overflow(&self) -> f64 {
        self.limit.overflow * f64::from(self.elements)
    }
}

/// Whole numbers of sum `total` in these proportions, save that none is 0.
pub(super) fn one_at_least(total: u64, sizes: &[f64]) -> Vec<u32> {
    let mut buckets = vec![1; sizes.len()];
    let mut large: Vec<usize> = (0..sizes.len()).collect();
    loop {
        let weights: Vec<f64> = large.iter().map(|&i| sizes[i]).collect();
        let shares = apportion(total.saturating_sub((sizes.len() - large.len()) as u64), &weights);
        let mut kept = shares.iter().map(|&share| share > 0);
        if kept.clone().all(|kept| kept) {
            large.iter().zip(shares).for_each(|(&i, share)| buckets[i] = share);
            return buckets;
        }
        large.retain(|_| kept.next().unwrap_or(false));
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
    fn no_sub_table_is_without_a_bucket() {
        assert_eq!(one_at_least(7, &[1.0, 0.5, 0.01, 0.001]), [3, 2, 1, 1]);
        assert_eq!(one_at_least(4, &[1.0, 1e-9, 1e-9, 1e-9]), [1; 4]);
        assert_eq!(one_at_least(10, &[3.0, 2.0]), [6, 4]);
    }

    #[test]
    fn the_least_total_is_found_from_below() {
        for least in [1, 10, 11, 12, 13, 500, 12_345] {
            assert_eq!(least_total(10, |total| Ok(total >= least)).unwrap(), least.max(10));
        }
    }
}
