//! The packets of a trace as arriving elements.

use rand::SeedableRng;
use rand::seq::SliceRandom as _;

use super::residents::Residents;
use super::{Arrivals, TraceKeys};
use crate::Rng;

/// The packets of a trace, from its first one on.
#[derive(Debug)]
pub struct Packets<'t> {
    trace: &'t TraceKeys,
    renew: bool,
    next: usize,
    /// Packets looked at for strangers, counted from the last one of the trace.
    looked_at: usize,
    order: Order,
    residents: Residents,
}

impl<'t> Packets<'t> {
    /// The trace in each pass under new hash functions if `renew`, and in a random order if
    /// `shuffled`, arriving as `0..elements`.
    pub fn new(trace: &'t TraceKeys, renew: bool, shuffled: bool, elements: u32) -> Self {
        let order = if shuffled { Order::shuffled(trace.packets()) } else { Order::Captured };
        let residents = Residents::new(elements, trace.distinct());
        Self { trace, renew, next: 0, looked_at: 0, order, residents }
    }
}

/// The order in which the packets of a pass arrive.
#[derive(Debug)]
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
        (self.next, self.looked_at) = (0, 0);
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
        let repeated = self.residents.add(element, self.trace.id(packet));
        (self.trace.key(packet), repeated)
    }

    fn newcomer(&mut self, element: u32) -> Option<&[u8]> {
        while self.next < self.trace.packets() {
            let packet = self.order.packet(self.next);
            self.next += 1;
            if !self.residents.holds(self.trace.id(packet)) {
                self.residents.add(element, self.trace.id(packet));
                return Some(self.trace.key(packet));
            }
        }
        None
    }

    #[inline]
    fn depart(&mut self, element: u32) {
        self.residents.remove(element);
    }

    #[inline(always)]
    fn read_ahead(&self, element: u32) -> u32 {
        self.residents.with_key_of(element)
    }

    fn reserve(&mut self, elements: u32) {
        self.residents.reserve(elements);
    }

    /// The packets from the last one of the trace backwards, each once in a trial, those left out whose key is
    /// stored.
    fn stranger(&mut self) -> Option<&[u8]> {
        let packets = self.trace.packets();
        while self.looked_at < packets {
            self.looked_at += 1;
            let packet = packets - self.looked_at;
            if !self.residents.holds(self.trace.id(packet)) {
                return Some(self.trace.key(packet));
            }
        }
        None
    }

    fn strangers_again(&mut self) {
        self.looked_at = 0;
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
        let trace: TraceKeys = names.iter().map(|name| &name[..]).collect();
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

    #[test]
    fn strangers_are_keys_that_nobody_has() {
        let trace: TraceKeys =
            [b"a", b"b", b"a", b"c", b"d"].map(|key| &key[..]).into_iter().collect();
        let mut packets = Packets::new(&trace, true, false, 4);
        packets.begin(1);
        packets.arrive(0);
        packets.arrive(1);
        let mut strangers = || packets.stranger().map(<[u8]>::to_vec);
        assert_eq!([strangers(), strangers()], [Some(b"d".to_vec()), Some(b"c".to_vec())]);
        assert_eq!(strangers(), None);
        packets.strangers_again();
        assert_eq!(packets.stranger(), Some(&b"d"[..]));
        packets.begin(2);
        assert_eq!(packets.stranger(), Some(&b"d"[..]));
    }

    #[test]
    fn newcomers_have_keys_of_their_own() {
        let trace: TraceKeys = [b"a", b"b", b"a", b"c"].map(|key| &key[..]).into_iter().collect();
        let mut packets = Packets::new(&trace, true, false, 4);
        packets.begin(1);
        let newcomers: Vec<_> =
            (0..4).map(|element| packets.newcomer(element).map(<[u8]>::to_vec)).collect();
        let expected = [Some("a"), Some("b"), Some("c"), None];
        assert_eq!(newcomers, expected.map(|key| key.map(|key| key.as_bytes().to_vec())));
        assert_eq!(packets.stranger(), None);
    }
}
