//! One trial with random choices that follows a course.

use std::hint::select_unpredictable;

use rand::SeedableRng;

use super::drawn::Drawn;
use super::{Nameless, Shape};
use crate::Rng;
use crate::hash::derive_seed;
use crate::keys::Seeds;
use crate::tables::trial::Sums;
use crate::tables::workloads::course::{Block, BlockStep, Blocks, Kind, System};
use crate::tables::{Deletion, Insertion};
use crate::uniform::{Ranges, below};

/// Runs one trial on an empty table, which is given back, with a course that was begun.
pub(in crate::tables) fn follow<T: Nameless, const R: usize>(
    table: T,
    shape: &Shape<R>,
    course: &mut Blocks<'_>,
    seeds: &Seeds,
) -> (T, Sums) {
    match table.is_certain() {
        true => Following::new(table, shape, seeds).run::<true>(course),
        false => Following::new(table, shape, seeds).run::<false>(course),
    }
}

/// What is counted in a block of steps.
#[derive(Debug, Default)]
struct Counted {
    /// Accesses, and above them those who overflowed. The compiler would keep two sums in one register of vectors, which a call
    /// that is hardly ever made takes away, so that they would go through memory at each step.
    insertions: u64,
    sums: Sums,
}

impl Counted {
    #[inline(always)]
    fn insert(&mut self, insertion: Insertion) {
        let Insertion { accesses, stored, .. } = insertion;
        self.insertions += u64::from(accesses) | u64::from(!stored) << 32;
        self.sums.add(Insertion { accesses: 0, stored: true, ..insertion }, false);
    }

    #[inline(always)]
    fn delete(&mut self, deletion: Deletion) {
        self.sums.delete(deletion);
    }

    fn add_to(mut self, sums: &mut Sums) {
        self.sums.accesses += self.insertions & u64::from(u32::MAX);
        self.sums.overflowed += self.insertions >> 32;
        sums.append(&self.sums);
    }
}

struct Following<T, const R: usize> {
    ranges: Ranges<R>,
    choices: Rng,
    /// For departures whose bits do not do.
    departures: Rng,
    /// The choices of those that arrive in a block.
    drawn: Vec<[u32; R]>,
    inside: Inside<T>,
}

/// What a step changes. It goes from block to block by value, so that it is a local of the loop over steps, which the
/// compiler can keep in registers.
struct Inside<T> {
    table: T,
    chance: Rng,
    sums: Sums,
    /// Who is in the system, where the last element cannot take the name of who departs.
    system: System,
    /// Elements in the system, where their number varies.
    number: u32,
}

impl<T: Nameless, const R: usize> Following<T, R> {
    fn new(table: T, shape: &Shape<R>, seeds: &Seeds) -> Self {
        Self {
            ranges: shape.ranges,
            choices: Rng::seed_from_u64(derive_seed(seeds.hash, 0)),
            departures: Rng::seed_from_u64(derive_seed(seeds.departures, 0)),
            drawn: Vec::new(),
            inside: Inside {
                table,
                chance: Rng::seed_from_u64(seeds.scheme),
                sums: Sums::default(),
                system: System::default(),
                number: 0,
            },
        }
    }

    fn run<const CERTAIN: bool>(self, course: &mut Blocks<'_>) -> (T, Sums) {
        let Self { ranges, mut choices, mut departures, mut drawn, mut inside } = self;
        for _ in 0..course.first() {
            inside.arrive_first::<CERTAIN, R>(ranges.draw(&mut choices));
        }
        course.look(inside.table.overflow());
        let mut block = Block { number: inside.number, ..Block::default() };
        while course.fill(&mut block) {
            if let Some(room) = course.more_room() {
                inside.table.reserve(room);
            }
            if block.begins_window {
                inside.sums = Sums::default();
            }
            // Whoever makes a departure without a branch has choices at hand for an arrival.
            ranges.draw_all(block.arrivals + 1, &mut choices, &mut drawn);
            let before = u64::from(inside.number);
            inside = match course.kind() {
                Kind::Slots => inside.slots::<CERTAIN, R>(&mut block, &drawn, &mut departures),
                Kind::Jumps if T::JUMPS && CERTAIN => {
                    inside.jumps_at_once::<R>(&mut block.steps, &drawn)
                }
                Kind::Jumps => inside.jumps::<CERTAIN, R>(&mut block.steps, &drawn),
                Kind::Rounds => inside.rounds::<CERTAIN, R>(&mut block.steps, &drawn),
            };
            block.number = inside.number;
            let arrivals = block.arrivals as u64;
            inside.sums.arrivals += arrivals;
            inside.sums.departures += before + arrivals - u64::from(inside.number);
            course.read(&mut block);
        }
        (inside.table, inside.sums)
    }
}

impl<T: Nameless> Inside<T> {
    /// Some elements arrive, and then a random one departs if any is there.
    #[inline(never)]
    fn slots<const CERTAIN: bool, const R: usize>(
        mut self,
        block: &mut Block,
        drawn: &[[u32; R]],
        departures: &mut Rng,
    ) -> Self {
        let (mut number, mut counted, mut drawn) = (self.number, Counted::default(), drawn.iter());
        let Block { slots, tally, .. } = block;
        for (&arriving, &bits) in slots.arriving.iter().zip(&slots.bits) {
            for &choices in drawn.by_ref().take(arriving as usize) {
                self.arrive::<CERTAIN, R>(&mut number, choices, &mut counted);
            }
            if number > 0 {
                let position = below(number, bits, departures);
                self.depart(&mut number, position, &mut counted);
            }
            tally.add(0, number, 1, self.table.overflow());
        }
        counted.add_to(&mut self.sums);
        Self { number, ..self }
    }

    /// An element arrives, or one departs, without a branch on which it is: that cannot be guessed.
    #[inline(never)]
    fn jumps_at_once<const R: usize>(
        mut self,
        steps: &mut [BlockStep],
        drawn: &[[u32; R]],
    ) -> Self {
        let (mut number, mut counted, mut arrived) = (self.number, Counted::default(), 0);
        for step in steps {
            let leaves = Some(step.departing).filter(|&position| position < number);
            let insertion = self.table.jump(leaves, number, Drawn::of(drawn[arrived]));
            let arrives = leaves.is_none();
            counted.insert(Insertion {
                accesses: select_unpredictable(arrives, insertion.accesses, 0),
                stored: !arrives | insertion.stored,
                ..Insertion::default()
            });
            arrived += usize::from(arrives);
            number = number + u32::from(arrives) - u32::from(!arrives);
            step.length = self.table.overflow();
        }
        counted.add_to(&mut self.sums);
        Self { number, ..self }
    }

    /// An element arrives, or one departs.
    #[inline(never)]
    fn jumps<const CERTAIN: bool, const R: usize>(
        mut self,
        steps: &mut [BlockStep],
        drawn: &[[u32; R]],
    ) -> Self {
        let (mut number, mut counted, mut drawn) = (self.number, Counted::default(), drawn.iter());
        for step in steps {
            if step.departing < number {
                self.depart(&mut number, step.departing, &mut counted);
            } else if let Some(&choices) = drawn.next() {
                self.arrive::<CERTAIN, R>(&mut number, choices, &mut counted);
            }
            step.length = self.table.overflow();
        }
        counted.add_to(&mut self.sums);
        Self { number, ..self }
    }

    /// An element departs, and another arrives in its position.
    #[inline(never)]
    fn rounds<const CERTAIN: bool, const R: usize>(
        mut self,
        steps: &mut [BlockStep],
        drawn: &[[u32; R]],
    ) -> Self {
        let mut counted = Counted::default();
        for (step, &choices) in steps.iter_mut().zip(drawn) {
            counted.delete(self.table.delete(step.departing));
            self.insert::<CERTAIN, R>(step.departing, choices, &mut counted);
            step.length = self.table.overflow();
        }
        counted.add_to(&mut self.sums);
        self
    }

    /// An element arrives before the first step.
    fn arrive_first<const CERTAIN: bool, const R: usize>(&mut self, choices: [u32; R]) {
        let (mut number, mut counted) = (self.number, Counted::default());
        self.arrive::<CERTAIN, R>(&mut number, choices, &mut counted);
        self.number = number;
    }

    #[inline(always)]
    fn arrive<const CERTAIN: bool, const R: usize>(
        &mut self,
        number: &mut u32,
        choices: [u32; R],
        counted: &mut Counted,
    ) {
        let element = if T::RENAMES { *number } else { self.system.arrive() };
        *number += 1;
        self.insert::<CERTAIN, R>(element, choices, counted);
    }

    #[inline(always)]
    fn insert<const CERTAIN: bool, const R: usize>(
        &mut self,
        element: u32,
        choices: [u32; R],
        counted: &mut Counted,
    ) {
        let choices = Drawn::of(choices);
        counted.insert(self.table.insert::<CERTAIN>(element, choices, &mut self.chance));
    }

    /// The element at this position departs, and the last one takes the position.
    #[inline(always)]
    fn depart(&mut self, number: &mut u32, position: u32, counted: &mut Counted) {
        *number -= 1;
        counted.delete(match T::RENAMES {
            true => self.table.delete_and_rename(position, *number),
            false => self.table.delete(self.system.depart(position)),
        });
    }
}
