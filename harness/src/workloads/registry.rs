//! The workloads and what a definition may say of them and of the hash.

use loadfactor_schemes::params::{Absent, Domain, Param};

/// What `loadfactor schemes` and the reference say of a workload.
#[derive(Debug, Clone, Copy)]
pub struct WorkloadInfo {
    /// Its name in a definition, under `workload.kind`.
    pub name: &'static str,
    /// What one trial does, in a few sentences.
    pub summary: &'static str,
    /// Whether n is given; else the workload decides how many elements there are.
    pub with_elements: bool,
    /// Its own parameters, to which [`KEY_PARAMS`] and [`LAW_PARAMS`] are added.
    pub params: &'static [Param],
}

/// The kinds of key that a trace gives, as `loadfactor_traces::KeyKind` names them.
const KEY_FIELDS: Param = Param {
    name: "key_fields",
    domain: Domain::Word(&["five-tuple", "src", "dst", "src-dst", "tcp-header"]),
    absent: Absent::Word("five-tuple"),
    doc: "Header fields that make a packet's key; `tcp-header` is source, destination, sequence and acknowledgement number. Used with `keys = \"trace\"`.",
};

/// Parameters of every workload: the keys of the arriving elements.
pub const KEY_PARAMS: &[Param] = &[
    Param {
        name: "keys",
        domain: Domain::Word(&["random", "sequential", "trace"]),
        absent: Absent::Word("random"),
        doc: "Keys of the arriving elements: 16 random bytes each, consecutive numbers, or the packets of the trace in capture order. `hash = \"random\"` looks at no key.",
    },
    KEY_FIELDS,
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
        doc: "What follows the last packet of a trace that is too short: the trace again under a new hash seed (so that no key meets itself from an earlier pass), the trace again as it is, or an error.",
    },
];

pub(crate) const OVERFLOW_LAW: Param = Param {
    name: "overflow_law",
    domain: Domain::Integer { min: 0, max: 999 },
    absent: Absent::Optional,
    doc: "Greatest k for which `overflow_at_most_<k>` is measured, the law of the overflow list's length at the end of a trial, and `overflow_variance` with it. Without it neither is.",
};
pub(crate) const SUB_TABLE_LAW: Param = Param {
    name: "sub_table_law",
    domain: Domain::Integer { min: 1, max: 1024 },
    absent: Absent::Optional,
    doc: "Sub-table, counted from 1, for which `subtable_elements_at_most_<x>` is measured, the law of its number of elements at the end of a trial, and for every sub-table mean and variance with it. Without it none is.",
};
pub(crate) const LAW_FROM: Param = Param {
    name: "law_from",
    domain: Domain::Integer { min: 0, max: 65_535 },
    absent: Absent::Optional,
    doc: "Least x of `subtable_elements_at_most_<x>`. Needed with `sub_table_law`.",
};
pub(crate) const LAW_TO: Param = Param {
    name: "law_to",
    domain: Domain::Integer { min: 0, max: 65_535 },
    absent: Absent::Optional,
    doc: "Number above which there is no such x. Needed with `sub_table_law`.",
};
pub(crate) const LAW_STEP: Param = Param {
    name: "law_step",
    domain: Domain::Integer { min: 1, max: 65_535 },
    absent: Absent::Optional,
    doc: "Distance of one such x from the next; 1 where it is not given.",
};

/// Parameters of every workload: the laws that are measured beside means. They decide what is read
/// at the end of a trial and nothing of the trial itself, so that no seed depends on them.
pub const LAW_PARAMS: &[Param] = &[OVERFLOW_LAW, SUB_TABLE_LAW, LAW_FROM, LAW_TO, LAW_STEP];

/// Parameters of every point: the hash function.
pub const HASH_PARAMS: &[Param] = &[
    Param {
        name: "choices_from",
        domain: Domain::Word(&["seeds", "slices", "double"]),
        absent: Absent::Word("seeds"),
        doc: "How a real hash gives d choices: d independent seeds, slices of one hash value, or double hashing.",
    },
    Param {
        name: "slice_bits",
        domain: Domain::Integer { min: 1, max: 64 },
        absent: Absent::Integer(16),
        doc: "Width in bits of each slice with `choices_from = \"slices\"`.",
    },
];

const START: Param = Param {
    name: "start",
    domain: Domain::Word(&["filled", "overflow-list"]),
    absent: Absent::Word("filled"),
    doc: "State before the first round: n elements inserted one by one, or all n on the overflow list.",
};
const WARM_UP: Param = Param {
    name: "warm_up",
    domain: Domain::Number { min: 0.0, max: 1e6 },
    absent: Absent::Number(20.0),
    doc: "Time before the measuring window, in mean lifetimes of an element.",
};
const DURATION: Param = Param {
    name: "duration",
    domain: Domain::Number { min: 1e-6, max: 1e9 },
    absent: Absent::Required,
    doc: "Length of the measuring window, in mean lifetimes of an element.",
};

/// Every workload, in the order of the reference.
pub const WORKLOADS: &[WorkloadInfo] = &[
    WorkloadInfo {
        name: "static-fill",
        summary: "The static model: n elements are inserted into an empty table; nothing is deleted. Measured after the last insertion.",
        with_elements: true,
        params: &[],
    },
    WorkloadInfo {
        name: "alternation",
        summary: "The dynamic model: in each round an element chosen uniformly among all n, overflow list included, is deleted, and a new one is inserted. Measured after each insertion of the measuring window; one trial is one replication.",
        with_elements: true,
        params: &[
            Param {
                name: "rounds",
                domain: Domain::Integer { min: 1, max: 1_000_000_000_000 },
                absent: Absent::Required,
                doc: "Rounds of the measuring window.",
            },
            Param {
                name: "warm_up",
                domain: Domain::Number { min: 0.0, max: 1e6 },
                absent: Absent::Number(20.0),
                doc: "Rounds before the measuring window, per element: `20` means 20·n rounds.",
            },
            START,
        ],
    },
    WorkloadInfo {
        name: "continuous",
        summary: "The dynamic model in continuous time: each of n elements departs after an exponential time of its own, of mean 1, and a new one arrives at once. Averages over the time of the measuring window.",
        with_elements: true,
        params: &[WARM_UP, DURATION],
    },
    WorkloadInfo {
        name: "open",
        summary: "The open model: elements arrive as a Poisson process, n per lifetime, and each departs after an exponential time of its own, of mean 1, so that their number varies around n. Averages over the time of the measuring window; overflow fractions are of n.",
        with_elements: true,
        params: &[
            WARM_UP,
            DURATION,
            Param {
                name: "start",
                domain: Domain::Word(&["filled", "empty"]),
                absent: Absent::Word("filled"),
                doc: "State at the beginning: n elements inserted one by one, or none.",
            },
        ],
    },
    WorkloadInfo {
        name: "relaxation",
        summary: "The way of the dynamic model to its equilibrium: rounds of alternation up to one moment, at which the table is read once. Swept over `time`, it says how long a warm-up has to be.",
        with_elements: true,
        params: &[
            Param {
                name: "time",
                domain: Domain::Number { min: 0.0, max: 1e6 },
                absent: Absent::Required,
                doc: "When the table is read, in lifetimes of an element: `2` means after 2·n rounds.",
            },
            START,
        ],
    },
    WorkloadInfo {
        name: "on-off",
        summary: "The queueing model: in each slot on-off flows go on or off, each flow that is on brings an element, and then a uniformly random element is deleted, if there is any. The number of elements varies by itself: neither `elements` nor `load` is given. Measured after each slot of the measuring window, also for each interval of the number in the system.",
        with_elements: false,
        params: &[
            Param {
                name: "flows",
                domain: Domain::Integer { min: 1, max: 1000 },
                absent: Absent::Required,
                doc: "Number of flows, k.",
            },
            Param {
                name: "rate",
                domain: Domain::Number { min: 1e-6, max: 0.999_999 },
                absent: Absent::Required,
                doc: "Share of the slots in which a flow is on, ρ; k·ρ must be below 1.",
            },
            Param {
                name: "burst",
                domain: Domain::Number { min: 1.0, max: 1e6 },
                absent: Absent::Required,
                doc: "Mean number of slots for which a flow stays on.",
            },
            Param {
                name: "warm_up",
                domain: Domain::Integer { min: 0, max: 1_000_000_000_000 },
                absent: Absent::Integer(200_000),
                doc: "Slots before the measuring window; the system is empty at first.",
            },
            Param {
                name: "slots",
                domain: Domain::Integer { min: 1, max: 1_000_000_000_000 },
                absent: Absent::Required,
                doc: "Slots of the measuring window.",
            },
            Param {
                name: "bin_width",
                domain: Domain::Integer { min: 1, max: 65_535 },
                absent: Absent::Integer(10),
                doc: "Numbers in the system that form one interval.",
            },
            Param {
                name: "largest",
                domain: Domain::Integer { min: 0, max: 65_535 },
                absent: Absent::Integer(1000),
                doc: "Number in the system that the last interval holds; what is above is in none.",
            },
        ],
    },
];
