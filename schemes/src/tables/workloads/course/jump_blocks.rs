//! Poisson arrivals by the jumps of their number, a block of steps at a time.

use rand::{Rng as _, SeedableRng};

use super::averages::Averages;
use super::block::{BLOCK, Block, BlockStep};
use super::system::System;
use super::ziggurat::Ziggurat;
use crate::Rng;
use crate::hash::reduce;
use crate::keys::Seeds;
use crate::tables::workloads::Span;
use crate::uniform::with_own;

/// The process of [`Jumps`](super::jumps::Jumps), with the same law.
///
/// What is left of the time to the next event when the measuring window begins has the law of a whole one, and is drawn
/// anew.
pub(super) struct JumpBlocks {
    /// n.
    elements: u32,
    /// Elements that arrive at time 0.
    first: u32,
    span: Span,
    now: f64,
    system: System,
    ziggurat: Box<Ziggurat>,
    events: Rng,
    gaps: Rng,
    /// The time before each step of the block, and that after the last one where the window begins or ends then.
    times: Vec<f64>,
    /// The integral of the number in the system over these.
    area: f64,
    /// Whether they are in the measuring window.
    measured: bool,
    /// The length of the overflow list before the block.
    length: u32,
}

impl JumpBlocks {
    pub(super) fn new(elements: u32, first: u32, span: Span) -> Self {
        Self {
            elements,
            first,
            span,
            now: 0.0,
            system: System::default(),
            ziggurat: Box::new(Ziggurat::new()),
            events: Rng::seed_from_u64(0),
            gaps: Rng::seed_from_u64(0),
            times: Vec::new(),
            area: 0.0,
            measured: false,
            length: 0,
        }
    }

    pub(super) fn begin(&mut self, seeds: &Seeds) {
        (self.now, self.length) = (0.0, 0);
        self.system.clear();
        self.events = Rng::seed_from_u64(seeds.departures);
        self.gaps = Rng::seed_from_u64(seeds.arrivals);
    }

    /// The elements that were in the system are those below this.
    pub(super) fn known(&self) -> u32 {
        self.system.known()
    }

    /// Draws the next block; whether there was one before the end.
    pub(super) fn fill(&mut self, block: &mut Block) -> bool {
        self.times.clear();
        self.area = 0.0;
        let starts = self.system.known() < self.first;
        self.measured = !starts && self.now >= self.span.warm_up;
        let begins_window = self.measured && self.now == self.span.warm_up;
        if starts {
            self.start(block);
        } else if self.now < self.span.warm_up {
            self.jump(self.span.warm_up, false, block);
        } else if self.now < self.span.end() {
            self.jump(self.span.end(), begins_window, block);
        } else {
            return false;
        }
        true
    }

    fn start(&mut self, block: &mut Block) {
        block.begin(false, 1);
        block.steps[0].arrivals = self.first;
        block.arrivals = self.first as usize;
        block.elements.extend((0..self.first).map(|_| self.system.arrive()));
    }

    /// A block of events, or those up to a time.
    fn jump(&mut self, until: f64, begins_window: bool, block: &mut Block) {
        block.begin(begins_window, BLOCK);
        block.elements.resize(BLOCK, 0);
        self.draw_times();
        let made = self.make_jumps(until, block);
        // The time after the last event counts where it is known.
        self.times.truncate(if self.now == until { made + 1 } else { made });
        block.elements.truncate(made);
        block.keep(made);
    }

    /// Times of mean 1. Those that are not used tell nothing of the others.
    fn draw_times(&mut self) {
        let Self { ziggurat, times, gaps, .. } = self;
        with_own(gaps, |gaps| times.extend((0..BLOCK).map(|_| ziggurat.draw(gaps))));
    }

    /// Makes events until it is so late, as many as the block has steps for, and makes the times those between them; how
    /// many.
    fn make_jumps(&mut self, until: f64, block: &mut Block) -> usize {
        self.system.make_room(BLOCK);
        let Self { elements: n, system, times, .. } = self;
        let (mut now, mut area, mut made, mut arrivals) = (self.now, 0.0, 0, 0);
        let steps = block.steps.iter_mut().zip(&mut block.elements);
        with_own(&mut self.events, |events| {
            for ((step, element), time) in steps.zip(times) {
                let number = system.number();
                let all = *n + number;
                let rest = until - now;
                *time = (*time / f64::from(all)).min(rest);
                area += *time * f64::from(number);
                if *time == rest {
                    now = until;
                    return;
                }
                now += *time;
                let drawn = reduce(events.next_u64(), all);
                let arrives = drawn < *n;
                *element = system.arrive_or_depart(arrives, drawn.wrapping_sub(*n));
                *step = BlockStep { arrivals: arrives.into(), departs: !arrives };
                arrivals += usize::from(arrives);
                made += 1;
            }
        });
        (self.now, self.area, block.arrivals) = (now, area, arrivals);
        made
    }

    /// Takes the lengths of the overflow list after each step of the block, and adds them to the averages over time.
    pub(super) fn read(&mut self, lengths: &[u32], averages: &mut Averages<'_>) {
        if self.measured {
            let before = [self.length].into_iter().chain(lengths.iter().copied());
            let lasting = self.times.iter().zip(before);
            let overflow = lasting.map(|(time, length)| time * f64::from(length)).sum();
            averages.add_total(self.times.iter().sum(), self.area, overflow);
        }
        self.length = lengths.last().copied().unwrap_or(self.length);
    }
}
