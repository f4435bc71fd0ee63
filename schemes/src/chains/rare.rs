//! Probabilities of long chains: fills that can be taken up again.

use super::chained::least_loaded;
use super::levels::Levels;
use super::point::{Kind, Point};
use crate::hash::{Choices as _, HashKind, HashSpec, RandomSource, Source as _};
use crate::keys::Seeds;
use crate::math::elementary::{exp_m1, ln_1p};
use crate::rare::score::{CERTAIN, CountScore};
use crate::rare::{Branch, Event, NotRare, Peak, Rare, Rise};
use crate::tables::metrics::MAX_LOAD;

/// Whether there are trials of the event and it can happen.
///
/// # Errors
/// For other events, hash functions that look at keys, keys that are built, and chains of more elements than there are.
pub(super) fn check(point: &Point, event: &Event) -> Result<(), NotRare> {
    if event.metric != MAX_LOAD {
        return Err(NotRare::not_counted(event, &[MAX_LOAD]));
    }
    if point.attack.is_some() {
        return Err(NotRare::nothing());
    }
    let kind = point.hash.hash();
    if kind != HashKind::Random {
        return Err(NotRare::hashed(kind.info().name));
    }
    if !point.is_random() {
        let reason =
            "how probable a long chain is at the next step is known for independent choices alone";
        return Err(NotRare::new("choices_from", reason));
    }
    let elements = point.size.elements;
    if (1..elements.into()).contains(&event.beyond) {
        return Ok(());
    }
    let reason = format!("the longest chain has 1 to {elements} elements, all that arrive");
    Err(NotRare::new("beyond", reason))
}

/// Trials of the event that some chain is longer. It is as probable at any time as at the end, as no chain ever becomes
/// shorter.
///
/// # Errors
/// As [`check`].
pub(super) fn trials(point: &Point, event: &Event) -> Result<Box<dyn Rare>, NotRare> {
    check(point, event)?;
    let load = point.size.load();
    let elements = u64::from(point.size.elements);
    let score = match point.kind {
        Kind::One => {
            Score::Longest(CountScore::new(event.beyond, elements, &[load, load / 2.0, 0.0]))
        }
        Kind::Random | Kind::Left => Score::Levels(Levels::new(point, event.beyond as u32)),
    };
    Ok(Box::new(FillTrial {
        firsts: point.kind.firsts(&point.ranges),
        ranges: point.ranges.clone(),
        hash: point.hash,
        elements,
        beyond: event.beyond as u32,
        loads: vec![0; point.size.buckets as usize],
        longest: vec![0; point.ranges.len()],
        ln_short: 0.0,
        one_range: point.kind != Kind::Left,
        own: vec![0; point.ranges.len()],
        score,
    }))
}

/// How close a trial is to the event.
enum Score {
    /// By the longest chain: the others of one choice do not matter to it.
    Longest(CountScore),
    /// By all long chains: an element is put into a long one only if all of its choices are long.
    Levels(Levels),
}

/// A fill in which no chain becomes too long: an element that would make one is drawn again, and what that was worth is
/// multiplied up. So the last step to the event is not left to chance.
struct FillTrial {
    firsts: Vec<u32>,
    ranges: Vec<u32>,
    hash: HashSpec,
    elements: u64,
    beyond: u32,
    loads: Vec<u32>,
    /// For each choice, buckets of its range whose chains must not grow.
    longest: Vec<u32>,
    /// The logarithm of the probability that the next element makes no chain too long.
    ln_short: f64,
    /// Whether all choices have one range.
    one_range: bool,
    /// The choices of an element.
    own: Vec<u32>,
    score: Score,
}

impl FillTrial {
    fn clear(&mut self) {
        self.loads.fill(0);
        self.longest.fill(0);
        self.ln_short = 0.0;
        if let Score::Levels(levels) = &mut self.score {
            levels.clear();
        }
    }

    /// The logarithm of the probability that the next element makes no chain too long: not all of its choices are among the
    /// longest.
    fn work_out_ln_short(&self) -> f64 {
        let all = self.longest.iter().zip(&self.ranges);
        let hazard = all.map(|(&longest, &range)| f64::from(longest) / f64::from(range)).product();
        ln_1p(-f64::min(hazard, 1.0))
    }

    /// Inserts an element that makes no chain too long; which of its choices took it, and how many elements that bucket
    /// then holds.
    #[inline]
    fn insert(&mut self, source: &mut RandomSource) -> (usize, u32) {
        let (choice, load) = loop {
            let mut choices = source.element(&[]);
            let ranges = self.firsts.iter().zip(&self.ranges);
            for (own, (first, &range)) in self.own.iter_mut().zip(ranges) {
                *own = first + choices.next(range);
            }
            let choice = least_loaded(&self.own, &self.loads);
            let load = &mut self.loads[self.own[choice] as usize];
            if *load < self.beyond {
                *load += 1;
                break (choice, *load);
            }
        };
        if load == self.beyond {
            let of_range = if self.one_range { 0..self.longest.len() } else { choice..choice + 1 };
            self.longest[of_range].iter_mut().for_each(|longest| *longest += 1);
            self.ln_short = self.work_out_ln_short();
        }
        (choice, load)
    }

    /// Looks at the score, where a chain that matters became longer.
    #[inline]
    fn look(&mut self, peak: &mut Peak<'_>, step: u64, choice: usize, load: u32) {
        match &mut self.score {
            Score::Longest(score) => peak.look_at(step, score.after(step, load.into())),
            Score::Levels(levels) => {
                levels.count(choice, load);
                if peak.is_below(levels.at_most())
                    && let Some(score) = levels.score((self.elements - step) as f64, load)
                {
                    peak.look_at(step, score);
                }
            }
        }
    }
}

impl Rare for FillTrial {
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        self.clear();
        let mut peak = Peak::new(rises);
        let mut ln_held = 0.0;
        for (i, branch) in history.iter().enumerate() {
            let end = history.get(i + 1).map_or(self.elements, |next| next.step);
            let mut source = RandomSource::new(&self.hash, Seeds::of(branch.seed, 0).hash);
            for step in branch.step..end {
                if self.ln_short == f64::NEG_INFINITY {
                    return 1.0;
                }
                ln_held += self.ln_short;
                let (choice, load) = self.insert(&mut source);
                self.look(&mut peak, step, choice, load);
            }
        }
        -exp_m1(ln_held)
    }

    fn target(&self) -> f64 {
        CERTAIN
    }
}

#[cfg(test)]
mod tests;
