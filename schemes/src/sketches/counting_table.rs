//! The counting table of FlowRadar, and how flows are decoded from it.

use std::ops::BitXorAssign;

/// Sums over the flows of a cell, each known by an `F`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cell<F> {
    /// FlowXOR.
    flow_xor: F,
    flow_count: u32,
    packet_count: i64,
}

/// Cells of which each flow has a few.
#[derive(Debug, Clone, Default)]
pub struct CountingTable<F> {
    cells: Vec<Cell<F>>,
}

impl<F: Copy + Default + BitXorAssign> Cell<F> {
    /// Takes a decoded flow out.
    fn remove(&mut self, flow: F, packets: i64) {
        self.flow_xor ^= flow;
        self.flow_count -= 1;
        self.packet_count -= packets;
    }
}

impl<F: Copy + Default + BitXorAssign> CountingTable<F> {
    /// A table of so many cells without flows.
    pub fn new(cells: u32) -> Self {
        Self { cells: vec![Cell::default(); cells as usize] }
    }

    /// Takes out all flows.
    pub fn clear(&mut self) {
        self.cells.fill(Cell::default());
    }

    /// Bytes of the cells.
    pub fn bytes(&self) -> u64 {
        size_of_val(&self.cells[..]) as u64
    }

    /// Adds packets to the cells of a flow, and the flow itself if it is new.
    #[inline]
    pub fn add(&mut self, places: &[u32], flow: F, is_new: bool, packets: i64) {
        for &place in places {
            let cell = &mut self.cells[place as usize];
            cell.packet_count += packets;
            if is_new {
                cell.flow_xor ^= flow;
                cell.flow_count += 1;
            }
        }
    }

    /// The flows that can be decoded, with their packets; `places` writes down the cells of a flow, of which there are
    /// `each`. A cell of one flow names it and its packets; they are taken out of its other cells, of which some then have
    /// one flow left.
    pub fn decode(mut self, each: u32, mut places: impl FnMut(F, &mut [u32])) -> Vec<(F, i64)> {
        let mut decoded = Vec::new();
        let mut own = vec![0; each as usize];
        let mut pure: Vec<usize> =
            (0..self.cells.len()).filter(|&place| self.is_pure(place)).collect();
        while let Some(place) = pure.pop() {
            if !self.is_pure(place) {
                continue;
            }
            let Cell { flow_xor: flow, packet_count: packets, .. } = self.cells[place];
            decoded.push((flow, packets));
            places(flow, &mut own);
            for place in own.iter().map(|&place| place as usize) {
                self.cells[place].remove(flow, packets);
                if self.is_pure(place) {
                    pure.push(place);
                }
            }
        }
        decoded
    }

    /// Whether the cell has one flow.
    fn is_pure(&self, place: usize) -> bool {
        self.cells[place].flow_count == 1
    }
}
