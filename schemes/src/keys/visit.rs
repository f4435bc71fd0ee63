//! The types of hash function and keys, fixed outside the loop over trials.

use super::{Arrivals, KeySource, Keyless, Made, Packets};
use crate::hash::{HashSpec, Source, SourceVisitor};

/// Something to do with arriving elements and a source of their choices, both of a type that is fixed
/// inside.
pub trait Keyed {
    /// What comes out.
    type Output;

    /// Does it with these arrivals; `S` makes choices of their keys.
    fn run<S: Source, A: Arrivals>(self, arrivals: A) -> Self::Output;
}

/// Calls `keyed` with the types of this hash function and these keys, for elements `0..elements`.
///
/// Keys are not made where the source of choices does not look at them.
pub fn visit<K: Keyed>(hash: &HashSpec, keys: &KeySource, elements: u32, keyed: K) -> K::Output {
    hash.visit(WithKeys { keys, elements, keyed })
}

struct WithKeys<'k, K> {
    keys: &'k KeySource,
    elements: u32,
    keyed: K,
}

impl<K: Keyed> SourceVisitor for WithKeys<'_, K> {
    type Output = K::Output;

    fn visit<S: Source>(self) -> Self::Output {
        let Self { keys, elements, keyed } = self;
        match keys {
            KeySource::Trace { keys, renew, shuffled } => {
                keyed.run::<S, _>(Packets::new(keys, *renew, *shuffled, elements))
            }
            KeySource::Random if S::LOOKS_AT_KEYS => keyed.run::<S, _>(Made::new(false)),
            KeySource::Sequential if S::LOOKS_AT_KEYS => keyed.run::<S, _>(Made::new(true)),
            KeySource::Random | KeySource::Sequential => keyed.run::<S, _>(Keyless),
        }
    }
}
