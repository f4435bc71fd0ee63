//! The two levels with keys in their places.

use crate::hash::{Choices as _, HashSpec, Source};
use crate::keys::{ChoiceStream, Seeds};
use crate::metric::Metric;
use crate::perfect::build::{Build, VALUES, function_seed, place};
use crate::perfect::metrics::PLACES_PER_ELEMENT;
use crate::perfect::point::Point;
use crate::timed::{Key, Structure, key};

/// What the first level keeps of a bucket.
#[derive(Debug, Clone, Copy, Default)]
struct Bucket {
    /// Its first place.
    begin: u32,
    /// nᵢ, of which there are nᵢ² places.
    load: u32,
    /// The number of its function; a bucket of one key has none.
    function: u32,
}

impl Bucket {
    /// Which of its places is that of a key.
    #[inline(always)]
    fn place<S: Source>(self, functions: &mut [S], bytes: &[u8]) -> usize {
        if self.load == 1 {
            return 0;
        }
        let of_place = value(&mut functions[self.function as usize], bytes);
        place(of_place, u64::from(self.load) * u64::from(self.load)) as usize
    }
}

/// The most bytes that a table of this case takes.
pub(in crate::perfect) fn most_bytes(point: &Point) -> u64 {
    let of_buckets = u64::from(point.buckets) * size_of::<Bucket>() as u64;
    of_buckets + (point.limit().ceil() as u64) * size_of::<Key>() as u64
}

/// A static set of keys. Those that are given to it wait for the last of them, with which it is built.
///
/// Places that are left hold a key of their bucket whose own place is another one, so that no look-up finds it there and
/// nothing has to say which places are taken.
pub(super) struct FksKeys<S> {
    hash: HashSpec,
    seeds: Seeds,
    /// Σ nᵢ² has to be below.
    limit: f64,
    /// Bytes of a key.
    width: usize,
    given: Vec<Key>,
    build: Build,
    first: S,
    /// The functions of the second level, those that no bucket came to left out.
    second: Vec<S>,
    buckets: Vec<Bucket>,
    places: Vec<Key>,
}

/// The keys that were given, as a construction sees them.
struct Given<'k, S> {
    hash: HashSpec,
    keys: &'k [Key],
    width: usize,
    source: S,
}

impl<S: Source> ChoiceStream for Given<'_, S> {
    fn begin(&mut self, seeds: &Seeds) {
        self.source = S::new(&self.hash, seeds.hash);
    }

    fn arrive(&mut self, _first: u32, choices: &mut [u32]) -> u32 {
        for (choice, key) in choices.iter_mut().zip(self.keys) {
            *choice = value(&mut self.source, &key.to_ne_bytes()[..self.width]);
        }
        self.keys.len() as u32
    }

    fn arrive_where(&mut self, _first: u32, choices: &mut [u32], wanted: &[bool]) -> u32 {
        for ((choice, key), is_wanted) in choices.iter_mut().zip(self.keys).zip(wanted) {
            if *is_wanted {
                *choice = value(&mut self.source, &key.to_ne_bytes()[..self.width]);
            }
        }
        self.keys.len() as u32
    }

    fn strangers(&mut self, _choices: &mut [u32]) -> u32 {
        0
    }

    fn depart(&mut self, _element: u32) {}
}

#[inline(always)]
fn value<S: Source>(function: &mut S, bytes: &[u8]) -> u32 {
    function.element(bytes).next(VALUES)
}

impl<S: Source> FksKeys<S> {
    /// A table that waits for the keys of this point.
    pub(super) fn new(point: &Point, width: usize, seeds: Seeds) -> Self {
        Self {
            hash: point.hash,
            seeds,
            limit: point.limit(),
            width,
            given: Vec::with_capacity(point.elements as usize),
            build: Build::new(point.elements, point.buckets),
            first: S::new(&point.hash, seeds.hash),
            second: Vec::new(),
            buckets: vec![Bucket::default(); point.buckets as usize],
            places: Vec::new(),
        }
    }

    /// Builds the table of the keys that were given. Without functions that suit them it stays empty.
    fn build(&mut self) {
        let source = S::new(&self.hash, self.seeds.hash);
        let mut keys = Given { hash: self.hash, keys: &self.given, width: self.width, source };
        if self.build.build(&mut keys, &self.seeds, self.limit) {
            self.draw_functions();
            self.lay_out();
            self.write_keys();
        }
    }

    fn draw_functions(&mut self) {
        let (hash, seed) = (self.hash, self.seeds.hash);
        let function = |level, number| S::new(&hash, function_seed(seed, level, number));
        self.first = function(0, self.build.first_level_tries - 1);
        let needed = self.build.tries.iter().map(|own| own.functions).max().unwrap_or(0);
        self.second = (0..needed).map(|number| function(1, number)).collect();
    }

    /// Gives each bucket its places and the number of its function.
    fn lay_out(&mut self) {
        let mut begin = 0;
        for (bucket, &load) in self.buckets.iter_mut().zip(&self.build.loads) {
            *bucket = Bucket { begin, load, function: 0 };
            begin += load * load;
        }
        for own in &self.build.tries {
            self.buckets[own.bucket as usize].function = own.functions - 1;
        }
        self.places.clear();
        self.places.resize(begin as usize, 0);
    }

    fn write_keys(&mut self) {
        let mut elements = self.build.by_bucket.iter();
        for bucket in &self.buckets {
            let [begin, load] = [bucket.begin as usize, bucket.load as usize];
            let places = &mut self.places[begin..begin + load * load];
            let own = elements.by_ref().take(load);
            let keys: Vec<Key> = own.map(|&element| self.given[element as usize]).collect();
            if let Some(&filler) = keys.first() {
                places.fill(filler);
            }
            for key in keys {
                let bytes = key.to_ne_bytes();
                let own = bucket.place(&mut self.second, &bytes[..self.width]);
                places[own] = key;
            }
        }
    }
}

impl<S: Source> Structure for FksKeys<S> {
    fn clear(&mut self) {
        self.given.clear();
        self.buckets.fill(Bucket::default());
    }

    fn insert(&mut self, bytes: &[u8]) {
        self.given.push(key(bytes));
        if self.given.len() == self.build.by_bucket.len() {
            self.build();
        }
    }

    #[inline(always)]
    fn contains(&mut self, bytes: &[u8]) -> bool {
        let of_bucket = value(&mut self.first, bytes);
        let bucket = self.buckets[place(of_bucket, self.buckets.len() as u64) as usize];
        if bucket.load == 0 {
            return false;
        }
        let own = bucket.place(&mut self.second, bytes);
        self.places[bucket.begin as usize + own] == key(bytes)
    }

    fn bytes(&self) -> u64 {
        (size_of_val(&self.buckets[..]) + size_of_val(&self.places[..])) as u64
    }

    fn measured(&mut self, elements: u64) -> Option<(Metric, f64)> {
        let places = self.buckets.len() + self.places.len();
        Some((PLACES_PER_ELEMENT, places as f64 / elements as f64))
    }
}
