//! The streams of updates: which flow comes when, and what each update adds to its count.

use super::counting::Counting;
use super::params::{
    COUNTS, EPSILON, EXPONENT, FIRST, FLOWS, GIVEN_COUNTS, INNER_PRODUCT, NEGATIVE, PACKETS, PHI,
    QUERIES, WEIGHTS, WINDOW, WINDOWS,
};
use super::stream::Stream;
use super::windows::Windows;
use super::zipf::Zipf;
use crate::info::WorkloadInfo;
use crate::keys::{Attributes, KeySource};
use crate::params::{ParamError, Params};

/// The workloads, in the order of the reference.
pub(super) static WORKLOADS: &[&WorkloadInfo] = &[&ZIPF, &TURNSTILE, &PACKET_STREAM];

static ZIPF: WorkloadInfo = WorkloadInfo {
    name: "zipf-stream",
    summary: "Packets of flows whose shares follow Zipf's law, each an update by 1. At the end the sketch is asked for all flows that had a packet, and for `queries` absent keys. Of a trace the flows are its first distinct keys, and how often they stand there is not looked at.",
    decides: &[],
    params: &[FLOWS, PACKETS, EXPONENT, COUNTS, QUERIES, EPSILON, PHI, FIRST, INNER_PRODUCT],
};

static TURNSTILE: WorkloadInfo = WorkloadInfo {
    name: "turnstile",
    summary: "As `zipf-stream`, but of some flows all updates are by −1, so that their counts are negative. Sketches that need updates by positive numbers are refused.",
    decides: &[],
    params: &[FLOWS, PACKETS, EXPONENT, COUNTS, NEGATIVE, QUERIES, EPSILON],
};

static PACKET_STREAM: WorkloadInfo = WorkloadInfo {
    name: "packet-stream",
    summary: "The first `packets` packets of a trace, each an update of its key by 1, or by its length with `weights = \"bytes\"`. With `arrival_order = \"shuffled\"` the same packets come in random order. All trials have the same packets and differ in their hash functions, so that intervals are over hash functions and speak of this trace alone; with `windows` or `window` each trial has the packets of one window, and trials differ in both. At the end the sketch is asked for all flows, and for absent keys: those of packets further on, as many as there are, but at most `queries`. A trace that is too short begins again with the same keys, unless it is divided into windows. Keys that are made are all different.",
    decides: &[],
    params: &[PACKETS, WEIGHTS, WINDOWS, WINDOW, QUERIES, EPSILON, PHI, FIRST, GIVEN_COUNTS],
};

/// The parameters that say what is read of a trial or how it is counted, and not what happens in it.
pub(super) const READ_ONLY: &[&str] =
    &[WEIGHTS.name, EPSILON.name, PHI.name, FIRST.name, INNER_PRODUCT.name, GIVEN_COUNTS.name];

/// Where the packets of a trial come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Updates {
    /// Updates in a trial, or in all windows of a trace together.
    packets: u32,
    from: From,
}

#[derive(Debug, Clone, PartialEq)]
enum From {
    Zipf(Zipf),
    Trace(Counting),
}

impl Updates {
    /// Reads the parameters of this workload.
    ///
    /// # Errors
    /// A parameter of another type, or lengths or times of keys that have none.
    pub(super) fn read(info: &WorkloadInfo, params: &Params) -> Result<Self, ParamError> {
        let packets = params.small(PACKETS.name)?;
        if info.name == PACKET_STREAM.name {
            let counting = Counting::from_params(params, packets)?;
            return Ok(Self { packets, from: From::Trace(counting) });
        }
        let is_signed = info.name == TURNSTILE.name;
        let zipf = Zipf {
            flows: params.small(FLOWS.name)?,
            exponent: params.number(EXPONENT.name)?,
            is_drawn: params.word(COUNTS.name)? == "drawn",
            negative: if is_signed { params.number(NEGATIVE.name)? } else { 0.0 },
        };
        Ok(Self { packets, from: From::Zipf(zipf) })
    }

    /// Whether some updates are negative.
    pub(super) fn is_signed(&self) -> bool {
        matches!(self.from, From::Zipf(zipf) if zipf.negative > 0.0)
    }

    /// Whether packets are those of a trace.
    pub(super) fn is_of_trace(&self) -> bool {
        matches!(self.from, From::Trace(_))
    }

    /// Whether the packets of a trace are divided among the trials.
    pub(super) fn is_of_windows(&self) -> bool {
        matches!(self.from, From::Trace(counting) if counting.windows != Windows::Whole)
    }

    /// Packets that arrive, in all windows of a trace together.
    pub(super) fn arrivals(&self) -> u32 {
        self.packets
    }

    /// Packets of one trial with these keys, about.
    pub(super) fn of_trial(&self, keys: &KeySource) -> f64 {
        let windows = match (&self.from, keys) {
            (From::Trace(counting), KeySource::Trace { keys, .. }) => {
                counting.windows(keys, self.packets)
            }
            (From::Trace(Counting { windows: Windows::Parts(parts), .. }), _) => *parts as usize,
            (From::Zipf(_) | From::Trace(_), _) => 1,
        };
        f64::from(self.packets) / windows.max(1) as f64
    }

    /// ‖a‖₁ of a trial, where no trace decides it.
    pub(super) fn norm(&self) -> Option<f64> {
        match self.from {
            From::Trace(Counting { in_bytes, windows })
                if in_bytes || windows != Windows::Whole =>
            {
                None
            }
            From::Zipf(_) | From::Trace(_) => Some(f64::from(self.packets)),
        }
    }

    /// What is taken of the packets of a trace beside their keys.
    pub(super) fn attributes(&self) -> Attributes {
        match self.from {
            From::Zipf(_) => Attributes::default(),
            From::Trace(counting) => counting.attributes(),
        }
    }

    /// Refuses a trace that does not have it, or not enough of it.
    ///
    /// # Errors
    /// The parameter that asks for it.
    pub(super) fn check_keys(&self, keys: &KeySource) -> Result<(), ParamError> {
        match (&self.from, keys) {
            (From::Trace(counting), KeySource::Trace { keys, .. }) => {
                counting.check(keys, self.packets)
            }
            _ => Ok(()),
        }
    }

    /// Flows of a trial with these keys, or more.
    pub(super) fn flows(&self, keys: &KeySource) -> u32 {
        match (&self.from, keys) {
            (From::Zipf(zipf), _) => zipf.flows,
            (From::Trace(_), KeySource::Trace { keys, .. }) => {
                self.packets.min(keys.distinct() as u32)
            }
            (From::Trace(_), KeySource::Random | KeySource::Sequential) => self.packets,
        }
    }

    /// Flows that are to be had whatever the keys are.
    pub(super) fn wanted(&self) -> u32 {
        match self.from {
            From::Zipf(zipf) => zipf.flows,
            From::Trace(_) => 1,
        }
    }

    /// Flows of which each trial has the same; `None` where only the packets tell.
    pub(super) fn same_flows(&self) -> Option<u32> {
        self.same_counts().map(|counts| counts.iter().filter(|count| **count != 0).count() as u32)
    }

    /// The counts of the flows where parameters alone decide them.
    pub(super) fn same_counts(&self) -> Option<Vec<i64>> {
        match self.from {
            From::Zipf(zipf) if !zipf.is_drawn => Some(zipf.expected(self.packets)),
            From::Zipf(_) | From::Trace(_) => None,
        }
    }

    /// The same with at most so many packets in a trial, or in all windows of time together.
    pub(super) fn shortened(&self, packets: u32) -> Self {
        let parts = match self.from {
            From::Trace(Counting { windows: Windows::Parts(parts), .. }) => parts,
            From::Zipf(_) | From::Trace(_) => 1,
        };
        let packets = self.packets.min(packets.saturating_mul(parts));
        Self { packets, from: self.from.clone() }
    }

    /// The packets of trials with these keys.
    pub(super) fn stream(&self, keys: &KeySource) -> Stream {
        match (&self.from, keys) {
            (From::Trace(counting), KeySource::Trace { keys, shuffled, .. }) => {
                counting.stream(keys, self.packets, *shuffled)
            }
            (From::Trace(counting), KeySource::Random | KeySource::Sequential) => {
                let division = counting.windows.divide(self.packets as usize, None);
                let flow = |packet: usize| packet as u32;
                Stream::of_trace(division.unwrap_or_default(), &flow, None, false)
            }
            (From::Zipf(zipf), _) => zipf.stream(self.packets),
        }
    }
}
