//! A trial of a table that can be taken up again after any insertion or round.

use super::decay::Decay;
use super::pilots::Pilots;
use super::score::Score;
use super::steps::{Chance, Steps};
use crate::hash::HashSpec;
use crate::rare::score::{CERTAIN, CountScore};
use crate::rare::{Branch, Rare, Rise};
use crate::tables::Table;

/// Trials of one table.
pub(super) struct TableTrial<T> {
    pub(super) table: T,
    pub(super) steps: Steps,
    pub(super) hash: HashSpec,
    /// The length that is not yet the event.
    pub(super) beyond: u32,
    /// Whether the event counts at any time of the window.
    pub(super) ever: bool,
    /// Places that an element may have.
    pub(super) places: u32,
    pub(super) pilots: Pilots,
    /// Made when a trial first needs it.
    pub(super) score: Option<Score>,
}

impl<T: Table> TableTrial<T> {
    /// Whether the event has happened as soon as the list is that long.
    fn at_once(&self) -> bool {
        self.ever || (self.steps.fills() && !T::MOVES_BACK)
    }

    fn new_score(&mut self) -> Score {
        let Self { table, steps, hash, beyond, .. } = self;
        if steps.fills() {
            let left = Pilots::left(self.pilots.lengths(table, steps, hash), self.places);
            return Score::Filling(CountScore::new((*beyond).into(), steps.number, &left));
        }
        if self.ever {
            return Score::Ever;
        }
        let mean = Pilots::equilibrium(self.pilots.lengths(table, steps, hash));
        Score::AtEnd(Decay::new(*beyond, mean, steps))
    }
}

impl<T: Table> Rare for TableTrial<T> {
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        let score = match self.score.take() {
            Some(score) => score,
            None => self.new_score(),
        };
        let chance = self.follow(&score, history, rises);
        self.score = Some(score);
        chance
    }

    fn target(&self) -> f64 {
        match self.ever && !self.steps.fills() {
            true => f64::from(self.beyond) + 1.0,
            false => CERTAIN,
        }
    }
}

impl<T: Table> TableTrial<T> {
    fn follow(&mut self, score: &Score, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        let (at_once, window) = (self.at_once(), self.steps.window);
        self.steps.begin(&mut self.table);
        let mut length = self.table.overflow();
        let mut peak = f64::NEG_INFINITY;
        for (i, branch) in history.iter().enumerate() {
            let end = history.get(i + 1).map_or(self.steps.number, |next| next.step);
            let mut chance = Chance::new(&self.hash, branch.seed);
            for step in branch.step..end {
                self.steps.make(step, &mut self.table, &mut chance);
                let before = std::mem::replace(&mut length, self.table.overflow());
                // A list that is long when the window begins need not grow in it.
                if (length <= before && step != window) || (self.ever && step < window) {
                    continue;
                }
                let score = score.after(step, length);
                if score > peak {
                    peak = score;
                    rises.push(Rise { step, score });
                }
                if at_once && length > self.beyond {
                    return 1.0;
                }
            }
        }
        f64::from(u8::from(!at_once && length > self.beyond))
    }
}
