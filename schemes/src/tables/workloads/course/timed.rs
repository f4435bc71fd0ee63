//! Elements that each stay for a time of their own, and of which there are always as many.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use rand::SeedableRng;

use super::exponential::exponential;
use super::pace::Pace;
use super::round_blocks::RoundBlocks;
use super::{Clock, Step};
use crate::Rng;
use crate::keys::Seeds;
use crate::tables::workloads::Span;

/// Exponential lifetimes of mean 1; each departure brings an arrival.
///
/// Every element has its own time of departure, though that of the next one alone would do: what is simulated is the
/// continuous model itself, which Theorem 2 of "Hash Tables With Finite Buckets Are Less Resistant to Deletions" says
/// to be the discrete one. Where choices are random, [`RoundBlocks`] does with the time of the next one.
pub(super) struct Timed {
    /// n.
    elements: u32,
    span: Span,
    pace: Pace,
    departures: BinaryHeap<Departure>,
    lifetimes: Rng,
}

/// When an element departs; the earliest is the greatest.
#[derive(Debug, Clone, Copy)]
struct Departure {
    time: f64,
    element: u32,
}

impl Timed {
    /// Always n elements.
    pub(super) fn new(elements: u32, span: Span) -> Self {
        Self {
            elements,
            span,
            pace: Pace::new(elements, span),
            departures: BinaryHeap::with_capacity(elements as usize),
            lifetimes: Rng::seed_from_u64(0),
        }
    }

    /// The same process in blocks.
    pub(super) fn in_blocks(&self) -> RoundBlocks {
        RoundBlocks::new(self.elements, self.span)
    }

    pub(super) fn begin(&mut self, seeds: &Seeds) {
        self.departures.clear();
        self.pace.begin();
        self.lifetimes = Rng::seed_from_u64(seeds.departures);
    }

    /// Draws again what is left of the lifetimes.
    pub(super) fn branch(&mut self, seeds: &Seeds) {
        self.lifetimes = Rng::seed_from_u64(seeds.departures);
        let mut departures = std::mem::take(&mut self.departures).into_vec();
        for departure in &mut departures {
            departure.time = self.pace.now() + exponential(&mut self.lifetimes);
        }
        self.departures = departures.into();
    }

    pub(super) fn clock(&self) -> Clock {
        self.pace.clock()
    }

    pub(super) fn tick(&self) -> u64 {
        self.pace.tick()
    }

    /// Adds the steps of the next event; whether there was one before the end.
    pub(super) fn advance(&mut self, steps: &mut VecDeque<Step>) -> bool {
        let arrived = self.departures.len() as u32;
        if arrived < self.elements {
            let time = exponential(&mut self.lifetimes);
            self.departures.push(Departure { time, element: arrived });
            steps.push_back(Step::Insert(arrived));
            return true;
        }
        if self.pace.is_over() {
            return false;
        }
        let time = self.departures.peek().map_or(f64::INFINITY, |next| next.time);
        if self.pace.pass(time, steps)
            && let Some(mut next) = self.departures.peek_mut()
        {
            next.time = time + exponential(&mut self.lifetimes);
            steps.extend([Step::Delete(next.element), Step::Insert(next.element)]);
        }
        true
    }
}

impl Ord for Departure {
    fn cmp(&self, other: &Self) -> Ordering {
        other.time.total_cmp(&self.time).then(other.element.cmp(&self.element))
    }
}

impl PartialOrd for Departure {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Departure {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Departure {}
