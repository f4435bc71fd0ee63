//! HashPipe.

use std::collections::BTreeMap;

use super::metrics::PRECISION;
use super::outlook::Known;
use super::params::{COLUMNS, COUNTER_BYTES, KEY_BYTES, ROWS};
use super::rows::Rows;
use super::timed::{KeyedHashPipe, KeyedVisitor};
use super::{Flow, Sketch};
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};
use crate::prediction::{Outlook, Prediction};

/// Stages of slots for a flow and its counter: the first takes every flow, each later one keeps the greater of two.
#[derive(Debug, Clone, PartialEq)]
pub struct HashPipe {
    stages: Rows,
}

/// A flow with the packets that were counted for it here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    flow: u32,
    count: i64,
}

const EMPTY: Slot = Slot { flow: u32::MAX, count: 0 };

/// The slots, and beside each the columns of its flow in all stages, as a switch would compute them anew from its key.
#[derive(Debug, Clone)]
pub struct Slots {
    slots: Vec<Slot>,
    columns: Vec<u32>,
    /// The columns of the flow that is carried on.
    carried: Vec<u32>,
}

impl Slots {
    /// Exchanges what is carried for what the place holds.
    fn swap(&mut self, place: usize, carry: Slot) -> Slot {
        let stages = self.carried.len();
        self.carried.swap_with_slice(&mut self.columns[place * stages..][..stages]);
        std::mem::replace(&mut self.slots[place], carry)
    }
}

impl HashPipe {
    fn place(&self, stage: usize, column: u32) -> usize {
        stage * self.stages.columns as usize + column as usize
    }
}

impl Sketch for HashPipe {
    const INFO: SchemeInfo = SchemeInfo {
        name: "hashpipe",
        summary: "d stages (`rows`) of w slots, each for a flow and its counter. A packet takes its slot in the first stage, whatever is there. A flow that had to leave a slot is carried to the next stage, where it is added to its own counter, takes an empty slot, or stays in place of a flow with a smaller counter, which is carried on; behind the last stage it is lost. The estimate is the sum of a flow's counters, which is never above its count.",
        source: "Sivaraman, Narayana, Rottenstreich, Muthukrishnan and Rexford, 2017",
        params: &[ROWS, COLUMNS],
        predictions: &["`precision`: exact, 1, as no estimate is above the count"],
    };

    const KEEPS_FLOWS: bool = true;

    type Store = Slots;

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        Ok(Self { stages: Rows::from_params(params)? })
    }

    fn ranges(&self) -> Vec<u32> {
        self.stages.ranges()
    }

    fn bytes(&self) -> u64 {
        (KEY_BYTES + COUNTER_BYTES) * self.stages.counters() as u64
    }

    fn store_bytes(&self) -> u64 {
        (16 + 4 * u64::from(self.stages.rows)) * self.stages.counters() as u64
    }

    fn store(&self) -> Slots {
        let (slots, stages) = (self.stages.counters(), self.stages.rows as usize);
        Slots {
            slots: vec![EMPTY; slots],
            columns: vec![0; slots * stages],
            carried: vec![0; stages],
        }
    }

    fn clear(&self, store: &mut Slots, _seed: u64) {
        store.slots.fill(EMPTY);
    }

    fn update(&self, store: &mut Slots, flow: Flow<'_>, weight: i64) {
        let mut carry = Slot { flow: flow.number, count: weight };
        store.carried.copy_from_slice(flow.choices);
        for stage in 0..flow.choices.len() {
            let place = self.place(stage, store.carried[stage]);
            let slot = &mut store.slots[place];
            if slot.flow == carry.flow {
                slot.count += carry.count;
                return;
            }
            if stage == 0 || slot.count < carry.count {
                carry = store.swap(place, carry);
            }
            if carry == EMPTY {
                return;
            }
        }
    }

    fn estimate(&self, store: &Slots, flow: Flow<'_>) -> i64 {
        let slots = self.stages.places(flow.choices).map(|place| store.slots[place]);
        slots.filter(|slot| slot.flow == flow.number).map(|slot| slot.count).sum()
    }

    fn kept(&self, store: &Slots) -> Vec<(i64, u32)> {
        let mut sums: BTreeMap<u32, i64> = BTreeMap::new();
        for slot in store.slots.iter().filter(|slot| **slot != EMPTY) {
            *sums.entry(slot.flow).or_default() += slot.count;
        }
        sums.into_iter().map(|(flow, count)| (count, flow)).collect()
    }

    fn keyed<V: KeyedVisitor>(&self, visitor: V) -> V::Output {
        visitor.visit(KeyedHashPipe::new(self.stages))
    }

    fn outlook(&self, known: &Known<'_>) -> Outlook {
        let exact = |_: f64| Prediction::exact(PRECISION, 1.0, "no estimate is above the count");
        Outlook { predictions: known.asked.phi.map(exact).into_iter().collect(), missing: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three flows that share the first slot: each is carried on when the next one comes, and the smaller one is lost.
    #[test]
    fn the_greater_counter_stays_in_later_stages() {
        let pipe = HashPipe { stages: Rows { rows: 2, columns: 2 } };
        let mut store = pipe.store();
        let flow = |number| Flow { number, choices: &[0, 1] };
        for number in [1, 1, 1, 2, 3, 1] {
            pipe.update(&mut store, flow(number), 1);
        }
        // 2 carries 1 on; 3 carries 2 on, which is lost beside 1; 1 carries 3 on, which is lost.
        assert_eq!([1, 2, 3].map(|number| pipe.estimate(&store, flow(number))), [4, 0, 0]);
        assert_eq!(pipe.kept(&store), [(4, 1)]);
    }
}
