//! Elements of drawn choices in cells that are only set or not, one group of them for each choice.

use crate::Rng;
use crate::chance::Chance;
use crate::uniform::{Uniform, with_own};

/// Takes note of the cells that elements choose.
pub(super) trait Watch {
    /// Whether cells are drawn for it that nothing else reads.
    const ALL: bool;

    /// The elements of a type have these cells in a group, as many as they are.
    fn chosen(&mut self, own: u8, cells: &[u32]);
}

/// For who need not know.
impl Watch for () {
    const ALL: bool = false;

    #[inline(always)]
    fn chosen(&mut self, _own: u8, _cells: &[u32]) {}
}

/// All elements of a type, or all absent keys, on their way through the groups.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfType {
    /// 0 for absent keys.
    pub(super) own: u8,
    pub(super) elements: u64,
    /// Whether anything reads their cells, and whether those that come later do.
    pub(super) use_: Use,
    /// How many of them found all their cells set so far, by elements of greater types.
    pub(super) passing: u64,
    /// The probability of that, given the cells that were set.
    pub(super) share: f64,
}

/// What becomes of the cells of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// They are looked at, and then set for those of later types.
    Set,
    /// They are looked at, and told to a [`Watch`].
    Watched,
    /// They are looked at, and how many of them are set is all that counts.
    Nothing,
}

impl OfType {
    /// So many elements that come to no group yet.
    pub(super) fn new(own: u8, elements: u64, use_: Use) -> Self {
        Self { own, elements, use_, passing: elements, share: 1.0 }
    }
}

/// A group of cells, in which each element has one.
///
/// Elements are no more than their number: which of them has which cells is in no answer. So one group after the other
/// is drawn for all elements, the greatest type first, and in each of them as many are asked for as had all their cells
/// set in those before.
#[derive(Debug, Clone)]
pub struct Group {
    cells: Uniform,
    /// 1 for a cell that is set, else 0.
    set: Vec<u8>,
    /// How many are set.
    number: u32,
    /// The cells of the elements at hand.
    chosen: Vec<u32>,
}

impl Group {
    /// Of so many cells, which are not 0.
    pub(super) fn new(cells: u32) -> Self {
        let set = vec![0; cells as usize];
        Self { cells: Uniform::dense(cells), set, number: 0, chosen: Vec::new() }
    }

    /// The next group, no cell of which is set.
    pub(super) fn begin(&mut self) {
        self.set.fill(0);
        self.number = 0;
    }

    /// All elements of a type come, those of greater types having come before.
    pub(super) fn take<W: Watch>(&mut self, all: &mut OfType, rng: &mut Rng, watch: &mut W) {
        let cells = self.set.len() as u32;
        all.share *= f64::from(self.number) / f64::from(cells);
        if all.use_ == Use::Nothing || all.elements == 0 {
            all.passing = Chance { hits: self.number, of: cells }.happening(all.passing, rng);
            return;
        }
        self.chosen.resize(all.elements as usize, 0);
        let (asked, others) = self.chosen.split_at_mut(all.passing as usize);
        with_own(rng, |rng| {
            draw(self.cells, asked, rng);
            draw(self.cells, others, rng);
        });
        let is_set = |&&cell: &&u32| self.set[cell as usize] == 1;
        all.passing = asked.iter().filter(is_set).count() as u64;
        if all.use_ == Use::Set {
            self.set_chosen();
        }
        watch.chosen(all.own, &self.chosen);
    }

    fn set_chosen(&mut self) {
        let set = &mut self.set[..];
        for &cell in &self.chosen {
            let is_set = &mut set[cell as usize];
            self.number += u32::from(1 - *is_set);
            *is_set = 1;
        }
    }
}

/// Draws cells for these elements.
#[inline(always)]
fn draw(cells: Uniform, chosen: &mut [u32], rng: &mut Rng) {
    let mut at = 0;
    cells.each(chosen.len(), rng, |cell| {
        chosen[at] = cell;
        at += 1;
    });
}
