//! As many trials as there are lanes, with on-off flows: elements arrive one after the other, and where the last of a slot has
//! arrived a random one departs.
//!
//! Trials come to the end of the window in different steps, and wait for the last of them there.

use pulp::Simd;

use super::AT_ONCE;
use super::draws::{BLOCK, Draws};
use super::jumps::Below;
use super::lanes::{Arithmetic, Lanes, MOST_LANES, Numbers};
use super::search::Search;
use super::slots::{Slots, StepBits};
use super::system::{Added, Course, System};
use super::together::{Ended, Together, Window};
use crate::tables::trial::Sums;
use crate::tables::workloads::course::{Flows, Runs, Tally};

/// The greatest number in the system is hardly ever more than so many times its mean and the length of a burst.
const HARDLY_EXCEEDED: f64 = 16.0;

/// The mean number in the system and the length of a burst at most, so that a tally has room for all numbers that come up.
const MOST: f64 = 2048.0;

/// Whether few elements are in the system at a time.
pub(super) fn are_few(flows: &Flows) -> bool {
    usual(flows) <= MOST
}

/// Bytes for what is counted of them.
pub(super) fn bytes(flows: &Flows) -> u64 {
    (HARDLY_EXCEEDED * usual(flows)) as u64 * Tally::<AT_ONCE>::BYTES_OF_NUMBER
}

fn usual(flows: &Flows) -> f64 {
    flows.law.mean() + flows.law.burst
}

impl Course for Flows {
    #[inline(always)]
    fn follow<S: Simd, const H: usize, const G: usize>(
        &self,
        lanes: Lanes<S, G>,
        together: Together<'_>,
        search: Search,
    ) -> Ended {
        Trials::<S, H, G>::new(lanes, together, search, self).run()
    }
}

struct Trials<'a, S: Simd, const H: usize, const G: usize> {
    lanes: Lanes<S, G>,
    runs: &'a Runs,
    slots: Vec<Slots>,
    draws: Draws<S, G>,
    departures: Below<S, G>,
    system: System<'a, S, H, G>,
    /// Elements in the system when the window began.
    before: Numbers<S, G>,
    sums: Vec<Sums>,
    tally: Tally<AT_ONCE>,
}

/// The steps of a block that are left, in all lanes.
#[derive(Clone, Copy)]
struct StepsLeft<S: Simd, const G: usize> {
    arrives: Numbers<S, G>,
    ends: Numbers<S, G>,
}

impl<'a, S: Simd, const H: usize, const G: usize> Trials<'a, S, H, G> {
    #[inline(always)]
    fn new(
        lanes: Lanes<S, G>,
        Together { by_load, seeds, .. }: Together<'a>,
        search: Search,
        flows: &'a Flows,
    ) -> Self {
        let of_lanes = &seeds[..Lanes::<S, G>::NUMBER];
        let of_departures = seeds.iter().map(|seeds| seeds.departures);
        Self {
            lanes,
            runs: &flows.runs,
            slots: of_lanes.iter().map(|seeds| Slots::new(flows, seeds)).collect(),
            draws: Draws::new(lanes, search.ranges(&by_load.buckets), seeds),
            departures: Below::new(lanes, of_departures),
            system: System::new(lanes, by_load, search),
            before: lanes.all(0),
            sums: vec![Sums::default(); of_lanes.len()],
            tally: Tally::default(),
        }
    }

    #[inline(always)]
    fn run(mut self) -> Ended {
        while self.slots.iter().any(Slots::is_running) {
            let steps = self.begin_block();
            self.block(steps).add_to(self.lanes, &mut self.sums);
        }
        self.system.count_departures(self.before, &mut self.sums);
        Ended { window: Window::Slots(self.tally), ..self.system.ended(self.sums) }
    }

    /// Draws what a block needs. Lanes whose window begins with it forget what was before.
    #[inline(always)]
    fn begin_block(&mut self) -> StepsLeft<S, G> {
        let (mut arrives, mut ends) = ([0; MOST_LANES], [0; MOST_LANES]);
        for (lane, slots) in self.slots.iter_mut().enumerate() {
            if slots.begins_window() {
                self.before.of_lanes_mut()[lane] = self.system.number.of_lanes()[lane];
                self.sums[lane] = Sums::default();
                self.tally.clear(lane);
            }
            let bits: StepBits = slots.block(self.runs);
            (arrives[lane], ends[lane]) = (bits.arrives.cast_signed(), bits.ends.cast_signed());
        }
        let most = self.system.number.of_lanes().iter().max().map_or(0, |&most| most as u32);
        self.tally.make_room(most + BLOCK as u32, BLOCK as u64);
        self.departures.draw();
        let Self { lanes, .. } = self;
        StepsLeft { arrives: lanes.join(&arrives), ends: lanes.join(&ends) }
    }

    #[inline(always)]
    fn block(&mut self, mut left: StepsLeft<S, G>) -> Added<S, G> {
        let Self { lanes, draws, departures, system, tally, .. } = self;
        let (none, one, mut added) = (lanes.all(0), lanes.all(1), Added::none(*lanes));
        for (step, choices) in draws.block().enumerate() {
            let [arrives, ends] = left.next(*lanes);
            system.arrive(choices, arrives, &mut added);
            let is_there = lanes.less(none, system.number);
            let among = lanes.select(is_there, system.number, one);
            system.depart(departures.of(step, among), lanes.and(ends, is_there));
            let (slots, lengths) = (lanes.and(one, ends), lanes.and(system.listed, ends));
            let of_lanes = slots.of_lanes().iter().zip(lengths.of_lanes());
            let of_lanes = of_lanes.zip(system.number.of_lanes());
            for (lane, ((&slots, &length), &number)) in of_lanes.enumerate() {
                tally.add(lane, number as u32, slots as u32, length as u32);
            }
        }
        added
    }
}

impl<S: Simd, const G: usize> StepsLeft<S, G> {
    /// Whether an element arrives in the next step, and whether a slot ends.
    #[inline(always)]
    fn next(&mut self, lanes: Lanes<S, G>) -> [Numbers<S, G>; 2] {
        let (Self { arrives, ends }, none) = (*self, lanes.all(0));
        *self = Self { arrives: lanes.add(arrives, arrives), ends: lanes.add(ends, ends) };
        [lanes.less(arrives, none), lanes.less(ends, none)]
    }
}
