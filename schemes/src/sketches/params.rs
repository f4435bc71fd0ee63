//! What sketches and their streams are given.

use crate::family::{Axis, AxisKind};
use crate::params::{Absent, Domain, Param};

/// `rows`.
pub const ROWS: Param = Param {
    name: "rows",
    domain: Domain::Integer { min: 1, max: 64 },
    absent: Absent::Required,
    doc: "Number of rows, d: counters of a flow.",
};

/// `columns`.
pub const COLUMNS: Param = Param {
    name: "columns",
    domain: Domain::Integer { min: 2, max: 1 << 28 },
    absent: Absent::Required,
    doc: "Counters in each row, w.",
};

/// `estimate`.
pub const ESTIMATE: Param = Param {
    name: "estimate",
    domain: Domain::Word(&["minimum", "median"]),
    absent: Absent::Word("minimum"),
    doc: "What is said of a flow's count: the least of its d counters, or their median, which needs an odd number of rows. Only the median serves where updates may be negative.",
};

/// `entries`.
pub const ENTRIES: Param = Param {
    name: "entries",
    domain: Domain::Integer { min: 1, max: 1 << 28 },
    absent: Absent::Required,
    doc: "Flows that have a counter at a time, k.",
};

/// `flows`.
pub const FLOWS: Param = Param {
    name: "flows",
    domain: Domain::Integer { min: 1, max: 1 << 26 },
    absent: Absent::Required,
    doc: "Distinct flows from which the stream is made; where counts are drawn, some may have no packet.",
};

/// `packets`.
pub const PACKETS: Param = Param {
    name: "packets",
    domain: Domain::Integer { min: 1, max: (1 << 31) - 1 },
    absent: Absent::Required,
    doc: "Updates in a trial, or in all windows together where a trace is divided, each by 1 or, in `turnstile`, by −1: ‖a‖₁ of the trial or of all windows.",
};

/// `exponent`.
pub const EXPONENT: Param = Param {
    name: "exponent",
    domain: Domain::Number { min: 0.0, max: 10.0 },
    absent: Absent::Number(1.0),
    doc: "Exponent of Zipf's law, s: the i-th flow has a share of the packets in proportion to 1/i^s.",
};

/// `counts`.
pub const COUNTS: Param = Param {
    name: "counts",
    domain: Domain::Word(&["drawn", "expected"]),
    absent: Absent::Word("drawn"),
    doc: "Whether the flow of each packet is drawn, so that counts are other ones in each trial, or each flow has its expected number of packets, rounded by largest remainder, in random order. With `expected` the law of the error is known exactly.",
};

/// `negative`.
pub const NEGATIVE: Param = Param {
    name: "negative",
    domain: Domain::Number { min: 0.0, max: 1.0 },
    absent: Absent::Number(0.5),
    doc: "Share of the flows whose updates are all by −1, spread evenly over the ranks: with 0.5, the signs alternate.",
};

/// `queries`.
pub const QUERIES: Param = Param {
    name: "queries",
    domain: Domain::Integer { min: 0, max: 1 << 28 },
    absent: Absent::Integer(0),
    doc: "Absent keys for which the sketch is asked at the end of a trial.",
};

/// `epsilon`.
pub const EPSILON: Param = Param {
    name: "epsilon",
    domain: Domain::Number { min: 1e-9, max: 1.0 },
    absent: Absent::Optional,
    doc: "Bound of the error as a share of ‖a‖₁, ε, for `error_exceeds` and `absent_error_exceeds`. Without it neither is measured.",
};

/// `phi`.
pub const PHI: Param = Param {
    name: "phi",
    domain: Domain::Number { min: 1e-9, max: 1.0 },
    absent: Absent::Optional,
    doc: "Share of ‖a‖₁ from which a flow is a heavy hitter, φ. Without it none is looked for.",
};

/// `first`.
pub const FIRST: Param = Param {
    name: "first",
    domain: Domain::Integer { min: 1, max: 1 << 26 },
    absent: Absent::Optional,
    doc: "How many flows are the heavy hitters, in place of `phi`: those with the greatest counts, k. Of flows with equal counts the one that the stream numbers lower goes first: in a trace the one that came first, in `zipf-stream` the one of the lower rank. As many are reported, by their estimates. Where there are fewer flows, all of them are.",
};

/// `weights`.
pub const WEIGHTS: Param = Param {
    name: "weights",
    domain: Domain::Word(&["packets", "bytes"]),
    absent: Absent::Word("packets"),
    doc: "What a packet adds to the count of its flow: 1, or its length on the wire in bytes, as the capture tells it, with the link-layer header; counts, errors and ‖a‖₁ are then in bytes. A trace of keys without lengths is refused.",
};

/// `windows`.
pub const WINDOWS: Param = Param {
    name: "windows",
    domain: Domain::Integer { min: 1, max: 1 << 26 },
    absent: Absent::Optional,
    doc: "Number of equal parts into which the `packets` packets are divided, in the order of the capture; each trial is of one part: the first trial of the first one, and behind the last one the first comes again, with other hash functions.",
};

/// `window`.
pub const WINDOW: Param = Param {
    name: "window",
    domain: Domain::Number { min: 1e-6, max: 1e9 },
    absent: Absent::Optional,
    doc: "Length of a window in seconds of the trace, in place of `windows`: each trial is of the packets of one window. Windows follow each other from the earliest of the `packets` packets on. The last one, which is not complete, is left out, and so are windows without a packet. A trace without times is refused.",
};

/// `inner_product`.
pub const INNER_PRODUCT: Param = Param {
    name: "inner_product",
    domain: Domain::Flag,
    absent: Absent::Flag(false),
    doc: "Whether a second stream goes into a second sketch with the same hash functions, in which flow i has as many packets as flow 7i modulo `flows` in the first, and the inner product of the counts of both is estimated from the two sketches. `count-min` with the minimum can do it.",
};

/// `given_counts`.
pub const GIVEN_COUNTS: Param = Param {
    name: "given_counts",
    domain: Domain::Flag,
    absent: Absent::Flag(false),
    doc: "Whether the law of the error is computed from the true counts of the packets and measured errors are held against it, for ‖a‖₁ up to 2²⁰; it takes longer than a trial.",
};

const fn axis(name: &'static str, label: &'static str, symbol: &'static str) -> Axis {
    Axis { name, label, symbol: Some(symbol), kind: AxisKind::Parameter }
}

/// What may stand along an axis, beside metrics. There is nothing between numbers of counters: their laws take too long
/// to be computed at every point of a line.
pub(super) const AXES: &[Axis] = &[
    Axis { kind: AxisKind::Place, ..axis(BYTES, "Bytes of the sketch", "bytes =") },
    Axis { kind: AxisKind::Place, ..axis(FLOWS_PER_CELL, "Flows per cell", "flows per cell =") },
    Axis { kind: AxisKind::Discrete, ..axis("rows", "Rows d", "d =") },
    Axis { kind: AxisKind::Discrete, ..axis("columns", "Columns w", "w =") },
    axis("entries", "Entries k", "k ="),
    Axis { kind: AxisKind::Discrete, ..axis("bits", "Bits m", "m =") },
    Axis { kind: AxisKind::Discrete, ..axis("registers", "Registers m", "m =") },
    Axis { kind: AxisKind::Discrete, ..axis("cells", "Cells m", "m =") },
    axis("flows", "Flows", "flows ="),
    axis("packets", "Packets N", "N ="),
    axis("exponent", "Exponent s", "s ="),
    axis("epsilon", "Error bound ε", "ε ="),
    axis("phi", "Threshold φ", "φ ="),
    axis("first", "First flows", "first ="),
    Axis { kind: AxisKind::Discrete, ..axis("windows", "Windows", "windows =") },
    axis("window", "Window in seconds", "window ="),
];

/// Where the size of a sketch stands along an axis.
pub(super) const BYTES: &str = "bytes";
/// Where its load stands, of a sketch from whose cells flows are decoded.
pub(super) const FLOWS_PER_CELL: &str = "flows_per_cell";

/// Bytes of a counter.
pub(super) const COUNTER_BYTES: u64 = 4;
/// Bytes of the key of a flow, a five-tuple, where a sketch keeps it.
pub(super) const KEY_BYTES: u64 = 13;
