//! Brute force for tiny tables: every hash outcome, every deletion. Tests compare formulas with it.

use std::collections::BTreeMap;

/// A tiny table in which an insertion tries `d` uniform choices in turn, with probability `alpha`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tiny {
    pub(super) n: usize,
    pub(super) m: usize,
    pub(super) h: usize,
    pub(super) d: u32,
    pub(super) alpha: f64,
}

/// What the enumeration finds.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) overflow: f64,
    /// Of the last insertion under alternation, of all on average after a static fill.
    pub(super) accesses: f64,
    pub(super) occupancy: Vec<f64>,
}

/// Probability of each vector of bucket loads.
type Law = BTreeMap<Vec<usize>, f64>;

impl Tiny {
    pub(super) fn static_fill(&self) -> Found {
        let (mut law, mut accesses) = (self.empty(), 0.0);
        for _ in 0..self.n {
            let reads;
            (law, reads) = self.insert(&law);
            accesses += reads / self.n as f64;
        }
        self.found(&law, accesses)
    }

    pub(super) fn alternation(&self) -> Found {
        self.relaxation(false, 60 * self.n)
    }

    /// After `rounds` of alternation, from a full list or after a static fill.
    pub(super) fn relaxation(&self, filled: bool, rounds: usize) -> Found {
        let (mut law, mut accesses) = (self.empty(), 0.0);
        for _ in 0..if filled { self.n } else { 0 } {
            law = self.insert(&law).0;
        }
        for _ in 0..rounds {
            (law, accesses) = self.insert(&self.delete(&law));
        }
        self.found(&law, accesses)
    }

    fn empty(&self) -> Law {
        Law::from([(vec![0; self.m], 1.0)])
    }

    fn delete(&self, law: &Law) -> Law {
        let mut after = Law::new();
        for (loads, p) in law {
            let listed = self.n - loads.iter().sum::<usize>();
            *after.entry(loads.clone()).or_default() += p * listed as f64 / self.n as f64;
            for bucket in (0..self.m).filter(|&bucket| loads[bucket] > 0) {
                let mut less = loads.clone();
                less[bucket] -= 1;
                *after.entry(less).or_default() += p * loads[bucket] as f64 / self.n as f64;
            }
        }
        after
    }

    fn insert(&self, law: &Law) -> (Law, f64) {
        let (mut after, mut accesses) = (Law::new(), 0.0);
        let outcomes = self.m.pow(self.d);
        for (loads, p) in law {
            *after.entry(loads.clone()).or_default() += p * (1.0 - self.alpha);
            let each = p * self.alpha / outcomes as f64;
            for outcome in 0..outcomes {
                let (placed, reads) = self.place(loads.clone(), outcome);
                *after.entry(placed).or_default() += each;
                accesses += each * f64::from(reads);
            }
        }
        (after, accesses)
    }

    /// The digits of `outcome` to base `m` are the choices.
    fn place(&self, mut loads: Vec<usize>, mut outcome: usize) -> (Vec<usize>, u32) {
        for read in 1..=self.d {
            let bucket = outcome % self.m;
            outcome /= self.m;
            if loads[bucket] < self.h {
                loads[bucket] += 1;
                return (loads, read);
            }
        }
        (loads, self.d)
    }

    fn found(&self, law: &Law, accesses: f64) -> Found {
        let mut occupancy = vec![0.0; self.h + 1];
        for (loads, p) in law {
            for &load in loads {
                occupancy[load] += p / self.m as f64;
            }
        }
        let stored: f64 = occupancy.iter().zip(0_u32..).map(|(p, k)| p * f64::from(k)).sum();
        let overflow = 1.0 - stored * self.m as f64 / self.n as f64;
        Found { overflow, accesses, occupancy }
    }
}

#[track_caller]
pub(super) fn assert_close(left: &[f64], right: &[f64], tolerance: f64) {
    assert_eq!(left.len(), right.len());
    let same = left.iter().zip(right).all(|(l, r)| (l - r).abs() <= tolerance);
    assert!(same, "{left:?} against {right:?}");
}
