//! Which elements point where: pairs of a bucket and the one that its element points to.
//!
//! A deletion empties a bucket and takes away a pointer to another one, and it takes the joint law of the two to
//! say how these changes are correlated. In the limit the two change independently of each other while their
//! element is there: elements begin and cease to point to the first one, and to the second one, which is emptied
//! and filled besides. When their element moves into the second one, the new element in its place
//! points to a bucket like any that is newly pointed to.

use nalgebra::{DMatrix, DVector};

use super::buckets::{Bucket, Rates};
use super::jumps::Table;
use crate::tables::theory::TheoryError;

/// The buckets of a sub-table, not the first, and of the one after it.
pub(super) struct Pairs<'a> {
    pub(super) table: Table<'a>,
    /// The former of the two sub-tables.
    pub(super) first: usize,
    /// How the buckets of both change.
    pub(super) rates: [Rates; 2],
}

impl Pairs<'_> {
    /// Elements that point to each kind of bucket (a [row](Self::row)), by the pointers to their own buckets
    /// (columns), per element in the system.
    ///
    /// # Errors
    /// [`TheoryError::Unstable`] where it is not determined.
    pub(super) fn law(&self) -> Result<DMatrix<f64>, TheoryError> {
        let links = self.links()?;
        let mut law = DMatrix::zeros(2 * self.most(1), links.len());
        let mut below = DVector::zeros(2 * self.most(1));
        for (pointers, link) in links.into_iter().enumerate() {
            below = link.factor * below + link.rest;
            law.set_column(pointers, &below);
        }
        Ok(law)
    }

    /// How each column follows from the one before, the first one without one: elimination from the last one back.
    fn links(&self) -> Result<Vec<Link>, TheoryError> {
        let (second, newly_pointed) = (self.second_changes(), self.newly_pointed());
        let begin = self.unseen()? * self.rates[1].followed;
        let identity = DMatrix::identity(second.nrows(), second.ncols());
        let mut links: Vec<Link> = Vec::with_capacity(begin.len());
        for pointers in (0..begin.len()).rev() {
            let mut system = &second - &identity * (self.gained(pointers) + pointers as f64);
            let mut rest = &newly_pointed * begin[pointers];
            if let Some(above) = links.last() {
                let lost = (pointers + 1) as f64;
                system += &above.factor * lost;
                rest += &above.rest * lost;
            }
            let inverse = system.try_inverse().ok_or(TheoryError::Unstable)?;
            let from_below = pointers.checked_sub(1).map_or(0.0, |below| self.gained(below));
            links.push(Link { factor: &inverse * -from_below, rest: inverse * -rest });
        }
        links.reverse();
        Ok(links)
    }

    /// Elements that have not been looked at, by the pointers to their buckets.
    fn unseen(&self) -> Result<DVector<f64>, TheoryError> {
        let most = self.most(0);
        let mut changes = DMatrix::zeros(most + 1, most + 1);
        for pointers in 0..=most {
            let gained = self.gained(pointers);
            changes[(pointers, pointers)] -=
                1.0 + self.rates[1].followed + gained + pointers as f64;
            if pointers > 0 {
                changes[(pointers - 1, pointers)] += pointers as f64;
            }
            if pointers < most {
                changes[(pointers + 1, pointers)] += gained;
            }
        }
        changes.lu().solve(&-self.stored()).ok_or(TheoryError::Unstable)
    }

    /// Elements that are put into a bucket, per lifetime, by the pointers to it from then on.
    fn stored(&self) -> DVector<f64> {
        let Table { counts, state } = self.table;
        let mut stored = DVector::zeros(self.most(0) + 1);
        for free in counts.buckets(self.first, false) {
            let number = counts.number(state, free);
            stored[free.pointers] += self.rates[0].filled * number;
            if let Some(fewer) = free.pointers.checked_sub(1) {
                stored[fewer] += self.rates[0].followed * free.pointers as f64 * number;
            }
        }
        stored
    }

    /// The rate at which another element begins to point to the first bucket.
    fn gained(&self, pointers: usize) -> f64 {
        if pointers < self.most(0) { self.rates[0].pointed_at } else { 0.0 }
    }

    /// The most pointers to a bucket of the former sub-table or the latter.
    fn most(&self, which: usize) -> usize {
        self.table.counts.most[self.first + which]
    }

    /// The row of a bucket with at least one pointer.
    pub(super) fn row(&self, bucket: Bucket) -> usize {
        bucket.pointers - 1 + if bucket.taken { self.most(1) } else { 0 }
    }

    /// The law of a bucket that has just got a pointer.
    fn newly_pointed(&self) -> DVector<f64> {
        let Table { counts, state } = self.table;
        let mut law = DVector::<f64>::zeros(2 * self.most(1));
        for taken in counts.buckets(self.first + 1, true) {
            let pointed = taken.with_pointers(counts.with_another(taken));
            law[self.row(pointed)] += counts.number(state, taken);
        }
        let sum = law.sum();
        law / sum
    }

    /// How the second bucket changes while the first one stays as it is: rates from each kind (columns) to each
    /// other. The pair ends with its element.
    fn second_changes(&self) -> DMatrix<f64> {
        let rates = &self.rates[1];
        let mut changes = DMatrix::zeros(2 * self.most(1), 2 * self.most(1));
        let mut add = |from: Bucket, to: Bucket, rate: f64| {
            changes[(self.row(from), self.row(from))] -= rate;
            changes[(self.row(to), self.row(from))] += rate;
        };
        for from in self.table.counts.pointed(self.first + 1) {
            let others = from.pointers - 1;
            add(from, from.now(!from.taken), if from.taken { 1.0 } else { rates.filled });
            if others > 0 {
                let fewer = from.with_pointers(others);
                add(from, fewer, others as f64);
                if !from.taken {
                    add(from, fewer.now(true), others as f64 * rates.followed);
                }
            }
            if from.taken {
                let more = from.with_pointers(self.table.counts.with_another(from));
                add(from, more, rates.pointed_at);
            }
        }
        changes - DMatrix::identity(2 * self.most(1), 2 * self.most(1)) + self.moves()
    }

    /// The element moves into the second bucket, and the one in its place points elsewhere.
    fn moves(&self) -> DMatrix<f64> {
        let (newly_pointed, followed) = (self.newly_pointed(), self.rates[1].followed);
        let mut changes = DMatrix::zeros(newly_pointed.len(), newly_pointed.len());
        for from in self.table.counts.pointed(self.first + 1).filter(|bucket| !bucket.taken) {
            let row = self.row(from);
            changes.set_column(row, &(&newly_pointed * followed));
            changes[(row, row)] -= followed;
        }
        changes
    }
}

/// A column is the one before times `factor`, and `rest`.
struct Link {
    factor: DMatrix<f64>,
    rest: DVector<f64>,
}

#[cfg(test)]
mod tests {
    use super::super::counts::Counts;
    use super::super::equilibrium::{first_taken, hops, laws};
    use super::*;

    /// Summed up over one of the two, a pair leaves the other one.
    #[test]
    fn pairs_are_made_of_buckets() {
        let sizes = [0.3, 0.4, 0.2, 0.1];
        let hops = hops(&sizes).unwrap();
        let laws = laws(&hops, &sizes).unwrap();
        let counts = Counts::new(&sizes, &laws);
        let state = counts.state(first_taken(&sizes), &laws);
        let table = Table { counts: &counts, state: &state };
        let rates = counts.rates(&hops);
        for first in 1..3 {
            let pairs = Pairs { table, first, rates: [rates[first - 1], rates[first]] };
            let (law, unseen) = (pairs.law().unwrap(), pairs.unseen().unwrap());
            for to in counts.pointed(first + 1) {
                let expected = to.pointers as f64 * counts.number(&state, to);
                assert!((law.row(pairs.row(to)).sum() - expected).abs() < 1e-11, "{to:?}");
            }
            for own in counts.buckets(first, true) {
                let found = law.column(own.pointers).sum() + unseen[own.pointers];
                assert!((found - counts.number(&state, own)).abs() < 1e-11, "{own:?}");
            }
        }
    }
}
