//! What every bucketed table shares: n elements, m buckets of size h, insertion probability α.

use crate::family::{Axis, AxisKind};
use crate::params::{Absent, Domain, Param, ParamError, Params};

/// Elements, buckets and bucket size of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Geometry {
    /// n, the elements that the system holds, those on the overflow list included; the number of
    /// places where the workload decides how many there are.
    pub elements: u32,
    /// m, the buckets of all sub-tables together.
    pub buckets: u32,
    /// h, the elements that fit in one bucket.
    pub bucket_size: u8,
}

/// `elements`; this or [`LOAD`].
pub const ELEMENTS: Param = Param {
    name: "elements",
    domain: Domain::Integer { min: 1, max: (1 << 31) - 1 },
    absent: Absent::Optional,
    doc: "Number of elements in the system, n; give this or `load`, and neither where the workload decides.",
};
/// `load`, in place of [`ELEMENTS`].
pub const LOAD: Param = Param {
    name: "load",
    domain: Domain::Number { min: 1e-6, max: 1000.0 },
    absent: Absent::Optional,
    doc: "Load c = n/(m·h); n is then the nearest whole number; give this or `elements`.",
};
/// `buckets`.
pub const BUCKETS: Param = Param {
    name: "buckets",
    domain: Domain::Integer { min: 1, max: (1 << 31) - 1 },
    absent: Absent::Required,
    doc: "Number of buckets, m.",
};
/// `bucket_size`.
pub const BUCKET_SIZE: Param = Param {
    name: "bucket_size",
    domain: Domain::Integer { min: 1, max: 255 },
    absent: Absent::Integer(1),
    doc: "Elements that fit in one bucket, h.",
};
/// `insertion_probability`.
pub const INSERTION_PROBABILITY: Param = Param {
    name: "insertion_probability",
    domain: Domain::Number { min: 0.0, max: 1.0 },
    absent: Absent::Number(1.0),
    doc: "Probability α that an arriving element tries the table at all; otherwise it goes to the overflow list without an access.",
};
/// `choices`.
pub const CHOICES: Param = Param {
    name: "choices",
    domain: Domain::Integer { min: 1, max: 1024 },
    absent: Absent::Required,
    doc: "Number of choices, d: independent uniform hash functions, with replacement.",
};
/// `sub_tables`.
pub const SUB_TABLES: Param = Param {
    name: "sub_tables",
    domain: Domain::Flag,
    absent: Absent::Flag(false),
    doc: "Whether the buckets are split into d sub-tables, equal ones without a factor, the j-th choice falling into the j-th; d-random with `ties = \"left\"` is then d-left hashing.",
};

/// The inverse of the load: places per element, along an axis.
pub(super) const SPACE: &str = "space";

const fn axis(name: &'static str, label: &'static str, symbol: Option<&'static str>) -> Axis {
    Axis { name, label, symbol, kind: AxisKind::Parameter }
}

/// What may stand along an axis, beside metrics.
pub(super) const AXES: &[Axis] = &[
    Axis { kind: AxisKind::Column, ..axis("elements", "Elements n", Some("n =")) },
    Axis { kind: AxisKind::Column, ..axis("load", "Load c [elements per place]", Some("c =")) },
    Axis { kind: AxisKind::Place, ..axis(SPACE, "Space [places per element]", None) },
    axis("buckets", "Buckets m", Some("m =")),
    Axis {
        kind: AxisKind::Discrete,
        ..axis("bucket_size", "Bucket size h [elements]", Some("h ="))
    },
    Axis { kind: AxisKind::Discrete, ..axis("choices", "Choices d", Some("d =")) },
    axis("insertion_probability", "Insertion probability α", Some("α =")),
    axis("rounds", "Rounds", None),
    axis("warm_up", "Warm-up [lifetimes]", None),
    axis("duration", "Measuring window [lifetimes]", None),
    axis("time", "Time [lifetimes]", None),
];

/// Parameters that say the same in other words.
pub(super) const ALTERNATIVES: &[(&str, &[&str])] = &[
    ("elements", &["load"]),
    ("load", &["elements"]),
    ("time", &["rounds"]),
    ("rounds", &["time"]),
    ("buckets", &["sub_table_buckets", "buckets_per_element"]),
    ("choices", &["sub_table_buckets", "buckets_per_element"]),
    ("sub_table_buckets", &["buckets", "choices", "buckets_per_element"]),
    ("buckets_per_element", &["buckets", "choices", "sub_table_buckets"]),
];

/// Checks that the buckets can be split into `choices` sub-tables.
///
/// # Errors
/// Where the number of buckets is no multiple of it.
pub(crate) fn check_equal_sub_tables(geometry: &Geometry, choices: u32) -> Result<(), ParamError> {
    let buckets = geometry.buckets;
    if buckets.is_multiple_of(choices) {
        return Ok(());
    }
    let reason = format!("{buckets} buckets cannot be split into {choices} equal sub-tables");
    Err(ParamError::new(BUCKETS.name, reason))
}

impl Geometry {
    /// Reads the geometry.
    ///
    /// # Errors
    /// Where m is missing, or both `elements` and `load` are given, or n comes out as 0 or
    /// above 2³¹ − 1.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        Self::with_buckets(params, params.small("buckets")?)
    }

    /// Reads the geometry of so many buckets.
    ///
    /// # Errors
    /// As [`from_params`](Self::from_params).
    pub(crate) fn with_buckets(params: &Params, buckets: u32) -> Result<Self, ParamError> {
        let bucket_size = params.small("bucket_size")?;
        let bucket_size = u8::try_from(bucket_size)
            .map_err(|_| ParamError::new("bucket_size", format!("{bucket_size} is above 255")))?;
        let elements = elements(params, f64::from(buckets) * f64::from(bucket_size))?;
        Ok(Self { elements, buckets, bucket_size })
    }

    /// The load c = n/(m·h).
    pub fn load(&self) -> f64 {
        f64::from(self.elements) / (f64::from(self.buckets) * f64::from(self.bucket_size))
    }

    /// How many lifetimes of an element so many rounds of alternation are.
    pub(crate) fn lifetimes(&self, rounds: u64) -> f64 {
        rounds as f64 / f64::from(self.elements)
    }
}

/// The number of elements for which memory is planned where the workload decides how many there are:
/// that of the places.
fn nominal(places: f64) -> Result<u32, ParamError> {
    if places > f64::from(i32::MAX) {
        let reason = format!("gives {places} places; 1 to 2147483647 are possible");
        return Err(ParamError::new("buckets", reason));
    }
    Ok(places as u32)
}

fn elements(params: &Params, places: f64) -> Result<u32, ParamError> {
    match (params.get("elements"), params.get("load")) {
        (Some(_), None) => params.small("elements"),
        (None, Some(_)) => {
            let elements = (params.number("load")? * places).round();
            if elements < 1.0 || elements > f64::from(i32::MAX) {
                let reason = format!(
                    "gives {elements} elements in {places} places; 1 to 2147483647 are possible"
                );
                return Err(ParamError::new("load", reason));
            }
            Ok(elements as u32)
        }
        (Some(_), Some(_)) => Err(ParamError::new("load", "give `elements` or `load`, not both")),
        (None, None) => nominal(places),
    }
}
