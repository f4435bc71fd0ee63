//! Alternation on the way to its equilibrium.
//!
//! The expansion follows rounds from a start in which it is known: it is zero with all elements on the
//! overflow list, and that of the fill in a filled table. The granularity is that of steps rather than
//! a differential equation, as in a fill, and that of an arrival which sees the table without the
//! departed element. The list has an expansion of its own, lest small overflow fractions lose their
//! digits in a difference.

use nalgebra::{DMatrix, DVector};

use super::{Deviation, Expansion, Filled, FluidRule, Layout, Model};
use crate::math::ode;
use crate::tables::theory::RELAXATION;
use crate::tables::theory::TheoryError;
use crate::tables::theory::refined::Shift;
use crate::tables::theory::start::Start;

/// A round at given tails: probabilities, their derivatives, and what they change.
struct Round {
    insertions: DVector<f64>,
    departures: DVector<f64>,
    slopes: DMatrix<f64>,
    drift: DMatrix<f64>,
    step: DVector<f64>,
}

impl<R: FluidRule> Model<'_, R> {
    /// After `lifetimes` of alternation.
    ///
    /// # Errors
    /// As [`Self::static_fill`].
    pub(in crate::tables::theory) fn relaxation(
        &self,
        states: usize,
        start: Start,
        lifetimes: f64,
    ) -> Result<Deviation, TheoryError> {
        let layout = Layout::new(states)?;
        let mut before = vec![0.0; layout.length()];
        if start == Start::Filled {
            layout.write(&mut before, &self.filled(&layout)?);
        }
        let rounds = lifetimes.min(RELAXATION) * self.per_bucket;
        let end = ode::integrate(before, rounds, ode::Precision::Rough, |state, rate| {
            layout.write(rate, &self.relaxation_rate(&layout.read(state)));
        })?;
        let Filled { tails, expansion, sums } = layout.read(&end);
        let Round { departures, step, .. } = self.round(&tails);
        let last_seen = &expansion.granularity - step - self.jumps(departures);
        let seen = Expansion { granularity: last_seen, ..expansion };
        let [_, accesses] = self.of_insertion(&tails, &seen);
        let own = [&seen.fluctuation, &expansion.granularity];
        let overflow = Shift::of([sums[0], sums[1]]).per(self.per_bucket);
        Ok(self.deviation(overflow, Shift::of(accesses), own, (&tails, &seen.covariance)))
    }

    fn round(&self, tails: &[f64]) -> Round {
        let insertions = self.insertions(tails);
        let leaving = self.departure_slopes(tails.len());
        let departures = &leaving * DVector::from_column_slice(tails);
        let slopes = self.insertion_slopes(tails);
        let drift = self.jumps(&slopes - leaving);
        let step = self.jumps(&insertions - &departures);
        Round { insertions, departures, slopes, drift, step }
    }

    fn relaxation_rate(&self, now: &Filled) -> Filled {
        let Filled { tails, expansion, .. } = now;
        let round = self.round(tails);
        let Round { insertions, departures, slopes, drift, step } = &round;
        let missing = -self.jumps(departures.clone());
        let granularity = drift * (&expansion.granularity - step / 2.0);
        let curvature = self.jumps(self.curvature(tails, &expansion.covariance));
        let half = drift * &expansion.covariance;
        let noise = self.noise(insertions) + self.noise(departures);
        let [fluctuating, granular] = self.list_rate(now, &round);
        Filled {
            expansion: Expansion {
                fluctuation: drift * &expansion.fluctuation + curvature,
                granularity: granularity + self.jumps(slopes * missing),
                covariance: &half + half.transpose() + noise,
            },
            tails: step.as_slice().to_vec(),
            sums: [fluctuating, granular, 0.0, 0.0],
        }
    }

    /// Of the elements on the list, by cause.
    fn list_rate(&self, Filled { tails, expansion, sums }: &Filled, round: &Round) -> [f64; 2] {
        let [overflow, _] = self.of_insertion(tails, expansion);
        let slopes = self.rule.slopes(tails).row(tails.len() - 1).transpose() * self.alpha;
        let missing = -self.jumps(round.departures.clone());
        // What leaves the tails in a round joins the list.
        let step = -self.per_bucket_of(&round.step, 0..tails.len());
        let granular = slopes.dot(&(missing - &round.step / 2.0)) + step / self.per_bucket / 2.0;
        let leaving = [sums[0], sums[1]].map(|listed| listed / self.per_bucket);
        [overflow[0] - leaving[0], overflow[1] + granular - leaving[1]]
    }
}
