//! The equations under alternation as a system of differential equations, integrated: what
//! [`super::alternation`] has to agree with.

use super::buckets::Rates;
use super::hop::Hop;
use super::{SecondChance, arrive_first};
use crate::math::ode;
use crate::tables::theory::RELAXATION;
use crate::tables::theory::TheoryError;

/// The equations under alternation. An element that has had its next choice looked at points to it.
///
/// The state is `f_1..f_d`, `g_1..g_d` (the last one is unused), and for each sub-table but the first
/// the fractions of free and of taken buckets to which at least `j` elements point, `j = 1..=most`.
pub(super) struct Pointers<'a> {
    pub(super) sub_tables: &'a [f64],
    pub(super) most: usize,
}

impl Pointers<'_> {
    pub(super) fn equilibrium(&self) -> Result<SecondChance, TheoryError> {
        let d = self.sub_tables.len();
        let start = vec![0.0; 2 * d + 2 * d * self.most];
        let end = ode::integrate(start, RELAXATION, ode::Precision::Fine, |state, rate| {
            self.derivative(state, rate);
        })?;
        SecondChance::between(end[..d].to_vec(), &self.hops(&end))
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
        let sizes = [self.sub_tables[i - 1], self.sub_tables[i]];
        let Rates { filled, followed, pointed_at } = Rates::after(hop, sizes);
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
