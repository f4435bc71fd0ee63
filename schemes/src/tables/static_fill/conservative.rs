//! The conservative scheme: an element moves only when another one finds all its choices full.

use super::{CHUNK, Filled, Level, StaticFill};
use crate::Rng;

impl StaticFill {
    /// No move ends in the first sub-table, so it is filled first. The later ones must be filled together,
    /// one element after the other: a move may go to any of them, and takes a place from a later arrival.
    pub(super) fn bump(&mut self, rng: &mut Rng) -> Filled {
        let mut filled = Filled { accesses: self.elements.into(), ..Filled::default() };
        let Some((first, later)) = self.levels.split_first_mut() else { return filled };
        let passed = first.open::<1>(rng) as usize;
        match later {
            [] => filled.overflow = passed as u32,
            [a] => go_on(first, passed, [a], &mut filled, rng),
            [a, b] => go_on(first, passed, [a, b], &mut filled, rng),
            [a, b, c] => go_on(first, passed, [a, b, c], &mut filled, rng),
            [a, b, c, d] => go_on(first, passed, [a, b, c, d], &mut filled, rng),
            [a, b, c, d, e] => go_on(first, passed, [a, b, c, d, e], &mut filled, rng),
            [a, b, c, d, e, f] => go_on(first, passed, [a, b, c, d, e, f], &mut filled, rng),
            [a, b, c, d, e, f, g, ..] => {
                go_on(first, passed, [a, b, c, d, e, f, g], &mut filled, rng);
            }
        }
        filled
    }
}

/// Inserts the elements that found their buckets in the first sub-table full into the W later ones.
fn go_on<const W: usize>(
    first: &mut Level,
    passed: usize,
    mut later: [&mut Level; W],
    filled: &mut Filled,
    rng: &mut Rng,
) {
    let Level { passed: row, seen: marks, .. } = first;
    let mut choices = [[0; CHUNK]; W];
    for chunk in row[..passed].chunks(CHUNK) {
        for (choices, level) in choices.iter_mut().zip(&later) {
            level.uniform.fill(rng, choices);
        }
        let mut looks = 0;
        for (t, &bucket) in chunk.iter().enumerate() {
            let own = choices.each_ref().map(|choices| choices[t]);
            if put(&mut later, &own, &mut looks) == 1 {
                let from = (&mut marks[bucket as usize], &own[..]);
                let stored = make_room(from, &mut later, filled, rng);
                filled.overflow += u32::from(!stored);
            }
        }
        filled.accesses += looks;
    }
}

/// Puts an element into the first of its buckets that is empty; 1 where none is.
#[inline(always)]
fn put<const W: usize>(later: &mut [&mut Level; W], own: &[u32; W], looks: &mut u64) -> u8 {
    let mut stuck = 1;
    for (level, &bucket) in later.iter_mut().zip(own) {
        let count = &mut level.counts[bucket as usize];
        let full = *count;
        *looks += u64::from(stuck);
        *count |= stuck;
        stuck &= full;
    }
    stuck
}

/// Marks the first bucket without a mark, if there is one before the last sub-table, and moves the
/// element in it, if that has a choice with room; returns whether it made room. Of the bucket in the first
/// sub-table only the mark is needed; the buckets in the later ones are `own`.
///
/// `#[cold]`, as few elements find all their choices full: the loop around it stays short.
#[cold]
fn make_room(
    (mark, own): (&mut u8, &[u32]),
    later: &mut [&mut Level],
    filled: &mut Filled,
    rng: &mut Rng,
) -> bool {
    if set(mark) {
        return push_on(later, filled, rng);
    }
    let searched = later.len() - 1;
    let unmarked = (0..searched).find(|&i| set(&mut later[i].seen[own[i] as usize]));
    unmarked.is_some_and(|i| push_on(&mut later[i + 1..], filled, rng))
}

/// Sets a mark; returns whether it was not set before.
fn set(mark: &mut u8) -> bool {
    std::mem::replace(mark, 1) == 0
}

/// Moves an element to its first choice with room in these sub-tables; returns whether there is one. Its
/// bucket had no mark, so none of those choices has been looked at, and each is drawn only here.
fn push_on(later: &mut [&mut Level], filled: &mut Filled, rng: &mut Rng) -> bool {
    let moved = later.iter_mut().any(|level| {
        filled.accesses += 1;
        let count = &mut level.counts[level.uniform.one(rng) as usize];
        std::mem::replace(count, 1) == 0
    });
    filled.moves += u64::from(moved);
    moved
}
