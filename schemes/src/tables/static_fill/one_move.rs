//! Second chance and extreme second chance: the elements in the way may move to the sub-table that an
//! element comes to next.
//!
//! `seen` marks the elements of a bucket whose choice in the next sub-table was found full. Nothing is
//! deleted, so it stays full, and they need not be asked again. An element that replaces a moved one was
//! itself just found stuck there, so it inherits the mark: marks are only added.
//!
//! An element in the way that has no mark has not been asked for this sub-table, so that its choice is
//! drawn then. Choices are drawn for all of them in advance, used or not: to draw is cheaper than to
//! branch.

use super::{CHUNK, Filled, Level, StaticFill, put};
use crate::Rng;

impl StaticFill {
    /// Second chance with buckets of H: those in the way in the sub-table just before may move.
    pub(super) fn next_level<const H: usize>(&mut self, rng: &mut Rng) -> Filled {
        let mut filled = Filled { accesses: self.elements.into(), ..Filled::default() };
        let Some((first, _)) = self.levels.split_first_mut() else { return filled };
        filled.overflow = first.open::<H>(rng);
        for i in 1..self.levels.len() {
            let [before, level] = &mut self.levels[i - 1..=i] else { return filled };
            level.pass::<1, H>([before], &mut filled, rng);
        }
        filled
    }

    /// Extreme second chance: those in the way in all earlier sub-tables may move.
    pub(super) fn first_level(&mut self, rng: &mut Rng) -> Filled {
        let mut filled = Filled { accesses: self.elements.into(), ..Filled::default() };
        let Some((first, _)) = self.levels.split_first_mut() else { return filled };
        filled.overflow = first.open::<1>(rng);
        for i in 1..self.levels.len() {
            let (before, [level, ..]) = self.levels.split_at_mut(i) else { return filled };
            // Marks speak of one sub-table; for this one nobody has been asked yet.
            before.iter_mut().for_each(|before| before.seen.fill(0));
            level.pass_after(before, &mut filled, rng);
        }
        filled
    }
}

impl Level {
    fn pass_after(&mut self, before: &mut [Level], filled: &mut Filled, rng: &mut Rng) {
        match before {
            [] => {}
            [a] => self.pass::<1, 1>([a], filled, rng),
            [a, b] => self.pass::<2, 1>([a, b], filled, rng),
            [a, b, c] => self.pass::<3, 1>([a, b, c], filled, rng),
            [a, b, c, d] => self.pass::<4, 1>([a, b, c, d], filled, rng),
            [a, b, c, d, e] => self.pass::<5, 1>([a, b, c, d, e], filled, rng),
            [a, b, c, d, e, f] => self.pass::<6, 1>([a, b, c, d, e, f], filled, rng),
            [a, b, c, d, e, f, g, ..] => self.pass::<7, 1>([a, b, c, d, e, f, g], filled, rng),
        }
    }

    /// Takes the elements that are not stored yet to this sub-table, in order of arrival. Those in
    /// their way in the sub-tables `before` may move here.
    ///
    /// `stuck` is 1 until the element has a place. All that it does once it has is multiplied by 0, as its
    /// end cannot be predicted. The choices of elements that go on are moved up to the front of their rows;
    /// those of the others are overwritten by the next.
    fn pass<const W: usize, const H: usize>(
        &mut self,
        before: [&mut Level; W],
        filled: &mut Filled,
        rng: &mut Rng,
    ) {
        let arriving = filled.overflow as usize;
        let Self { uniform, counts, passed: own, .. } = self;
        let (counts, own) = (&mut counts[..], &mut own[..arriving]);
        let mut before = before.map(|b| (&mut b.seen[..], &mut b.passed[..arriving]));
        let mut choices = [0; CHUNK];
        let mut others = [[[0; CHUNK]; H]; W];
        let (mut passed, mut looks, mut moves) = (0, 0, 0);
        for start in (0..arriving).step_by(CHUNK) {
            let chunk = CHUNK.min(arriving - start);
            uniform.fill(rng, &mut choices);
            for others in others.iter_mut().flatten() {
                uniform.fill(rng, others);
            }
            for t in 0..chunk {
                let choice = choices[t];
                let mut stuck = put::<H>(&mut counts[choice as usize]);
                for ((seen, before), others) in before.iter_mut().zip(&others) {
                    let bucket = before[start + t];
                    let flags = seen[bucket as usize];
                    let mut now = flags;
                    for s in 0..H {
                        looks += u64::from(stuck);
                        now |= stuck << s;
                        // The lowest bit counts; the others are removed by `stuck`.
                        let tries = stuck & !(flags >> s);
                        let moved = put_if::<H>(&mut counts[others[s][t] as usize], tries);
                        moves += u64::from(moved);
                        stuck -= moved;
                    }
                    seen[bucket as usize] = now;
                    before[passed] = bucket;
                }
                own[passed] = choice;
                passed += usize::from(stuck);
            }
        }
        filled.accesses += arriving as u64 + looks;
        filled.moves += moves;
        filled.overflow = passed as u32;
    }
}

/// Moves an element to a bucket if it `tries` and there is room; 1 where it moved.
#[inline(always)]
fn put_if<const H: usize>(count: &mut u8, tries: u8) -> u8 {
    let moved = tries & u8::from(usize::from(*count) < H);
    *count += moved;
    moved
}
