//! On-off flows in front of a table: the number of elements in the system as a queue.
//!
//! Source: "Hash Tables With Finite Buckets Are Less Resistant to Deletions", Section VIII-C. In each
//! slot every flow goes on or off, every flow that is on brings an element, and one of the elements is
//! deleted if there is any. With `B` flows on, `N` elements become `max(N + B − 1, 0)`.
//!
//! `(N, B)` is a chain of the M/G/1 type that goes down one level only without an arrival, hence always
//! into `B = 0`. Ramaswami's recursion then consists of two by two equations. With
//! `y_n = π_n·T`, where `T` is the chain of `B`:
//!
//! - `π_n[b] = y_{n+1−b}[b]` for `b ≥ 1`, as level `n` is reached with `b` flows on from one level only;
//! - `π_n[0] = Σ_{l ≤ n} Σ_{b ≥ n+2−l} y_l[b]`: what goes up past level `n ≥ 1` comes down again;
//! - `y_0[0] = 1 − U`, the slots without an element to delete, `U` being the arrivals per slot.
//!
//! No step subtracts, so that small probabilities keep their digits.

use std::collections::VecDeque;

use crate::math::ratios;

/// Exchangeable flows, each on or off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnOff {
    /// Number of flows, the paper's `k`, at least 1. Laws take memory in proportion to it.
    pub flows: u32,
    /// Share of the slots in which a flow is on, the paper's `ρ`, in `(0, burst/(burst + 1)]`.
    pub rate: f64,
    /// Mean number of slots for which a flow stays on, at least 1.
    pub burst: f64,
}

/// The number of elements in the system in equilibrium, after the deletion of a slot.
#[derive(Debug, Clone, PartialEq)]
pub struct QueueLaw {
    /// Probabilities of 0, 1, …; those left out have a probability of about 1e-12 together.
    pub shares: Vec<f64>,
}

/// A queue without a law.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum QueueError {
    /// As many elements arrive as can leave, or more.
    #[error("{arrivals} elements arrive per slot and one leaves: the number in the system grows")]
    Unstable {
        /// Elements per slot.
        arrivals: f64,
    },
    /// The law has too many values that matter.
    #[error("the number of elements in the system was not computed: it exceeds {elements}")]
    TooLong {
        /// Numbers that the budget allows.
        elements: usize,
    },
}

/// Numbers of flows on that are less likely than this, together, are left out.
const NEGLIGIBLE: f64 = 1e-18;
/// Probability of what is left out of a law of the number of elements.
const REMAINDER: f64 = 1e-12;
/// Steps after which a law is given up: about a second.
const MOST_WORK: usize = 500_000_000;
/// Steps that a level takes beside its multiplications.
const OVERHEAD: usize = 300;

impl OnOff {
    /// Elements that arrive per slot.
    pub fn arrivals(&self) -> f64 {
        f64::from(self.flows) * self.rate
    }

    /// Mean number of elements in the system in equilibrium, after the deletion of a slot; infinite where
    /// as many arrive as can leave.
    ///
    /// With the square of `max(N + B − 1, 0)` and means taken, `λ` being the correlation of `B` from slot
    /// to slot: `E[N] = k(k − 1)ρ²/(2(1 − kρ)) · (1 + λ)/(1 − λ)`.
    pub fn mean(&self) -> f64 {
        let others = f64::from(self.flows.saturating_sub(1));
        let slack = (1.0 - self.arrivals()).max(0.0);
        self.arrivals() * others * self.rate / (2.0 * slack) * self.persistence()
    }

    /// Slots after which the number of elements in the system has about forgotten what it was: that
    /// of a Brownian motion with the same drift and variance, twice the variance per slot over the
    /// squared drift, and the mean length of a burst where that is longer.
    pub fn relaxation_time(&self) -> f64 {
        (2.0 * self.variance() / (1.0 - self.arrivals()).powi(2)).max(self.burst)
    }

    /// Variance of the elements that arrive in many slots, per slot.
    pub fn variance(&self) -> f64 {
        self.arrivals() * (1.0 - self.rate) * self.persistence()
    }

    /// `(1 + λ)/(1 − λ)`, where `λ` is the correlation of a flow from slot to slot.
    fn persistence(&self) -> f64 {
        let changes = self.burst.recip() + self.wake();
        (2.0 - changes) / changes
    }

    /// Probability that a flow that is off goes on.
    fn wake(&self) -> f64 {
        self.rate / (self.burst * (1.0 - self.rate))
    }

    /// Probability of `b` flows on in a slot, `b = 0..`; binomial.
    ///
    /// The numbers above some `b ≥ 1` are left out, whose probability is below 1e-18.
    pub fn flows_on(&self) -> Vec<f64> {
        let mut law = binomial(self.flows, self.rate);
        let mut left_out = 0.0;
        while let Some(&last) = law.last()
            && law.len() > 2
            && left_out + last < NEGLIGIBLE
        {
            left_out += last;
            law.pop();
        }
        law
    }

    /// The law of the next number of flows on (columns), given the present one (rows).
    ///
    /// It has the numbers of [`Self::flows_on`], of which the last stands for itself and all above.
    /// Takes `O(b³)` steps for `b` of them: a second for 1,000, microseconds if the queue is stable.
    pub fn transitions(&self) -> Vec<Vec<f64>> {
        let numbers = self.flows_on().len();
        let stay = 1.0 - self.burst.recip();
        let row = |on: u32| {
            let staying = binomial(on, stay);
            let waking = binomial(self.flows.saturating_sub(on), self.wake());
            sum_up_to(numbers - 1, &staying, &waking)
        };
        (0..).take(numbers).map(row).collect()
    }

    /// The number of elements in the system in equilibrium.
    ///
    /// # Errors
    /// [`QueueError::Unstable`] where at least one element arrives per slot, [`QueueError::TooLong`] where that
    /// is so close that the law would take seconds.
    pub fn law(&self) -> Result<QueueLaw, QueueError> {
        let arrivals = self.arrivals();
        if arrivals.is_nan() || arrivals >= 1.0 {
            return Err(QueueError::Unstable { arrivals });
        }
        let mut levels = Levels::new(self.transitions(), 1.0 - arrivals);
        let most = MOST_WORK / (levels.transitions.len().pow(2) + OVERHEAD);
        let mut shares = vec![levels.bottom()];
        let (mut total, mut remainder) = (shares[0], f64::INFINITY);
        while remainder > REMAINDER || total < 0.5 {
            if shares.len() >= most {
                return Err(QueueError::TooLong { elements: most });
            }
            let (last, next) = (shares[shares.len() - 1], levels.next());
            remainder = geometric_tail(last, next);
            total += next;
            shares.push(next);
        }
        Ok(QueueLaw { shares })
    }
}

impl QueueLaw {
    /// Mean number of elements in the system.
    pub fn mean(&self) -> f64 {
        (0_u32..).zip(&self.shares).map(|(elements, p)| f64::from(elements) * p).sum()
    }
}

/// What comes after `next` if the ratio to the share `last` before it stays the same.
fn geometric_tail(last: f64, next: f64) -> f64 {
    if next < last { next * next / (last - next) } else { f64::INFINITY }
}

/// Binomial law of `0..=n`.
fn binomial(n: u32, p: f64) -> Vec<f64> {
    if p >= 1.0 {
        return (0..=n).map(|k| f64::from(u8::from(k == n))).collect();
    }
    let odds = p / (1.0 - p);
    let steps: Vec<f64> = (1..=n).map(|k| f64::from(n - k + 1) / f64::from(k) * odds).collect();
    ratios::distribution(&steps)
}

/// The law of the sum of two numbers, of which `most` stands for itself and all above.
fn sum_up_to(most: usize, left: &[f64], right: &[f64]) -> Vec<f64> {
    let mut law = vec![0.0; most + 1];
    for (i, p) in left.iter().enumerate() {
        for (j, q) in right.iter().enumerate() {
            law[(i + j).min(most)] += p * q;
        }
    }
    law
}

/// The levels `N = 0, 1, …` of the chain, one after the other.
struct Levels {
    transitions: Vec<Vec<f64>>,
    /// `y` of the levels that still matter, the newest first.
    flows: VecDeque<Vec<f64>>,
    /// For each of them the sums of `y[b]` over `b ≥ i`.
    sums: VecDeque<Vec<f64>>,
    /// Slots without an element to delete.
    idle: f64,
}

impl Levels {
    fn new(transitions: Vec<Vec<f64>>, idle: f64) -> Self {
        Self { transitions, flows: VecDeque::new(), sums: VecDeque::new(), idle }
    }

    /// Probability of one step.
    fn step(&self, from: usize, to: usize) -> f64 {
        self.transitions.get(from).and_then(|row| row.get(to)).copied().unwrap_or(0.0)
    }

    /// Probability of a step to another number.
    fn leave(&self, from: usize) -> f64 {
        let row = self.transitions.get(from).into_iter().flatten().enumerate();
        row.filter(|&(to, _)| to != from).map(|(_, p)| p).sum()
    }

    /// The probability of level 0, which is left idle with 0 or 1 flows on.
    fn bottom(&mut self) -> f64 {
        let ratio = self.step(0, 1) / self.leave(1).max(f64::MIN_POSITIVE);
        let none = self.idle / (self.step(0, 0) + ratio * self.step(1, 0));
        let mut law = vec![0.0; self.transitions.len()];
        law[0] = none;
        if let Some(one) = law.get_mut(1) {
            *one = none * ratio;
        }
        self.push(law)
    }

    /// The probability of the next level.
    fn next(&mut self) -> f64 {
        let numbers = self.transitions.len();
        let mut law = vec![0.0; numbers];
        for (on, flow) in (2..numbers).zip(&self.flows) {
            law[on] = flow[on];
        }
        let known = self.after(&law);
        let into_one = known.get(1).copied().unwrap_or(0.0);
        let older: f64 = (3..numbers).zip(&self.sums).map(|(on, sums)| sums[on]).sum();
        let upwards = older + known.iter().skip(2).sum::<f64>();
        let [none, one] = self.lowest(upwards, into_one);
        law[0] = none;
        if let Some(place) = law.get_mut(1) {
            *place = one;
        }
        self.push(law)
    }

    /// Solves `x = up + x·T(0,≥2) + y·T(1,≥2)`, `y = one + x·T(0,1) + y·T(1,1)` for `x` and `y`, the
    /// probabilities of 0 and of 1 flow on.
    fn lowest(&self, up: f64, one: f64) -> [f64; 2] {
        let above = |on: usize| -> f64 {
            self.transitions.get(on).map_or(0.0, |row| row.iter().skip(2).sum())
        };
        let (stay_low, leave) = (self.step(0, 0) + self.step(0, 1), self.leave(1));
        let determinant = self.step(0, 0) * leave + self.step(0, 1) * self.step(1, 0);
        let none = (up * leave + one * above(1)) / determinant;
        [none, (one * stay_low + up * self.step(0, 1)) / determinant]
    }

    fn push(&mut self, law: Vec<f64>) -> f64 {
        let flow = self.after(&law);
        let mut sums = flow.clone();
        for on in (1..sums.len()).rev() {
            sums[on - 1] += sums[on];
        }
        self.flows.push_front(flow);
        self.sums.push_front(sums);
        self.flows.truncate(self.transitions.len());
        self.sums.truncate(self.transitions.len());
        law.iter().sum()
    }

    /// `law·T`.
    fn after(&self, law: &[f64]) -> Vec<f64> {
        let mut after = vec![0.0; law.len()];
        for (share, row) in law.iter().zip(&self.transitions).filter(|&(&share, _)| share > 0.0) {
            for (place, p) in after.iter_mut().zip(row) {
                *place += share * p;
            }
        }
        after
    }
}

#[cfg(test)]
mod tests;
