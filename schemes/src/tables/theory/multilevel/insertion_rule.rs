//! The insertion rules: which scheme each belongs to, and what is known of it.

use super::{
    Multilevel, conservative, extreme_second_chance, second_chance_of_two, standard,
    standard_alternation,
};
use crate::tables::theory::TheoryError;
use crate::tables::theory::second_chance;

/// How a multilevel table inserts an element: the six schemes of "The Power of One Move", of which Std
/// and Std2 are the same rule with different buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsertionRule {
    /// Into the first choice that is not full; Std, and Std2 with buckets of two (Sections 5.3 and 5.7).
    Standard {
        /// h.
        bucket_size: u8,
    },
    /// Cons, Section 5.4.
    Conservative,
    /// SC, Section 5.5.
    SecondChance,
    /// SCExt, Section 5.6.
    ExtremeSecondChance,
    /// SC2, Section 5.7.
    SecondChanceOfTwo,
}

impl InsertionRule {
    /// The rule by which the scheme of this name inserts into buckets of `bucket_size` elements; `None` where
    /// it has no such buckets, or there is no such scheme.
    pub fn of_scheme(scheme: &str, bucket_size: u8) -> Option<Self> {
        let rules = [
            Self::Standard { bucket_size },
            Self::Conservative,
            Self::SecondChance,
            Self::ExtremeSecondChance,
            Self::SecondChanceOfTwo,
        ];
        let is_asked = |rule: &Self| rule.scheme() == scheme && rule.bucket_size() == bucket_size;
        rules.into_iter().find(is_asked)
    }

    /// The name of the scheme that inserts by it.
    pub fn scheme(self) -> &'static str {
        match self {
            Self::Standard { .. } => "multiple",
            Self::Conservative => "conservative",
            Self::SecondChance | Self::SecondChanceOfTwo => "second-chance",
            Self::ExtremeSecondChance => "extreme-second-chance",
        }
    }

    /// h, the elements that fit in one bucket.
    pub fn bucket_size(self) -> u8 {
        match self {
            Self::Standard { bucket_size } => bucket_size,
            Self::SecondChanceOfTwo => 2,
            Self::Conservative | Self::SecondChance | Self::ExtremeSecondChance => 1,
        }
    }

    /// The fluid limit of a static fill of sub-tables with `sizes` buckets per element: at least one,
    /// each more than 0.
    ///
    /// # Errors
    /// [`TheoryError`] when the equations cannot be integrated.
    pub fn static_fill(self, sizes: &[f64]) -> Result<Multilevel, TheoryError> {
        match self {
            Self::Standard { bucket_size } => standard(sizes, bucket_size.into()),
            Self::Conservative => conservative(sizes),
            Self::SecondChance => second_chance::static_fill(sizes).map(Multilevel::from),
            Self::ExtremeSecondChance => extreme_second_chance(sizes),
            Self::SecondChanceOfTwo => second_chance_of_two(sizes),
        }
    }

    /// The fluid limit of alternation, `sizes` as in [`static_fill`](Self::static_fill); `None` where
    /// none is known.
    ///
    /// # Errors
    /// [`TheoryError`] when the equations cannot be integrated.
    pub fn alternation(self, sizes: &[f64]) -> Option<Result<Multilevel, TheoryError>> {
        match self {
            Self::Standard { bucket_size } => {
                Some(Ok(standard_alternation(sizes, bucket_size.into())))
            }
            Self::SecondChance => Some(second_chance::alternation(sizes).map(Multilevel::from)),
            Self::Conservative | Self::ExtremeSecondChance | Self::SecondChanceOfTwo => None,
        }
    }
}

impl From<second_chance::SecondChance> for Multilevel {
    fn from(limit: second_chance::SecondChance) -> Self {
        Self::single_slots([limit.overflow, limit.moves], &limit.occupancy)
    }
}
