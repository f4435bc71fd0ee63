//! What is asked of a table with chains: a point of an experiment, read and checked.

use std::ops::RangeInclusive;

use super::attack::Attack;
use super::params::{ATTACK, BUCKETS, CHOICES, QUERIES, Size};
use crate::case::Request;
use crate::hash::{Derivation, HashKind, HashSpec};
use crate::params::ParamError;

/// Among which buckets an element chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// One among all.
    One,
    /// Each among all.
    Random,
    /// Each in a sub-table of its own.
    Left,
}

impl Kind {
    /// Buckets among which each choice is made: a list of d numbers.
    ///
    /// # Errors
    /// Where the sub-tables would not be equal.
    pub(super) fn ranges(self, size: &Size, choices: u32) -> Result<Vec<u32>, ParamError> {
        match self {
            Self::One => Ok(vec![size.buckets]),
            Self::Random => Ok(vec![size.buckets; choices as usize]),
            Self::Left if size.buckets.is_multiple_of(choices) => {
                Ok(vec![size.buckets / choices; choices as usize])
            }
            Self::Left => {
                let reason = format!("{} buckets are no {choices} equal sub-tables", size.buckets);
                Err(ParamError::new(BUCKETS.name, reason))
            }
        }
    }

    /// The first bucket of each range.
    pub(super) fn firsts(self, ranges: &[u32]) -> Vec<u32> {
        let stride = |range: u32| if self == Self::Left { range } else { 0 };
        (0..).zip(ranges).map(|(j, &range)| j * stride(range)).collect()
    }
}

/// Standard deviations of a load up to which shares of buckets and laws of the greatest load are measured, and
/// elements beyond that.
const REACH: (f64, f64) = (4.0, 12.0);

/// A table with chains under a workload, with a hash function.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) kind: Kind,
    pub(super) size: Size,
    /// Buckets among which each choice is made.
    pub(super) ranges: Vec<u32>,
    pub(super) queries: u32,
    pub(super) attack: Option<Attack>,
    pub(super) hash: HashSpec,
}

impl Point {
    /// Reads the point of a scheme of this kind.
    ///
    /// # Errors
    /// The first parameter that cannot be used.
    pub(super) fn read(kind: Kind, request: &Request<'_>) -> Result<Self, ParamError> {
        let params = request.params;
        let size = Size::from_params(params)?;
        let choices = if kind == Kind::One { 1 } else { params.small(CHOICES.name)? };
        let ranges = kind.ranges(&size, choices)?;
        let widest = ranges.iter().max().copied().unwrap_or(0);
        let hash = HashSpec::from_params(request.hash, params, choices, (widest, BUCKETS.name))?;
        let queries = params.small(QUERIES.name)?;
        let keys = u64::from(size.elements) + u64::from(queries);
        let attack = match params.get(ATTACK.name) {
            Some(_) => Some(Attack::read(params, choices, keys)?),
            None => None,
        };
        Ok(Self { kind, size, ranges, queries, attack, hash })
    }

    /// Loads of which the share of buckets is measured: the same in every trial.
    pub(super) fn loads_measured(&self) -> RangeInclusive<u16> {
        let most = 2.0 * self.size.load() + 8.0;
        0..=most.min(255.0) as u16
    }

    /// Numbers of which it is measured whether the greatest load is above: from the least that is possible on.
    pub(super) fn maxima_measured(&self) -> RangeInclusive<u16> {
        let load = self.size.load();
        let most = load + REACH.0 * load.sqrt() + REACH.1;
        load.ceil().min(255.0) as u16..=most.min(255.0) as u16
    }

    /// Elements and absent keys.
    pub(super) fn keys(&self) -> u64 {
        u64::from(self.size.elements) + u64::from(self.queries)
    }

    /// Whether its keys are searched for under the function of the trial or another one.
    pub(super) fn searches(&self) -> bool {
        self.attack.is_some_and(Attack::searches)
    }

    /// Whether all choices of all elements are independent.
    pub(super) fn is_random(&self) -> bool {
        let independent = self.kind == Kind::One || self.hash.derivation() == Derivation::Seeds;
        self.hash.hash() == HashKind::Random && independent
    }
}
