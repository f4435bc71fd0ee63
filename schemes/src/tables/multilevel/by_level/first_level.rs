//! Departures, and the arrivals of their block in the first sub-table.

use std::hint::select_unpredictable;

use super::arrivals::{Arrivals, BLOCK};
use super::level::Level;
use super::places::{ARRIVING, ASKED, Kept, LIST, Places, STEP, TAKEN, look};

/// Rounds of a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Departed {
    /// How many they are.
    pub(super) rounds: usize,
    /// Elements that departed from the overflow list.
    pub(super) unlisted: u32,
    /// The same, summed up over the rounds.
    pub(super) total: u64,
}

impl Level {
    /// In each round one of these elements departs and arrives again; those that find their bucket of H full are left in
    /// `arrivals`. It ends before a round in which one departs that is among those.
    ///
    /// The places of all elements that depart are free from then on, in whatever sub-table they are. Where the rule asks those
    /// in the way, it is kept who was asked.
    pub(super) fn open<const H: usize, const ASKS: bool>(
        &mut self,
        elements: &[u32],
        arrivals: &mut Arrivals,
        places: &mut Places,
    ) -> Departed {
        _ = places.make_time(BLOCK);
        let Kept { states, of_elements, .. } = &mut *places.kept;
        let most = elements.len().min(BLOCK);
        let drawn = self.own.take(most);
        let (mut now, mut passed, mut departed) = (places.now, 0, Departed::default());
        for (&element, &bucket) in elements.iter().zip(drawn) {
            let element = element as u16;
            let left = of_elements[usize::from(element)];
            if left == ARRIVING {
                break;
            }
            now += STEP;
            let asked = if ASKS { states[usize::from(left)] & ASKED } else { 0 };
            states[usize::from(left)] = (now - ASKED) | asked;
            departed.rounds += 1;
            departed.unlisted += u32::from(left == LIST);
            departed.total += u64::from(departed.unlisted);
            let (place, state) = look::<H>(states, bucket, now);
            let full = state > now;
            let then = if ASKS { state | ASKED } else { state };
            states[usize::from(place)] = select_unpredictable(full, then, TAKEN);
            of_elements[usize::from(element)] = select_unpredictable(full, ARRIVING, place);
            arrivals.set(passed, element, now);
            if ASKS {
                arrivals.set_in_the_way(passed, place, state);
            }
            passed += usize::from(full);
        }
        self.own.give_back(most - departed.rounds);
        places.now = now;
        arrivals.number = passed;
        departed
    }
}
