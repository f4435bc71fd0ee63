//! A trial of a table that can be taken up again after any insertion or round.

use super::chance::Chance;
use super::kept::{Kept, State};
use super::pilots::Pilots;
use super::score::Score;
use super::steps::{Drawn, Steps};
use crate::rare::score::{CERTAIN, CountScore};
use crate::rare::{Before, Branch, Counted, MadeFor, Peak, Rare, Rise};
use crate::tables::Table;

/// Trials of one table.
pub(super) struct TableTrial<T, C> {
    pub(super) table: T,
    pub(super) steps: Steps,
    pub(super) of: MadeFor,
    /// The length that is not yet the event.
    pub(super) beyond: u32,
    /// Whether the event counts at any time of the window.
    pub(super) ever: bool,
    /// Places that an element may have.
    pub(super) places: u32,
    pub(super) pilots: Pilots,
    /// Made when a trial first needs it.
    pub(super) score: Option<Score>,
    /// What trials are like when the score of a list in equilibrium begins, and before their last branch.
    pub(super) kept: Kept<T, C>,
    /// The length that the last trial counted.
    pub(super) length: u32,
}

impl<T: Table, C: Chance> TableTrial<T, C> {
    /// Whether the event has happened as soon as the list is that long.
    fn at_once(&self) -> bool {
        self.ever || (self.steps.fills() && !T::MOVES_BACK)
    }

    fn new_score(&mut self) -> Score {
        let Self { table, steps, of, beyond, .. } = self;
        if steps.fills() {
            let lengths = self.pilots.lengths::<_, C>(table, steps, of);
            let left = Pilots::left(lengths, self.places);
            return Score::Filling(CountScore::new((*beyond).into(), steps.number, &left));
        }
        let mean = Pilots::equilibrium(self.pilots.lengths::<_, C>(table, steps, of));
        Score::in_equilibrium(*beyond, self.ever, mean, steps.clock())
    }
}

impl<T: Table, C: Chance> Rare for TableTrial<T, C> {
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

impl<T: Table, C: Chance> Counted for TableTrial<T, C> {
    fn beyond(&self) -> u64 {
        self.beyond.into()
    }

    fn count(&self) -> u64 {
        self.length.into()
    }
}

impl<T: Table, C: Chance> TableTrial<T, C> {
    /// The table as it is where a history begins to be followed.
    fn begun(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> Begun<C> {
        let Self { table, steps, of, kept, .. } = self;
        let seed = history.first().map_or(0, |branch| branch.seed);
        if let Some((branch, Before { state, rises: risen })) = kept.branched.furthest(history)
            && let Some(drawn) = state.drawn.copy()
        {
            table.clone_from(&state.table);
            rises.extend(risen);
            return Begun { branch, step: 0, drawn, longest: state.longest };
        }
        if let Some(at) = kept.at
            && at <= history.get(1).map_or(steps.number, |next| next.step)
        {
            let drawn = kept.reach(at, seed, table, steps, of);
            return Begun { branch: 0, step: at, drawn, longest: 0 };
        }
        steps.begin(table);
        Begun { branch: 0, step: 0, drawn: Drawn::new(of, seed), longest: 0 }
    }

    /// Keeps the trial as it is before the last branch.
    fn keep(&mut self, history: &[Branch], drawn: &Drawn<C>, rises: &[Rise], longest: u32) {
        let Self { table, kept, .. } = self;
        kept.branched.keep(history, rises, || {
            let drawn = drawn.copy()?;
            Some(State { table: table.clone(), drawn, longest })
        });
    }

    /// The length that counts: that at the end, or the greatest in the window, up to the event.
    fn follow(&mut self, score: &Score, history: &[Branch], rises: &mut Vec<Rise>) -> u32 {
        let (at_once, window) = (self.at_once(), self.steps.window);
        let scored = score.begin(&self.steps.clock());
        let Begun { branch: first, step: mut begun, mut drawn, mut longest } =
            self.begun(history, rises);
        let mut length = self.table.overflow();
        let mut peak = Peak::new(rises);
        for (i, branch) in history.iter().enumerate().skip(first) {
            let end = history.get(i + 1).map_or(self.steps.number, |next| next.step);
            if i > 0 {
                if i + 1 == history.len() && i > first {
                    self.keep(history, &drawn, peak.rises(), longest);
                }
                drawn.branch(&self.of, branch.seed);
                begun = branch.step;
            }
            for step in begun..end {
                self.steps.make(step, &mut self.table, &mut drawn);
                let before = std::mem::replace(&mut length, self.table.overflow());
                // A list that is long when the window, or the score, begins need not grow any more.
                let begins = step == window || step == scored;
                if (length <= before && !begins) || step < scored {
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

/// Where a trial begins to follow its history.
struct Begun<C> {
    /// The branch, by its place.
    branch: usize,
    /// The step, where that is the first branch.
    step: u64,
    drawn: Drawn<C>,
    /// The greatest length so far that counts.
    longest: u32,
}
