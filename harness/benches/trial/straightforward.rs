//! Alternation as one would first write it in C++: buckets are arrays of element numbers, the
//! overflow list is another, and each element knows where it is.
//!
//! Its draws have the law of the harness's, so that both must come to the same means, within chance.

use std::array;
use std::ops::Range;

use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::{derive_seed, reduce};
use loadfactor_schemes::keys::Seeds;
use rand::{Rng as _, SeedableRng};

use super::by_hand::{Problem, Totals};

/// Where an element is: its bucket, or the overflow list, and the position in it.
#[derive(Clone, Copy)]
struct Place {
    bucket: Option<u32>,
    position: u32,
}

struct Table {
    buckets: u32,
    bucket_size: usize,
    loads: Vec<u8>,
    slots: Vec<u32>,
    list: Vec<u32>,
    places: Vec<Place>,
}

impl Table {
    fn new(problem: &Problem) -> Self {
        let (buckets, bucket_size) = (problem.buckets, usize::from(problem.bucket_size));
        Self {
            buckets,
            bucket_size,
            loads: vec![0; buckets as usize],
            slots: vec![0; buckets as usize * bucket_size],
            list: Vec::with_capacity(problem.elements as usize),
            places: vec![Place { bucket: None, position: 0 }; problem.elements as usize],
        }
    }

    fn clear(&mut self) {
        self.loads.fill(0);
        self.list.clear();
    }

    /// Draws D choices and stores the element in the first with room; the buckets read.
    fn insert<const D: usize>(&mut self, element: u32, rng: &mut Rng) -> u64 {
        let choices: [u32; D] = array::from_fn(|_| reduce(rng.next_u64(), self.buckets));
        for (read, bucket) in (1..).zip(choices) {
            let load = usize::from(self.loads[bucket as usize]);
            if load < self.bucket_size {
                self.slots[bucket as usize * self.bucket_size + load] = element;
                self.loads[bucket as usize] += 1;
                self.places[element as usize] =
                    Place { bucket: Some(bucket), position: load as u32 };
                return read;
            }
        }
        let position = self.list.len() as u32;
        self.places[element as usize] = Place { bucket: None, position };
        self.list.push(element);
        D as u64
    }

    /// Takes the element out; the last one takes its position.
    fn delete(&mut self, element: u32) {
        let Place { bucket, position } = self.places[element as usize];
        match bucket {
            Some(bucket) => {
                let first = bucket as usize * self.bucket_size;
                self.loads[bucket as usize] -= 1;
                let last = self.slots[first + usize::from(self.loads[bucket as usize])];
                self.slots[first + position as usize] = last;
                self.places[last as usize].position = position;
            }
            None => {
                self.list.swap_remove(position as usize);
                if let Some(&last) = self.list.get(position as usize) {
                    self.places[last as usize].position = position;
                }
            }
        }
    }
}

/// SINGLE (one choice) and MULTIPLE (more), alternation.
pub fn alternate<const D: usize>(problem: &Problem, trials: Range<u64>) -> Totals {
    let &Problem { elements, warm_up, rounds, seed, .. } = problem;
    let mut table = Table::new(problem);
    let mut totals = Totals::default();
    for trial in trials {
        table.clear();
        let mut rng = Rng::seed_from_u64(derive_seed(Seeds::of(seed, trial).hash, 0));
        let mut departures = Rng::seed_from_u64(Seeds::of(seed, trial).departures);
        for element in 0..elements {
            table.insert::<D>(element, &mut rng);
        }
        for round in 0..warm_up + rounds {
            let element = reduce(departures.next_u64(), elements);
            table.delete(element);
            let accesses = table.insert::<D>(element, &mut rng);
            if round >= warm_up {
                totals.accesses += accesses;
                totals.overflow += table.list.len() as u64;
            }
        }
    }
    totals
}
