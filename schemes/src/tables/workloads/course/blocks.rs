//! Courses a block of steps at a time, for trials whose elements nobody can tell apart.
//!
//! Who arrives and who departs when does not depend on the table. So a course is drawn ahead for a block of steps, the
//! table goes through them, and then the course reads the lengths that the overflow list had after each.

use super::averages::Averages;
use super::block::{Block, Kind};
use super::jump_blocks::JumpBlocks;
use super::round_blocks::RoundBlocks;
use super::slot_blocks::SlotBlocks;
use super::{Course, Events};
use crate::keys::Seeds;

enum BlockEvents {
    Slots(SlotBlocks),
    Jumps(JumpBlocks),
    Rounds(RoundBlocks),
}

/// The steps of one trial after the other, and what was read.
pub(in crate::tables) struct Blocks<'f> {
    events: BlockEvents,
    averages: Averages<'f>,
    /// The table has room for the elements `0..room`.
    room: u32,
}

impl<'f> Course<'f> {
    /// The same course in blocks, of which trials have the same law.
    pub(in crate::tables) fn in_blocks(self) -> Blocks<'f> {
        let events = match self.events {
            Events::Timed(timed) => BlockEvents::Rounds(timed.in_blocks()),
            Events::Jumps(jumps) => BlockEvents::Jumps(jumps.in_blocks()),
            Events::Slots(slots) => BlockEvents::Slots(slots.in_blocks()),
        };
        Blocks { events, averages: self.averages, room: self.room }
    }
}

impl<'f> Blocks<'f> {
    /// Starts a trial with an empty table.
    pub(in crate::tables) fn begin(&mut self, seeds: &Seeds) {
        self.averages.clear();
        match &mut self.events {
            BlockEvents::Slots(slots) => slots.begin(seeds),
            BlockEvents::Jumps(jumps) => jumps.begin(seeds),
            BlockEvents::Rounds(rounds) => rounds.begin(seeds),
        }
    }

    pub(in crate::tables) fn kind(&self) -> Kind {
        match &self.events {
            BlockEvents::Slots(_) => Kind::Slots,
            BlockEvents::Jumps(_) => Kind::Jumps,
            BlockEvents::Rounds(_) => Kind::Rounds,
        }
    }

    /// Elements that arrive before the first step.
    pub(in crate::tables) fn first(&self) -> u32 {
        match &self.events {
            BlockEvents::Slots(_) => 0,
            BlockEvents::Jumps(jumps) => jumps.first(),
            BlockEvents::Rounds(rounds) => rounds.first(),
        }
    }

    /// Takes the length of the overflow list when these have arrived.
    pub(in crate::tables) fn look(&mut self, length: u32) {
        match &mut self.events {
            BlockEvents::Slots(_) => {}
            BlockEvents::Jumps(jumps) => jumps.look(length),
            BlockEvents::Rounds(rounds) => rounds.look(length),
        }
    }

    /// Draws the next block; whether there was one before the end.
    pub(in crate::tables) fn fill(&mut self, block: &mut Block) -> bool {
        match &mut self.events {
            BlockEvents::Slots(slots) => slots.fill(block),
            BlockEvents::Jumps(jumps) => jumps.fill(block),
            BlockEvents::Rounds(rounds) => rounds.fill(block),
        }
    }

    /// How many elements the table needs room for, if it has too little for those of the last block.
    pub(in crate::tables) fn more_room(&mut self) -> Option<u32> {
        let most = match &self.events {
            BlockEvents::Slots(slots) => slots.most(),
            BlockEvents::Jumps(jumps) => jumps.most(),
            BlockEvents::Rounds(rounds) => rounds.first(),
        };
        (most > self.room).then(|| {
            self.room = most.max(self.room.saturating_mul(2));
            self.room
        })
    }

    /// Reads what the table was like in the last block.
    pub(in crate::tables) fn read(&mut self, block: &mut Block) {
        match &mut self.events {
            BlockEvents::Slots(slots) => slots.read(block, &mut self.averages),
            BlockEvents::Jumps(jumps) => jumps.read(&block.steps, &mut self.averages),
            BlockEvents::Rounds(rounds) => rounds.read(&block.steps, &mut self.averages),
        }
    }

    /// What was read in the trial.
    pub(in crate::tables) fn averages(&self) -> &Averages<'f> {
        &self.averages
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tables::process::Bins;
    use crate::tables::theory::on_off::OnOff;
    use crate::tables::workloads::Span;

    type Made = fn(u32, Span) -> Course<'static>;

    const OF_TIMES: [Made; 3] = [
        Course::closed,
        |n, span| Course::open(n, span, true),
        |n, span| Course::open(n, span, false),
    ];

    proptest! {
        /// Who departs is in the system, there is room for all, the window begins once, and all of it is read.
        #[test]
        fn blocks_of_times_are_consistent(
            made in proptest::sample::select(&OF_TIMES[..]),
            n in 1_u32..60,
            (warm_up, duration) in (prop_oneof![Just(0.0), 0.0..10.0], 0.1..20.0),
            seed: u64,
        ) {
            let mut blocks = made(n, Span { warm_up, duration }).in_blocks();
            let (mut block, mut room) = (Block::default(), n);
            for trial in 0..2 {
                blocks.begin(&Seeds::of(seed, trial));
                let (mut number, mut windows) = (blocks.first(), 0);
                blocks.look(number);
                while blocks.fill(&mut block) {
                    windows += u32::from(block.begins_window);
                    room = blocks.more_room().unwrap_or(room);
                    let mut arrivals = 0;
                    for step in &mut block.steps {
                        match (blocks.kind(), step.departing < number) {
                            (Kind::Jumps, true) => number -= 1,
                            (Kind::Jumps, false) => (number, arrivals) = (number + 1, arrivals + 1),
                            (_, departs) => {
                                prop_assert!(departs);
                                arrivals += 1;
                            }
                        }
                        prop_assert!(number <= room);
                        // As if all were on the list.
                        step.length = number;
                    }
                    prop_assert_eq!(arrivals, block.arrivals);
                    blocks.read(&mut block);
                }
                prop_assert_eq!(windows, 1);
                let averages = blocks.averages();
                let (all, overflow) = (averages.system().unwrap(), averages.overflow().unwrap());
                prop_assert!((all - overflow).abs() < 1e-9 * all.max(1.0), "{all} {overflow}");
            }
        }

        /// So many slots are drawn and read, the window begins once and with the first of them that is measured.
        #[test]
        fn blocks_of_slots_are_consistent(
            (warm_up, slots) in (0_u64..600, 1_u64..600),
            seed: u64,
        ) {
            let flows = OnOff { flows: 20, rate: 0.045, burst: 6.0 };
            let bins = Bins { width: 1, largest: 10 };
            let mut blocks = Course::slots(5, &flows, (warm_up, slots), bins, None).in_blocks();
            let (mut block, mut room) = (Block::default(), 5);
            for trial in 0..2 {
                blocks.begin(&Seeds::of(seed, trial));
                block.number = 0;
                let (mut drawn, mut begins, mut sum) = (0, Vec::new(), 0);
                while blocks.fill(&mut block) {
                    room = blocks.more_room().unwrap_or(room);
                    if block.begins_window {
                        begins.push(drawn);
                        sum = 0;
                    }
                    prop_assert!(block.slots.bits.len() >= block.slots.arriving.len());
                    drawn += block.slots.arriving.len() as u64;
                    let mut arrivals = 0;
                    for &arriving in &block.slots.arriving {
                        arrivals += arriving as usize;
                        block.number = (block.number + arriving).saturating_sub(1);
                        prop_assert!(block.number <= room);
                        block.tally.add(0, block.number, 1, block.number);
                        sum += u64::from(block.number);
                    }
                    prop_assert_eq!(arrivals, block.arrivals);
                    blocks.read(&mut block);
                }
                prop_assert_eq!((drawn, begins), (warm_up + slots, vec![warm_up]));
                let mean = Some(sum as f64 / slots as f64);
                prop_assert_eq!((blocks.averages().system(), blocks.averages().overflow()), (mean, mean));
            }
        }
    }
}
