//! A trial of a sketch at its end.

use super::Flow;
use super::heap::FlowHeap;

/// A trial at its end: what was true, and what was asked.
#[derive(Debug)]
pub struct Trial<'t> {
    /// The count of each flow, 0 of flows without packets.
    pub counts: &'t [i64],
    /// ‖a‖₁.
    pub norm: f64,
    /// The choices of the flows, one after the other.
    pub choices: &'t [u32],
    /// The choices of the absent keys.
    pub absent: &'t [u32],
    /// Choices of a flow.
    pub each: usize,
    /// The heap of heavy hitters.
    pub heap: &'t FlowHeap,
}

impl Trial<'_> {
    /// The flow with this number.
    pub fn flow(&self, number: usize) -> Flow<'_> {
        Flow { number: number as u32, choices: &self.choices[number * self.each..][..self.each] }
    }

    /// Flows of the stream with their counts.
    pub fn flows(&self) -> impl Iterator<Item = (Flow<'_>, i64)> {
        let counted = self.counts.iter().enumerate().filter(|(_, count)| **count != 0);
        counted.map(|(number, &count)| (self.flow(number), count))
    }

    /// Flows of the stream.
    pub fn distinct(&self) -> usize {
        self.counts.iter().filter(|count| **count != 0).count()
    }
}
