//! What every multilevel table with a summary is given.

use crate::family::{Axis, AxisKind};
use crate::params::{Absent, Domain, Param};

/// `elements`.
pub const ELEMENTS: Param = Param {
    name: "elements",
    domain: Domain::Integer { min: 1, max: (1 << 31) - 1 },
    absent: Absent::Required,
    doc: "Number of elements, n.",
};

/// `sub_table_buckets`; this or [`BUCKETS_PER_ELEMENT`].
pub const SUB_TABLE_BUCKETS: Param = Param {
    name: "sub_table_buckets",
    domain: Domain::Numbers,
    absent: Absent::Optional,
    doc: "Buckets of each sub-table, from the first to the last, with spaces between, such as \"40000 10000 5000 2500 2500\"; d is their number.",
};

/// `buckets_per_element`, in place of [`SUB_TABLE_BUCKETS`].
pub const BUCKETS_PER_ELEMENT: Param = Param {
    name: "buckets_per_element",
    domain: Domain::Numbers,
    absent: Absent::Optional,
    doc: "Buckets of each sub-table per element, α_i, from the first to the last, with spaces between, such as \"4 1 0.5 0.25 0.25\": sub-table i has ⌊α_i·n⌋ buckets.",
};

/// `queries`, of the workload.
pub(super) const QUERIES: Param = Param {
    name: "queries",
    domain: Domain::Integer { min: 0, max: 1_000_000_000_000 },
    absent: Absent::Integer(0),
    doc: "Absent keys that the summary is asked for in a trial. With 0, what only they would find is not simulated either.",
};

/// `left_after`, of the workload.
pub(super) const LEFT_AFTER: Param = Param {
    name: "left_after",
    domain: Domain::Flag,
    absent: Absent::Flag(false),
    doc: "Whether `left_after_<i>` is measured, the elements that the first i sub-tables have no bucket for.",
};

/// Parameters that decide what is read of a trial, and nothing of the trial itself.
pub(super) const READ_ONLY: [&str; 1] = [LEFT_AFTER.name];

const fn axis(name: &'static str, label: &'static str, symbol: &'static str) -> Axis {
    Axis { name, label, symbol: Some(symbol), kind: AxisKind::Parameter }
}

/// What may stand along an axis, beside metrics.
pub(super) const AXES: &[Axis] =
    &[axis("elements", "Elements n", "n ="), axis("queries", "Absent keys asked q", "q =")];

/// Parameters that say the same in other words.
pub(super) const ALTERNATIVES: &[(&str, &[&str])] = &[
    ("sub_table_buckets", &["buckets_per_element"]),
    ("buckets_per_element", &["sub_table_buckets"]),
];
