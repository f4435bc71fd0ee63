//! SINGLE: one choice per element.

use super::buckets::Buckets;
use super::coin::Coin;
use super::counting::Counting;
use super::geometry::{BUCKET_SIZE, BUCKETS, ELEMENTS, INSERTION_PROBABILITY, LOAD};
use super::outlook;
use super::rule::{Reads, Rule};
use super::{Geometry, Insertion, Scheme, SchemeInfo, TableVisitor};
use crate::Rng;
use crate::hash::Choices;
use crate::metric::Metric;
use crate::params::{ParamError, Params};
use crate::prediction::{Outlook, Prediction, Process};
use crate::theory::{FluidLimit, allowance, engset, erlang, occupancy};

/// The scheme SINGLE of "Hash Tables With Finite Buckets Are Less Resistant to Deletions",
/// Section III: an element goes to its bucket if that is not full, else to the overflow list.
#[derive(Debug, Clone)]
pub struct Single {
    geometry: Geometry,
    insertion_probability: f64,
}

/// The insertion rule of [`Single`].
#[derive(Debug, Clone)]
struct FirstChoice {
    /// m.
    buckets: u32,
    coin: Coin,
}

impl Scheme for Single {
    const INFO: SchemeInfo = SchemeInfo {
        name: "single",
        summary: "One choice: an element goes to its bucket if that is not full, else to the overflow list. With an insertion probability below 1, an element goes straight to the overflow list with the remaining probability.",
        source: "\"Hash Tables With Finite Buckets Are Less Resistant to Deletions\", Section III",
        params: &[ELEMENTS, LOAD, BUCKETS, BUCKET_SIZE, INSERTION_PROBABILITY],
        predictions: &[
            "alternation: overflow and occupancy, exact (Theorem 1, Engset, extended to insertion probability α)",
            "alternation: overflow, accesses and occupancy, asymptotic (Theorems 3 and 5, Erlang-B)",
            "static-fill: overflow and occupancy, exact (binomial; Appendix B-A for h = 1)",
            "static-fill: overflow and occupancy, asymptotic (Poisson)",
            "continuous: as alternation (Theorem 2)",
            "open: overflow and occupancy, exact (Erlang loss system)",
            "relaxation: overflow and occupancy, exact (powers of Theorem 1's chain)",
            "on-off: overflow, approximate (Section VIII-C's heuristic)",
            "overflow fraction, lower bound (Theorem 6; static lower bound)",
        ],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            geometry: Geometry::from_params(params)?,
            insertion_probability: params.number(INSERTION_PROBABILITY.name)?,
        })
    }

    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn choices(&self) -> u32 {
        1
    }

    fn table<V: TableVisitor>(&self, departures: bool, visitor: V) -> V::Output {
        let coin = Coin::new(self.insertion_probability);
        let rule = FirstChoice { buckets: self.geometry.buckets, coin };
        visitor.visit(Counting::new(&self.geometry, departures, rule))
    }

    fn outlook(&self, process: Process) -> Outlook {
        let Some((overflow, shares, source)) = self.law(process) else { return Outlook::default() };
        let mut predictions = outlook::exact_overflow(overflow, &self.geometry, source);
        let alpha = self.insertion_probability;
        predictions.push(Prediction::exact(Metric::AccessesPerInsertion, alpha, "a = α"));
        predictions.extend(outlook::exact_occupancy(&shares, source));
        if let Some((limit, source)) = self.limit(process) {
            let allowance = allowance::from_exact(overflow, &shares, &limit);
            predictions.extend(outlook::fluid(&limit, &self.geometry, source, &allowance));
        }
        Outlook { predictions, missing: None }
    }

    fn overflow_at(&self, elements: u32) -> Option<f64> {
        let Geometry { buckets, bucket_size, .. } = self.geometry;
        let (n, m, h) = (u64::from(elements), u64::from(buckets), u32::from(bucket_size));
        Some(engset::overflow(n, m, h, self.insertion_probability))
    }
}

impl Single {
    /// Overflow fraction and occupancy, exact, and their source.
    fn law(&self, process: Process) -> Option<(f64, Vec<f64>, &'static str)> {
        let Geometry { elements, buckets, bucket_size } = self.geometry;
        let (n, m, h) = (u64::from(elements), u64::from(buckets), u32::from(bucket_size));
        let alpha = self.insertion_probability;
        let stationary = || (engset::overflow(n, m, h, alpha), engset::occupancy(n, m, h, alpha));
        let ((overflow, occupancy), source) = match process {
            Process::Alternation => (stationary(), "Theorem 1"),
            Process::Continuous => (stationary(), "Theorem 2"),
            Process::StaticFill => (
                (
                    occupancy::static_overflow(n, m, h, alpha),
                    occupancy::static_occupancy(n, m, h, alpha),
                ),
                "binomial occupancy",
            ),
            Process::Open => (self.loss_system(), "Erlang loss system"),
            Process::Relaxation { start, rounds } => {
                let occupancy = engset::occupancy_after((n, m, h), alpha, start, rounds);
                ((engset::listed(n, m, &occupancy), occupancy), "powers of Theorem 1's chain")
            }
            Process::OnOff { .. } => return None,
        };
        Some((overflow, occupancy, source))
    }

    /// Overflow fraction and occupancy where a bucket's arrivals are Poisson: in the open model for
    /// any number of buckets, else in the limit of many.
    fn loss_system(&self) -> (f64, Vec<f64>) {
        let (c, h) = (self.geometry.load(), u32::from(self.geometry.bucket_size));
        let alpha = self.insertion_probability;
        (erlang::overflow(c, h, alpha), erlang::occupancy(alpha * c * f64::from(h), h))
    }

    fn limit(&self, process: Process) -> Option<(FluidLimit, &'static str)> {
        let (c, h) = (self.geometry.load(), u32::from(self.geometry.bucket_size));
        let alpha = self.insertion_probability;
        let ((overflow, occupancy), source) = match process {
            Process::Alternation | Process::Continuous => (self.loss_system(), "Theorem 5"),
            Process::StaticFill => {
                let demand = occupancy::Demand::poisson(alpha * c * f64::from(h), h);
                let overflow = 1.0 - alpha + demand.excess(h) / (c * f64::from(h));
                ((overflow, demand.kept(h)), "Poisson occupancy")
            }
            Process::Open | Process::Relaxation { .. } | Process::OnOff { .. } => return None,
        };
        Some((FluidLimit { overflow, accesses: alpha, occupancy }, source))
    }
}

impl Rule for FirstChoice {
    fn is_certain(&self) -> bool {
        self.coin.is_certain()
    }

    #[inline(always)]
    fn insert<const CERTAIN: bool>(
        &self,
        buckets: &mut Buckets,
        element: u32,
        mut choices: impl Choices,
        rng: &mut Rng,
        reads: &mut impl Reads,
    ) -> Insertion {
        if !CERTAIN && !self.coin.toss(rng) {
            buckets.overflow_with(element);
            return Insertion::default();
        }
        let bucket = choices.next(self.buckets);
        reads.read(bucket);
        let stored = buckets.place_or_overflow(element, bucket);
        Insertion { accesses: 1, stored, ..Insertion::default() }
    }
}
