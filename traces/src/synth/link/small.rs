//! The small flows in progress, in the order of their next trains.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use super::shape::Shape;
use super::spec::LinkSpec;
use crate::synth::flow::Flow;
use crate::synth::mix::{Host, Mix};
use crate::synth::random::Random;

/// How many of the last flows a new one may have its hosts from.
const REMEMBERED: usize = 64;

/// A flow and its trains per train of all small flows.
struct Small {
    flow: Flow,
    rate: f64,
}

/// The time of a flow's next train, by its place; the earliest is the greatest.
struct Due {
    time: f64,
    place: usize,
}

impl Ord for Due {
    fn cmp(&self, other: &Self) -> Ordering {
        other.time.total_cmp(&self.time).then(other.place.cmp(&self.place))
    }
}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Due {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Due {}

/// The flows in progress. Time is counted in trains of small flows, of which one comes in a unit of it on average.
pub(super) struct SmallFlows<'s> {
    spec: &'s LinkSpec,
    shape: &'s Shape,
    mix: Mix,
    flows: Vec<Small>,
    /// Places whose flows have ended.
    free: Vec<usize>,
    due: BinaryHeap<Due>,
    recent: VecDeque<(Host, Host)>,
    next_arrival: f64,
    now: f64,
    started: u64,
}

impl<'s> SmallFlows<'s> {
    /// The flows in progress when the capture begins, as of a link that has been up for long.
    pub(super) fn start(
        spec: &'s LinkSpec,
        shape: &'s Shape,
        mix: Mix,
        random: &mut Random,
    ) -> Self {
        let mut flows = SmallFlows {
            spec,
            shape,
            mix,
            flows: Vec::new(),
            free: Vec::new(),
            due: BinaryHeap::new(),
            recent: VecDeque::with_capacity(REMEMBERED),
            next_arrival: 0.0,
            now: 0.0,
            started: 0,
        };
        for _ in 0..shape.in_progress {
            flows.add_in_progress(random);
        }
        flows.next_arrival = flows.pause_between_arrivals(random);
        flows
    }

    fn add_in_progress(&mut self, random: &mut Random) {
        let size = self.shape.sizes.draw_in_progress(random);
        let sent = 1 + random.below(size - 1);
        let flow = self.flow(random).of_size(size).in_progress(sent, random);
        let rate = self.shape.rates.draw_in_progress(random);
        let place = self.keep(Small { flow, rate });
        self.pause(place, random);
    }

    /// Flows that have begun, those in progress at the beginning included.
    pub(super) fn started(&self) -> u64 {
        self.started
    }

    /// The flow at a place.
    pub(super) fn flow_at(&mut self, place: usize) -> &mut Flow {
        &mut self.flows[place].flow
    }

    /// The place of the flow whose train is next: a new one, or one in progress.
    pub(super) fn next(&mut self, random: &mut Random) -> usize {
        match self.due.pop() {
            Some(due) if due.time <= self.next_arrival => {
                self.now = due.time;
                due.place
            }
            due => {
                self.due.extend(due);
                self.arrive(random)
            }
        }
    }

    /// A flow that begins, perhaps with its other direction.
    fn arrive(&mut self, random: &mut Random) -> usize {
        self.now = self.next_arrival;
        self.next_arrival += self.pause_between_arrivals(random);
        let flow = self.flow(random);
        if random.chance(self.shape.both_directions) {
            let opposite = flow.opposite(random);
            let place = self.begin(opposite, random);
            self.due.push(Due { time: self.now, place });
        }
        self.begin(flow, random)
    }

    /// Connections bring 1 + P(both directions) flows, and flows their trains, of which one comes in a unit of time.
    fn pause_between_arrivals(&self, random: &mut Random) -> f64 {
        let trains = (1.0 + self.shape.both_directions) * self.shape.trains_per_flow;
        random.exponential(1.0 / trains)
    }

    /// A flow that has not sent anything yet, perhaps between the hosts of an earlier one.
    fn flow(&mut self, random: &mut Random) -> Flow {
        let hosts = self.hosts(random);
        if self.recent.len() == REMEMBERED {
            self.recent.pop_front();
        }
        self.recent.push_back(hosts);
        let is_ipv6 = random.chance(self.shape.ipv6);
        Flow::between(hosts, self.mix.kind(random), random).in_version(is_ipv6)
    }

    fn hosts(&self, random: &mut Random) -> (Host, Host) {
        let are_same = !self.recent.is_empty() && random.chance(self.spec.same_hosts_share);
        match are_same {
            true => self.recent[random.below(self.recent.len() as u64) as usize],
            false => self.mix.hosts(random),
        }
    }

    fn begin(&mut self, flow: Flow, random: &mut Random) -> usize {
        let flow = flow.of_size(self.shape.sizes.draw(random));
        let rate = self.shape.rates.draw(random);
        self.keep(Small { flow, rate })
    }

    fn keep(&mut self, small: Small) -> usize {
        self.started += 1;
        match self.free.pop() {
            Some(place) => {
                self.flows[place] = small;
                place
            }
            None => {
                self.flows.push(small);
                self.flows.len() - 1
            }
        }
    }

    /// Takes note of the end of a train.
    pub(super) fn end_train(&mut self, place: usize, random: &mut Random) {
        match self.flows[place].flow.has_ended() {
            true => self.free.push(place),
            false => self.pause(place, random),
        }
    }

    /// Lets a flow wait for its next train.
    fn pause(&mut self, place: usize, random: &mut Random) {
        let time = self.now + random.exponential(self.flows[place].rate);
        self.due.push(Due { time, place });
    }
}
