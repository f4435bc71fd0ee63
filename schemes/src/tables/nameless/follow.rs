//! One trial with random choices that follows a course.

use rand::SeedableRng;

use super::drawn::Drawn;
use super::{Nameless, Shape};
use crate::Rng;
use crate::hash::derive_seed;
use crate::keys::Seeds;
use crate::tables::trial::Sums;
use crate::tables::workloads::course::{Block, Blocks};
use crate::uniform::Ranges;

/// Runs one trial on an empty table, which is given back, with a course that was begun.
pub(in crate::tables) fn follow<T: Nameless, const R: usize>(
    table: T,
    shape: &Shape<R>,
    course: &mut Blocks<'_>,
    seeds: &Seeds,
) -> (T, Sums) {
    match table.is_certain() {
        true => Following::new(table, shape, seeds).run::<true>(course),
        false => Following::new(table, shape, seeds).run::<false>(course),
    }
}

/// It goes from block to block by value: what a loop changes is then a local, which the compiler can keep in registers.
struct Following<T, const R: usize> {
    table: T,
    ranges: Ranges<R>,
    choices: Rng,
    chance: Rng,
    sums: Sums,
    /// The choices of those that arrive in a block.
    drawn: Vec<[u32; R]>,
}

impl<T: Nameless, const R: usize> Following<T, R> {
    fn new(table: T, shape: &Shape<R>, seeds: &Seeds) -> Self {
        Self {
            table,
            ranges: shape.ranges,
            choices: Rng::seed_from_u64(derive_seed(seeds.hash, 0)),
            chance: Rng::seed_from_u64(seeds.scheme),
            sums: Sums::default(),
            drawn: Vec::new(),
        }
    }

    fn run<const CERTAIN: bool>(mut self, course: &mut Blocks<'_>) -> (T, Sums) {
        let mut block = Block::default();
        while course.fill(&mut block) {
            if let Some(room) = course.more_room() {
                self.table.reserve(room);
            }
            if block.begins_window {
                self.sums = Sums::default();
            }
            self.ranges.draw_all(block.arrivals, &mut self.choices, &mut self.drawn);
            self = self.through::<CERTAIN>(&mut block);
            course.read(&block);
        }
        (self.table, self.sums)
    }

    /// Goes through the steps of a block.
    #[inline(never)]
    fn through<const CERTAIN: bool>(self, block: &mut Block) -> Self {
        let Self { mut table, ranges, choices, mut chance, mut sums, drawn } = self;
        sums.arrivals += block.arrivals as u64;
        sums.departures += (block.elements.len() - block.arrivals) as u64;
        let (mut elements, mut of_each) = (&block.elements[..], drawn.iter());
        for (step, length) in block.steps.iter().zip(&mut block.lengths) {
            let arriving;
            (arriving, elements) = elements.split_at(step.arrivals as usize);
            for (&element, &numbers) in arriving.iter().zip(of_each.by_ref()) {
                let choices = Drawn::of(numbers);
                sums.add(table.insert::<CERTAIN>(element, choices, &mut chance), false);
            }
            if step.departs
                && let Some((&departing, others)) = elements.split_first()
            {
                sums.delete(table.delete(departing));
                elements = others;
            }
            *length = table.overflow();
        }
        Self { table, ranges, choices, chance, sums, drawn }
    }
}
