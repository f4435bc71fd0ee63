//! Why a packet has no keys.

use std::collections::BTreeMap;
use std::fmt;

/// What a packet carries that is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unread {
    /// Another protocol, by its ethertype.
    Ethertype(u16),
    /// An 802.3 frame without SNAP, such as spanning trees.
    Llc,
    /// A PPP frame of another protocol, by its number.
    PppProtocol(u16),
    /// Something under MPLS labels that is not IP, such as an Ethernet frame.
    UnderMpls,
    /// A loopback packet of another address family.
    AddressFamily(u32),
    /// An ERF record of another type.
    ErfType(u8),
    /// An IP packet whose version, or header length, no IP packet has.
    NotIp,
    /// Too little was captured: it ends before the addresses.
    Cut,
    /// The packet's interface has a link type that is not read.
    LinkType,
    /// Kinds that were met when there were as many as are told apart.
    More,
}

/// Most kinds that are told apart, so that a capture of very many cannot fill the memory.
const MOST_KINDS: usize = 64;

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Unread::Ethertype(number) => match name_of_ethertype(number) {
                Some(name) => write!(f, "{name} (ethertype 0x{number:04x})"),
                None => write!(f, "ethertype 0x{number:04x}"),
            },
            Unread::Llc => f.write_str("802.3 without SNAP"),
            Unread::PppProtocol(number) => write!(f, "PPP protocol 0x{number:04x}"),
            Unread::UnderMpls => f.write_str("not IP under MPLS"),
            Unread::AddressFamily(number) => write!(f, "address family {number}"),
            Unread::ErfType(number) => write!(f, "ERF type {number}"),
            Unread::NotIp => f.write_str("no IP header"),
            Unread::Cut => f.write_str("cut before the addresses"),
            Unread::LinkType => f.write_str("unknown link type"),
            Unread::More => f.write_str("other kinds"),
        }
    }
}

/// Names of the ethertypes that captures have most often beside IP.
fn name_of_ethertype(number: u16) -> Option<&'static str> {
    Some(match number {
        0x0806 => "ARP",
        0x8035 => "RARP",
        0x8808 => "flow control",
        0x8809 => "LACP",
        0x8863 => "PPPoE discovery",
        0x888e => "EAPOL",
        0x88cc => "LLDP",
        0x88e5 => "MACsec",
        0x88f7 => "PTP",
        0x9000 => "loopback test",
        _ => return None,
    })
}

/// How many packets carry what is not read: of the first kinds that are met one by one, of all others
/// together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnreadCounts(BTreeMap<Unread, u64>);

impl UnreadCounts {
    pub(crate) fn add(&mut self, unread: Unread) {
        let is_told = self.0.len() < MOST_KINDS || self.0.contains_key(&unread);
        *self.0.entry(if is_told { unread } else { Unread::More }).or_default() += 1;
    }

    /// Each kind with its number of packets, the most frequent first.
    pub fn by_number(&self) -> Vec<(Unread, u64)> {
        let mut kinds: Vec<_> = self.0.iter().map(|(&kind, &packets)| (kind, packets)).collect();
        kinds.sort_by_key(|&(_, packets)| std::cmp::Reverse(packets));
        kinds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory must not grow with the capture.
    #[test]
    fn very_many_kinds_are_counted_together() {
        let mut counts = UnreadCounts::default();
        for family in (0..10_000).chain(0..100) {
            counts.add(Unread::AddressFamily(family));
        }
        let kinds = counts.by_number();
        assert_eq!(kinds.len(), MOST_KINDS + 1);
        assert_eq!(kinds[0], (Unread::More, 10_000 + 100 - 2 * MOST_KINDS as u64));
        assert_eq!(kinds[1..].iter().map(|(_, packets)| packets).sum::<u64>(), 128);
    }
}
