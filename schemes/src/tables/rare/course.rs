//! A trial of a table that follows a course and can be taken up again after any event of it.

use std::marker::PhantomData;

use super::backlog::Backlog;
use super::chance::Chance;
use super::pilots::{LIFETIMES, Pilots};
use super::score::Score;
use crate::keys::Seeds;
use crate::rare::score::CERTAIN;
use crate::rare::{Branch, Counted, MadeFor, Peak, Rare, Rise};
use crate::tables::Table;
use crate::tables::workloads::course::{Course, Step};

/// Ticks of a pilot trial at least.
const PILOT_TICKS: u64 = 10_000;

/// Trials of one table. Their steps are the events of the course: a slot, or an arrival or departure with what it brings.
pub(super) struct CourseTrial<T, C> {
    pub(super) table: T,
    pub(super) course: Box<Course<'static>>,
    pub(super) of: MadeFor,
    /// The length that is not yet the event.
    pub(super) beyond: u32,
    /// Whether the event counts at any time of the window.
    pub(super) ever: bool,
    pub(super) pilots: Pilots,
    /// Made when a trial first needs it.
    pub(super) score: Option<Score>,
    /// The length that the last trial counted.
    pub(super) length: u32,
    pub(super) chance: PhantomData<fn() -> C>,
}

impl<T: Table, C: Chance> Rare for CourseTrial<T, C> {
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

impl<T: Table, C: Chance> Counted for CourseTrial<T, C> {
    fn beyond(&self) -> u64 {
        self.beyond.into()
    }

    fn count(&self) -> u64 {
        self.length.into()
    }
}

impl<T: Table, C: Chance> CourseTrial<T, C> {
    fn new_score(&mut self) -> Score {
        let mean = self.pilots.clone().mean(|seed| self.mean_length(seed));
        let (clock, queue) = (self.course.clock(), self.course.queue());
        match queue {
            Some(queue) => Score::Queued(Backlog::new(self.beyond, self.ever, mean, queue, clock)),
            None => Score::in_equilibrium(self.beyond, self.ever, mean, clock),
        }
    }

    /// The mean length in the second half of a pilot trial.
    fn mean_length(&mut self, seed: u64) -> f64 {
        let clock = self.course.clock();
        let most = (f64::from(LIFETIMES) * clock.lifetime) as u64;
        let end = most.max(PILOT_TICKS).min(clock.number);
        let mut chance = self.begin(seed);
        let (mut sum, mut events) = (0.0, 0_u32);
        while self.course.advance() && self.course.tick() < end {
            self.make(&mut chance);
            if self.course.tick() >= end / 2 {
                sum += f64::from(self.table.overflow());
                events += 1;
            }
        }
        sum / f64::from(events.max(1))
    }

    /// Begins a trial with an empty table.
    fn begin(&mut self, seed: u64) -> C {
        let seeds = Seeds::of(seed, 0);
        self.table.clear();
        self.course.begin(&seeds);
        C::new(&self.of, &seeds)
    }

    /// What follows from the last branch on follows from its seed.
    fn branch(&mut self, seed: u64, chance: &mut C) {
        let seeds = Seeds::of(seed, 0);
        self.course.branch(&seeds);
        chance.branch(&self.of, &seeds);
    }

    /// Makes the steps of an event; the greatest length that was read meanwhile.
    fn make(&mut self, chance: &mut C) -> u32 {
        let Self { table, course, .. } = self;
        let mut longest = 0;
        while let Some(step) = course.next_of_event() {
            match step {
                Step::Insert(element) => {
                    if let Some(room) = course.more_room(element) {
                        table.reserve(room);
                        chance.reserve(room);
                    }
                    chance.insert(element, table);
                }
                Step::Delete(element) => {
                    table.delete(element);
                    chance.depart(element);
                }
                Step::Read(_) => longest = longest.max(table.overflow()),
                Step::Measure => {}
            }
        }
        longest
    }

    /// The length that counts: that at the end, or the greatest that was read in the window, up to the event.
    fn follow(&mut self, score: &Score, history: &[Branch], rises: &mut Vec<Rise>) -> u32 {
        let clock = self.course.clock();
        let scored = score.begin(&clock);
        let mut chance = self.begin(history.first().map_or(0, |branch| branch.seed));
        let (mut peak, mut longest, mut event) = (Peak::new(rises), 0, 0);
        let (mut length, mut tick) = (0, 0);
        for (i, branch) in history.iter().enumerate() {
            let end = history.get(i + 1).map_or(u64::MAX, |next| next.step);
            if i > 0 {
                self.branch(branch.seed, &mut chance);
            }
            while event < end && self.course.advance() {
                longest = longest.max(self.make(&mut chance));
                if self.ever && longest > self.beyond {
                    return longest;
                }
                let before = std::mem::replace(&mut length, self.table.overflow());
                let earlier = std::mem::replace(&mut tick, self.course.tick());
                // A list that is long when the window begins need not grow in it.
                let enters = earlier < clock.window && tick >= clock.window;
                if (length > before || enters) && tick >= scored {
                    peak.look_at(event, score.after(tick, length));
                }
                event += 1;
            }
        }
        if self.ever { longest } else { length }
    }
}
