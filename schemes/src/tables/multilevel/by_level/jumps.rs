//! Trials in which elements arrive or depart one at a time, as with Poisson arrivals.
//!
//! Who departs in a block does not depend on the table either. So those who depart are told to first, and then all who arrive are
//! taken through the sub-tables.

use std::hint::select_unpredictable;

use super::arrivals::{Arrivals, Arriving, BLOCK};
use super::number::Number;
use super::places::{Kept, Places, free};
use super::{ByLevel, Passed, Settled, Way, through_later};
use crate::keys::Seeds;
use crate::tables::trial::Sums;
use crate::tables::workloads::course::{Block, BlockStep, Blocks, Kind};

/// Elements at most: of so many on average, 16 bits can name all that are ever in the system.
const MOST_ELEMENTS: u32 = 1 << 15;

/// A step in which an element arrives: a position that nobody has.
const ARRIVES: u32 = u32::MAX;

impl ByLevel<'_> {
    /// What follows courses of this kind on an empty table, if anything does.
    pub(in crate::tables) fn jumping(&self, kind: Kind) -> Option<Jumping> {
        let jumps = kind == Kind::Jumps && self.jumps();
        jumps.then(|| self.numbered()).flatten().map(Jumping::new)
    }

    /// Whether it follows courses of jumps.
    pub(in crate::tables) fn jumps(&self) -> bool {
        let &Self { way, elements, sub_tables } = self;
        let named = elements <= MOST_ELEMENTS && Passed::<u16>::fits(way, elements, sub_tables);
        way == Way::SecondChance && named
    }
}

/// A table that follows one course after the other.
pub(in crate::tables) struct Jumping {
    table: Passed<u16>,
    names: Names,
    arrivals: Arrivals<u16>,
}

/// Who is in the system. Which element has which name is the same to all that is counted, so that they are not put in order
/// between trials.
struct Names {
    /// Those in the system are in front, in their positions.
    of_positions: Box<[u16; 1 << 16]>,
    number: u32,
}

impl Names {
    fn new() -> Self {
        let mut of_positions = Box::new([0; 1 << 16]);
        (0..).zip(of_positions.iter_mut()).for_each(|(name, own)| *own = name);
        Self { of_positions, number: 0 }
    }
}

impl Jumping {
    fn new(table: Passed<u16>) -> Self {
        Self { table, names: Names::new(), arrivals: Arrivals::new() }
    }

    /// The table after the last trial.
    pub(in crate::tables) fn table(&self) -> &Passed<u16> {
        &self.table
    }

    /// Runs one trial with a course that was begun.
    pub(in crate::tables) fn run(&mut self, course: &mut Blocks<'_>, seeds: &Seeds) -> Sums {
        self.table.begin(seeds.hash);
        (self.table.overflow, self.names.number) = (0, 0);
        let arrives = BlockStep { departing: ARRIVES, ..BlockStep::default() };
        let mut sums = Sums::default();
        self.go_through(&mut vec![arrives; course.first() as usize], &mut sums);
        course.look(self.table.overflow);
        let mut block = Block::default();
        while course.fill(&mut block) {
            if block.begins_window {
                sums = Sums::default();
            }
            let (before, arrivals) = (u64::from(self.names.number), block.arrivals as u64);
            self.go_through(&mut block.steps, &mut sums);
            sums.arrivals += arrivals;
            sums.departures += before + arrivals - u64::from(self.names.number);
            course.read(&mut block);
        }
        sums
    }

    fn go_through(&mut self, mut steps: &mut [BlockStep], sums: &mut Sums) {
        while !steps.is_empty() {
            let made = self.block(steps, sums);
            steps = &mut steps[made..];
        }
    }

    /// Makes as many of these steps as go together; how many.
    fn block(&mut self, steps: &mut [BlockStep], sums: &mut Sums) -> usize {
        let Self { table: Passed { levels, places, overflow, .. }, names, arrivals } = self;
        let [first, later @ ..] = &mut levels[..] else { return steps.len() };
        let made = depart(steps, names, arrivals, places);
        let begin = places.now - u16::STEP * made as u16;
        sums.accesses += arrivals.number as u64;
        first.receive::<1, true>(arrivals, places);
        let Settled { accesses, moves, overflowed, .. } =
            through_later::<1, true, _>(arrivals, later, places);
        sums.accesses += accesses;
        sums.moves += moves;
        sums.overflowed += overflowed;
        for arriving in arrivals.all() {
            _ = places.list_one(arriving);
            steps[usize::from((arriving.time() - begin) / u16::STEP) - 1].length += 1;
        }
        for step in &mut steps[..made] {
            *overflow = overflow.wrapping_add(step.length);
            step.length = *overflow;
        }
        made
    }
}

/// Tells those who depart in a block of these steps when they do, and takes down those who arrive; how many steps it has. It ends
/// before one in which an element departs that arrived in it. As length of the overflow list each step has what a departure makes
/// it grow by.
#[inline(never)]
fn depart(
    steps: &mut [BlockStep],
    names: &mut Names,
    arrivals: &mut Arrivals<u16>,
    places: &mut Places<u16>,
) -> usize {
    _ = places.make_time(BLOCK);
    debug_assert!(names.number < 1 << 16, "16 bits name all that are in the system");
    let list = u16::list(places.slots);
    let Kept { states, of_elements, .. } = &mut *places.kept;
    let Names { of_positions, number: before } = names;
    let (mut number, mut now, mut arrived, mut made) = (*before, places.now, 0, 0);
    for step in steps.iter_mut().take(BLOCK) {
        let departs = step.departing < number;
        let at = select_unpredictable(departs, step.departing, number) as u16;
        let name = of_positions[usize::from(at)];
        let place = of_elements[usize::from(name)];
        let left = select_unpredictable(departs, place, list);
        if left == u16::ARRIVING {
            break;
        }
        // The last one takes the position of who departs. Who arrives is behind the last.
        let last = number as u16 - u16::from(departs);
        of_positions.swap(at.into(), last.into());
        number = number + 1 - 2 * u32::from(departs);
        now += u16::STEP;
        free(states, left, list, now);
        of_elements[usize::from(name)] = select_unpredictable(departs, place, u16::ARRIVING);
        step.length = u32::from(departs & (place == list)).wrapping_neg();
        arrivals.set(arrived, Arriving::new(name, now));
        arrived += usize::from(!departs);
        made += 1;
    }
    *before = number;
    arrivals.number = arrived;
    places.now = now;
    made
}
