//! Keys that are built against a hash function or a family of them.

use super::params::ATTACK;
use crate::hash::derive_seed;
use crate::keys::{ChoiceStream, KeySet, KeySource, Seeds};
use crate::params::{ParamError, Params};

/// How keys are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attack {
    /// Those that the table's function puts into the first bucket.
    KnownFunction,
    /// The same, after which the table draws another function.
    OtherFunction,
    /// Those of {0, 1}^16.
    CrossProduct,
    /// Consecutive numbers in one word.
    Progression,
}

/// Candidates whose choices are asked for at once.
const CHUNK: usize = 512;

impl Attack {
    /// Reads it.
    ///
    /// # Errors
    /// Where it cannot be made with so many choices or keys.
    pub(super) fn read(params: &Params, choices: u32, keys: u64) -> Result<Self, ParamError> {
        let attack = match params.word(ATTACK.name)? {
            "known-function" => Self::KnownFunction,
            "other-function" => Self::OtherFunction,
            "cross-product" => Self::CrossProduct,
            _ => Self::Progression,
        };
        let refuse = |name: &str, reason: &str| Err(ParamError::new(name, reason));
        if attack.searches() && choices > 1 {
            return refuse(ATTACK.name, "keys are searched for one choice; this scheme has more");
        }
        if attack == Self::CrossProduct && keys > KeySet::CrossProduct.most() {
            return refuse(
                ATTACK.name,
                "{0, 1}^16 has 65536 keys, for elements and queries together",
            );
        }
        Ok(attack)
    }

    /// Whether the keys are drawn until there are enough that collide.
    pub(super) fn searches(self) -> bool {
        matches!(self, Self::KnownFunction | Self::OtherFunction)
    }

    /// So many keys; drawn ones where they are searched for.
    pub(super) fn keys(self, number: u64) -> KeySource {
        match self {
            Self::KnownFunction | Self::OtherFunction => KeySource::Random,
            Self::CrossProduct => KeySet::CrossProduct.keys(number),
            Self::Progression => KeySet::Progression.keys(number),
        }
    }
}

/// Keys that one member of a family puts into the first bucket, and how other members see them.
#[derive(Debug)]
pub(super) struct Search {
    /// The numbers of the candidates found.
    found: Vec<u64>,
    chunk: Vec<u32>,
}

impl Search {
    pub(super) fn new() -> Self {
        Self { found: Vec::new(), chunk: vec![0; CHUNK] }
    }

    /// Writes the choices of as many found keys as `choices` has room for: under the function of `seeds` with which
    /// they were found, or under another one.
    pub(super) fn write(
        &mut self,
        stream: &mut dyn ChoiceStream,
        seeds: &Seeds,
        under_another: bool,
        choices: &mut [u32],
    ) {
        self.find(stream, seeds, choices.len());
        choices.fill(0);
        if under_another {
            let hash = derive_seed(seeds.hash, 1);
            stream.begin(&Seeds { hash, ..*seeds });
            self.look_up(stream, choices);
        }
    }

    /// Draws keys until so many fall into the first bucket.
    fn find(&mut self, stream: &mut dyn ChoiceStream, seeds: &Seeds, wanted: usize) {
        self.found.clear();
        stream.begin(seeds);
        let mut candidate = 0;
        while self.found.len() < wanted {
            stream.arrive(0, &mut self.chunk);
            let numbered = (candidate..).zip(&self.chunk);
            let first = numbered.filter(|(_, choice)| **choice == 0).map(|(number, _)| number);
            self.found.extend(first.take(wanted - self.found.len()));
            candidate += CHUNK as u64;
        }
    }

    /// The choices of the found candidates in a stream that begins again with the same keys.
    fn look_up(&mut self, stream: &mut dyn ChoiceStream, choices: &mut [u32]) {
        let mut found = self.found.iter().zip(choices).peekable();
        let mut begin = 0;
        while found.peek().is_some() {
            stream.arrive(0, &mut self.chunk);
            let end = begin + CHUNK as u64;
            while let Some((number, choice)) = found.next_if(|(number, _)| **number < end) {
                *choice = self.chunk[(number - begin) as usize];
            }
            begin = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::{Derivation, HashKind, HashSpec};
    use crate::keys::{MADE_KEY_BYTES, choice_stream};

    /// Members of CRC-32C differ by a constant: what collides under one collides under all. Multiply-shift draws members
    /// that have nothing in common.
    #[test]
    fn another_member_separates_what_one_put_together() {
        let seen = |kind| {
            let hash = HashSpec::new(kind, Derivation::Seeds, 1, MADE_KEY_BYTES).unwrap();
            let mut choices = [7; 40];
            choice_stream(&hash, &KeySource::Random, 40, vec![64], &mut |stream| {
                let (seeds, mut search) = (Seeds::of(3, 1), Search::new());
                search.write(stream, &seeds, false, &mut choices);
                assert_eq!(choices, [0; 40]);
                search.write(stream, &seeds, true, &mut choices);
            });
            choices.into_iter().collect::<std::collections::BTreeSet<u32>>().len()
        };
        assert_eq!(seen(HashKind::Crc32c), 1);
        assert!(seen(HashKind::MultiplyShift) > 20);
    }
}
