//! What a summary is.

use std::fmt;
use std::ops::RangeInclusive;

use super::theory::law::FillLaw;
use super::{Asked, Census, CounterUse, Multilevel};
use crate::Rng;
use crate::case::Record;
use crate::hash::Source;
use crate::info::SchemeInfo;
use crate::math::elementary::{exp_m1, ln_1p};
use crate::metric::Metric;
use crate::params::{ParamError, Params};
use crate::prediction::{Outlook, Prediction};

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

/// A filter of a summary with a hash function of its own, by which an element fails if all of its choices there are also
/// choices of elements of later types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeFilter {
    /// The number of its function among [`Summary::hashes`].
    pub function: usize,
    /// Types of the elements that may fail by it; those of types before them are not in it.
    pub types: RangeInclusive<u8>,
    /// Choices of an element.
    pub choices: u32,
    /// Places among which each of them is made.
    pub places: u32,
    /// Whether each choice has places of its own.
    pub grouped: bool,
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
    /// How far its counters counted, where it has some.
    pub counters: Option<CounterUse>,
}

impl Answers {
    /// What filters answered of which the first was asked for so many absent keys, and each other one for the elements
    /// of its type, by how many of these passed. No element of the last type fails.
    pub(super) fn of_filters(self, asked: u64, passing: &[u64]) -> Self {
        let (positive, of_types) =
            passing.split_first().map_or((0, passing), |(b_0, rest)| (*b_0, rest));
        let failing = of_types.iter().map(|&own| own as u32).chain([0]).collect();
        Self { failing, asked, positive, ..self }
    }
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

impl Given {
    /// Nothing known of so many types yet.
    pub(super) fn of_types(types: u8) -> Self {
        let failing = vec![0.0; usize::from(types)];
        Self { failing, failure: 0.0, false_positive: None }
    }
}

/// The probability that one of so many elements fails, each of which does with this probability.
pub(super) fn any_of(elements: u32, share: f64) -> f64 {
    // Where every element would fail, the logarithm of the share that does not is infinite.
    if elements == 0 { 0.0 } else { -exp_m1(f64::from(elements) * ln_1p(-share)) }
}

/// A summary of a multilevel table: which type each element is of.
///
/// It is filled in two ways of the same law. Where choices are drawn, elements are no more than their number in each
/// type, and only what can be seen in an answer is drawn. Where they have keys, they come one by one.
pub trait Summary: fmt::Debug + Clone + Send + Sync + Sized + 'static {
    /// Its entry in the reference.
    const INFO: SchemeInfo;

    /// Whether elements fail for the sake of those of later types alone, with [`failure_chance`](Self::failure_chance).
    const FAILS_BY_LATER_TYPES: bool = false;

    /// Whether it tells types: the table alone does not.
    const TELLS: bool = true;

    /// Whether elements can be taken out again.
    const REMOVES: bool = false;

    /// What is predicted of it and measured where choices are drawn, but not of elements with keys.
    const DRAWN_ALONE: &[Metric] = &[];

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

    /// Choices that a trial makes in it for an element of the table, about.
    fn choices_per_element(&self) -> u32 {
        self.hashes().iter().map(|own| own.choices).sum()
    }

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

    /// Takes an element out that was inserted as of this type. Not called unless [`Summary::REMOVES`].
    fn remove<S: Source>(
        &self,
        _store: &mut Self::Store,
        _own: u8,
        _key: &[u8],
        _sources: &mut [S],
    ) {
    }

    /// The type that it tells of a key; 0 says that it is absent.
    fn look_up<S: Source>(&self, store: &Self::Store, key: &[u8], sources: &mut [S]) -> u8;

    /// What a full store says, given what it holds, of elements of these types with independent choices, of which so
    /// many of each type were found to fail.
    fn given(&self, store: &Self::Store, census: &Census, failing: &[u32]) -> Option<Given>;

    /// How far the counters of a store counted, if it has any.
    fn counters(&self, _store: &Self::Store) -> Option<CounterUse> {
        None
    }

    /// What theory says of it beside a table of this law, with independent choices that fall on all places alike.
    fn predictions(&self, law: &FillLaw, asked: &Asked) -> Vec<Prediction>;

    /// What of it holds whichever elements are of which type, as where some were replaced.
    fn predictions_of_any_table(&self, _asked: &Asked) -> Vec<Prediction> {
        Vec::new()
    }

    /// Which of its predictions beside this table is not made as it would take too long.
    fn missing(&self, _law: &FillLaw) -> Option<String> {
        None
    }

    /// [`Case::revision`](crate::case::Case::revision).
    fn revision(&self) -> u32 {
        0
    }

    /// The probability, about, that an element of type `own` fails where so many elements are of later types. Not called
    /// unless [`FAILS_BY_LATER_TYPES`](Self::FAILS_BY_LATER_TYPES).
    fn failure_chance(&self, _own: u8, _later: u32) -> f64 {
        0.0
    }

    /// The filters by which elements fail. Empty unless [`FAILS_BY_LATER_TYPES`](Self::FAILS_BY_LATER_TYPES).
    fn type_filters(&self) -> Vec<TypeFilter> {
        Vec::new()
    }

    /// What theory says of the probability that any element fails.
    fn failure_outlook(&self, _law: &FillLaw) -> Outlook {
        Outlook::default()
    }

    /// Whether elements and absent keys are asked for; else a trial looks at its counters alone.
    fn is_asked(&self) -> bool {
        true
    }

    /// A workspace of trials of drawn choices.
    fn drawn(&self) -> Self::Drawn;

    /// Accesses that take about as long as the choices of so many elements that are drawn.
    fn operations_of_drawn(&self, elements: u32) -> f64 {
        f64::from(elements) * f64::from(self.choices_per_element()) / 4.0
    }

    /// Inserts elements of so many of each type into the empty summary, asks for each of them and for absent keys.
    fn ask_drawn(
        &self,
        drawn: &mut Self::Drawn,
        census: &Census,
        asked: &Asked,
        rng: &mut Rng,
    ) -> Answers;

    /// Hands over what of its own is to be measured in a trial.
    fn record(&self, _answers: &Answers, _out: &mut dyn Record) {}
}
