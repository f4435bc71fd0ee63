//! Each case as one would write it by hand for nothing but that case: flat arrays, no scheme, no
//! options, only the two sums that are compared.
//!
//! With xxh3 the draws are those of the harness, so that both must come to the same totals; else they have the same law,
//! and both come to the same means, within chance.

use std::array;
use std::ops::Range;

use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::{HashFamily, Xxh3, derive_seed, reduce};
use loadfactor_schemes::keys::Seeds;
use rand::{Rng as _, SeedableRng};

/// The numbers of one case.
#[derive(Debug, Clone)]
pub struct Problem {
    /// n.
    pub elements: u32,
    /// Buckets of each sub-table, where there are any.
    pub sub_tables: Vec<u32>,
    /// m.
    pub buckets: u32,
    /// h.
    pub bucket_size: u8,
    /// Rounds before the measuring window.
    pub warm_up: u64,
    /// Rounds of the measuring window.
    pub rounds: u64,
    /// Seed of the point.
    pub seed: u64,
    /// Keys of the arriving elements, and which distinct key each is; empty where none is looked at.
    pub packets: Vec<([u8; 13], u32)>,
}

/// Sums over all trials.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Insertions of the measuring window, where their number depends on chance; otherwise 0.
    pub insertions: u64,
    /// The overflow list's length after each round, or at the end of a static fill.
    pub overflow: u64,
    /// Buckets read by the insertions of the measuring window.
    pub accesses: u64,
    /// Elements moved by them from bucket to bucket.
    pub moves: u64,
    /// Elements moved from bucket to bucket by the deletions of the measuring window.
    pub moves_on_deletion: u64,
    /// Elements moved back from the overflow list by the same deletions.
    pub moves_back: u64,
    /// Those of these insertions whose key another stored element had; 0 without a trace.
    pub repeated: u64,
}

/// MULTIPLE with D choices, static fill.
pub fn fill_multiple<const D: usize>(problem: &Problem, trials: Range<u64>) -> Totals {
    let &Problem { elements, buckets, bucket_size, seed, .. } = problem;
    let mut counts = vec![0_u8; buckets as usize];
    let mut totals = Totals::default();
    for trial in trials {
        counts.fill(0);
        let mut rng = choices_of(seed, trial);
        for _ in 0..elements {
            let (bucket, accesses) = first_free::<D>(&counts, buckets, bucket_size, &mut rng);
            totals.accesses += accesses;
            match counts.get_mut(bucket as usize) {
                Some(count) => *count += 1,
                None => totals.overflow += 1,
            }
        }
    }
    totals
}

/// d-random with two choices, static fill.
pub fn fill_two_random(problem: &Problem, trials: Range<u64>) -> Totals {
    let &Problem { elements, buckets, bucket_size, seed, .. } = problem;
    let mut counts = vec![0_u8; buckets as usize];
    let mut totals = Totals::default();
    for trial in trials {
        counts.fill(0);
        let mut rng = choices_of(seed, trial);
        let mut ties = Rng::seed_from_u64(Seeds::of(seed, trial).scheme);
        for _ in 0..elements {
            let bucket = less_loaded(&counts, buckets, &mut rng, &mut ties);
            let count = &mut counts[bucket as usize];
            let stored = *count < bucket_size;
            *count += u8::from(stored);
            totals.overflow += u64::from(!stored);
        }
        totals.accesses += 2 * u64::from(elements);
    }
    totals
}

/// SINGLE, alternation.
pub fn alternate_single(problem: &Problem, trials: Range<u64>) -> Totals {
    let &Problem { elements, buckets, bucket_size, warm_up, rounds, seed, .. } = problem;
    // The overflow list is bucket m, with a count that means nothing; the true one is beside it.
    let mut counts = vec![0_u8; buckets as usize + 1];
    let mut places = vec![buckets; elements as usize];
    let mut totals = Totals::default();
    for trial in trials {
        counts.fill(0);
        let mut overflow = 0;
        let mut rng = choices_of(seed, trial);
        for place in &mut places {
            let bucket = reduce(rng.next_u64(), buckets);
            let stored = counts[bucket as usize] < bucket_size;
            *place = if stored { bucket } else { buckets };
            counts[bucket as usize] += u8::from(stored);
            overflow += u64::from(!stored);
        }
        let mut departures = Rng::seed_from_u64(Seeds::of(seed, trial).departures);
        for round in 0..warm_up + rounds {
            let place = &mut places[reduce(departures.next_u64(), elements) as usize];
            counts[*place as usize] = counts[*place as usize].wrapping_sub(1);
            overflow -= u64::from(*place == buckets);
            let bucket = reduce(rng.next_u64(), buckets);
            let stored = counts[bucket as usize] < bucket_size;
            *place = if stored { bucket } else { buckets };
            counts[bucket as usize] += u8::from(stored);
            overflow += u64::from(!stored);
            totals.overflow += if round < warm_up { 0 } else { overflow };
        }
        totals.accesses += rounds;
    }
    totals
}

/// MULTIPLE with D choices, alternation.
pub fn alternate_multiple<const D: usize>(problem: &Problem, trials: Range<u64>) -> Totals {
    let &Problem { elements, buckets, bucket_size, warm_up, rounds, seed, .. } = problem;
    let mut counts = vec![0_u8; buckets as usize + 1];
    let mut places = vec![buckets; elements as usize];
    let mut totals = Totals::default();
    for trial in trials {
        counts.fill(0);
        let mut overflow = 0;
        let mut rng = choices_of(seed, trial);
        for place in &mut places {
            *place = first_free::<D>(&counts, buckets, bucket_size, &mut rng).0;
            counts[*place as usize] = counts[*place as usize].wrapping_add(1);
            overflow += u64::from(*place == buckets);
        }
        let mut departures = Rng::seed_from_u64(Seeds::of(seed, trial).departures);
        for round in 0..warm_up + rounds {
            let place = &mut places[reduce(departures.next_u64(), elements) as usize];
            counts[*place as usize] = counts[*place as usize].wrapping_sub(1);
            overflow -= u64::from(*place == buckets);
            let (bucket, accesses) = first_free::<D>(&counts, buckets, bucket_size, &mut rng);
            *place = bucket;
            counts[bucket as usize] = counts[bucket as usize].wrapping_add(1);
            overflow += u64::from(bucket == buckets);
            totals.overflow += if round < warm_up { 0 } else { overflow };
            totals.accesses += if round < warm_up { 0 } else { accesses };
        }
    }
    totals
}

/// d-random with two choices, alternation.
pub fn alternate_two_random(problem: &Problem, trials: Range<u64>) -> Totals {
    let &Problem { elements, buckets, bucket_size, warm_up, rounds, seed, .. } = problem;
    let mut counts = vec![0_u8; buckets as usize + 1];
    let mut places = vec![buckets; elements as usize];
    let mut totals = Totals::default();
    for trial in trials {
        counts.fill(0);
        let mut overflow = 0;
        let mut rng = choices_of(seed, trial);
        let mut ties = Rng::seed_from_u64(Seeds::of(seed, trial).scheme);
        for place in &mut places {
            let bucket = less_loaded(&counts, buckets, &mut rng, &mut ties);
            let stored = counts[bucket as usize] < bucket_size;
            *place = if stored { bucket } else { buckets };
            counts[bucket as usize] += u8::from(stored);
            overflow += u64::from(!stored);
        }
        let mut departures = Rng::seed_from_u64(Seeds::of(seed, trial).departures);
        for round in 0..warm_up + rounds {
            let place = &mut places[reduce(departures.next_u64(), elements) as usize];
            counts[*place as usize] = counts[*place as usize].wrapping_sub(1);
            overflow -= u64::from(*place == buckets);
            let bucket = less_loaded(&counts, buckets, &mut rng, &mut ties);
            let stored = counts[bucket as usize] < bucket_size;
            *place = if stored { bucket } else { buckets };
            counts[bucket as usize] += u8::from(stored);
            overflow += u64::from(!stored);
            totals.overflow += if round < warm_up { 0 } else { overflow };
        }
        totals.accesses += 2 * rounds;
    }
    totals
}

/// MULTIPLE with two choices by two members of xxHash3 on random keys, alternation.
pub fn alternate_xxh3(problem: &Problem, trials: Range<u64>) -> Totals {
    let &Problem { elements, buckets, bucket_size, warm_up, rounds, seed, .. } = problem;
    let mut counts = vec![0_u8; buckets as usize + 1];
    let mut places = vec![buckets; elements as usize];
    let mut totals = Totals::default();
    for trial in trials {
        counts.fill(0);
        let mut overflow = 0;
        let mut keys = Rng::seed_from_u64(Seeds::of(seed, trial).keys);
        let mut key = [0; 16];
        let members = members_of(seed, trial);
        for place in &mut places {
            keys.fill_bytes(&mut key);
            *place = first_free_hashed(&counts, buckets, bucket_size, &members, &key).0;
            counts[*place as usize] = counts[*place as usize].wrapping_add(1);
            overflow += u64::from(*place == buckets);
        }
        let mut departures = Rng::seed_from_u64(Seeds::of(seed, trial).departures);
        for round in 0..warm_up + rounds {
            let place = &mut places[reduce(departures.next_u64(), elements) as usize];
            counts[*place as usize] = counts[*place as usize].wrapping_sub(1);
            overflow -= u64::from(*place == buckets);
            keys.fill_bytes(&mut key);
            let (bucket, accesses) =
                first_free_hashed(&counts, buckets, bucket_size, &members, &key);
            *place = bucket;
            counts[bucket as usize] = counts[bucket as usize].wrapping_add(1);
            overflow += u64::from(bucket == buckets);
            totals.overflow += if round < warm_up { 0 } else { overflow };
            totals.accesses += if round < warm_up { 0 } else { accesses };
        }
    }
    totals
}

/// The same on the keys of a trace long enough for a trial, also counting the insertions whose key
/// another stored element has.
pub fn alternate_trace(problem: &Problem, trials: Range<u64>) -> Totals {
    let &Problem { elements, buckets, bucket_size, warm_up, rounds, seed, .. } = problem;
    let (first, rest) = problem.packets.split_at(elements as usize);
    let distinct = problem.packets.iter().map(|&(_, id)| id as usize + 1).max().unwrap_or(0);
    let mut stored_of = vec![0_u32; distinct];
    let mut ids = vec![0; elements as usize];
    let mut counts = vec![0_u8; buckets as usize + 1];
    let mut places = vec![buckets; elements as usize];
    let mut totals = Totals::default();
    for trial in trials {
        counts.fill(0);
        stored_of.fill(0);
        let mut overflow = 0;
        let members = members_of(seed, trial);
        for (element, (key, id)) in first.iter().enumerate() {
            let bucket = first_free_hashed(&counts, buckets, bucket_size, &members, key).0;
            places[element] = bucket;
            ids[element] = *id;
            stored_of[*id as usize] += 1;
            counts[bucket as usize] = counts[bucket as usize].wrapping_add(1);
            overflow += u64::from(bucket == buckets);
        }
        let mut departures = Rng::seed_from_u64(Seeds::of(seed, trial).departures);
        for (round, (key, id)) in (0..warm_up + rounds).zip(rest) {
            let element = reduce(departures.next_u64(), elements) as usize;
            let place = &mut places[element];
            counts[*place as usize] = counts[*place as usize].wrapping_sub(1);
            overflow -= u64::from(*place == buckets);
            stored_of[ids[element] as usize] -= 1;
            ids[element] = *id;
            let repeated = stored_of[*id as usize] > 0;
            stored_of[*id as usize] += 1;
            let (bucket, accesses) =
                first_free_hashed(&counts, buckets, bucket_size, &members, key);
            *place = bucket;
            counts[bucket as usize] = counts[bucket as usize].wrapping_add(1);
            overflow += u64::from(bucket == buckets);
            if round >= warm_up {
                totals.overflow += overflow;
                totals.accesses += accesses;
                totals.repeated += u64::from(repeated);
            }
        }
    }
    totals
}

fn choices_of(seed: u64, trial: u64) -> Rng {
    Rng::seed_from_u64(derive_seed(Seeds::of(seed, trial).hash, 0))
}

fn members_of(seed: u64, trial: u64) -> [Xxh3; 2] {
    [0, 1].map(|j| Xxh3::with_seed(derive_seed(Seeds::of(seed, trial).hash, j), 16))
}

/// The bucket among D that takes the element, or m; and the buckets read.
#[inline(always)]
fn first_free<const D: usize>(counts: &[u8], m: u32, h: u8, rng: &mut Rng) -> (u32, u64) {
    let choices: [u32; D] = array::from_fn(|_| reduce(rng.next_u64(), m));
    match choices.iter().position(|&bucket| counts[bucket as usize] < h) {
        Some(earlier) => (choices[earlier], earlier as u64 + 1),
        None => (m, D as u64),
    }
}

#[inline(always)]
fn first_free_hashed(counts: &[u8], m: u32, h: u8, members: &[Xxh3; 2], key: &[u8]) -> (u32, u64) {
    let [first, second] = members;
    let bucket = reduce(first.hash(key), m);
    if counts[bucket as usize] < h {
        return (bucket, 1);
    }
    let bucket = reduce(second.hash(key), m);
    (if counts[bucket as usize] < h { bucket } else { m }, 2)
}

#[inline(always)]
fn less_loaded(counts: &[u8], m: u32, rng: &mut Rng, ties: &mut Rng) -> u32 {
    let [first, second] = [reduce(rng.next_u64(), m), reduce(rng.next_u64(), m)];
    let [load, other] = [first, second].map(|bucket| counts[bucket as usize]);
    let second_wins = other < load || other == load && ties.next_u32() >> 31 == 0;
    if second_wins { second } else { first }
}
