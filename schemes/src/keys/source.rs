//! Where the keys of a trial come from, and how a definition says so.

use std::sync::Arc;

use super::{MADE_KEY_BYTES, TraceKeys};
use crate::params::{Absent, Domain, Param, ParamError, Params};

/// Bytes of the longest key that a trace may give.
pub const LONGEST_TRACE_KEY: usize = 40;

/// Where the keys of a trial come from.
#[derive(Debug, Clone)]
pub enum KeySource {
    /// 16 random bytes each.
    Random,
    /// Consecutive numbers as 16 big-endian bytes.
    Sequential,
    /// A trace in capture order; `renew` asks for a new hash seed whenever it starts again.
    Trace {
        /// The packets.
        keys: Arc<TraceKeys>,
        /// Whether each pass over the trace gets hash functions of its own.
        renew: bool,
        /// Whether the packets of each pass arrive in a random order.
        shuffled: bool,
    },
}

impl KeySource {
    /// Bytes that a trial needs for the keys themselves: four for each distinct key of a trace, and
    /// four for each packet of one that is shuffled. The packets are shared by all threads.
    pub fn bytes(&self) -> u64 {
        match self {
            KeySource::Trace { keys, shuffled, .. } => {
                let order = if *shuffled { keys.packets() } else { 0 };
                4 * (keys.distinct() + order) as u64
            }
            KeySource::Random | KeySource::Sequential => 0,
        }
    }

    /// Bytes for each element that may be stored: where keys repeat, which of them it has.
    pub fn bytes_per_element(&self) -> u64 {
        if matches!(self, KeySource::Trace { .. }) { 4 } else { 0 }
    }
}

/// Bytes of the longest key that the parameters allow.
///
/// # Errors
/// Where `keys` is missing.
pub fn longest(params: &Params) -> Result<usize, ParamError> {
    Ok(match params.word("keys")? {
        "trace" => LONGEST_TRACE_KEY,
        _ => MADE_KEY_BYTES,
    })
}

/// Parameters of every workload: the keys of the arriving elements.
pub static KEY_PARAMS: &[Param] = &[
    Param {
        name: "keys",
        domain: Domain::Word(&["random", "sequential", "trace"]),
        absent: Absent::Word("random"),
        doc: "Keys of the arriving elements: 16 random bytes each, consecutive numbers, or the packets of the trace in capture order. `hash = \"random\"` looks at no key.",
    },
    Param {
        name: "key_fields",
        domain: Domain::Word(&["five-tuple", "src", "dst", "src-dst", "tcp-header"]),
        absent: Absent::Word("five-tuple"),
        doc: "Header fields that make a packet's key; `tcp-header` is source, destination, sequence and acknowledgement number. Used with `keys = \"trace\"`.",
    },
    Param {
        name: "repeated_keys",
        domain: Domain::Word(&["keep", "remove"]),
        absent: Absent::Word("keep"),
        doc: "With `keys = \"trace\"`: whether a packet whose key stood earlier in the trace arrives as an element of its own, or is left out.",
    },
    Param {
        name: "arrival_order",
        domain: Domain::Word(&["captured", "shuffled"]),
        absent: Absent::Word("captured"),
        doc: "With `keys = \"trace\"`: whether packets arrive as they were captured, or in a random order, another one in each trial and pass.",
    },
    Param {
        name: "trace_end",
        domain: Domain::Word(&["renew", "repeat", "error"]),
        absent: Absent::Word("renew"),
        doc: "What follows the last packet of a trace that is too short: the trace again under a new hash seed (so that no key meets itself from an earlier pass), the trace again as it is, or an error. Workloads that count the packets of each key go on with the same keys either way.",
    },
];
