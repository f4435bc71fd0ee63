//! Second chance: an insertion moves at most one element, into the next sub-table.
//!
//! Source: "The Power of One Move: Hashing Schemes for Hardware", Sections 5.5 and 5.9. Elements have
//! one uniform choice in each of the sub-tables `T_1..T_d` of single slots; `T_i` has `alpha_i` buckets
//! per element in the system. Where the choice of a new element `x` in `T_i` is taken, by `y`, and its
//! choice in `T_{i+1}` is taken too, `y` moves to its own choice in `T_{i+1}` if that is free, and `x`
//! takes its place; else `x` goes on with `T_{i+1}` (Figure 5.1).
//!
//! With `f_i` the fraction of buckets of `T_i` that are taken, `g_i` of those whose element has had its
//! choice in `T_{i+1}` looked at, and `o_i` of those of `g_i` whose element would still find that choice
//! taken (all, as long as nothing is deleted), `x` gets past `T_1..T_i` with probability
//! `z_i = Π_{j≤i} [o_j + (f_j − g_j)·f_{j+1}]`.

mod buckets;
mod counts;
mod deviation;
mod equilibrium;
mod hop;
mod jumps;
mod noise;
mod pairs;

pub use self::deviation::{Arrivals, Deviation, deviation};
pub use self::equilibrium::MOST_POINTERS;
use self::equilibrium::{first_taken, hops};
use self::hop::Hop;
use crate::math::ode;
use crate::tables::theory::TheoryError;

/// Second chance in the limit of many elements.
#[derive(Debug, Clone, PartialEq)]
pub struct SecondChance {
    /// Elements on the overflow list, per element in the system.
    pub overflow: f64,
    /// Elements moved, per insertion.
    pub moves: f64,
    /// Buckets read per insertion: the choices of the new element, each once, and the next choice of an
    /// element in its way whenever the scheme looks at it.
    pub accesses: f64,
    /// Fraction of buckets taken in each sub-table.
    pub occupancy: Vec<f64>,
}

impl SecondChance {
    /// From the fractions taken and what insertions do between one sub-table and the next.
    fn between(occupancy: Vec<f64>, hops: &[Hop]) -> Result<Self, TheoryError> {
        let passed = hops.last().map_or(1.0, Hop::passed_on);
        let overflow = passed * occupancy.last().copied().unwrap_or(1.0);
        let sum = |share: fn(&Hop) -> f64| hops.iter().map(share).fold(0.0, |sum, p| sum + p);
        let (moves, accesses) = (sum(Hop::moved), 1.0 + sum(Hop::reads));
        let limit = Self { overflow, moves, accesses, occupancy };
        if overflow.is_finite() { Ok(limit) } else { Err(TheoryError::Unstable) }
    }
}

/// State after a static fill of `sub_tables`, given as buckets per element: at least one, each more
/// than 0.
///
/// # Errors
/// [`TheoryError`] when the equations cannot be integrated.
pub fn static_fill(sub_tables: &[f64]) -> Result<SecondChance, TheoryError> {
    let d = sub_tables.len();
    let end = ode::integrate(vec![0.0; 2 * d + 3], 1.0, ode::Precision::Fine, |state, rate| {
        fill(sub_tables, state, rate);
    })?;
    Ok(SecondChance {
        overflow: end[2 * d],
        moves: end[2 * d + 1],
        accesses: 1.0 + end[2 * d + 2],
        occupancy: end[..d].to_vec(),
    })
}

/// Writes the derivatives of `f_1..f_d`, of `g_1..g_d` (the last one is unused), and of the overflow, the
/// moves, and the reads beyond the first sub-table, all per insertion and element.
pub(super) fn fill(sub_tables: &[f64], state: &[f64], rate: &mut [f64]) {
    let d = sub_tables.len();
    let (taken, seen) = state.split_at(d);
    rate.fill(0.0);
    arrive_first(sub_tables, taken, rate);
    let mut passed = 1.0;
    for i in 1..d {
        let hop = Hop::new(passed, [taken[i - 1], taken[i]], [seen[i - 1]; 2]);
        rate[i] = hop.placed() / sub_tables[i];
        rate[d + i - 1] = hop.seen() / sub_tables[i - 1];
        rate[2 * d + 1] += hop.moved();
        rate[2 * d + 2] += hop.reads();
        passed = hop.passed_on();
    }
    rate[2 * d] = passed * taken.last().copied().unwrap_or(1.0);
}

/// Equilibrium under alternation of `sub_tables`, given as buckets per element: at least one, each more
/// than 0.
///
/// The system of Section 5.9 is infinite, as any number of elements may have been seen to have the same
/// choice. It is cut off where more of them are negligible.
///
/// # Errors
/// [`TheoryError`] when more than [`MOST_POINTERS`] are not, or there is no equilibrium.
pub fn alternation(sub_tables: &[f64]) -> Result<SecondChance, TheoryError> {
    let hops = hops(sub_tables)?;
    let later = hops.iter().map(|hop| hop.next);
    SecondChance::between(std::iter::once(first_taken(sub_tables)).chain(later).collect(), &hops)
}

fn arrive_first(sub_tables: &[f64], taken: &[f64], rate: &mut [f64]) {
    if let Some(first) = taken.first() {
        rate[0] = (1.0 - first) / sub_tables[0];
    }
}

#[cfg(test)]
mod integration;
#[cfg(test)]
mod small_table;
#[cfg(test)]
mod tests;
