//! Multilevel tables: one choice in each of `d` sub-tables, at most one move per insertion.
//!
//! Source: "The Power of One Move: Hashing Schemes for Hardware". Sub-table `T_i` has `alpha_i` buckets
//! per element in the system, and a new element `x` goes into the first of its choices with a free
//! place. The rules differ in what else they try. Second chance, which has limits under
//! alternation as well, is [`second_chance`](super::second_chance).

mod conservative;
mod deviation;
mod exact;
mod extreme;
mod first_order;
mod fluctuations;
mod graph;
mod hamiltonian;
mod inquiry;
mod insertion_rule;
mod outcomes;
mod pairs;
mod path;
mod rare_event;
mod sets;
mod small;
mod steering;
mod tail;

pub use self::conservative::conservative;
pub use self::exact::{Count, MOST_WORK, StandardLaw, standard_law};
pub use self::extreme::extreme_second_chance;
pub use self::first_order::FirstOrder;
pub use self::fluctuations::{Fluctuations, MOST_OUTCOMES, MOST_SETS, Spread};
pub use self::insertion_rule::InsertionRule;
pub use self::pairs::second_chance_of_two;
pub use self::rare_event::{Estimate, rare_event};
pub use self::small::{SmallTable, small_table};
pub use self::tail::{OverflowLaw, overflow_law};

use super::sub_tables::{self, SubTables};
use crate::tables::theory::TheoryError;

/// A multilevel table in the limit of many elements.
#[derive(Debug, Clone, PartialEq)]
pub struct Multilevel {
    /// Elements on the overflow list, per element in the system.
    pub overflow: f64,
    /// Elements moved, per insertion.
    pub moves: f64,
    /// Fraction of the buckets of each sub-table that hold exactly `k` elements, `k = 0..=h`.
    pub occupancy: Vec<Vec<f64>>,
}

impl Multilevel {
    fn without_moves(limit: SubTables) -> Self {
        Self { overflow: limit.table.overflow, moves: 0.0, occupancy: limit.occupancy }
    }

    /// Single slots, from the fractions of buckets taken.
    fn single_slots([overflow, moves]: [f64; 2], taken: &[f64]) -> Self {
        let occupancy = taken.iter().map(|f| vec![1.0 - f, *f]).collect();
        Self { overflow, moves, occupancy }
    }
}

/// The standard scheme, which moves nothing, after a static fill of sub-tables with `sizes` buckets per
/// element: at least one, each more than 0 (Section 5.3, and Section 5.7 for `h = 2`).
///
/// # Errors
/// [`TheoryError`] when the equations cannot be integrated.
pub fn standard(sizes: &[f64], h: u32) -> Result<Multilevel, TheoryError> {
    let (c, shares) = load_and_shares(sizes, h);
    sub_tables::static_fill(c, h, &shares, 1.0).map(Multilevel::without_moves)
}

/// Equilibrium of the standard scheme under alternation, `sizes` as in [`standard`] (Section 5.9, where
/// `h` is 1 or 2).
pub fn standard_alternation(sizes: &[f64], h: u32) -> Multilevel {
    let (c, shares) = load_and_shares(sizes, h);
    Multilevel::without_moves(sub_tables::alternation(c, h, &shares, 1.0))
}

fn load_and_shares(sizes: &[f64], h: u32) -> (f64, Vec<f64>) {
    let buckets: f64 = sizes.iter().sum();
    let shares = sizes.iter().map(|size| size / buckets).collect();
    (1.0 / (buckets * f64::from(h)), shares)
}

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
