//! What every table with chains is given.

pub use crate::balancing::params::{BUCKETS, ELEMENTS, LOAD, Size};
use crate::family::{Axis, AxisKind};
use crate::params::{Absent, Domain, Param};

/// `choices`.
pub const CHOICES: Param = Param {
    name: "choices",
    domain: Domain::Integer { min: 2, max: 64 },
    absent: Absent::Integer(2),
    doc: "Number of choices, d.",
};

/// `queries`, of the workloads.
pub const QUERIES: Param = Param {
    name: "queries",
    domain: Domain::Integer { min: 0, max: 1 << 30 },
    absent: Absent::Integer(1000),
    doc: "Number of absent keys that are asked for, each another one.",
};

/// `attack`, of the workload `chains-attack`.
pub(super) const ATTACK: Param = Param {
    name: "attack",
    domain: Domain::Word(&["known-function", "other-function", "cross-product", "progression"]),
    absent: Absent::Required,
    doc: "How the keys were built, in place of those that `keys` names. `known-function`: drawn, and kept where the table's own hash function puts them into the first bucket. `other-function`: the same keys, after which the table draws another function of the family. `cross-product`: the first n keys of {0, 1}^16, a digit in each of 16 bytes. `progression`: the numbers 0, 1, … as eight bytes, the least significant first.",
};

/// What may stand along an axis, beside metrics.
pub(super) const AXES: &[Axis] = &[
    Axis { kind: AxisKind::Column, ..Axis::parameter("elements", "Elements n", "n =") },
    Axis { kind: AxisKind::Column, ..Axis::parameter("load", "Elements per bucket r", "r =") },
    Axis::parameter("buckets", "Buckets m", "m ="),
    Axis { kind: AxisKind::Discrete, ..Axis::parameter("choices", "Choices d", "d =") },
];
