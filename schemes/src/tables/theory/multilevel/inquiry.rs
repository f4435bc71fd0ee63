//! What an insertion rule asks about the buckets it looks at, and what it does.

use super::InsertionRule;
use super::sets::Sets;

/// The sequence of answers after this one, with "no" before "yes".
pub(super) fn next(mut answers: Vec<bool>) -> Option<Vec<bool>> {
    while answers.pop()? {}
    answers.push(true);
    Some(answers)
}

/// A bucket that somebody looks at: it is in the first `level` sets of its sub-table, and not in the
/// one after the first `below`.
#[derive(Debug)]
pub(super) struct Draw {
    pub(super) sub_table: usize,
    pub(super) level: usize,
    pub(super) below: usize,
}

/// Something that happens in an insertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    /// The bucket is asked about.
    Asked(Bucket),
    /// A state grows by one.
    Grows(usize),
}

/// A run of an insertion rule with given answers to its questions, and "no" to all further ones.
#[derive(Debug)]
pub(super) struct Inquiry<'a> {
    sets: &'a Sets,
    pub(super) answers: Vec<bool>,
    asked: usize,
    draws: Vec<Draw>,
    events: Vec<Event>,
}

/// What the probability of an outcome, or what it does, is made of.
#[derive(Debug)]
pub(super) enum Step {
    /// What is known of a bucket.
    Known(Draw),
    /// A state grows by one.
    Grows(usize),
}

/// A bucket in an [`Inquiry`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bucket(usize);

impl<'a> Inquiry<'a> {
    pub(super) fn new(sets: &'a Sets, answers: Vec<bool>) -> Self {
        Self { sets, answers, asked: 0, draws: Vec::new(), events: Vec::new() }
    }

    pub(super) fn insert(&mut self, rule: InsertionRule) {
        let stored = match rule {
            InsertionRule::Standard { .. } => self.standard(),
            InsertionRule::Conservative => self.conservative(),
            InsertionRule::SecondChance | InsertionRule::SecondChanceOfTwo => self.second_chance(),
            InsertionRule::ExtremeSecondChance => self.extreme_second_chance(),
        };
        if !stored {
            self.events.push(Event::Grows(self.sets.overflow()));
        }
    }

    /// What happened, in the order in which it did. All that is known of a bucket comes where it is
    /// asked about for the last time, so that what follows depends on nothing else that was asked.
    pub(super) fn steps(self) -> Vec<Step> {
        let mut draws: Vec<Option<Draw>> = self.draws.into_iter().map(Some).collect();
        let mut steps: Vec<Step> = self
            .events
            .iter()
            .rev()
            .filter_map(|event| match event {
                Event::Asked(Bucket(bucket)) => draws[*bucket].take().map(Step::Known),
                Event::Grows(state) => Some(Step::Grows(*state)),
            })
            .collect();
        steps.reverse();
        steps
    }

    /// Whether the bucket is in the first `level` sets of its sub-table.
    fn is_in(&mut self, Bucket(bucket): Bucket, level: usize) -> bool {
        let draw = &mut self.draws[bucket];
        if level <= draw.level || level > draw.below {
            return level <= draw.level;
        }
        if self.asked == self.answers.len() {
            self.answers.push(false);
        }
        let answer = self.answers[self.asked];
        self.asked += 1;
        self.events.push(Event::Asked(Bucket(bucket)));
        if answer {
            draw.level = level;
        } else {
            draw.below = level - 1;
        }
        answer
    }

    /// A bucket of `T_i` that is in the first `level − 1` sets is now in the next as well.
    fn grow(&mut self, i: usize, level: usize) {
        self.events.push(Event::Grows(self.sets.starts[i] + level - 1));
    }

    /// An element looks at its choice in `T_i` and is put there, unless it is full: then this is it.
    fn offer(&mut self, i: usize) -> Option<Bucket> {
        let below = self.sets.starts[i + 1] - self.sets.starts[i];
        self.draws.push(Draw { sub_table: i, level: 0, below });
        let bucket = Bucket(self.draws.len() - 1);
        let free = (1..=self.sets.bucket_size).find(|&level| !self.is_in(bucket, level));
        let Some(level) = free else { return Some(bucket) };
        self.grow(i, level);
        None
    }

    /// An element that is in the way looks at its choice in `T_i`, and is moved there if it can be.
    fn makes_way(&mut self, i: usize) -> bool {
        let moves = self.offer(i).is_none();
        if moves {
            self.events.push(Event::Grows(self.sets.moves()));
        }
        moves
    }

    fn standard(&mut self) -> bool {
        (0..self.sets.sub_tables()).any(|i| self.offer(i).is_none())
    }

    fn conservative(&mut self) -> bool {
        let d = self.sets.sub_tables();
        let mut choices = Vec::with_capacity(d);
        for i in 0..d {
            let Some(full) = self.offer(i) else { return true };
            choices.push(full);
        }
        let Some(bumped) = (0..d.saturating_sub(1)).find(|&i| !self.is_in(choices[i], 2)) else {
            return false;
        };
        self.grow(bumped, 2);
        (bumped + 1..d).any(|i| self.makes_way(i))
    }

    fn second_chance(&mut self) -> bool {
        let h = self.sets.bucket_size;
        if self.sets.sub_tables() == 0 {
            return false;
        }
        let Some(mut here) = self.offer(0) else { return true };
        for i in 1..self.sets.sub_tables() {
            let Some(next) = self.offer(i) else { return true };
            for level in h + 1..=2 * h {
                if !self.is_in(here, level) {
                    // Looked at, or replaced by the new element, which has found its choice full.
                    self.grow(i - 1, level);
                    if self.makes_way(i) {
                        return true;
                    }
                }
            }
            here = next;
        }
        false
    }

    fn extreme_second_chance(&mut self) -> bool {
        let mut choices = Vec::new();
        for j in 0..self.sets.sub_tables() {
            let Some(full) = self.offer(j) else { return true };
            for (i, &in_the_way) in choices.iter().enumerate() {
                let level = j - i + 1;
                if !self.is_in(in_the_way, level) {
                    self.grow(i, level);
                    if self.makes_way(j) {
                        return true;
                    }
                }
            }
            choices.push(full);
        }
        false
    }
}
