//! Courses a block of steps at a time, for trials whose elements nobody can tell apart.
//!
//! Who arrives and who departs when does not depend on the table. So a course is drawn ahead for a block of steps, the
//! table goes through them, and then the course reads the lengths that the overflow list had after each.

use super::averages::Averages;
use super::block::Block;
use super::jump_blocks::JumpBlocks;
use super::slots::Slots;
use super::tally::Tally;
use super::{Course, Events};
use crate::keys::Seeds;

enum BlockEvents {
    Slots { slots: Slots, tally: Tally },
    Jumps(JumpBlocks),
}

/// The steps of one trial after the other, and what was read.
pub(in crate::tables) struct Blocks<'f> {
    events: BlockEvents,
    averages: Averages<'f>,
    /// The table has room for the elements `0..room`.
    room: u32,
}

impl<'f> Course<'f> {
    /// The same course in blocks, of which trials have the same law; `None` where there is none.
    ///
    /// That of elements which each have a time of departure of their own stays what it is, for the sake of these times.
    pub(in crate::tables) fn in_blocks(self) -> Option<Blocks<'f>> {
        let events = match self.events {
            Events::Timed(_) => return None,
            Events::Jumps(jumps) => BlockEvents::Jumps(jumps.in_blocks()),
            Events::Slots(slots) => BlockEvents::Slots { slots, tally: Tally::default() },
        };
        Some(Blocks { events, averages: self.averages, room: self.room })
    }
}

impl<'f> Blocks<'f> {
    /// Starts a trial with an empty table.
    pub(in crate::tables) fn begin(&mut self, seeds: &Seeds) {
        self.averages.clear();
        match &mut self.events {
            BlockEvents::Slots { slots, .. } => slots.begin(seeds),
            BlockEvents::Jumps(jumps) => jumps.begin(seeds),
        }
    }

    /// Draws the next block; whether there was one before the end.
    pub(in crate::tables) fn fill(&mut self, block: &mut Block) -> bool {
        match &mut self.events {
            BlockEvents::Slots { slots, .. } => slots.fill(block),
            BlockEvents::Jumps(jumps) => jumps.fill(block),
        }
    }

    /// How many elements the table needs room for, if it has too little for those of the last block.
    pub(in crate::tables) fn more_room(&mut self) -> Option<u32> {
        let known = match &self.events {
            BlockEvents::Slots { slots, .. } => slots.known(),
            BlockEvents::Jumps(jumps) => jumps.known(),
        };
        (known > self.room).then(|| {
            self.room = known.max(self.room.saturating_mul(2));
            self.room
        })
    }

    /// Reads what the table was like in the last block.
    pub(in crate::tables) fn read(&mut self, block: &Block) {
        match &mut self.events {
            BlockEvents::Slots { slots, tally } => {
                if slots.is_measured() {
                    tally.add(&block.numbers, &block.lengths);
                }
                if slots.is_over() {
                    tally.empty_into(&mut self.averages);
                }
            }
            BlockEvents::Jumps(jumps) => jumps.read(&block.lengths, &mut self.averages),
        }
    }

    /// What was read in the trial.
    pub(in crate::tables) fn averages(&self) -> &Averages<'f> {
        &self.averages
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::tables::process::Bins;
    use crate::tables::theory::on_off::OnOff;
    use crate::tables::workloads::Span;
    use crate::tables::workloads::course::Step;

    fn of_flows(flows: &OnOff, length: (u64, u64)) -> Course<'static> {
        Course::slots(5, flows, length, Bins { width: 1, largest: 10 }, None)
    }

    /// Elements in the order in which they arrive and depart, and the place of the window among them.
    fn drawn(blocks: &mut Blocks<'_>) -> (Vec<u32>, Vec<usize>) {
        let (mut block, mut elements, mut windows) = (Block::default(), Vec::new(), Vec::new());
        while blocks.fill(&mut block) {
            if block.begins_window {
                windows.push(elements.len());
            }
            elements.extend(&block.elements);
            blocks.read(&block);
        }
        (elements, windows)
    }

    /// Slots are the same in blocks as they are one by one.
    #[test]
    fn slots_in_blocks_are_the_same_slots() {
        let flows = OnOff { flows: 20, rate: 0.045, burst: 6.0 };
        for length in [(0, 10), (0, 700), (300, 1000), (256, 256)] {
            let mut course = of_flows(&flows, length);
            let mut blocks = of_flows(&flows, length).in_blocks().unwrap();
            for trial in 0..3 {
                let seeds = Seeds::of(3, trial);
                course.begin(&seeds);
                blocks.begin(&seeds);
                let (mut elements, mut windows) = (Vec::new(), Vec::new());
                while let Some(step) = course.next() {
                    match step {
                        Step::Insert(element) | Step::Delete(element) => elements.push(element),
                        Step::Measure => windows.push(elements.len()),
                        Step::Read(_) => {}
                    }
                }
                assert_eq!(drawn(&mut blocks), (elements, windows));
            }
        }
    }

    proptest! {
        /// Who arrives is not in the system, who departs is, there is room for all, the window begins once, and all of
        /// it is read.
        #[test]
        fn blocks_are_consistent(
            n in 1_u32..60,
            (warm_up, duration) in (prop_oneof![Just(0.0), 0.0..10.0], 0.1..20.0),
            filled: bool,
            seed: u64,
        ) {
            let span = Span { warm_up, duration };
            let mut blocks = Course::open(n, span, filled).in_blocks().unwrap();
            let (mut block, mut room) = (Block::default(), n);
            for trial in 0..2 {
                blocks.begin(&Seeds::of(seed, trial));
                let (mut system, mut windows) = (BTreeSet::new(), 0);
                while blocks.fill(&mut block) {
                    windows += u32::from(block.begins_window);
                    room = blocks.more_room().unwrap_or(room);
                    let mut elements = block.elements.iter().copied();
                    for (step, length) in block.steps.iter().zip(&mut block.lengths) {
                        for element in elements.by_ref().take(step.arrivals as usize) {
                            prop_assert!(element < room && system.insert(element));
                        }
                        let mut departs = elements.by_ref().take(usize::from(step.departs));
                        prop_assert!(departs.all(|element| system.remove(&element)));
                        // As if all were on the list.
                        *length = system.len() as u32;
                    }
                    prop_assert_eq!(elements.next(), None);
                    blocks.read(&block);
                }
                prop_assert_eq!(windows, 1);
                let averages = blocks.averages();
                let (all, overflow) = (averages.system().unwrap(), averages.overflow().unwrap());
                prop_assert!((all - overflow).abs() < 1e-9 * all.max(1.0), "{all} {overflow}");
            }
        }
    }
}
