//! How much what a round of alternation changes varies: second moments of insertions and deletions.

use nalgebra::DMatrix;

use super::buckets::Bucket;
use super::counts::Counts;
use super::hop::Hop;
use super::jumps::{MeanChange, Step, Table};
use super::pairs::Pairs;
use crate::tables::theory::TheoryError;

/// Of an insertion.
pub(super) fn of_insertion(table: Table<'_>, hops: &[Hop]) -> DMatrix<f64> {
    let mut moments = Moments::new(table.counts);
    table.first(|p, steps| moments.of_all(p, steps));
    for (next, hop) in (1..).zip(hops) {
        table.ends(next, hop, |p, steps| moments.of_all(hop.passed * p, steps));
        table.passes(next, hop, |p, step| moments.of_all(hop.passed * p * hop.next, &[step]));
    }
    let across = across(table, hops);
    moments.sum + &across + across.transpose()
}

/// Of the pointers that an insertion leaves (rows) and what it does in later sub-tables (columns).
fn across(table: Table<'_>, hops: &[Hop]) -> DMatrix<f64> {
    let mut across = DMatrix::zeros(table.counts.len(), table.counts.len());
    // What insertions that get past a sub-table do from there on.
    let mut later = MeanChange::new(table.counts).sum;
    for (before, hop) in hops.iter().enumerate().rev() {
        let mut left = MeanChange::new(table.counts);
        table.passes(before + 1, hop, |p, step| left.add(p, step));
        across += &left.sum * later.transpose() * hop.passed;
        let mut ends = MeanChange::new(table.counts);
        table.ends(before + 1, hop, |p, steps| ends.add_all(p, steps));
        later = ends.sum + left.sum * hop.next + later * hop.share_passed_on();
    }
    across
}

/// Of a deletion.
///
/// # Errors
/// As [`Pairs::law`].
pub(super) fn of_deletion(table: Table<'_>, hops: &[Hop]) -> Result<DMatrix<f64>, TheoryError> {
    let mut moments = Moments::new(table.counts);
    table.emptied(|elements, step| moments.of_all(elements, &[step]));
    table.forgotten(|elements, step| moments.of_all(elements, &[step]));
    moments.of_first(table);
    let rates = table.counts.rates(hops);
    for (first, rates) in (1..).zip(rates.windows(2)) {
        moments.of_pairs(&Pairs { table, first, rates: [rates[0], rates[1]] })?;
    }
    Ok(moments.sum)
}

/// A sum of outer products.
struct Moments<'a> {
    counts: &'a Counts,
    sum: DMatrix<f64>,
}

impl<'a> Moments<'a> {
    fn new(counts: &'a Counts) -> Self {
        Self { counts, sum: DMatrix::zeros(counts.len(), counts.len()) }
    }

    /// Steps that happen together.
    fn of_all(&mut self, weight: f64, steps: &[Step]) {
        for row in steps {
            for column in steps {
                self.add(weight, [*row, *column]);
            }
        }
    }

    fn add(&mut self, weight: f64, [row, column]: [Step; 2]) {
        for (i, change) in row.changes(self.counts) {
            for (j, other) in column.changes(self.counts) {
                self.sum[(i, j)] += weight * change * other;
            }
        }
    }

    fn add_both_ways(&mut self, weight: f64, [left, right]: [Step; 2]) {
        self.add(weight, [left, right]);
        self.add(weight, [right, left]);
    }

    /// Nothing points to the buckets of the first sub-table, which are all alike.
    fn of_first(&mut self, table: Table<'_>) {
        let own = Step::emptied(Bucket { sub_table: 0, pointers: 0, taken: true });
        table.forgotten(|elements, step| {
            if step.from.sub_table == 1 {
                self.add_both_ways(elements, [own, step]);
            }
        });
    }

    fn of_pairs(&mut self, pairs: &Pairs<'_>) -> Result<(), TheoryError> {
        let law = pairs.law()?;
        for own in self.counts.buckets(pairs.first, true) {
            for to in self.counts.pointed(pairs.first + 1) {
                let elements = law[(pairs.row(to), own.pointers)];
                self.add_both_ways(elements, [Step::emptied(own), Step::forgotten(to)]);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::DVector;

    use super::super::equilibrium::{first_taken, hops, laws};
    use super::*;

    /// An insertion whose element found its choice in the sub-table before `next` taken with the probability `taken`:
    /// its way to there, and what it changed.
    struct Way {
        next: usize,
        probability: f64,
        taken: f64,
        changed: DVector<f64>,
    }

    /// The sum of squares over every way on from there.
    fn squares(table: Table<'_>, hops: &[Hop], way: &Way) -> DMatrix<f64> {
        let square = |probability: f64, changed: &DVector<f64>| {
            changed * changed.transpose() * (way.probability * probability)
        };
        let Some((hop, later)) = hops.split_first() else { return square(way.taken, &way.changed) };
        let with = |steps: &[Step]| {
            let mut change = MeanChange::new(table.counts);
            change.add_all(1.0, steps);
            &way.changed + change.sum
        };
        let mut sum = DMatrix::zeros(table.counts.len(), table.counts.len());
        table.ends(way.next, hop, |p, steps| sum += square(p, &with(steps)));
        let on = |p: f64, changed| {
            let probability = way.probability * p;
            squares(
                table,
                later,
                &Way { next: way.next + 1, probability, taken: hop.next, changed },
            )
        };
        table.passes(way.next, hop, |p, step| sum += on(p, with(&[step])));
        sum + on(hop.stuck, way.changed.clone())
    }

    /// What an insertion leaves on its way goes together with what it does later, over any number of sub-tables.
    #[test]
    fn moments_of_an_insertion_are_those_of_all_its_ways() {
        for sub_tables in [&[0.6, 0.4][..], &[0.5, 0.3, 0.2], &[0.3, 0.3, 0.2, 0.2]] {
            let hops = hops(sub_tables).unwrap();
            let laws = laws(&hops, sub_tables).unwrap();
            let counts = Counts::new(sub_tables, &laws);
            let state = counts.state(first_taken(sub_tables), &laws);
            let table = Table { counts: &counts, state: &state };
            let nothing = DVector::zeros(counts.len());
            let taken = first_taken(sub_tables);
            let first = Way { next: 1, probability: 1.0, taken, changed: nothing };
            let mut expected = squares(table, &hops, &first);
            table.first(|p, steps| {
                let mut change = MeanChange::new(&counts);
                change.add_all(1.0, steps);
                expected += &change.sum * change.sum.transpose() * p;
            });
            let off = (of_insertion(table, &hops) - expected).abs().max();
            assert!(off < 1e-12, "{sub_tables:?}: {off}");
        }
    }
}
