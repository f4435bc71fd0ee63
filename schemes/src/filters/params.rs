//! What every filter shares: n elements, m bits, k choices.

use crate::family::{Axis, AxisKind};
use crate::hash::Steps;
use crate::math::elementary::{exp_m1, pow};
use crate::params::{Absent, Domain, Param, ParamError, Params};

/// Elements, bits and choices of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// n.
    pub elements: u32,
    /// m.
    pub bits: u32,
    /// k.
    pub choices: u32,
}

/// `elements`; this or [`BITS_PER_ELEMENT`].
pub const ELEMENTS: Param = Param {
    name: "elements",
    domain: Domain::Integer { min: 1, max: (1 << 31) - 1 },
    absent: Absent::Optional,
    doc: "Number of elements in the filter, n; give this or `bits_per_element`.",
};

/// `bits_per_element`, in place of [`ELEMENTS`].
pub const BITS_PER_ELEMENT: Param = Param {
    name: "bits_per_element",
    domain: Domain::Number { min: 1e-3, max: 1e6 },
    absent: Absent::Optional,
    doc: "Bits per element, m/n; n is then the nearest whole number; give this or `elements`.",
};

/// `bits`.
pub const BITS: Param = Param {
    name: "bits",
    domain: Domain::Integer { min: 1, max: (1 << 31) - 1 },
    absent: Absent::Required,
    doc: "Number of bits, m.",
};

/// `choices`.
pub const CHOICES: Param = Param {
    name: "choices",
    domain: Domain::Integer { min: 1, max: 64 },
    absent: Absent::Required,
    doc: "Number of choices, k: bits that an element sets, with replacement.",
};

/// `queries`, of the workload.
pub(super) const QUERIES: Param = Param {
    name: "queries",
    domain: Domain::Integer { min: 0, max: 1_000_000_000_000 },
    absent: Absent::Required,
    doc: "Absent keys that the filter is asked for in a trial, q.",
};

/// `positives_law`, of the workload.
pub(super) const POSITIVES_LAW: Param = Param {
    name: "positives_law",
    domain: Domain::Integer { min: 0, max: 999 },
    absent: Absent::Optional,
    doc: "Greatest k for which `false_positives_<k>` is measured, the law of the number of false positives in a trial. Without it none is.",
};

/// `deviation`, of the workload.
pub(super) const DEVIATION: Param = Param {
    name: "deviation",
    domain: Domain::Number { min: 1e-12, max: 1.0 },
    absent: Absent::Optional,
    doc: "Distance from (1 − e^(−k·n/m))^k, the limit of the false positive probability, beyond which a trial counts in `rate_deviation_fraction` and `answers_deviation_fraction`. Without it neither is measured.",
};

/// `members`, of the workload.
pub(super) const MEMBERS: Param = Param {
    name: "members",
    domain: Domain::Word(&["arriving", "distinct"]),
    absent: Absent::Optional,
    doc: "With `keys = \"trace\"`: whether each packet that arrives is an element until there are n; or the first n distinct keys are the elements, and the packets of all other keys are absent, gone through again as often as it takes. Without it they are as with \"arriving\".",
};

/// `rounds`, of the workload.
pub(super) const ROUNDS: Param = Param {
    name: "rounds",
    domain: Domain::Integer { min: 0, max: 1_000_000_000_000 },
    absent: Absent::Required,
    doc: "Elements that are replaced by new ones, one after the other, before the filter is asked.",
};

/// `packets`, of the workload.
pub(super) const PACKETS: Param = Param {
    name: "packets",
    domain: Domain::Integer { min: 1, max: (1 << 31) - 1 },
    absent: Absent::Required,
    doc: "Packets that arrive in a trial, N; it stands as the number of elements, n.",
};

/// `space_bound`, of the workload.
pub(super) const SPACE_BOUND: Param = Param {
    name: "space_bound",
    domain: Domain::Flag,
    absent: Absent::Optional,
    doc: "Whether the false positive rate gets the lower bound 2^(−bits/n), which no set of n elements of a large universe passes: it takes n·lg(1/ε) bits. Without it, it has none.",
};

/// Parameters that decide what is read and said of a trial, and nothing of the trial itself.
pub(super) const READ_ONLY: [&str; 3] = [POSITIVES_LAW.name, DEVIATION.name, SPACE_BOUND.name];

/// `steps`, of the family.
pub const STEPS: Param = Param {
    name: "steps",
    domain: Domain::Word(Steps::NAMES),
    absent: Absent::Word("any"),
    doc: "Steps h2 that double hashing and its kin take among m bits: any from 0 to m − 1; nonzero; or coprime, those without a factor in common with m. Used where `choices_from` is a progression.",
};

const fn axis(name: &'static str, label: &'static str, symbol: &'static str) -> Axis {
    Axis { name, label, symbol: Some(symbol), kind: AxisKind::Parameter }
}

/// What may stand along an axis, beside metrics.
pub(super) const AXES: &[Axis] = &[
    Axis { kind: AxisKind::Column, ..axis("bits_per_element", "Bits per element m/n", "m/n =") },
    Axis { kind: AxisKind::Column, ..axis("elements", "Elements n", "n =") },
    axis("bits", "Bits m", "m ="),
    Axis { kind: AxisKind::Discrete, ..axis("choices", "Choices k", "k =") },
    axis("queries", "Absent keys asked q", "q ="),
    axis("rounds", "Elements replaced", "rounds ="),
    axis("packets", "Packets N", "N ="),
    Axis { kind: AxisKind::Discrete, ..axis("counter_bits", "Bits of a counter b", "b =") },
];

/// Parameters that say the same in other words.
pub(super) const ALTERNATIVES: &[(&str, &[&str])] =
    &[("elements", &["bits_per_element"]), ("bits_per_element", &["elements"])];

impl Size {
    /// Reads the size.
    ///
    /// # Errors
    /// Where a parameter is missing, `elements` and `bits_per_element` are both given, or n comes out as 0
    /// or above 2³¹ − 1.
    pub fn from_params(params: &Params) -> Result<Self, ParamError> {
        let (bits, choices) = (params.small(BITS.name)?, params.small(CHOICES.name)?);
        Ok(Self { elements: elements(params, bits)?, bits, choices })
    }

    /// The fraction of bits set in the limit of many, 1 − e^(−k·n/m).
    pub(super) fn set_limit(&self) -> f64 {
        -exp_m1(-f64::from(self.choices) / self.bits_per_element())
    }

    /// The false positive probability in the limit of many bits, (1 − e^(−k·n/m))^k.
    pub(super) fn limit(&self) -> f64 {
        pow(self.set_limit(), self.choices.into())
    }

    /// m/n.
    pub fn bits_per_element(&self) -> f64 {
        f64::from(self.bits) / f64::from(self.elements)
    }
}

fn elements(params: &Params, bits: u32) -> Result<u32, ParamError> {
    let given = |param: &Param| params.get(param.name).is_some();
    if given(&PACKETS) {
        return params.small(PACKETS.name);
    }
    match (given(&ELEMENTS), given(&BITS_PER_ELEMENT)) {
        (true, false) => params.small(ELEMENTS.name),
        (false, true) => {
            let elements = (f64::from(bits) / params.number(BITS_PER_ELEMENT.name)?).round();
            if elements < 1.0 || elements > f64::from(i32::MAX) {
                let reason = format!("gives {elements} elements; 1 to 2147483647 are possible");
                return Err(ParamError::new(BITS_PER_ELEMENT.name, reason));
            }
            Ok(elements as u32)
        }
        (true, true) => {
            let reason = "give `elements` or `bits_per_element`, not both";
            Err(ParamError::new(BITS_PER_ELEMENT.name, reason))
        }
        (false, false) => {
            let reason = "missing; give `elements` or `bits_per_element`";
            Err(ParamError::new(ELEMENTS.name, reason))
        }
    }
}
