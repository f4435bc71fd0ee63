//! The hash function of a point, checked against the table that it serves.

use loadfactor_schemes::hash::{Derivation, HashKind, HashSpec, HashSpecError};
use loadfactor_schemes::params::{ParamError, Params};
use loadfactor_schemes::tables::{AnyScheme, Shape};
use loadfactor_traces::LONGEST_KEY;

use super::MADE_KEY_BYTES;

/// The hash function `name` for `scheme`, and how it gives choices.
///
/// # Errors
/// The parameter at fault: an unknown name, slices that do not fit into a hash value, too many
/// choices, or a hash that cannot reach every bucket.
pub fn hash_spec(name: &str, params: &Params, scheme: &AnyScheme) -> Result<HashSpec, ParamError> {
    let kind: HashKind =
        name.parse().map_err(|_| ParamError::new("hash", format!("there is no hash `{name}`")))?;
    let derivation = match params.word("choices_from")? {
        "slices" => Derivation::Slices { bits: params.small("slice_bits")? },
        "double" => Derivation::Double,
        _ => Derivation::Seeds,
    };
    let longest = match params.word("keys")? {
        "trace" => LONGEST_KEY,
        _ => MADE_KEY_BYTES,
    };
    let Shape { geometry, choices, .. } = scheme.shape();
    let spec = HashSpec::new(kind, derivation, choices, longest)
        .map_err(|error| ParamError::new(at_fault(&error), error.to_string()))?;
    reaches(&spec, geometry.buckets)?;
    Ok(spec)
}

fn at_fault(error: &HashSpecError) -> &'static str {
    match error {
        HashSpecError::SlicesTooWide { .. } | HashSpecError::EmptySlice => "slice_bits",
        HashSpecError::Choices(_) => "choices",
        HashSpecError::KeyTooLong(_) => "key_fields",
    }
}

/// A table of more than 2^bits buckets has buckets that are never chosen.
fn reaches(spec: &HashSpec, buckets: u32) -> Result<(), ParamError> {
    let bits = spec.choice_bits();
    if bits >= 32 || u64::from(buckets) <= 1 << bits {
        return Ok(());
    }
    let reason = format!("{bits} bits per choice reach {} buckets, not {buckets}", 1_u64 << bits);
    let name = match spec.derivation() {
        Derivation::Slices { .. } => "slice_bits",
        Derivation::Seeds | Derivation::Double => "hash",
    };
    Err(ParamError::new(name, reason))
}
