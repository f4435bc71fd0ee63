//! Elements of drawn choices in cells that are only set or not, one group of them for each choice.

use std::ops::Range;

use crate::Rng;
use crate::filters::Bits;
use crate::uniform::Uniform;

/// Groups of cells, in each of which an element has one.
///
/// Elements are no more than their number: which of them has which cells is in no answer, so that one group after the
/// other is drawn for all of them, and of those that are asked for, for as many as still may be in all groups.
#[derive(Debug, Clone)]
pub(super) struct Groups {
    /// Cells of a group.
    size: u32,
    choices: u32,
    cells: Uniform,
}

impl Groups {
    /// So many groups of so many cells.
    pub(super) fn new(choices: u32, size: u32) -> Self {
        Self { size, choices, cells: Uniform::dense(size) }
    }

    /// Cells of all groups, none of them set.
    pub(super) fn bits(&self) -> Bits {
        Bits::new(self.places())
    }

    /// Numbers of cells are below it.
    pub(super) fn places(&self) -> u32 {
        self.choices * self.stride()
    }

    /// Bits from a group to the next: whole words, so that copies of a group are.
    fn stride(&self) -> u32 {
        self.size.next_multiple_of(u64::BITS)
    }

    /// The cells of each group.
    fn each(&self) -> impl Iterator<Item = Range<u32>> {
        let (stride, size) = (self.stride(), self.size);
        (0..self.choices).map(move |group| group * stride..group * stride + size)
    }

    /// Sets the cells of so many elements; `seen` is told each of them.
    pub(super) fn set(
        &self,
        bits: &mut Bits,
        elements: u32,
        rng: &mut Rng,
        mut seen: impl FnMut(u32),
    ) {
        let mut bits = bits.words();
        for group in self.each() {
            self.cells.each(elements as usize, rng, |cell| {
                bits.set(group.start + cell);
                seen(group.start + cell);
            });
        }
    }

    /// How many of so many elements have all their cells set.
    pub(super) fn passing(&self, bits: &Bits, elements: u64, rng: &mut Rng) -> u64 {
        let mut left = elements;
        for group in self.each() {
            if left == 0 {
                break;
            }
            let mut passing = 0;
            self.cells.each(left as usize, rng, |cell| {
                passing += u64::from(bits.is_set(group.start + cell));
            });
            left = passing;
        }
        left
    }

    /// Sets the cells of so many elements in `all`, and says how many of these elements had all of them set in `above`.
    /// `seen` is told each cell.
    pub(super) fn set_passing(
        &self,
        above: &Bits,
        all: &mut Bits,
        elements: u32,
        rng: &mut Rng,
        mut seen: impl FnMut(u32),
    ) -> u32 {
        let (mut left, mut all) = (elements, all.words());
        for group in self.each() {
            let mut passing = 0;
            self.cells.each(left as usize, rng, |cell| {
                passing += u32::from(above.is_set(group.start + cell));
                all.set(group.start + cell);
                seen(group.start + cell);
            });
            let others = (elements - left) as usize;
            self.cells.each(others, rng, |cell| {
                all.set(group.start + cell);
                seen(group.start + cell);
            });
            left = passing;
        }
        left
    }

    /// The probability that an element of independent choices has all its cells set.
    pub(super) fn share(&self, bits: &Bits) -> f64 {
        let share = |group: Range<u32>| bits.count_in(group) as f64 / f64::from(self.size);
        self.each().map(share).product()
    }
}
