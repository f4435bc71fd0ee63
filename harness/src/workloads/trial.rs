//! One trial: a fresh table, fresh hash functions, one run of the workload.

use rand::{Rng as _, SeedableRng};

use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::{HashSpec, Source, derive_seed, reduce};
use loadfactor_schemes::tables::{Insertion, Table};

use super::arrivals::{Arrivals, KeySource};
use super::residents::Residents;
use super::{Process, Seeds};

/// Sums over the measuring window of one trial; whole numbers, so that they are exact.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    /// Insertions in the window.
    pub(crate) arrivals: u64,
    /// Buckets read by them.
    pub(crate) accesses: u64,
    /// Those that went to the overflow list.
    pub(crate) overflowed: u64,
    /// Those whose key another stored element has.
    pub(crate) repeated: u64,
    /// Readings of the overflow list's length.
    pub(crate) readings: u64,
    /// Their sum, in elements.
    pub(crate) overflow: u64,
    /// Buckets with k elements at the end, k = 0..=h.
    pub(crate) occupancy: Vec<u64>,
}

impl Sums {
    #[inline]
    fn add(&mut self, insertion: Insertion, repeated: bool) {
        self.arrivals += 1;
        self.accesses += u64::from(insertion.accesses);
        self.overflowed += u64::from(!insertion.stored);
        self.repeated += u64::from(repeated);
    }

    #[inline]
    fn read(&mut self, overflow: u32) {
        self.readings += 1;
        self.overflow += u64::from(overflow);
    }
}

/// Runs one trial on an emptied `table` for elements `0..elements`.
pub(crate) fn run<T: Table, S: Source>(
    table: &mut T,
    residents: Option<&mut Residents>,
    elements: u32,
    process: &Process,
    keys: &KeySource,
    hash: &HashSpec,
    seeds: &Seeds,
) -> Sums {
    let mut trial = Trial {
        table,
        residents,
        source: S::new(hash, seeds.hash),
        hash,
        hash_seed: seeds.hash,
        passes: 0,
        arrivals: Arrivals::new(keys, seeds.keys),
        chance: Rng::seed_from_u64(seeds.scheme),
    };
    let mut sums = Sums::default();
    match *process {
        Process::StaticFill => {
            for element in 0..elements {
                let (insertion, repeated) = trial.insert(element);
                sums.add(insertion, repeated);
            }
            sums.read(trial.table.overflow());
        }
        Process::Alternation { warm_up, rounds, filled } => {
            trial.start(elements, filled);
            let mut departures = Rng::seed_from_u64(seeds.departures);
            for _ in 0..warm_up {
                trial.replace(elements, &mut departures);
            }
            for _ in 0..rounds {
                let (insertion, repeated) = trial.replace(elements, &mut departures);
                sums.add(insertion, repeated);
                sums.read(trial.table.overflow());
            }
        }
    }
    sums.occupancy = trial.table.occupancy();
    sums
}

struct Trial<'t, T, S> {
    table: &'t mut T,
    residents: Option<&'t mut Residents>,
    source: S,
    hash: &'t HashSpec,
    hash_seed: u64,
    passes: u64,
    arrivals: Arrivals<'t>,
    /// What the scheme leaves to chance: its coin, its ties.
    chance: Rng,
}

impl<T: Table, S: Source> Trial<'_, T, S> {
    /// The state before the warm-up.
    fn start(&mut self, elements: u32, filled: bool) {
        for element in 0..elements {
            if filled {
                self.insert(element);
            } else {
                self.table.insert_overflowed(element);
            }
        }
    }

    /// One round: a uniformly random element departs, a new one arrives under its number.
    #[inline]
    fn replace(&mut self, elements: u32, departures: &mut Rng) -> (Insertion, bool) {
        let element = reduce(departures.next_u64(), elements);
        self.table.delete(element);
        if let Some(residents) = &mut self.residents {
            residents.remove(element);
        }
        self.insert(element)
    }

    /// Inserts the next arrival; also tells whether its key is already stored.
    #[inline]
    fn insert(&mut self, element: u32) -> (Insertion, bool) {
        let arrival = self.arrivals.next();
        if arrival.renewed {
            self.passes += 1;
            self.source = S::new(self.hash, derive_seed(self.hash_seed, self.passes));
            if let Some(residents) = &mut self.residents {
                residents.clear();
            }
        }
        let repeated = match (&mut self.residents, arrival.id) {
            (Some(residents), Some(id)) => residents.add(element, id),
            _ => false,
        };
        let insertion =
            self.table.insert(element, self.source.element(arrival.key), &mut self.chance);
        (insertion, repeated)
    }
}
