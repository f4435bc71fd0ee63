//! Flows that are found by their keys.

use hashbrown::HashTable;

use crate::hash::{Choices as _, Source};
use crate::timed::{Key, key};

/// An odd number that spreads the bits of a factor over the upper half of a product: 2⁶⁴ by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A key with the value by which it is found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hashed {
    key: Key,
    value: u64,
}

impl Hashed {
    /// The key of these bytes. A hash table takes bits from both ends of a value.
    #[inline(always)]
    pub(super) fn of<S: Source>(bytes: &[u8], source: &mut S) -> Self {
        let value = u64::from(source.element(bytes).next(u32::MAX));
        Self { key: key(bytes), value: value.wrapping_mul(SPREAD) }
    }
}

/// At most k flows, each with a number below k, and a hash table that finds them.
#[derive(Debug, Clone)]
pub(super) struct Flows {
    numbers: HashTable<u32>,
    /// By number.
    flows: Vec<Hashed>,
    /// Numbers that were given back.
    free: Vec<u32>,
}

impl Flows {
    /// No flows, with room for so many.
    pub(super) fn new(entries: u32) -> Self {
        let entries = entries as usize;
        Self {
            numbers: HashTable::with_capacity(entries),
            flows: Vec::with_capacity(entries),
            free: Vec::new(),
        }
    }

    /// Forgets all flows.
    pub(super) fn clear(&mut self) {
        self.numbers.clear();
        self.flows.clear();
        self.free.clear();
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> u64 {
        let (of_flows, of_free) = (self.flows.capacity(), self.free.capacity());
        (self.numbers.allocation_size() + of_flows * size_of::<Hashed>() + of_free * 4) as u64
    }

    /// The number of a flow, if it has one.
    #[inline(always)]
    pub(super) fn number(&self, flow: Hashed) -> Option<u32> {
        let is_own = |&number: &u32| self.flows[number as usize].key == flow.key;
        self.numbers.find(flow.value, is_own).copied()
    }

    /// Gives a number to a flow that has none.
    #[inline(always)]
    pub(super) fn add(&mut self, flow: Hashed) -> u32 {
        let Self { numbers, flows, free } = self;
        let number = free.pop().unwrap_or(flows.len() as u32);
        match flows.get_mut(number as usize) {
            Some(place) => *place = flow,
            None => flows.push(flow),
        }
        numbers.insert_unique(flow.value, number, |&own| flows[own as usize].value);
        number
    }

    /// Forgets the flow with this number.
    #[inline(always)]
    pub(super) fn remove(&mut self, number: u32) {
        let value = self.flows[number as usize].value;
        if let Ok(found) = self.numbers.find_entry(value, |&own| own == number) {
            found.remove();
            self.free.push(number);
        }
    }
}
