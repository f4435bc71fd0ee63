//! The conservative scheme: an element moves only when another one finds all its choices full.

use super::level::{Buckets, Level, Row};
use super::{BLOCK, CHUNK, Filled};
use crate::Rng;

/// No move ends in the first sub-table, so elements are taken there first. The later ones must be filled together,
/// one element after the other: a move may go to any of them, and takes a place from a later arrival.
pub(super) fn bump(levels: &mut [Level], rows: &mut [Row], elements: u32, rng: &mut Rng) -> Filled {
    let mut filled = Filled { accesses: elements.into(), ..Filled::default() };
    let mut left = elements as usize;
    while left > 0 {
        let block = left.min(BLOCK);
        left -= block;
        let Some((first, later)) = levels.split_first_mut() else { return filled };
        let passed = first.open::<1>(block, &mut rows[0], rng);
        let row = &rows[0][..passed];
        match later {
            [] => filled.overflow += passed as u32,
            [a] => go_on((first, row), [a], &mut filled, rng),
            [a, b] => go_on((first, row), [a, b], &mut filled, rng),
            [a, b, c] => go_on((first, row), [a, b, c], &mut filled, rng),
            [a, b, c, d] => go_on((first, row), [a, b, c, d], &mut filled, rng),
            [a, b, c, d, e] => go_on((first, row), [a, b, c, d, e], &mut filled, rng),
            [a, b, c, d, e, f] => go_on((first, row), [a, b, c, d, e, f], &mut filled, rng),
            [a, b, c, d, e, f, g, ..] => {
                go_on((first, row), [a, b, c, d, e, f, g], &mut filled, rng);
            }
        }
    }
    filled
}

/// Inserts the elements that found their buckets in the first sub-table full into the W later ones.
fn go_on<const W: usize>(
    (first, row): (&mut Level, &[u32]),
    mut later: [&mut Level; W],
    filled: &mut Filled,
    rng: &mut Rng,
) {
    let mut choices = [[0; CHUNK]; W];
    let mut stored = [0; W];
    for row in row.chunks(CHUNK) {
        for (choices, level) in choices.iter_mut().zip(&later) {
            level.uniform.fill(rng, choices);
        }
        let mut full = later.each_ref().map(|level| level.buckets.full);
        for (t, &rank) in row.iter().enumerate() {
            let own = choices.each_ref().map(|choices| choices[t]);
            if put(&mut full, &own) {
                keep(full, &mut later, &mut stored);
                let from = (&mut first.marked, rank, &own[..]);
                let stored = make_room(from, &mut later, filled, rng);
                filled.overflow += u32::from(!stored);
                full = later.each_ref().map(|level| level.buckets.full);
            }
        }
        keep(full, &mut later, &mut stored);
    }
    let mut looking = row.len() as u64;
    for stored in stored {
        filled.accesses += looking;
        looking -= u64::from(stored);
    }
}

/// Puts an element into the first of its buckets that is empty; returns whether none is.
#[inline(always)]
fn put<const W: usize>(full: &mut [u32; W], own: &[u32; W]) -> bool {
    let mut stuck = 1;
    for (full, &rank) in full.iter_mut().zip(own) {
        let stored = stuck & u32::from(rank >= *full);
        *full += stored;
        stuck -= stored;
    }
    stuck == 1
}

/// Keeps how many buckets are full, and adds up how many elements that stored.
fn keep<const W: usize>(full: [u32; W], later: &mut [&mut Level; W], stored: &mut [u32; W]) {
    for ((level, full), stored) in later.iter_mut().zip(full).zip(stored) {
        *stored += full - level.buckets.full;
        level.buckets = Buckets::all_full(full);
    }
}

/// Marks the first bucket without a mark, if there is one before the last sub-table, and moves the
/// element in it, if that has a choice with room; returns whether it made room.
///
/// `#[cold]`, as few elements find all their choices full: the loop around it stays short.
#[cold]
fn make_room(
    (marked, rank, own): (&mut u32, u32, &[u32]),
    later: &mut [&mut Level],
    filled: &mut Filled,
    rng: &mut Rng,
) -> bool {
    if set(marked, rank) {
        return push_on(later, filled, rng);
    }
    let searched = later.len() - 1;
    let unmarked = (0..searched).find(|&i| set(&mut later[i].marked, own[i]));
    unmarked.is_some_and(|i| push_on(&mut later[i + 1..], filled, rng))
}

/// Sets the mark of the bucket with this rank; returns whether it was not set before. Buckets with a mark come first.
fn set(marked: &mut u32, rank: u32) -> bool {
    let sets = rank >= *marked;
    *marked += u32::from(sets);
    sets
}

/// Moves an element to its first choice with room in these sub-tables; returns whether there is one. Its
/// bucket had no mark, so none of those choices has been looked at, and each is drawn only here.
fn push_on(later: &mut [&mut Level], filled: &mut Filled, rng: &mut Rng) -> bool {
    let moved = later.iter_mut().any(|level| {
        filled.accesses += 1;
        let rank = level.uniform.one(rng);
        let moves = rank >= level.buckets.full;
        level.buckets.put::<1>(rank);
        moves
    });
    filled.moves += u64::from(moved);
    moved
}
