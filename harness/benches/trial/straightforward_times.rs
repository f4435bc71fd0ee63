//! Elements that come and go at any time, as one would first write them in C++.
//!
//! With Poisson arrivals, the time to the next event and what it is follow from the number in the system, which is an
//! array with the bucket of each element. Where each departure brings an arrival, a heap has the time at which each
//! element departs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::{derive_seed, reduce};
use loadfactor_schemes::keys::Seeds;
use rand::{Rng as _, SeedableRng};

use super::by_hand::{Problem, Totals};
use super::straightforward_on_off::{Table, unit};

/// Parts of a mean lifetime in which the lengths of the warm-up and the window are given, and in which the overflow list
/// is read.
pub const PARTS: u64 = 1000;

/// An exponential time of mean 1.
fn exponential(rng: &mut Rng) -> f64 {
    -libm::log(unit(rng))
}

/// When the window begins and ends.
fn window(problem: &Problem) -> [f64; 2] {
    [problem.warm_up, problem.warm_up + problem.rounds].map(|parts| parts as f64 / PARTS as f64)
}

/// The part of the time from `from` to `to` that is in the window.
fn overlap(from: f64, to: f64, [begin, end]: [f64; 2]) -> f64 {
    (to.min(end) - from.max(begin)).max(0.0)
}

/// MULTIPLE with D choices and Poisson arrivals, from n elements on.
pub fn open<const D: u64>(problem: &Problem, trials: Range<u64>) -> Totals {
    let window = window(problem);
    let n = problem.elements;
    let mut table = Table::new(problem);
    let mut totals = Totals::default();
    let mut overflow = 0.0;
    for trial in trials {
        table.clear();
        let seeds = Seeds::of(problem.seed, trial);
        let mut rng = Rng::seed_from_u64(derive_seed(seeds.hash, 0));
        let mut events = Rng::seed_from_u64(seeds.departures);
        (0..n).for_each(|_| _ = table.insert::<D>(&mut rng));
        let mut now = 0.0;
        while now < window[1] {
            let rate = n + table.number();
            let next = now + exponential(&mut events) / f64::from(rate);
            overflow += overlap(now, next, window) * table.overflow() as f64;
            now = next;
            if now >= window[1] {
                break;
            }
            if reduce(events.next_u64(), rate) < n {
                let accesses = table.insert::<D>(&mut rng);
                if now >= window[0] {
                    totals.insertions += 1;
                    totals.accesses += accesses;
                }
            } else {
                table.delete(&mut events);
            }
        }
    }
    totals.overflow = (overflow * PARTS as f64) as u64;
    totals
}

/// MULTIPLE with D choices and n elements, each with a time of departure of its own.
pub fn continuous<const D: u64>(problem: &Problem, trials: Range<u64>) -> Totals {
    let window = window(problem);
    let &Problem { elements, buckets, bucket_size, .. } = problem;
    let mut totals = Totals::default();
    let mut overflow = 0.0;
    let mut loads = vec![0_u8; buckets as usize];
    for trial in trials {
        loads.fill(0);
        let seeds = Seeds::of(problem.seed, trial);
        let mut rng = Rng::seed_from_u64(derive_seed(seeds.hash, 0));
        let mut lifetimes = Rng::seed_from_u64(seeds.departures);
        let mut insert = |loads: &mut [u8]| {
            for read in 1..=D {
                let bucket = reduce(rng.next_u64(), buckets);
                if loads[bucket as usize] < bucket_size {
                    loads[bucket as usize] += 1;
                    return (Some(bucket), read);
                }
            }
            (None, D)
        };
        // Positive numbers have the order of their bits.
        let mut departures: BinaryHeap<Reverse<(u64, Option<u32>)>> = BinaryHeap::new();
        let mut listed = 0_u32;
        for _ in 0..elements {
            let (bucket, _) = insert(&mut loads);
            listed += u32::from(bucket.is_none());
            departures.push(Reverse((exponential(&mut lifetimes).to_bits(), bucket)));
        }
        let mut now = 0.0;
        while let Some(Reverse((time, bucket))) = departures.pop() {
            let next = f64::from_bits(time);
            overflow += overlap(now, next, window) * f64::from(listed);
            now = next;
            if now >= window[1] {
                break;
            }
            match bucket {
                Some(bucket) => loads[bucket as usize] -= 1,
                None => listed -= 1,
            }
            let (bucket, accesses) = insert(&mut loads);
            listed += u32::from(bucket.is_none());
            if now >= window[0] {
                totals.insertions += 1;
                totals.accesses += accesses;
            }
            departures.push(Reverse(((now + exponential(&mut lifetimes)).to_bits(), bucket)));
        }
    }
    totals.overflow = (overflow * PARTS as f64) as u64;
    totals
}
