//! Probabilities of long overflow lists: trials of tables that can be taken up again.

mod backlog;
mod chance;
mod course;
mod decay;
mod kept;
pub(super) mod pilots;
mod score;
mod steps;
mod trial;
mod within;

use std::marker::PhantomData;

use self::chance::{Chance, DrawnChoices, HashedChoices};
use self::course::CourseTrial;
use self::decay::Decay;
use self::kept::Kept;
pub(super) use self::kept::MOST_BYTES;
use self::steps::Steps;
use self::trial::TableTrial;
use self::within::Within;
use super::setup::Setup;
use super::trial::Rounds;
use super::workloads::Schedule;
use super::workloads::course::Course;
use super::{Geometry, Process, Scheme, Table, TableVisitor, metrics};
use crate::prediction::Outlook;
use crate::rare::{Counted, Event, MadeFor, NotRare};

/// Trials of the event that more elements than that are on the overflow list, with the length of the list in each of
/// them. Where the event counts at any time of the window, the score looks ahead to the window: when it begins, the list
/// may have grown for a while.
///
/// # Errors
/// For other events and those that cannot happen, and for hash functions that look at the keys of a trace.
pub(super) fn counted<S: Scheme>(
    setup: &Setup<S>,
    event: &Event,
) -> Result<Box<dyn Counted>, NotRare> {
    Ok(setup.scheme.table(setup.process().has_departures(), Trials::new(setup, event)?))
}

/// Whether there are such trials.
///
/// # Errors
/// As [`counted`].
pub(super) fn check<S: Scheme>(setup: &Setup<S>, event: &Event) -> Result<(), NotRare> {
    Trials::new(setup, event).map(drop)
}

/// What theory says of the probability of such an event.
pub(super) fn outlook<S: Scheme>(setup: &Setup<S>, event: &Event) -> Outlook {
    let process = setup.process();
    // While elements leave, a list may have been longer than it is.
    let at_end = !event.ever || !process.has_departures();
    let even = setup.scheme.ranges().iter().all(|&range| setup.hash.spread(range).is_none());
    let known = at_end && even;
    let beyond = u32::try_from(event.beyond).ok().filter(|_| known);
    let tail = beyond.map(|beyond| setup.scheme.overflow_tail(process, beyond));
    Outlook { predictions: tail.unwrap_or_default(), missing: None }
}

/// What a trial goes through.
enum Path {
    Rounds(Steps),
    Course(Box<Course<'static>>),
}

/// Trials of an event, but for the table.
struct Trials<'s, S> {
    path: Path,
    of: MadeFor,
    beyond: u32,
    ever: bool,
    setup: &'s Setup<S>,
}

impl<'s, S: Scheme> Trials<'s, S> {
    /// # Errors
    /// As [`counted`].
    fn new(setup: &'s Setup<S>, event: &Event) -> Result<Self, NotRare> {
        let beyond = u32::try_from(event.beyond).unwrap_or(u32::MAX);
        let path = path(setup, event)?;
        Ok(Self {
            path,
            of: MadeFor::new(setup.hash, setup.made.as_ref())?,
            beyond,
            ever: event.ever,
            setup,
        })
    }

    fn with<T: Table, C: Chance>(self, table: T) -> Box<dyn Counted> {
        let Self { path, of, beyond, ever, setup } = self;
        let (pilots, score, length) = (setup.pilots.clone(), None, 0);
        match path {
            Path::Rounds(steps) => {
                let Geometry { elements, buckets, bucket_size } = setup.scheme.geometry();
                let places = setup.scheme.choices() * u32::from(bucket_size);
                let clock = steps.clock();
                let begin = if ever { Within::begin(&clock) } else { Decay::begin(&clock) };
                let footprint = setup.scheme.footprint();
                let bytes =
                    u64::from(elements) * footprint.element + u64::from(buckets) * footprint.bucket;
                let kept = Kept::<T, C>::new((!steps.fills()).then_some(begin), bytes);
                Box::new(TableTrial {
                    table,
                    steps,
                    of,
                    beyond,
                    ever,
                    places,
                    pilots,
                    score,
                    kept,
                    length,
                })
            }
            Path::Course(course) => {
                let chance = PhantomData::<fn() -> C>;
                Box::new(CourseTrial {
                    table,
                    course,
                    of,
                    beyond,
                    ever,
                    pilots,
                    score,
                    length,
                    chance,
                })
            }
        }
    }
}

impl<S: Scheme> TableVisitor for Trials<'_, S> {
    type Output = Box<dyn Counted>;

    fn visit<T: Table>(self, table: T) -> Box<dyn Counted> {
        match self.of.draws_choices() {
            true => self.with::<T, DrawnChoices>(table),
            false => self.with::<T, HashedChoices>(table),
        }
    }
}

/// # Errors
/// Where the event is none of these trials.
fn path<S: Scheme>(setup: &Setup<S>, event: &Event) -> Result<Path, NotRare> {
    let elements = setup.scheme.geometry().elements;
    let path = match setup.workload.schedule(elements, None) {
        Schedule::Rounds(Rounds::Moment { .. }) if event.ever => {
            return Err(NotRare::not_ever("the table is read at one moment"));
        }
        Schedule::Rounds(rounds) => Path::Rounds(Steps::new(elements, rounds)),
        Schedule::Course(course) => Path::Course(course),
    };
    if event.metric != metrics::OVERFLOW_ELEMENTS {
        return Err(NotRare::not_counted(event, &[metrics::OVERFLOW_ELEMENTS]));
    }
    let varies = matches!(setup.process(), Process::Open | Process::OnOff { .. });
    if !varies && event.beyond >= elements.into() {
        let reason = format!("no list is longer than the {elements} elements");
        return Err(NotRare::new("beyond", reason));
    }
    Ok(path)
}

#[cfg(test)]
mod tests;
