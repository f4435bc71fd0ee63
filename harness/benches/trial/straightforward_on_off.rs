//! On-off flows as one would first write them in C++: each flow that is on tosses a coin, a geometric number of steps
//! leads to the next one that wakes up, and the system is an array with the bucket of each element.

use std::ops::Range;

use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::{derive_seed, reduce};
use loadfactor_schemes::keys::Seeds;
use rand::{Rng as _, SeedableRng};

use super::by_hand::{Problem, Totals};

/// k.
pub const FLOWS: u32 = 100;
/// ρ, the share of the slots in which a flow is on.
pub const RATE: f64 = 0.0095;
/// Mean number of slots for which a flow stays on.
pub const BURST: f64 = 10.0;

/// Probability that a flow which is off goes on.
const WAKE: f64 = RATE / (BURST * (1.0 - RATE));

/// The number of flows that are on.
struct Flows {
    on: u32,
    /// Flows that stay off, counted over all slots, before the next one goes on.
    sleepers: u64,
    rng: Rng,
}

impl Flows {
    /// In equilibrium.
    fn new(seed: u64) -> Self {
        let mut rng = Rng::seed_from_u64(seed);
        let on = (0..FLOWS).filter(|_| unit(&mut rng) <= RATE).count() as u32;
        let sleepers = sleepers(&mut rng);
        Self { on, sleepers, rng }
    }

    /// The number in the next slot.
    #[inline(always)]
    fn next(&mut self) -> u32 {
        let mut off = u64::from(FLOWS - self.on);
        let stay = 1.0 - BURST.recip();
        let mut on = (0..self.on).filter(|_| unit(&mut self.rng) <= stay).count() as u32;
        while self.sleepers < off {
            off -= self.sleepers + 1;
            on += 1;
            self.sleepers = sleepers(&mut self.rng);
        }
        self.sleepers -= off;
        self.on = on;
        on
    }
}

/// A geometric number.
fn sleepers(rng: &mut Rng) -> u64 {
    (libm::log(unit(rng)) / libm::log1p(-WAKE)) as u64
}

/// A number in (0, 1].
#[inline(always)]
pub fn unit(rng: &mut Rng) -> f64 {
    ((rng.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
}

/// An array with the bucket of each element, and the load of each bucket.
pub struct Table {
    buckets: u32,
    bucket_size: u8,
    loads: Vec<u8>,
    /// The bucket of each element in the system, m for the overflow list.
    system: Vec<u32>,
    overflow: u64,
}

impl Table {
    pub fn new(problem: &Problem) -> Self {
        let &Problem { buckets, bucket_size, .. } = problem;
        let loads = vec![0; buckets as usize];
        Self { buckets, bucket_size, loads, system: Vec::new(), overflow: 0 }
    }

    pub fn clear(&mut self) {
        self.loads.fill(0);
        self.system.clear();
        self.overflow = 0;
    }

    /// Elements in the system.
    pub fn number(&self) -> u32 {
        self.system.len() as u32
    }

    /// Elements on the overflow list.
    pub fn overflow(&self) -> u64 {
        self.overflow
    }

    /// MULTIPLE with D choices; the buckets read.
    #[inline(always)]
    pub fn insert<const D: u64>(&mut self, rng: &mut Rng) -> u64 {
        for read in 1..=D {
            let bucket = reduce(rng.next_u64(), self.buckets);
            if self.loads[bucket as usize] < self.bucket_size {
                self.loads[bucket as usize] += 1;
                self.system.push(bucket);
                return read;
            }
        }
        self.system.push(self.buckets);
        self.overflow += 1;
        D
    }

    /// Lets a random element depart, if there is any.
    #[inline(always)]
    pub fn delete(&mut self, rng: &mut Rng) {
        if self.system.is_empty() {
            return;
        }
        let element = reduce(rng.next_u64(), self.system.len() as u32);
        match self.loads.get_mut(self.system.swap_remove(element as usize) as usize) {
            Some(load) => *load -= 1,
            None => self.overflow -= 1,
        }
    }
}

/// MULTIPLE with D choices; `warm_up` and `rounds` are numbers of slots.
pub fn multiple<const D: u64>(problem: &Problem, trials: Range<u64>) -> Totals {
    let &Problem { warm_up, rounds, seed, .. } = problem;
    let mut table = Table::new(problem);
    let mut totals = Totals::default();
    for trial in trials {
        table.clear();
        let seeds = Seeds::of(seed, trial);
        let mut rng = Rng::seed_from_u64(derive_seed(seeds.hash, 0));
        let mut departures = Rng::seed_from_u64(seeds.departures);
        let mut flows = Flows::new(seeds.arrivals);
        for slot in 0..warm_up + rounds {
            let on = flows.next();
            let accesses: u64 = (0..on).map(|_| table.insert::<D>(&mut rng)).sum();
            table.delete(&mut departures);
            if slot >= warm_up {
                totals.insertions += u64::from(on);
                totals.accesses += accesses;
                totals.overflow += table.overflow;
            }
        }
    }
    totals
}
