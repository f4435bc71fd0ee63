//! The workloads and what a definition may say of them and of the hash.

use loadfactor_schemes::params::{Absent, Domain, Param};

/// What `loadfactor schemes` and the reference say of a workload.
#[derive(Debug, Clone, Copy)]
pub struct WorkloadInfo {
    /// Its name in a definition, under `workload.kind`.
    pub name: &'static str,
    /// What one trial does, in a few sentences.
    pub summary: &'static str,
    /// Its own parameters, to which [`KEY_PARAMS`] are added.
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

/// Every workload, in the order of the reference.
pub const WORKLOADS: &[WorkloadInfo] = &[
    WorkloadInfo {
        name: "static-fill",
        summary: "The static model: n elements are inserted into an empty table; nothing is deleted. Measured after the last insertion.",
        params: &[],
    },
    WorkloadInfo {
        name: "alternation",
        summary: "The dynamic model: in each round an element chosen uniformly among all n, overflow list included, is deleted, and a new one is inserted. Measured after each insertion of the measuring window; one trial is one replication.",
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
            Param {
                name: "start",
                domain: Domain::Word(&["filled", "overflow-list"]),
                absent: Absent::Word("filled"),
                doc: "State before the warm-up: n elements inserted one by one, or all n on the overflow list.",
            },
        ],
    },
];
