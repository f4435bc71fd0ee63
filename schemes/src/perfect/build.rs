//! The construction: functions are drawn for all elements at once, and a bucket is done with the first under which its
//! elements do not collide.

use crate::hash::derive_seed;
use crate::keys::{ChoiceStream, Seeds};

/// Functions after which a level is given up. A 2-universal family fails so often with a probability of 2^−1000 for a
/// bucket.
pub(super) const MOST_TRIES: u32 = 1000;

/// Bits of a hash value.
pub(super) const VALUE_BITS: u32 = 32;

/// Number among which hash values are taken: the place in a table follows by multiplication.
pub(super) const VALUES: u32 = u32::MAX;

/// The place of a value among so many, all alike up to one part in 2^32 / `places`.
#[inline]
pub(super) fn place(value: u32, places: u64) -> u64 {
    (u64::from(value) * places) >> VALUE_BITS
}

/// The seed of a function: those of the two levels are shared by no trial.
pub(super) fn function_seed(hash: u64, level: u64, number: u32) -> u64 {
    derive_seed(derive_seed(hash, level), number.into())
}

/// A bucket of two or more elements, and how many functions it needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tried {
    pub(super) bucket: u32,
    pub(super) elements: u32,
    pub(super) functions: u32,
}

/// The memory and the outcome of one construction after the other.
#[derive(Debug)]
pub(super) struct Build {
    /// m.
    buckets: u32,
    values: Vec<u32>,
    /// Loads of the buckets.
    pub(super) loads: Vec<u32>,
    /// Where the elements of each bucket begin in `by_bucket`, and their end.
    begins: Vec<u32>,
    /// The elements, bucket by bucket.
    pub(super) by_bucket: Vec<u32>,
    /// Buckets of two or more elements that still collide.
    pending: Vec<u32>,
    /// Whether an element is in one of these.
    is_pending: Vec<bool>,
    /// For each second-level place of a bucket the last bucket and try that took it.
    taken: Vec<u64>,
    /// Σ nᵢ² under the first function.
    pub(super) first_squares: u64,
    /// Σ nᵢ² under the one that was taken.
    pub(super) squares: u64,
    /// First-level functions drawn.
    pub(super) first_level_tries: u32,
    /// Each bucket of two or more elements.
    pub(super) tries: Vec<Tried>,
}

impl Build {
    pub(super) fn new(elements: u32, buckets: u32) -> Self {
        Self {
            buckets,
            values: vec![0; elements as usize],
            loads: vec![0; buckets as usize],
            begins: vec![0; buckets as usize + 1],
            by_bucket: vec![0; elements as usize],
            pending: Vec::new(),
            is_pending: vec![false; elements as usize],
            taken: Vec::new(),
            first_squares: 0,
            squares: 0,
            first_level_tries: 0,
            tries: Vec::new(),
        }
    }

    /// Bytes of a construction, about.
    pub(super) fn bytes(elements: u32, buckets: u32) -> u64 {
        21 * u64::from(elements) + 16 * u64::from(buckets)
    }

    /// Builds a table in which Σ nᵢ² is below the limit; whether one was found.
    pub(super) fn build(
        &mut self,
        stream: &mut dyn ChoiceStream,
        seeds: &Seeds,
        limit: f64,
    ) -> bool {
        self.tries.clear();
        let of_level =
            |level, number| Seeds { hash: function_seed(seeds.hash, level, number), ..*seeds };
        let mut is_good = |build: &mut Self, number: u32| {
            stream.begin(&of_level(0, number));
            stream.arrive(0, &mut build.values);
            build.distribute(number);
            (build.squares as f64) < limit
        };
        let good = (0..MOST_TRIES).find(|&number| is_good(self, number));
        self.first_level_tries = good.map_or(MOST_TRIES, |number| number + 1);
        if good.is_none() {
            return false;
        }
        self.sort();
        for number in 0..MOST_TRIES {
            if self.pending.is_empty() {
                break;
            }
            stream.begin(&of_level(1, number));
            stream.arrive_where(0, &mut self.values, &self.is_pending);
            self.try_pending(number);
        }
        self.pending.is_empty()
    }

    /// Counts the elements of each bucket.
    fn distribute(&mut self, number: u32) {
        self.loads.fill(0);
        for &value in &self.values {
            self.loads[place(value, self.buckets.into()) as usize] += 1;
        }
        self.squares = self.loads.iter().map(|&load| u64::from(load) * u64::from(load)).sum();
        if number == 0 {
            self.first_squares = self.squares;
        }
    }

    /// Sorts the elements by bucket.
    fn sort(&mut self) {
        self.pending.clear();
        let mut end = 0;
        for (bucket, &load) in (0..).zip(&self.loads) {
            end += load;
            // The end, from which elements are counted down to the beginning.
            self.begins[bucket as usize] = end;
            if load > 1 {
                self.pending.push(bucket);
            }
        }
        self.begins[self.loads.len()] = end;
        for (element, &value) in (0..).zip(&self.values) {
            let bucket = place(value, self.buckets.into()) as usize;
            let (load, begin) = (self.loads[bucket], &mut self.begins[bucket]);
            *begin -= 1;
            self.by_bucket[*begin as usize] = element;
            self.is_pending[element as usize] = load > 1;
        }
        let most = u64::from(self.loads.iter().max().copied().unwrap_or(0));
        self.taken.clear();
        self.taken.resize((most * most) as usize, u64::MAX);
    }

    /// Gives the pending buckets the values that were drawn; those that still collide remain.
    fn try_pending(&mut self, number: u32) {
        let Self { pending, is_pending, begins, by_bucket, values, taken, tries, .. } = self;
        pending.retain(|&bucket| {
            let [begin, end] = [begins[bucket as usize], begins[bucket as usize + 1]];
            let elements = &by_bucket[begin as usize..end as usize];
            let load = elements.len() as u64;
            let stamp = u64::from(number) << 32 | u64::from(bucket);
            let collides = elements.iter().any(|&element| {
                let own = place(values[element as usize], load * load) as usize;
                std::mem::replace(&mut taken[own], stamp) == stamp
            });
            if !collides {
                let load = elements.len() as u32;
                tries.push(Tried { bucket, elements: load, functions: number + 1 });
                elements.iter().for_each(|&element| is_pending[element as usize] = false);
            }
            collides
        });
    }
}
