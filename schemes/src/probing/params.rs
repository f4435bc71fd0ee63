//! What every scheme of open addressing is given.

use crate::family::{Axis, AxisKind};
use crate::params::{Absent, Domain, Param, ParamError, Params};

/// `elements`; this or [`LOAD`].
pub const ELEMENTS: Param = Param {
    name: "elements",
    domain: Domain::Integer { min: 1, max: MOST_BUCKETS },
    absent: Absent::Optional,
    doc: "Number of elements, n, at most m; give this or `load`.",
};

/// `load`, in place of [`ELEMENTS`].
pub const LOAD: Param = Param {
    name: "load",
    domain: Domain::Number { min: 1e-6, max: 1.0 },
    absent: Absent::Optional,
    doc: "Elements per slot, α = n/m; n is then the nearest whole number; give this or `elements`.",
};

/// `buckets`.
pub const BUCKETS: Param = Param {
    name: "buckets",
    domain: Domain::Integer { min: 2, max: MOST_BUCKETS },
    absent: Absent::Required,
    doc: "Number of buckets of one element each, the slots of the table, m.",
};

/// `neighbourhood`, of hopscotch hashing.
pub const NEIGHBOURHOOD: Param = Param {
    name: "neighbourhood",
    domain: Domain::Integer { min: 1, max: 64 },
    absent: Absent::Integer(32),
    doc: "Slots in which an element may be, H: the one that its hash value names and those that follow; at most m.",
};

/// `queries`, of both workloads.
pub(super) const QUERIES: Param = Param {
    name: "queries",
    domain: Domain::Integer { min: 0, max: 1_000_000_000 },
    absent: Absent::Required,
    doc: "Absent keys that the table is asked for at the end of a trial, q.",
};

/// `rounds`, of the workload with deletions.
pub(super) const ROUNDS: Param = Param {
    name: "rounds",
    domain: Domain::Integer { min: 1, max: 1_000_000_000 },
    absent: Absent::Required,
    doc: "Times that an element is deleted and a new one inserted before the table is asked, R.",
};

/// `deletion`, of the workload with deletions.
pub(super) const DELETION: Param = Param {
    name: "deletion",
    domain: Domain::Word(&["tombstones", "back-shift"]),
    absent: Absent::Optional,
    doc: "How an element is deleted: its slot becomes a tombstone, which searches pass and insertions take, or the elements behind it are shifted back, so that the slot is free for all. Not given for hopscotch hashing, which needs neither; back-shift is one of linear probing and Robin Hood hashing.",
};

/// The most slots, and so the most elements: numbers above are left for what a slot without an element holds.
const MOST_BUCKETS: i64 = 1 << 30;

/// What may stand along an axis, beside metrics.
pub(super) const AXES: &[Axis] = &[
    Axis { kind: AxisKind::Column, ..Axis::parameter("elements", "Elements n", "n =") },
    Axis { kind: AxisKind::Column, ..Axis::parameter("load", "Elements per slot α", "α =") },
    Axis::parameter("buckets", "Slots m", "m ="),
    Axis { kind: AxisKind::Discrete, ..Axis::parameter("neighbourhood", "Neighbourhood H", "H =") },
    Axis::parameter("rounds", "Elements replaced", "R ="),
];

/// n and m.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// n.
    pub elements: u32,
    /// m.
    pub buckets: u32,
}

impl Size {
    /// Reads the size.
    ///
    /// # Errors
    /// Where `elements` and `load` are both given or both missing, or n comes out as 0 or above m.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let buckets = params.small(BUCKETS.name)?;
        let given = |param: &Param| params.get(param.name).is_some();
        let (elements, name) = match (given(&ELEMENTS), given(&LOAD)) {
            (true, false) => (params.small(ELEMENTS.name)?, ELEMENTS.name),
            (false, true) => {
                let elements = params.number(LOAD.name)? * f64::from(buckets);
                (elements.round() as u32, LOAD.name)
            }
            (true, true) => {
                return Err(ParamError::new(LOAD.name, "give `elements` or `load`, not both"));
            }
            (false, false) => {
                return Err(ParamError::new(ELEMENTS.name, "missing; give `elements` or `load`"));
            }
        };
        if elements == 0 || elements > buckets {
            let reason = format!("gives {elements} elements; {buckets} slots hold 1 to {buckets}");
            return Err(ParamError::new(name, reason));
        }
        Ok(Self { elements, buckets })
    }

    /// α.
    pub fn load(&self) -> f64 {
        f64::from(self.elements) / f64::from(self.buckets)
    }

    /// m − n.
    pub fn free(&self) -> u32 {
        self.buckets - self.elements
    }
}
