//! FlowRadar.

use super::asked::Asked;
use super::counting_table::{Cell, CountingTable};
use super::metrics::{DECODED_FRACTION, DECODING_FAILURE};
use super::outlook::Known;
use super::params::{COUNTER_BYTES, KEY_BYTES};
use super::readings::record_points;
use super::theory::{decoded_share, decoding, new_share, taken_for_new, threshold};
use super::timed::{KeyedFlowRadar, KeyedVisitor};
use super::trial::Trial;
use super::{Flow, Sketch};
use crate::case::Record;
use crate::info::SchemeInfo;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::{Outlook, Prediction};

const CELLS: Param = Param {
    name: "cells",
    domain: Domain::Integer { min: 2, max: 1 << 28 },
    absent: Absent::Required,
    doc: "Cells of the counting table, m_c.",
};

const CELL_CHOICES: Param = Param {
    name: "cell_choices",
    domain: Domain::Integer { min: 3, max: 16 },
    absent: Absent::Integer(3),
    doc: "Cells of the counting table that a flow is added to, k_c, each drawn from all of them.",
};

const FLOW_FILTER_BITS: Param = Param {
    name: "flow_filter_bits",
    domain: Domain::Integer { min: 2, max: 1 << 30 },
    absent: Absent::Required,
    doc: "Bits of the flow filter, m_f.",
};

const FLOW_FILTER_CHOICES: Param = Param {
    name: "flow_filter_choices",
    domain: Domain::Integer { min: 1, max: 16 },
    absent: Absent::Integer(4),
    doc: "Bits of the flow filter that a flow sets, k_f.",
};

/// Steps up to which the exact law of the decoding is computed.
const MOST_STEPS: u64 = 1 << 22;
/// Likewise of the flow filter.
const MOST_FILTER_STEPS: u64 = 1 << 25;
/// Cells up to which its probabilities are not too small for a double.
const MOST_CELLS: u32 = 512;

/// A Bloom filter that tells new flows, and a table of cells from whose sums the flows are decoded.
#[derive(Debug, Clone, PartialEq)]
pub struct FlowRadar {
    /// m_c.
    pub cells: u32,
    /// k_c.
    pub choices: u32,
    /// m_f.
    pub filter_bits: u32,
    /// k_f.
    pub filter_choices: u32,
}

/// The filter and the table of a switch, and what the decoder knows.
#[derive(Debug, Clone, Default)]
pub struct FlowSet {
    filter: Vec<bool>,
    table: CountingTable<u32>,
    /// The packets of each flow that was decoded.
    decoded: Vec<Option<i64>>,
}

impl FlowRadar {
    /// Bits of the filter, and cells.
    fn parts<'c>(&self, flow: Flow<'c>) -> (&'c [u32], &'c [u32]) {
        flow.choices.split_at(self.filter_choices as usize)
    }

    /// Sets the bits of a flow; whether one of them was not set.
    fn is_new(filter: &mut [bool], bits: &[u32]) -> bool {
        let mut is_new = false;
        for &bit in bits {
            is_new |= !std::mem::replace(&mut filter[bit as usize], true);
        }
        is_new
    }

    /// The packets of the flows that can be decoded.
    fn decode(&self, table: CountingTable<u32>, trial: &Trial<'_>) -> Vec<Option<i64>> {
        let mut packets = vec![None; trial.counts.len()];
        let decoded = table.decode(self.choices, |flow, places| {
            places.copy_from_slice(self.parts(trial.flow(flow as usize)).1);
        });
        decoded.into_iter().for_each(|(flow, own)| packets[flow as usize] = Some(own));
        packets
    }

    /// The law of the number of flows in the table and its decoding, where that is not too much work.
    fn exact(&self, flows: u32) -> Option<[Prediction; 2]> {
        let (n, cells) = (u64::from(flows), u64::from(self.cells));
        let of_filter = n * n * u64::from(self.filter_choices).pow(3);
        let is_small = self.cells <= MOST_CELLS && n * cells * cells <= MOST_STEPS;
        if !is_small || of_filter > MOST_FILTER_STEPS {
            return None;
        }
        let law = taken_for_new(flows, self.filter_bits, self.filter_choices);
        let inserted: f64 = law.iter().zip(0..).map(|(p, number)| p * f64::from(number)).sum();
        let mean = (inserted - decoding(self.cells, self.choices, &law).left) / f64::from(flows);
        // Only if each flow was taken for new can all be decoded.
        let mut complete = vec![0.0; law.len()];
        complete[flows as usize] = law[flows as usize];
        let all = decoding(self.cells, self.choices, &complete).all;
        let source = "exact law of peeling, and of the flow filter";
        Some([
            Prediction::exact(DECODED_FRACTION, mean, source),
            Prediction::exact(DECODING_FAILURE, 1.0 - all, source),
        ])
    }

    /// The limit of many cells.
    fn limit(&self, flows: u32) -> Prediction {
        let new = new_share(flows, self.filter_bits, self.filter_choices);
        let load = new * f64::from(flows) / f64::from(self.cells);
        // The bits of the filter are not independent, and the mean is off by the order of 1/m.
        let of_bits = (1.0 - new) * f64::from(self.filter_choices).powi(2)
            / f64::from(self.filter_bits).min(f64::from(flows));
        let allowance = self.scattered(load) + 1.0 / f64::from(self.cells) + of_bits;
        let value = new * decoded_share(self.choices, load);
        let source = "2-core of random hypergraphs: Molloy, 2005";
        Prediction::asymptotic(DECODED_FRACTION, value, source, allowance)
    }

    /// How far chance moves the share of a finite table: its load is as good as scattered by the order of 1/√m, the width
    /// in which the threshold is passed (Dembo and Montanari, 2008), of which twice is allowed. So near to the threshold the
    /// share may be any that is reached within this width. Elsewhere both sides weigh alike, and the mean is off by how
    /// far their middle is from the share.
    fn scattered(&self, load: f64) -> f64 {
        let reach = 2.0 / f64::from(self.cells).sqrt();
        let share = |load: f64| decoded_share(self.choices, load.max(0.0));
        let own = share(load);
        if (load - threshold(self.choices)).abs() < reach {
            return (share(load - reach) - own).max(own - share(load + reach));
        }
        let off = |width: f64| (share(load - width) + share(load + width)) / 2.0 - own;
        (1..=8).map(|i| off(reach * f64::from(i) / 8.0).abs()).fold(0.0, f64::max)
    }
}

impl Sketch for FlowRadar {
    const INFO: SchemeInfo = SchemeInfo {
        name: "flow-radar",
        summary: "A flow filter, which is a Bloom filter, and a counting table of cells with FlowXOR, FlowCount and PacketCount. A packet of a flow that the filter does not know is added to all three in each of the flow's k_c cells, any other to PacketCount alone. At the end the table is decoded: a cell with one flow names it and its packets, which are taken out of its other cells, and so on until no cell has one flow. The estimate of a flow that is not decoded is 0.",
        source: "Li, Miao, Kim and Yu, 2016",
        params: &[CELLS, CELL_CHOICES, FLOW_FILTER_BITS, FLOW_FILTER_CHOICES],
        predictions: &[
            "`decoded_fraction`, with `counts = \"expected\"`: asymptotic, 1 − x^k with x = 1 − exp(−kc·x^{k−1}) for c flows per cell: 1 up to the threshold, which is 0.818 flows per cell for k = 3 (2-core of random hypergraphs; Molloy, 2005)",
            "`decoded_fraction` and `decoding_failure` of small tables (flows·cells² up to 2²²), with `counts = \"expected\"`: exact, from the law of peeling and that of the flow filter",
        ],
    };

    const KEEPS_FLOWS: bool = true;

    type Store = FlowSet;

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            cells: params.small(CELLS.name)?,
            choices: params.small(CELL_CHOICES.name)?,
            filter_bits: params.small(FLOW_FILTER_BITS.name)?,
            filter_choices: params.small(FLOW_FILTER_CHOICES.name)?,
        })
    }

    fn ranges(&self) -> Vec<u32> {
        let of_filter = vec![self.filter_bits; self.filter_choices as usize];
        [of_filter, vec![self.cells; self.choices as usize]].concat()
    }

    fn bytes(&self) -> u64 {
        let of_cell = KEY_BYTES + 2 * COUNTER_BYTES;
        u64::from(self.cells) * of_cell + u64::from(self.filter_bits).div_ceil(8)
    }

    fn store_bytes(&self) -> u64 {
        // The decoder works on a copy of the cells and lists what it decodes, in a vector that may be half empty.
        4 * size_of::<Cell<u32>>() as u64 * u64::from(self.cells) + u64::from(self.filter_bits)
    }

    fn store(&self) -> FlowSet {
        FlowSet {
            filter: vec![false; self.filter_bits as usize],
            table: CountingTable::new(self.cells),
            decoded: Vec::new(),
        }
    }

    fn clear(&self, store: &mut FlowSet, _seed: u64) {
        store.filter.fill(false);
        store.table.clear();
    }

    fn update(&self, store: &mut FlowSet, flow: Flow<'_>, weight: i64) {
        let (bits, cells) = self.parts(flow);
        let is_new = Self::is_new(&mut store.filter, bits);
        store.table.add(cells, flow.number, is_new, weight);
    }

    fn estimate(&self, store: &FlowSet, flow: Flow<'_>) -> i64 {
        store.decoded.get(flow.number as usize).copied().flatten().unwrap_or(0)
    }

    fn kept(&self, store: &FlowSet) -> Vec<(i64, u32)> {
        let flows = store.decoded.iter().zip(0..);
        flows.filter_map(|(packets, flow)| packets.map(|packets| (packets, flow))).collect()
    }

    fn keyed<V: KeyedVisitor>(&self, visitor: V) -> V::Output {
        visitor.visit(KeyedFlowRadar::new(self))
    }

    fn record(&self, store: &FlowSet, trial: &Trial<'_>, asked: &Asked, out: &mut dyn Record) {
        let decoded = self.decode(store.table.clone(), trial);
        let (number, all) = (decoded.iter().flatten().count(), trial.distinct());
        record_points(self, &FlowSet { decoded, ..FlowSet::default() }, trial, asked, out);
        out.reading(DECODED_FRACTION, Some(number as f64 / all as f64));
        out.reading(DECODING_FAILURE, Some(f64::from(u8::from(number < all))));
    }

    fn outlook(&self, known: &Known<'_>) -> Outlook {
        let Some(flows) = known.updates.same_flows() else { return Outlook::default() };
        let exact = self.exact(flows).into_iter().flatten();
        let predictions = exact.chain([self.limit(flows)]).collect();
        Outlook { predictions, missing: None }
    }

    fn cells(&self) -> Option<u32> {
        Some(self.cells)
    }
}

#[cfg(test)]
mod tests {
    use super::super::heap::FlowHeap;
    use super::*;

    const RADAR: FlowRadar = FlowRadar { cells: 6, choices: 3, filter_bits: 64, filter_choices: 1 };

    /// What is decoded of the packets of these flows; each has its bit of the filter and its cells.
    fn decoded(packets: &[u32], choices: &[[u32; 4]]) -> Vec<Option<i64>> {
        let mut store = RADAR.store();
        for &number in packets {
            RADAR.update(&mut store, Flow { number, choices: &choices[number as usize] }, 1);
        }
        let counts = vec![1; choices.len()];
        let trial = Trial {
            counts: &counts,
            norm: packets.len() as f64,
            choices: choices.as_flattened(),
            absent: &[],
            each: 4,
            heap: &FlowHeap::default(),
        };
        RADAR.decode(store.table, &trial)
    }

    /// Flow 2 has a cell of its own, without it flow 1, and without both flow 0.
    #[test]
    fn flows_are_decoded_one_after_the_other() {
        let choices = [[0, 0, 1, 2], [1, 0, 2, 3], [2, 1, 3, 4]];
        let packets = [0, 1, 2, 1, 0, 0];
        assert_eq!(decoded(&packets, &choices), [Some(3), Some(2), Some(1)]);
    }

    /// Two flows with the same cells are the smallest 2-core, a flow of one cell alone too: it is in there three times.
    #[test]
    fn a_core_is_not_decoded() {
        let same = [[0, 0, 1, 2], [1, 1, 0, 2], [2, 3, 3, 4], [3, 5, 5, 5]];
        assert_eq!(decoded(&[0, 1, 2, 2, 3], &same), [None, None, Some(2), None]);
    }

    /// Flow 1 has the bit of flow 0 and is not added as a flow: its packets are counted for the flows of its cells.
    #[test]
    fn a_flow_that_the_filter_knows_is_lost() {
        let choices = [[0, 0, 1, 2], [0, 2, 3, 4]];
        let found = decoded(&[0, 1, 1], &choices);
        assert!(found[0] == Some(1) || found[0] == Some(3));
        assert_eq!(found[1], None);
    }

    /// The limit is within its allowance of the exact law, on either side of the threshold and at it.
    #[test]
    fn the_limit_is_as_near_as_it_says() {
        for (cells, choices) in [(32, 3), (32, 5), (64, 4), (96, 3)] {
            for tenths in 3..=12 {
                let radar = FlowRadar { cells, choices, filter_bits: 1 << 12, filter_choices: 2 };
                let flows = cells * tenths / 10;
                let [exact, _] = radar.exact(flows).unwrap();
                let limit = radar.limit(flows);
                let off = (exact.value - limit.value).abs();
                assert!(off < limit.allowance, "{radar:?} {flows}: {exact:?} {limit:?}");
            }
        }
    }
}
