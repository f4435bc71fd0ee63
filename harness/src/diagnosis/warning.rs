//! What a reader must know before trusting an answer.

use std::fmt;

use loadfactor_schemes::hash::{HashKind, HashSpec};

use super::cause::{SIZE, Setting};
use super::numerals::{exact_points, grouped, percent, times};
use super::split::Split;
use super::traffic::Traffic;
use crate::definition::Experiment;

/// Something that makes an answer less than it seems.
#[derive(Debug, Clone, PartialEq)]
pub enum Warning {
    /// Fewer keys than the table stores elements.
    FewKeys {
        /// Different keys.
        distinct: u64,
        /// Elements that are stored at a time.
        elements: u64,
        /// How often the trials without repeats go through the keys.
        passes: f64,
    },
    /// A trace that ends before the table has forgotten its begin.
    ShortTrace {
        /// Packets with a key.
        packets: u64,
        /// Elements that are stored at a time.
        elements: u64,
        /// How often a trial goes through the trace.
        passes: f64,
    },
    /// The same packets many times in a trial.
    ManyPasses(f64),
    /// Packets without a key, which are left out.
    LeftOut {
        /// Those.
        without_key: u64,
        /// Packets in all.
        packets: u64,
        /// The kind of key.
        kind: String,
        /// What they are, where that is known, the most frequent first.
        unread: Vec<(String, u64)>,
    },
    /// Choices of so few bits that some buckets are chosen more often than others.
    NarrowHash {
        /// The hash function.
        hash: String,
        /// Bits for a choice.
        bits: u32,
        /// Buckets of the table.
        buckets: u32,
        /// What that adds to the overflow fraction in theory, where that is known.
        added: Option<f64>,
    },
    /// Too few trials for errors that can be relied upon.
    FewTrials(u64),
    /// As captured, no more overflows than the model says, or chance explains it.
    NoDifference,
    /// Parts that are smaller than their errors.
    LostInErrors(Vec<String>),
}

/// Shares of a trace, in elements that are stored at a time, below which it is short: a key is stored for as many
/// arrivals on average, and one that is stored when the trace begins again is not recognised.
const SHORT: u64 = 5;
/// Passes from which packets are said to be the same ones.
const MANY_PASSES: f64 = 10.0;
/// Share of packets without a key from which it is said.
const LEFT_OUT: f64 = 0.1;
/// Hash values per bucket from which one more or less hardly matters to a bucket: each is within 5 %.
const MANY_VALUES: f64 = 20.0;
/// Trials below which a standard error is itself uncertain by a quarter and more.
const FEW_TRIALS: u64 = 10;

impl Warning {
    /// All that there is to say of an answer.
    pub(super) fn all(
        experiment: &Experiment,
        traffic: &Traffic,
        split: &Split,
        trials: u64,
    ) -> Vec<Self> {
        let of_trace = [of_length(traffic), left_out(traffic)];
        let of_hash = narrow_hash(experiment, traffic, split);
        let few = (trials < FEW_TRIALS).then_some(Warning::FewTrials(trials));
        of_trace.into_iter().chain([of_hash, few, of_errors(split)]).flatten().collect()
    }
}

fn of_length(traffic: &Traffic) -> Option<Warning> {
    let Traffic { with_key: packets, distinct, .. } = *traffic;
    let passes = traffic.passes();
    match traffic.elements {
        Some(elements) if distinct < elements => {
            Some(Warning::FewKeys { distinct, elements, passes: traffic.passes_of_distinct() })
        }
        Some(elements) if passes > 1.0 && packets < SHORT * elements => {
            Some(Warning::ShortTrace { packets, elements, passes })
        }
        _ => (passes >= MANY_PASSES).then_some(Warning::ManyPasses(passes)),
    }
}

fn left_out(traffic: &Traffic) -> Option<Warning> {
    let Traffic { packets, with_key, ref kind, ref unread, .. } = *traffic;
    let without_key = packets - with_key;
    (without_key as f64 >= LEFT_OUT * packets as f64).then(|| Warning::LeftOut {
        without_key,
        packets,
        kind: kind.clone(),
        unread: unread.clone(),
    })
}

fn narrow_hash(experiment: &Experiment, traffic: &Traffic, split: &Split) -> Option<Warning> {
    let point = experiment.points.get(Setting::AS_CAPTURED.index())?;
    let kind: HashKind = point.hash.parse().ok()?;
    let buckets = u32::try_from(traffic.buckets?).ok()?;
    let spec = HashSpec::from_params(kind, &point.params, 1, (buckets, "buckets")).ok()?;
    let values = 2_f64.powi(i32::try_from(spec.choice_bits()).ok()?);
    if spec.spread(buckets).is_none() || values >= MANY_VALUES * f64::from(buckets) {
        return None;
    }
    Some(Warning::NarrowHash {
        hash: point.hash.clone(),
        bits: spec.choice_bits(),
        buckets,
        added: split.model.and_then(|model| model.narrow),
    })
}

fn of_errors(split: &Split) -> Option<Warning> {
    if !split.difference.is_certain() {
        return Some(Warning::NoDifference);
    }
    let lost: Vec<String> = split.lost_in_their_errors().collect();
    (!lost.is_empty()).then_some(Warning::LostInErrors(lost))
}

impl Split {
    /// The parts that are smaller than their errors, by name.
    fn lost_in_their_errors(&self) -> impl Iterator<Item = String> {
        let parts = self.parts.iter().map(|part| (part.cause.to_string(), part.added));
        let size = self.size.map(|size| (SIZE.to_owned(), size.added));
        parts.chain(size).filter(|(_, added)| added.is_lost_in_its_error()).map(|(name, _)| name)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::FewKeys { distinct, elements, passes } => write!(
                f,
                "few keys: the table stores {} elements, and the trace has {} different keys. Trials with each key \
                 once go through these {} times, each time under new hash functions, as if they were other keys: \
                 what they measure is a table of different keys, which this trace cannot fill",
                grouped(*elements),
                grouped(*distinct),
                times(*passes)
            ),
            Warning::ShortTrace { packets, elements, passes } => write!(
                f,
                "short trace: a trial goes through its {} packets {} times, each time under new hash functions, \
                 and the table stores {} elements. A key that is still stored when the trace begins again is not \
                 recognised: repeated keys cost more than is shown",
                grouped(*packets),
                times(*passes),
                grouped(*elements)
            ),
            Warning::ManyPasses(passes) => write!(
                f,
                "a trial goes through the trace {} times, each time under new hash functions: the errors are \
                 those of this trace, and say nothing of another hour of the same link",
                times(*passes)
            ),
            Warning::LeftOut { without_key, packets, kind, unread } => {
                let share = percent(*without_key as f64 / *packets as f64);
                let without_key = grouped(*without_key);
                write!(f, "{without_key} packets ({share}) have no {kind} key and are left out")?;
                let mut kinds = unread.iter().take(3);
                kinds
                    .try_for_each(|(kind, packets)| write!(f, "; {} are {kind}", grouped(*packets)))
            }
            Warning::NarrowHash { hash, bits, buckets, added } => {
                write!(
                    f,
                    "narrow hash: {hash} gives {bits} bits for a choice, {} values for {} buckets, so that \
                     some buckets are chosen more often than others",
                    2_u64.checked_shl(bits - 1).map_or_else(String::new, grouped),
                    grouped((*buckets).into())
                )?;
                match added {
                    Some(added) => write!(f, ": {} points in theory", exact_points(*added)),
                    None => Ok(()),
                }
            }
            Warning::FewTrials(trials) => write!(
                f,
                "{trials} trials: the errors themselves are rough; --trials asks for more"
            ),
            Warning::NoDifference => write!(
                f,
                "the difference is no larger than chance makes it: there is nothing to split"
            ),
            Warning::LostInErrors(names) => write!(
                f,
                "smaller than the error, and marked with ?: {}. That it is small is known, not how small; four times as many \
                 --trials halve the errors",
                names.join(", ")
            ),
        }
    }
}
