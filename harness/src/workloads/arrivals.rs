//! The keys of arriving elements, one after the other.

use std::sync::Arc;

use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng};

use loadfactor_schemes::Rng;
use loadfactor_traces::Keys;

use super::residents::Residents;

/// Bytes of a key that is drawn or counted.
pub(super) const MADE_KEY_BYTES: usize = 16;

/// The packets of a trace as a workload uses them.
#[derive(Debug)]
pub struct TraceKeys {
    /// One key per packet, in capture order; never empty.
    keys: Keys,
    /// Which of the distinct keys each packet carries.
    ids: Vec<u32>,
    distinct: usize,
}

impl TraceKeys {
    /// Every packet, repeated keys included; `None` where there is none.
    pub fn of(keys: Keys) -> Option<Self> {
        let ids = keys.ids();
        let distinct = ids.iter().max().map(|&last| last as usize + 1)?;
        Some(Self { keys, ids, distinct })
    }

    /// The same trace with each key's first packet only.
    pub fn without_repeats(&self) -> Self {
        let keys = self.keys.distinct();
        let ids = (0..).take(self.distinct).collect();
        Self { keys, ids, distinct: self.distinct }
    }

    /// Number of packets, repeated keys included.
    pub fn packets(&self) -> usize {
        self.ids.len()
    }

    /// Number of distinct keys.
    pub fn distinct(&self) -> usize {
        self.distinct
    }
}

/// Where the keys of a trial come from.
#[derive(Debug, Clone)]
pub enum KeySource {
    /// 16 random bytes each.
    Random,
    /// Consecutive numbers as 16 big-endian bytes.
    Sequential,
    /// A trace in capture order; `renew` asks for a new hash seed whenever it starts again.
    Trace {
        /// The packets.
        keys: Arc<TraceKeys>,
        /// Whether each pass over the trace gets hash functions of its own.
        renew: bool,
        /// Whether the packets of each pass arrive in a random order.
        shuffled: bool,
    },
}

/// The arriving elements of one trial after the other.
pub(crate) trait Arrivals {
    /// Starts a trial; `seed` decides what is drawn.
    fn begin(&mut self, seed: u64);

    /// How many arrive before the next pass has to begin.
    fn left(&self) -> u64;

    /// Begins the next pass; whether that is one under new hash functions.
    fn next_pass(&mut self) -> bool;

    /// The key that arrives as this element, and whether another stored element has it.
    fn arrive(&mut self, element: u32) -> (&[u8], bool);

    /// The element departs.
    fn depart(&mut self, element: u32);

    /// Makes room for the elements `0..elements`.
    fn reserve(&mut self, _elements: u32) {}
}

/// Elements at whose keys nobody looks.
pub(crate) struct Keyless;

impl Arrivals for Keyless {
    fn begin(&mut self, _seed: u64) {}

    #[inline]
    fn left(&self) -> u64 {
        u64::MAX
    }

    #[inline]
    fn next_pass(&mut self) -> bool {
        false
    }

    #[inline]
    fn arrive(&mut self, _element: u32) -> (&[u8], bool) {
        (&[], false)
    }

    #[inline]
    fn depart(&mut self, _element: u32) {}
}

/// Keys that are drawn or counted, all of them different.
pub(crate) struct Made {
    sequential: bool,
    rng: Rng,
    next: u128,
    key: [u8; MADE_KEY_BYTES],
}

impl Made {
    /// Consecutive numbers, or else random bytes.
    pub(crate) fn new(sequential: bool) -> Self {
        Self { sequential, rng: Rng::seed_from_u64(0), next: 0, key: [0; MADE_KEY_BYTES] }
    }
}

impl Arrivals for Made {
    fn begin(&mut self, seed: u64) {
        self.rng = Rng::seed_from_u64(seed);
        self.next = 0;
    }

    #[inline]
    fn left(&self) -> u64 {
        u64::MAX
    }

    #[inline]
    fn next_pass(&mut self) -> bool {
        false
    }

    #[inline]
    fn arrive(&mut self, _element: u32) -> (&[u8], bool) {
        if self.sequential {
            self.key = self.next.to_be_bytes();
            self.next += 1;
        } else {
            self.rng.fill_bytes(&mut self.key);
        }
        (&self.key, false)
    }

    #[inline]
    fn depart(&mut self, _element: u32) {}
}

/// The packets of a trace, from its first one on.
pub(crate) struct Packets<'t> {
    trace: &'t TraceKeys,
    renew: bool,
    next: usize,
    order: Order,
    residents: Residents,
}

impl<'t> Packets<'t> {
    /// The trace in each pass under new hash functions if `renew`, and in a random order if
    /// `shuffled`, arriving as `0..elements`.
    pub(crate) fn new(trace: &'t TraceKeys, renew: bool, shuffled: bool, elements: u32) -> Self {
        let order = if shuffled { Order::shuffled(trace.packets()) } else { Order::Captured };
        let residents = Residents::new(elements, trace.distinct());
        Self { trace, renew, next: 0, order, residents }
    }
}

/// The order in which the packets of a pass arrive.
enum Order {
    Captured,
    Shuffled { packets: Vec<u32>, rng: Rng },
}

impl Order {
    fn shuffled(packets: usize) -> Self {
        Order::Shuffled { packets: (0..).take(packets).collect(), rng: Rng::seed_from_u64(0) }
    }

    /// Starts a trial; two with the same seed see the same orders.
    fn begin(&mut self, seed: u64) {
        if let Order::Shuffled { packets, rng } = self {
            *rng = Rng::seed_from_u64(seed);
            packets.iter_mut().zip(0..).for_each(|(packet, own)| *packet = own);
        }
        self.next_pass();
    }

    fn next_pass(&mut self) {
        if let Order::Shuffled { packets, rng } = self {
            packets.shuffle(rng);
        }
    }

    /// The packet that arrives at this place of the pass.
    #[inline]
    fn packet(&self, place: usize) -> usize {
        match self {
            Order::Captured => place,
            Order::Shuffled { packets, .. } => packets[place] as usize,
        }
    }
}

impl Arrivals for Packets<'_> {
    fn begin(&mut self, seed: u64) {
        self.next = 0;
        self.order.begin(seed);
        self.residents.clear();
    }

    #[inline]
    fn left(&self) -> u64 {
        (self.trace.packets() - self.next) as u64
    }

    #[inline]
    fn next_pass(&mut self) -> bool {
        self.next = 0;
        self.order.next_pass();
        if self.renew {
            self.residents.clear();
        }
        self.renew
    }

    #[inline(always)]
    fn arrive(&mut self, element: u32) -> (&[u8], bool) {
        let packet = self.order.packet(self.next);
        self.next += 1;
        let repeated = self.residents.add(element, self.trace.ids[packet]);
        (self.trace.keys.get(packet), repeated)
    }

    #[inline]
    fn depart(&mut self, element: u32) {
        self.residents.remove(element);
    }

    fn reserve(&mut self, elements: u32) {
        self.residents.reserve(elements);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrived(packets: &mut Packets<'_>) -> Vec<u8> {
        (0..10).map(|element| packets.arrive(element).0[0]).collect()
    }

    #[test]
    fn a_shuffled_pass_has_each_packet_once_and_the_seed_decides_its_place() {
        let names: Vec<[u8; 1]> = (0..10).map(|key| [key]).collect();
        let keys: Keys = names.iter().map(|name| &name[..]).collect();
        let trace = TraceKeys::of(keys).unwrap();
        let mut packets = Packets::new(&trace, true, true, 10);
        packets.begin(1);
        let first = arrived(&mut packets);
        packets.next_pass();
        let second = arrived(&mut packets);
        packets.begin(1);
        assert_eq!(arrived(&mut packets), first);
        assert_ne!(first, second);
        for mut pass in [first, second] {
            pass.sort_unstable();
            assert_eq!(pass, (0..10).collect::<Vec<u8>>());
        }
    }
}
