//! When elements arrive and depart, each lane at its own time.

use pulp::Simd;
use rand::SeedableRng;

use super::draws::Words;
use super::exponential::Times;
use super::lanes::{Arithmetic, Lanes, Numbers};
use super::reals::Reals;
use super::together::Area;
use crate::Rng;
use crate::hash::derive_seed;
use crate::keys::Seeds;
use crate::uniform::below;
use crate::uniform::is_any;

/// The process of [`JumpBlocks`](crate::tables::workloads::course), for a part of the trials.
///
/// While there are N elements, the next event comes after an exponential time of mean 1/(n + N), whatever was before. It is an
/// arrival with probability n/(n + N), else a random element departs.
pub(super) struct Jumps<S: Simd, const G: usize> {
    lanes: Lanes<S, G>,
    /// n.
    elements: Numbers<S, G>,
    /// What follows from them are an event, and the time before it.
    events: Below<S, G>,
    times: Times<S, G>,
    /// Where the part is not over.
    running: Numbers<S, G>,
    /// What is left of it, and the same at the beginning of the block.
    left: Vec<f64>,
    left_of_block: Reals<S, G>,
    of_block: Area<Reals<S, G>>,
    of_part: Vec<Area<f64>>,
}

/// What happens in a step: in lanes where an element neither arrives nor departs, nothing.
#[derive(Clone, Copy)]
pub(super) struct Jump<S: Simd, const G: usize> {
    pub(super) arrives: Numbers<S, G>,
    pub(super) departs: Numbers<S, G>,
    /// Of the element that departs: those in buckets have the first ranks.
    pub(super) rank: Numbers<S, G>,
}

impl<S: Simd, const G: usize> Jumps<S, G> {
    /// A part that lasts so long, of trials with these seeds for it. What is left of the time to the next event has the law of a
    /// whole one.
    #[inline(always)]
    pub(super) fn new(lanes: Lanes<S, G>, elements: u32, lasting: f64, seeds: &[Seeds]) -> Self {
        let (number, none) = (Lanes::<S, G>::NUMBER, lanes.all_real(0.0));
        Self {
            lanes,
            elements: lanes.all(elements.cast_signed()),
            events: Below::new(lanes, seeds.iter().map(|seeds| seeds.departures)),
            times: Times::new(lanes, seeds.iter().map(|seeds| seeds.arrivals)),
            running: lanes.all(if lasting > 0.0 { -1 } else { 0 }),
            left: vec![lasting; number],
            left_of_block: none,
            of_block: Area { time: none, system: none, overflow: none },
            of_part: vec![Area { time: 0.0, system: 0.0, overflow: 0.0 }; number],
        }
    }

    /// Draws what a block needs; whether there is one in some lane.
    #[inline(always)]
    pub(super) fn begin_block(&mut self) -> bool {
        if !self.lanes.any(self.running) {
            return false;
        }
        self.events.draw();
        self.times.draw();
        let none = self.lanes.all_real(0.0);
        self.of_block = Area { time: none, system: none, overflow: none };
        let lanes = self.left_of_block.of_lanes_mut().iter_mut();
        lanes.zip(&self.left).for_each(|(lane, &left)| *lane = left as f32);
        true
    }

    /// The next event of a system with so many elements, of which so many are on the overflow list.
    #[inline(always)]
    pub(super) fn step(
        &mut self,
        step: usize,
        number: Numbers<S, G>,
        listed: Numbers<S, G>,
    ) -> Jump<S, G> {
        let lanes = self.lanes;
        let all = lanes.add(self.elements, number);
        let event = self.events.of(step, all);
        self.wait(lanes.div_reals(self.times.of(step), lanes.real(all)), number, listed);
        let arrives = lanes.and(self.running, lanes.less(event, self.elements));
        let departs = lanes.and_not(self.running, arrives);
        Jump { arrives, departs, rank: lanes.sub(event, self.elements) }
    }

    /// So much time passes, or what is left of the part where that is not more.
    #[inline(always)]
    fn wait(&mut self, mut time: Reals<S, G>, number: Numbers<S, G>, listed: Numbers<S, G>) {
        let Self { lanes, running, of_block, left_of_block, .. } = self;
        let none = lanes.all_real(0.0);
        let goes_on = lanes.less_real(lanes.add_reals(of_block.time, time), *left_of_block);
        // That is rare, and who arrives next need not wait for it.
        if lanes.any(lanes.and_not(*running, goes_on)) {
            let rest = lanes.sub_reals(*left_of_block, of_block.time);
            time = lanes.select_real(goes_on, time, rest);
            time = lanes.select_real(*running, time, none);
            *running = lanes.and(*running, goes_on);
        } else {
            time = lanes.select_real(*running, time, none);
        }
        of_block.time = lanes.add_reals(of_block.time, time);
        let system = lanes.mul_reals(time, lanes.real(number));
        of_block.system = lanes.add_reals(of_block.system, system);
        let overflow = lanes.mul_reals(time, lanes.real(listed));
        of_block.overflow = lanes.add_reals(of_block.overflow, overflow);
    }

    /// Adds the block to the part.
    #[inline(always)]
    pub(super) fn end_block(&mut self) {
        let Area { time, system, overflow } = &self.of_block;
        let of_block = [time, system, overflow].map(Reals::of_lanes);
        for (lane, (of_part, left)) in self.of_part.iter_mut().zip(&mut self.left).enumerate() {
            let [time, system, overflow] = of_block.map(|lanes| f64::from(lanes[lane]));
            *left -= time;
            of_part.time += time;
            of_part.system += system;
            of_part.overflow += overflow;
        }
    }

    /// What the part was like in each lane.
    pub(super) fn areas(self) -> Vec<Area<f64>> {
        self.of_part
    }
}

/// Numbers below ranges that are not known before their step.
pub(super) struct Below<S: Simd, const G: usize> {
    lanes: Lanes<S, G>,
    words: Words<S, G>,
    /// In each lane, what takes the place of fractions that are rejected.
    others: Vec<Rng>,
}

impl<S: Simd, const G: usize> Below<S, G> {
    /// With one of these seeds in each lane.
    #[inline(always)]
    pub(super) fn new(lanes: Lanes<S, G>, seeds: impl Iterator<Item = u64> + Clone) -> Self {
        let others = seeds.clone().map(|seed| Rng::seed_from_u64(derive_seed(seed, 1))).collect();
        Self { lanes, words: Words::new(lanes, seeds), others }
    }

    /// Draws what the next block needs.
    #[inline(always)]
    pub(super) fn draw(&mut self) {
        self.words.draw();
    }

    /// A number below the range in each lane, which is not 0, for this step of the block.
    #[inline(always)]
    pub(super) fn of(&mut self, step: usize, range: Numbers<S, G>) -> Numbers<S, G> {
        let simd = self.lanes.simd;
        let (word, mut number) = (self.words.of(step), range);
        let zero = simd.splat_u32s(0);
        let mut rejected = simd.less_than_u32s(zero, zero);
        for register in 0..G {
            let range = simd.transmute_u32s_i32s(range.0[register]);
            let word = simd.transmute_u32s_i32s(word.0[register]);
            let (rest, whole) = simd.widening_mul_u32s(word, range);
            number.0[register] = simd.transmute_i32s_u32s(whole);
            // Those that are rejected have a lower rest.
            rejected = simd.or_m32s(rejected, simd.less_than_u32s(rest, range));
        }
        if is_any(simd, rejected) {
            self.replace(word, range, &mut number);
        }
        number
    }

    /// The same numbers, and others where fractions are rejected.
    #[cold]
    fn replace(
        &mut self,
        words: Numbers<S, G>,
        ranges: Numbers<S, G>,
        numbers: &mut Numbers<S, G>,
    ) {
        let of_lanes = words.of_lanes().iter().zip(ranges.of_lanes()).zip(numbers.of_lanes_mut());
        for (((word, range), number), other) in of_lanes.zip(&mut self.others) {
            *number = below(range.cast_unsigned(), word.cast_unsigned(), other).cast_signed();
        }
    }
}
