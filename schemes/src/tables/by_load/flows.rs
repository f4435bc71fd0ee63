//! As many trials as there are lanes, with on-off flows: elements arrive one after the other, and where the last of a slot has
//! arrived a random one departs.
//!
//! Trials come to the end of the window in different steps, and wait for the last of them there.

use pulp::Simd;

use super::AT_ONCE;
use super::draws::{BLOCK, Draws};
use super::jumps::Below;
use super::lanes::{Lanes, MOST_LANES, Numbers};
use super::registers::{InLanes, Registers};
use super::search::Search;
use super::slots::{Slots, StepBits};
use super::system::{Added, System};
use super::together::{Ended, Together, Window};
use crate::tables::trial::Sums;
use crate::tables::workloads::course::{Flows, Runs, Tally};

/// Elements in the system at most, on average, so that all numbers of them that come up have room in a tally.
const MOST_ON_AVERAGE: f64 = 4096.0;

/// The mean number times this is hardly ever exceeded.
const HARDLY_EXCEEDED: f64 = 16.0;

/// Whether they bring few elements at a time.
pub(super) fn are_few(flows: &Flows) -> bool {
    flows.law.mean() <= MOST_ON_AVERAGE
}

/// Bytes for what is counted of them.
pub(super) fn bytes(flows: &Flows) -> u64 {
    let most = HARDLY_EXCEEDED * (flows.law.mean() + flows.law.burst);
    most as u64 * Tally::<AT_ONCE>::BYTES_OF_NUMBER
}

/// Runs trials with these flows.
pub(super) fn follow(
    registers: Registers,
    together: Together<'_>,
    search: Search,
    flows: Flows,
) -> Ended {
    match together.by_load.bucket_size {
        1 => registers.run(Following::<1> { together, search, flows }),
        2 => registers.run(Following::<2> { together, search, flows }),
        3 => registers.run(Following::<3> { together, search, flows }),
        _ => registers.run(Following::<4> { together, search, flows }),
    }
}

/// With buckets of H.
struct Following<'a, const H: usize> {
    together: Together<'a>,
    search: Search,
    flows: Flows,
}

impl<const H: usize> InLanes for Following<'_, H> {
    #[inline(always)]
    fn run<S: Simd, const G: usize>(&self, simd: S) -> Ended {
        Trials::<S, H, G>::new(simd, self).run()
    }
}

struct Trials<'a, S: Simd, const H: usize, const G: usize> {
    lanes: Lanes<S, G>,
    runs: Runs,
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
    fn new(simd: S, &Following { together, search, ref flows }: &Following<'a, H>) -> Self {
        let (lanes, Together { by_load, seeds }) = (Lanes { simd }, together);
        let number = Lanes::<S, G>::NUMBER;
        debug_assert!(number <= seeds.len(), "no lane is without a trial");
        let runs = Runs::new(&flows.law);
        let of_departures = seeds.iter().map(|seeds| seeds.departures);
        Self {
            lanes,
            slots: seeds[..number].iter().map(|seeds| Slots::new(&runs, flows, seeds)).collect(),
            runs,
            draws: Draws::new(lanes, search.ranges(&by_load.buckets), seeds),
            departures: Below::new(lanes, of_departures),
            system: System::new(lanes, by_load, search),
            before: lanes.all(0),
            sums: vec![Sums::default(); number],
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
            let bits: StepBits = slots.block(&self.runs);
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
