//! The two parts of the Elastic Sketch: buckets that other flows vote on, and counters of eight bits behind them.

use super::rows::{Rows, estimate};
use super::theory::Rule;

/// The greatest value of a counter of the light part.
pub const FULL: i64 = 255;

/// A flow, known by an `F`, with its packets and those of other flows; without packets the bucket is empty.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bucket<F> {
    /// The flow, by its number or its key.
    pub flow: F,
    /// vote⁺.
    pub own: i64,
    /// vote⁻.
    pub others: i64,
    /// Whether packets of the flow may be in the light part.
    pub flag: bool,
}

/// What comes of packets in the bucket of their flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vote<F> {
    /// The flow has the bucket, and they are counted there.
    Positive,
    /// Another flow has it, and they go to the light part.
    Negative,
    /// The flow takes the bucket. The packets of what was there, which may be none, go to the light part.
    Takes(Bucket<F>),
}

impl<F: Copy + PartialEq> Bucket<F> {
    /// Packets of a flow come. One that holds the bucket leaves it at λ negative votes for each positive one.
    #[inline]
    pub fn vote(&mut self, flow: F, packets: i64, lambda: i64) -> Vote<F> {
        let new = Self { flow, own: packets, others: 0, flag: false };
        if self.own == 0 {
            return Vote::Takes(std::mem::replace(self, new));
        }
        if self.flow == flow {
            self.own += packets;
            return Vote::Positive;
        }
        if self.others + packets < lambda * self.own {
            self.others += packets;
            return Vote::Negative;
        }
        Vote::Takes(std::mem::replace(self, Self { others: packets, flag: true, ..new }))
    }

    /// The estimate of a flow's count, for which the light part is asked only where it may have packets of the flow.
    #[inline]
    pub fn estimate(&self, flow: F, light: impl FnOnce() -> i64) -> i64 {
        let own = if self.flow == flow { self.own } else { 0 };
        let is_whole = own > 0 && !self.flag;
        if is_whole { own } else { own + light() }
    }
}

/// A count-min sketch whose counters stay at [`FULL`] once they are there.
#[derive(Debug, Clone)]
pub struct LightPart {
    rows: Rows,
    /// Row by row.
    pub counters: Vec<u8>,
}

impl LightPart {
    /// Counters that are 0.
    pub fn new(rows: Rows) -> Self {
        Self { rows, counters: vec![0; rows.counters()] }
    }

    /// Sets all counters to 0.
    pub fn clear(&mut self) {
        self.counters.fill(0);
    }

    /// Adds packets of the flow with these columns.
    #[inline]
    pub fn add(&mut self, columns: &[u32], packets: i64) {
        let added = u8::try_from(packets).unwrap_or(u8::MAX);
        for place in self.rows.places(columns) {
            self.counters[place] = self.counters[place].saturating_add(added);
        }
    }

    /// The least counter of the flow with these columns.
    #[inline]
    pub fn estimate(&self, columns: &[u32]) -> i64 {
        let counters = self.rows.places(columns).map(|place| self.counters[place].into());
        estimate(counters, Rule::Minimum)
    }
}
