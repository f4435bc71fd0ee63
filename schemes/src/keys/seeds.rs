//! The seeds of one trial, derived from (experiment, point, trial number) alone.

use crate::hash::derive_seed;

/// One seed per source of chance, so that a change in how one is used leaves the others alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seeds {
    /// Keys that are drawn.
    pub keys: u64,
    /// The hash functions, or the random choices.
    pub hash: u64,
    /// What the scheme leaves to chance.
    pub scheme: u64,
    /// Which element departs.
    pub departures: u64,
    /// When elements arrive.
    pub arrivals: u64,
}

impl Seeds {
    /// The seeds of trial number `trial` at a point with seed `point`.
    pub fn of(point: u64, trial: u64) -> Self {
        let base = derive_seed(point, trial);
        let [keys, hash, scheme, departures, arrivals] =
            [0, 1, 2, 3, 4].map(|use_| derive_seed(base, use_));
        Self { keys, hash, scheme, departures, arrivals }
    }

    /// Those of a part of a trial that has chance of its own.
    pub(crate) fn of_part(&self, part: u64) -> Self {
        let of = |seed| derive_seed(seed, part);
        Self {
            keys: of(self.keys),
            hash: of(self.hash),
            scheme: of(self.scheme),
            departures: of(self.departures),
            arrivals: of(self.arrivals),
        }
    }
}

/// Number of the seed from which those of passes follow: no hash function has such a number.
const PASSES: u64 = 1 << 32;

/// The seed of the hash functions, or of random choices, in a pass over the keys of a trace: in the first one, pass 0, the
/// seed `hash` of the trial, in later ones others than those of its functions.
pub(crate) fn seed_of_pass(hash: u64, pass: u64) -> u64 {
    match pass {
        0 => hash,
        _ => derive_seed(derive_seed(hash, PASSES), pass),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_and_uses_have_seeds_of_their_own() {
        let mut seeds: Vec<u64> = (0..1000)
            .map(|trial| Seeds::of(7, trial))
            .flat_map(|s| [s.keys, s.hash, s.scheme, s.departures, s.arrivals])
            .collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 5000);
    }

    #[test]
    fn no_pass_has_the_seed_of_a_hash_function() {
        let mut seeds: Vec<u64> = (0..1000).map(|pass| seed_of_pass(7, pass)).collect();
        seeds.extend((0..1024).map(|function| derive_seed(7, function)));
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!((seed_of_pass(7, 0), seeds.len()), (7, 2024));
    }
}
