//! What the trials ask of a table, and the slots that all tables share.

use super::circle::Circle;

/// An insertion, as it is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Insertion {
    /// Slots read, up to and with the free one.
    pub probes: u32,
    /// Elements that changed their slot for it.
    pub moves: u32,
    /// Whether the element is in the table now.
    pub stored: bool,
}

/// A table of m slots that hold one element each. Elements are the numbers `0..n`.
pub trait Table {
    /// Empties the table.
    fn clear(&mut self);

    /// Inserts an element that is not in the table, by its choices. At least one slot is free.
    fn insert(&mut self, element: u32, choices: &[u32]) -> Insertion;

    /// Deletes an element, if it is in the table; how many others changed their slot for it.
    fn delete(&mut self, element: u32) -> u32;

    /// Says that elements neither come nor go from now on, until the table is cleared.
    fn settle(&mut self) {}

    /// Slots read in a look-up of an element; `None` where its insertion failed.
    fn hit(&self, element: u32) -> Option<u32>;

    /// Slots read in a look-up of an absent key with these choices.
    fn miss(&self, choices: &[u32]) -> u32;

    /// What the slots hold.
    fn slots(&self) -> &Slots;
}

/// How an element is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deletion {
    /// Its slot becomes a tombstone.
    Tombstones,
    /// The elements behind it are shifted back.
    BackShift,
    /// Its slot is empty again, which no search minds.
    Freed,
}

const EMPTY: u32 = u32::MAX;
const TOMBSTONE: u32 = u32::MAX - 1;

/// What a slot holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// Nothing, since the beginning or again.
    Empty,
    /// What is left of a deleted element.
    Tombstone,
    /// This element.
    Full(u32),
}

/// m slots in a circle, and the slot of each of the n elements.
#[derive(Debug, Clone)]
pub struct Slots {
    content: Vec<u32>,
    /// The slot of each element, or `EMPTY` of one that has none.
    of_element: Vec<u32>,
}

impl Slots {
    /// Bytes that the slots and elements take.
    pub const fn bytes(buckets: u32, elements: u32) -> u64 {
        4 * (buckets as u64 + elements as u64)
    }

    /// So many empty slots, for so many elements.
    pub fn new(buckets: u32, elements: u32) -> Self {
        Self { content: vec![EMPTY; buckets as usize], of_element: vec![EMPTY; elements as usize] }
    }

    /// m.
    pub fn number(&self) -> u32 {
        self.content.len() as u32
    }

    /// Empties all slots.
    pub fn clear(&mut self) {
        self.content.fill(EMPTY);
        self.of_element.fill(EMPTY);
    }

    /// What a slot holds.
    #[inline]
    pub fn get(&self, slot: u32) -> Slot {
        match self.content[slot as usize] {
            EMPTY => Slot::Empty,
            TOMBSTONE => Slot::Tombstone,
            element => Slot::Full(element),
        }
    }

    /// The slot of an element, if it has one.
    #[inline]
    pub fn of(&self, element: u32) -> Option<u32> {
        Some(self.of_element[element as usize]).filter(|&slot| slot != EMPTY)
    }

    /// Puts an element into a slot, whatever that held. Another element that was there has to be put elsewhere.
    #[inline]
    pub fn put(&mut self, slot: u32, element: u32) {
        self.content[slot as usize] = element;
        self.of_element[element as usize] = slot;
    }

    /// Empties a slot whose element was put elsewhere.
    #[inline]
    pub fn empty(&mut self, slot: u32) {
        self.content[slot as usize] = EMPTY;
    }

    /// Takes an element out, if it has a slot, and leaves a tombstone or nothing; which slot it was.
    #[inline]
    pub fn remove(&mut self, element: u32, tombstone: bool) -> Option<u32> {
        let slot = self.of(element)?;
        self.content[slot as usize] = if tombstone { TOMBSTONE } else { EMPTY };
        self.of_element[element as usize] = EMPTY;
        Some(slot)
    }

    #[inline]
    fn circle(&self) -> Circle {
        Circle { slots: self.number() }
    }

    /// The slot behind this one.
    #[inline]
    pub fn next(&self, slot: u32) -> u32 {
        self.circle().next(slot)
    }

    /// The slot so many steps before this one, at most m − 1.
    #[inline]
    pub fn before(&self, slot: u32, steps: u32) -> u32 {
        self.circle().before(slot, steps)
    }

    /// Steps from one slot on to another, below m.
    #[inline]
    pub fn distance(&self, from: u32, to: u32) -> u32 {
        self.circle().distance(from, to)
    }

    /// For each slot, how many are read from it on up to and with an empty one; all of them where none is empty.
    pub fn distances_to_empty(&self, distances: &mut Vec<u32>) {
        distances.clear();
        distances.resize(self.content.len(), self.number());
        let Some(first) = self.content.iter().position(|&held| held == EMPTY) else { return };
        // Behind the last slot is the first one.
        let mut distance = first as u32 + 1;
        for (&held, own) in self.content.iter().zip(distances).rev() {
            distance = if held == EMPTY { 1 } else { distance + 1 };
            *own = distance;
        }
    }

    /// How many slots hold a tombstone.
    pub fn tombstones(&self) -> u32 {
        self.content.iter().filter(|&&held| held == TOMBSTONE).count() as u32
    }

    /// Most slots in a row that are not empty; the first slot follows the last.
    pub fn longest_cluster(&self) -> u32 {
        let Some(first) = self.content.iter().position(|&held| held == EMPTY) else {
            return self.number();
        };
        let (before, after) = self.content.split_at(first);
        let (mut longest, mut run) = (0, 0);
        for &held in after.iter().chain(before) {
            run = if held == EMPTY { 0 } else { run + 1 };
            longest = longest.max(run);
        }
        longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_go_over_the_end_and_contain_tombstones() {
        let mut slots = Slots::new(8, 5);
        assert_eq!(slots.longest_cluster(), 0);
        for (element, slot) in [7, 0, 1, 3, 4].into_iter().enumerate() {
            slots.put(slot, element as u32);
        }
        assert_eq!(slots.longest_cluster(), 3);
        let mut distances = vec![9];
        slots.distances_to_empty(&mut distances);
        assert_eq!(distances, [3, 2, 1, 3, 2, 1, 1, 4]);
        assert_eq!(slots.remove(1, true), Some(0));
        assert_eq!((slots.longest_cluster(), slots.tombstones()), (3, 1));
        assert_eq!(slots.remove(2, false), Some(1));
        assert_eq!((slots.remove(2, false), slots.longest_cluster()), (None, 2));
        (0..8).for_each(|slot| slots.put(slot, 0));
        assert_eq!(slots.longest_cluster(), 8);
        slots.distances_to_empty(&mut distances);
        assert_eq!(distances, [8; 8]);
    }
}
