//! Trials of elements with keys that can be taken up again, for the probability of a crisis or of a failure.
//!
//! The elements come one after the other, each with a key that is drawn, under the hash function that the trial began
//! with: what is fresh after a branch is the keys that follow. An element that finds several buckets taken would raise
//! the score at once by a factor that few particles survive, so its way through the sub-tables becomes known
//! [question by question](table), and a branch in the middle of it draws keys until one has the same answers up to there.
//!
//! The functions of a summary are independent of that of the table, so that when all elements have their types these
//! [functions](filters) are fresh chance.

mod filters;
mod functions;
mod newcomers;
mod score;
mod table;

use std::ops::Range;

use self::filters::Filters;
use self::newcomers::Newcomers;
use self::score::{Flight, Score};
use self::table::{QUESTIONS, Table, Walk};
use crate::hash::HashSpec;
use crate::keys::{MADE_KEY_BYTES, Seeds};
use crate::rare::score::CERTAIN;
use crate::rare::{Branch, MadeFor, Peak, Rare, Rise};
use crate::summaries::members::{Members, NOWHERE};
use crate::summaries::{Multilevel, Summary};

/// Keys that a branch in the middle of an element is expected to draw at most. Where it would be more, no score is
/// looked at, so that there are no such branches.
const MOST_KEYS: f64 = 1e5;

/// Bytes that a trial takes beside its keys for each element: of its candidates with their open places.
pub(super) fn bytes_per_element(choices: u32) -> u64 {
    Filters::bytes_per_candidate(choices)
}

/// Trials of a table with keys, and of its summary where the event is a failure.
pub(super) struct KeyedTrial {
    elements: u32,
    /// The event is a crisis of more elements than that; where there is none, it is that an element fails.
    beyond: Option<u64>,
    /// Whether each key is drawn, so that another one may take its place.
    draws_keys: bool,
    newcomers: Box<dyn Newcomers>,
    table: Table,
    score: Score,
    members: Members,
    filters: Filters,
    key: [u8; MADE_KEY_BYTES],
}

impl KeyedTrial {
    /// Of a crisis of more elements than that.
    pub(super) fn of_crisis(table: &Multilevel, of: MadeFor, beyond: u64) -> Self {
        Self::new(table, of, Score::of_crisis(table, beyond), Some(beyond), Filters::none())
    }

    /// Of the failure of an element; the hash functions of the summary are these.
    pub(super) fn of_failure<S: Summary>(
        table: &Multilevel,
        summary: &S,
        of: MadeFor,
        functions: &[HashSpec],
    ) -> Self {
        let score = Score::of_failure(table, |own, later| summary.failure_chance(own, later));
        let filters = Filters::new(summary.type_filters(), functions);
        Self::new(table, of, score, None, filters)
    }

    fn new(
        table: &Multilevel,
        of: MadeFor,
        score: Score,
        beyond: Option<u64>,
        filters: Filters,
    ) -> Self {
        Self {
            elements: table.elements(),
            beyond,
            draws_keys: of.keys.are_drawn(),
            newcomers: newcomers::of(&of),
            table: Table::new(table),
            score,
            members: Members::new(MADE_KEY_BYTES),
            filters,
            key: [0; MADE_KEY_BYTES],
        }
    }

    /// An element comes, and what becomes of it is known question by question.
    fn arrive(&mut self, element: u32, branches: &mut Branches<'_>, peak: &mut Peak<'_>) {
        let first = first_step(element);
        if branches.reach(first) {
            self.newcomers.follow(&Seeds::of(branches.seed, 0), element == 0);
        }
        let mut known = 0;
        loop {
            let walk = self.draw(known);
            let branch = branches.next_before(first_step(element + 1));
            let until = branch.map_or(QUESTIONS, |step| (step - first) as u32);
            if self.draws_keys {
                self.look_at_answers(element, known..until.min(walk.answered), peak);
            }
            let Some(step) = branch else { return self.settle(element, &walk, peak) };
            branches.reach(step);
            self.newcomers.follow(&Seeds::of(branches.seed, 0), false);
            known = until;
        }
    }

    /// The next key whose answers to so many questions are yes.
    fn draw(&mut self, known: u32) -> Walk {
        let Self { newcomers, table, key: kept, .. } = self;
        loop {
            let mut walk = Walk::default();
            newcomers.next(&mut |key, choices| {
                walk = table.walk(choices);
                kept.copy_from_slice(key);
            });
            if walk.answered >= known {
                return walk;
            }
        }
    }

    /// The scores after the answers to these questions, each of which is yes.
    fn look_at_answers(&self, element: u32, questions: Range<u32>, peak: &mut Peak<'_>) {
        if questions.is_empty() {
            return;
        }
        let filled = self.table.filled(self.elements - element - 1);
        for answer in self.table.answers(questions) {
            if answer.share * MOST_KEYS >= 1.0 {
                let flight = Flight { sub_table: answer.sub_table, taken: answer.taken };
                let step = first_step(element) + u64::from(answer.question);
                peak.look_at(step, self.score.after(&filled, Some(flight)));
            }
        }
    }

    /// The element takes its bucket.
    fn settle(&mut self, element: u32, walk: &Walk, peak: &mut Peak<'_>) {
        self.table.take(walk);
        if self.beyond.is_none() {
            let own = walk.place.map_or(self.table.types(), |place| place.sub_table as u8 + 1);
            self.members.put(element, &self.key, own, NOWHERE);
        }
        // An element that the first sub-table takes makes no event more likely.
        if walk.place.is_none_or(|place| place.sub_table > 0) {
            let filled = self.table.filled(self.elements - element - 1);
            peak.look_at(first_step(element + 1) - 1, self.score.after(&filled, None));
        }
    }
}

fn first_step(element: u32) -> u64 {
    u64::from(element) * u64::from(QUESTIONS)
}

impl Rare for KeyedTrial {
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        self.table.clear();
        self.members.clear();
        let (mut branches, mut peak) = (Branches::new(history), Peak::new(rises));
        for element in 0..self.elements {
            self.arrive(element, &mut branches, &mut peak);
            if self.beyond.is_some_and(|beyond| u64::from(self.table.crisis()) > beyond) {
                return 1.0;
            }
        }
        let Self { filters, members, table, score, .. } = self;
        let fails = filters.fail(
            (members, &table.filled(0)),
            (score, &mut peak),
            (first_step(self.elements), &mut branches),
        );
        f64::from(u8::from(fails))
    }

    fn target(&self) -> f64 {
        CERTAIN
    }
}

/// The branches of a history, followed step by step.
struct Branches<'h> {
    rest: &'h [Branch],
    /// What chance follows from.
    seed: u64,
}

impl<'h> Branches<'h> {
    fn new(history: &'h [Branch]) -> Self {
        Self { rest: history, seed: 0 }
    }

    /// Goes on to a step; whether chance follows from another seed now.
    fn reach(&mut self, step: u64) -> bool {
        let passed = self.rest.partition_point(|branch| branch.step <= step);
        if let Some(last) = passed.checked_sub(1) {
            self.seed = self.rest[last].seed;
        }
        self.rest = &self.rest[passed..];
        passed > 0
    }

    /// The step of the next branch, where that is before this one.
    fn next_before(&self, step: u64) -> Option<u64> {
        self.rest.first().map(|branch| branch.step).filter(|&next| next < step)
    }
}

#[cfg(test)]
mod tests;
