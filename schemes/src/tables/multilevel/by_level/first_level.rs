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
        let kept = &mut *places.kept;
        let most = elements.len().min(BLOCK);
        let drawn = self.own.take(most);
        let (mut now, mut passed, mut departed) = (places.now, 0, Departed::default());
        for (&element, &bucket) in elements.iter().zip(drawn) {
            let element = element as u16;
            let left = kept.of_elements[usize::from(element)];
            if left == ARRIVING {
                break;
            }
            now += STEP;
            let state = &mut kept.states[usize::from(left)];
            let asked = if ASKS { *state & ASKED } else { 0 };
            *state = (now - ASKED) | asked;
            departed.rounds += 1;
            departed.unlisted += u32::from(left == LIST);
            departed.total += u64::from(departed.unlisted);
            let full = come::<H, ASKS>(kept, arrivals, passed, (element, now), bucket);
            passed += usize::from(full);
        }
        self.own.give_back(most - departed.rounds);
        places.now = now;
        arrivals.number = passed;
        departed
    }

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
            let arriving = (arrivals.elements[i], arrivals.times[i]);
            let full = come::<H, ASKS>(&mut places.kept, arrivals, passed, arriving, bucket);
            passed += usize::from(full);
        }
        arrivals.number = passed;
    }
}

/// An element comes to its bucket of H at this time. Whether that is full; then it is the one of this number in `arrivals`.
#[inline(always)]
fn come<const H: usize, const ASKS: bool>(
    Kept { states, of_elements, .. }: &mut Kept,
    arrivals: &mut Arrivals,
    passed: usize,
    (element, now): (u16, u16),
    bucket: u16,
) -> bool {
    let (place, state) = look::<H>(states, bucket, now);
    let full = state > now;
    let then = if ASKS { state | ASKED } else { state };
    states[usize::from(place)] = select_unpredictable(full, then, TAKEN);
    of_elements[usize::from(element)] = select_unpredictable(full, ARRIVING, place);
    arrivals.set(passed, element, now);
    if ASKS {
        arrivals.set_in_the_way(passed, place, state);
    }
    full
}
