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

use super::ode;

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

/// State after a static fill of `sub_tables`, given as buckets per element: at least one, each more
/// than 0.
///
/// # Errors
/// [`ode::Error`] when the equations cannot be integrated.
pub fn static_fill(sub_tables: &[f64]) -> Result<SecondChance, ode::Error> {
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
fn fill(sub_tables: &[f64], state: &[f64], rate: &mut [f64]) {
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
/// choice. It is cut off at `20 + 5·max(alpha_i/alpha_{i+1})` of them and integrated from an empty table.
///
/// # Errors
/// [`ode::Error`] when the equations cannot be integrated, or have more than [`MOST_STATES`] states.
pub fn alternation(sub_tables: &[f64]) -> Result<SecondChance, ode::Error> {
    let ratios = sub_tables.windows(2).map(|pair| pair[0] / pair[1]);
    let pointers = 20.0 + 5.0 * ratios.fold(0.0, f64::max).ceil();
    Pointers { sub_tables, most: pointers as usize }.equilibrium()
}

/// States up to which the equations of alternation are tried.
pub const MOST_STATES: usize = 10_000;

fn arrive_first(sub_tables: &[f64], taken: &[f64], rate: &mut [f64]) {
    if let Some(first) = taken.first() {
        rate[0] = (1.0 - first) / sub_tables[0];
    }
}

/// What an insertion does between one sub-table and the next, as probabilities per insertion.
struct Hop {
    /// That the new element gets past the sub-tables before.
    passed: f64,
    /// Buckets taken in this sub-table.
    taken: f64,
    /// Buckets taken in the next one.
    next: f64,
    /// Buckets of this sub-table whose element has not had its next choice looked at.
    unseen: f64,
    /// Whose element has, and would find it free now.
    freed: f64,
    /// Whose element has, and would find it taken.
    stuck: f64,
}

impl Hop {
    /// Takes the fractions taken here and in the next sub-table, and those seen and stuck.
    fn new(passed: f64, [taken, next]: [f64; 2], [seen, stuck]: [f64; 2]) -> Self {
        Self { passed, taken, next, unseen: taken - seen, freed: seen - stuck, stuck }
    }

    /// An element moves.
    fn moved(&self) -> f64 {
        self.passed * self.next * (self.freed + self.unseen * (1.0 - self.next))
    }

    /// An element, the new one or another, is put into the next sub-table.
    fn placed(&self) -> f64 {
        self.passed * self.taken * (1.0 - self.next) + self.moved()
    }

    /// There is one more element here whose next choice has been looked at: the one that was in the way,
    /// or the new one in its place. Where that was seen before, the number stays the same.
    fn seen(&self) -> f64 {
        self.passed * self.unseen * self.next
    }

    /// Buckets read in the next sub-table.
    fn reads(&self) -> f64 {
        self.passed * self.taken * (1.0 + self.next)
    }

    fn passed_on(&self) -> f64 {
        self.passed * (self.stuck + self.unseen * self.next)
    }
}

/// The equations under alternation. An element that has had its next choice looked at points to it.
///
/// The state is `f_1..f_d`, `g_1..g_d` (the last one is unused), and for each sub-table but the first
/// the fractions of free and of taken buckets to which at least `j` elements point, `j = 1..=most`.
struct Pointers<'a> {
    sub_tables: &'a [f64],
    most: usize,
}

impl Pointers<'_> {
    fn equilibrium(&self) -> Result<SecondChance, ode::Error> {
        let d = self.sub_tables.len();
        let states = (2 * d).saturating_add((2 * d).saturating_mul(self.most));
        if states > MOST_STATES {
            return Err(ode::Error::TooLarge { states, most: MOST_STATES });
        }
        let start = vec![0.0; states];
        let end = ode::integrate(start, ode::RELAXATION, ode::Precision::Fine, |state, rate| {
            self.derivative(state, rate);
        })?;
        let (taken, hops) = (&end[..d], self.hops(&end));
        let passed = hops.last().map_or(1.0, Hop::passed_on);
        let sum = |share: fn(&Hop) -> f64| hops.iter().map(share).fold(0.0, |sum, p| sum + p);
        Ok(SecondChance {
            overflow: passed * taken.last().copied().unwrap_or(1.0),
            moves: sum(Hop::moved),
            accesses: 1.0 + sum(Hop::reads),
            occupancy: taken.to_vec(),
        })
    }

    fn hops(&self, state: &[f64]) -> Vec<Hop> {
        let d = self.sub_tables.len();
        let mut passed = 1.0;
        let hop = |i: usize| {
            let pointed: f64 = self.pointed(state, i)[1].iter().sum();
            let stuck = pointed * self.sub_tables[i] / self.sub_tables[i - 1];
            let hop = Hop::new(passed, [state[i - 1], state[i]], [state[d + i - 1], stuck]);
            passed = hop.passed_on();
            hop
        };
        (1..d).map(hop).collect()
    }

    /// The free and the taken buckets of a sub-table with at least `1..=most` pointers.
    fn pointed<'s>(&self, state: &'s [f64], sub_table: usize) -> [&'s [f64]; 2] {
        let start = 2 * self.sub_tables.len() + 2 * self.most * (sub_table - 1);
        let (free, taken) = state[start..start + 2 * self.most].split_at(self.most);
        [free, taken]
    }

    fn derivative(&self, state: &[f64], rate: &mut [f64]) {
        let d = self.sub_tables.len();
        rate.fill(0.0);
        arrive_first(self.sub_tables, &state[..d], rate);
        for (i, hop) in (1..d).zip(self.hops(state)) {
            rate[i] = hop.placed() / self.sub_tables[i];
            rate[d + i - 1] = hop.seen() / self.sub_tables[i - 1];
            let start = 2 * d + 2 * self.most * (i - 1);
            let (free, taken) = rate[start..start + 2 * self.most].split_at_mut(self.most);
            self.point(&hop, self.pointed(state, i), i, [free, taken]);
        }
        (0..2 * d).for_each(|i| rate[i] -= state[i]);
    }

    /// Pointers disappear with their elements; what becomes of the buckets that they point to:
    /// - a taken bucket becomes free at rate 1, with its pointers;
    /// - a free one is filled by a new element, or one that had not been looked at, at a rate that does
    ///   not depend on its pointers, or by one of the elements that point to it, whose pointer is lost;
    /// - a taken one gets a new pointer.
    ///
    /// The levels are gone through from the top, so that sums over higher ones are at hand.
    fn point(&self, hop: &Hop, [free, taken]: [&[f64]; 2], i: usize, rate: [&mut [f64]; 2]) {
        let filled = hop.passed * (hop.taken + hop.next * hop.unseen) / self.sub_tables[i];
        let followed = hop.passed * hop.next / self.sub_tables[i - 1];
        let pointed_at = hop.passed * (hop.taken - hop.stuck) / self.sub_tables[i];
        let [free_rate, taken_rate] = rate;
        let (mut free_more, mut taken_more, mut beyond) = (0.0, 0.0, 0.0);
        for j in (0..self.most).rev() {
            let pointers = (j + 1) as f64;
            let [free_exact, taken_exact] = [free[j] - free_more, taken[j] - taken_more];
            let fewer = if j == 0 { hop.next } else { taken[j - 1] } - taken[j];
            let by_pointer = beyond + pointers * free_exact;
            free_rate[j] =
                taken[j] - pointers * free_exact - filled * free[j] - followed * by_pointer;
            taken_rate[j] = filled * free[j] + followed * beyond + pointed_at * fewer
                - taken[j]
                - pointers * taken_exact;
            (free_more, taken_more, beyond) = (free[j], taken[j], by_pointer);
        }
    }
}

#[cfg(test)]
mod tests;
