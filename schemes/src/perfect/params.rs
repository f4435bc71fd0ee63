//! What a perfect hash table is given.

use crate::family::Axis;
use crate::params::{Absent, Domain, Param};

/// `elements`.
pub const ELEMENTS: Param = Param {
    name: "elements",
    domain: Domain::Integer { min: 1, max: 1 << 22 },
    absent: Absent::Required,
    doc: "Number of elements, n.",
};

/// `buckets_per_element`.
pub const BUCKETS_PER_ELEMENT: Param = Param {
    name: "buckets_per_element",
    domain: Domain::Number { min: 0.01, max: 100.0 },
    absent: Absent::Number(1.0),
    doc: "First-level buckets per element, m/n; m is the nearest whole number.",
};

/// `square_limit`.
pub const SQUARE_LIMIT: Param = Param {
    name: "square_limit",
    domain: Domain::Number { min: 1.0, max: 1000.0 },
    absent: Absent::Number(4.0),
    doc: "The first-level function is drawn again until Σ nᵢ² is below so many times n.",
};

/// What may stand along an axis, beside metrics.
pub(super) const AXES: &[Axis] = &[
    Axis::parameter("elements", "Elements n", "n ="),
    Axis::parameter("buckets_per_element", "First-level buckets per element m/n", "m/n ="),
    Axis::parameter("square_limit", "Limit of Σ nᵢ² by n", "limit"),
];
