//! Probabilities of long chains: fills that can be taken up again.

use super::chained::least_loaded;
use super::levels::Levels;
use super::point::{Kind, Point};
use crate::hash::{Choices as _, HashKind, HashSpec, RandomSource, Source as _};
use crate::keys::Seeds;
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
    let elements = point.size.elements;
    if event.beyond < elements.into() {
        return Ok(());
    }
    let reason = format!("no chain has more than the {elements} elements that arrive");
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
        beyond: event.beyond,
        loads: vec![0; point.size.buckets as usize],
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

struct FillTrial {
    firsts: Vec<u32>,
    ranges: Vec<u32>,
    hash: HashSpec,
    elements: u64,
    beyond: u64,
    loads: Vec<u32>,
    /// The choices of an element.
    own: Vec<u32>,
    score: Score,
}

impl FillTrial {
    fn clear(&mut self) {
        self.loads.fill(0);
        if let Score::Levels(levels) = &mut self.score {
            levels.clear();
        }
    }

    /// Inserts an element; which of its choices took it, and how many elements that bucket then holds.
    #[inline]
    fn insert(&mut self, source: &mut RandomSource) -> (usize, u32) {
        let mut choices = source.element(&[]);
        let ranges = self.firsts.iter().zip(&self.ranges);
        for (own, (first, &range)) in self.own.iter_mut().zip(ranges) {
            *own = first + choices.next(range);
        }
        let choice = least_loaded(&self.own, &self.loads);
        let load = &mut self.loads[self.own[choice] as usize];
        *load += 1;
        (choice, *load)
    }

    /// The score where a chain that matters became longer.
    #[inline]
    fn score(&mut self, step: u64, choice: usize, load: u32) -> Option<f64> {
        match &mut self.score {
            Score::Longest(score) => Some(score.after(step, load.into())),
            Score::Levels(levels) => {
                levels.count(choice, load);
                levels.score((self.elements - step) as f64, load)
            }
        }
    }
}

impl Rare for FillTrial {
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        self.clear();
        let mut peak = Peak::new(rises);
        for (i, branch) in history.iter().enumerate() {
            let end = history.get(i + 1).map_or(self.elements, |next| next.step);
            let mut source = RandomSource::new(&self.hash, Seeds::of(branch.seed, 0).hash);
            for step in branch.step..end {
                let (choice, load) = self.insert(&mut source);
                if u64::from(load) > self.beyond {
                    peak.look_at(step, CERTAIN);
                    return 1.0;
                }
                if let Some(score) = self.score(step, choice, load) {
                    peak.look_at(step, score);
                }
            }
        }
        0.0
    }

    fn target(&self) -> f64 {
        CERTAIN
    }
}

#[cfg(test)]
mod tests;
