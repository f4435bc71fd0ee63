//! The algorithm of Misra and Gries.

use super::heap::FlowHeap;
use super::outlook::Known;
use super::params::{COUNTER_BYTES, ENTRIES, KEY_BYTES};
use super::timed::{KeyedMisraGries, KeyedVisitor};
use super::{Flow, Sketch, metrics};
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};
use crate::prediction::{Outlook, Prediction};

/// Counters for k flows; a packet for which there is none takes one from each counter.
#[derive(Debug, Clone, PartialEq)]
pub struct MisraGries {
    entries: u32,
}

/// The counters of the flows, each with `taken` on top, so that taking one from all of them is one step.
#[derive(Debug, Clone, Default)]
pub struct Counters {
    raised: FlowHeap,
    taken: i64,
}

impl Sketch for MisraGries {
    const INFO: SchemeInfo = SchemeInfo {
        name: "misra-gries",
        summary: "k flows have a counter. A packet of a flow without one takes a free counter; where none is free, all counters are decreased by 1, those that come to 0 are free again, and the packet is not counted. A packet that counts more than 1 is as many one behind the other. Heavy hitters are flows whose counter reaches φ‖a‖₁ with the number of decreases added. No hash function is used.",
        source: "Misra and Gries, 1982",
        params: &[ENTRIES],
        predictions: &[
            "`max_error`: upper bound, ‖a‖₁/(k + 1), in every trial",
            "`recall`, if φ > 1/(k + 1): exact, 1",
        ],
    };

    const KEEPS_FLOWS: bool = true;

    type Store = Counters;

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        Ok(Self { entries: params.small(ENTRIES.name)? })
    }

    fn ranges(&self) -> Vec<u32> {
        // No choice is looked at.
        vec![1]
    }

    fn bytes(&self) -> u64 {
        u64::from(self.entries) * (KEY_BYTES + COUNTER_BYTES)
    }

    fn steps(&self) -> f64 {
        4.0
    }

    fn store(&self) -> Counters {
        Counters::default()
    }

    fn clear(&self, store: &mut Counters, _seed: u64) {
        store.raised.clear();
        store.taken = 0;
    }

    #[inline]
    fn update(&self, store: &mut Counters, flow: Flow<'_>, weight: i64) {
        match store.raised.get(flow.number) {
            Some(count) => store.raised.set(flow.number, count + weight),
            None if store.raised.len() < self.entries as usize => {
                store.raised.set(flow.number, store.taken + weight);
            }
            None => {
                let least = store.raised.min().map_or(0, |(least, _)| least - store.taken);
                store.taken += weight.min(least);
                while store.raised.min().is_some_and(|(least, _)| least <= store.taken) {
                    store.raised.pop();
                }
                // What is left of the packet's weight takes a counter that has become free.
                if weight > least {
                    store.raised.set(flow.number, store.taken + weight - least);
                }
            }
        }
    }

    fn estimate(&self, store: &Counters, flow: Flow<'_>) -> i64 {
        store.raised.get(flow.number).map_or(0, |raised| raised - store.taken)
    }

    fn kept(&self, store: &Counters) -> Vec<(i64, u32)> {
        store.raised.iter().collect()
    }

    fn keyed<V: KeyedVisitor>(&self, visitor: V) -> V::Output {
        visitor.visit(KeyedMisraGries::new(self.entries))
    }

    fn outlook(&self, known: &Known<'_>) -> Outlook {
        let k = f64::from(self.entries);
        let source = "each decrease by 1 takes k + 1 away from the counts";
        let bound = known.at_most_of_norm(metrics::MAX_ERROR, k + 1.0, source);
        let mut predictions: Vec<Prediction> = bound.into_iter().collect();
        let source = "flows above ‖a‖₁/(k + 1) have a counter";
        predictions.extend(known.recall_if(1.0 / (k + 1.0), source));
        Outlook { predictions, missing: None }
    }
}
