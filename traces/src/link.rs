//! Link-layer headers: from a frame to the IP packet in it.
//!
//! Numbers and layouts: the registry of link-layer header types (draft-ietf-opsawg-pcaplinktype).

use std::fmt;

const ETHERTYPE_IPV4: u16 = 0x0800;
const ETHERTYPE_IPV6: u16 = 0x86dd;

/// A link type this crate reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkType {
    /// `RAW`, `IPV4`, `IPV6`: the frame is an IP packet.
    RawIp,
    /// `ETHERNET`, with any number of 802.1Q and 802.1ad tags.
    Ethernet,
    /// `LINUX_SLL`: the "cooked" header of captures on any interface.
    LinuxSll,
    /// `LINUX_SLL2`: its second version.
    LinuxSll2,
    /// `NULL` and `LOOP`: a 4-byte address family in either byte order.
    Loopback,
    /// `PPP` and `PPP_HDLC`, with or without address and control bytes, or Cisco HDLC.
    Ppp,
}

impl LinkType {
    /// All link types read.
    pub const ALL: [LinkType; 6] = [
        LinkType::RawIp,
        LinkType::Ethernet,
        LinkType::LinuxSll,
        LinkType::LinuxSll2,
        LinkType::Loopback,
        LinkType::Ppp,
    ];

    /// The link type of a number in the registry; 12 and 14 are what some systems write for `RAW`.
    pub fn from_number(number: u32) -> Option<Self> {
        Some(match number {
            12 | 14 | 101 | 228 | 229 => LinkType::RawIp,
            1 => LinkType::Ethernet,
            113 => LinkType::LinuxSll,
            276 => LinkType::LinuxSll2,
            0 | 108 => LinkType::Loopback,
            9 | 50 => LinkType::Ppp,
            _ => return None,
        })
    }

    /// The names of all link types read, separated by commas.
    pub(crate) fn names() -> String {
        Self::ALL.map(|link| link.to_string()).join(", ")
    }

    /// The IP packet in a frame, as far as it was captured; `None` if the frame carries another
    /// protocol or ends in the link-layer header.
    #[inline]
    pub fn ip_packet(self, frame: &[u8]) -> Option<&[u8]> {
        match self {
            LinkType::RawIp => Some(frame),
            LinkType::Ethernet => of_ethertype(frame.get(12..)?),
            LinkType::LinuxSll => of_ethertype(frame.get(14..)?),
            LinkType::LinuxSll2 => of_sll2(frame),
            LinkType::Loopback => of_loopback(frame),
            LinkType::Ppp => of_ppp(frame),
        }
    }
}

impl fmt::Display for LinkType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            LinkType::RawIp => "RAW IP",
            LinkType::Ethernet => "Ethernet",
            LinkType::LinuxSll => "Linux SLL",
            LinkType::LinuxSll2 => "Linux SLL2",
            LinkType::Loopback => "NULL/LOOP",
            LinkType::Ppp => "PPP",
        })
    }
}

/// The packet after a type field and the VLAN tags that may follow it.
#[inline]
fn of_ethertype(mut typed: &[u8]) -> Option<&[u8]> {
    loop {
        let (&kind, rest) = typed.split_first_chunk()?;
        match u16::from_be_bytes(kind) {
            ETHERTYPE_IPV4 | ETHERTYPE_IPV6 => return Some(rest),
            0x8100 | 0x88a8 | 0x9100 => typed = rest.get(2..)?,
            _ => return None,
        }
    }
}

fn of_sll2(frame: &[u8]) -> Option<&[u8]> {
    let payload = frame.get(20..)?;
    match u16::from_be_bytes([frame[0], frame[1]]) {
        ETHERTYPE_IPV4 | ETHERTYPE_IPV6 => Some(payload),
        0x8100 | 0x88a8 | 0x9100 => of_ethertype(payload.get(2..)?),
        _ => None,
    }
}

fn of_loopback(frame: &[u8]) -> Option<&[u8]> {
    let (&family, packet) = frame.split_first_chunk()?;
    let family = u32::from_le_bytes(family).min(u32::from_be_bytes(family));
    // AF_INET is 2 everywhere; AF_INET6 differs between Linux, NetBSD, FreeBSD and macOS.
    matches!(family, 2 | 10 | 24 | 28 | 30).then_some(packet)
}

fn of_ppp(frame: &[u8]) -> Option<&[u8]> {
    match frame {
        [0x0f | 0x8f, 0x00, typed @ ..] => of_ethertype(typed),
        [0xff, 0x03, protocol @ ..] => of_ppp_protocol(protocol),
        protocol => of_ppp_protocol(protocol),
    }
}

/// The packet after a PPP protocol field, which may be compressed to one byte (RFC 1661, 6.5).
fn of_ppp_protocol(frame: &[u8]) -> Option<&[u8]> {
    match frame {
        [0x00, 0x21 | 0x57, packet @ ..] | [0x21 | 0x57, packet @ ..] => Some(packet),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_packet_behind_each_header() {
        let ethernet = [&[0u8; 12][..], &[0x88, 0xa8, 0, 1, 0x81, 0x00, 0, 2, 0x08, 0x00], b"ip"];
        let sll2 = [&[0x86, 0xdd][..], &[0; 18], b"ip"];
        for (number, frame) in [
            (1, ethernet.concat()),
            (113, [&[0u8; 14][..], &[0x08, 0x00], b"ip"].concat()),
            (276, sll2.concat()),
            (0, b"\x02\0\0\0ip".to_vec()),
            (108, b"\0\0\0\x1eip".to_vec()),
            (9, b"\xff\x03\x00\x21ip".to_vec()),
            (9, b"\x57ip".to_vec()),
            (50, b"\x0f\x00\x08\x00ip".to_vec()),
            (101, b"ip".to_vec()),
        ] {
            let link = LinkType::from_number(number).unwrap();
            assert_eq!(link.ip_packet(&frame), Some(&b"ip"[..]), "link type {number}");
        }
    }

    #[test]
    fn other_protocols_and_cut_headers_hold_no_packet() {
        let arp = [&[0u8; 12][..], &[0x08, 0x06], &[0; 28]].concat();
        assert_eq!(LinkType::Ethernet.ip_packet(&arp), None);
        for link in LinkType::ALL.into_iter().filter(|&link| link != LinkType::RawIp) {
            assert_eq!(link.ip_packet(&[0x08]), None, "{link}");
        }
    }
}
