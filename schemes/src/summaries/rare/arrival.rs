//! How it becomes known what an element finds in a sub-table.

use rand::Rng as _;

use crate::hash::reduce;
use crate::rare::Generators;

/// An element that comes to a sub-table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    pub(super) first_step: u64,
    /// Buckets of the sub-table.
    pub(super) buckets: u32,
    /// Those that are taken. Buckets have no names here, so that they are the first ones.
    pub(super) taken: u32,
}

impl Arrival {
    /// Whether its bucket is taken. After each answer that leaves this open, or says so, `known` is told how probable it is
    /// then.
    pub(super) fn finds_taken(
        &self,
        chance: &mut Generators<'_>,
        mut known: impl FnMut(u64, f64),
    ) -> bool {
        let Self { first_step, buckets, taken } = *self;
        let mut bucket = reduce(chance.at(first_step).next_u64(), buckets);
        let (mut step, mut below) = (first_step, buckets);
        loop {
            below = (below / 2).max(taken);
            if bucket >= below {
                return false;
            }
            known(step, f64::from(taken) / f64::from(below));
            if below == taken {
                return true;
            }
            step += 1;
            if chance.reach(step) {
                bucket = reduce(chance.rng.next_u64(), below);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::Rng;
    use crate::rare::Branch;

    /// Three of eleven buckets are taken: known after questions of 5 and of 3. After a branch between them it is three of
    /// five.
    #[test]
    fn a_bucket_is_as_often_taken_as_there_are_taken_ones() {
        let arrival = Arrival { first_step: 0, buckets: 11, taken: 3 };
        let found = |history: &[Branch]| {
            let mut chance = Generators::new(Rng::seed_from_u64(0), 0, history);
            let mut answers = Vec::new();
            let is_taken =
                arrival.finds_taken(&mut chance, |step, share| answers.push((step, share)));
            assert_eq!(answers, [(0, 3.0 / 5.0), (1, 1.0)][..answers.len()]);
            assert_eq!(is_taken, answers.len() == 2);
            (is_taken, answers.len())
        };
        let (mut whole, mut branched) = (Vec::new(), Vec::new());
        for seed in 0..20_000 {
            let begin = Branch { step: 0, seed: 2 * seed };
            let (is_taken, answers) = found(&[begin]);
            whole.push(is_taken);
            if answers > 0 {
                branched.push(found(&[begin, Branch { step: 1, seed: 2 * seed + 1 }]).0);
            }
        }
        for (all, share) in [(whole, 3.0 / 11.0), (branched, 3.0 / 5.0)] {
            let (number, yes) = (all.len() as f64, all.iter().filter(|&&yes| yes).count() as f64);
            let error = (share * (1.0 - share) / number).sqrt();
            assert!((yes / number - share).abs() < 4.5 * error, "{yes} of {number}");
        }
    }
}
