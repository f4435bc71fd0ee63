//! FlowRadar with the keys of its flows.

use super::flows::{Flows, Hashed};
use super::{KeyedSketch, choose};
use crate::hash::{Choices as _, Source};
use crate::sketches::counting_table::CountingTable;
use crate::sketches::flow_radar::FlowRadar;
use crate::timed::{Key, key};

/// The filter and the table of a switch, and the flows that a collector decoded from them.
///
/// A look-up is one among the decoded flows. The first one behind an update decodes the table.
#[derive(Debug, Clone)]
pub struct KeyedFlowRadar {
    filter: Bits,
    filter_bits: u32,
    filter_choices: u32,
    table: CountingTable<Key>,
    /// Cells for each choice of a flow among them.
    ranges: Vec<u32>,
    /// The cells of the flow on hand.
    places: Vec<u32>,
    is_decoded: bool,
    decoded: Flows,
    /// The packets of each decoded flow, by its number.
    packets: Vec<i64>,
}

/// Bits, 64 to a word.
#[derive(Debug, Clone)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(bits: u32) -> Self {
        Self(vec![0; bits.div_ceil(u64::BITS) as usize])
    }

    /// Sets a bit; whether it was 0.
    #[inline(always)]
    fn set(&mut self, bit: u32) -> bool {
        let word = &mut self.0[(bit / u64::BITS) as usize];
        let was = *word;
        *word |= 1 << (bit % u64::BITS);
        *word != was
    }
}

impl KeyedFlowRadar {
    /// One without flows.
    pub(in crate::sketches) fn new(radar: &FlowRadar) -> Self {
        Self {
            filter: Bits::new(radar.filter_bits),
            filter_bits: radar.filter_bits,
            filter_choices: radar.filter_choices,
            table: CountingTable::new(radar.cells),
            ranges: vec![radar.cells; radar.choices as usize],
            places: vec![0; radar.choices as usize],
            is_decoded: false,
            decoded: Flows::new(0),
            packets: Vec::new(),
        }
    }

    /// Decodes the flows, whose keys have this width. A flow is hashed anew to find its other cells.
    #[inline(never)]
    fn decode<S: Source>(&mut self, width: usize, source: &mut S) {
        let decoded = self.table.clone().decode(self.ranges.len() as u32, |flow, places| {
            let bytes = flow.to_ne_bytes();
            let mut made = source.element(&bytes[..width]);
            made.pass_over(self.filter_choices as usize);
            choose(&mut made, &self.ranges, places);
        });
        self.decoded = Flows::new(decoded.len() as u32);
        self.packets = decoded.iter().map(|(_, packets)| *packets).collect();
        for (flow, _) in decoded {
            self.decoded.add(Hashed::of(&flow.to_ne_bytes()[..width], source));
        }
        self.is_decoded = true;
    }
}

impl KeyedSketch for KeyedFlowRadar {
    fn clear(&mut self, _seed: u64) {
        self.filter.0.fill(0);
        self.table.clear();
        self.is_decoded = false;
    }

    #[inline(always)]
    fn update<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let mut made = source.element(bytes);
        let mut is_new = false;
        for _ in 0..self.filter_choices {
            is_new |= self.filter.set(made.next(self.filter_bits));
        }
        choose(&mut made, &self.ranges, &mut self.places);
        self.table.add(&self.places, key(bytes), is_new, 1);
        self.is_decoded = false;
    }

    #[inline(always)]
    fn estimate<S: Source>(&mut self, bytes: &[u8], source: &mut S) -> i64 {
        if !self.is_decoded {
            self.decode(bytes.len(), source);
        }
        let number = self.decoded.number(Hashed::of(bytes, source));
        number.map_or(0, |number| self.packets[number as usize])
    }

    fn bytes(&self) -> u64 {
        let of_filter = size_of_val(&self.filter.0[..]);
        let of_packets = self.packets.capacity() * size_of::<i64>();
        (of_filter + of_packets) as u64 + self.table.bytes() + self.decoded.bytes()
    }
}
