//! d-random: the least loaded of d choices; with sub-tables and ties to the left, d-left.

use rand::Rng as _;

use std::hint::select_unpredictable;

use super::buckets::Buckets;
use super::by_load::ByLoad;
use super::coin::Coin;
use super::counting;
use super::moving_back::{self, MOVE_BACK, Upon};
use super::moving_back_of_few;
use super::nameless::NamelessVisitor;
use super::outlook;
use super::params::{
    self, BUCKET_SIZE, BUCKETS, CHOICES, ELEMENTS, INSERTION_PROBABILITY, LOAD, SUB_TABLES,
};
use super::rule::{Reads, Rule};
use super::timed::{self, KeyTableVisitor};
use super::uneven::Narrow;
use super::{Footprint, Geometry, Insertion, Scheme, TableVisitor};
use crate::Rng;
use crate::hash::{Choices, Spread};
use crate::info::SchemeInfo;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::{Outlook, Prediction};
use crate::tables::Process;
use crate::tables::metrics;
use crate::tables::theory::TheoryError;
use crate::tables::theory::allowance::{Allowance, Finite, Regime};
use crate::tables::theory::{FluidLimit, d_left, d_random, relaxation, single_slot, uneven};

const TIES: Param = Param {
    name: "ties",
    domain: Domain::Word(&["random", "left"]),
    absent: Absent::Word("random"),
    doc: "Which of several least loaded buckets takes the element: one of them at random, or the first choice among them.",
};

/// d-random with finite buckets and an overflow list ("Balanced Allocations"; the scheme of
/// Fig. 1(a) of "Hash Tables With Finite Buckets Are Less Resistant to Deletions"): all d
/// buckets are read, and the element goes to the least loaded one unless that is full.
#[derive(Debug, Clone)]
pub struct DRandom {
    geometry: Geometry,
    choices: u32,
    insertion_probability: f64,
    left: bool,
    sub_tables: bool,
    move_back: Option<Upon>,
}

/// The insertion rule of [`DRandom`].
#[derive(Debug, Clone)]
struct LeastLoaded {
    /// Buckets that one choice ranges over.
    range: u32,
    /// Distance between the first buckets of two consecutive choices' ranges: 0 without
    /// sub-tables.
    stride: u32,
    choices: u32,
    left: bool,
    coin: Coin,
}

impl Scheme for DRandom {
    const INFO: SchemeInfo = SchemeInfo {
        name: "d-random",
        summary: "All d choices are read, and an element goes to the least loaded bucket; to the overflow list when all d are full. Ties go to a random one or to the left; with sub-tables, choice j falls into sub-table j (d-left).",
        source: "\"Hash Tables With Finite Buckets Are Less Resistant to Deletions\", Section I-B, after \"Balanced Allocations\"",
        params: &[
            ELEMENTS,
            LOAD,
            BUCKETS,
            BUCKET_SIZE,
            CHOICES,
            INSERTION_PROBABILITY,
            TIES,
            SUB_TABLES,
            MOVE_BACK,
        ],
        predictions: &[
            "alternation and static-fill: overflow, accesses and occupancy, asymptotic (fluid limits; static-fill: up to h = 64) and refined (with the deviation of first order in 1/m), but for accesses, which are exact",
            "both, h = 1, without sub-tables: overflow, exact (Markov chain on the number of full buckets; static-fill: up to n·√m = 5·10⁶)",
            "sub-tables with ties to the left: overflow, accesses and occupancy, asymptotic (d-left fluid limits, up to h·d = 64) and refined, likewise",
            "continuous: as alternation; open and relaxation: the same quantities, asymptotic (fluid limits), refined and, as above, exact",
            "a hash function too narrow to choose all buckets alike, without sub-tables and moving back: the same, asymptotic (fluid limits of two kinds of bucket)",
            "on-off, but for d-left: overflow, approximate (Section VIII-C's heuristic)",
            "elements moving back: accesses alone, exact, except for static-fill",
            "overflow fraction, lower bound unless elements move back (Theorem 6; static lower bound)",
        ],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let geometry = Geometry::from_params(params)?;
        let choices = params.small(CHOICES.name)?;
        let scheme = Self {
            geometry,
            choices,
            insertion_probability: params.number(INSERTION_PROBABILITY.name)?,
            left: params.word(TIES.name)? == "left",
            sub_tables: params.flag(SUB_TABLES.name)?,
            move_back: Upon::from_params(params, &geometry, choices)?,
        };
        if scheme.sub_tables {
            params::check_equal_sub_tables(&geometry, choices)?;
        }
        Ok(scheme)
    }

    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn choices(&self) -> u32 {
        self.choices
    }

    fn footprint(&self) -> Footprint {
        moving_back::footprint(self.move_back, &self.geometry, self.choices)
    }

    fn table<V: TableVisitor>(&self, departures: bool, visitor: V) -> V::Output {
        let shape = (&self.geometry, self.choices);
        moving_back::visit(shape, departures, self.move_back, self.rule(), visitor)
    }

    fn by_load(&self) -> Option<ByLoad> {
        let by_load = match (self.sub_tables, self.left) {
            _ if self.insertion_probability != 1.0 => None,
            (false, _) => ByLoad::least_loaded(&self.geometry, self.choices),
            (true, true) => ByLoad::to_the_left(&self.geometry, self.choices),
            (true, false) => None,
        };
        moving_back::by_load(by_load?, self.move_back, || self.without_moving_back())
    }

    fn nameless<V: NamelessVisitor>(&self, visitor: V) -> Option<V::Output> {
        let (geometry, rule) = (&self.geometry, self.rule());
        let range = rule.range;
        match (self.choices, self.left, self.move_back) {
            (2, false, Some(upon)) => {
                let ranges = [range, range, 2];
                moving_back_of_few::visit::<2, 3, _, _>(geometry, ranges, upon, rule, visitor)
            }
            (_, _, Some(_)) => None,
            // The word that two choices come from breaks ties, too.
            (2, false, None) => {
                Some(counting::visit_nameless(geometry, [range, range, 2], rule, visitor))
            }
            (2, true, None) => Some(counting::visit_nameless(geometry, [range; 2], rule, visitor)),
            (4, true, None) => Some(counting::visit_nameless(geometry, [range; 4], rule, visitor)),
            _ => None,
        }
    }

    fn key_table<V: KeyTableVisitor>(&self, visitor: V) -> Option<V::Output> {
        let ranges = timed::ranges(self);
        Some(timed::visit(&self.geometry, ranges, self.move_back, self.rule(), visitor))
    }

    fn key_footprint(&self) -> Option<Footprint> {
        Some(timed::footprint(&self.geometry, self.move_back, self.choices))
    }

    fn outlook(&self, process: Process) -> Outlook {
        let mut predictions = vec![self.reads()];
        if !self.is_bounded(process) {
            return Outlook { predictions, missing: None };
        }
        predictions.extend(self.exact(process));
        let mut outlook = Outlook { predictions, missing: None };
        outlook.add_limit(self.limit(process));
        outlook
    }

    fn ranges(&self) -> Vec<u32> {
        let parts = if self.sub_tables { self.choices } else { 1 };
        vec![self.geometry.buckets / parts; parts as usize]
    }

    fn uneven_outlook(&self, process: Process, spread: &Spread) -> Option<Outlook> {
        if self.sub_tables {
            return None;
        }
        let mut outlook = Outlook { predictions: vec![self.reads()], missing: None };
        if !self.is_bounded(process) {
            return Some(outlook);
        }
        let narrow = Narrow {
            geometry: &self.geometry,
            rule: uneven::Rule::LeastLoaded,
            choices: self.choices,
            insertion_probability: self.insertion_probability,
            spread,
        };
        let even = self.limit(process);
        outlook.add_limit(even.and_then(|even| narrow.predictions(process, even)));
        Some(outlook)
    }

    fn overflow_at(&self, elements: u32) -> Option<f64> {
        // The many loads of a queue would each take an integration with d-left: minutes together.
        if self.move_back.is_some() || self.sub_tables && self.left {
            return None;
        }
        let geometry = Geometry { elements, ..self.geometry };
        let (n, m, h) = (elements.into(), geometry.buckets.into(), geometry.bucket_size.into());
        let (c, d, alpha) = (geometry.load(), self.choices, self.insertion_probability);
        if h == 1 && !self.sub_tables {
            return Some(single_slot::alternation(n, m, d, alpha).overflow);
        }
        Some(d_random::alternation(c, h, d, alpha).overflow)
    }

    fn is_bounded(&self, process: Process) -> bool {
        process == Process::StaticFill || self.move_back.is_none()
    }
}

/// A fluid limit, how far the table may be from it, and its source.
type Limit = (FluidLimit, Allowance, &'static str);

impl DRandom {
    fn without_moving_back(&self) -> Self {
        Self { move_back: None, ..self.clone() }
    }

    fn rule(&self) -> LeastLoaded {
        let buckets = self.geometry.buckets;
        let (range, stride) = match self.sub_tables {
            true => (buckets / self.choices, buckets / self.choices),
            false => (buckets, 0),
        };
        let (choices, left) = (self.choices, self.left);
        let coin = Coin::new(self.insertion_probability);
        LeastLoaded { range, stride, choices, left, coin }
    }

    fn reads(&self) -> Prediction {
        let reads = self.insertion_probability * f64::from(self.choices);
        Prediction::exact(metrics::ACCESSES_PER_INSERTION, reads, "a = α·d")
    }

    fn exact(&self, process: Process) -> Vec<Prediction> {
        if self.geometry.bucket_size != 1 || self.sub_tables {
            return Vec::new();
        }
        let (Finite { n, m, alpha }, d) = (self.finite(), self.choices);
        let law = match process {
            Process::Alternation | Process::Continuous => {
                Some(single_slot::alternation(n, m, d, alpha))
            }
            Process::StaticFill => single_slot::static_fill(n, m, d, alpha),
            Process::Open => Some(single_slot::open(n, m, d, alpha)),
            Process::Relaxation { start, rounds } => {
                single_slot::relaxation((n, m), d, alpha, start, rounds)
            }
            Process::OnOff { .. } => None,
        };
        let source = "chain of full buckets";
        law.map_or_else(Vec::new, |law| {
            outlook::exact_overflow(law.overflow, &self.geometry, source)
        })
    }

    /// The fluid limit of the table as a whole. Ties without sub-tables do not matter to it;
    /// with sub-tables and random ties all sub-tables fill alike, as without.
    fn limit(&self, process: Process) -> Result<Vec<Prediction>, TheoryError> {
        let limit = match self.sub_tables && self.left {
            true => self.d_left(process)?,
            false => self.d_random(process)?,
        };
        Ok(limit.map_or_else(Vec::new, |(limit, allowance, source)| {
            outlook::fluid(&limit, &self.geometry, source, &allowance)
        }))
    }

    fn d_random(&self, process: Process) -> Result<Option<Limit>, TheoryError> {
        let ((c, h), finite) = (self.fluid_load(), self.finite());
        let (d, alpha) = (self.choices, finite.alpha);
        let rule = d_random::LeastLoaded { d };
        Ok(Some(match process {
            Process::Alternation | Process::Continuous => {
                let limit = d_random::alternation(c, h, d, alpha);
                let allowance = finite.allowance(&rule, Regime::Alternation, &limit)?;
                (limit, allowance, "dynamic fluid limit")
            }
            Process::StaticFill => {
                let limit = d_random::static_fill(c, h, d, alpha)?;
                let allowance = finite.allowance(&rule, Regime::StaticFill, &limit)?;
                (limit, allowance, "static fluid limit")
            }
            Process::Open => {
                let limit = d_random::alternation(c, h, d, alpha);
                let allowance = finite.allowance(&rule, Regime::Open, &limit)?;
                (limit, allowance, "open fluid limit")
            }
            Process::Relaxation { start, rounds } => {
                let lifetimes = self.geometry.lifetimes(rounds);
                let limit = relaxation::d_random((c, h), d, alpha, start, lifetimes)?;
                let regime = Regime::Relaxation { start, lifetimes };
                let allowance = finite.allowance(&rule, regime, &limit)?;
                (limit, allowance, "transient fluid limit")
            }
            Process::OnOff { .. } => return Ok(None),
        }))
    }

    fn d_left(&self, process: Process) -> Result<Option<Limit>, TheoryError> {
        let ((c, h), finite) = (self.fluid_load(), self.finite());
        let (d, alpha) = (self.choices, finite.alpha);
        let rule = d_left::Leftmost { d };
        let (limit, allowance, source) = match process {
            Process::Alternation | Process::Continuous => {
                let limit = d_left::alternation(c, h, d, alpha)?;
                let allowance = finite.allowance(&rule, Regime::Alternation, &limit)?;
                (limit, allowance, "dynamic d-left fluid limit")
            }
            Process::StaticFill => {
                let limit = d_left::static_fill(c, h, d, alpha)?;
                let allowance = finite.allowance(&rule, Regime::StaticFill, &limit)?;
                (limit, allowance, "static d-left fluid limit")
            }
            Process::Open => {
                let limit = d_left::alternation(c, h, d, alpha)?;
                let allowance = finite.allowance(&rule, Regime::Open, &limit)?;
                (limit, allowance, "open d-left fluid limit")
            }
            Process::Relaxation { start, rounds } => {
                let lifetimes = self.geometry.lifetimes(rounds);
                let limit = relaxation::d_left((c, h), d, alpha, start, lifetimes)?;
                let regime = Regime::Relaxation { start, lifetimes };
                let allowance = finite.allowance(&rule, regime, &limit)?;
                (limit, allowance, "transient d-left fluid limit")
            }
            Process::OnOff { .. } => return Ok(None),
        };
        Ok(Some((limit.table, allowance, source)))
    }

    fn finite(&self) -> Finite {
        let Geometry { elements, buckets, .. } = self.geometry;
        let alpha = self.insertion_probability;
        Finite { n: elements.into(), m: buckets.into(), alpha }
    }

    fn fluid_load(&self) -> (f64, u32) {
        (self.geometry.load(), self.geometry.bucket_size.into())
    }
}

impl LeastLoaded {
    /// The least loaded of the element's `d` buckets.
    #[inline(always)]
    fn least_loaded(
        &self,
        d: u32,
        buckets: &Buckets,
        mut choices: impl Choices,
        rng: &mut Rng,
        reads: &mut impl Reads,
    ) -> u32 {
        let mut best = choices.next(self.range);
        reads.read(best);
        let mut lowest = buckets.load(best);
        let mut tied = 1;
        let mut first = 0;
        for _ in 1..d {
            first += self.stride;
            let bucket = first + choices.next(self.range);
            reads.read(bucket);
            let load = buckets.load(bucket);
            let tie = load == lowest;
            let wins = load < lowest || tie && !self.left && one_in(tied + 1, rng);
            tied = if tie {
                tied + 1
            } else if wins {
                1
            } else {
                tied
            };
            best = if wins { bucket } else { best };
            lowest = lowest.min(load);
        }
        best
    }
}

impl LeastLoaded {
    /// As [`Rule::insert`] of an element that tries the table, of D choices that were drawn together, without a branch
    /// on how full a bucket is. Among more than two choices ties go to the left.
    #[inline(always)]
    fn insert_branchless<const D: usize>(
        &self,
        buckets: &mut Buckets,
        element: u32,
        mut choices: impl Choices,
        rng: &mut Rng,
        reads: &mut impl Reads,
    ) -> Insertion {
        let mut first = 0;
        let own: [u32; D] = std::array::from_fn(|_| {
            let bucket = first + choices.next(self.range);
            first += self.stride;
            reads.read(bucket);
            bucket
        });
        let loads = own.map(|bucket| buckets.load(bucket));
        let later_wins = !self.left & choices.coin(rng);
        let (mut best, mut lowest) = (own[0], loads[0]);
        for choice in 1..D {
            let load = loads[choice];
            let wins = (load < lowest) | ((load == lowest) & later_wins);
            best = select_unpredictable(wins, own[choice], best);
            lowest = lowest.min(load);
        }
        let stored = buckets.place_or_overflow(element, best);
        Insertion { accesses: self.choices, stored, ..Insertion::default() }
    }
}

/// True with probability 1/k.
#[inline]
fn one_in(k: u32, rng: &mut Rng) -> bool {
    (u64::from(rng.next_u32()) * u64::from(k)) >> 32 == 0
}

impl Rule for LeastLoaded {
    fn is_certain(&self) -> bool {
        self.coin.is_certain()
    }

    #[inline(always)]
    fn insert<const CERTAIN: bool>(
        &self,
        buckets: &mut Buckets,
        element: u32,
        choices: impl Choices,
        rng: &mut Rng,
        reads: &mut impl Reads,
    ) -> Insertion {
        if !CERTAIN && !self.coin.toss(rng) {
            buckets.overflow_with(element);
            return Insertion::default();
        }
        match choices.number().map(|_| self.choices) {
            Some(2) => return self.insert_branchless::<2>(buckets, element, choices, rng, reads),
            Some(4) => return self.insert_branchless::<4>(buckets, element, choices, rng, reads),
            _ => {}
        }
        // Two choices are the usual number: the compiler then leaves no loop over choices.
        let best = match self.choices {
            2 => self.least_loaded(2, buckets, choices, rng, reads),
            d => self.least_loaded(d, buckets, choices, rng, reads),
        };
        let stored = buckets.place_or_overflow(element, best);
        Insertion { accesses: self.choices, stored, ..Insertion::default() }
    }
}
