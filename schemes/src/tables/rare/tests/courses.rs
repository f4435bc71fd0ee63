//! Splitting of trials that follow a course: against exact laws of one bucket, and against plain simulation.

use super::{Given, OneChoice, Readings, asked};
use crate::case::Case;
use crate::hash::derive_seed;
use crate::rare::{Branch, Event};
use crate::tables::metrics::OVERFLOW_ELEMENTS;
use crate::tables::theory::on_off::OnOff;

fn case(scheme: &str, workload: &str, beyond: i64, ever: bool, own: &Given<'_>) -> Box<dyn Case> {
    let particles = ("particles", 100_i64.into());
    let given = [&asked("splitting", beyond)[..], &[("ever", ever.into()), particles], own];
    super::case(scheme, workload, &given.concat())
}

/// Fails where the mean of 40 runs is 4.5 of its standard errors away from the truth, or says little of it.
fn assert_exact(case: &dyn Case, exact: f64, what: &str) {
    let found = Readings::of(case, 40);
    let (mean, error) = (found.mean(), found.error());
    assert!((mean - exact).abs() < 4.5 * error, "{what}: {mean:e} ± {error:e}, not {exact:e}");
    assert!(error < 0.25 * exact, "{what}: {mean:e} ± {error:e} decides nothing about {exact:e}");
}

/// The law of a Poisson number, up to where hardly any is.
fn poisson(mean: f64) -> Vec<f64> {
    let most = (mean + 20.0 * mean.sqrt() + 20.0) as usize;
    let terms = (1..most).scan((-mean).exp(), |term, k| {
        *term *= mean / k as f64;
        Some(*term)
    });
    std::iter::once((-mean).exp()).chain(terms).collect()
}

/// One bucket, and the list behind it, from an empty system on: the probability of each number in both.
#[derive(Clone)]
struct OneBucket {
    size: usize,
    /// By elements in the bucket, then on the list.
    law: Vec<Vec<f64>>,
}

/// Longest list that is told apart.
const LONGEST: usize = 80;

impl OneBucket {
    fn empty(size: usize) -> Self {
        let mut law = vec![vec![0.0; LONGEST + 1]; size + 1];
        law[0][0] = 1.0;
        Self { size, law }
    }

    /// The law after something that leads from each state to others, with these probabilities.
    fn after(&self, leads_to: impl Fn(usize, usize) -> Vec<(usize, usize, f64)>) -> Self {
        let mut next = vec![vec![0.0; LONGEST + 1]; self.size + 1];
        for (stored, row) in self.law.iter().enumerate() {
            for (listed, p) in row.iter().enumerate().filter(|(_, p)| **p > 0.0) {
                for (to_stored, to_listed, q) in leads_to(stored, listed) {
                    next[to_stored][to_listed.min(LONGEST)] += p * q;
                }
            }
        }
        Self { law: next, ..self.clone() }
    }

    fn arrived(&self, stored: usize, listed: usize) -> (usize, usize) {
        if stored < self.size { (stored + 1, listed) } else { (stored, listed + 1) }
    }

    /// The probability of a longer list.
    fn exceeds(&self, beyond: usize) -> f64 {
        self.law.iter().flat_map(|row| &row[beyond + 1..]).sum()
    }

    /// The probability that a list is no longer, which is lost from the law.
    fn cut(&mut self, beyond: usize) -> f64 {
        let cut = self.exceeds(beyond);
        self.law.iter_mut().for_each(|row| row[beyond + 1..].fill(0.0));
        cut
    }

    /// A jump of Poisson arrivals at this rate and of lifetimes of mean 1, if there is any in this share of the time.
    fn jump(&self, rate: f64, most: f64) -> Self {
        self.after(|stored, listed| {
            let (a, b) = self.arrived(stored, listed);
            let mut to = vec![(a, b, rate / most)];
            let leaving = [stored, listed].map(|number| number as f64 / most);
            if stored > 0 {
                to.push((stored - 1, listed, leaving[0]));
            }
            if listed > 0 {
                to.push((stored, listed - 1, leaving[1]));
            }
            to.push((stored, listed, 1.0 - rate / most - leaving[0] - leaving[1]));
            to
        })
    }
}

/// The probability of a longer list at this time, or at any up to it, of an open system that begins empty.
fn open_exceeds(size: usize, rate: f64, time: f64, beyond: usize, ever: bool) -> f64 {
    let most = rate + (size + LONGEST) as f64;
    let (mut system, mut cut, mut sum) = (OneBucket::empty(size), 0.0, 0.0);
    for jumps in poisson(most * time) {
        sum += jumps * (cut + system.exceeds(beyond));
        system = system.jump(rate, most);
        cut += if ever { system.cut(beyond) } else { 0.0 };
    }
    sum
}

/// At the end and at any time, down to probabilities that no plain simulation comes near to.
#[test]
fn lists_of_an_open_system_with_one_bucket_are_exact() {
    let given = [
        ("elements", 6_i64.into()),
        ("buckets", 1_i64.into()),
        ("bucket_size", 4_i64.into()),
        ("start", "empty".into()),
        ("warm_up", 0.0.into()),
        ("duration", 1.5.into()),
    ];
    for (beyond, ever) in [(6, false), (13, false), (7, true), (14, true)] {
        let exact = open_exceeds(4, 6.0, 1.5, beyond as usize, ever);
        let case = case("single", "open", beyond, ever, &given);
        assert_exact(&*case, exact, &format!("{beyond} {ever}"));
    }
}

/// Likewise the list behind one bucket of a queue of on-off flows, from an empty system on.
fn queue_exceeds(flows: &OnOff, size: usize, slots: u64, beyond: usize, ever: bool) -> f64 {
    let transitions = flows.transitions();
    let begin =
        |&share: &f64| OneBucket::empty(size).after(|stored, listed| vec![(stored, listed, share)]);
    let mut by_flows: Vec<OneBucket> = flows.flows_on().iter().map(begin).collect();
    let mut cut = 0.0;
    for _ in 0..slots {
        let slot = |on: usize| {
            let mut next = OneBucket::empty(size).after(|_, _| Vec::new());
            for (from, system) in by_flows.iter().enumerate() {
                let moved = system.after(|stored, listed| {
                    let arrive = |(a, b), _| system.arrived(a, b);
                    let (a, b) = (0..on).fold((stored, listed), arrive);
                    departed(a, b, transitions[from][on])
                });
                for (row, more) in next.law.iter_mut().zip(&moved.law) {
                    row.iter_mut().zip(more).for_each(|(sum, p)| *sum += p);
                }
            }
            next
        };
        by_flows = (0..by_flows.len()).map(slot).collect();
        if ever {
            cut += by_flows.iter_mut().map(|system| system.cut(beyond)).sum::<f64>();
        }
    }
    cut + by_flows.iter().map(|system| system.exceeds(beyond)).sum::<f64>()
}

/// One of so many elements departs, if there is any.
fn departed(stored: usize, listed: usize, share: f64) -> Vec<(usize, usize, f64)> {
    let each = share / (stored + listed).max(1) as f64;
    let mut to = Vec::new();
    if stored + listed == 0 {
        to.push((0, 0, share));
    }
    if stored > 0 {
        to.push((stored - 1, listed, each * stored as f64));
    }
    if listed > 0 {
        to.push((stored, listed - 1, each * listed as f64));
    }
    to
}

#[test]
fn lists_of_a_queue_with_one_bucket_are_exact() {
    let flows = OnOff { flows: 3, rate: 0.25, burst: 2.0 };
    let given = [
        ("flows", 3_i64.into()),
        ("rate", 0.25.into()),
        ("burst", 2.0.into()),
        ("buckets", 1_i64.into()),
        ("bucket_size", 2_i64.into()),
        ("warm_up", 0_i64.into()),
        ("slots", 40_i64.into()),
    ];
    for (beyond, ever) in [(7, false), (22, false), (9, true), (24, true)] {
        let exact = queue_exceeds(&flows, 2, 40, beyond as usize, ever);
        let case = case("single", "on-off", beyond, ever, &given);
        assert_exact(&*case, exact, &format!("{beyond} {ever}"));
    }
}

/// In equilibrium: rounds come at rate n, so that their number is Poisson.
#[test]
fn lists_in_continuous_time_are_exact() {
    let (chain, duration) = (OneChoice { n: 20, m: 60 }, 0.6);
    let given = [
        ("elements", 20_i64.into()),
        ("sub_table_buckets", "60".into()),
        ("warm_up", 8.0.into()),
        ("duration", duration.into()),
    ];
    for (beyond, ever) in [(5, false), (10, false), (6, true), (11, true)] {
        let exact = match ever {
            true => {
                let rounds = poisson(chain.n as f64 * duration);
                let exceeds = |k| chain.exceeds_within(beyond as usize, k);
                rounds.iter().zip(0..).map(|(p, k)| p * exceeds(k)).sum()
            }
            false => chain.stationary()[beyond as usize + 1..].iter().sum::<f64>(),
        };
        let case = case("multiple", "continuous", beyond, ever, &given);
        assert_exact(&*case, exact, &format!("{beyond} {ever}"));
    }
}

/// A length that one of thirty plain trials exceeds, about.
fn seldom(scheme: &str, workload: &str, ever: bool, own: &Given<'_>) -> i64 {
    let event = Event { metric: OVERFLOW_ELEMENTS, beyond: 29, ever };
    let case = super::case(scheme, workload, own);
    let mut trials = case.counted(&event).unwrap();
    let count = |trial| {
        let seed = derive_seed(23, trial);
        trials.run(&[Branch { step: 0, seed }], &mut Vec::new());
        trials.count()
    };
    let mut lengths: Vec<u64> = (0..300).map(count).collect();
    lengths.sort_unstable();
    lengths[289] as i64
}

/// Every workload that follows a course, also with rules that move elements; at the end and at any time.
#[test]
fn splitting_and_plain_trials_of_courses_agree() {
    for (scheme, workload, own, ever) in cases() {
        let beyond = seldom(scheme, workload, ever, &own);
        let of = |estimator, more: &Given<'_>, trials| {
            let own = [&[("ever", ever.into())], &own[..], more].concat();
            let given = [&asked(estimator, beyond)[..], &own].concat();
            Readings::of(&*super::case(scheme, workload, &given), trials)
        };
        let particles = [("particles", 50_i64.into())];
        let (split, plain) = (of("splitting", &particles, 30), of("plain", &[], 2000));
        let error = split.error().hypot(plain.error());
        assert!(plain.mean() > 1e-3 && plain.mean() < 0.3, "{scheme} {workload}: {}", plain.mean());
        assert!(
            (split.mean() - plain.mean()).abs() < 4.5 * error,
            "{scheme} {workload} {beyond}: {} or {} ± {error}",
            split.mean(),
            plain.mean()
        );
    }
}

type Known = (&'static str, &'static str, Vec<(&'static str, crate::params::Scalar)>, bool);

fn cases() -> Vec<Known> {
    let several = [("choices", 2_i64.into()), ("bucket_size", 1_i64.into())];
    let timed = [
        ("elements", 30_i64.into()),
        ("buckets", 30_i64.into()),
        ("warm_up", 3.0.into()),
        ("duration", 1.0.into()),
    ];
    let flows = [
        ("flows", 4_i64.into()),
        ("rate", 0.22.into()),
        ("burst", 3.0.into()),
        ("buckets", 16_i64.into()),
        ("warm_up", 100_i64.into()),
        ("slots", 50_i64.into()),
    ];
    let of = |scheme, workload, ever| {
        let own = if workload == "on-off" { &flows[..] } else { &timed };
        (scheme, workload, [&several[..], own].concat(), ever)
    };
    vec![
        of("d-random", "continuous", false),
        of("second-chance", "continuous", true),
        of("multiple", "open", false),
        of("d-random", "open", true),
        of("d-random", "on-off", false),
        of("multiple", "on-off", true),
    ]
}
