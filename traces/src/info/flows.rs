//! How the packets of a trace belong to flows, and how far apart repeated packets are.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_128;

use super::Detail;
use super::quantiles::Quantiles;
use crate::key::{KeyKind, LONGEST_KEY};

/// Bytes of a five-tuple behind its addresses: two ports and the protocol.
const PORTS_AND_PROTOCOL: usize = 5;
/// Bytes of the five-tuple of an IPv4 packet.
const IPV4_FIVE_TUPLE: usize = 13;
/// How many of the largest flows are summed.
const LARGEST: usize = 10;

/// The flows of a trace, which are its distinct five-tuples; its shares are 0 of no packets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FlowStatistics {
    /// Packets that have a five-tuple.
    pub packets: u64,
    /// Flows, each direction of a connection by itself.
    pub flows: u64,
    /// Pairs of source and destination.
    pub pairs: u64,
    /// Packets of the largest flow.
    pub largest: u64,
    /// Packets of the ten largest flows.
    pub ten_largest: u64,
    /// Flows of one packet.
    pub single_packet: u64,
    /// Packets whose predecessor in the trace is of the same flow.
    pub following: u64,
    /// Flows whose other direction is in the trace too.
    pub both_directions: u64,
    /// Packets of IPv6.
    pub ipv6: u64,
}

/// The repeated packets of a trace, which carry the addresses, sequence and acknowledgement number of an earlier
/// one. Only packets that have these numbers are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepeatStatistics {
    /// Packets that have the numbers.
    pub packets: u64,
    /// Packets that repeat an earlier one.
    pub repeated: u64,
    /// Quartiles of the distance of a repeated packet from the last one that it repeats, in packets that have the
    /// numbers: 1 if it is the next one. Exact below 2048, above it within 0.1 %. `None` if none repeats.
    pub distance: Option<[u64; 3]>,
}

impl FlowStatistics {
    /// Share of the packets that the largest flow has.
    pub fn largest_share(&self) -> f64 {
        share(self.largest, self.packets)
    }

    /// Share of the packets that the ten largest flows have.
    pub fn ten_largest_share(&self) -> f64 {
        share(self.ten_largest, self.packets)
    }

    /// Share of the flows that have one packet.
    pub fn single_packet_share(&self) -> f64 {
        share(self.single_packet, self.flows)
    }

    /// Share of the packets that follow one of their own flow.
    pub fn following_share(&self) -> f64 {
        share(self.following, self.packets)
    }

    /// Packets per flow.
    pub fn packets_per_flow(&self) -> f64 {
        share(self.packets, self.flows)
    }

    /// Flows per pair of source and destination.
    pub fn flows_per_pair(&self) -> f64 {
        share(self.flows, self.pairs)
    }

    /// Share of the flows whose other direction is in the trace too.
    pub fn both_directions_share(&self) -> f64 {
        share(self.both_directions, self.flows)
    }

    /// Share of the packets that are IPv6.
    pub fn ipv6_share(&self) -> f64 {
        share(self.ipv6, self.packets)
    }
}

impl RepeatStatistics {
    /// Share of the packets that repeat an earlier one.
    pub fn repeated_share(&self) -> f64 {
        share(self.repeated, self.packets)
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Counts what [`Detail::Flows`] asks for.
#[derive(Debug, Default)]
pub(super) struct OrderCounter {
    flows: FlowCounter,
    repeats: RepeatCounter,
}

impl OrderCounter {
    pub(super) fn of(detail: Detail) -> Option<Self> {
        (detail == Detail::Flows).then(Self::default)
    }

    /// Takes a key of the next packet.
    pub(super) fn add(&mut self, kind: KeyKind, key: &[u8]) {
        match kind {
            KeyKind::FiveTuple => self.flows.add(key),
            KeyKind::TcpHeader => self.repeats.add(key),
            KeyKind::Src | KeyKind::Dst | KeyKind::SrcDst => {}
        }
    }

    /// The flows, given the number of pairs of source and destination; `None` if no five-tuple was met.
    pub(super) fn flows(&self, pairs: u64) -> Option<FlowStatistics> {
        (self.flows.packets > 0).then(|| self.flows.statistics(pairs))
    }

    /// The repeats; `None` if no packet had the numbers.
    pub(super) fn repeats(&self) -> Option<RepeatStatistics> {
        (self.repeats.packets > 0).then(|| self.repeats.statistics())
    }
}

/// A flow by the hash of its five-tuple.
#[derive(Debug)]
struct Flow {
    hash: u128,
    /// The hash of the other direction's five-tuple.
    opposite: u128,
    packets: u64,
}

/// Counts the packets of each flow, of which it holds a hash: 40 bytes and a little more.
#[derive(Debug, Default)]
struct FlowCounter {
    flows: HashTable<Flow>,
    packets: u64,
    ipv6: u64,
    following: u64,
    /// The flow of the packet before.
    last: Option<u128>,
}

impl FlowCounter {
    /// Takes the next packet by its five-tuple.
    fn add(&mut self, five_tuple: &[u8]) {
        let hash = xxh3_128(five_tuple);
        self.packets += 1;
        self.ipv6 += u64::from(five_tuple.len() > IPV4_FIVE_TUPLE);
        self.following += u64::from(self.last == Some(hash));
        self.last = Some(hash);
        let is_same = |flow: &Flow| flow.hash == hash;
        let start = || Flow { hash, opposite: opposite(five_tuple), packets: 0 };
        let flow = self.flows.entry(hash as u64, is_same, |flow| flow.hash as u64);
        flow.or_insert_with(start).into_mut().packets += 1;
    }

    /// What was counted, given the number of pairs of source and destination.
    fn statistics(&self, pairs: u64) -> FlowStatistics {
        let largest = self.largest();
        FlowStatistics {
            packets: self.packets,
            flows: self.flows.len() as u64,
            pairs,
            largest: largest[0],
            ten_largest: largest.iter().sum(),
            single_packet: self.number_of(|flow| flow.packets == 1),
            following: self.following,
            both_directions: self.number_of(|flow| self.has_opposite(flow)),
            ipv6: self.ipv6,
        }
    }

    /// The packets of the largest flows, the largest first.
    fn largest(&self) -> [u64; LARGEST] {
        let mut largest = [0; LARGEST];
        for flow in &self.flows {
            let place = largest.partition_point(|&packets| packets >= flow.packets);
            if place < LARGEST {
                largest[place..].rotate_right(1);
                largest[place] = flow.packets;
            }
        }
        largest
    }

    fn number_of(&self, is_counted: impl Fn(&Flow) -> bool) -> u64 {
        self.flows.iter().filter(|flow| is_counted(flow)).count() as u64
    }

    /// A flow that is its own opposite, as between one port of one host, has none.
    fn has_opposite(&self, flow: &Flow) -> bool {
        let opposite = flow.opposite;
        opposite != flow.hash
            && self.flows.find(opposite as u64, |other| other.hash == opposite).is_some()
    }
}

/// The hash of the five-tuple with source and destination exchanged.
fn opposite(five_tuple: &[u8]) -> u128 {
    let (addresses, rest) = five_tuple.split_at(five_tuple.len() - PORTS_AND_PROTOCOL);
    let (source, destination) = addresses.split_at(addresses.len() / 2);
    let (ports, protocol) = rest.split_at(4);
    let (source_port, destination_port) = ports.split_at(2);
    let mut exchanged = [0; LONGEST_KEY];
    let mut length = 0;
    for field in [destination, source, destination_port, source_port, protocol] {
        exchanged[length..length + field.len()].copy_from_slice(field);
        length += field.len();
    }
    xxh3_128(&exchanged[..length])
}

/// Measures the distances of repeated packets. Of each distinct packet it holds a hash and a place: 32 bytes and a
/// little more.
#[derive(Debug, Default)]
struct RepeatCounter {
    places: HashTable<(u128, u64)>,
    packets: u64,
    distances: Quantiles,
}

impl RepeatCounter {
    /// Takes the next packet by its addresses, sequence and acknowledgement number.
    fn add(&mut self, tcp_header: &[u8]) {
        let hash = xxh3_128(tcp_header);
        self.packets += 1;
        let known = self.places.find_mut(hash as u64, |&(other, _)| other == hash);
        if let Some((_, place)) = known {
            self.distances.add(self.packets - *place);
            *place = self.packets;
        } else {
            let packet = (hash, self.packets);
            self.places.insert_unique(hash as u64, packet, |&(other, _)| other as u64);
        }
    }

    fn statistics(&self) -> RepeatStatistics {
        let [lower, median, upper] = [1, 2, 3].map(|quarters| self.distances.quartile(quarters));
        RepeatStatistics {
            packets: self.packets,
            repeated: self.distances.total(),
            distance: lower
                .zip(median)
                .zip(upper)
                .map(|((lower, median), upper)| [lower, median, upper]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The five-tuple of UDP from one host and port to another.
    fn five_tuple(source: u8, destination: u8) -> [u8; 13] {
        [10, 0, 0, source, 10, 0, 0, destination, 1, source, 1, destination, 17]
    }

    fn counted(packets: &[(u8, u8)]) -> FlowStatistics {
        let mut counter = FlowCounter::default();
        packets.iter().for_each(|&(from, to)| counter.add(&five_tuple(from, to)));
        counter.statistics(1)
    }

    #[test]
    fn flows_are_counted_by_size_and_order() {
        let found = counted(&[(1, 2), (1, 2), (3, 4), (1, 2), (5, 6), (5, 6), (5, 6)]);
        assert_eq!((found.packets, found.flows), (7, 3));
        assert_eq!((found.largest, found.ten_largest, found.single_packet), (3, 7, 1));
        assert_eq!((found.following, found.following_share()), (3, 3.0 / 7.0));
    }

    #[test]
    fn the_ten_largest_are_ten() {
        let packets: Vec<(u8, u8)> =
            (1..=20).flat_map(|size| vec![(size, 0); size.into()]).collect();
        let found = counted(&packets);
        assert_eq!((found.largest, found.ten_largest), (20, (11..=20).sum()));
    }

    #[test]
    fn directions_of_a_connection_are_known_for_one() {
        let found = counted(&[(1, 2), (3, 3), (2, 1), (1, 4), (2, 1)]);
        assert_eq!((found.flows, found.both_directions), (4, 2));
    }

    #[test]
    fn ipv6_is_told_by_its_length() {
        let mut counter = FlowCounter::default();
        counter.add(&five_tuple(1, 2));
        counter.add(&[7; 37]);
        assert_eq!(counter.statistics(2).ipv6_share(), 0.5);
    }

    #[test]
    fn a_repeat_is_as_far_as_the_last_of_its_kind() {
        let mut counter = RepeatCounter::default();
        [1_u8, 2, 1, 1, 3, 2].iter().for_each(|key| counter.add(&[*key; 16]));
        let expected = RepeatStatistics { packets: 6, repeated: 3, distance: Some([1, 2, 4]) };
        assert_eq!(counter.statistics(), expected);
        assert_eq!(counter.statistics().repeated_share(), 0.5);
    }

    #[test]
    fn nothing_has_no_shares() {
        assert_eq!(counted(&[]).largest_share(), 0.0);
        assert_eq!(RepeatCounter::default().statistics().distance, None);
    }
}
