//! What a cuckoo table is given.

use crate::family::{Axis, AxisKind};
use crate::keys::KeySet;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::tables::Geometry;
use crate::tables::params::{SUB_TABLES, check_equal_sub_tables};

/// The load divided by the threshold, along an axis.
pub(super) const RELATIVE_LOAD: &str = "relative_load";

/// `choices`.
pub const CHOICES: Param = Param {
    name: "choices",
    domain: Domain::Integer { min: 2, max: 64 },
    absent: Absent::Integer(2),
    doc: "Number of choices, d: independent uniform hash functions, with replacement.",
};

/// `eviction`.
pub const EVICTION: Param = Param {
    name: "eviction",
    domain: Domain::Word(&["random-walk", "breadth-first"]),
    absent: Absent::Word("random-walk"),
    doc: "How room is made for an element whose buckets are full: it evicts a random element of a random one of them, which evicts another one, and so on; or the shortest sequence of moves that makes room is searched for, and elements move only if there is one. With two choices and buckets of one the walk leaves nothing to chance: an element starts at its first choice, and an evicted one goes to its other choice (Algorithm 7.1).",
};

/// `eviction_limit`.
pub const EVICTION_LIMIT: Param = Param {
    name: "eviction_limit",
    domain: Domain::Integer { min: 0, max: 1_000_000_000 },
    absent: Absent::Optional,
    doc: "With a random walk, evictions after which an insertion gives up and the last evicted element is left over; breadth-first, buckets read beyond the element's own before it is left over itself. Without it 2·m with a walk and m breadth-first: a search then fails only where no moves make room, and so does the walk with two choices and buckets of one.",
};

/// `stash_size`.
pub const STASH_SIZE: Param = Param {
    name: "stash_size",
    domain: Domain::Integer { min: 0, max: (1 << 31) - 1 },
    absent: Absent::Optional,
    doc: "Elements that fit in the stash, s. An element that is left over while the stash is full ends the build: it has failed. Without it the stash takes every element, and no build fails.",
};

/// `rehash_limit`, of the workload.
pub const REHASH_LIMIT: Param = Param {
    name: "rehash_limit",
    domain: Domain::Integer { min: 0, max: 10_000 },
    absent: Absent::Integer(0),
    doc: "Times that a build that failed may be begun anew with other hash functions; with 0 the first one decides. Without `stash_size` no build fails, and it is refused.",
};

/// `attack`, of the workload `cuckoo-attack`.
pub(super) const ATTACK: Param = Param {
    name: "attack",
    domain: Domain::Word(&["cross-product", "progression"]),
    absent: Absent::Required,
    doc: "How the keys were built against a family of hash functions, in place of those that `keys` names. `cross-product`: the first n keys of {0, 1}^16, a digit in each of 16 bytes. `progression`: the numbers 0, 1, … as eight bytes, the least significant first.",
};

/// Reads how the keys of so many elements are built; `None` where they are not.
///
/// # Errors
/// Where the set has fewer keys.
pub(super) fn attack(params: &Params, elements: u32) -> Result<Option<KeySet>, ParamError> {
    if params.get(ATTACK.name).is_none() {
        return Ok(None);
    }
    let set = match params.word(ATTACK.name)? {
        "cross-product" => KeySet::CrossProduct,
        _ => KeySet::Progression,
    };
    if u64::from(elements) <= set.most() {
        return Ok(Some(set));
    }
    let reason = format!("the set has {} keys for {elements} elements", set.most());
    Err(ParamError::new(ATTACK.name, reason))
}

/// What may stand along an axis, beside metrics.
pub(super) const AXES: &[Axis] = &[
    Axis { kind: AxisKind::Column, ..Axis::parameter("elements", "Elements n", "n =") },
    Axis {
        kind: AxisKind::Column,
        ..Axis::parameter("load", "Load c [elements per place]", "c =")
    },
    Axis {
        kind: AxisKind::Place,
        ..Axis::parameter(RELATIVE_LOAD, "Load by threshold c/c*", "c/c* =")
    },
    Axis::parameter("buckets", "Buckets m", "m ="),
    Axis {
        kind: AxisKind::Discrete,
        ..Axis::parameter("bucket_size", "Bucket size h [elements]", "h =")
    },
    Axis { kind: AxisKind::Discrete, ..Axis::parameter("choices", "Choices d", "d =") },
    Axis {
        kind: AxisKind::Discrete,
        ..Axis::parameter("stash_size", "Places of the stash s", "s =")
    },
];

/// n elements with d choices each among m buckets of size h.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// n, m and h.
    pub geometry: Geometry,
    /// d.
    pub choices: u32,
    /// Whether choice j falls into the j-th of d equal parts of the buckets.
    pub sub_tables: bool,
}

impl Shape {
    /// Reads the shape.
    ///
    /// # Errors
    /// Where n is missing or given twice, or the buckets cannot be split into d equal sub-tables.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        if params.get("elements").is_none() && params.get("load").is_none() {
            return Err(ParamError::new("elements", "missing; give `elements` or `load`"));
        }
        let geometry = Geometry::from_params(params)?;
        let choices = params.small(CHOICES.name)?;
        let sub_tables = params.flag(SUB_TABLES.name)?;
        if sub_tables {
            check_equal_sub_tables(&geometry, choices)?;
        }
        Ok(Self { geometry, choices, sub_tables })
    }

    /// Buckets that one choice ranges over.
    pub fn range(&self) -> u32 {
        let Geometry { buckets, .. } = self.geometry;
        if self.sub_tables { buckets / self.choices } else { buckets }
    }

    /// Whether buckets are the vertices of a graph of which the elements are the edges: two choices, buckets of one.
    pub fn is_graph(&self) -> bool {
        self.choices == 2 && self.geometry.bucket_size == 1
    }
}

/// When an insertion and a build give up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Whether room is searched for, and not found by a walk.
    pub breadth_first: bool,
    /// Evictions of a walk, or buckets read beyond an element's own by a search.
    pub evictions: u32,
    /// s; `None` where the stash takes every element.
    pub stash: Option<u32>,
    /// Builds that may follow one that failed.
    pub rehashes: u32,
}

impl Limits {
    /// Reads the limits of a table with so many buckets.
    ///
    /// # Errors
    /// A parameter of another type, or rehashes of builds that cannot fail.
    pub fn from_params(params: &Params, buckets: u32) -> Result<Self, ParamError> {
        let optional = |param: &Param| match params.get(param.name) {
            Some(_) => params.small(param.name).map(Some),
            None => Ok(None),
        };
        let breadth_first = params.word(EVICTION.name)? == "breadth-first";
        let every_way = if breadth_first { buckets } else { buckets.saturating_mul(2) };
        let (stash, rehashes) = (optional(&STASH_SIZE)?, params.small(REHASH_LIMIT.name)?);
        if stash.is_none() && rehashes > 0 {
            let reason =
                "no build fails, as the stash takes every element; give `stash_size`, such as 0";
            return Err(ParamError::new(REHASH_LIMIT.name, reason));
        }
        let evictions = optional(&EVICTION_LIMIT)?.unwrap_or(every_way);
        Ok(Self { breadth_first, evictions, stash, rehashes })
    }

    /// Whether an insertion into a table of this shape walks along the edges of a graph.
    pub(super) fn walk_along_edges(&self, shape: &Shape) -> bool {
        shape.is_graph() && !self.breadth_first
    }

    /// Whether an insertion into a table of this shape finds room wherever moves can make it. A walk over single slots
    /// with two choices reads each bucket at most twice before it does.
    pub fn find_every_way(&self, shape: &Shape) -> bool {
        let m = u64::from(shape.geometry.buckets);
        match self.breadth_first {
            true => u64::from(self.evictions) >= m,
            false => shape.is_graph() && u64::from(self.evictions) >= 2 * m,
        }
    }
}
