//! Slots with keys in place.

use crate::probing::circle::Circle;
use crate::probing::params::Size;
use crate::timed::Key;

/// What a slot is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing.
    Empty,
    /// A key was there; searches pass.
    Tombstone,
    /// A key.
    Full,
}

/// m slots for one key each, and a byte for each that says what it is used for. Any key may be stored, so that no key
/// can say that a slot is empty.
#[derive(Debug, Clone)]
pub(super) struct KeySlots {
    states: Vec<State>,
    keys: Vec<Key>,
    /// Bytes of a key.
    width: usize,
}

impl KeySlots {
    /// Bytes of a slot.
    pub(super) const BYTES: u64 = (size_of::<Key>() + size_of::<State>()) as u64;

    /// Empty slots for keys of so many bytes.
    pub(super) fn new(size: &Size, width: usize) -> Self {
        let slots = size.buckets as usize;
        Self { states: vec![State::Empty; slots], keys: vec![0; slots], width }
    }

    /// Empties all slots.
    pub(super) fn clear(&mut self) {
        self.states.fill(State::Empty);
    }

    /// The circle of the slots.
    #[inline(always)]
    pub(super) fn circle(&self) -> Circle {
        Circle { slots: self.states.len() as u32 }
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> u64 {
        self.states.len() as u64 * Self::BYTES
    }

    /// What a slot is used for.
    #[inline(always)]
    pub(super) fn state(&self, slot: u32) -> State {
        self.states[slot as usize]
    }

    /// The key of a slot that is full.
    #[inline(always)]
    pub(super) fn key(&self, slot: u32) -> Key {
        self.keys[slot as usize]
    }

    /// Writes a key into a slot; the one that was there.
    #[inline(always)]
    pub(super) fn put(&mut self, slot: u32, key: Key) -> Key {
        self.states[slot as usize] = State::Full;
        std::mem::replace(&mut self.keys[slot as usize], key)
    }

    /// Leaves the slot without a key.
    #[inline(always)]
    pub(super) fn leave(&mut self, slot: u32, state: State) {
        self.states[slot as usize] = state;
    }

    /// Calls `with` with the bytes of every key.
    pub(super) fn each_key(&self, mut with: impl FnMut(&[u8])) {
        let full = self.states.iter().zip(&self.keys).filter(|(state, _)| **state == State::Full);
        full.for_each(|(_, key)| with(&key.to_ne_bytes()[..self.width]));
    }
}
