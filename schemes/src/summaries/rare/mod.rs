//! Crises and failures that no plain trial sees: trials of tables that can be taken up again.

mod arrival;
mod kept;
mod keyed;
mod score;
mod trial;

use self::keyed::KeyedTrial;
use self::score::Score;
use self::trial::FillTrial;
use super::metrics::{CRISIS_ELEMENTS, FAILING_ELEMENTS};
use super::theory::law::FillLaw;
use super::{Multilevel, Summary, TypeFilter};
use crate::hash::HashSpec;
use crate::metric::Metric;
use crate::prediction::{Outlook, Prediction};
use crate::rare::metrics::EVENT_PROBABILITY;
use crate::rare::{Event, MadeFor, NotRare, Rare};

/// Whether there are [`trials`] of an event: that more elements than that make a crisis, or that some element fails.
///
/// # Errors
/// For other events and those that cannot happen, and for failures of a summary in which elements do not fail for the
/// sake of those of later types.
pub(super) fn check<S: Summary>(table: &Multilevel, event: &Event) -> Result<(), NotRare> {
    is_counted::<S>(event)?;
    if event.metric == CRISIS_ELEMENTS && event.beyond >= table.elements().into() {
        let reason = format!("a crisis is of no more than the {} elements", table.elements());
        return Err(NotRare::new("beyond", reason));
    }
    Ok(())
}

fn is_counted<S: Summary>(event: &Event) -> Result<(), NotRare> {
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

/// Trials of an event, possible or not, of drawn choices or of keys. The hash function of the table is made for its keys,
/// and these are those of the summary.
///
/// # Errors
/// As [`check`], but for events that cannot happen.
pub(super) fn trials<S: Summary>(
    table: &Multilevel,
    summary: &S,
    (of, functions): (MadeFor, &[HashSpec]),
    event: &Event,
) -> Result<Box<dyn Rare>, NotRare> {
    is_counted::<S>(event)?;
    let beyond = (event.metric == CRISIS_ELEMENTS).then_some(event.beyond);
    if of.draws_choices() {
        let score = match beyond {
            Some(beyond) => Score::of_crisis(table, beyond),
            None => Score::of_failure(table, |own, later| summary.failure_chance(own, later)),
        };
        return Ok(Box::new(FillTrial::new(table, summary, score, beyond)));
    }
    Ok(Box::new(match beyond {
        Some(beyond) => KeyedTrial::of_crisis(table, of, beyond),
        None => KeyedTrial::of_failure(table, summary, of, functions),
    }))
}

/// Bytes that trials take beside a table and its summary, at most: of drawn choices for fills that are kept, of keys for
/// elements that may fail.
pub(super) fn most_bytes<S: Summary>(table: &Multilevel, summary: &S, draws_choices: bool) -> u64 {
    if draws_choices {
        return kept::MOST_BYTES as u64;
    }
    let filters = summary.type_filters();
    let cells = |own: &TypeFilter| {
        u64::from(own.places) * u64::from(if own.grouped { own.choices } else { 1 })
    };
    let choices = filters.iter().map(|own| own.choices).max().unwrap_or_default();
    let elements = u64::from(table.elements()) * keyed::bytes_per_element(choices);
    elements + filters.iter().map(cells).max().unwrap_or_default()
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
