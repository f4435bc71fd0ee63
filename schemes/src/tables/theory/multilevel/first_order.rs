//! Limits of finite multilevel tables with their deviation of first order in `1/n`.

use super::deviation::Deviation;
use super::{InsertionRule, Multilevel};
use crate::tables::theory::TheoryError;
use crate::tables::theory::refined::{Refined, Shift, Size};
use crate::tables::theory::second_chance::{self, Arrivals};

/// What first order says of a multilevel table, where it says anything.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FirstOrder {
    /// Of the elements on the overflow list, per element.
    pub overflow: Option<Refined>,
    /// Of the elements moved, per insertion.
    pub moves: Option<Refined>,
    /// Of the buckets read per insertion.
    pub accesses: Option<Refined>,
    /// Of the fraction of all buckets that hold exactly `k` elements, `k = 0..=h`.
    pub occupancy: Vec<Option<Refined>>,
    /// Of the load of each sub-table.
    pub loads: Vec<Option<Refined>>,
}

impl InsertionRule {
    /// What first order says of a static fill of `elements` into sub-tables with this many `buckets`, whose limit
    /// is `limit`, with so many `accesses` where that is known.
    ///
    /// # Errors
    /// [`TheoryError`] when the equations cannot be integrated, or an insertion has too many outcomes.
    pub fn first_order(
        self,
        elements: u32,
        buckets: &[u32],
        limit: &Multilevel,
        accesses: Option<f64>,
    ) -> Result<FirstOrder, TheoryError> {
        let (n, sizes) = per_element(elements, buckets);
        let deviation = self.deviation(&sizes)?;
        Ok(FiniteTable { n, sizes: &sizes, deviation: &deviation, limit }.first_order(accesses))
    }

    /// The same in equilibrium, for the rule of which it is known: that of second chance with buckets of one.
    ///
    /// # Errors
    /// [`TheoryError`] when there is no equilibrium, or too much to count.
    pub fn first_order_in_equilibrium(
        self,
        arrivals: Arrivals,
        elements: u32,
        buckets: &[u32],
        (limit, accesses): (&Multilevel, f64),
    ) -> Option<Result<FirstOrder, TheoryError>> {
        let (n, sizes) = per_element(elements, buckets);
        let known = self == Self::SecondChance;
        let deviation = known.then(|| second_chance::deviation(&sizes, arrivals))?;
        let first_order = |deviation: second_chance::Deviation| {
            let deviation = Deviation::from(deviation);
            FiniteTable { n, sizes: &sizes, deviation: &deviation, limit }
                .first_order(Some(accesses))
        };
        Some(deviation.map(first_order))
    }
}

/// Elements, and buckets of each sub-table per element.
fn per_element(elements: u32, buckets: &[u32]) -> (f64, Vec<f64>) {
    let n = f64::from(elements);
    (n, buckets.iter().map(|&m| f64::from(m) / n).collect())
}

impl From<second_chance::Deviation> for Deviation {
    fn from(deviation: second_chance::Deviation) -> Self {
        let second_chance::Deviation { overflow, moves, accesses, occupancy, spread } = deviation;
        let law = |taken: Shift| vec![Shift { by: -taken.by, ..taken }, taken];
        let occupancy = occupancy.into_iter().map(law).collect();
        Self { overflow, moves, reads: accesses, occupancy, spread }
    }
}

/// A finite table, the limit of such tables, and how far it is from that.
struct FiniteTable<'a> {
    n: f64,
    /// Buckets of each sub-table per element.
    sizes: &'a [f64],
    deviation: &'a Deviation,
    limit: &'a Multilevel,
}

impl FiniteTable<'_> {
    fn first_order(&self, accesses: Option<f64>) -> FirstOrder {
        let Deviation { overflow, moves, reads, .. } = *self.deviation;
        let of = |shift: Shift, value: f64| self.refine(shift, value, 1.0);
        FirstOrder {
            overflow: of(overflow, self.limit.overflow),
            moves: of(moves, self.limit.moves),
            accesses: accesses.and_then(|accesses| of(reads, accesses)),
            occupancy: self.occupancy(),
            loads: (0..self.sizes.len()).map(|i| self.load(i)).collect(),
        }
    }

    /// Of a quantity per bucket, of which there are `buckets` per element, or per element.
    fn refine(&self, shift: Shift, value: f64, buckets: f64) -> Option<Refined> {
        let spread = self.deviation.spread * self.limit.overflow / buckets;
        let table = Size { per: self.n, least: self.n * buckets.min(1.0) };
        shift.refine(value, spread, table)
    }

    fn occupancy(&self) -> Vec<Option<Refined>> {
        let buckets: f64 = self.sizes.iter().sum();
        let levels = self.limit.occupancy.first().map_or(0, Vec::len);
        let of_level = |k: usize| {
            let (mut share, mut shift) = (0.0, Shift { by: 0.0, size: 0.0 });
            let laws = self.limit.occupancy.iter().zip(&self.deviation.occupancy);
            for (size, (law, shifts)) in self.sizes.iter().zip(laws) {
                share += size / buckets * law[k];
                shift = shift.plus(shifts[k].per(buckets / size));
            }
            self.refine(shift, share, buckets)
        };
        (0..levels).map(of_level).collect()
    }

    fn load(&self, i: usize) -> Option<Refined> {
        let (law, shifts) = (&self.limit.occupancy[i], &self.deviation.occupancy[i]);
        let h = (law.len() - 1) as f64;
        let (mut load, mut shift) = (0.0, Shift { by: 0.0, size: 0.0 });
        for ((k, share), of_share) in (0_u32..).zip(law).zip(shifts).skip(1) {
            let part = f64::from(k) / h;
            load += part * share;
            shift = shift.plus(of_share.per(part.recip()));
        }
        self.refine(shift, load, self.sizes[i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fraction of all buckets with k elements is a mean over sub-tables by their buckets, here of 2 and 1 per
    /// element: what is left of second order is a part of that.
    #[test]
    fn sub_tables_weigh_as_many_buckets_as_they_have() {
        let shift = Shift { by: 0.02, size: 0.02 };
        let none = Shift { by: 0.0, size: 0.0 };
        let deviation = Deviation {
            overflow: none,
            moves: none,
            reads: none,
            occupancy: vec![vec![shift; 2], vec![none; 2]],
            spread: 0.0,
        };
        let occupancy = vec![vec![0.5, 0.5], vec![0.2, 0.8]];
        let limit = Multilevel { overflow: 0.1, moves: 0.0, occupancy };
        let table =
            FiniteTable { n: 10.0, sizes: &[2.0, 1.0], deviation: &deviation, limit: &limit };
        let weighed = Shift { by: 0.04 / 3.0, size: 0.04 / 3.0 };
        for (found, share) in table.occupancy().into_iter().zip([0.4, 0.6]) {
            let expected = weighed.refine(share, 0.0, Size { per: 10.0, least: 10.0 }).unwrap();
            let found = found.unwrap();
            assert!((found.by - expected.by).abs() < 1e-15, "{found:?} {expected:?}");
            assert!((found.allowance - expected.allowance).abs() < 1e-15, "{found:?} {expected:?}");
        }
    }
}
