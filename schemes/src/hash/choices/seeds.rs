//! A member of the family per choice.

use super::{Choices, Source, reduce};
use crate::hash::{HashFamily, HashSpec, derive_seed};

/// d members of the family `F`; choice j hashes the key with member j.
///
/// Member j has the seed [`derive_seed`]`(seed, j)`. How independent the choices
/// of one key are is up to the family: see [`Crc32c`](crate::hash::Crc32c) for
/// one where they are not.
pub struct Seeds<F> {
    members: Vec<F>,
}

impl<F> Seeds<F> {
    /// No members, for elements without choices.
    pub(super) fn none() -> Self {
        Self { members: Vec::new() }
    }
}

impl<F: HashFamily> Source for Seeds<F> {
    type Element<'e>
        = SeedsChoices<'e, F>
    where
        F: 'e;

    fn new(spec: &HashSpec, seed: u64) -> Self {
        let seeds = (0..u64::from(spec.choices())).map(|j| derive_seed(seed, j));
        Self { members: seeds.map(|seed| spec.member(seed)).collect() }
    }

    #[inline]
    fn element<'e>(&'e mut self, key: &'e [u8]) -> SeedsChoices<'e, F> {
        SeedsChoices { key, members: self.members.iter() }
    }
}

/// The choices of one key; a hash is computed when its choice is asked for.
pub struct SeedsChoices<'e, F> {
    key: &'e [u8],
    members: std::slice::Iter<'e, F>,
}

impl<F: HashFamily> Choices for SeedsChoices<'_, F> {
    #[inline(always)]
    fn next(&mut self, buckets: u32) -> u32 {
        let Some(member) = self.members.next() else { return 0 };
        reduce(member.hash(self.key), buckets)
    }

    #[inline(always)]
    fn pass_over(&mut self, choices: usize) {
        if let Some(last) = choices.checked_sub(1) {
            self.members.nth(last);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::hash::{Derivation, HashInfo, HashKind, Wang, Xxh3};

    fn spec(choices: u32) -> HashSpec {
        HashSpec::new(HashKind::Xxh3, Derivation::Seeds, choices, 13).unwrap()
    }

    #[test]
    fn choice_j_is_member_j() {
        let mut source = Seeds::<Xxh3>::new(&spec(3), 42);
        let mut choices = source.element(b"key");
        for j in 0..3 {
            let member = Xxh3::with_seed(derive_seed(42, j), 13);
            assert_eq!(choices.next(1 << 20), reduce(member.hash(b"key"), 1 << 20));
        }
    }

    thread_local! {
        static COMPUTED: Cell<u32> = const { Cell::new(0) };
    }

    /// Counts how often it is computed.
    struct Counting;

    impl HashFamily for Counting {
        const INFO: HashInfo = Wang::INFO;

        fn with_seed(_seed: u64, _max_key_bytes: usize) -> Self {
            Self
        }

        fn hash(&self, _key: &[u8]) -> u64 {
            COMPUTED.set(COMPUTED.get() + 1);
            0
        }
    }

    #[test]
    fn hashes_are_computed_when_asked_for() {
        let mut source = Seeds::<Counting>::new(&spec(4), 0);
        let mut choices = source.element(b"key");
        assert_eq!(COMPUTED.get(), 0);
        choices.next(10);
        choices.next(10);
        assert_eq!(COMPUTED.get(), 2);
    }
}
