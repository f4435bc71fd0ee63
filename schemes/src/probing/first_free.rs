//! Tables whose elements take the first free slot of a sequence of their own.

use super::table::{Deletion, Insertion, Slot, Slots, Table};

/// The order in which a key's slots are read.
pub trait Sequence {
    /// Whether consecutive slots are read, so that elements can be shifted back.
    const IS_LINEAR: bool = false;
    /// Choices of a key that it follows from, at most two.
    const CHOICES: usize = 1;

    /// The slots of a key with these choices, of which the first m are all slots of the table, each once.
    fn slots(&self, choices: &[u32]) -> impl Iterator<Item = u32>;
}

/// A table in which every element is in the first slot of its sequence that was free when it came.
#[derive(Debug, Clone)]
pub struct FirstFree<S> {
    sequence: S,
    slots: Slots,
    /// Slots of its sequence up to the one that the element is in.
    probes: Vec<u32>,
    deletion: Deletion,
    /// Slots that a look-up of an absent key reads from each slot on: of a linear sequence that is settled.
    misses: Vec<u32>,
}

impl<S: Sequence> FirstFree<S> {
    /// Bytes that such a table takes.
    pub const fn bytes(buckets: u32, elements: u32) -> u64 {
        let misses = if S::IS_LINEAR { buckets as u64 } else { 0 };
        Slots::bytes(buckets, elements) + 4 * (elements as u64 + misses)
    }

    /// An empty table. Elements are shifted back along linear sequences alone.
    pub fn new(sequence: S, buckets: u32, elements: u32, deletion: Deletion) -> Self {
        let slots = Slots::new(buckets, elements);
        let probes = vec![0; elements as usize];
        Self { sequence, slots, probes, deletion, misses: Vec::new() }
    }

    /// Fills the slot that became empty with the next element behind it that may be there, and so on.
    ///
    /// An element at j moves to the hole i if a search for it passes i. What comes out is the table in which the
    /// deleted element never was: of all elements whose search passes i the nearest came first, as each other one
    /// passed its slot and found it full.
    fn shift_back(&mut self, removed: u32) -> u32 {
        let (mut hole, mut slot, mut moves) = (removed, self.slots.next(removed), 0);
        while let Slot::Full(element) = self.slots.get(slot) {
            if slot == removed {
                break;
            }
            let steps = self.slots.distance(hole, slot);
            let probes = &mut self.probes[element as usize];
            if *probes > steps {
                *probes -= steps;
                self.slots.put(hole, element);
                self.slots.empty(slot);
                (hole, moves) = (slot, moves + 1);
            }
            slot = self.slots.next(slot);
        }
        moves
    }
}

impl<S: Sequence> Table for FirstFree<S> {
    fn clear(&mut self) {
        self.slots.clear();
        self.misses.clear();
    }

    fn insert(&mut self, element: u32, choices: &[u32]) -> Insertion {
        let mut probes = 0;
        // From inside, the two parts of a linear sequence are two loops.
        let found = self.sequence.slots(choices).find(|&slot| {
            probes += 1;
            !matches!(self.slots.get(slot), Slot::Full(_))
        });
        if let Some(slot) = found {
            self.slots.put(slot, element);
        }
        self.probes[element as usize] = probes;
        Insertion { probes, moves: 0, stored: true }
    }

    fn delete(&mut self, element: u32) -> u32 {
        let removed = self.slots.remove(element, self.deletion == Deletion::Tombstones);
        match (removed, self.deletion) {
            (Some(slot), Deletion::BackShift) if S::IS_LINEAR => self.shift_back(slot),
            _ => 0,
        }
    }

    fn settle(&mut self) {
        if S::IS_LINEAR {
            self.slots.distances_to_empty(&mut self.misses);
        }
    }

    fn hit(&self, element: u32) -> Option<u32> {
        self.slots.of(element).map(|_| self.probes[element as usize])
    }

    fn miss(&self, choices: &[u32]) -> u32 {
        if let Some(&read) = self.misses.get(choices[0] as usize) {
            return read;
        }
        let all = self.slots.number();
        let mut sequence = self.sequence.slots(choices).take(all as usize);
        let full = sequence.position(|slot| self.slots.get(slot) == Slot::Empty);
        full.map_or(all, |full| full as u32 + 1)
    }

    fn slots(&self) -> &Slots {
        &self.slots
    }
}
