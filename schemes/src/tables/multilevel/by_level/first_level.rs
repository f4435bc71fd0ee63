//! Departures, and the arrivals of their block in the first sub-table.

use std::hint::select_unpredictable;
use std::ops::Range;

use super::arrivals::{Arrivals, Arriving, BLOCK, InTheWay};
use super::level::Level;
use super::places::{ARRIVING, ASKED, Kept, LIST, Places, STEP, TAKEN, look};

/// Rounds that were drawn and come after each other.
#[derive(Debug, Clone)]
pub(super) struct DrawnRounds {
    /// Who departs, and arrives again.
    pub(super) elements: [u16; BLOCK],
    /// Its choice in the first sub-table.
    pub(super) choices: [u16; BLOCK],
}

/// Rounds of a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Departed {
    /// How many they are.
    pub(super) rounds: usize,
    /// Elements that departed from the overflow list.
    pub(super) unlisted: u64,
    /// The same, summed up over the rounds.
    pub(super) total: u64,
}

impl Places {
    /// In each of these rounds an element departs and arrives again; those that find their bucket of H full are left in
    /// `arrivals`. It ends before a round in which one departs that is among those.
    ///
    /// The places of all elements that depart are free from then on, in whatever sub-table they are. Where the rule asks those
    /// in the way, it is kept who was asked.
    // A function of its own, as more of the registers is then left for its loop.
    #[inline(never)]
    pub(super) fn open<const H: usize, const ASKS: bool>(
        &mut self,
        block: &DrawnRounds,
        rounds: Range<usize>,
        arrivals: &mut Arrivals,
    ) -> Departed {
        _ = self.make_time(BLOCK);
        let kept = &mut *self.kept;
        let (mut now, mut passed, mut departed) = (self.now, 0, Departed::default());
        // No iterator: with one index for all that is read and written, more is left of the registers.
        let mut round = rounds.start;
        while round < rounds.end.min(BLOCK) {
            let (element, bucket) = (block.elements[round], block.choices[round]);
            let left = kept.of_elements[usize::from(element)];
            if left == ARRIVING {
                break;
            }
            now += STEP;
            kept.free(left, now);
            let is_listed = u64::from(left == LIST);
            departed.unlisted += is_listed;
            departed.total += departed.unlisted;
            let full = come::<H, ASKS>(kept, arrivals, passed, Arriving::new(element, now), bucket);
            passed += usize::from(full);
            round += 1;
        }
        departed.rounds = round - rounds.start;
        self.now = now;
        arrivals.number = passed;
        departed
    }
}

impl Level {
    /// Takes those who arrive in a block, whoever departs in it having been told to, to this sub-table, the first one.
    pub(super) fn receive<const H: usize, const ASKS: bool>(
        &mut self,
        arrivals: &mut Arrivals,
        places: &mut Places,
    ) {
        let number = arrivals.number.min(BLOCK);
        let drawn = &self.own.take(number)[..number];
        let mut passed = 0;
        for (i, &bucket) in drawn.iter().enumerate() {
            let arriving = arrivals.arriving[i];
            let full = come::<H, ASKS>(&mut places.kept, arrivals, passed, arriving, bucket);
            passed += usize::from(full);
        }
        arrivals.number = passed;
    }
}

/// An element comes to its bucket of H. Whether that is full; then it is the one of this number in `arrivals`.
#[inline(always)]
fn come<const H: usize, const ASKS: bool>(
    Kept { states, of_elements, .. }: &mut Kept,
    arrivals: &mut Arrivals,
    passed: usize,
    arriving: Arriving,
    bucket: u16,
) -> bool {
    let (place, state) = look::<H>(states, bucket, arriving.time());
    let full = state > arriving.time();
    let then = if ASKS { state | ASKED } else { state };
    states[usize::from(place)] = select_unpredictable(full, then, TAKEN);
    of_elements[usize::from(arriving.element())] = select_unpredictable(full, ARRIVING, place);
    arrivals.set(passed, arriving);
    if ASKS {
        arrivals.set_in_the_way(passed, InTheWay::new(place, state));
    }
    full
}
