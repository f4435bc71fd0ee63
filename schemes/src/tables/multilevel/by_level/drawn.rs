//! Choices that are drawn ahead.

use rand::SeedableRng;

use super::arrivals::BLOCK;
use crate::Rng;
use crate::tables::sub_tables::SubTable;
use crate::uniform::{Uniform, with_own};

/// Choices in one sub-table. They are drawn a block at a time, however few are wanted: a loop that is always as long is one whose
/// end the processor knows.
#[derive(Debug, Clone)]
pub(super) struct Drawn {
    rng: Rng,
    uniform: Uniform,
    /// The first bucket of the sub-table.
    first: u32,
    /// Those from `next` on were not taken yet.
    choices: [u16; 2 * BLOCK],
    next: usize,
}

impl Drawn {
    pub(super) fn new(&SubTable { first, buckets }: &SubTable) -> Self {
        let (rng, uniform) = (Rng::seed_from_u64(0), Uniform::new(buckets));
        Self { rng, uniform, first, choices: [0; 2 * BLOCK], next: 2 * BLOCK }
    }

    /// Begins anew.
    pub(super) fn begin(&mut self, seed: u64) {
        self.rng = Rng::seed_from_u64(seed);
        self.next = 2 * BLOCK;
    }

    /// Takes so many choices, at most a block.
    #[inline]
    pub(super) fn take(&mut self, number: usize) -> &[u16] {
        if self.next + number > 2 * BLOCK {
            self.draw();
        }
        let taken = self.next;
        self.next += number;
        &self.choices[taken..self.next]
    }

    /// Gives back the last of those that were taken and not looked at.
    #[inline]
    pub(super) fn give_back(&mut self, number: usize) {
        self.next -= number;
    }

    /// Draws a block, behind those that are left of the last one.
    fn draw(&mut self) {
        let Self { rng, uniform, first, choices, next } = self;
        choices.copy_within(*next.., *next - BLOCK);
        *next -= BLOCK;
        if let Some(block) = choices.last_chunk_mut::<BLOCK>() {
            with_own(rng, |rng| uniform.fill_with(rng, block, |bucket| (*first + bucket) as u16));
        }
    }
}
