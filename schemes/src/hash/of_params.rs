//! The hash function of a point, as a definition names it.

use super::{Derivation, HashKind, HashSpec, HashSpecError};
use crate::keys;
use crate::params::{Absent, Domain, Param, ParamError, Params};

/// Parameters of every point: how the hash function gives choices.
pub static HASH_PARAMS: &[Param] = &[
    Param {
        name: "choices_from",
        domain: Domain::Word(&[
            "seeds",
            "slices",
            "double",
            "enhanced-square",
            "enhanced-cube",
            "enhanced-triangular",
            "triple",
        ]),
        absent: Absent::Word("seeds"),
        doc: "How a hash gives d choices: d independent seeds, slices of one hash value, or a progression of values: double hashing, enhanced double hashing with j², j³ or j(j−1)/2 added to choice j, or triple hashing. With `hash = \"random\"` the values of a progression are drawn; else it draws every choice.",
    },
    Param {
        name: "slice_bits",
        domain: Domain::Integer { min: 1, max: 64 },
        absent: Absent::Integer(16),
        doc: "Width in bits of each slice with `choices_from = \"slices\"`.",
    },
];

impl HashSpec {
    /// The hash function of a point whose elements make so many `choices`, each among at most `range`
    /// places, of which `places` says what they are.
    ///
    /// # Errors
    /// The parameter at fault: slices that do not fit into a hash value, too many choices, or a hash that
    /// cannot reach every place.
    pub fn from_params(
        kind: HashKind,
        params: &Params,
        choices: u32,
        (range, places): (u32, &str),
    ) -> Result<Self, ParamError> {
        let derivation = match params.word("choices_from")?.parse() {
            Ok(Derivation::Slices { .. }) => {
                Derivation::Slices { bits: params.small("slice_bits")? }
            }
            Ok(derivation) => derivation,
            Err(unknown) => return Err(ParamError::new("choices_from", unknown.to_string())),
        };
        let spec = HashSpec::new(kind, derivation, choices, keys::longest(params)?)
            .map_err(|error| ParamError::new(at_fault(&error), error.to_string()))?;
        spec.reaches(range, places)?;
        Ok(spec)
    }

    /// Of more than 2^bits places some are never chosen.
    fn reaches(&self, range: u32, places: &str) -> Result<(), ParamError> {
        let bits = self.choice_bits();
        if bits >= 32 || u64::from(range) <= 1 << bits {
            return Ok(());
        }
        let reason =
            format!("{bits} bits per choice reach {} {places}, not {range}", 1_u64 << bits);
        let name = match self.derivation() {
            Derivation::Slices { .. } => "slice_bits",
            Derivation::Seeds | Derivation::Progression(_) => "hash",
        };
        Err(ParamError::new(name, reason))
    }
}

fn at_fault(error: &HashSpecError) -> &'static str {
    match error {
        HashSpecError::SlicesTooWide { .. } | HashSpecError::EmptySlice => "slice_bits",
        HashSpecError::Choices(_) => "choices",
        HashSpecError::KeyTooLong(_) => "key_fields",
    }
}
