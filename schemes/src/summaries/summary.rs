//! What a summary is.

use std::fmt;

use super::{Asked, Census, Multilevel};
use crate::Rng;
use crate::hash::Source;
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};

/// One of the hash functions of a summary: independent of the others and of that of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hashing {
    /// Choices that an element makes with it.
    pub choices: u32,
    /// The greatest number of places among which one is made.
    pub places: u32,
    /// What those places are.
    pub are: &'static str,
}

/// What was found out by asking a summary, or by looking at it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answers {
    /// Elements of type 1, 2, .. d of which it tells another type; empty where there is no summary.
    pub failing: Vec<u32>,
    /// Absent keys that it was asked for.
    pub asked: u64,
    /// Those of them to which it said yes.
    pub positive: u64,
    /// Entries that were read in all look-ups of elements, and in all of absent keys; `None` where they are not counted.
    pub probes: Option<[u64; 2]>,
    /// What it would answer to other elements and keys.
    pub given: Option<Given>,
}

/// Probabilities given what the summary holds, where choices are independent and even: the mean of each over trials is
/// the probability itself, and it scatters far less than what is counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// Expected number of failing elements of type 1, 2, .. d.
    pub failing: Vec<f64>,
    /// Probability that some element fails.
    pub failure: f64,
    /// Probability that an absent key is a false positive; `None` where not all elements were inserted.
    pub false_positive: Option<f64>,
}

/// A summary of a multilevel table: which type each element is of.
///
/// It is filled in two ways of the same law. Where choices are drawn, elements are no more than their number in each
/// type, and only what can be seen in an answer is drawn. Where they have keys, they come one by one.
pub trait Summary: fmt::Debug + Clone + Send + Sync + Sized + 'static {
    /// Its entry in the reference.
    const INFO: SchemeInfo;

    /// What it keeps of elements with keys.
    type Store: Send;

    /// What a trial of drawn choices works in.
    type Drawn: Send;

    /// Reads and checks its parameters, beside those of the table that it is to summarise.
    ///
    /// # Errors
    /// The first parameter that is missing, out of its domain or impossible beside the others.
    fn from_params(params: &Params, table: &Multilevel) -> Result<Self, ParamError>;

    /// Its hash functions.
    fn hashes(&self) -> Vec<Hashing>;

    /// Bytes that it takes in fast memory for so many elements, the table of occupied buckets aside; `None` for no
    /// summary.
    fn bytes(&self, elements: u32) -> Option<u64>;

    /// Bytes of a [`Store`](Self::Store) or a [`Drawn`](Self::Drawn), whichever is larger, about.
    fn working_bytes(&self, elements: u32) -> u64;

    /// A store that holds nothing.
    fn store(&self) -> Self::Store;

    /// Makes it hold nothing again.
    fn clear(&self, store: &mut Self::Store);

    /// Inserts an element of this type, of which `sources` make choices: one for each of [`hashes`](Self::hashes).
    fn insert<S: Source>(&self, store: &mut Self::Store, own: u8, key: &[u8], sources: &mut [S]);

    /// The type that it tells of a key; 0 says that it is absent.
    fn look_up<S: Source>(&self, store: &Self::Store, key: &[u8], sources: &mut [S]) -> u8;

    /// What a full store says, given what it holds, of elements of these types with independent choices.
    fn given(&self, store: &Self::Store, census: &Census) -> Option<Given>;

    /// A workspace of trials of drawn choices.
    fn drawn(&self) -> Self::Drawn;

    /// Inserts elements of so many of each type into the empty summary, asks for each of them and for absent keys.
    fn ask_drawn(
        &self,
        drawn: &mut Self::Drawn,
        census: &Census,
        asked: &Asked,
        rng: &mut Rng,
    ) -> Answers;
}
