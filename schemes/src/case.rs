//! The seam between what is measured and who organises measuring: a family gives cases, the harness
//! plans, runs and reports them without knowing what they are.

use std::fmt;
use std::ops::Range;

use crate::aim::{Aim, NoOptimum, Optimum};
use crate::hash::HashKind;
use crate::info::{SchemeInfo, WorkloadInfo};
use crate::keys::{Attributes, KeySource};
use crate::metric::{Counts, Metric, Whole};
use crate::params::{ParamError, Params, Scalar};
use crate::prediction::{Events, Outlook};
use crate::rare::{Counted, Event, NotRare, Rare};
use crate::timed::{Operation, Timed, Untimed};

/// What a definition says of one point, its names resolved.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The scheme.
    pub scheme: &'static SchemeInfo,
    /// The workload, one of the same family.
    pub workload: &'static WorkloadInfo,
    /// The hash function.
    pub hash: HashKind,
    /// Every parameter of the three, defaults included.
    pub params: &'a Params,
}

/// What a trial takes, before it is run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Accesses to the structure, about, that of emptying and counting it included.
    pub operations: f64,
    /// Bytes of memory for each thread, the keys of a trace aside.
    pub bytes: u64,
}

/// A case several of whose trials take hardly longer than one.
#[derive(Debug)]
pub struct Lockstep {
    /// The case.
    pub case: Box<dyn Case>,
    /// Trials that go in lockstep.
    pub at_once: u64,
    /// Trials of a point from which on it is faster than one after the other.
    pub pays_from: u64,
}

/// A measured mean, where there is one.
pub type Means<'m> = &'m dyn Fn(Metric) -> Option<f64>;

/// A point that was read and checked: what its trials do and what theory says of them.
///
/// Its methods are called per batch or per point, never per element: the loops are inside.
pub trait Case: fmt::Debug + Send + Sync {
    /// What the seeds of its trials depend on beside the experiment's own. Cases with equal texts share
    /// their random numbers, so that differences between them are sharper than each alone.
    ///
    /// The numbers of every trial follow from it. It is part of the promise that a definition gives the
    /// same numbers for ever, so it is written out and never derived from names in the code.
    fn seed_text(&self) -> &str;

    /// How often the numbers of this case changed although nothing that a definition says did, as when its
    /// trials came to be made in another way: journals of an earlier revision are left alone.
    fn revision(&self) -> u32 {
        0
    }

    /// What a trial takes with these keys.
    fn cost(&self, keys: &KeySource) -> Cost;

    /// The same case with trials in lockstep, where that is possible with these keys. Its numbers are others.
    fn in_lockstep(&self, _keys: &KeySource) -> Option<Lockstep> {
        None
    }

    /// Whether batches must hold whole pairs of trials, as variances over trials are made of pairs.
    fn in_pairs(&self) -> bool {
        false
    }

    /// Elements that arrive in one trial; where chance decides, a number that hardly any exceeds.
    fn arrivals(&self) -> u64;

    /// Different keys that a trace has to have at least, where elements that share one are not what is asked for.
    fn distinct_keys(&self) -> u64 {
        0
    }

    /// Whether a trial is of one window of a trace, which is divided among the trials, and not of the whole.
    fn is_of_windows(&self) -> bool {
        false
    }

    /// What its trials take of the packets of a trace beside their keys: a trace is loaded with no more than its cases
    /// take.
    fn attributes(&self) -> Attributes {
        Attributes::default()
    }

    /// Refuses keys that lack what its trials take of them, beyond their number.
    ///
    /// # Errors
    /// The parameter that asks for what these keys do not have.
    fn check_keys(&self, _keys: &KeySource) -> Result<(), ParamError> {
        Ok(())
    }

    /// Runs these trials, one after the other. Each hands over its readings, of the same metrics in the
    /// same order. What a trial measures depends on `seed` and its number alone.
    fn run(&self, keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record);

    /// Everything that theory says. `measured` gives the means of what a prediction may rest on, such as
    /// a bound at the measured accesses; where nothing was measured, the predicted value stands in.
    fn outlook(&self, measured: Means<'_>) -> Outlook;

    /// Whether a trial looks at its structure once, at its end, so that it counts whole things.
    fn at_one_moment(&self) -> bool;

    /// How many there are of the things that metrics of its family count shares of, in one trial, by the
    /// name in [`Counts::ShareOf`]; `number` is that of a numbered metric. `None` where it does not count.
    fn number_of(&self, things: &str, number: u16, measured: Means<'_>) -> Option<f64>;

    /// The metric of which this one is a constant multiple in every trial, as a number of elements is of
    /// their share: what is said of both is one fact.
    fn multiple_of(&self, _metric: Metric) -> Option<Metric> {
        None
    }

    /// Derived quantities with a column of their own in front of the parameters, such as the number of
    /// elements of a table that is given by its load. Names and their order are those of the family.
    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)>;

    /// Where the point stands along an axis that the family names beside columns and parameters.
    fn place(&self, _axis: &str) -> Option<f64> {
        None
    }

    /// What distinguishes the curves of theory of this point from those of others, with the symbol of
    /// each quantity; the last one changes slowest.
    fn curve_parameters(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// The curve of theory of this name at x.
    fn curve(&self, _name: &str, _x: f64) -> Option<f64> {
        None
    }

    /// The best structure of this kind, with as many parts as this one has.
    ///
    /// # Errors
    /// Where the family does not compute it.
    fn optimum(&self, _aim: &Aim<'_>) -> Result<Optimum, NoOptimum> {
        Err(NoOptimum("nothing computes what is best for this scheme".to_owned()))
    }

    /// Metrics that a report shows in any case, given which were measured.
    fn always_shown(&self, _is_measured: &dyn Fn(Metric) -> bool) -> Vec<Metric> {
        Vec::new()
    }

    /// Its structure with real keys, to be timed: as many as a trial of this seed stores, all of them different, and
    /// as many absent ones as it asks for.
    ///
    /// # Errors
    /// Where there is nothing to time, as no key decides its choices or the source has too few different ones.
    fn timed(&self, _keys: &KeySource, _seed: u64) -> Result<Box<dyn Timed>, Untimed> {
        Err(Untimed::NO_STRUCTURE)
    }

    /// Bytes of that structure with its keys, about.
    ///
    /// # Errors
    /// Where there is nothing to time.
    fn timed_bytes(&self, _keys: &KeySource) -> Result<u64, Untimed> {
        Err(Untimed::NO_STRUCTURE)
    }

    /// Whether elements can be deleted from that structure.
    fn deletes(&self) -> bool {
        false
    }

    /// Whether this operation of that structure can be timed. What cannot be inserted one element after the other is
    /// filled without a clock.
    fn times(&self, operation: Operation) -> bool {
        operation != Operation::Delete || self.deletes()
    }

    /// Its trials for the probability of this event.
    ///
    /// # Errors
    /// Where the case does not count it, or cannot be taken up again.
    fn rare(&self, _event: &Event) -> Result<Box<dyn Rare>, NotRare> {
        Err(NotRare::nothing())
    }

    /// The same trials, with what each of them counted, aimed at the event as well as the family can.
    ///
    /// # Errors
    /// As [`rare`](Self::rare).
    fn counted(&self, _event: &Event) -> Result<Box<dyn Counted>, NotRare> {
        Err(NotRare::nothing())
    }

    /// Whether there are such trials and the event can happen in them, which a family may tell sooner than it makes
    /// them.
    ///
    /// # Errors
    /// As [`rare`](Self::rare), and for events that cannot happen.
    fn check_rare(&self, event: &Event) -> Result<(), NotRare> {
        self.rare(event).map(drop)
    }

    /// Whether what a trial of the workload reads of the event's metric is the count of the event, so that one tells
    /// whether it happened.
    fn reads_count(&self, _event: &Event) -> bool {
        false
    }

    /// [`revision`](Self::revision) of trials whose elements come one by one, as those of rare events do.
    fn revision_one_by_one(&self) -> u32 {
        self.revision()
    }

    /// What a trial takes whose elements come one by one.
    fn cost_one_by_one(&self, keys: &KeySource) -> Cost {
        self.cost(keys)
    }

    /// Bytes that they keep from one to the next, at most.
    fn rare_bytes(&self) -> u64 {
        0
    }

    /// What theory says of that probability.
    fn event_outlook(&self, _event: &Event) -> Outlook {
        Outlook::default()
    }

    /// The same with a shorter workload of at most about so many operations, to be timed.
    fn shortened(&self, operations: f64) -> Box<dyn Case>;
}

/// Takes the readings of trials.
pub trait Record {
    /// One metric's value in the present trial; `None` where there was nothing to measure.
    fn reading(&mut self, metric: Metric, value: Option<f64>);

    /// The trial is over.
    fn end_of_trial(&mut self);
}

/// What one trial's value of a metric counts in this case, for rare events; `None` where it is an
/// average of many or not known.
pub fn events(case: &dyn Case, metric: Metric, measured: Means<'_>) -> Option<Events> {
    let whole = |whole| match whole {
        Whole::Always => true,
        Whole::AtOneMoment => case.at_one_moment(),
        Whole::Never => false,
    };
    let (per_unit, whole, average) = match metric.info().counts {
        Counts::Nothing => return None,
        Counts::Ones(when) => (1.0, whole(when), false),
        Counts::HalvedSquares => (2.0, true, false),
        Counts::ShareOf(things, when) => {
            let number = metric.number().unwrap_or_default();
            (case.number_of(things, number, measured)?, whole(when), true)
        }
    };
    Some(Events { per_unit, whole, average })
}
