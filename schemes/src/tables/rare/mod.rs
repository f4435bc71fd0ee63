//! Probabilities of long overflow lists: trials of tables that can be taken up again.

mod decay;
mod kept;
pub(super) mod pilots;
mod score;
mod steps;
mod trial;
mod within;

use self::kept::Kept;
use self::steps::Steps;
use self::trial::TableTrial;
use self::within::Within;
use super::setup::Setup;
use super::trial::Rounds;
use super::workloads::Schedule;
use super::{Geometry, Scheme, Table, TableVisitor, metrics};
use crate::hash::HashKind;
use crate::prediction::Outlook;
use crate::rare::{Counted, Event, NotRare, Rare};

/// Trials of the event that more elements than that are on the overflow list.
///
/// # Errors
/// For other events and those that cannot happen, for hash functions that look at keys, and for workloads that are no sequence of rounds.
pub(super) fn trials<S: Scheme>(setup: &Setup<S>, event: &Event) -> Result<Box<dyn Rare>, NotRare> {
    Ok(setup.scheme.table(setup.process().has_departures(), AsRare(Made::new(setup, event)?)))
}

/// The same, with the length of the list in each of them, and a score that looks ahead to the window: when it begins, the
/// list may have grown for a while.
///
/// # Errors
/// As [`trials`].
pub(super) fn counted<S: Scheme>(
    setup: &Setup<S>,
    event: &Event,
) -> Result<Box<dyn Counted>, NotRare> {
    Ok(setup.scheme.table(setup.process().has_departures(), AsCounted(Made::new(setup, event)?)))
}

/// Whether there are such trials.
///
/// # Errors
/// As [`trials`].
pub(super) fn check<S: Scheme>(setup: &Setup<S>, event: &Event) -> Result<(), NotRare> {
    steps(setup, event).map(drop)
}

/// What a trial goes through.
///
/// # Errors
/// As [`trials`].
fn steps<S: Scheme>(setup: &Setup<S>, event: &Event) -> Result<Steps, NotRare> {
    let elements = setup.scheme.geometry().elements;
    let Schedule::Rounds(rounds) = setup.workload.schedule(elements, None) else {
        return Err(NotRare::nothing());
    };
    if event.metric != metrics::OVERFLOW_ELEMENTS {
        return Err(NotRare::not_counted(event, &[metrics::OVERFLOW_ELEMENTS]));
    }
    if event.beyond >= elements.into() {
        return Err(NotRare::new(
            "beyond",
            format!("no list is longer than the {elements} elements"),
        ));
    }
    if event.ever && matches!(rounds, Rounds::Moment { .. }) {
        return Err(NotRare::not_ever("the table is read at one moment"));
    }
    match setup.hash.hash() {
        HashKind::Random => Ok(Steps::new(elements, rounds)),
        other => Err(NotRare::hashed(other.info().name)),
    }
}

/// What theory says of the probability of such an event.
pub(super) fn outlook<S: Scheme>(setup: &Setup<S>, event: &Event) -> Outlook {
    let process = setup.process();
    // While elements leave, a list may have been longer than it is.
    let known = !event.ever || !process.has_departures();
    let beyond = u32::try_from(event.beyond).ok().filter(|_| known);
    let tail = beyond.map(|beyond| setup.scheme.overflow_tail(process, beyond));
    Outlook { predictions: tail.unwrap_or_default(), missing: None }
}

struct Made<'s, S> {
    steps: Steps,
    beyond: u32,
    ever: bool,
    setup: &'s Setup<S>,
}

impl<'s, S: Scheme> Made<'s, S> {
    /// # Errors
    /// As [`trials`].
    fn new(setup: &'s Setup<S>, event: &Event) -> Result<Self, NotRare> {
        let beyond = u32::try_from(event.beyond).unwrap_or(u32::MAX);
        Ok(Self { steps: steps(setup, event)?, beyond, ever: event.ever, setup })
    }

    fn of<T: Table>(self, table: T) -> TableTrial<T> {
        let Self { steps, beyond, ever, setup } = self;
        let Geometry { bucket_size, .. } = setup.scheme.geometry();
        let places = setup.scheme.choices() * u32::from(bucket_size);
        let (hash, pilots, score) = (setup.hash, setup.pilots.clone(), None);
        let begins = || Kept::new(Within::begin(&steps), steps.elements);
        let (kept, length) = ((ever && !steps.fills()).then(begins), 0);
        TableTrial { table, steps, hash, beyond, ever, places, pilots, score, kept, length }
    }
}

struct AsRare<'s, S>(Made<'s, S>);

impl<S: Scheme> TableVisitor for AsRare<'_, S> {
    type Output = Box<dyn Rare>;

    fn visit<T: Table>(self, table: T) -> Box<dyn Rare> {
        Box::new(self.0.of(table))
    }
}

struct AsCounted<'s, S>(Made<'s, S>);

impl<S: Scheme> TableVisitor for AsCounted<'_, S> {
    type Output = Box<dyn Counted>;

    fn visit<T: Table>(self, table: T) -> Box<dyn Counted> {
        Box::new(self.0.of(table))
    }
}

#[cfg(test)]
mod tests;
