//! A trial of a table that can be taken up again after any insertion or round.

use super::decay::Decay;
use super::kept::Kept;
use super::pilots::Pilots;
use super::score::Score;
use super::steps::{Chance, Steps};
use super::within::Within;
use crate::hash::HashSpec;
use crate::rare::score::{CERTAIN, CountScore};
use crate::rare::{Branch, Counted, Peak, Rare, Rise};
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
    /// Where the score looks ahead to the window: what the table is like when it begins.
    pub(super) kept: Option<Kept<T>>,
    /// The length that the last trial counted.
    pub(super) length: u32,
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
        let mean = Pilots::equilibrium(self.pilots.lengths(table, steps, hash));
        match self.ever {
            true => Score::Within(Within::new(*beyond, mean, steps)),
            false => Score::AtEnd(Decay::new(*beyond, mean, steps)),
        }
    }
}

impl<T: Table> Rare for TableTrial<T> {
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        let score = match self.score.take() {
            Some(score) => score,
            None => self.new_score(),
        };
        self.length = self.follow(&score, history, rises);
        self.score = Some(score);
        f64::from(u8::from(self.length > self.beyond))
    }

    fn target(&self) -> f64 {
        CERTAIN
    }
}

impl<T: Table> Counted for TableTrial<T> {
    fn beyond(&self) -> u64 {
        self.beyond.into()
    }

    fn count(&self) -> u64 {
        self.length.into()
    }
}

impl<T: Table> TableTrial<T> {
    /// The table as it is before the step at which a history is followed, and what chance follows from.
    fn begun(&mut self, history: &[Branch]) -> (u64, Chance) {
        let Self { table, steps, hash, kept, .. } = self;
        let seed = history.first().map_or(0, |branch| branch.seed);
        let first_end = history.get(1).map_or(steps.number, |next| next.step);
        if let Some(kept) = kept.as_mut().filter(|kept| kept.at <= first_end) {
            return (kept.at, kept.reach(seed, table, steps, hash));
        }
        steps.begin(table);
        (0, Chance::new(hash, seed))
    }

    /// The length that counts: that at the end, or the greatest in the window, up to the event.
    fn follow(&mut self, score: &Score, history: &[Branch], rises: &mut Vec<Rise>) -> u32 {
        let (at_once, window) = (self.at_once(), self.steps.window);
        let scored = score.begin(&self.steps);
        let (mut begun, mut chance) = self.begun(history);
        let mut length = self.table.overflow();
        let (mut peak, mut longest) = (Peak::new(rises), 0);
        for (i, branch) in history.iter().enumerate() {
            let end = history.get(i + 1).map_or(self.steps.number, |next| next.step);
            if i > 0 {
                (begun, chance) = (branch.step, Chance::new(&self.hash, branch.seed));
            }
            for step in begun..end {
                self.steps.make(step, &mut self.table, &mut chance);
                let before = std::mem::replace(&mut length, self.table.overflow());
                // A list that is long when the window begins need not grow in it.
                if (length <= before && step != window) || step < scored {
                    continue;
                }
                peak.look_at(step, score.after(step, length));
                if at_once && step >= window {
                    longest = longest.max(length);
                    if length > self.beyond {
                        return length;
                    }
                }
            }
        }
        if at_once { longest } else { length }
    }
}
