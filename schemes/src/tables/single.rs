//! SINGLE: one choice per element.

use super::buckets::Buckets;
use super::by_load::ByLoad;
use super::chain;
use super::coin::Coin;
use super::counting;
use super::moving_back::{self, MOVE_BACK, Upon};
use super::moving_back_of_few;
use super::nameless::NamelessVisitor;
use super::outlook;
use super::params::{BUCKET_SIZE, BUCKETS, ELEMENTS, INSERTION_PROBABILITY, LOAD};
use super::rule::{Reads, Rule};
use super::timed::{self, KeyTableVisitor};
use super::uneven;
use super::{Footprint, Geometry, Insertion, Scheme, StaticFill, TableVisitor};
use crate::Rng;
use crate::hash::{Choices, Spread};
use crate::info::SchemeInfo;
use crate::math::demand::Demand;
use crate::params::{ParamError, Params};
use crate::prediction::{Outlook, Prediction};
use crate::rare::metrics::EVENT_PROBABILITY;
use crate::tables::Process;
use crate::tables::metrics;
use crate::tables::theory::list_of_one_choice::{GENERATING, OneChoice};
use crate::tables::theory::occupancy;
use crate::tables::theory::{FluidLimit, allowance, engset, erlang};

/// The source of what is exact with moving back.
const MOVING_BACK: &str = "Theorem 10, binomial";
/// And of what holds in large tables.
const MOVING_BACK_LIMIT: &str = "Theorem 10";

/// The scheme SINGLE of "Hash Tables With Finite Buckets Are Less Resistant to Deletions",
/// Section III: an element goes to its bucket if that is not full, else to the overflow list.
#[derive(Debug, Clone)]
pub struct Single {
    geometry: Geometry,
    insertion_probability: f64,
    move_back: Option<Upon>,
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
        params: &[ELEMENTS, LOAD, BUCKETS, BUCKET_SIZE, INSERTION_PROBABILITY, MOVE_BACK],
        predictions: &[
            "alternation: overflow and occupancy, exact (Theorem 1, Engset, extended to insertion probability α)",
            "alternation: overflow, accesses and occupancy, asymptotic (Theorems 3 and 5, Erlang-B)",
            "static-fill: overflow and occupancy, exact (binomial; Appendix B-A for h = 1)",
            "static-fill: overflow and occupancy, asymptotic (Poisson)",
            "continuous: as alternation (Theorem 2)",
            "open: overflow and occupancy, exact (Erlang loss system)",
            "relaxation: overflow and occupancy, exact (powers of Theorem 1's chain)",
            "alternation and continuous, move_back = \"deletion\": overflow and occupancy, exact (binomial) and asymptotic (Theorem 10); moves back, look-ups and CAM entries, exact",
            "elements moving back otherwise: accesses alone, exact, except for static-fill",
            "a hash function too narrow to choose all buckets alike, without moving back: the same, exact and asymptotic, for two kinds of bucket",
            "on-off: overflow, approximate (Section VIII-C's heuristic)",
            "overflow fraction, lower bound unless elements move back (Theorem 6; static lower bound)",
        ],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let geometry = Geometry::from_params(params)?;
        Ok(Self {
            geometry,
            insertion_probability: params.number(INSERTION_PROBABILITY.name)?,
            move_back: Upon::from_params(params, &geometry, 1)?,
        })
    }

    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn choices(&self) -> u32 {
        1
    }

    fn footprint(&self) -> Footprint {
        moving_back::footprint(self.move_back, &self.geometry, 1)
    }

    fn table<V: TableVisitor>(&self, departures: bool, visitor: V) -> V::Output {
        let shape = (&self.geometry, 1);
        moving_back::visit(shape, departures, self.move_back, self.rule(), visitor)
    }

    fn by_load(&self) -> Option<ByLoad> {
        let certain = self.insertion_probability == 1.0;
        let by_load = certain.then(|| ByLoad::anywhere(&self.geometry, 1)).flatten()?;
        moving_back::by_load(by_load, self.move_back, || self.without_moving_back())
    }

    fn nameless<V: NamelessVisitor>(&self, visitor: V) -> Option<V::Output> {
        let (geometry, rule) = (&self.geometry, self.rule());
        let ranges = [geometry.buckets];
        match self.move_back {
            Some(upon) => {
                moving_back_of_few::visit::<1, 1, _, _>(geometry, ranges, upon, rule, visitor)
            }
            None => Some(counting::visit_nameless(geometry, ranges, rule, visitor)),
        }
    }

    fn key_table<V: KeyTableVisitor>(&self, visitor: V) -> Option<V::Output> {
        let ranges = timed::ranges(self);
        Some(timed::visit(&self.geometry, ranges, self.move_back, self.rule(), visitor))
    }

    fn key_footprint(&self) -> Option<Footprint> {
        Some(timed::footprint(&self.geometry, self.move_back, 1))
    }

    fn static_fill(&self) -> Option<StaticFill> {
        self.throws().then(|| StaticFill::single(&self.geometry))
    }

    fn throws(&self) -> bool {
        self.insertion_probability == 1.0 && self.move_back.is_none()
    }

    fn outlook(&self, process: Process) -> Outlook {
        let predictions = match (process, self.move_back) {
            (Process::StaticFill, _) | (_, None) => match self.law(process) {
                Some(law) => self.predictions(law, self.limit(process)),
                None => Vec::new(),
            },
            (Process::Alternation | Process::Continuous, Some(Upon::Deletion)) => {
                self.moving_back()
            }
            (_, Some(_)) => vec![self.accesses()],
        };
        Outlook { predictions, missing: None }
    }

    /// Of buckets of one: those that are taken are all the balls that were thrown leave behind.
    fn overflow_tail(&self, process: Process, beyond: u32) -> Vec<Prediction> {
        if process != Process::StaticFill || self.move_back.is_some() {
            return Vec::new();
        }
        let Geometry { elements, buckets, bucket_size } = self.geometry;
        let rule = OneChoice {
            elements,
            buckets,
            threshold: bucket_size.into(),
            probability: 0.0,
            tried: self.insertion_probability,
        };
        let tail = rule.exceeds(beyond);
        vec![Prediction::exact(EVENT_PROBABILITY, tail, GENERATING)]
    }

    fn uneven_outlook(&self, process: Process, spread: &Spread) -> Option<Outlook> {
        if self.move_back.is_some() {
            return None;
        }
        let kinds = spread.groups.map(|group| Self {
            insertion_probability: self.insertion_probability * group.weight,
            ..self.clone()
        });
        let shares = spread.groups.map(|group| group.share);
        let [one, other] = kinds.each_ref().map(|kind| kind.law(process));
        let (overflow, occupancy, _) = mixed(shares, [one?, other?]);
        let limits = kinds.each_ref().map(|kind| {
            let (limit, source) = kind.limit(process)?;
            Some((limit.overflow, limit.occupancy, source))
        });
        let limit = match limits {
            [Some(one), Some(other)] => {
                let (overflow, occupancy, source) = mixed(shares, [one, other]);
                let accesses = self.insertion_probability;
                Some((FluidLimit { overflow, accesses, occupancy }, source))
            }
            _ => None,
        };
        let law = (overflow, occupancy, uneven::TWO_KINDS);
        Some(Outlook { predictions: self.predictions(law, limit), missing: None })
    }

    fn overflow_at(&self, elements: u32) -> Option<f64> {
        let Geometry { buckets, bucket_size, .. } = self.geometry;
        let (n, m, h) = (u64::from(elements), u64::from(buckets), u32::from(bucket_size));
        let alpha = self.insertion_probability;
        match self.move_back {
            None => Some(engset::overflow(n, m, h, alpha)),
            Some(Upon::Deletion) => Some(occupancy::static_overflow(n, m, h, alpha)),
            Some(Upon::Insertion) => None,
        }
    }

    fn is_bounded(&self, process: Process) -> bool {
        process == Process::StaticFill || self.move_back.is_none()
    }
}

/// Overflow fraction and occupancy, exact, and their source.
type Law = (f64, Vec<f64>, &'static str);

/// The means over two kinds of bucket with these shares. An element tries a bucket of each kind with that kind's
/// own probability, so that a kind is a table with that insertion probability, whose overflow and occupancy are
/// linear in what its buckets hold.
fn mixed(shares: [f64; 2], laws: [Law; 2]) -> Law {
    let mean = |values: [f64; 2]| shares[0] * values[0] + shares[1] * values[1];
    let [(overflow, occupancy, _), (other_overflow, other, _)] = laws;
    let occupancy = occupancy.into_iter().zip(other).map(|(one, other)| mean([one, other]));
    (mean([overflow, other_overflow]), occupancy.collect(), uneven::TWO_KINDS)
}

impl Single {
    fn without_moving_back(&self) -> Self {
        Self { move_back: None, ..self.clone() }
    }

    fn rule(&self) -> FirstChoice {
        let coin = Coin::new(self.insertion_probability);
        FirstChoice { buckets: self.geometry.buckets, coin }
    }

    fn accesses(&self) -> Prediction {
        let alpha = self.insertion_probability;
        Prediction::exact(metrics::ACCESSES_PER_INSERTION, alpha, "a = α")
    }

    fn predictions(
        &self,
        (overflow, shares, source): Law,
        limit: Option<(FluidLimit, &'static str)>,
    ) -> Vec<Prediction> {
        let mut predictions = outlook::exact_overflow(overflow, &self.geometry, source);
        predictions.push(self.accesses());
        predictions.extend(outlook::exact_occupancy(&shares, source));
        if let Some((limit, source)) = limit {
            let allowance = allowance::from_exact(overflow, &shares, &limit);
            predictions.extend(outlook::fluid(&limit, &self.geometry, source, &allowance));
        }
        predictions
    }

    /// Equilibrium with elements moving back upon deletion: at any time the table is as a static
    /// fill with the elements of that time leaves it.
    fn moving_back(&self) -> Vec<Prediction> {
        let (overflow, shares) = self.static_law();
        let limit = self.static_limit();
        let full = [&shares, &limit.occupancy].map(|shares| shares.last().copied().unwrap_or(0.0));
        let law = (overflow, shares, MOVING_BACK);
        let mut predictions = self.predictions(law, Some((limit, MOVING_BACK_LIMIT)));
        predictions.retain(|prediction| prediction.metric != metrics::ARRIVAL_OVERFLOW_FRACTION);
        predictions.extend(self.moves(overflow, full));
        predictions
    }

    /// What arrivals and departures meet, given the overflow fraction and the fraction of full
    /// buckets, exact and in the limit.
    ///
    /// An arrival finds the static fill of the other n − 1 elements. The list gains as many elements
    /// by arrivals as it loses by departures and moves. The departed element leaves a full bucket
    /// with h·m/n times their fraction.
    fn moves(&self, overflow: f64, [full, limit_full]: [f64; 2]) -> [Prediction; 5] {
        let Geometry { elements, buckets, bucket_size } = self.geometry;
        let (alpha, h) = (self.insertion_probability, u32::from(bucket_size));
        let others = Demand::binomial(u64::from(elements) - 1, alpha / f64::from(buckets), h);
        let arrivals = 1.0 - alpha + alpha * others.at_least(h);
        let limit = 1.0 - alpha + alpha * limit_full;
        let tried = (overflow - (1.0 - alpha)).max(0.0);
        let exact = |metric, value| Prediction::exact(metric, value, MOVING_BACK);
        let metric = metrics::ARRIVAL_OVERFLOW_FRACTION;
        [
            exact(metric, arrivals),
            Prediction::asymptotic(metric, limit, MOVING_BACK_LIMIT, (arrivals - limit).abs()),
            exact(metrics::MOVES_BACK_PER_DELETION, arrivals - overflow),
            exact(metrics::CAM_LOOKUPS_PER_DELETION, full / self.geometry.load()),
            exact(metrics::CAM_ENTRIES, tried * f64::from(elements)),
        ]
    }

    fn law(&self, process: Process) -> Option<Law> {
        let Geometry { elements, buckets, bucket_size } = self.geometry;
        let (n, m, h) = (u64::from(elements), u64::from(buckets), u32::from(bucket_size));
        let alpha = self.insertion_probability;
        let stationary = || (engset::overflow(n, m, h, alpha), engset::occupancy(n, m, h, alpha));
        let ((overflow, occupancy), source) = match process {
            Process::Alternation => (stationary(), "Theorem 1"),
            Process::Continuous => (stationary(), "Theorem 2"),
            Process::StaticFill => (self.static_law(), "binomial occupancy"),
            Process::Open => (self.loss_system(), "Erlang loss system"),
            Process::Relaxation { start, rounds } => {
                let occupancy = engset::occupancy_after((n, m, h), alpha, start, rounds);
                ((engset::listed(n, m, &occupancy), occupancy), "powers of Theorem 1's chain")
            }
            Process::OnOff { .. } => return None,
        };
        Some((overflow, occupancy, source))
    }

    fn static_law(&self) -> (f64, Vec<f64>) {
        let Geometry { elements, buckets, bucket_size } = self.geometry;
        let (n, m, h) = (u64::from(elements), u64::from(buckets), u32::from(bucket_size));
        let alpha = self.insertion_probability;
        (occupancy::static_overflow(n, m, h, alpha), occupancy::static_occupancy(n, m, h, alpha))
    }

    fn static_limit(&self) -> FluidLimit {
        let (c, h) = (self.geometry.load(), u32::from(self.geometry.bucket_size));
        let alpha = self.insertion_probability;
        let demand = Demand::poisson(alpha * c * f64::from(h), h);
        let overflow = 1.0 - alpha + demand.excess(h) / (c * f64::from(h));
        FluidLimit { overflow, accesses: alpha, occupancy: demand.kept(h) }
    }

    /// Overflow fraction and occupancy where a bucket's arrivals are Poisson: in the open model for
    /// any number of buckets, else in the limit of many.
    fn loss_system(&self) -> (f64, Vec<f64>) {
        let (c, h) = (self.geometry.load(), u32::from(self.geometry.bucket_size));
        let alpha = self.insertion_probability;
        (erlang::overflow(c, h, alpha), erlang::occupancy(alpha * c * f64::from(h), h))
    }

    fn limit(&self, process: Process) -> Option<(FluidLimit, &'static str)> {
        let ((overflow, occupancy), source) = match process {
            Process::Alternation | Process::Continuous => (self.loss_system(), "Theorem 5"),
            Process::StaticFill => return Some((self.static_limit(), "Poisson occupancy")),
            Process::Open | Process::Relaxation { .. } | Process::OnOff { .. } => return None,
        };
        let accesses = self.insertion_probability;
        Some((FluidLimit { overflow, accesses, occupancy }, source))
    }
}

impl Rule for FirstChoice {
    fn is_certain(&self) -> bool {
        self.coin.is_certain()
    }

    const PLACES: bool = true;

    #[inline(always)]
    fn place(&self, buckets: &Buckets, mut choices: impl Choices) -> (u32, u32) {
        chain::first_free_place(buckets, &[choices.next(self.buckets)])
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
