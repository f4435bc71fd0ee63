//! One trial: a fresh table, fresh hash functions, one run of the workload.

#[cfg(test)]
mod tests;

use std::hint::black_box;

use rand::{Rng as _, SeedableRng};

use super::static_fill::{Filled, StaticFill};
use super::{Deletion, Insertion, MovesBack, Table};
use crate::Rng;
use crate::hash::{HashSpec, Source, derive_seed, reduce};
use crate::keys::{Arrivals, Seeds, seed_of_pass};

/// Sums over the measuring window of one trial; whole numbers, so that they are exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums {
    /// Insertions in the window.
    pub(crate) arrivals: u64,
    /// Buckets read by them.
    pub(crate) accesses: u64,
    /// Those that went to the overflow list.
    pub(crate) overflowed: u64,
    /// Those whose key another stored element has.
    pub(crate) repeated: u64,
    /// Deletions in the window.
    pub(crate) departures: u64,
    /// Readings of the overflow list's length.
    pub(crate) readings: u64,
    /// Their sum, in elements.
    pub(crate) overflow: u64,
    /// Elements moved from bucket to bucket by insertions.
    pub(crate) moves: u64,
    /// And by deletions.
    pub(crate) moves_on_deletion: u64,
    /// Elements lost, as the overflow list was full.
    pub(crate) lost: u64,
    /// Elements moved back from the overflow list.
    pub(crate) moves_back: u64,
    /// Look-ups in the auxiliary CAM for that.
    pub(crate) lookups: u64,
    /// Sum over the readings of the entries of the auxiliary CAM in use.
    pub(crate) cam_entries: u64,
    /// Greatest extent of the primary CAM.
    pub(crate) cam_extent: u32,
}

impl Sums {
    /// Those of a window of so many rounds, in which nothing was counted yet.
    pub(super) fn of_window(rounds: u64) -> Self {
        Self { arrivals: rounds, departures: rounds, readings: rounds, ..Self::default() }
    }

    #[inline]
    pub(super) fn add(&mut self, insertion: Insertion, repeated: bool) {
        self.accesses += u64::from(insertion.accesses);
        self.overflowed += u64::from(!insertion.stored);
        self.moves += u64::from(insertion.moves);
        self.lost += u64::from(insertion.lost);
        self.repeated += u64::from(repeated);
        self.add_back(insertion.back);
    }

    #[inline]
    pub(super) fn delete(&mut self, deletion: Deletion) {
        self.moves_on_deletion += u64::from(deletion.moves);
        self.add_back(deletion.back);
    }

    /// Adds what was counted elsewhere meanwhile, readings apart.
    pub(super) fn append(&mut self, other: &Self) {
        self.accesses += other.accesses;
        self.overflowed += other.overflowed;
        self.moves += other.moves;
        self.moves_on_deletion += other.moves_on_deletion;
        self.lost += other.lost;
        self.moves_back += other.moves_back;
        self.lookups += other.lookups;
    }

    #[inline]
    fn add_back(&mut self, back: MovesBack) {
        self.moves_back += u64::from(back.moves);
        self.lookups += u64::from(back.lookups);
    }

    /// What two parts of a window come to.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self {
            arrivals: self.arrivals + other.arrivals,
            accesses: self.accesses + other.accesses,
            overflowed: self.overflowed + other.overflowed,
            repeated: self.repeated + other.repeated,
            departures: self.departures + other.departures,
            readings: self.readings + other.readings,
            overflow: self.overflow + other.overflow,
            moves: self.moves + other.moves,
            moves_on_deletion: self.moves_on_deletion + other.moves_on_deletion,
            lost: self.lost + other.lost,
            moves_back: self.moves_back + other.moves_back,
            lookups: self.lookups + other.lookups,
            cam_entries: self.cam_entries + other.cam_entries,
            cam_extent: self.cam_extent.max(other.cam_extent),
        }
    }

    /// In place of all readings before, one of the table as it is.
    #[inline]
    pub(super) fn look<T: Table>(&mut self, table: &T) {
        self.readings = 1;
        (self.overflow, self.cam_entries) = (0, 0);
        self.read(table);
    }

    #[inline]
    pub(super) fn read<T: Table>(&mut self, table: &T) {
        self.overflow += u64::from(table.overflow());
        if T::MOVES_BACK {
            let cam = table.cam();
            self.cam_entries += u64::from(cam.entries);
            self.cam_extent = self.cam_extent.max(cam.extent);
        }
    }
}

/// What a trial is made of, apart from its table, its arrivals and chance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting<'p> {
    /// n: the elements are `0..elements`.
    pub(crate) elements: u32,
    /// The hash function.
    pub(crate) hash: &'p HashSpec,
    /// Whether elements are so many that where those are that depart is read ahead.
    pub(crate) far: bool,
}

impl<'p> Setting<'p> {
    pub(crate) fn new(elements: u32, hash: &'p HashSpec) -> Self {
        Self { elements, hash, far: elements >= FAR }
    }
}

/// What a trial consists of, where it follows no course. A round is one departure and one arrival.
#[derive(Debug, Clone, Copy)]
pub enum Rounds {
    /// n insertions, which are measured.
    Filling,
    /// Rounds before the measuring window and in it.
    Window { filled: bool, warm_up: u64, rounds: u64 },
    /// Rounds up to one moment, at which the table is looked at.
    Moment { filled: bool, rounds: u64 },
}

/// A trial of n elements that goes by rounds.
pub(crate) trait RoundTrial {
    /// All n elements arrive.
    fn fill(&mut self) -> Sums;

    /// All n elements are on the overflow list.
    fn list(&mut self);

    /// So often, a random element departs and one arrives.
    fn alternate(&mut self, rounds: u64) -> Sums;

    /// In place of all readings, one of the table as it is.
    fn look(&self, sums: &mut Sums);
}

impl Rounds {
    /// Runs a trial of these rounds, whose table is empty.
    pub(crate) fn run(self, trial: &mut impl RoundTrial) -> Sums {
        let begin = |trial: &mut _, filled| match filled {
            true => _ = RoundTrial::fill(trial),
            false => RoundTrial::list(trial),
        };
        match self {
            Self::Filling => {
                let mut sums = trial.fill();
                trial.look(&mut sums);
                sums
            }
            Self::Window { filled, warm_up, rounds } => {
                begin(trial, filled);
                trial.alternate(warm_up);
                trial.alternate(rounds)
            }
            Self::Moment { filled, rounds } => {
                begin(trial, filled);
                trial.alternate(rounds);
                let mut sums = Sums::default();
                trial.look(&mut sums);
                sums
            }
        }
    }
}

/// Part of a trial with sums of its own.
struct Window {
    /// How many elements arrive.
    arrivals: u64,
    /// Whether a uniformly random element departs before each arrival, which takes its number;
    /// else the elements arrive in order.
    departures: bool,
}

/// So many elements are not all in the nearest caches.
const FAR: u32 = 1 << 16;
/// Rounds whose departures are read ahead at a time.
const AHEAD: u64 = 32;

/// Runs one trial on an empty table and on arrivals that were begun; both are given back.
///
/// They, the source and the generators are locals here, never seen from outside while the trial
/// runs, so that the compiler can keep what the loop changes in registers. As soon as a function that is
/// not inlined gets a reference to one of them, it keeps that one in memory.
#[inline(always)]
pub(crate) fn run<T: Table, S: Source, A: Arrivals>(
    mut table: T,
    mut arrivals: A,
    Setting { elements, hash, far }: Setting<'_>,
    rounds: Rounds,
    seeds: &Seeds,
) -> (T, A, Sums) {
    let certain = table.is_certain();
    let trial = Trial {
        table: &mut table,
        arrivals: &mut arrivals,
        source: &mut S::new(hash, seeds.hash),
        chance: &mut Rng::seed_from_u64(seeds.scheme),
        departures: &mut Rng::seed_from_u64(seeds.departures),
        elements,
        far,
        hash,
        hash_seed: seeds.hash,
        passes: 0,
    };
    // Only where choices cost next to nothing (`hash = "random"`) is a coin that is tossed for each
    // element measurable; all other sources share one copy of the loop, which compiles faster.
    let sums = if S::LOOKS_AT_KEYS {
        trial.run::<false>(rounds)
    } else if certain {
        trial.run::<true>(rounds)
    } else {
        trial.run::<false>(rounds)
    };
    (table, arrivals, sums)
}

/// Runs one trial of a static fill; its sums and the length of the overflow list.
pub(crate) fn fill(fill: &mut StaticFill, elements: u32, seeds: &Seeds) -> (Sums, u32) {
    let mut choices = Rng::seed_from_u64(derive_seed(seeds.hash, 0));
    let Filled { accesses, moves, overflow } = fill.run(&mut choices);
    let listed = u64::from(overflow);
    let sums = Sums {
        arrivals: elements.into(),
        accesses,
        overflowed: listed,
        readings: 1,
        overflow: listed,
        moves,
        ..Sums::default()
    };
    (sums, overflow)
}

struct Trial<'t, T, S, A> {
    table: &'t mut T,
    arrivals: &'t mut A,
    source: &'t mut S,
    /// What the scheme leaves to chance: its coin, its ties.
    chance: &'t mut Rng,
    departures: &'t mut Rng,
    elements: u32,
    far: bool,
    hash: &'t HashSpec,
    hash_seed: u64,
    passes: u64,
}

impl<T: Table, S: Source, A: Arrivals> Trial<'_, T, S, A> {
    /// Window by window; the sums of the last one. What is not filled begins with all n elements on the
    /// overflow list.
    ///
    /// Each kind of trial has its windows in an array of its own, of a length that the compiler knows: it
    /// then keeps more of the loop in registers than with windows in memory.
    #[inline(always)]
    fn run<const CERTAIN: bool>(mut self, rounds: Rounds) -> Sums {
        let fill = Window { arrivals: self.elements.into(), departures: false };
        let of = |arrivals| Window { arrivals, departures: true };
        let now = Window { arrivals: 0, departures: false };
        if let Rounds::Window { filled: false, .. } | Rounds::Moment { filled: false, .. } = rounds
        {
            for element in 0..self.elements {
                self.table.insert_overflowed(element);
            }
        }
        let windows: &[Window] = match rounds {
            Rounds::Filling => &[fill],
            Rounds::Window { warm_up, rounds, filled: true } => &[fill, of(warm_up), of(rounds)],
            Rounds::Window { warm_up, rounds, filled: false } => &[of(warm_up), of(rounds)],
            Rounds::Moment { rounds, filled: true } => &[fill, of(rounds), now],
            Rounds::Moment { rounds, filled: false } => &[of(rounds), now],
        };
        let mut sums = Sums::default();
        for window in windows {
            // Where choices cost next to nothing, each kind of window has a loop of its own; elsewhere
            // one loop serves both, since it is compiled for every source of choices.
            sums = if S::LOOKS_AT_KEYS {
                self.window::<CERTAIN>(window.arrivals, window.departures)
            } else if window.departures {
                self.window::<CERTAIN>(window.arrivals, true)
            } else {
                self.window::<CERTAIN>(window.arrivals, false)
            };
        }
        sums
    }

    #[inline(always)]
    fn window<const CERTAIN: bool>(&mut self, arrivals: u64, departures: bool) -> Sums {
        let mut sums = Sums { arrivals, ..Sums::default() };
        let mut done = 0;
        while done < arrivals {
            let mut rounds = self.stretch(arrivals - done);
            if departures && self.far {
                rounds = rounds.min(AHEAD);
                self.read_ahead(rounds);
            }
            let end = done + rounds;
            for arrival in done..end {
                let element = if departures { self.departure(&mut sums) } else { arrival as u32 };
                self.insert::<CERTAIN>(element, &mut sums);
            }
            done = end;
        }
        if departures {
            return Sums { departures: arrivals, readings: arrivals, ..sums };
        }
        sums.look(self.table);
        sums
    }

    /// Reads where the elements are that depart in the next rounds. Nothing waits for these reads, so that those of all of them
    /// are under way at a time.
    #[inline(always)]
    fn read_ahead(&self, rounds: u64) {
        let mut departures = self.departures.clone();
        for _ in 0..rounds {
            let element = reduce(departures.next_u64(), self.elements);
            black_box(self.table.read_ahead(element));
            black_box(self.arrivals.read_ahead(element));
        }
    }

    /// A uniformly random element departs.
    #[inline(always)]
    fn departure(&mut self, sums: &mut Sums) -> u32 {
        let element = reduce(self.departures.next_u64(), self.elements);
        self.delete(element, sums);
        element
    }

    #[inline(always)]
    fn delete(&mut self, element: u32, sums: &mut Sums) {
        sums.delete(self.table.delete(element));
        self.arrivals.depart(element);
    }

    /// How many of the next `arrivals` arrivals, at least one, fall into the same pass over the
    /// keys; where the last pass is over, the next is begun.
    #[inline(always)]
    fn stretch(&mut self, arrivals: u64) -> u64 {
        if self.arrivals.left() == 0 && self.arrivals.next_pass() {
            self.passes += 1;
            *self.source = S::new(self.hash, seed_of_pass(self.hash_seed, self.passes));
        }
        arrivals.min(self.arrivals.left())
    }

    /// Inserts the next arrival.
    #[inline(always)]
    fn insert<const CERTAIN: bool>(&mut self, element: u32, sums: &mut Sums) {
        let (key, repeated) = self.arrivals.arrive(element);
        let choices = self.source.element(key);
        sums.add(self.table.insert::<CERTAIN>(element, choices, self.chance), repeated);
        sums.read(self.table);
    }
}
