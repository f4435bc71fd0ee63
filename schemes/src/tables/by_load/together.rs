//! Trials that go in lockstep, and what they come to.

use std::cell::RefCell;

use pulp::Simd;

use super::lanes::{Arithmetic, Lanes, MOST_LANES, Numbers};
use super::loads::Loads;
use super::named::tables::Memory;
use super::search::Search;
use super::{AT_ONCE, ByLoad, Way};
use crate::keys::Seeds;
use crate::tables::SubTableUse;
use crate::tables::readings::{Moving, Outcome};
use crate::tables::trial::Sums;
use crate::tables::workloads::course::{Averages, Tally};

/// Trials to be run in lockstep, as many as there are lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Together<'a> {
    pub(super) by_load: &'a ByLoad,
    /// Those of [`AT_ONCE`](super::AT_ONCE) trials.
    pub(super) seeds: &'a [Seeds],
    pub(super) spare: &'a Spare,
}

/// The memory of tables whose trials are over, for the next ones.
pub(super) type Spare = RefCell<Option<Memory>>;

/// A time, and the integrals over it of the number in the system and of the length of the overflow list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area<T> {
    pub(super) time: T,
    pub(super) system: T,
    pub(super) overflow: T,
}

/// What the windows of trials were like, beside their sums.
pub(super) enum Window {
    /// The sums say all.
    Rounds,
    /// What each trial was like over time.
    Areas(Vec<Area<f64>>),
    /// What all were like after each slot.
    Slots(Tally<AT_ONCE>),
}

impl Window {
    /// Adds that of this trial to averages, and says whether there is any.
    fn add_to(&mut self, lane: usize, averages: &mut Averages<'_>) -> bool {
        match self {
            Self::Rounds => return false,
            Self::Areas(areas) => {
                let Area { time, system, overflow } = areas[lane];
                averages.add_total(time, system, overflow);
            }
            Self::Slots(tally) => tally.add_to(lane, averages),
        }
        true
    }
}

/// What they came to.
pub(super) struct Ended {
    pub(super) sums: Vec<Sums>,
    pub(super) window: Window,
    /// Buckets with 0, 1, … elements in each sub-table, or in the table.
    pub(super) with: Vec<Vec<[i32; MOST_LANES]>>,
    pub(super) listed: [i32; MOST_LANES],
}

impl Ended {
    /// Trials that came to these sums, and left tables like that.
    #[inline(always)]
    pub(super) fn new<S: Simd, const H: usize, const G: usize>(
        lanes: Lanes<S, G>,
        sums: Vec<Sums>,
        loads: &[Loads<S, H, G>],
        listed: Numbers<S, G>,
        by_load: &ByLoad,
    ) -> Self {
        let with = loads.iter().zip(&by_load.buckets);
        let with = with.map(|(loads, &buckets)| loads.with(buckets)).collect();
        Self { sums, window: Window::Rounds, with, listed: lanes.to_array(listed) }
    }

    /// What the window of this trial was like, in averages in place of what they were.
    pub(super) fn averages<'a, 'f>(
        &mut self,
        lane: usize,
        averages: &'a mut Averages<'f>,
    ) -> Option<&'a Averages<'f>> {
        averages.clear();
        self.window.add_to(lane, averages).then_some(averages)
    }

    pub(super) fn outcome(&self, lane: usize, by_load: &ByLoad) -> Outcome {
        let h = usize::from(by_load.bucket_size);
        let mut occupancy = vec![0; h + 1];
        let mut sub_tables = Vec::new();
        for (with, &buckets) in self.with.iter().zip(&by_load.buckets) {
            let with = with.iter().map(|lanes| lanes[lane] as u64);
            let elements = (0..).zip(with.clone()).map(|(load, buckets)| load * buckets).sum();
            occupancy.iter_mut().zip(with).for_each(|(all, buckets)| *all += buckets);
            sub_tables.push(SubTableUse { elements, places: u64::from(buckets) * h as u64 });
        }
        // As other tables tell it.
        if !matches!(by_load.way, Way::Searching(Search::InTurn) | Way::Filling { .. }) {
            sub_tables.clear();
        }
        let upon_insertion = matches!(by_load.way, Way::Filling { .. });
        let moving = Moving { upon_insertion, back: by_load.move_back.is_some() };
        Outcome::by_load(self.listed[lane] as u32, sub_tables, occupancy, moving)
    }
}
