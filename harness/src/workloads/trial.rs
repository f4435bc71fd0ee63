//! One trial: a fresh table, fresh hash functions, one run of the workload.

use rand::{Rng as _, SeedableRng};

use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::{HashSpec, Source, derive_seed, reduce};
use loadfactor_schemes::tables::{Deletion, Filled, Insertion, MovesBack, StaticFill, Table};
use loadfactor_schemes::theory::relaxation::Start;

use super::arrivals::Arrivals;
use super::course::{Course, Step};
use super::{Process, Seeds};

/// Sums over the measuring window of one trial; whole numbers, so that they are exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sums {
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
    #[inline]
    fn add(&mut self, insertion: Insertion, repeated: bool) {
        self.accesses += u64::from(insertion.accesses);
        self.overflowed += u64::from(!insertion.stored);
        self.moves += u64::from(insertion.moves);
        self.lost += u64::from(insertion.lost);
        self.repeated += u64::from(repeated);
        self.add_back(insertion.back);
    }

    #[inline]
    fn delete(&mut self, deletion: Deletion) {
        self.moves_on_deletion += u64::from(deletion.moves);
        self.add_back(deletion.back);
    }

    #[inline]
    fn add_back(&mut self, back: MovesBack) {
        self.moves_back += u64::from(back.moves);
        self.lookups += u64::from(back.lookups);
    }

    #[inline]
    fn read<T: Table>(&mut self, table: &T) {
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
pub(crate) struct Workload<'p> {
    /// n: the elements are `0..elements`.
    pub(crate) elements: u32,
    /// The sequence of insertions and deletions.
    pub(crate) process: &'p Process,
    /// The hash function.
    pub(crate) hash: &'p HashSpec,
}

/// Runs one trial on an empty table and on arrivals that were begun; both are given back.
///
/// They, the source and the generators are locals here, never seen from outside while the trial
/// runs, so that the compiler can keep what the loop changes in registers. It makes do with less
/// as soon as one function that is not inlined gets to see one of them.
#[inline(always)]
pub(crate) fn run<T: Table, S: Source, A: Arrivals>(
    mut table: T,
    mut arrivals: A,
    workload: Workload<'_>,
    seeds: &Seeds,
) -> (T, A, Sums) {
    let Workload { elements, process, hash } = workload;
    let certain = table.is_certain();
    let trial = Trial {
        table: &mut table,
        arrivals: &mut arrivals,
        source: &mut S::new(hash, seeds.hash),
        chance: &mut Rng::seed_from_u64(seeds.scheme),
        departures: &mut Rng::seed_from_u64(seeds.departures),
        elements,
        hash,
        hash_seed: seeds.hash,
        passes: 0,
    };
    // A test for each element shows where choices cost next to nothing; elsewhere a further copy of
    // the loops is not worth the time it takes to compile.
    let sums = if S::LOOKS_AT_KEYS {
        trial.run::<false>(process)
    } else if certain {
        trial.run::<true>(process)
    } else {
        trial.run::<false>(process)
    };
    (table, arrivals, sums)
}

/// Runs one trial that follows a course, on an empty table and on arrivals that were begun.
///
/// All such workloads share this loop, as it is built for every table and every source of choices.
#[inline(never)]
pub(crate) fn follow<T: Table, S: Source, A: Arrivals>(
    table: &mut T,
    arrivals: &mut A,
    course: &mut Course<'_>,
    workload: Workload<'_>,
    seeds: &Seeds,
) -> Sums {
    let Workload { elements, hash, .. } = workload;
    let mut trial = Trial {
        table,
        arrivals,
        source: &mut S::new(hash, seeds.hash),
        chance: &mut Rng::seed_from_u64(seeds.scheme),
        departures: &mut Rng::seed_from_u64(seeds.departures),
        elements,
        hash,
        hash_seed: seeds.hash,
        passes: 0,
    };
    let mut sums = Sums::default();
    while let Some(step) = course.next() {
        match step {
            Step::Insert(element) => {
                if let Some(room) = course.more_room(element) {
                    trial.table.reserve(room);
                    trial.arrivals.reserve(room);
                }
                trial.stretch(1);
                sums.arrivals += 1;
                trial.insert::<false>(element, &mut sums);
            }
            Step::Delete(element) => {
                sums.departures += 1;
                trial.delete(element, &mut sums);
            }
            Step::Measure => sums = Sums::default(),
            Step::Read(weight) => course.read(weight, trial.table),
        }
    }
    sums
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

/// Part of a trial with sums of its own.
struct Window {
    /// How many elements arrive.
    arrivals: u64,
    /// Whether a uniformly random element departs before each arrival, which takes its number;
    /// else the elements arrive in order.
    departures: bool,
}

struct Trial<'t, T, S, A> {
    table: &'t mut T,
    arrivals: &'t mut A,
    source: &'t mut S,
    /// What the scheme leaves to chance: its coin, its ties.
    chance: &'t mut Rng,
    departures: &'t mut Rng,
    elements: u32,
    hash: &'t HashSpec,
    hash_seed: u64,
    passes: u64,
}

impl<T: Table, S: Source, A: Arrivals> Trial<'_, T, S, A> {
    /// Window by window; the sums of the last one.
    #[inline(always)]
    fn run<const CERTAIN: bool>(mut self, process: &Process) -> Sums {
        let fill = Window { arrivals: self.elements.into(), departures: false };
        let rounds = |arrivals| Window { arrivals, departures: true };
        let now = Window { arrivals: 0, departures: false };
        let windows: &[Window] = match *process {
            Process::StaticFill => &[fill],
            Process::Alternation { warm_up, rounds: measured, filled: true } => {
                &[fill, rounds(warm_up), rounds(measured)]
            }
            Process::Alternation { warm_up, rounds: measured, filled: false } => {
                (0..self.elements).for_each(|element| self.table.insert_overflowed(element));
                &[rounds(warm_up), rounds(measured)]
            }
            Process::Relaxation { start: Start::Filled, rounds: passed } => {
                &[fill, rounds(passed), now]
            }
            Process::Relaxation { start: Start::OverflowList, rounds: passed } => {
                (0..self.elements).for_each(|element| self.table.insert_overflowed(element));
                &[rounds(passed), now]
            }
            // These follow a course.
            Process::Continuous(_) | Process::Open { .. } | Process::OnOff { .. } => &[],
        };
        let mut sums = Sums::default();
        for window in windows {
            // The kind of window is known to the compiler where choices cost next to nothing;
            // elsewhere one loop serves both, since it is built for every source of choices.
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
            let end = done + self.stretch(arrivals - done);
            for arrival in done..end {
                let element = if departures { self.departure(&mut sums) } else { arrival as u32 };
                self.insert::<CERTAIN>(element, &mut sums);
            }
            done = end;
        }
        if departures {
            return Sums { departures: arrivals, readings: arrivals, ..sums };
        }
        sums.readings = 1;
        (sums.overflow, sums.cam_entries) = (0, 0);
        sums.read(self.table);
        sums
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
            *self.source = S::new(self.hash, derive_seed(self.hash_seed, self.passes));
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
