//! Tables whose elements come and go, in each lane at other times.

use pulp::Simd;

use super::ByLoad;
use super::lanes::{Arithmetic, Lanes, Numbers};
use super::loads::Loads;
use super::moving_back::{AfterOverflow as _, ToStay};
use super::registers::{InLanes, Registers};
use super::search::Search;
use super::together::{Ended, Together};
use crate::tables::trial::Sums;

/// When elements come and go.
pub(super) trait Course {
    /// Runs as many trials as there are lanes, with buckets of H.
    fn follow<S: Simd, const H: usize, const G: usize>(
        &self,
        lanes: Lanes<S, G>,
        together: Together<'_>,
        search: Search,
    ) -> Ended;
}

/// Runs trials that follow this course.
pub(super) fn follow(
    registers: Registers,
    together: Together<'_>,
    search: Search,
    course: &impl Course,
) -> Ended {
    match together.by_load.bucket_size {
        1 => registers.run(Following::<_, 1> { together, search, course }),
        2 => registers.run(Following::<_, 2> { together, search, course }),
        3 => registers.run(Following::<_, 3> { together, search, course }),
        _ => registers.run(Following::<_, 4> { together, search, course }),
    }
}

struct Following<'a, C, const H: usize> {
    together: Together<'a>,
    search: Search,
    course: &'a C,
}

impl<C: Course, const H: usize> InLanes for Following<'_, C, H> {
    #[inline(always)]
    fn run<S: Simd, const G: usize>(&self, simd: S) -> Ended {
        let &Self { together, search, course } = self;
        debug_assert!(Lanes::<S, G>::NUMBER <= together.seeds.len(), "no lane is without a trial");
        course.follow::<S, H, G>(Lanes { simd }, together, search)
    }
}

/// The table of each lane, from which nobody moves.
pub(super) struct System<'a, S: Simd, const H: usize, const G: usize> {
    by_load: &'a ByLoad,
    search: Search,
    lanes: Lanes<S, G>,
    loads: Vec<Loads<S, H, G>>,
    /// Elements on the overflow list.
    pub(super) listed: Numbers<S, G>,
    /// Elements in the system.
    pub(super) number: Numbers<S, G>,
}

/// What a block adds to the sums.
pub(super) struct Added<S: Simd, const G: usize> {
    arrived: Numbers<S, G>,
    accesses: Numbers<S, G>,
    overflowed: Numbers<S, G>,
}

impl<'a, S: Simd, const H: usize, const G: usize> System<'a, S, H, G> {
    /// Without an element.
    #[inline(always)]
    pub(super) fn new(lanes: Lanes<S, G>, by_load: &'a ByLoad, search: Search) -> Self {
        let (none, loads) = (lanes.all(0), vec![Loads::new(lanes); by_load.buckets.len()]);
        Self { by_load, search, lanes, loads, listed: none, number: none }
    }

    /// An element with these choices arrives in the lanes where it says so.
    #[inline(always)]
    pub(super) fn arrive(
        &mut self,
        choices: &[Numbers<S, G>],
        arrives: Numbers<S, G>,
        added: &mut Added<S, G>,
    ) {
        let Self { search, lanes, loads, listed, number, .. } = self;
        let overflows = search.insert(*lanes, loads, choices, arrives, &mut added.accesses);
        *listed = lanes.sub(*listed, overflows);
        *number = lanes.sub(*number, arrives);
        added.arrived = lanes.sub(added.arrived, arrives);
        added.overflowed = lanes.sub(added.overflowed, overflows);
    }

    /// The element of this rank departs in the lanes where it says so: those in buckets have the first ranks.
    #[inline(always)]
    pub(super) fn depart(&mut self, rank: Numbers<S, G>, departs: Numbers<S, G>) {
        let Self { lanes, loads, listed, number, .. } = self;
        let rank = lanes.select(departs, rank, lanes.all(i32::MAX));
        let unlisted = ToStay.departs(*lanes, loads, rank);
        *listed = lanes.sub(*listed, lanes.and(unlisted, departs));
        *number = lanes.add(*number, departs);
    }

    /// Adds the departures to sums of all arrivals since so many elements were in the system.
    #[inline(always)]
    pub(super) fn count_departures(&self, before: Numbers<S, G>, sums: &mut [Sums]) {
        let less = self.lanes.to_array(self.lanes.sub(before, self.number));
        for (sums, less) in sums.iter_mut().zip(less) {
            sums.departures = sums.arrivals.saturating_add_signed(less.into());
        }
    }

    /// Trials that came to these sums, and left the tables as they are.
    #[inline(always)]
    pub(super) fn ended(self, sums: Vec<Sums>) -> Ended {
        Ended::new(self.lanes, sums, &self.loads, self.listed, self.by_load)
    }
}

impl<S: Simd, const G: usize> Added<S, G> {
    #[inline(always)]
    pub(super) fn none(lanes: Lanes<S, G>) -> Self {
        let none = lanes.all(0);
        Self { arrived: none, accesses: none, overflowed: none }
    }

    #[inline(always)]
    pub(super) fn add_to(self, lanes: Lanes<S, G>, sums: &mut [Sums]) {
        let [arrived, accesses, overflowed] =
            [self.arrived, self.accesses, self.overflowed].map(|numbers| lanes.to_array(numbers));
        for (lane, sums) in sums.iter_mut().enumerate() {
            sums.arrivals += arrived[lane] as u64;
            sums.accesses += accesses[lane] as u64;
            sums.overflowed += overflowed[lane] as u64;
        }
    }
}
