//! Elements that each stay for a time of their own.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use crate::Rng;
use rand::SeedableRng;

use super::exponential::exponential;
use super::{Clock, Step};
use crate::keys::Seeds;
use crate::tables::workloads::Span;

/// Exponential lifetimes of mean 1, and new elements at once or as a Poisson process.
pub(super) struct Timed {
    /// n: the elements of a closed system, the mean number in an open one.
    elements: u32,
    /// Whether elements arrive on their own; else each departure brings one.
    open: bool,
    /// Elements that arrive at time 0.
    first: u32,
    span: Span,
    now: f64,
    next_arrival: f64,
    departures: BinaryHeap<Departure>,
    /// The elements below `used` that are not in the system.
    free: Vec<u32>,
    used: u32,
    lifetimes: Rng,
    gaps: Rng,
}

/// When an element departs; the earliest is the greatest.
#[derive(Debug, Clone, Copy)]
struct Departure {
    time: f64,
    element: u32,
}

impl Timed {
    /// Always n elements.
    pub(super) fn closed(elements: u32, span: Span) -> Self {
        Self::new(elements, span, false, elements)
    }

    /// Arrivals at rate n into a system that is empty or begins with n elements.
    pub(super) fn open(elements: u32, span: Span, filled: bool) -> Self {
        Self::new(elements, span, true, if filled { elements } else { 0 })
    }

    fn new(elements: u32, span: Span, open: bool, first: u32) -> Self {
        Self {
            elements,
            open,
            first,
            span,
            now: 0.0,
            next_arrival: f64::INFINITY,
            departures: BinaryHeap::with_capacity(elements as usize),
            free: Vec::new(),
            used: 0,
            lifetimes: Rng::seed_from_u64(0),
            gaps: Rng::seed_from_u64(0),
        }
    }

    pub(super) fn begin(&mut self, seeds: &Seeds) {
        self.departures.clear();
        self.free.clear();
        (self.now, self.used) = (0.0, 0);
        self.lifetimes = Rng::seed_from_u64(seeds.departures);
        self.gaps = Rng::seed_from_u64(seeds.arrivals);
        self.next_arrival = if self.open { self.gap() } else { f64::INFINITY };
    }

    /// Draws again what is left of the lifetimes and of the gap.
    pub(super) fn branch(&mut self, seeds: &Seeds) {
        self.lifetimes = Rng::seed_from_u64(seeds.departures);
        self.gaps = Rng::seed_from_u64(seeds.arrivals);
        let mut departures = std::mem::take(&mut self.departures).into_vec();
        for departure in &mut departures {
            departure.time = self.now + exponential(&mut self.lifetimes);
        }
        self.departures = departures.into();
        self.next_arrival = if self.open { self.now + self.gap() } else { f64::INFINITY };
    }

    /// A tick is the n-th part of a lifetime.
    pub(super) fn clock(&self) -> Clock {
        let [end, window] = [self.span.end(), self.span.warm_up].map(|time| self.tick_at(time));
        Clock { number: end + 1, window, lifetime: self.elements.into() }
    }

    /// That of the last event.
    pub(super) fn tick(&self) -> u64 {
        self.tick_at(self.now)
    }

    fn tick_at(&self, time: f64) -> u64 {
        (time * f64::from(self.elements)) as u64
    }

    /// Adds the steps of the next event; whether there was one before the end.
    pub(super) fn advance(&mut self, steps: &mut VecDeque<Step>) -> bool {
        if self.now == 0.0 && self.used < self.first {
            self.arrive(steps);
            return true;
        }
        let end = self.span.end();
        if self.now >= end {
            return false;
        }
        let departure = self.departures.peek().map_or(f64::INFINITY, |next| next.time);
        let time = departure.min(self.next_arrival);
        self.pass(time.min(end), steps);
        if time >= end {
            return true;
        }
        if self.next_arrival < departure {
            self.next_arrival = time + self.gap();
            self.arrive(steps);
        } else {
            self.depart(steps);
        }
        true
    }

    /// The table stays as it is up to this time.
    fn pass(&mut self, to: f64, steps: &mut VecDeque<Step>) {
        let warm_up = self.span.warm_up;
        if self.now <= warm_up && to > warm_up {
            steps.push_back(Step::Measure);
        }
        let from = self.now.max(warm_up);
        if to > from {
            steps.push_back(Step::Read(to - from));
        }
        self.now = to;
    }

    fn arrive(&mut self, steps: &mut VecDeque<Step>) {
        let element = self.free.pop().unwrap_or_else(|| {
            self.used += 1;
            self.used - 1
        });
        let time = self.now + exponential(&mut self.lifetimes);
        self.departures.push(Departure { time, element });
        steps.push_back(Step::Insert(element));
    }

    fn depart(&mut self, steps: &mut VecDeque<Step>) {
        if self.open {
            if let Some(Departure { element, .. }) = self.departures.pop() {
                self.free.push(element);
                steps.push_back(Step::Delete(element));
            }
        } else if let Some(mut next) = self.departures.peek_mut() {
            next.time = self.now + exponential(&mut self.lifetimes);
            steps.extend([Step::Delete(next.element), Step::Insert(next.element)]);
        }
    }

    fn gap(&mut self) -> f64 {
        exponential(&mut self.gaps) / f64::from(self.elements)
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
