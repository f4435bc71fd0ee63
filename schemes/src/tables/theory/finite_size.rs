//! The term of order `1/m` by which a finite table differs from its fluid limit on average.
//!
//! It is the refined mean field of Gast and Van Houdt ("A Refined Mean Field Approximation"), with
//! discrete rounds and a fixed number of elements in place of their Poisson events. Two causes are
//! kept apart, as they often oppose each other:
//!
//! - *Fluctuation.* Tails fluctuate around their mean with a covariance `C/m`, and insertion
//!   probabilities are not linear in them. `C` follows the linear noise of the model,
//!   `C' = J·C + C·Jᵀ + Q`, with `J` the Jacobian of a round's drift and `Q` the covariance of what a
//!   round changes; at an equilibrium `C' = 0`. An element that is stored is not on the overflow list,
//!   so that `Q` is binomial rather than Poisson.
//! - *Granularity.* An arrival under alternation sees the table without the departed element; a static
//!   fill goes in steps, not along a differential equation.
//!
//! The mean's deviation `B/m` then obeys `B' = J·B + ½·H:C` with the drift's second derivatives `H`, and
//! likewise for granularity. Negative feedback, an element more being an obstacle to the next, is in `J`.

mod transient;

use nalgebra::allocator::Allocator;
use nalgebra::{DMatrix, DVector, DefaultAllocator, Dim, Dyn, OMatrix};

use super::covariance::stationary;
use super::refined::Shift;
use super::{FluidLimit, tails};
use crate::math::ode;
use crate::tables::theory::TheoryError;

/// States up to which covariances follow the model, at a cost of `O(states³)`: milliseconds for an
/// equilibrium, up to a second for a fill. Above, buckets are taken as independent of each other in an
/// equilibrium, and a fill is not computed.
pub(super) const MOST_COVARIANCES: usize = 64;

/// A fluid limit, in the states of its insertion rule.
pub trait Limit {
    /// The table as a whole.
    fn table(&self) -> &FluidLimit;
    /// Fractions of buckets with at least `k` elements, by level and then by sub-table.
    fn tails(&self) -> Vec<f64>;
}

impl Limit for FluidLimit {
    fn table(&self) -> &FluidLimit {
        self
    }

    fn tails(&self) -> Vec<f64> {
        tails(&self.occupancy)
    }
}

/// An insertion rule in the fluid limit, as a chain of obstacles: with probability `W_i` an attempt
/// goes past state `i`, a tail, and all before it; with the difference to the state before it
/// increments state `i`, and with the `W` of the last state it overflows.
///
/// States are numbered by level, the sub-tables of a level from the left.
pub trait FluidRule {
    /// The limit of a table filled by this rule.
    type Limit: Limit;
    /// Whether every insertion that tries the table reads all of its choices, so that accesses are
    /// known exactly.
    const READS_ALL: bool = false;
    /// Whether all choices may be taken to be full with the same probability, wherever they are.
    const ALIKE: bool = true;
    /// Choices.
    fn choices(&self) -> u32;
    /// Sub-tables; state `i` counts the buckets with more than `i / sub_tables` elements.
    fn sub_tables(&self) -> usize;
    /// The share of all buckets that the sub-table of state `i` has.
    fn share(&self, _i: usize) -> f64 {
        1.0 / self.sub_tables() as f64
    }
    /// The obstacle before state `i`, in a table of this many states.
    fn before(&self, i: usize, _states: usize) -> Option<usize> {
        i.checked_sub(1)
    }
    /// `W` of each state.
    fn passed(&self, tails: &[f64]) -> DVector<f64>;
    /// Derivatives of each `W` (rows) with respect to each tail.
    fn slopes(&self, tails: &[f64]) -> DMatrix<f64>;
    /// Half of the second derivatives of each `W`, times the covariance.
    fn curvature(&self, tails: &[f64], covariance: &DMatrix<f64>) -> DVector<f64>;
    /// Buckets that an attempt reads, where that depends on the tails.
    fn reads(&self, _tails: &[f64]) -> f64 {
        0.0
    }
    /// Derivatives of [`Self::reads`] with respect to each tail.
    fn reads_slopes(&self, tails: &[f64]) -> DVector<f64> {
        DVector::zeros(tails.len())
    }
    /// Half of the second derivatives of [`Self::reads`], times the covariance.
    fn reads_curvature(&self, _tails: &[f64], _covariance: &DMatrix<f64>) -> f64 {
        0.0
    }
}

/// Coefficients of `1/m`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Deviation {
    /// Of the overflow fraction.
    pub(super) overflow: Shift,
    /// Of the accesses per insertion.
    pub(super) accesses: Shift,
    /// Of the fraction of buckets with exactly `k` elements.
    pub(super) occupancy: Vec<Shift>,
    /// Of the mean number of elements in a bucket of each sub-table, as a part of `h`.
    pub(super) loads: Vec<Shift>,
    /// By how much they fluctuate beyond what is linear in the tails.
    pub(super) spread: Spread,
    /// The fraction of full buckets, and its variance as a coefficient of `1/m`.
    pub(super) full: [f64; 2],
    /// How much of the time they are so: the end of a fill is a part of it, taken as a quarter.
    pub(super) share: f64,
}

/// How far second-order terms in fluctuations may take each quantity, as a coefficient of `1/m`: what the
/// curvature would be if all tails were fully correlated.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spread {
    pub(super) overflow: f64,
    pub(super) accesses: f64,
    pub(super) occupancy: Vec<f64>,
    pub(super) loads: Vec<f64>,
}

/// Insertions by a rule into buckets that hold `per_bucket` = `c·h` elements on average, those on the
/// overflow list included.
pub(super) struct Model<'a, R> {
    pub(super) rule: &'a R,
    pub(super) alpha: f64,
    pub(super) per_bucket: f64,
}

/// Deviations of the tails from the fluid limit, and their covariance.
struct Expansion {
    fluctuation: DVector<f64>,
    granularity: DVector<f64>,
    covariance: DMatrix<f64>,
}

impl<R: FluidRule> Model<'_, R> {
    /// At the equilibrium `tails` of alternation.
    ///
    /// # Errors
    /// [`TheoryError::Unstable`] when `tails` is no stable equilibrium; [`TheoryError::TooLarge`] above
    /// [`MOST_COVARIANCES`] states of buckets that are not alike.
    pub(super) fn alternation(&self, tails: &[f64]) -> Result<Deviation, TheoryError> {
        self.check(tails.len())?;
        let insertions = self.insertions(tails);
        let missing = -self.jumps(insertions.clone());
        self.equilibrium(tails, self.noise(&insertions), missing)
    }

    /// At the same equilibrium, with Poisson arrivals and independent lifetimes: an arrival sees the
    /// table as it is on average, without granularity.
    ///
    /// # Errors
    /// As [`Self::alternation`].
    pub(super) fn open(&self, tails: &[f64]) -> Result<Deviation, TheoryError> {
        self.check(tails.len())?;
        let noise = self.both_jumps(DMatrix::from_diagonal(&self.insertions(tails)));
        self.equilibrium(tails, noise, DVector::zeros(tails.len()))
    }

    /// Refuses so many states where covariances can be neither followed nor those of independent buckets.
    fn check(&self, states: usize) -> Result<(), TheoryError> {
        if R::ALIKE { Ok(()) } else { Layout::new(states).map(drop) }
    }

    /// With the `noise` of insertions, and what is `missing` from the tails that an arrival sees.
    fn equilibrium(
        &self,
        tails: &[f64],
        noise: DMatrix<f64>,
        missing: DVector<f64>,
    ) -> Result<Deviation, TheoryError> {
        let slopes = self.insertion_slopes(tails);
        let drift = self.jumps(&slopes - self.departure_slopes(tails.len()));
        let covariance = match tails.len() {
            ..=MOST_COVARIANCES => stationary(&drift, noise * 2.0, 1.0 / self.per_bucket)?,
            _ => independent(tails),
        };
        let inverse = drift.lu();
        let answer = |force: DVector<f64>| inverse.solve(&-force).ok_or(TheoryError::Unstable);
        let expansion = Expansion {
            fluctuation: answer(self.jumps(self.curvature(tails, &covariance)))?,
            granularity: answer(self.jumps(&slopes * &missing))?,
            covariance,
        };
        let seen = Expansion { granularity: &expansion.granularity + missing, ..expansion };
        let [overflow, accesses] = self.of_insertion(tails, &seen);
        let own = [&seen.fluctuation, &expansion.granularity];
        let [overflow, accesses] = [overflow, accesses].map(Shift::of);
        Ok(self.deviation(overflow, accesses, own, (tails, &seen.covariance)))
    }

    /// After a static fill.
    ///
    /// # Errors
    /// [`TheoryError`] when the equations cannot be integrated, or have more than
    /// [`MOST_COVARIANCES`] states.
    pub(super) fn static_fill(&self, states: usize) -> Result<Deviation, TheoryError> {
        let Filled { tails, expansion, sums } = self.filled(&Layout::new(states)?)?;
        let empty = vec![0.0; states];
        let [start, end] = [&empty, &tails].map(|tails| self.alpha * self.rule.reads(tails));
        let causes = [[sums[0], sums[1]], [sums[2], sums[3] + whole_steps(start, end)]];
        let [overflow, accesses] = causes.map(|causes| Shift::of(causes).per(self.per_bucket));
        let own = [&expansion.fluctuation, &expansion.granularity];
        Ok(Deviation {
            share: 0.25,
            ..self.deviation(overflow, accesses, own, (&tails, &expansion.covariance))
        })
    }

    /// The end of a static fill, with the elements on the list in whole steps.
    fn filled(&self, layout: &Layout) -> Result<Filled, TheoryError> {
        let end = ode::integrate(
            vec![0.0; layout.length()],
            self.per_bucket,
            ode::Precision::Rough,
            |state, rate| layout.write(rate, &self.fill_rate(layout, state)),
        )?;
        let mut filled = layout.read(&end);
        let last = self.alpha * self.rule.passed(&filled.tails)[layout.states - 1];
        filled.sums[1] += whole_steps(0.0, last);
        Ok(filled)
    }

    fn fill_rate(&self, layout: &Layout, state: &[f64]) -> Filled {
        let Filled { tails, expansion, .. } = layout.read(state);
        let drift = self.jumps(self.insertion_slopes(&tails));
        let insertions = self.insertions(&tails);
        let step = self.jumps(insertions.clone());
        let [overflow, accesses] = self.of_insertion(&tails, &expansion);
        let half = &drift * &expansion.covariance;
        let curvature = self.jumps(self.curvature(&tails, &expansion.covariance));
        Filled {
            expansion: Expansion {
                fluctuation: &drift * expansion.fluctuation + curvature,
                granularity: &drift * (expansion.granularity - &step / 2.0),
                covariance: &half + half.transpose() + self.noise(&insertions),
            },
            tails: step.as_slice().to_vec(),
            sums: [overflow[0], overflow[1], accesses[0], accesses[1]],
        }
    }

    /// What changes of numbers of buckets, one row for each state, are of the state's sub-table, in
    /// units of `1/m`.
    fn jumps<C: Dim>(&self, mut changes: OMatrix<f64, Dyn, C>) -> OMatrix<f64, Dyn, C>
    where
        DefaultAllocator: Allocator<Dyn, C>,
    {
        for (i, mut row) in changes.row_iter_mut().enumerate() {
            row /= self.rule.share(i);
        }
        changes
    }

    /// The same for a covariance, whose columns are states too.
    fn both_jumps(&self, covariance: DMatrix<f64>) -> DMatrix<f64> {
        self.jumps(self.jumps(covariance).transpose())
    }

    /// The mean number of elements in a bucket from `tails` or from some of them, `states`.
    fn per_bucket_of(&self, tails: &DVector<f64>, states: std::ops::Range<usize>) -> f64 {
        states.map(|i| self.rule.share(i) * tails[i]).sum()
    }

    /// What the probability of going past each state, or its slope in a row, leaves for the state.
    fn stopped<C: Dim>(&self, passed: OMatrix<f64, Dyn, C>) -> OMatrix<f64, Dyn, C>
    where
        DefaultAllocator: Allocator<Dyn, C>,
    {
        let mut stopped = passed.clone();
        for (i, mut row) in stopped.row_iter_mut().enumerate() {
            let before = self.rule.before(i, passed.nrows());
            for (column, entry) in row.iter_mut().enumerate() {
                let reached = before.map_or(0.0, |before| passed[(before, column)]);
                *entry = self.alpha * (reached - *entry);
            }
        }
        stopped
    }

    /// Probability that an insertion increments each state.
    fn insertions(&self, tails: &[f64]) -> DVector<f64> {
        let mut insertions = self.stopped(self.rule.passed(tails));
        // All attempts meet the first obstacle.
        insertions[0] += self.alpha;
        insertions
    }

    fn insertion_slopes(&self, tails: &[f64]) -> DMatrix<f64> {
        self.stopped(self.rule.slopes(tails))
    }

    fn curvature(&self, tails: &[f64], covariance: &DMatrix<f64>) -> DVector<f64> {
        self.stopped(self.rule.curvature(tails, covariance))
    }

    /// Derivatives of the probabilities that a departure decrements each state.
    fn departure_slopes(&self, states: usize) -> DMatrix<f64> {
        let width = self.rule.sub_tables();
        DMatrix::from_fn(states, states, |i, j| {
            let rate = (i / width + 1) as f64 * self.rule.share(i) / self.per_bucket;
            match j {
                _ if j == i => rate,
                _ if j == i + width => -rate,
                _ => 0.0,
            }
        })
    }

    /// Covariance of what an insertion adds to the tails, in units of `1/m`.
    fn noise(&self, insertions: &DVector<f64>) -> DMatrix<f64> {
        let spread = DMatrix::from_diagonal(insertions) - insertions * insertions.transpose();
        self.both_jumps(spread)
    }

    /// Deviations by cause of the probability of an overflow and of the accesses.
    fn of_insertion(&self, tails: &[f64], expansion: &Expansion) -> [[f64; 2]; 2] {
        let last = tails.len() - 1;
        let causes = [&expansion.fluctuation, &expansion.granularity];
        let slopes = self.rule.slopes(tails);
        let mut overflow = causes.map(|tails| self.alpha * slopes.row(last).transpose().dot(tails));
        let reads = self.rule.reads_slopes(tails);
        let mut accesses = causes.map(|tails| self.alpha * reads.dot(tails));
        overflow[0] += self.alpha * self.rule.curvature(tails, &expansion.covariance)[last];
        accesses[0] += self.alpha * self.rule.reads_curvature(tails, &expansion.covariance);
        [overflow, accesses]
    }

    fn deviation(
        &self,
        overflow: Shift,
        accesses: Shift,
        causes: [&DVector<f64>; 2],
        (tails, covariance): (&[f64], &DMatrix<f64>),
    ) -> Deviation {
        let width = self.rule.sub_tables();
        let levels = tails.len() / width;
        let at_least = |tails: &DVector<f64>, k: usize| match k {
            _ if (1..=levels).contains(&k) => self.per_bucket_of(tails, (k - 1) * width..k * width),
            _ => 0.0,
        };
        let exactly =
            |k| Shift::of(causes.map(|tails| at_least(tails, k) - at_least(tails, k + 1)));
        let load = |j: usize| {
            let sum = |tails: &DVector<f64>| tails.iter().skip(j).step_by(width).sum::<f64>();
            Shift::of(causes.map(|tails| sum(tails) / levels as f64))
        };
        Deviation {
            overflow,
            accesses,
            occupancy: (0..=levels).map(exactly).collect(),
            loads: (0..width).map(load).collect(),
            spread: self.spread(tails, covariance),
            full: full(tails, covariance),
            share: 1.0,
        }
    }

    /// A round changes the tails of a level by what goes past it and the level before, and per bucket there
    /// are `per_bucket` rounds in the lifetime of an element or in a fill.
    fn spread(&self, tails: &[f64], covariance: &DMatrix<f64>) -> Spread {
        let deviations = covariance.diagonal().map(|variance| variance.max(0.0).sqrt());
        let most = &deviations * deviations.transpose();
        let passed = self.rule.curvature(tails, &most) * self.alpha;
        let (width, states) = (self.rule.sub_tables(), tails.len());
        let levels = states / width;
        let of_level = |k: usize| passed.rows((k - 1) * width, width).sum() * self.per_bucket;
        let near = |k: usize| (k.max(2) - 1..=(k + 1).min(levels)).map(of_level).sum();
        let load = |j: usize| {
            let first = states - width;
            let past: f64 = (j.max(1) - 1..=j).map(|j| passed[first + j]).sum();
            past * self.per_bucket / self.rule.share(j) / levels as f64
        };
        Spread {
            overflow: passed[states - 1],
            accesses: self.alpha * self.rule.reads_curvature(tails, &most),
            occupancy: (0..=levels).map(near).collect(),
            loads: (0..width).map(load).collect(),
        }
    }
}

/// By how much a sum over steps exceeds the integral, from the first and the last summand.
fn whole_steps(start: f64, end: f64) -> f64 {
    (start - end) / 2.0
}

fn full(tails: &[f64], covariance: &DMatrix<f64>) -> [f64; 2] {
    let last = tails.len() - 1;
    [tails[last], covariance[(last, last)]]
}

/// Covariance of the tails of independent buckets that are all alike.
fn independent(tails: &[f64]) -> DMatrix<f64> {
    DMatrix::from_fn(tails.len(), tails.len(), |i, j| tails[i.max(j)] - tails[i] * tails[j])
}

/// What is known of a table being filled, or its rate of change.
struct Filled {
    tails: Vec<f64>,
    expansion: Expansion,
    /// Of overflow and accesses, by cause, summed over the insertions.
    sums: [f64; 4],
}

/// Where [`Filled`] is in the state of an integration.
struct Layout {
    states: usize,
}

impl Layout {
    fn new(states: usize) -> Result<Self, TheoryError> {
        match states {
            ..=MOST_COVARIANCES => Ok(Self { states }),
            _ => Err(TheoryError::TooLarge { states, most: MOST_COVARIANCES }),
        }
    }

    fn length(&self) -> usize {
        3 * self.states + 4 + self.states * self.states
    }

    fn read(&self, state: &[f64]) -> Filled {
        let (tails, rest) = state.split_at(self.states);
        let (fluctuation, rest) = rest.split_at(self.states);
        let (granularity, rest) = rest.split_at(self.states);
        let (sums, covariance) = rest.split_at(4);
        let side = self.states;
        Filled {
            tails: tails.to_vec(),
            expansion: Expansion {
                fluctuation: DVector::from_column_slice(fluctuation),
                granularity: DVector::from_column_slice(granularity),
                covariance: DMatrix::from_column_slice(side, side, covariance),
            },
            sums: [sums[0], sums[1], sums[2], sums[3]],
        }
    }

    fn write(&self, state: &mut [f64], filled: &Filled) {
        let Filled { tails, expansion, sums } = filled;
        let Expansion { fluctuation, granularity, covariance } = expansion;
        let parts = [tails, fluctuation.as_slice(), granularity.as_slice(), sums];
        let values = parts.into_iter().flatten().chain(covariance.as_slice());
        for (place, value) in state.iter_mut().zip(values) {
            *place = *value;
        }
    }
}
