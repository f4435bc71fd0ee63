//! MULTIPLE: the first non-full of d choices.

use super::buckets::Buckets;
use super::by_load::ByLoad;
use super::chain::{self, FirstFreeInTurn};
use super::coin::Coin;
use super::counting;
use super::moving_back::{self, MOVE_BACK, Upon};
use super::moving_back_of_few;
use super::multilevel::{self, ByLevel, Sizes, Way};
use super::nameless::NamelessVisitor;
use super::outlook;
use super::params::{BUCKET_SIZE, CHOICES, ELEMENTS, INSERTION_PROBABILITY, LOAD, SUB_TABLES};
use super::rule::{Reads, Rule};
use super::sub_tables::{
    BUCKETS_OR_LIST, BUCKETS_PER_ELEMENT, CHOICES_OR_LIST, SUB_TABLE_BUCKETS, SUB_TABLE_FACTOR,
    SubTables,
};
use super::timed::{self, KeyTableVisitor};
use super::uneven::Narrow;
use super::{Footprint, Geometry, Insertion, Scheme, StaticFill, TableVisitor};
use crate::Rng;
use crate::hash::{Choices, Spread};
use crate::info::SchemeInfo;
use crate::params::{ParamError, Params};
use crate::prediction::{Outlook, Prediction};
use crate::tables::Process;
use crate::tables::laws::Laws;
use crate::tables::metrics;
use crate::tables::theory::TheoryError;
use crate::tables::theory::allowance::{Finite, Regime};
use crate::tables::theory::multilevel::InsertionRule;
use crate::tables::theory::{self, multiple, relaxation, single_slot, uneven};

/// The scheme MULTIPLE of "Hash Tables With Finite Buckets Are Less Resistant to Deletions",
/// Section VI: the buckets H₁(x), …, H_d(x) are read one after the other, and the element goes
/// to the first that is not full; to the overflow list when all are.
///
/// With sub-tables the j-th choice is in the j-th of them: the paper's several distributions, and the
/// standard multilevel table of "The Power of One Move", Std, and Std2 with buckets of two. Theorem 8 has
/// the same lower bound for them, which is reached where all buckets are used alike.
#[derive(Debug, Clone)]
pub struct Multiple {
    geometry: Geometry,
    choices: u32,
    insertion_probability: f64,
    move_back: Option<Upon>,
    sub_tables: Option<SubTables>,
}

/// The insertion rule of [`Multiple`].
#[derive(Debug, Clone)]
struct FirstFree {
    /// m.
    buckets: u32,
    choices: u32,
    coin: Coin,
}

impl Scheme for Multiple {
    const INFO: SchemeInfo = SchemeInfo {
        name: "multiple",
        summary: "Up to d choices, read one after the other: an element goes to the first bucket that is not full, to the overflow list when all d are full. With an insertion probability below 1, an element goes straight to the overflow list with the remaining probability.",
        source: "\"Hash Tables With Finite Buckets Are Less Resistant to Deletions\", Section VI",
        params: &[
            ELEMENTS,
            LOAD,
            BUCKETS_OR_LIST,
            BUCKET_SIZE,
            CHOICES_OR_LIST,
            INSERTION_PROBABILITY,
            MOVE_BACK,
            SUB_TABLES,
            SUB_TABLE_FACTOR,
            SUB_TABLE_BUCKETS,
            BUCKETS_PER_ELEMENT,
        ],
        predictions: &[
            "alternation, move_back = \"none\": overflow, accesses and occupancy, asymptotic (Theorem 9) and refined (with the deviation of first order in 1/m); accesses at α = 1 are a^co",
            "static-fill: overflow, accesses and occupancy, asymptotic (fluid limit, up to h = 64; on the static lower bound) and refined",
            "static-fill, h = 1, α = 1, with sub-tables: overflow, accesses, occupancy and loads of sub-tables, exact (law of the elements passed on from each sub-table; up to n·√n·d = 2·10⁸)",
            "static-fill, α = 1, with sub-tables: law of the overflow list, exact (h = 1) or asymptotic (saddle point, with the fluid limit's path); variances of sub-tables (fluctuation equations); Poisson and normal laws (Section 5.8), approximate",
            "open, α = 1, with sub-tables: overflow, accesses, occupancy and loads of sub-tables, asymptotic (Section 5.9 of \"The Power of One Move\") and refined",
            "both, h = 1, without sub-tables: overflow and accesses, exact (Markov chain on the number of full buckets; static-fill: up to n·√m = 5·10⁶)",
            "continuous: as alternation; open and relaxation, without sub-tables: the same quantities, asymptotic (fluid limits), refined and, h = 1, exact",
            "both, with sub-tables: overflow, accesses, occupancy and, at α = 1, loads of sub-tables, asymptotic (Theorem 5 for each sub-table in turn; static fluid limit; both up to h·d = 64) and refined",
            "both and continuous, with sub-tables and `overflow_law`: the law of the overflow list's length, approximate (Poisson with mean n·w, \"The Power of One Move\", Sections 5.8 and 5.10)",
            "alternation, move_back = \"deletion\", without sub-tables: overflow, accesses and occupancy, approximate (Theorem 11, a model that is a few per cent off)",
            "a hash function too narrow to choose all buckets alike, without sub-tables and moving back: the same, asymptotic (fluid limits of two kinds of bucket)",
            "on-off: overflow, approximate (Section VIII-C's heuristic)",
            "overflow fraction, lower bound unless elements move back (Theorem 6; static lower bound)",
        ],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let split = params.flag(SUB_TABLES.name)? || SubTables::listed(params)?.is_some();
        let (geometry, choices, sub_tables) = if split {
            let Sizes { geometry, choices, sub_tables } = Sizes::from_params(params)?;
            (geometry, choices, Some(sub_tables))
        } else {
            SubTables::require_numbers(params)?;
            (Geometry::from_params(params)?, params.small(CHOICES.name)?, None)
        };
        Ok(Self {
            sub_tables,
            geometry,
            choices,
            insertion_probability: params.number(INSERTION_PROBABILITY.name)?,
            move_back: Upon::from_params(params, &geometry, choices)?,
        })
    }

    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn choices(&self) -> u32 {
        self.choices
    }

    fn sub_tables(&self) -> Vec<u32> {
        self.sub_tables.as_ref().map_or_else(Vec::new, SubTables::sizes)
    }

    fn footprint(&self) -> Footprint {
        moving_back::footprint(self.move_back, &self.geometry, self.choices)
    }

    fn table<V: TableVisitor>(&self, departures: bool, visitor: V) -> V::Output {
        let shape = (&self.geometry, self.choices);
        match self.first_free_in_turn() {
            Some(rule) => moving_back::visit(shape, departures, self.move_back, rule, visitor),
            None => {
                let rule = self.first_free();
                moving_back::visit(shape, departures, self.move_back, rule, visitor)
            }
        }
    }

    fn by_load(&self) -> Option<ByLoad> {
        let by_load = match &self.sub_tables {
            _ if self.insertion_probability != 1.0 => None,
            Some(sub_tables) => ByLoad::in_turn(&self.geometry, sub_tables.sizes()),
            None => ByLoad::anywhere(&self.geometry, self.choices),
        };
        moving_back::by_load(by_load?, self.move_back, || self.without_moving_back())
    }

    fn by_level(&self) -> Option<ByLevel<'_>> {
        let Geometry { elements, bucket_size, .. } = self.geometry;
        let plain = self.insertion_probability == 1.0 && self.move_back.is_none();
        let sub_tables = self.sub_tables.as_ref().filter(|_| plain)?;
        ByLevel::new(Way::FirstFree { bucket_size }, elements, sub_tables)
    }

    fn nameless<V: NamelessVisitor>(&self, visitor: V) -> Option<V::Output> {
        match self.choices {
            2 => self.visit_nameless::<2, V>(visitor),
            3 => self.visit_nameless::<3, V>(visitor),
            4 => self.visit_nameless::<4, V>(visitor),
            _ => None,
        }
    }

    fn key_table<V: KeyTableVisitor>(&self, visitor: V) -> Option<V::Output> {
        let (geometry, ranges) = (&self.geometry, timed::ranges(self));
        Some(match self.first_free_in_turn() {
            Some(rule) => timed::visit(geometry, ranges, self.move_back, rule, visitor),
            None => timed::visit(geometry, ranges, self.move_back, self.first_free(), visitor),
        })
    }

    fn key_footprint(&self) -> Option<Footprint> {
        Some(timed::footprint(&self.geometry, self.move_back, self.choices))
    }

    fn static_fill(&self) -> Option<StaticFill> {
        self.sizes()?.static_fill(self.rule()?)
    }

    fn throws(&self) -> bool {
        self.rule().is_some()
    }

    /// Static fills with one choice in the whole table went through rounds without departures at first. Rounds that pass one
    /// sub-table after the other drew choices word by word at first. With other choices and in lockstep the revision is another
    /// one, too: this is not asked for them apart.
    fn revision(&self, process: Process) -> u32 {
        match process {
            Process::StaticFill => u32::from(self.choices == 1 && self.sub_tables.is_none()),
            Process::Alternation | Process::Relaxation { .. } => self.by_level().is_some().into(),
            _ => 0,
        }
    }

    fn outlook(&self, process: Process) -> Outlook {
        if !self.is_bounded(process) {
            return Outlook { predictions: self.moving_back(process), missing: None };
        }
        let mut outlook = Outlook { predictions: self.exact(process), missing: None };
        outlook.add_limit(self.limit(process));
        outlook
    }

    fn uneven_outlook(&self, process: Process, spread: &Spread) -> Option<Outlook> {
        if !self.is_bounded(process) || self.sub_tables.is_some() {
            return None;
        }
        let narrow = Narrow {
            geometry: &self.geometry,
            rule: uneven::Rule::FirstFree,
            choices: self.choices,
            insertion_probability: self.insertion_probability,
            spread,
        };
        let mut outlook = Outlook::default();
        let even = self.limit(process);
        outlook.add_limit(even.and_then(|even| narrow.predictions(process, even)));
        Some(outlook)
    }

    fn laws(&self, process: Process, laws: &Laws, predictions: &[Prediction]) -> Vec<Prediction> {
        let Some((rule, sizes)) = self.rule().zip(self.sizes()) else { return Vec::new() };
        multilevel::laws(rule, &sizes, process, laws, predictions)
    }

    fn overflow_tail(&self, process: Process, beyond: u32) -> Vec<Prediction> {
        let Some((rule, sizes)) = self.rule().zip(self.sizes()) else { return Vec::new() };
        let predictions = self.outlook(process).predictions;
        multilevel::overflow_tail(rule, &sizes, process, beyond, &predictions)
    }

    fn overflow_at(&self, elements: u32) -> Option<f64> {
        let geometry = Geometry { elements, ..self.geometry };
        let (n, m, h) = (elements.into(), geometry.buckets.into(), geometry.bucket_size.into());
        let (c, d, alpha) = (geometry.load(), self.choices, self.insertion_probability);
        match (&self.sub_tables, h) {
            _ if self.move_back.is_some() => None,
            (Some(sub_tables), _) => {
                Some(chain::alternation(sub_tables, &geometry, alpha).overflow)
            }
            (None, 1) => Some(single_slot::alternation(n, m, d, alpha).overflow),
            (None, _) => Some(multiple::alternation(c, h, d, alpha).overflow),
        }
    }

    fn is_bounded(&self, process: Process) -> bool {
        process == Process::StaticFill || self.move_back.is_none()
    }
}

impl Multiple {
    fn without_moving_back(&self) -> Self {
        Self { move_back: None, ..self.clone() }
    }

    fn coin(&self) -> Coin {
        Coin::new(self.insertion_probability)
    }

    fn first_free(&self) -> FirstFree {
        let (buckets, choices) = (self.geometry.buckets, self.choices);
        FirstFree { buckets, choices, coin: self.coin() }
    }

    /// The rule on sub-tables, where there are any.
    fn first_free_in_turn(&self) -> Option<FirstFreeInTurn> {
        let sub_tables = self.sub_tables.clone()?;
        Some(FirstFreeInTurn { sub_tables, coin: self.coin() })
    }

    fn visit_nameless<const D: usize, V: NamelessVisitor>(&self, visitor: V) -> Option<V::Output> {
        match self.first_free_in_turn() {
            Some(rule) => {
                let ranges: [u32; D] = rule.sub_tables.sizes().try_into().ok()?;
                self.visit_nameless_with(ranges, rule, visitor)
            }
            None => {
                let ranges = [self.geometry.buckets; D];
                self.visit_nameless_with(ranges, self.first_free(), visitor)
            }
        }
    }

    fn visit_nameless_with<const D: usize, V: NamelessVisitor>(
        &self,
        ranges: [u32; D],
        rule: impl Rule,
        visitor: V,
    ) -> Option<V::Output> {
        let geometry = &self.geometry;
        match self.move_back {
            None => Some(counting::visit_nameless(geometry, ranges, rule, visitor)),
            Some(upon) => {
                moving_back_of_few::visit::<D, D, _, _>(geometry, ranges, upon, rule, visitor)
            }
        }
    }

    fn moving_back(&self, process: Process) -> Vec<Prediction> {
        let stationary = matches!(process, Process::Alternation | Process::Continuous);
        if !stationary || self.move_back != Some(Upon::Deletion) || self.sub_tables.is_some() {
            return Vec::new();
        }
        let (c, h) = (self.geometry.load(), u32::from(self.geometry.bucket_size));
        let model = theory::moving_back::multiple(c, h, self.choices, self.insertion_probability);
        outlook::approximate(&model, &self.geometry, "Theorem 11")
    }

    fn sizes(&self) -> Option<Sizes> {
        let (geometry, choices) = (self.geometry, self.choices);
        self.sub_tables.clone().map(|sub_tables| Sizes { geometry, choices, sub_tables })
    }

    /// Its rule as a multilevel table; `None` where it is not the standard scheme of those.
    fn rule(&self) -> Option<InsertionRule> {
        let plain = self.insertion_probability == 1.0 && self.move_back.is_none();
        let rule = InsertionRule::of_scheme(Self::INFO.name, self.geometry.bucket_size);
        rule.filter(|_| plain && self.sub_tables.is_some())
    }

    fn exact(&self, process: Process) -> Vec<Prediction> {
        if let Some((rule, sizes)) = self.rule().zip(self.sizes())
            && process == Process::StaticFill
            && rule.bucket_size() == 1
        {
            return chain::exact(&sizes);
        }
        if self.geometry.bucket_size != 1 || self.sub_tables.is_some() {
            return Vec::new();
        }
        let Geometry { elements, buckets, .. } = self.geometry;
        let (n, m) = (elements.into(), buckets.into());
        let (d, alpha) = (self.choices, self.insertion_probability);
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
        let Some(law) = law else { return Vec::new() };
        let source = "chain of full buckets";
        let mut exact = outlook::exact_overflow(law.overflow, &self.geometry, source);
        exact.push(Prediction::exact(metrics::ACCESSES_PER_INSERTION, law.accesses, source));
        exact
    }

    fn limit(&self, process: Process) -> Result<Vec<Prediction>, TheoryError> {
        let (c, h) = (self.geometry.load(), u32::from(self.geometry.bucket_size));
        let (d, alpha) = (self.choices, self.insertion_probability);
        if let Some(sub_tables) = &self.sub_tables {
            return chain::limit(sub_tables, &self.geometry, alpha, process);
        }
        let Geometry { elements, buckets, .. } = self.geometry;
        let finite = Finite { n: elements.into(), m: buckets.into(), alpha };
        let rule = multiple::FirstFree { d };
        let (limit, allowance, source) = match process {
            Process::Alternation | Process::Continuous => {
                let limit = multiple::alternation(c, h, d, alpha);
                let allowance = finite.allowance(&rule, Regime::Alternation, &limit)?;
                (limit, allowance, "Theorem 9")
            }
            Process::Open => {
                let limit = multiple::alternation(c, h, d, alpha);
                let allowance = finite.allowance(&rule, Regime::Open, &limit)?;
                (limit, allowance, "open fluid limit")
            }
            Process::Relaxation { start, rounds } => {
                let lifetimes = self.geometry.lifetimes(rounds);
                let limit = relaxation::multiple((c, h), d, alpha, start, lifetimes)?;
                let regime = Regime::Relaxation { start, lifetimes };
                let allowance = finite.allowance(&rule, regime, &limit)?;
                (limit, allowance, "transient fluid limit")
            }
            Process::OnOff { .. } => return Ok(Vec::new()),
            Process::StaticFill => {
                let limit = multiple::static_fill(c, h, d, alpha)?;
                let allowance = finite.allowance(&rule, Regime::StaticFill, &limit)?;
                (limit, allowance, "static fluid limit")
            }
        };
        Ok(outlook::fluid(&limit, &self.geometry, source, &allowance))
    }
}

impl FirstFree {
    /// As [`Rule::insert`] of an element that tries the table, of D choices.
    #[inline(always)]
    fn insert_branchless<const D: usize>(
        &self,
        buckets: &mut Buckets,
        element: u32,
        choices: impl Choices,
        reads: &mut impl Reads,
    ) -> Insertion {
        chain::first_free(buckets, element, &self.own::<D>(choices, reads))
    }

    #[inline(always)]
    fn own<const D: usize>(&self, mut choices: impl Choices, reads: &mut impl Reads) -> [u32; D] {
        let mut own = [0; D];
        for bucket in &mut own {
            *bucket = choices.next(self.buckets);
            reads.read(*bucket);
        }
        own
    }
}

impl Rule for FirstFree {
    fn is_certain(&self) -> bool {
        self.coin.is_certain()
    }

    const PLACES: bool = true;

    #[inline(always)]
    fn place(&self, buckets: &Buckets, choices: impl Choices) -> (u32, u32) {
        match choices.number() {
            Some(2) => chain::first_free_place::<2>(buckets, &self.own(choices, &mut ())),
            Some(3) => chain::first_free_place::<3>(buckets, &self.own(choices, &mut ())),
            _ => chain::first_free_place::<4>(buckets, &self.own(choices, &mut ())),
        }
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
        if choices.number().is_some() || is_cheap(&choices) && !is_wanted(reads) {
            match choices.number().unwrap_or(self.choices) {
                1 => return self.insert_branchless::<1>(buckets, element, choices, reads),
                2 => return self.insert_branchless::<2>(buckets, element, choices, reads),
                3 => return self.insert_branchless::<3>(buckets, element, choices, reads),
                4 => return self.insert_branchless::<4>(buckets, element, choices, reads),
                _ => {}
            }
        }
        for accesses in 1..=self.choices {
            let bucket = choices.next(self.buckets);
            reads.read(bucket);
            if !buckets.is_full(bucket) {
                buckets.place(element, bucket);
                return Insertion { accesses, stored: true, ..Insertion::default() };
            }
        }
        buckets.overflow_with(element);
        Insertion { accesses: self.choices, ..Insertion::default() }
    }
}

fn is_cheap<C: Choices>(_choices: &C) -> bool {
    C::CHEAP
}

fn is_wanted<R: Reads>(_reads: &R) -> bool {
    R::WANTED
}
