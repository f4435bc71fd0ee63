//! HashPipe with the keys of its flows.

use super::KeyedSketch;
use crate::hash::{Choices as _, Source};
use crate::sketches::rows::Rows;
use crate::timed::{Key, key};

/// A flow with the packets that were counted for it here; none where nothing was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Slot {
    key: Key,
    count: i64,
}

const EMPTY: Slot = Slot { key: 0, count: 0 };

/// Stages of slots. A flow that is carried on is hashed in each stage anew, as in a switch.
#[derive(Debug, Clone)]
pub struct KeyedHashPipe {
    stages: Rows,
    slots: Vec<Slot>,
}

impl KeyedHashPipe {
    /// Empty stages.
    pub(in crate::sketches) fn new(stages: Rows) -> Self {
        Self { stages, slots: vec![EMPTY; stages.counters()] }
    }

    /// The slot of a flow in a stage.
    #[inline(always)]
    fn place<S: Source>(&self, stage: u32, bytes: &[u8], source: &mut S) -> usize {
        let mut columns = source.element(bytes);
        columns.pass_over(stage as usize);
        stage as usize * self.stages.columns as usize + columns.next(self.stages.columns) as usize
    }
}

impl KeyedSketch for KeyedHashPipe {
    fn clear(&mut self, _seed: u64) {
        self.slots.fill(EMPTY);
    }

    #[inline(always)]
    fn update<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let mut carry = Slot { key: key(bytes), count: 1 };
        for stage in 0..self.stages.rows {
            let place = self.place(stage, &carry.key.to_ne_bytes()[..bytes.len()], source);
            let slot = &mut self.slots[place];
            if slot.count > 0 && slot.key == carry.key {
                slot.count += carry.count;
                return;
            }
            if stage == 0 || slot.count < carry.count {
                std::mem::swap(slot, &mut carry);
            }
            if carry.count == 0 {
                return;
            }
        }
    }

    #[inline(always)]
    fn estimate<S: Source>(&mut self, bytes: &[u8], source: &mut S) -> i64 {
        let (wanted, mut columns) = (key(bytes), source.element(bytes));
        let stages = self.slots.chunks_exact(self.stages.columns as usize);
        let slots = stages.map(|slots| slots[columns.next(self.stages.columns) as usize]);
        slots.filter(|slot| slot.count > 0 && slot.key == wanted).map(|slot| slot.count).sum()
    }

    fn bytes(&self) -> u64 {
        size_of_val(&self.slots[..]) as u64
    }
}
