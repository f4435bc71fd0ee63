//! Elements of drawn choices in cells that are only set or not, one group of them for each choice.

use crate::Rng;
use crate::chance::Chance;
use crate::uniform::{Uniform, with_own};

/// Takes note of the cells that elements choose.
pub(super) trait Watch {
    /// Whether it wants the cells of all elements, also where nothing else reads them. Else it is told nothing.
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
    pub(super) fate: Fate,
    /// How many of them found all their cells set so far, by elements of greater types.
    pub(super) passing: u64,
    /// The probability of that, given the cells that were set.
    pub(super) share: f64,
}

/// What becomes of the cells of a type, once it is known which of them were set before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// They are set for those that come later.
    Set,
    /// A [`Watch`] is told them, and nothing else reads them.
    Watched,
    /// Nothing reads them: how many were set is all that counts.
    Forgotten,
}

impl OfType {
    /// So many elements that come to no group yet.
    pub(super) fn new(own: u8, elements: u64, fate: Fate) -> Self {
        Self { own, elements, fate, passing: elements, share: 1.0 }
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
    /// The cells of the elements at hand are the first of these, as far as they are kept.
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
        if all.fate == Fate::Forgotten || all.elements == 0 {
            all.passing = Chance { hits: self.number, of: cells }.happening(all.passing, rng);
            return;
        }
        let elements = all.elements as usize;
        if self.chosen.len() < elements {
            self.chosen.resize(elements, 0);
        }
        let Self { cells: any, set, number, chosen } = self;
        let (asked, others) = chosen[..elements].split_at_mut(all.passing as usize);
        let sets = all.fate == Fate::Set;
        with_own(rng, |rng| {
            draw(*any, asked, rng);
            all.passing = asked.iter().filter(|&&cell| set[cell as usize] == 1).count() as u64;
            let (set, mut newly) = (&mut set[..], 0);
            let mut set_one = |cell: u32| {
                let is_set = &mut set[cell as usize];
                newly += u32::from(1 - *is_set);
                *is_set = 1;
            };
            asked.iter().filter(|_| sets).for_each(|&cell| set_one(cell));
            if W::ALL {
                draw(*any, others, rng);
                others.iter().filter(|_| sets).for_each(|&cell| set_one(cell));
            } else {
                any.each(others.len(), rng, set_one);
            }
            *number += newly;
        });
        if W::ALL {
            watch.chosen(all.own, &chosen[..elements]);
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
