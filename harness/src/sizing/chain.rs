//! A table whose overflow list is known exactly under deletions, for tests.

/// One choice among `m` buckets of one element, `n` elements: the list is a Markov chain, which is followed from its
/// equilibrium through all operations.
pub(super) struct OneChoice {
    pub(super) n: usize,
    pub(super) m: usize,
}

impl OneChoice {
    /// The law after a round, where lists above `most` are forgotten.
    fn round(&self, law: &[f64], most: usize) -> Vec<f64> {
        let mut next = vec![0.0; law.len()];
        for (list, p) in law.iter().enumerate() {
            let listed = list as f64 / self.n as f64;
            for (deleted, left) in [(listed, list.wrapping_sub(1)), (1.0 - listed, list)] {
                if deleted * p > 0.0 {
                    let stored = self.n - 1 - left;
                    let full = stored as f64 / self.m as f64;
                    next[left] += p * deleted * (1.0 - full);
                    next[left + 1] += p * deleted * full;
                }
            }
        }
        next.iter_mut().skip(most + 1).for_each(|p| *p = 0.0);
        next
    }

    /// The law of the list in equilibrium.
    pub(super) fn equilibrium(&self) -> Vec<f64> {
        let mut law = vec![0.0; self.n + 2];
        law[0] = 1.0;
        (0..2000).for_each(|_| law = self.round(&law, self.n));
        law
    }

    /// The probability that the list is longer than `k` in the beginning or after one of so many operations.
    pub(super) fn exceeded(&self, k: u32, operations: u64) -> f64 {
        let mut within = self.equilibrium();
        let mut exceeded: f64 = within.drain(k as usize + 1..).sum();
        within.resize(self.n + 2, 0.0);
        for _ in 0..operations {
            let next = self.round(&within, self.n);
            exceeded += next[k as usize + 1..].iter().sum::<f64>();
            within = self.round(&within, k as usize);
        }
        exceeded
    }
}
