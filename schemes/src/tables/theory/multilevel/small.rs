//! Small tables of any insertion rule, exact.
//!
//! The counts of [`outcomes`](super::outcomes) are a Markov chain for any number of elements. Where few of
//! its states can be reached, the probability of each of them is followed through all insertions.

use std::collections::BTreeMap;

use super::InsertionRule;
use super::exact::Count;
use super::outcomes::Outcomes;

/// A small table after a static fill.
#[derive(Debug, Clone, PartialEq)]
pub struct SmallTable {
    /// The length of the overflow list.
    pub overflow: Count,
    /// Elements moved, per insertion.
    pub moves: f64,
}

/// Steps from state to state up to which a table is small: less than a second.
const MOST_STEPS: u64 = 3_000_000;

/// The sizes of the sets, and of the overflow list.
type State = Vec<u16>;

/// `n` insertions into empty sub-tables with these numbers of buckets; `None` where the states that can be
/// reached, or the outcomes of an insertion, are too many.
pub fn small_table(rule: InsertionRule, n: u32, buckets: &[u32]) -> Option<SmallTable> {
    u16::try_from(n).ok()?;
    let outcomes = Outcomes::new(rule, buckets.len()).ok()?;
    let buckets: Vec<f64> = buckets.iter().map(|&m| f64::from(m)).collect();
    let chain = Chain { buckets: outcomes.sets.of_each_set(&buckets), outcomes: &outcomes };
    let overflow = outcomes.sets.overflow();
    let mut states = BTreeMap::from([(vec![0; overflow + 1], 1.0)]);
    let mut walk = Walk { left: MOST_STEPS, moves: 0.0, next: BTreeMap::new() };
    for _ in 0..n {
        for (state, probability) in states {
            chain.insert(&state, probability, &mut walk)?;
        }
        states = std::mem::take(&mut walk.next);
    }
    let mut law = vec![0.0; n as usize + 1];
    states.iter().for_each(|(state, p)| law[usize::from(state[overflow])] += p);
    Some(SmallTable { overflow: Count::of(law), moves: walk.moves / f64::from(n.max(1)) })
}

/// What one insertion leads to.
struct Chain<'a> {
    outcomes: &'a Outcomes,
    /// The buckets that each of the sets is a part of.
    buckets: Vec<f64>,
}

/// What is found on the way.
struct Walk {
    left: u64,
    moves: f64,
    next: BTreeMap<State, f64>,
}

impl Chain<'_> {
    /// `None` once the steps are too many.
    fn insert(&self, state: &State, probability: f64, walk: &mut Walk) -> Option<()> {
        let fraction = |set: usize| f64::from(state[set]) / self.buckets[set];
        let shares = self.outcomes.shares.iter().map(|share| share.value(fraction));
        let weights: Vec<f64> =
            std::iter::repeat_n(1.0, self.outcomes.sets.states()).chain(shares).collect();
        let start = self.outcomes.graph.nodes() - 1;
        self.follow(start, &weights, &mut state.clone(), probability, walk)
    }

    fn follow(
        &self,
        node: usize,
        weights: &[f64],
        state: &mut State,
        probability: f64,
        walk: &mut Walk,
    ) -> Option<()> {
        walk.left = walk.left.checked_sub(1)?;
        if node == 0 {
            *walk.next.entry(state.clone()).or_insert(0.0) += probability;
            return Some(());
        }
        for edge in self.outcomes.graph.leaving(node) {
            let probability = probability * weights[edge.factor];
            if probability <= 0.0 {
                continue;
            }
            if edge.factor == self.outcomes.sets.moves() {
                walk.moves += probability;
            }
            let grows = edge.factor < state.len();
            if grows {
                state[edge.factor] += 1;
            }
            self.follow(edge.to, weights, state, probability, walk)?;
            if grows {
                state[edge.factor] -= 1;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::standard_law;
    use super::*;

    #[test]
    fn agrees_with_the_exact_law_of_the_standard_scheme() {
        for (n, buckets) in [(3, &[2][..]), (8, &[3, 2]), (12, &[4, 3, 2]), (5, &[1; 4])] {
            let rule = InsertionRule::Standard { bucket_size: 1 };
            let small = small_table(rule, n, buckets).unwrap();
            let law = standard_law(n, buckets).unwrap().overflow;
            for k in 0..=n {
                let found = small.overflow.probability(k);
                assert!((found - law.probability(k)).abs() < 1e-14, "{n} {buckets:?} {k}");
            }
            assert_eq!(small.moves, 0.0);
        }
    }

    /// Three elements in two tables of one bucket: the third overflows, whatever is moved.
    #[test]
    fn a_full_table_overflows_for_certain() {
        for rule in [InsertionRule::Conservative, InsertionRule::SecondChance] {
            let small = small_table(rule, 3, &[1, 1]).unwrap();
            assert!((small.overflow.mean() - 1.0).abs() < 1e-14, "{rule:?}");
        }
    }

    /// Two elements of one bucket in `T_1`, of which one is moved to its own bucket of `T_2` by the third: by
    /// hand, with buckets (1, 2), the third finds its choice in `T_2` taken with ½, and the one in `T_1` then
    /// moves with ½.
    #[test]
    fn one_move_by_hand() {
        let small = small_table(InsertionRule::SecondChance, 3, &[1, 2]).unwrap();
        assert!((small.overflow.mean() - 0.25).abs() < 1e-14, "{small:?}");
        assert!((small.moves - 0.25 / 3.0).abs() < 1e-14, "{small:?}");
    }

    #[test]
    fn large_tables_are_not_followed() {
        let rule = InsertionRule::SecondChance;
        assert_eq!(small_table(rule, 200, &[100, 60, 40]), None);
    }
}
