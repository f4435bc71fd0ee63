//! MULTIPLE on sub-tables: its insertion rule and its predictions.

use std::hint::select_unpredictable;

use super::buckets::Buckets;
use super::coin::Coin;
use super::multilevel::{self, Sizes};
use super::outlook;
use super::rule::{Reads, Rule};
use super::sub_tables::{SubTable, SubTables};
use super::{Geometry, Insertion};
use crate::Rng;
use crate::hash::Choices;
use crate::prediction::Prediction;
use crate::tables::Process;
use crate::tables::metrics;
use crate::tables::theory::TheoryError;
use crate::tables::theory::allowance::{Finite, Regime};
use crate::tables::theory::multilevel::Count;
use crate::tables::theory::{FluidLimit, sub_tables as theory};

/// The first free of d choices, each in its own sub-table.
#[derive(Debug, Clone)]
pub(super) struct FirstFreeInTurn {
    pub(super) sub_tables: SubTables,
    pub(super) coin: Coin,
}

/// The equilibrium of alternation in the fluid limit, of the table as a whole.
pub(super) fn alternation(sub_tables: &SubTables, geometry: &Geometry, alpha: f64) -> FluidLimit {
    let (c, h) = (geometry.load(), u32::from(geometry.bucket_size));
    theory::alternation(c, h, &shares(sub_tables, geometry), alpha).table
}

/// What the fluid limit predicts; nothing where the process is neither alternation nor a static fill.
///
/// # Errors
/// Where it could not be computed.
pub(super) fn limit(
    sub_tables: &SubTables,
    geometry: &Geometry,
    alpha: f64,
    process: Process,
) -> Result<Vec<Prediction>, TheoryError> {
    let (c, h) = (geometry.load(), u32::from(geometry.bucket_size));
    let shares = shares(sub_tables, geometry);
    let (n, m) = (geometry.elements.into(), geometry.buckets.into());
    let (finite, rule) = (Finite { n, m, alpha }, theory::Chain { shares: &shares });
    let (limit, allowance, source) = match process {
        Process::Alternation | Process::Continuous => {
            let limit = theory::alternation(c, h, &shares, alpha);
            let allowance = finite.allowance(&rule, Regime::Alternation, &limit)?;
            (limit, allowance, "Theorem 5 for each sub-table")
        }
        Process::StaticFill => {
            let limit = theory::static_fill(c, h, &shares, alpha)?;
            let allowance = finite.allowance(&rule, Regime::StaticFill, &limit)?;
            (limit, allowance, "static fluid limit of sub-tables")
        }
        Process::Open if alpha == 1.0 => {
            let limit = theory::alternation(c, h, &shares, alpha);
            let allowance = finite.allowance(&rule, Regime::Open, &limit)?;
            (limit, allowance, "Section 5.9, Poisson arrivals")
        }
        Process::Open | Process::Relaxation { .. } | Process::OnOff { .. } => {
            return Ok(Vec::new());
        }
    };
    let mut found = outlook::fluid(&limit.table, geometry, source, &allowance);
    let loads = &allowance.refined.loads;
    found.extend(outlook::sub_table_loads(sub_tables, &limit.occupancy, source, loads));
    Ok(found)
}

/// What the exact law says after a static fill of buckets of one; nothing where the table is too large to
/// compute it.
pub(super) fn exact(sizes: &Sizes) -> Vec<Prediction> {
    let Some(law) = multilevel::exact(sizes) else { return Vec::new() };
    let source = multilevel::EXACT;
    let n = f64::from(sizes.geometry.elements);
    let mut found = outlook::exact_overflow(law.overflow.mean() / n, &sizes.geometry, source);
    found.push(Prediction::exact(metrics::ACCESSES_PER_INSERTION, law.accesses, source));
    let taken = law.sub_tables.iter().map(Count::mean).sum::<f64>();
    let taken = taken / f64::from(sizes.geometry.buckets);
    found.extend(outlook::exact_occupancy(&[1.0 - taken, taken], source));
    let loads = sizes.sub_tables.iter().zip(&law.sub_tables).zip(1..);
    found.extend(loads.map(|((sub_table, count), i)| {
        let load = count.mean() / f64::from(sub_table.buckets);
        Prediction::exact(metrics::sub_table_load(i), load, source)
    }));
    found
}

/// The buckets of each sub-table as a share of all.
fn shares(sub_tables: &SubTables, geometry: &Geometry) -> Vec<f64> {
    let share = |sub_table: &SubTable| f64::from(sub_table.buckets) / f64::from(geometry.buckets);
    sub_tables.iter().map(share).collect()
}

/// Puts the element into the first of its buckets `own` that is not full, or on the overflow list, without a branch on how
/// full a bucket is: at loads of interest the processor would often guess wrong, which costs it more than some further
/// choices. D is known to the compiler so that no loop over choices is left.
#[inline(always)]
pub(super) fn first_free<const D: usize>(
    buckets: &mut Buckets,
    element: u32,
    own: &[u32; D],
) -> Insertion {
    let (place, accesses) = first_free_place(buckets, own);
    let stored = buckets.place_at(element, place);
    Insertion { accesses, stored, ..Insertion::default() }
}

/// Where that is, and the buckets read.
#[inline(always)]
pub(super) fn first_free_place<const D: usize>(buckets: &Buckets, own: &[u32; D]) -> (u32, u32) {
    let (mut place, mut accesses) = (buckets.overflow_list(), D as u32);
    for choice in (0..D).rev() {
        let full = buckets.is_full(own[choice]);
        place = select_unpredictable(full, place, own[choice]);
        accesses = select_unpredictable(full, accesses, choice as u32 + 1);
    }
    (place, accesses)
}

impl FirstFreeInTurn {
    /// As [`Rule::insert`] of an element that tries the table, where the compiler knows the number of sub-tables.
    #[inline(always)]
    fn insert_branchless<const D: usize>(
        &self,
        buckets: &mut Buckets,
        element: u32,
        choices: impl Choices,
        reads: &mut impl Reads,
    ) -> Insertion {
        first_free(buckets, element, &self.own::<D>(choices, reads))
    }

    #[inline(always)]
    fn own<const D: usize>(&self, mut choices: impl Choices, reads: &mut impl Reads) -> [u32; D] {
        let mut own = [0; D];
        for (bucket, sub_table) in own.iter_mut().zip(self.sub_tables.iter()) {
            *bucket = sub_table.first + choices.next(sub_table.buckets);
            reads.read(*bucket);
        }
        own
    }
}

impl Rule for FirstFreeInTurn {
    fn is_certain(&self) -> bool {
        self.coin.is_certain()
    }

    fn sub_tables(&self) -> Option<&SubTables> {
        Some(&self.sub_tables)
    }

    const PLACES: bool = true;

    #[inline(always)]
    fn place(&self, buckets: &Buckets, choices: impl Choices) -> (u32, u32) {
        match choices.number() {
            Some(2) => first_free_place::<2>(buckets, &self.own(choices, &mut ())),
            Some(3) => first_free_place::<3>(buckets, &self.own(choices, &mut ())),
            _ => first_free_place::<4>(buckets, &self.own(choices, &mut ())),
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
        let mut accesses = 0;
        if CERTAIN || self.coin.toss(rng) {
            match choices.number() {
                Some(2) => return self.insert_branchless::<2>(buckets, element, choices, reads),
                Some(3) => return self.insert_branchless::<3>(buckets, element, choices, reads),
                Some(4) => return self.insert_branchless::<4>(buckets, element, choices, reads),
                _ => {}
            }
            for sub_table in self.sub_tables.iter() {
                accesses += 1;
                let bucket = sub_table.first + choices.next(sub_table.buckets);
                reads.read(bucket);
                if !buckets.is_full(bucket) {
                    buckets.place(element, bucket);
                    return Insertion { accesses, stored: true, ..Insertion::default() };
                }
            }
        }
        buckets.overflow_with(element);
        Insertion { accesses, ..Insertion::default() }
    }
}
