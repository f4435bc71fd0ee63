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

/// `buckets` of a table without sub-tables.
pub(super) const BUCKETS: Param = Param {
    name: "buckets",
    domain: Domain::Integer { min: 1, max: (1 << 31) - 1 },
    absent: Absent::Required,
    doc: "Number of buckets, m.",
};

/// `choices`, likewise.
pub(super) const CHOICES: Param = Param {
    name: "choices",
    domain: Domain::Integer { min: 1, max: 64 },
    absent: Absent::Required,
    doc: "Number of choices, d: buckets of an element, with replacement.",
};

/// `counter_bits`, likewise.
pub(super) const COUNTER_BITS: Param = Param {
    name: "counter_bits",
    domain: Domain::Integer { min: 1, max: 16 },
    absent: Absent::Integer(3),
    doc: "Bits of a counter, b. It shows 2^b − 1 while more hashes than that fall into its bucket.",
};

/// `string_bits`.
pub(super) const STRING_BITS: Param = Param {
    name: "string_bits",
    domain: Domain::Integer { min: 1, max: 61 },
    absent: Absent::Required,
    doc: "Bits of an element's string, b.",
};

/// `queries`, of the workload.
pub(super) const QUERIES: Param = Param {
    name: "queries",
    domain: Domain::Integer { min: 0, max: 1_000_000_000_000 },
    absent: Absent::Integer(0),
    doc: "Absent keys that the summary is asked for in a trial. With 0, what only they would find is not simulated either.",
};

/// `deleted`, of the workload.
pub(super) const DELETED: Param = Param {
    name: "deleted",
    domain: Domain::Integer { min: 0, max: (1 << 31) - 1 },
    absent: Absent::Required,
    doc: "Elements that are deleted, αn where (1 + α)n were inserted. Where fewer may be, all of those are.",
};

/// `deleted_from`, of the workload.
pub(super) const DELETED_FROM: Param = Param {
    name: "deleted_from",
    domain: Domain::Word(&["all", "first-sub-table"]),
    absent: Absent::Word("all"),
    doc: "Among which elements those that are deleted are drawn: all of the table, or those in its first sub-table.",
};

/// `rebuild_law_from`, of the workload.
pub(super) const REBUILD_LAW_FROM: Param = Param {
    name: "rebuild_law_from",
    domain: Domain::Integer { min: 0, max: 9999 },
    absent: Absent::Optional,
    doc: "Least k for which `rebuild_moves_at_least_<k>` is measured, the law of the number of moves over the trials. Without it, and with `rebuild_law_to`, 0.",
};

/// `rebuild_law_to`, of the workload.
pub(super) const REBUILD_LAW_TO: Param = Param {
    name: "rebuild_law_to",
    domain: Domain::Integer { min: 0, max: 9999 },
    absent: Absent::Optional,
    doc: "Greatest k for which `rebuild_moves_at_least_<k>` is measured. Without it none is.",
};

/// `left_after`, of the workload.
pub(super) const LEFT_AFTER: Param = Param {
    name: "left_after",
    domain: Domain::Flag,
    absent: Absent::Flag(false),
    doc: "Whether `left_after_<i>` is measured, the elements that the first i sub-tables have no bucket for.",
};

/// `rounds`, of the workload.
pub(super) const ROUNDS: Param = Param {
    name: "rounds",
    domain: Domain::Integer { min: 0, max: 1_000_000_000_000 },
    absent: Absent::Required,
    doc: "Elements that are taken out and replaced by new ones, one after the other.",
};

/// Parameters that decide what is read of a trial, and nothing of the trial itself.
pub(super) const READ_ONLY: [&str; 4] =
    [LEFT_AFTER.name, DELETED_FROM.name, REBUILD_LAW_FROM.name, REBUILD_LAW_TO.name];

const fn axis(name: &'static str, label: &'static str, symbol: &'static str) -> Axis {
    Axis { name, label, symbol: Some(symbol), kind: AxisKind::Parameter }
}

/// What may stand along an axis, beside metrics.
pub(super) const AXES: &[Axis] = &[
    axis("elements", "Elements n", "n ="),
    axis("queries", "Absent keys asked q", "q ="),
    axis("rounds", "Elements replaced", "rounds ="),
    axis("cells", "Cells m", "m ="),
    Axis { kind: AxisKind::Discrete, ..axis("cell_choices", "Choices of cells k", "k =") },
];

/// Parameters that say the same in other words.
pub(super) const ALTERNATIVES: &[(&str, &[&str])] = &[
    ("sub_table_buckets", &["buckets_per_element"]),
    ("buckets_per_element", &["sub_table_buckets"]),
];
