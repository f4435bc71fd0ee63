//! The header walk: from an IP packet to the fields that keys are made of.
//!
//! The counting rules: the outermost IP header counts, a packet belongs to one direction, and ports
//! are 0 for protocols other than TCP, UDP and SCTP, for fragments other than the first, and where
//! fewer than 4 bytes of the transport header were captured.

use std::net::IpAddr;

const TCP: u8 = 6;
const UDP: u8 = 17;
const SCTP: u8 = 132;

/// The fields of a packet's network and transport header, as far as they were captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Headers<'a> {
    /// Source and destination one after the other, as in the header: 8 or 32 bytes.
    pub(crate) addresses: &'a [u8],
    pub(crate) ports: [u8; 4],
    pub(crate) protocol: u8,
    pub(crate) seq_ack: Option<&'a [u8; 8]>,
}

impl<'a> Headers<'a> {
    /// Walks the headers of an IP packet, which may be cut anywhere; `None` if it is not IP, or cut
    /// inside the fixed part of the IP header.
    #[inline]
    pub fn of_ip_packet(packet: &'a [u8]) -> Option<Self> {
        match packet.first()? >> 4 {
            4 => Self::of_ipv4(packet),
            6 => Self::of_ipv6(packet),
            _ => None,
        }
    }

    /// Whether a packet without headers is the beginning of one that has them.
    pub(crate) fn may_be_cut(packet: &[u8]) -> bool {
        match packet {
            [] => true,
            [first, ..] if first >> 4 == 4 => packet.len() < 20,
            [first, ..] => first >> 4 == 6,
        }
    }

    #[inline]
    fn of_ipv4(packet: &'a [u8]) -> Option<Self> {
        let fixed: &[u8; 20] = packet.first_chunk()?;
        let header_length = usize::from(fixed[0] & 0x0f) * 4;
        if header_length < fixed.len() {
            return None;
        }
        let total_length = usize::from(u16::from_be_bytes([fixed[2], fixed[3]]));
        let first_fragment = u16::from_be_bytes([fixed[6], fixed[7]]) & 0x1fff == 0;
        let transport = match first_fragment {
            true => payload(packet, header_length, total_length),
            false => &[],
        };
        Some(Self::new(&packet[12..20], fixed[9], transport))
    }

    fn of_ipv6(packet: &'a [u8]) -> Option<Self> {
        let fixed: &[u8; 40] = packet.first_chunk()?;
        let payload_length = usize::from(u16::from_be_bytes([fixed[4], fixed[5]]));
        let packet_length = if payload_length == 0 { 0 } else { fixed.len() + payload_length };
        let payload = payload(packet, fixed.len(), packet_length);
        let (protocol, transport) = after_extensions(fixed[6], payload);
        Some(Self::new(&packet[8..40], protocol, transport))
    }

    #[inline]
    fn new(addresses: &'a [u8], protocol: u8, transport: &'a [u8]) -> Self {
        let ports = match protocol {
            TCP | UDP | SCTP => transport.first_chunk().copied().unwrap_or_default(),
            _ => [0; 4],
        };
        let seq_ack = match protocol {
            TCP => transport.get(4..).and_then(<[u8]>::first_chunk),
            _ => None,
        };
        Headers { addresses, ports, protocol, seq_ack }
    }

    /// Whether the outermost header is IPv6.
    pub fn is_ipv6(&self) -> bool {
        self.addresses.len() == 32
    }

    /// Source address.
    pub fn source(&self) -> IpAddr {
        address(&self.addresses[..self.addresses.len() / 2])
    }

    /// Destination address.
    pub fn destination(&self) -> IpAddr {
        address(&self.addresses[self.addresses.len() / 2..])
    }

    /// Source and destination port, or zeros where there are none.
    pub fn ports(&self) -> (u16, u16) {
        let [a, b, c, d] = self.ports;
        (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]))
    }

    /// The transport protocol's number; in IPv6 the one after the extension headers.
    pub fn protocol(&self) -> u8 {
        self.protocol
    }

    /// Whether the transport protocol is TCP.
    pub fn is_tcp(&self) -> bool {
        self.protocol == TCP
    }

    /// Sequence and acknowledgement number, where at least 12 bytes of TCP were captured.
    pub fn seq_ack(&self) -> Option<(u32, u32)> {
        let &[a, b, c, d, e, f, g, h] = self.seq_ack?;
        Some((u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h])))
    }
}

/// What was captured after the IP header, without link-layer padding behind the packet's end.
///
/// A packet length below the header's stands for "unknown": segmentation offload leaves 0 in
/// IPv4, a jumbogram (RFC 2675) in IPv6.
#[inline]
fn payload(packet: &[u8], header_length: usize, packet_length: usize) -> &[u8] {
    let end =
        if packet_length >= header_length { packet.len().min(packet_length) } else { packet.len() };
    packet.get(header_length..end).unwrap_or_default()
}

/// Walks IPv6 extension headers (RFC 8200, 4); gives the transport protocol and its captured bytes,
/// none for a fragment other than the first. A header that is cut ends the walk as if it were the
/// transport protocol.
fn after_extensions(mut next: u8, mut rest: &[u8]) -> (u8, &[u8]) {
    loop {
        let length = match (next, rest) {
            // Hop-by-hop options, routing, destination options: units of 8 bytes after the first 8.
            (0 | 43 | 60, [_, units, ..]) => 8 + 8 * usize::from(*units),
            // Authentication: units of 4 bytes, less 2 (RFC 4302, 2.2).
            (51, [_, units, ..]) => 8 + 4 * usize::from(*units),
            (44, [inner, _, high, low, _, _, _, _, ..])
                if u16::from_be_bytes([*high, *low]) >> 3 != 0 =>
            {
                return (*inner, &[]);
            }
            (44, _) => 8,
            _ => return (next, rest),
        };
        let Some(after) = rest.get(length..) else { return (next, &[]) };
        (next, rest) = (rest[0], after);
    }
}

/// An address from its 4 or 16 bytes.
pub(crate) fn address(bytes: &[u8]) -> IpAddr {
    match bytes.first_chunk::<16>() {
        Some(v6) => IpAddr::from(*v6),
        None => IpAddr::from(bytes.first_chunk::<4>().copied().unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const V4: [u8; 32] = [
        0x45, 0, 0, 40, 0, 0, 0, 0, 64, TCP, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, // IPv4
        0x30, 0x39, 0, 80, 0, 0, 0, 7, 0, 0, 0, 9, // TCP
    ];

    #[test]
    fn reads_a_tcp_packet() {
        let headers = Headers::of_ip_packet(&V4).unwrap();
        assert_eq!(headers.source().to_string(), "10.0.0.1");
        assert_eq!(headers.destination().to_string(), "10.0.0.2");
        assert_eq!((headers.ports(), headers.protocol()), ((12345, 80), TCP));
        assert_eq!(headers.seq_ack(), Some((7, 9)));
    }

    #[test]
    fn ports_need_four_bytes_and_seq_ack_twelve() {
        let at = |length: usize| Headers::of_ip_packet(&V4[..length]);
        assert_eq!(at(19), None);
        assert_eq!(at(23).unwrap().ports(), (0, 0));
        assert_eq!(at(24).unwrap().ports(), (12345, 80));
        assert_eq!(at(31).unwrap().seq_ack(), None);
    }

    #[test]
    fn later_fragments_and_other_protocols_have_no_ports() {
        let mut fragment = V4;
        fragment[7] = 1;
        let headers = Headers::of_ip_packet(&fragment).unwrap();
        assert_eq!((headers.ports(), headers.seq_ack()), ((0, 0), None));
        let mut gre = V4;
        gre[9] = 47;
        assert_eq!(Headers::of_ip_packet(&gre).unwrap().ports(), (0, 0));
    }

    #[test]
    fn padding_behind_the_packet_is_not_transport() {
        let mut short = V4;
        short[3] = 22;
        assert_eq!(Headers::of_ip_packet(&short).unwrap().ports(), (0, 0));
        short[3] = 0;
        assert_eq!(Headers::of_ip_packet(&short).unwrap().ports(), (12345, 80));
    }

    fn ipv6(next: u8, payload: &[u8]) -> Vec<u8> {
        let fixed = [0x60, 0, 0, 0, 0, payload.len() as u8, next, 64];
        [&fixed[..], &[1; 16], &[2; 16], payload].concat()
    }

    #[test]
    fn walks_extension_headers() {
        let options = [44, 0, 0, 0, 0, 0, 0, 0];
        let fragment = [UDP, 0, 0, 1, 0, 0, 0, 0];
        let ports = [0, 53, 0, 54, 0, 0, 0, 0];
        let packet = ipv6(0, &[options, fragment, ports].concat());
        let headers = Headers::of_ip_packet(&packet).unwrap();
        assert_eq!((headers.protocol(), headers.ports()), (UDP, (53, 54)));

        let later = [UDP, 0, 0, 8, 0, 0, 0, 0];
        let packet = ipv6(0, &[options, later, ports].concat());
        let headers = Headers::of_ip_packet(&packet).unwrap();
        assert_eq!((headers.protocol(), headers.ports()), (UDP, (0, 0)));
    }
}
