//! The exact chain of two small sub-tables under alternation, to hold the expansion against.
//!
//! Here each element of the first sub-table points to its choice in the second one, whether that was looked at or
//! not: a choice may as well be drawn when its element arrives. Nothing else is known of a table's future.

use std::collections::BTreeMap;

/// Buckets of the second sub-table, in order: how many elements point to each, and whether it is taken.
type State = Vec<(u32, bool)>;

/// Probabilities of states.
type Law = BTreeMap<State, f64>;

/// `n` elements in two sub-tables.
#[derive(Debug, Clone, Copy)]
pub(super) struct SmallTable {
    pub(super) n: u32,
    pub(super) buckets: [u32; 2],
}

/// Means in equilibrium.
#[derive(Debug, Clone, Copy)]
pub(super) struct Means {
    pub(super) overflow: f64,
    pub(super) moves: f64,
    pub(super) accesses: f64,
    pub(super) loads: [f64; 2],
}

/// Lifetimes after which an empty table is forgotten.
const LIFETIMES: u32 = 30;

impl SmallTable {
    pub(super) fn alternation(&self) -> Means {
        let mut after = Law::from([(vec![(0, false); self.buckets[1] as usize], 1.0)]);
        let mut before = Law::new();
        for _ in 0..LIFETIMES * self.n {
            before = each(&after, |state, add| self.delete(state, add));
            after = each(&before, |state, add| self.insert(state, add));
        }
        let mean = |law: &Law, of: &dyn Fn(&State) -> f64| -> f64 {
            law.iter().map(|(state, p)| p * of(state)).sum()
        };
        let [first, second] = self.buckets.map(f64::from);
        let loads = [
            mean(&after, &|state| f64::from(pointers(state)) / first),
            mean(&after, &|state| f64::from(taken(state)) / second),
        ];
        Means {
            overflow: 1.0 - (loads[0] * first + loads[1] * second) / f64::from(self.n),
            moves: mean(&before, &|state| self.moved(state)),
            accesses: mean(&before, &|state| self.read(state)),
            loads,
        }
    }

    fn delete(&self, state: &State, add: &mut dyn FnMut(State, f64)) {
        let share = |elements: u32| f64::from(elements) / f64::from(self.n);
        for (b, (pointers, taken)) in state.iter().enumerate() {
            if *pointers > 0 {
                add(with(state, b, (pointers - 1, *taken)), share(*pointers));
            }
            if *taken {
                add(with(state, b, (*pointers, false)), share(1));
            }
        }
        add(state.clone(), share(self.n - pointers(state) - taken(state)));
    }

    fn insert(&self, state: &State, add: &mut dyn FnMut(State, f64)) {
        let [first, second] = self.buckets.map(f64::from);
        let room = 1.0 - f64::from(pointers(state)) / first;
        let mut as_it_was = 0.0;
        for (choice, (own, taken)) in state.iter().enumerate() {
            add(with(state, choice, (own + 1, *taken)), room / second);
            if !taken {
                add(with(state, choice, (*own, true)), (1.0 - room) / second);
                continue;
            }
            for (to, (pointers, to_taken)) in state.iter().enumerate() {
                let in_the_way = f64::from(*pointers) / first / second;
                if *to_taken {
                    as_it_was += in_the_way;
                } else if *pointers > 0 {
                    let moved =
                        with_all(state, [(to, (pointers - 1, true)), (choice, (own + 1, true))]);
                    add(moved, in_the_way);
                }
            }
        }
        add(state.clone(), as_it_was);
    }

    /// The probability that an insertion moves an element.
    fn moved(&self, state: &State) -> f64 {
        let free = state.iter().filter(|(_, taken)| !taken);
        let to_free: u32 = free.map(|(pointers, _)| pointers).sum();
        let [first, second] = self.buckets.map(f64::from);
        f64::from(to_free) / first * f64::from(taken(state)) / second
    }

    /// The mean number of buckets that an insertion reads.
    fn read(&self, state: &State) -> f64 {
        let [first, second] = self.buckets.map(f64::from);
        1.0 + f64::from(pointers(state)) / first * (1.0 + f64::from(taken(state)) / second)
    }
}

/// The law after a step with these outcomes.
fn each(law: &Law, step: impl Fn(&State, &mut dyn FnMut(State, f64))) -> Law {
    let mut after = Law::new();
    for (state, p) in law {
        step(state, &mut |to, share| {
            // What cannot happen would lead to tables that cannot be.
            if share > 0.0 {
                *after.entry(to).or_default() += p * share;
            }
        });
    }
    after
}

fn pointers(state: &State) -> u32 {
    state.iter().map(|(pointers, _)| pointers).sum()
}

fn taken(state: &State) -> u32 {
    state.iter().map(|(_, taken)| u32::from(*taken)).sum()
}

fn with(state: &State, bucket: usize, now: (u32, bool)) -> State {
    with_all(state, [(bucket, now)])
}

fn with_all<const N: usize>(state: &State, changes: [(usize, (u32, bool)); N]) -> State {
    let mut state = state.clone();
    for (bucket, now) in changes {
        state[bucket] = now;
    }
    state.sort_unstable();
    state
}
