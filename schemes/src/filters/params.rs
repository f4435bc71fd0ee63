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

/// `choices` of a filter in slices.
pub(super) const SLICES: Param = Param {
    doc: "Number of choices, k: slices, in each of which an element sets one bit.",
    ..CHOICES
};

/// `choices` of a filter that knows the best number.
pub(super) const CHOICES_OR_BEST: Param = Param {
    absent: Absent::Optional,
    doc: "Number of choices, k: bits that an element sets, with replacement. Without it the nearest whole number to ln 2 times the bits per element.",
    ..CHOICES
};

/// `blocks`.
pub(super) const BLOCKS: Param = Param {
    name: "blocks",
    domain: Domain::Integer { min: 1, max: (1 << 31) - 1 },
    absent: Absent::Required,
    doc: "Number of blocks; m is this times `block_bits`.",
};

/// `block_bits`.
pub(super) const BLOCK_BITS: Param = Param {
    name: "block_bits",
    domain: Domain::Integer { min: 1, max: 1 << 20 },
    absent: Absent::Required,
    doc: "Bits of a block, B, a counter of its elements included where it has one.",
};

/// `balancing`.
pub(super) const BALANCING: Param = Param {
    name: "balancing",
    domain: Domain::Word(&["single", "sequential", "multilevel"]),
    absent: Absent::Required,
    doc: "Which blocks an element reads: one; d among all; or one in each of d sub-tables.",
};

/// `block_choices`.
pub(super) const BLOCK_CHOICES: Param = Param {
    name: "block_choices",
    domain: Domain::Integer { min: 1, max: 15 },
    absent: Absent::Integer(1),
    doc: "Blocks that an element may read, d.",
};

/// `overflow_list`.
pub(super) const OVERFLOW_LIST: Param = Param {
    name: "overflow_list",
    domain: Domain::Flag,
    absent: Absent::Flag(true),
    doc: "Whether what all blocks of an element refuse is kept in a list of exact keys; else it goes to one of these blocks at random.",
};

/// `rate_law`.
pub(super) const RATE_LAW: Param = Param {
    name: "rate_law",
    domain: Domain::Integer { min: 0, max: 300 },
    absent: Absent::Optional,
    doc: "Greatest k for which `rate_at_most_<k>` is measured, the law of the false positive rate over the trials. Without it none is.",
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

/// `multiplicity`, of the workload.
pub(super) const MULTIPLICITY: Param = Param {
    name: "multiplicity",
    domain: Domain::Integer { min: 1, max: 1_000_000 },
    absent: Absent::Required,
    doc: "How often the first element is inserted, r.",
};

/// `exponent`, of the workload.
pub(super) const EXPONENT: Param = Param {
    name: "exponent",
    domain: Domain::Number { min: 0.0, max: 10.0 },
    absent: Absent::Number(0.0),
    doc: "Exponent s of Zipf's law: the i-th element is inserted r/i^s times, rounded, and at least once. With 0 all are inserted r times.",
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
    doc: "Whether the false positive rate gets the lower bound 2^(−bits/n), which no set of n elements of a large universe passes: it takes n·lg(1/ε) bits. Without it, it has none. It is refused where it does not hold: for a filter that keeps elements elsewhere or denies some, and for packets of a trace that may have one key.",
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
    axis("multiplicity", "Insertions of the first element r", "r ="),
    axis("exponent", "Exponent s", "s ="),
    Axis { kind: AxisKind::Discrete, ..axis("counter_bits", "Bits of a counter b", "b =") },
    axis("blocks", "Blocks", "blocks ="),
    axis("block_bits", "Bits of a block B", "B ="),
    Axis { kind: AxisKind::Discrete, ..axis("block_choices", "Choices of blocks d", "d =") },
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

    /// Reads the size of a filter in blocks.
    ///
    /// # Errors
    /// As [`from_params`](Self::from_params), or where there are more than 2³¹ − 1 bits or a best number of choices
    /// above 64.
    pub(super) fn in_blocks(params: &Params) -> Result<Self, ParamError> {
        let (blocks, block_bits) = (params.integer(BLOCKS.name)?, params.integer(BLOCK_BITS.name)?);
        let bits = blocks * block_bits;
        let too_many = || {
            ParamError::new(BLOCKS.name, format!("{bits} bits are too many: at most 2147483647"))
        };
        let bits = u32::try_from(bits).ok().filter(|&bits| bits < 1 << 31).ok_or_else(too_many)?;
        let elements = elements(params, bits)?;
        let choices = match params.get(CHOICES.name) {
            Some(_) => params.small(CHOICES.name)?,
            None => best_choices(f64::from(bits) / f64::from(elements))?,
        };
        Ok(Self { elements, bits, choices })
    }

    /// The fraction of bits set in the limit of many, 1 − e^(−k·n/m).
    pub(super) fn set_limit(&self) -> f64 {
        -exp_m1(-f64::from(self.choices) / self.bits_per_element())
    }

    /// The false positive probability in the limit of many bits, (1 − e^(−k·n/m))^k.
    pub(super) fn limit(&self) -> f64 {
        pow(self.set_limit(), self.choices.into())
    }

    /// Bits that make fewer than two counters.
    pub(super) fn too_few_counters(&self, counters: u32) -> ParamError {
        let are = if self.bits == 1 { "1 bit is" } else { &format!("{} bits are", self.bits) };
        let counters = if counters == 1 { "1 counter" } else { "no counter" };
        ParamError::new(BITS.name, format!("{are} {counters}; two are needed"))
    }

    /// m/n.
    pub fn bits_per_element(&self) -> f64 {
        f64::from(self.bits) / f64::from(self.elements)
    }
}

/// The last number of a law that is to be measured, if any is.
pub(super) fn last_of_law(param: &Param, params: &Params) -> Result<Option<u16>, ParamError> {
    if params.get(param.name).is_none() {
        return Ok(None);
    }
    let last = params.small(param.name)?;
    let too_great = |_| ParamError::new(param.name, format!("{last} is too great"));
    u16::try_from(last).map(Some).map_err(too_great)
}

/// A word that its domain has and the program does not know.
pub(super) fn unknown(param: &Param, word: &str) -> ParamError {
    ParamError::new(param.name, format!("nothing is called `{word}`"))
}

fn best_choices(bits_per_element: f64) -> Result<u32, ParamError> {
    let best = (bits_per_element * std::f64::consts::LN_2).round().max(1.0);
    if best > 64.0 {
        let reason = format!("missing; the best number, {best}, is above 64");
        return Err(ParamError::new(CHOICES.name, reason));
    }
    Ok(best as u32)
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
