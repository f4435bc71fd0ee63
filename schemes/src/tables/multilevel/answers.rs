//! A rule's answers, asked for once.

use super::rule::{MultilevelRule, Target};
use super::view::View;

/// What a rule answers, in four bytes, which are read at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) end: End,
    /// The sub-table in which the element gets a place.
    pub(super) level: u8,
    /// The sub-table to which another one moves.
    pub(super) to: u8,
    /// Buckets read.
    pub(super) accesses: u8,
}

/// Where an insertion ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum End {
    #[default]
    OverflowList,
    EmptyBucket,
    /// The place of another element, which moves.
    PlaceOfAnother,
}

impl Answer {
    /// Whether the element gets a place.
    #[inline(always)]
    pub(super) fn stored(self) -> bool {
        self.end != End::OverflowList
    }

    /// Whether that is the place of another element, which moves.
    #[inline(always)]
    pub(super) fn moves(self) -> bool {
        self.end == End::PlaceOfAnother
    }
}

/// The answers of a rule to each combination of full buckets, among the choices of an element and those of the elements
/// that are in them. It is looked up without a branch, where one that follows the rule would be guessed wrong again and
/// again.
///
/// The combinations are numbered by bits: bit i says that choice i of the element is full, and
/// [`bit`](Self::bit) which one tells the same of a choice of the element in its way there.
///
/// There are far more combinations than answers: of each one only the number of its answer is kept, so that more of them fit
/// into the first caches.
#[derive(Debug, Clone)]
pub(super) struct Answers {
    /// The number of the answer to each combination.
    numbers: Vec<u8>,
    /// Apart from the table, which trials move about.
    answers: Box<[Answer; MOST]>,
}

/// Different answers of a rule at most, as many as a byte can number.
const MOST: usize = 1 << u8::BITS;

/// The buckets as a combination of bits has them. The element that arrives has choice i in bucket i, and the one in its
/// way there has that number; its choices are the buckets whose number is their bit.
struct Combination<B> {
    full: usize,
    bit: B,
    /// The sub-table that was last asked for.
    asked: usize,
}

impl<B: Fn(usize, usize) -> usize> View for Combination<B> {
    fn is_full(&self, bucket: u32) -> bool {
        self.full >> bucket & 1 == 1
    }

    fn occupant(&self, bucket: u32, _slot: usize) -> Option<u32> {
        self.is_full(bucket).then_some(bucket)
    }

    fn choice(&mut self, element: u32, level: usize) -> u32 {
        self.asked = level;
        (self.bit)(element as usize, level) as u32
    }
}

impl Answers {
    /// Asks a rule with `d` choices about all combinations of so many `bits`, of which `bit` tells the one of the choice of
    /// the element in choice i, its first argument, in sub-table j, its second.
    pub(super) fn of(
        rule: &mut impl MultilevelRule,
        d: usize,
        bits: u32,
        bit: impl Fn(usize, usize) -> usize + Copy,
    ) -> Self {
        let own: Vec<u32> = (0..d as u32).collect();
        let mut answer = |full| {
            let mut combination = Combination { full, bit, asked: 0 };
            let (target, accesses) = rule.target(&own, &mut combination);
            let found = Answer { accesses: accesses as u8, ..Answer::default() };
            match target {
                Target::Bucket(bucket) => {
                    Answer { end: End::EmptyBucket, level: bucket as u8, ..found }
                }
                // Rules stop at the first choice that will do.
                Target::PlaceOf { pushed, .. } => {
                    let to = combination.asked as u8;
                    Answer { end: End::PlaceOfAnother, level: pushed as u8, to, ..found }
                }
                Target::OverflowList => found,
            }
        };
        let mut different = Vec::new();
        let mut number_of = |answer: Answer| {
            let known = different.iter().position(|&other| other == answer);
            known.unwrap_or_else(|| {
                different.push(answer);
                different.len() - 1
            }) as u8
        };
        let numbers = (0..1 << bits).map(|full| number_of(answer(full))).collect();
        let mut answers = Box::new([Answer::default(); MOST]);
        // Four sub-tables, the most that there are, make 16 ways to a place, each after few numbers of accesses.
        answers[..different.len()].copy_from_slice(&different);
        Self { numbers, answers }
    }

    /// The answer to a combination.
    #[inline(always)]
    pub(super) fn to(&self, full: usize) -> Answer {
        self.answers[usize::from(self.numbers[full])]
    }
}
