//! Space-Saving.

use super::heap::FlowHeap;
use super::outlook::Known;
use super::params::{COUNTER_BYTES, ENTRIES, KEY_BYTES};
use super::timed::{KeyedSpaceSaving, KeyedVisitor};
use super::{Flow, Sketch, metrics};
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};
use crate::prediction::{Outlook, Prediction};

/// Counters for k flows; a new flow takes over the least counter, with what it has.
#[derive(Debug, Clone, PartialEq)]
pub struct SpaceSaving {
    entries: u32,
}

impl Sketch for SpaceSaving {
    const INFO: SchemeInfo = SchemeInfo {
        name: "space-saving",
        summary: "k flows have a counter. A packet of a flow without one replaces the flow of the least counter, which goes on from its value; of several least counters that at the top of a binary heap, where another rule would make other errors. The estimate of a flow without a counter is 0. No hash function is used.",
        source: "Metwally, Agrawal and El Abbadi, 2005",
        params: &[ENTRIES],
        predictions: &[
            "`max_error`: upper bound, ‖a‖₁/k, in every trial",
            "`recall`, if φ > 1/k: exact, 1",
        ],
    };

    const KEEPS_FLOWS: bool = true;

    type Store = FlowHeap;

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

    fn store(&self) -> FlowHeap {
        FlowHeap::default()
    }

    fn clear(&self, store: &mut FlowHeap, _seed: u64) {
        store.clear();
    }

    #[inline]
    fn update(&self, store: &mut FlowHeap, flow: Flow<'_>, weight: i64) {
        let count = match store.get(flow.number) {
            Some(count) => count,
            None if store.len() < self.entries as usize => 0,
            None => store.pop().map_or(0, |(least, _)| least),
        };
        store.set(flow.number, count + weight);
    }

    fn estimate(&self, store: &FlowHeap, flow: Flow<'_>) -> i64 {
        store.get(flow.number).unwrap_or(0)
    }

    fn kept(&self, store: &FlowHeap) -> Vec<(i64, u32)> {
        store.iter().collect()
    }

    fn keyed<V: KeyedVisitor>(&self, visitor: V) -> V::Output {
        visitor.visit(KeyedSpaceSaving::new(self.entries))
    }

    fn outlook(&self, known: &Known<'_>) -> Outlook {
        let k = f64::from(self.entries);
        let source = "the least of k counters is at most ‖a‖₁/k";
        let bound = known.at_most_of_norm(metrics::MAX_ERROR, k, source);
        let mut predictions: Vec<Prediction> = bound.into_iter().collect();
        predictions.extend(known.recall_if(1.0 / k, "flows above ‖a‖₁/k have a counter"));
        Outlook { predictions, missing: None }
    }
}
