//! Static fills in which nobody moves, sub-table after sub-table.
//!
//! An element that finds no room in a sub-table goes on to the next, where it is one of those that arrive, whoever it is. So all
//! of them go to the first sub-table, those that overflow there to the second, and so on, and of an element no more than one
//! choice is drawn for each sub-table that it comes to. Trials wait for the one with most elements, and each sub-table has seeds
//! of its own, so that what is drawn for it does not depend on how long a trial has waited.

use std::iter::once;

use pulp::Simd;

use super::draws::{BLOCK, Draws};
use super::lanes::{Arithmetic, Lanes, Numbers};
use super::loads::Loads;
use super::registers::{InLanes, Registers};
use super::together::{Ended, Together};
use crate::keys::Seeds;
use crate::tables::trial::Sums;

/// Throws all elements at the first sub-table, and at each other one those that find no room before.
pub(super) fn throw(registers: Registers, together: Together<'_>) -> Ended {
    match together.by_load.bucket_size {
        1 => registers.run(Throws::<1> { together }),
        2 => registers.run(Throws::<2> { together }),
        3 => registers.run(Throws::<3> { together }),
        _ => registers.run(Throws::<4> { together }),
    }
}

/// At buckets of H.
struct Throws<'a, const H: usize> {
    together: Together<'a>,
}

impl<const H: usize> InLanes for Throws<'_, H> {
    #[inline(always)]
    fn run<S: Simd, const G: usize>(&self, simd: S) -> Ended {
        let Together { by_load, seeds, .. } = self.together;
        let lanes = Lanes::<S, G> { simd };
        let n = by_load.elements;
        let of_all = Sums { arrivals: n.into(), readings: 1, ..Sums::default() };
        let mut sums = vec![of_all; Lanes::<S, G>::NUMBER];
        let mut loads = vec![Loads::<S, H, G>::new(lanes); by_load.buckets.len()];
        let mut stuck = lanes.all(n as i32);
        for ((k, loads), &buckets) in (0..).zip(&mut loads).zip(&by_load.buckets) {
            for (sums, &arriving) in sums.iter_mut().zip(stuck.of_lanes()) {
                sums.accesses += arriving as u64;
            }
            let seeds: Vec<Seeds> = seeds.iter().map(|seeds| seeds.of_part(k)).collect();
            let draws = Draws::new(lanes, once(buckets), &seeds);
            stuck = throw_at(lanes, loads, draws, stuck);
        }
        for (sums, &overflow) in sums.iter_mut().zip(stuck.of_lanes()) {
            (sums.overflowed, sums.overflow) = (overflow as u64, overflow as u64);
        }
        Ended::new(lanes, sums, &loads, stuck, by_load)
    }
}

/// Throws so many elements at a sub-table, with choices from `draws`; how many find no room.
#[inline(always)]
fn throw_at<S: Simd, const H: usize, const G: usize>(
    lanes: Lanes<S, G>,
    loads: &mut Loads<S, H, G>,
    mut draws: Draws<S, G>,
    elements: Numbers<S, G>,
) -> Numbers<S, G> {
    let (none, one) = (lanes.all(0), lanes.all(1));
    let (mut left, mut stuck) = (elements, none);
    let most = elements.of_lanes().iter().copied().max().unwrap_or(0);
    for _ in 0..(most as usize).div_ceil(BLOCK) {
        let mut own = *loads;
        for drawn in draws.block() {
            let [choice] = drawn else { continue };
            let goes = lanes.less(none, left);
            stuck = lanes.sub(stuck, own.arrive(*choice, goes));
            left = lanes.sub(left, one);
        }
        *loads = own;
    }
    stuck
}
