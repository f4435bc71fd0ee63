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
}
