//! What is done with a filter in a trial.

mod churn;
mod join;
mod kept;
mod membership;
mod multiset;
mod stream;

use crate::hash::{HashSpec, Source};
use crate::info::WorkloadInfo;
use crate::keys::{Arrivals, Seeds};
use crate::params::{ParamError, Params};

use super::{Filter, Join};
pub use multiset::Multiplicities;

use super::params::{
    DEVIATION, EXPONENT, MEMBERS, MULTIPLICITY, PACKETS, POSITIVES_LAW, QUERIES, ROUNDS,
    SPACE_BOUND, last_of_law,
};

/// The workloads, in the order of the reference.
pub(super) static WORKLOADS: &[&WorkloadInfo] =
    &[&membership::INFO, &churn::INFO, &stream::INFO, &multiset::INFO, &join::INFO];

/// What is done with a filter in a trial, with its lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Workload {
    /// n keys in, absent keys asked.
    Membership(Asked),
    /// n keys in, one after the other replaced by a new one, then all members and absent keys asked.
    Churn {
        /// What is asked at the end.
        asked: Asked,
        /// Elements that are replaced.
        rounds: u64,
    },
    /// Packets that are asked for, and inserted where they are absent.
    Stream {
        /// How many.
        packets: u32,
    },
    /// n keys in, each several times, then all of them and absent keys asked.
    Multiset {
        /// What is asked at the end.
        asked: Asked,
        /// How often each is inserted.
        multiplicities: Multiplicities,
    },
}

/// What a filter is asked, and what is to be known of its answers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Asked {
    /// Absent keys that it is asked for in a trial, q.
    pub queries: u64,
    /// Whether the keys of a trace are split in members and absent ones, each of which is as often asked for as
    /// it takes.
    pub split: bool,
    /// The greatest number of false positives of which the probability is measured.
    pub positives_law: Option<u16>,
    /// How far from its limit a rate counts as off.
    pub deviation: Option<f64>,
    /// Whether the least space of any set bounds its false positive rate.
    pub space_bound: bool,
    /// The join that it is asked for.
    pub join: Option<Join>,
}

/// What one trial counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Outcome {
    /// Elements that arrived.
    pub(super) arrived: u64,
    /// Those of them whose key an earlier one has.
    pub(super) repeated: u64,
    /// Absent keys that the filter was asked for.
    pub(super) asked: u64,
    /// Those of them to which it said yes.
    pub(super) positive: u64,
    /// Members to which it said no, where it was asked for all of them.
    pub(super) denied: Option<u64>,
    /// What it said of multiplicities, where it was asked for those of all members.
    pub(super) estimates: Option<Estimates>,
}

/// What a filter said of how often its members were inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Estimates {
    pub(super) members: u32,
    /// Members of which it said more.
    pub(super) wrong: u32,
    /// How much more, of all of them.
    pub(super) excess: u64,
}

impl Workload {
    /// Reads and checks the parameters of the workload of this name, for a filter of this type.
    pub(super) fn read<F: Filter>(
        info: &WorkloadInfo,
        params: &Params,
    ) -> Result<Self, ParamError> {
        match info.name {
            name if name == churn::INFO.name && !F::REMOVES => {
                let reason = "`churn` takes elements out of the filter, which this scheme cannot do; a scheme that can is `counting-bloom-filter`";
                Err(ParamError::new("kind", reason))
            }
            name if name == churn::INFO.name => {
                let rounds = params.integer(ROUNDS.name)?;
                Ok(Self::Churn { asked: Asked::from_params(params)?, rounds })
            }
            name if name == stream::INFO.name => {
                Ok(Self::Stream { packets: params.small(PACKETS.name)? })
            }
            name if name == multiset::INFO.name && !F::COUNTS => {
                let reason = "`multiset` asks how often elements were inserted, which this scheme cannot tell; a scheme that can is `spectral-bloom-filter`";
                Err(ParamError::new("kind", reason))
            }
            name if name == multiset::INFO.name => {
                let first = params.small(MULTIPLICITY.name)?;
                let exponent = params.number(EXPONENT.name)?;
                let multiplicities = Multiplicities { first, exponent };
                Ok(Self::Multiset { asked: Asked::from_params(params)?, multiplicities })
            }
            name if name == membership::INFO.name => {
                Ok(Self::Membership(Asked::from_params(params)?))
            }
            name if name == join::INFO.name => {
                let asked = Asked::from_params(params)?;
                Ok(Self::Membership(Asked { join: Some(Join::from_params(params)?), ..asked }))
            }
            name => Err(ParamError::new("kind", format!("no workload of filters is `{name}`"))),
        }
    }

    /// What the filter is asked.
    pub fn asked(&self) -> Asked {
        match *self {
            Self::Membership(asked) | Self::Churn { asked, .. } | Self::Multiset { asked, .. } => {
                asked
            }
            Self::Stream { packets } => Asked { queries: packets.into(), ..Asked::default() },
        }
    }

    /// Elements that arrive in a trial, of a filter of n.
    pub(super) fn arrivals(&self, elements: u32) -> u64 {
        match *self {
            Self::Membership(_) | Self::Stream { .. } | Self::Multiset { .. } => elements.into(),
            Self::Churn { rounds, .. } => u64::from(elements) + rounds,
        }
    }

    /// Different keys that a trace has to have, for a filter of n elements.
    pub(super) fn distinct_keys(&self, elements: u32) -> u64 {
        match *self {
            Self::Membership(asked) if asked.split => {
                u64::from(elements) + u64::from(asked.queries > 0)
            }
            Self::Multiset { .. } => elements.into(),
            Self::Membership(_) | Self::Churn { .. } | Self::Stream { .. } => 0,
        }
    }

    /// Keys whose choices are made or asked for in a trial.
    pub(super) fn keys(&self, elements: u32) -> f64 {
        let n = f64::from(elements);
        match *self {
            Self::Membership(asked) => n + asked.queries as f64,
            Self::Churn { asked, rounds } => 2.0 * (n + rounds as f64) + asked.queries as f64,
            Self::Stream { packets } => 2.0 * f64::from(packets),
            Self::Multiset { asked, multiplicities } => {
                n + multiplicities.sum(elements) as f64 + asked.queries as f64
            }
        }
    }

    /// Bytes of the choices that are kept beside the filter.
    pub(super) fn bytes(&self, elements: u32, choices: u32) -> u64 {
        let of_choices = 4 * u64::from(elements) * u64::from(choices);
        match self {
            Self::Churn { .. } => of_choices,
            Self::Multiset { multiplicities, .. } => of_choices + 4 * multiplicities.sum(elements),
            Self::Membership(_) | Self::Stream { .. } => 0,
        }
    }

    /// How many of so many elements can be inserted with so many insertions.
    pub(super) fn elements_of(&self, insertions: u64, elements: u32) -> u32 {
        match self {
            Self::Multiset { multiplicities, .. } => {
                multiplicities.elements_of(insertions, elements)
            }
            Self::Membership(_) | Self::Churn { .. } | Self::Stream { .. } => {
                u64::from(elements).min(insertions) as u32
            }
        }
    }

    /// The same with at most so many operations.
    pub(super) fn shortened(self, operations: u64) -> Self {
        let fewer = |asked: Asked| Asked { queries: asked.queries.min(operations.max(1)), ..asked };
        match self {
            Self::Membership(asked) => Self::Membership(fewer(asked)),
            Self::Churn { asked, rounds } => {
                Self::Churn { asked: fewer(asked), rounds: rounds.min(operations) }
            }
            Self::Multiset { asked, multiplicities } => {
                Self::Multiset { asked: fewer(asked), multiplicities }
            }
            Self::Stream { packets } => {
                Self::Stream { packets: u64::from(packets).min(operations) as u32 }
            }
        }
    }

    /// One trial, from a filter that holds nothing and arrivals that were begun.
    pub(super) fn run<F: Filter, S: Source, A: Arrivals>(
        &self,
        filter: &F,
        store: &mut F::Store,
        arrivals: &mut A,
        hash: &HashSpec,
        seeds: &Seeds,
    ) -> Outcome {
        let mut source = S::new(hash, seeds.hash);
        match *self {
            Self::Membership(asked) => {
                membership::run(filter, store, arrivals, &mut source, &asked)
            }
            Self::Churn { asked, rounds } => {
                let churn = churn::Churn { asked, rounds, choices: hash.choices() };
                churn.run(filter, store, arrivals, &mut source, seeds.departures)
            }
            Self::Stream { packets } => stream::run(filter, store, arrivals, &mut source, packets),
            Self::Multiset { asked, multiplicities } => {
                let of_trial = (&asked, hash.choices(), seeds.departures);
                multiplicities.run(filter, store, arrivals, &mut source, of_trial)
            }
        }
    }
}

impl Asked {
    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let given = |name: &str| params.get(name).is_some();
        let positives_law = last_of_law(&POSITIVES_LAW, params)?;
        let deviation = given(DEVIATION.name).then(|| params.number(DEVIATION.name)).transpose()?;
        let split = given(MEMBERS.name) && params.word(MEMBERS.name)? == "distinct";
        let space_bound = given(SPACE_BOUND.name) && params.flag(SPACE_BOUND.name)?;
        let queries = params.integer(QUERIES.name)?;
        Ok(Self { queries, split, positives_law, deviation, space_bound, join: None })
    }
}

/// The key that arrives as this element, and whether another stored element has it. A trace that is too short
/// is gone through again under the same hash functions.
fn arrive<A: Arrivals>(arrivals: &mut A, element: u32) -> (&[u8], bool) {
    if arrivals.left() == 0 {
        arrivals.next_pass();
    }
    arrivals.arrive(element)
}

/// Asks for absent keys: how many there were, and to how many of them the filter said yes.
fn ask<F: Filter, S: Source, A: Arrivals>(
    filter: &F,
    store: &F::Store,
    arrivals: &mut A,
    source: &mut S,
    wanted: &Asked,
) -> (u64, u64) {
    let (mut asked, mut positive, mut before_pass) = (0, 0, None);
    while asked < wanted.queries {
        match arrivals.stranger() {
            Some(key) => {
                positive += u64::from(filter.contains(store, source.element(key)));
                asked += 1;
            }
            None if wanted.split && before_pass != Some(asked) => {
                before_pass = Some(asked);
                arrivals.strangers_again();
            }
            None => break,
        }
    }
    (asked, positive)
}
