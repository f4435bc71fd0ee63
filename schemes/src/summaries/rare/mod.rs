//! Crises and failures that no plain trial sees: trials of tables that can be taken up again.

mod kept;
mod score;
mod trial;

use self::score::Score;
use self::trial::FillTrial;
use super::metrics::{CRISIS_ELEMENTS, FAILING_ELEMENTS};
use super::theory::law::FillLaw;
use super::{Multilevel, Summary};
use crate::hash::{HashKind, HashSpec};
use crate::metric::Metric;
use crate::prediction::{Outlook, Prediction};
use crate::rare::metrics::EVENT_PROBABILITY;
use crate::rare::{Event, NotRare, Rare};

/// Whether there are [`trials`] of an event: that more elements than that make a crisis, or that some element fails.
///
/// # Errors
/// For other events and those that cannot happen, for failures of a summary in which elements do not fail for the sake
/// of those of later types, and for hash functions that look at keys.
pub(super) fn check<S: Summary>(
    table: &Multilevel,
    hash: &HashSpec,
    event: &Event,
) -> Result<(), NotRare> {
    is_counted::<S>(hash, event)?;
    if event.metric == CRISIS_ELEMENTS && event.beyond >= table.elements().into() {
        let reason = format!("a crisis is of no more than the {} elements", table.elements());
        return Err(NotRare::new("beyond", reason));
    }
    Ok(())
}

fn is_counted<S: Summary>(hash: &HashSpec, event: &Event) -> Result<(), NotRare> {
    let kind = hash.hash();
    if kind != HashKind::Random {
        return Err(NotRare::hashed(kind.info().name));
    }
    if event.ever {
        return Err(NotRare::not_ever(
            "elements only come: what a trial counts is greatest at its end",
        ));
    }
    let counted: &[Metric] = match S::FAILS_BY_LATER_TYPES {
        true => &[CRISIS_ELEMENTS, FAILING_ELEMENTS],
        false => &[CRISIS_ELEMENTS],
    };
    if !counted.contains(&event.metric) {
        return Err(NotRare::not_counted(event, counted));
    }
    if event.metric == FAILING_ELEMENTS && event.beyond > 0 {
        let reason = "only whether any element fails can be told: `beyond = 0`";
        return Err(NotRare::new("beyond", reason));
    }
    Ok(())
}

/// Trials of an event, possible or not.
///
/// # Errors
/// As [`check`], but for events that cannot happen.
pub(super) fn trials<S: Summary>(
    table: &Multilevel,
    summary: &S,
    hash: &HashSpec,
    event: &Event,
) -> Result<Box<dyn Rare>, NotRare> {
    is_counted::<S>(hash, event)?;
    let beyond = (event.metric == CRISIS_ELEMENTS).then_some(event.beyond);
    let score = match beyond {
        Some(beyond) => Score::of_crisis(table, beyond),
        None => Score::of_failure(table, |own, later| summary.failure_chance(own, later)),
    };
    Ok(Box::new(FillTrial::new(table, summary, score, beyond)))
}

/// Bytes that trials take for fills that they keep, at most.
pub(super) fn most_bytes() -> u64 {
    kept::MOST_BYTES as u64
}

/// What is known of the probability of a crisis of more elements than `beyond`.
pub(super) fn crisis_outlook(law: &FillLaw, beyond: u64) -> Outlook {
    let in_crisis = law.left_law(law.sub_tables());
    let probability = u32::try_from(beyond + 1).map_or(0.0, |least| in_crisis.at_least(least));
    let exact = Prediction::exact(EVENT_PROBABILITY, probability, "Section 4.11.3");
    Outlook { predictions: vec![exact], missing: None }
}

#[cfg(test)]
mod tests;
