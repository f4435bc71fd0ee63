//! Choices that are drawn ahead.

use super::arrivals::BLOCK;
use super::number::Number;
use crate::tables::sub_tables::SubTable;
use crate::uniform::ByBlock;

/// Choices in one sub-table. They are drawn a block at a time, however few are wanted: a loop that is always as long is one whose
/// end the processor knows.
#[derive(Debug, Clone)]
pub(super) struct Drawn<N> {
    uniform: ByBlock,
    /// The first bucket of the sub-table.
    first: u32,
    /// Those from `next` on were not taken yet.
    choices: [N; 2 * BLOCK],
    next: usize,
}

impl<N: Number> Drawn<N> {
    pub(super) fn new(&SubTable { first, buckets }: &SubTable) -> Self {
        let uniform = ByBlock::new(buckets, 0);
        Self { uniform, first, choices: [N::default(); 2 * BLOCK], next: 2 * BLOCK }
    }

    /// Begins anew.
    pub(super) fn begin(&mut self, seed: u64) {
        self.uniform.begin(seed);
        self.next = 2 * BLOCK;
    }

    /// Takes so many choices, at most a block.
    #[inline]
    pub(super) fn take(&mut self, number: usize) -> &[N] {
        if self.next + number > 2 * BLOCK {
            self.draw();
        }
        let taken = self.next;
        self.next += number;
        &self.choices[taken..self.next]
    }

    /// Draws a block, behind those that are left of the last one.
    fn draw(&mut self) {
        let Self { uniform, first, choices, next } = self;
        choices.copy_within(*next.., *next - BLOCK);
        *next -= BLOCK;
        if let Some(block) = choices.last_chunk_mut::<BLOCK>() {
            uniform.fill(*first, block);
        }
    }
}
