//! M-B as one would first write it in C++: a bucket is a counter, and the elements of the overflow list that have it among
//! their choices are linked in a ring.
//!
//! Which of several waiting elements moves back changes the overflow, though little. With `LOWEST` it is the one in the
//! lowest entry of the paper's CAM, as in the harness. Without, it is the last to have come, for which no entries are
//! needed: another scheme, and faster.

use std::ops::Range;

use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::{derive_seed, reduce};
use loadfactor_schemes::keys::Seeds;
use rand::{Rng as _, SeedableRng};

use super::by_hand::{Problem, Totals};

/// The place of an element on the overflow list.
const LIST: u32 = u32::MAX;

/// The overflow list: entry e has the nodes m + d·e to m + d·e + d − 1, one for each choice of its element, and the
/// first m nodes are the buckets.
struct Waiting<const D: usize, const LOWEST: bool> {
    buckets: u32,
    /// The nodes before and after each node.
    nodes: Vec<[u32; 2]>,
    /// The element in each entry; without `LOWEST`, that of the same number.
    elements: Vec<u32>,
    /// The entry of each element.
    entries: Vec<u32>,
    /// A bit per entry.
    free: Vec<u64>,
    length: u64,
}

impl<const D: usize, const LOWEST: bool> Waiting<D, LOWEST> {
    fn new(buckets: u32, elements: u32) -> Self {
        Self {
            buckets,
            nodes: (0..buckets + elements * D as u32).map(|node| [node; 2]).collect(),
            elements: (0..elements).collect(),
            entries: (0..elements).collect(),
            free: vec![u64::MAX; elements as usize / 64 + 1],
            length: 0,
        }
    }

    fn clear(&mut self) {
        (0..).zip(&mut self.nodes).for_each(|(number, node)| *node = [number; 2]);
        self.free.fill(u64::MAX);
        self.length = 0;
    }

    #[inline(always)]
    fn enter(&mut self, x: u32) -> u32 {
        if !LOWEST {
            return x;
        }
        let word = self.free.iter().position(|&word| word != 0).unwrap_or(0);
        let entry = 64 * word as u32 + self.free[word].trailing_zeros();
        self.free[word] &= self.free[word] - 1;
        self.elements[entry as usize] = x;
        self.entries[x as usize] = entry;
        entry
    }

    #[inline(always)]
    fn insert(&mut self, x: u32, choices: [u32; D]) {
        let first = self.buckets + self.enter(x) * D as u32;
        self.length += 1;
        for (node, bucket) in (first..).zip(choices) {
            let [_, next] = self.nodes[bucket as usize];
            self.nodes[node as usize] = [bucket, next];
            self.nodes[bucket as usize][1] = node;
            self.nodes[next as usize][0] = node;
        }
    }

    #[inline(always)]
    fn remove(&mut self, x: u32) {
        let entry = if LOWEST { self.entries[x as usize] } else { x };
        if LOWEST {
            self.free[entry as usize / 64] |= 1 << (entry % 64);
        }
        self.length -= 1;
        let first = self.buckets + entry * D as u32;
        for node in first..first + D as u32 {
            let [previous, next] = self.nodes[node as usize];
            self.nodes[previous as usize][1] = next;
            self.nodes[next as usize][0] = previous;
        }
    }

    /// An element that waits for the bucket.
    #[inline(always)]
    fn find(&self, bucket: u32) -> Option<u32> {
        let after = |node: u32| self.nodes[node as usize][1];
        let last = after(bucket);
        if last == bucket {
            return None;
        }
        let (mut found, mut node) = (last, after(last));
        while LOWEST && node != bucket {
            found = found.min(node);
            node = after(node);
        }
        Some(self.elements[((found - self.buckets) / D as u32) as usize])
    }
}

struct Table<const D: usize, const LOWEST: bool> {
    buckets: u32,
    bucket_size: u8,
    loads: Vec<u8>,
    /// The bucket of each element, or the overflow list.
    places: Vec<u32>,
    waiting: Waiting<D, LOWEST>,
    moves_back: u64,
}

impl<const D: usize, const LOWEST: bool> Table<D, LOWEST> {
    fn new(problem: &Problem) -> Self {
        let &Problem { elements, buckets, bucket_size, .. } = problem;
        Self {
            buckets,
            bucket_size,
            loads: vec![0; buckets as usize],
            places: vec![LIST; elements as usize],
            waiting: Waiting::new(buckets, elements),
            moves_back: 0,
        }
    }

    fn clear(&mut self) {
        self.loads.fill(0);
        self.waiting.clear();
    }

    /// Puts x into the bucket if it has room.
    #[inline(always)]
    fn put(&mut self, x: u32, bucket: u32) -> bool {
        let has_room = self.loads[bucket as usize] < self.bucket_size;
        if has_room {
            self.loads[bucket as usize] += 1;
            self.places[x as usize] = bucket;
        }
        has_room
    }

    #[inline(always)]
    fn overflow(&mut self, x: u32, choices: [u32; D]) {
        self.places[x as usize] = LIST;
        self.waiting.insert(x, choices);
    }

    /// Takes x out; an element that waits for its bucket, which only those of full buckets do, takes the place.
    #[inline(always)]
    fn delete(&mut self, x: u32) {
        let bucket = self.places[x as usize];
        if bucket == LIST {
            return self.waiting.remove(x);
        }
        match self.waiting.find(bucket) {
            Some(y) => {
                self.waiting.remove(y);
                self.places[y as usize] = bucket;
                self.moves_back += 1;
            }
            None => self.loads[bucket as usize] -= 1,
        }
    }
}

/// All trials; `insert` puts an element somewhere, and returns the number of buckets read.
#[inline(always)]
fn alternate<const D: usize, const LOWEST: bool>(
    problem: &Problem,
    trials: Range<u64>,
    insert: impl Fn(&mut Table<D, LOWEST>, u32, &mut [Rng; 2]) -> u64,
) -> Totals {
    let &Problem { elements, warm_up, rounds, seed, .. } = problem;
    let mut table = Table::new(problem);
    let mut totals = Totals::default();
    for trial in trials {
        table.clear();
        let seeds = Seeds::of(seed, trial);
        let mut rngs = [derive_seed(seeds.hash, 0), seeds.scheme].map(Rng::seed_from_u64);
        let mut departures = Rng::seed_from_u64(seeds.departures);
        for x in 0..elements {
            insert(&mut table, x, &mut rngs);
        }
        for round in 0..warm_up + rounds {
            if round == warm_up {
                table.moves_back = 0;
            }
            let x = reduce(departures.next_u64(), elements);
            table.delete(x);
            let accesses = insert(&mut table, x, &mut rngs);
            if round >= warm_up {
                totals.accesses += accesses;
                totals.overflow += table.waiting.length;
            }
        }
        totals.moves_back += table.moves_back;
    }
    totals
}

/// MULTIPLE with D choices.
pub fn multiple<const D: usize, const LOWEST: bool>(
    problem: &Problem,
    trials: Range<u64>,
) -> Totals {
    alternate::<D, LOWEST>(problem, trials, |table, x, [rng, _]| {
        let mut choices = [0; D];
        for (read, choice) in (1..).zip(&mut choices) {
            *choice = reduce(rng.next_u64(), table.buckets);
            if table.put(x, *choice) {
                return read;
            }
        }
        table.overflow(x, choices);
        D as u64
    })
}

/// d-random with two choices.
pub fn d_random<const LOWEST: bool>(problem: &Problem, trials: Range<u64>) -> Totals {
    alternate::<2, LOWEST>(problem, trials, |table, x, [rng, ties]| {
        let choices = [0; 2].map(|_| reduce(rng.next_u64(), table.buckets));
        let [load, other] = choices.map(|bucket| table.loads[bucket as usize]);
        let second_wins = other < load || other == load && ties.next_u32() >> 31 == 0;
        if !table.put(x, choices[usize::from(second_wins)]) {
            table.overflow(x, choices);
        }
        2
    })
}
