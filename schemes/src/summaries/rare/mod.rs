//! Crises and failures that no plain trial sees: trials of tables that can be taken up again.

mod score;
mod trial;

use self::score::Score;
use self::trial::FillTrial;
use super::metrics::{CRISIS_ELEMENTS, FAILING_ELEMENTS};
use super::theory::law::FillLaw;
use super::{Multilevel, Summary};
use crate::hash::{HashKind, HashSpec};
use crate::prediction::{Outlook, Prediction};
use crate::rare::metrics::EVENT_PROBABILITY;
use crate::rare::{Event, NotRare, Rare};

/// Trials of the event that more elements than that make a crisis, or that some element fails.
///
/// # Errors
/// For other events, for failures of a summary in which elements do not fail for the sake of those of later types, and
/// for hash functions that look at keys.
pub(super) fn trials<S: Summary>(
    table: &Multilevel,
    summary: &S,
    hash: &HashSpec,
    event: &Event,
) -> Result<Box<dyn Rare>, NotRare> {
    let kind = hash.hash();
    if kind != HashKind::Random {
        return Err(NotRare::hashed(kind.info().name));
    }
    if event.ever {
        return Err(NotRare::not_ever(
            "elements only come: what a trial counts is greatest at its end",
        ));
    }
    let of_crisis = event.metric == CRISIS_ELEMENTS;
    let score = if of_crisis {
        Score::of_crisis(table, event.beyond)
    } else if !S::FAILS_BY_LATER_TYPES {
        return Err(NotRare::not_counted(event, &[CRISIS_ELEMENTS]));
    } else if event.metric != FAILING_ELEMENTS {
        return Err(NotRare::not_counted(event, &[CRISIS_ELEMENTS, FAILING_ELEMENTS]));
    } else if event.beyond > 0 {
        let reason = "only whether any element fails can be told: `beyond = 0`";
        return Err(NotRare::new("beyond", reason));
    } else {
        Score::of_failure(table, |own, later| summary.failure_chance(own, later))
    };
    let beyond = of_crisis.then_some(event.beyond);
    Ok(Box::new(FillTrial::new(table, summary, score, beyond)))
}

/// What is known of the probability of a crisis of more elements than `beyond`.
pub(super) fn crisis_outlook(law: &FillLaw, beyond: u64) -> Outlook {
    let in_crisis = law.left_law(law.sub_tables());
    let more = in_crisis.iter().filter(|(elements, _)| u64::from(*elements) > beyond);
    let probability = more.map(|(_, probability)| probability).sum();
    let exact = Prediction::exact(EVENT_PROBABILITY, probability, "Section 4.11.3");
    Outlook { predictions: vec![exact], missing: None }
}

#[cfg(test)]
mod tests;
