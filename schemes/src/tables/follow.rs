//! The loop of a trial that follows a course step by step.
//!
//! Its events come out of a heap or of a law of many flows, which takes longer than an indirect call. So
//! it is compiled once for each table, with hash function and keys behind a pointer, and not once for
//! each of some twenty pairs of them as the loops of rounds are.

use rand::SeedableRng;

use super::Table;
use super::trial::Sums;
use super::workloads::course::{Course, Step};
use crate::Rng;
use crate::keys::{Seeds, Stream};

/// Runs one trial on an empty table, with a stream and a course that were begun.
pub(super) fn follow<const CHEAP: bool, T: Table>(
    table: &mut T,
    stream: &mut dyn Stream<CHEAP>,
    course: &mut Course<'_>,
    seeds: &Seeds,
) -> Sums {
    let mut chance = Rng::seed_from_u64(seeds.scheme);
    let mut sums = Sums::default();
    while let Some(step) = course.next() {
        match step {
            Step::Insert(element) => {
                if let Some(room) = course.more_room(element) {
                    table.reserve(room);
                    stream.reserve(room);
                }
                sums.arrivals += 1;
                let mut insertion = None;
                let repeated = stream.arrive(element, &mut |choices| {
                    insertion = Some(table.insert::<false>(element, choices, &mut chance));
                });
                sums.add(insertion.unwrap_or_default(), repeated);
                sums.read(table);
            }
            Step::Delete(element) => {
                sums.departures += 1;
                sums.delete(table.delete(element));
                stream.depart(element);
            }
            Step::Measure => sums = Sums::default(),
            Step::Read(weight) => course.read(weight, table),
        }
    }
    sums
}
