//! What every balancing scheme is given.

use crate::family::{Axis, AxisKind};
use crate::params::{Absent, Domain, Param, ParamError, Params};

/// `elements`; this or [`LOAD`].
pub const ELEMENTS: Param = Param {
    name: "elements",
    domain: Domain::Integer { min: 1, max: (1 << 31) - 1 },
    absent: Absent::Optional,
    doc: "Number of elements, n; give this or `load`.",
};

/// The greatest [`LOAD`].
const MOST_PER_BUCKET: f64 = 1000.0;

/// `load`, in place of [`ELEMENTS`].
pub const LOAD: Param = Param {
    name: "load",
    domain: Domain::Number { min: 1e-6, max: MOST_PER_BUCKET },
    absent: Absent::Optional,
    doc: "Elements per bucket, r = n/m; n is then the nearest whole number; give this or `elements`.",
};

/// `buckets`.
pub const BUCKETS: Param = Param {
    name: "buckets",
    domain: Domain::Integer { min: 1, max: (1 << 31) - 1 },
    absent: Absent::Required,
    doc: "Number of buckets, m.",
};

/// `choices`.
pub const CHOICES: Param = Param {
    name: "choices",
    domain: Domain::Integer { min: 1, max: 64 },
    absent: Absent::Required,
    doc: "Number of choices, d: buckets that an element may read.",
};

/// `accesses`.
pub const ACCESSES: Param = Param {
    name: "accesses",
    domain: Domain::Number { min: 1.0, max: 64.0 },
    absent: Absent::Optional,
    doc: "Accesses per insertion that h, p and the sub-tables are made for, a, and that `budget` enforces. SINGLE makes one.",
};

/// `overflow`.
pub const OVERFLOW: Param = Param {
    name: "overflow",
    domain: Domain::Number { min: 0.0, max: 0.999 },
    absent: Absent::Optional,
    doc: "Overflow fraction that h and p are made for, γ. Without it the least at which the scheme is optimal with a accesses.",
};

/// `threshold`.
pub const THRESHOLD: Param = Param {
    name: "threshold",
    domain: Domain::Integer { min: 0, max: 10_000 },
    absent: Absent::Optional,
    doc: "Elements below which a bucket takes every element, h, in place of the one that a and γ give.",
};

/// `insertion_probability`.
pub const INSERTION_PROBABILITY: Param = Param {
    name: "insertion_probability",
    domain: Domain::Number { min: 0.0, max: 1.0 },
    absent: Absent::Optional,
    doc: "Probability that a bucket of h elements takes one more, p; with `threshold`, and 1 where it is absent.",
};

/// `budget`.
pub const BUDGET: Param = Param {
    name: "budget",
    domain: Domain::Flag,
    absent: Absent::Flag(false),
    doc: "Whether all n insertions together may make a·n accesses and no more: elements for which none is left go to the overflow list.",
};

/// `sub_table_buckets`.
pub const SUB_TABLE_BUCKETS: Param = Param {
    name: "sub_table_buckets",
    domain: Domain::Numbers,
    absent: Absent::Optional,
    doc: "Buckets of each sub-table, from the first to the last, with spaces between, in place of those that a and γ give; their sum is m, their number d.",
};

/// `until`, of the workload.
pub(super) const UNTIL: Param = Param {
    name: "until",
    domain: Domain::Number { min: 0.0, max: 1.0 },
    absent: Absent::Number(1.0),
    doc: "Share of the elements after which the buckets are looked at, t; at least one of them.",
};

const fn axis(name: &'static str, label: &'static str, symbol: &'static str) -> Axis {
    Axis { name, label, symbol: Some(symbol), kind: AxisKind::Parameter }
}

/// What may stand along an axis, beside metrics.
pub(super) const AXES: &[Axis] = &[
    Axis { kind: AxisKind::Column, ..axis("elements", "Elements n", "n =") },
    Axis { kind: AxisKind::Column, ..axis("load", "Elements per bucket r", "r =") },
    axis("buckets", "Buckets m", "m ="),
    Axis { kind: AxisKind::Discrete, ..axis("choices", "Choices d", "d =") },
    axis("accesses", "Accesses per insertion a", "a ="),
    axis("overflow", "Overflow fraction γ aimed at", "γ ="),
    axis("insertion_probability", "Insertion probability p", "p ="),
    axis("until", "Time t", "t ="),
];

/// Parameters that say the same in other words.
pub(super) const ALTERNATIVES: &[(&str, &[&str])] =
    &[("elements", &["load"]), ("load", &["elements"]), ("overflow", &["threshold"])];

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
    /// Where `elements` and `load` are both given or both missing, n comes out as 0 or above 2³¹ − 1, or there are
    /// more elements per bucket than `load` may say.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let buckets = params.small(BUCKETS.name)?;
        let given = |param: &Param| params.get(param.name).is_some();
        let elements = match (given(&ELEMENTS), given(&LOAD)) {
            (true, false) => params.small(ELEMENTS.name)?,
            (false, true) => rounded(params.number(LOAD.name)? * f64::from(buckets))?,
            (true, true) => {
                return Err(ParamError::new(LOAD.name, "give `elements` or `load`, not both"));
            }
            (false, false) => {
                return Err(ParamError::new(ELEMENTS.name, "missing; give `elements` or `load`"));
            }
        };
        Self { elements, buckets }.at_most(MOST_PER_BUCKET, ELEMENTS.name)
    }

    /// The same, if it has at most so many elements per bucket; theory looks at each number of them.
    ///
    /// # Errors
    /// Names this parameter where it has more.
    pub fn at_most(self, per_bucket: f64, param: &'static str) -> Result<Self, ParamError> {
        if self.load() <= per_bucket {
            return Ok(self);
        }
        let Self { elements, buckets } = self;
        let reason = format!(
            "{elements} elements in {buckets} buckets are {} per bucket; at most {per_bucket} are possible",
            self.load()
        );
        Err(ParamError::new(param, reason))
    }

    /// r.
    pub fn load(&self) -> f64 {
        f64::from(self.elements) / f64::from(self.buckets)
    }
}

fn rounded(elements: f64) -> Result<u32, ParamError> {
    let elements = elements.round();
    if elements < 1.0 || elements > f64::from(i32::MAX) {
        let reason = format!("gives {elements} elements; 1 to 2147483647 are possible");
        return Err(ParamError::new(LOAD.name, reason));
    }
    Ok(elements as u32)
}

/// What a rule is made for.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// d.
    pub choices: u32,
    /// a.
    pub accesses: Option<f64>,
    /// γ; without it the least at which the scheme is optimal.
    pub overflow: Option<f64>,
    /// h and p, in place of those that a and γ give.
    pub threshold: Option<(u32, f64)>,
    /// Whether a·n accesses are the most.
    pub budget: bool,
    /// Buckets of the sub-tables, in place of those that a and γ give.
    pub sub_tables: Option<Vec<f64>>,
}

impl Target {
    /// Reads what is wanted of d choices.
    ///
    /// # Errors
    /// A parameter of another type, or a probability without a threshold.
    pub fn from_params(params: &Params, choices: u32) -> Result<Self, ParamError> {
        let number = |param: &Param| match params.get(param.name) {
            Some(_) => params.number(param.name).map(Some),
            None => Ok(None),
        };
        let threshold = match params.get(THRESHOLD.name) {
            Some(_) => Some(params.small(THRESHOLD.name)?),
            None => None,
        };
        let probability = number(&INSERTION_PROBABILITY)?;
        if threshold.is_none() && probability.is_some() {
            let reason = "goes with `threshold`; without it a and γ give both";
            return Err(ParamError::new(INSERTION_PROBABILITY.name, reason));
        }
        let probability = probability.unwrap_or(1.0);
        Ok(Self {
            choices,
            accesses: number(&ACCESSES)?,
            overflow: number(&OVERFLOW)?,
            threshold: threshold.map(|threshold| (threshold, probability)),
            budget: params.get(BUDGET.name).is_some() && params.flag(BUDGET.name)?,
            sub_tables: params.numbers(SUB_TABLE_BUCKETS.name)?,
        })
    }
}
