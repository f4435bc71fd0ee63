//! Trials as they are before a branch, so that what histories have in common is done once.

use std::collections::BTreeMap;

use super::{Branch, Rise};

/// States before a branch, by its step and the seed that was followed up to there: no other branch has that seed.
#[derive(Debug)]
pub(crate) struct Kept<S> {
    states: ByKey<(u64, u64), Before<S>>,
    most: usize,
}

/// Values by their keys. The map has their places alone, so that the compiler makes one for all kinds of values.
#[derive(Debug)]
pub(crate) struct ByKey<K, V> {
    places: BTreeMap<K, usize>,
    values: Vec<V>,
}

impl<K: Ord, V> ByKey<K, V> {
    pub(crate) fn new() -> Self {
        Self { places: BTreeMap::new(), values: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn clear(&mut self) {
        self.places.clear();
        self.values.clear();
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        Some(&self.values[*self.places.get(key)?])
    }

    /// Puts a value in place of that which the key has, if any.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        let place = *self.places.entry(key).or_insert(self.values.len());
        match self.values.get_mut(place) {
            Some(before) => *before = value,
            None => self.values.push(value),
        }
    }
}

/// A trial before a branch.
#[derive(Debug)]
pub(crate) struct Before<S> {
    pub(crate) state: S,
    /// The rises up to here.
    pub(crate) rises: Vec<Rise>,
}

impl<S> Kept<S> {
    /// None so far, of at most so many.
    pub(crate) fn new(most: usize) -> Self {
        Self { states: ByKey::new(), most }
    }

    /// The last branch of the history of which the state before it is kept, by its place.
    pub(crate) fn furthest(&self, history: &[Branch]) -> Option<(usize, &Before<S>)> {
        (1..history.len()).rev().find_map(|i| Some((i, self.states.get(&key(history, i))?)))
    }

    /// Keeps the state before the last branch of a history. Where there is no room left, all others are forgotten.
    pub(crate) fn keep(
        &mut self,
        history: &[Branch],
        rises: &[Rise],
        state: impl FnOnce() -> Option<S>,
    ) {
        let last = history.len() - 1;
        if last == 0 || self.most == 0 {
            return;
        }
        if self.states.len() >= self.most {
            self.states.clear();
        }
        if let Some(state) = state() {
            let before = Before { state, rises: rises.to_vec() };
            self.states.insert(key(history, last), before);
        }
    }
}

/// What the state before a branch, not the first one, is kept by.
fn key(history: &[Branch], branch: usize) -> (u64, u64) {
    (history[branch].step, history[branch - 1].seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where there is room for one state, the next one is kept in its place; where there is none, none is.
    #[test]
    fn as_many_are_kept_as_there_is_room_for() {
        let branch = |step, seed| Branch { step, seed };
        let first = [branch(0, 1), branch(5, 2)];
        let second = [branch(0, 1), branch(5, 2), branch(9, 3)];
        let found = |kept: &Kept<u32>, history: &[Branch]| {
            kept.furthest(history).map(|(branch, before)| (branch, before.state))
        };
        for (most, expected) in
            [(0, [None, None]), (1, [None, Some((2, 8))]), (2, [Some((1, 7)), Some((2, 8))])]
        {
            let mut kept = Kept::new(most);
            kept.keep(&first[..1], &[], || Some(6));
            kept.keep(&first, &[], || Some(7));
            kept.keep(&second, &[], || Some(8));
            assert_eq!([found(&kept, &first), found(&kept, &second)], expected, "{most}");
        }
    }
}
