//! How the packets of a trace are counted: by 1 or by their bytes, all of them in each trial or those of a window.

use super::params::{WEIGHTS, WINDOW, WINDOWS};
use super::stream::Stream;
use super::windows::{Division, Windows};
use crate::keys::{Attributes, TraceKeys};
use crate::params::{ParamError, Params};

/// How the packets of a trace are counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counting {
    /// Whether a packet counts as its length in bytes.
    pub in_bytes: bool,
    /// How they are divided among trials.
    pub windows: Windows,
}

impl Counting {
    /// Reads how so many packets are counted.
    ///
    /// # Errors
    /// Lengths or times of keys that have none, or windows that cannot be.
    pub fn from_params(params: &Params, packets: u32) -> Result<Self, ParamError> {
        let in_bytes = params.word(WEIGHTS.name)? == "bytes";
        let windows = Windows::from_params(params, packets)?;
        let counting = Self { in_bytes, windows };
        let takes = counting.attributes();
        if params.word("keys")? != "trace" && takes != Attributes::default() {
            let (name, what) = if takes.lengths { (WEIGHTS, "lengths") } else { (WINDOW, "times") };
            let reason = format!("keys that are made have no {what}; use `keys = \"trace\"`");
            return Err(ParamError::new(name.name, reason));
        }
        Ok(counting)
    }

    /// What is taken of the packets of a trace beside their keys.
    pub fn attributes(self) -> Attributes {
        let times = matches!(self.windows, Windows::Nanoseconds(_));
        Attributes { lengths: self.in_bytes, times }
    }

    /// Refuses a trace that lacks lengths or times, or is too short for a window.
    ///
    /// # Errors
    /// The parameter that asks for what the trace does not have.
    pub fn check(self, keys: &TraceKeys, packets: u32) -> Result<(), ParamError> {
        let lacks = |param: &str, what: &str, remedy: &str| {
            let reason = format!(
                "the trace does not tell the {what} of its packets, as captures do (pcap, pcapng) and files of keys do not; use a capture or {remedy}"
            );
            Err(ParamError::new(param, reason))
        };
        if self.in_bytes && keys.lengths().is_none() {
            return lacks(WEIGHTS.name, "lengths", "`weights = \"packets\"`");
        }
        if self.attributes().times && keys.times().is_none() {
            return lacks(WINDOW.name, "times", "divide its packets into equal parts by `windows`");
        }
        if self.windows(keys, packets) > 0 {
            return Ok(());
        }
        let (name, what) = match self.windows {
            Windows::Nanoseconds(_) => (WINDOW, "last as long as one window"),
            Windows::Whole | Windows::Parts(_) => (WINDOWS, "have a packet for each window"),
        };
        let reason = format!(
            "the first {packets} packets of the trace do not {what}; use a longer trace, more `packets` or other windows"
        );
        Err(ParamError::new(name.name, reason))
    }

    /// Windows that trials are of; none where no window of time is complete or there are fewer packets than windows.
    pub fn windows(self, keys: &TraceKeys, packets: u32) -> usize {
        match self.windows {
            Windows::Whole => 1,
            Windows::Parts(parts) if (parts as usize) <= keys.packets() => parts as usize,
            Windows::Parts(_) => 0,
            Windows::Nanoseconds(_) => self.divide(keys, packets).map_or(0, |own| own.ends.len()),
        }
    }

    /// The packets in their windows. Without windows a trace that is too short begins again.
    fn divide(self, keys: &TraceKeys, packets: u32) -> Option<Division> {
        let packets = packets as usize;
        match self.windows {
            Windows::Whole => self.windows.divide(packets, None),
            _ => self.windows.divide(packets.min(keys.packets()), keys.times()),
        }
    }

    /// The packets of trials. Where no window is complete, which [`check`](Self::check) refuses, all packets are one, as
    /// a few of them are that are timed.
    pub fn stream(self, keys: &TraceKeys, packets: u32, is_shuffled: bool) -> Stream {
        let whole = || Windows::Whole.divide(packets as usize, None);
        let division = self.divide(keys, packets).or_else(whole).unwrap_or_default();
        let captured = |packet: usize| packet % keys.packets();
        let flow = |packet| keys.id(captured(packet));
        match keys.lengths().filter(|_| self.in_bytes) {
            Some(lengths) => {
                let length = |packet| lengths[captured(packet)];
                Stream::of_trace(division, &flow, Some(&length), is_shuffled)
            }
            None => Stream::of_trace(division, &flow, None, is_shuffled),
        }
    }
}
