//! As many trials as there are lanes, with Poisson arrivals: in a step an element arrives in some lanes, and one departs in
//! others.
//!
//! Trials come to the end of the warm-up and of the window in different steps, and wait for the last of them there. What is drawn
//! afterwards follows from other seeds, so that it does not depend on how long a trial has waited.

use pulp::Simd;

use super::ByLoad;
use super::draws::{BLOCK, Draws};
use super::jumps::{Jump, Jumps};
use super::lanes::{Arithmetic, Lanes};
use super::search::Search;
use super::system::{Added, Course, System};
use super::together::{Area, Ended, Together, Window};
use crate::keys::Seeds;
use crate::tables::trial::Sums;
use crate::tables::workloads::course::Poisson;

impl Course for Poisson {
    #[inline(always)]
    fn follow<S: Simd, const H: usize, const G: usize>(
        &self,
        lanes: Lanes<S, G>,
        Together { by_load, seeds, .. }: Together<'_>,
        search: Search,
    ) -> Ended {
        let system = System::<S, H, G>::new(lanes, by_load, search);
        Trials { by_load, seeds, search, lanes, system }.run(*self)
    }
}

/// The part of a trial whose chance has seeds of its own.
#[derive(Debug, Clone, Copy)]
enum Part {
    First,
    WarmUp,
    Window,
}

struct Trials<'a, S: Simd, const H: usize, const G: usize> {
    by_load: &'a ByLoad,
    seeds: &'a [Seeds],
    search: Search,
    lanes: Lanes<S, G>,
    system: System<'a, S, H, G>,
}

impl<S: Simd, const H: usize, const G: usize> Trials<'_, S, H, G> {
    #[inline(always)]
    fn run(mut self, Poisson { first, span }: Poisson) -> Ended {
        self.arrive(first);
        self.go_through(Part::WarmUp, span.warm_up);
        let (sums, areas) = self.go_through(Part::Window, span.duration);
        Ended { window: Window::Areas(areas), ..self.system.ended(sums) }
    }

    /// The choices of those who arrive in a part of the trial.
    #[inline(always)]
    fn choices(&self, seeds: &[Seeds]) -> Draws<S, G> {
        Draws::new(self.lanes, self.search.ranges(&self.by_load.buckets), seeds)
    }

    /// So many elements arrive at the beginning.
    #[inline(always)]
    fn arrive(&mut self, number: u32) {
        let mut draws = self.choices(&Part::First.seeds(self.seeds));
        let (all, mut added) = (self.lanes.all(-1), Added::none(self.lanes));
        let mut left = number as usize;
        while left > 0 {
            for choices in draws.block().take(left) {
                self.system.arrive(choices, all, &mut added);
            }
            left = left.saturating_sub(BLOCK);
        }
    }

    /// Goes through the warm-up or the window, which lasts so long; what happened in it.
    #[inline(always)]
    fn go_through(&mut self, part: Part, lasting: f64) -> (Vec<Sums>, Vec<Area<f64>>) {
        let seeds = part.seeds(self.seeds);
        let mut draws = self.choices(&seeds);
        let mut jumps = Jumps::new(self.lanes, self.by_load.elements, lasting, &seeds);
        let before = self.system.number;
        let mut sums = vec![Sums::default(); Lanes::<S, G>::NUMBER];
        while jumps.begin_block() {
            self.block(&mut jumps, &mut draws).add_to(self.lanes, &mut sums);
            jumps.end_block();
        }
        self.system.count_departures(before, &mut sums);
        (sums, jumps.areas())
    }

    #[inline(always)]
    fn block(&mut self, jumps: &mut Jumps<S, G>, draws: &mut Draws<S, G>) -> Added<S, G> {
        let (system, mut added) = (&mut self.system, Added::none(self.lanes));
        for (step, choices) in draws.block().enumerate() {
            let Jump { arrives, departs, rank } = jumps.step(step, system.number, system.listed);
            system.depart(rank, departs);
            system.arrive(choices, arrives, &mut added);
        }
        added
    }
}

impl Part {
    /// Seeds of this part of trials with these.
    fn seeds(self, of_trials: &[Seeds]) -> Vec<Seeds> {
        of_trials.iter().map(|seeds| seeds.of_part(self as u64)).collect()
    }
}
