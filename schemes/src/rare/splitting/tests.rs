//! Splitting against probabilities that are known exactly.

use rand::{Rng as _, SeedableRng};

use super::run::Particle;
use super::*;
use crate::Rng;
use crate::hash::derive_seed;
use crate::rare::Counted;

/// Steps of a walk: up with probability `up`, else down, not at all where `down` is not set.
#[derive(Debug, Clone, Copy)]
struct Walk {
    start: i64,
    up: f64,
    down: bool,
    steps: u64,
    /// The walk ends here or, where it can go down, at 0.
    top: i64,
    score: fn(&Walk, u64, i64) -> f64,
    target: f64,
    /// Steps at the end that are not made, but averaged over; at most one, of a walk that does not go down.
    averaged: u64,
}

impl Walk {
    fn draws_up(&self, rng: &mut Rng) -> bool {
        (rng.next_u64() >> 11) as f64 * 2f64.powi(-53) < self.up
    }

    fn is_over(&self, height: i64) -> bool {
        height >= self.top || (self.down && height <= 0)
    }

    fn chance(&self, height: i64) -> f64 {
        match height {
            _ if height >= self.top => 1.0,
            _ if self.averaged > 0 && height + 1 == self.top => self.up,
            _ => 0.0,
        }
    }
}

impl Walk {
    /// The height at the end.
    fn end(&self, history: &[Branch], rises: &mut Vec<Rise>) -> i64 {
        let (mut height, mut peak) = (self.start, f64::NEG_INFINITY);
        let mut branches = history.iter().peekable();
        let mut rng = Rng::seed_from_u64(0);
        for step in 0..self.steps - self.averaged {
            if let Some(branch) = branches.next_if(|branch| branch.step == step) {
                rng = Rng::seed_from_u64(branch.seed);
            }
            if self.is_over(height) {
                break;
            }
            height += if self.draws_up(&mut rng) { 1 } else { -i64::from(self.down) };
            let score = (self.score)(self, step, height);
            if score > peak {
                peak = score;
                rises.push(Rise { step, score });
            }
        }
        height
    }
}

impl Rare for Walk {
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        self.chance(self.end(history, rises))
    }

    fn target(&self) -> f64 {
        self.target
    }
}

/// The number of heads, whatever the time: many particles have the same peak.
fn height(_: &Walk, _: u64, height: i64) -> f64 {
    height as f64
}

/// What the tail of a Poisson law would say, roughly: how many standard deviations are missing.
fn deviations(walk: &Walk, step: u64, height: i64) -> f64 {
    if height >= walk.top {
        return walk.target;
    }
    let left = (walk.steps - step) as f64 * walk.up;
    -((walk.top - height) as f64 - left) / left.sqrt()
}

/// The chance of more than `top` − 1 heads.
fn binomial_tail(steps: u64, up: f64, top: u64) -> f64 {
    let term = |k: u64| {
        let ways = (1..=k).fold(1.0, |ways, i| ways * (steps - k + i) as f64 / i as f64);
        ways * up.powi(k as i32) * (1.0 - up).powi((steps - k) as i32)
    };
    (top..=steps).map(term).sum()
}

fn coins(top: i64, score: fn(&Walk, u64, i64) -> f64) -> Walk {
    let target = top as f64;
    Walk { start: 0, up: 0.02, down: false, steps: 200, top, score, target, averaged: 0 }
}

/// Fails where the mean of so many estimates is 4.5 of its standard errors away from the truth.
fn assert_unbiased(walk: Walk, particles: u32, estimates: u64, truth: f64) {
    let of = |seed| estimate(&mut walk.clone(), particles, derive_seed(11, seed)).probability;
    let all: Vec<f64> = (0..estimates).map(of).collect();
    let mean = all.iter().sum::<f64>() / estimates as f64;
    let squares: f64 = all.iter().map(|x| (x - mean).powi(2)).sum();
    let error = (squares / (estimates * (estimates - 1)) as f64).sqrt();
    assert!(error < 0.1 * truth, "{walk:?}: {mean} ± {error} decides nothing");
    assert!((mean - truth).abs() < 4.5 * error, "{walk:?}: {mean} ± {error}, not {truth}");
}

/// Ties, scores that see nothing of the time, and two particles: all of them cost variance alone.
#[test]
fn the_mean_is_the_probability_for_any_score_and_number_of_particles() {
    for top in [7, 10] {
        let truth = binomial_tail(200, 0.02, top as u64);
        assert_unbiased(coins(top, height), 20, 2000, truth);
        assert_unbiased(coins(top, deviations), 20, 2000, truth);
    }
    assert_unbiased(coins(7, deviations), 2, 20_000, binomial_tail(200, 0.02, 7));
    assert_unbiased(coins(7, height), 3, 20_000, binomial_tail(200, 0.02, 7));
}

#[test]
fn probabilities_that_no_plain_simulation_sees() {
    let truth = binomial_tail(200, 0.02, 25);
    assert!(truth < 2e-12, "{truth}");
    assert_unbiased(coins(25, deviations), 100, 120, truth);
}

/// A walk that tells how high it got.
struct Climb {
    walk: Walk,
    height: i64,
}

impl Rare for Climb {
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        self.height = self.walk.end(history, rises);
        self.walk.chance(self.height)
    }

    fn target(&self) -> f64 {
        self.walk.target
    }
}

impl Counted for Climb {
    fn beyond(&self) -> u64 {
        self.walk.top as u64 - 1
    }

    fn count(&self) -> u64 {
        self.height as u64
    }
}

/// The counts below that of the event, at which the score does not aim, too.
#[test]
fn one_run_tells_the_probabilities_of_all_counts() {
    let (top, runs) = (12, 1000);
    let of = |seed| {
        let mut climb = Climb { walk: coins(top, deviations), height: 0 };
        tail(&mut climb, 50, derive_seed(12, seed), &|| true).unwrap()
    };
    let tails: Vec<Tail> = (0..runs).map(of).collect();
    for count in [5, 8, 11] {
        let truth = binomial_tail(200, 0.02, count + 1);
        let all: Vec<f64> = tails.iter().map(|tail| tail.exceeds(count)).collect();
        let mean = all.iter().sum::<f64>() / runs as f64;
        let squares: f64 = all.iter().map(|x| (x - mean).powi(2)).sum();
        let error = (squares / (runs * (runs - 1)) as f64).sqrt();
        assert!(error < 0.05 * truth, "{count}: {mean} ± {error} decides nothing");
        assert!((mean - truth).abs() < 4.5 * error, "{count}: {mean} ± {error}, not {truth}");
    }
}

/// A tail is of the same run as the estimate of the event.
#[test]
fn the_end_of_a_tail_is_the_estimate() {
    let walk = coins(12, deviations);
    let Estimate { probability, runs, extinct } = estimate(&mut walk.clone(), 40, 9);
    let found = tail(&mut Climb { walk, height: 0 }, 40, 9, &|| true).unwrap();
    assert!(probability > 0.0 && !extinct, "{probability}");
    assert!((found.exceeds(11) - probability).abs() < 1e-12 * probability);
    assert_eq!((found.runs, found.extinct), (runs, extinct));
}

#[test]
fn a_run_without_time_says_nothing() {
    let left = std::cell::Cell::new(60);
    let goes_on = || left.replace(left.get() - 1) > 0;
    let climb = &mut Climb { walk: coins(12, deviations), height: 0 };
    assert_eq!(tail(climb, 40, 9, &goes_on), None);
}

/// From height 1 the walk is at the top before it is at 0 with probability (r − 1)/(r^top − 1), r = down/up.
#[test]
fn a_gambler_gets_rich_as_seldom_as_he_should() {
    for (up, top) in [(0.4, 15), (0.3, 24)] {
        let walk = Walk { start: 1, up, down: true, steps: 100_000, ..coins(top, height) };
        let ratio = (1.0 - up) / up;
        let truth = (ratio - 1.0) / (ratio.powi(top as i32) - 1.0);
        assert_unbiased(walk, 50, 300, truth);
    }
}

/// The event need not be decided when the steps are over.
#[test]
fn chances_between_0_and_1_count_as_such() {
    let truth = binomial_tail(200, 0.02, 10);
    for score in [height, deviations] {
        assert_unbiased(Walk { averaged: 1, ..coins(10, score) }, 30, 1000, truth);
    }
}

/// A level that nothing exceeds leaves nobody to be copied.
#[test]
fn what_cannot_happen_is_0_and_says_that_it_died_out() {
    let impossible = Walk { steps: 5, ..coins(9, height) };
    let found = estimate(&mut impossible.clone(), 10, 1);
    assert_eq!((found.probability, found.extinct), (0.0, true));
    assert!(found.runs >= 10);
}

/// A particle that no score tells from the others is not copied, and its chance counts all the same.
#[test]
fn without_a_score_it_is_plain_simulation() {
    let score = |_: &Walk, _, _| f64::NEG_INFINITY;
    let plain = coins(5, score);
    let found = estimate(&mut plain.clone(), 4000, 3);
    assert_eq!(found.runs, 4000);
    let truth = binomial_tail(200, 0.02, 5);
    assert!((found.probability - truth).abs() < 4.5 * (truth / 4000.0).sqrt());
}

#[test]
fn the_same_seed_gives_the_same_estimate() {
    let of = |seed| estimate(&mut coins(12, deviations), 20, seed);
    assert_eq!(of(5), of(5));
    assert_ne!(of(5).probability, of(6).probability);
}

/// A copy shares the path of its original up to the first step above the level, and no further.
#[test]
fn a_copy_leaves_after_the_first_step_above_the_level() {
    let original = Particle {
        history: vec![
            Branch { step: 0, seed: 1 },
            Branch { step: 4, seed: 2 },
            Branch { step: 9, seed: 3 },
        ],
        rises: vec![
            Rise { step: 2, score: 1.0 },
            Rise { step: 5, score: 2.0 },
            Rise { step: 8, score: 3.0 },
        ],
        outcome: 0.0,
    };
    let copy = |level| {
        let mut history = vec![Branch { step: 7, seed: 9 }];
        original.branched(level, 4, &mut history);
        history.iter().map(|branch| (branch.step, branch.seed)).collect::<Vec<_>>()
    };
    assert_eq!(copy(0.5), [(0, 1), (3, 4)]);
    assert_eq!(copy(1.0), [(0, 1), (4, 2), (6, 4)]);
    assert_eq!(copy(2.0), [(0, 1), (4, 2), (9, 4)]);
}
