//! What is under MPLS labels: an IP packet, or a frame of an Ethernet pseudo-wire (RFC 4448).
//!
//! Nothing says which. The first four bits are those of an IP version in an IP packet, and in a frame
//! those of a MAC address, which may be the same. So a packet has to be one by its lengths and its
//! checksum too.

use super::{IPV4, IPV6, OLD_VLAN, PROVIDER_VLAN, VLAN, behind, number};
use crate::unread::Unread;

/// Bytes of an IPv4 header without options, and of the fixed IPv6 header.
const IPV4_HEADER: usize = 20;
const IPV6_HEADER: usize = 40;
/// Bytes of the control word before a frame, which begins with four bits of zero (RFC 4385).
const CONTROL_WORD: usize = 4;
/// Most bytes behind a packet that are none of its own: a frame check sequence.
const CHECK_SEQUENCE: usize = 4;
/// Content of the shortest Ethernet frames, which is padded to this length, and their check sequence.
const SHORTEST: usize = 46 + CHECK_SEQUENCE;

/// The IP packet under labels, of which `missing` bytes were not captured.
pub(super) fn ip_packet(rest: &[u8], missing: usize) -> Result<&[u8], Unread> {
    let control_word = match rest {
        [] => return Err(Unread::Cut),
        [first, ..] if first >> 4 == 0 => rest.get(CONTROL_WORD..),
        _ => None,
    };
    // Two packets that hold each other are less likely than a frame that looks like a packet.
    let frames = [Some(rest), control_word].into_iter().flatten();
    let in_frame = frames.filter_map(in_ethernet).find(|packet| is_ip(packet, missing));
    match in_frame {
        Some(packet) => Ok(packet),
        None if is_ip(rest, missing) => Ok(rest),
        None => Err(Unread::UnderMpls),
    }
}

/// What an Ethernet frame announces as IP, behind any number of tags.
fn in_ethernet(frame: &[u8]) -> Option<&[u8]> {
    let (mut ethertype, mut rest) = number(behind(frame, 12).ok()?).ok()?;
    while let VLAN | PROVIDER_VLAN | OLD_VLAN = ethertype {
        (ethertype, rest) = number(behind(rest, 2).ok()?).ok()?;
    }
    matches!(ethertype, IPV4 | IPV6).then_some(rest)
}

/// Whether these bytes are an IP packet, as far as they tell.
fn is_ip(packet: &[u8], missing: usize) -> bool {
    let whole = packet.len() + missing;
    match packet.first().map_or(0, |first| first >> 4) {
        4 => packet.first_chunk().map_or(missing > 0, |header| is_ipv4(header, packet, whole)),
        6 => packet.first_chunk().map_or(missing > 0, |header| is_ipv6(header, whole)),
        _ => false,
    }
}

/// The checksum tells, but where a sender left it to its card, or somebody replaced the addresses: then
/// the length has to be exactly that of the packet.
fn is_ipv4(fixed: &[u8; IPV4_HEADER], packet: &[u8], whole: usize) -> bool {
    let header_length = usize::from(fixed[0] & 0x0f) * 4;
    let length = usize::from(u16::from_be_bytes([fixed[2], fixed[3]]));
    let plausible = IPV4_HEADER <= header_length && header_length <= length && length <= whole;
    let checked = packet.get(..header_length).is_some_and(|header| ones_sum(header) == 0xffff);
    plausible && (checked || fills(length, whole))
}

fn is_ipv6(fixed: &[u8; IPV6_HEADER], whole: usize) -> bool {
    let length = IPV6_HEADER + usize::from(u16::from_be_bytes([fixed[4], fixed[5]]));
    fills(length, whole)
}

/// Whether a packet of this length may be all that a frame holds.
fn fills(length: usize, whole: usize) -> bool {
    length <= whole && (whole <= length + CHECK_SEQUENCE || whole <= SHORTEST)
}

/// The sum of a header with its checksum (RFC 1071): all ones where that is right.
fn ones_sum(header: &[u8]) -> u16 {
    let words =
        header.chunks_exact(2).map(|word| u32::from(u16::from_be_bytes([word[0], word[1]])));
    let sum = words.sum::<u32>();
    // At most 30 words, so that two carries are all there can be.
    let sum = (sum & 0xffff) + (sum >> 16);
    ((sum & 0xffff) + (sum >> 16)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An IPv4 packet with the right checksum and some content.
    fn ipv4(content: usize) -> Vec<u8> {
        let length = (20 + content) as u16;
        let mut packet = vec![0x45, 0, 0, 0, 0, 1, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
        packet[2..4].copy_from_slice(&length.to_be_bytes());
        let checksum = !ones_sum(&packet);
        packet[10..12].copy_from_slice(&checksum.to_be_bytes());
        packet.extend(vec![7; content]);
        packet
    }

    fn ipv6(content: u16) -> Vec<u8> {
        let [high, low] = content.to_be_bytes();
        let fixed = [0x60, 0, 0, 0, high, low, 17, 64];
        [&fixed[..], &[1; 32], &vec![7; content.into()]].concat()
    }

    fn frame(mac: u8, ethertype: u16, content: &[u8]) -> Vec<u8> {
        let [high, low] = ethertype.to_be_bytes();
        [&[mac, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, high, low], content].concat()
    }

    /// Keys must be those of the packet, and never made of MAC addresses.
    #[test]
    fn frames_are_told_from_packets_whatever_their_addresses() {
        for mac in 0..=255 {
            for (ethertype, packet) in [(IPV4, ipv4(100)), (IPV6, ipv6(100))] {
                let plain = frame(mac, ethertype, &packet);
                let [high, low] = ethertype.to_be_bytes();
                let tagged = frame(mac, VLAN, &[&[0, 7, high, low], &packet[..]].concat());
                for frame in [&plain, &tagged] {
                    assert_eq!(ip_packet(frame, 0), Ok(&packet[..]), "{mac:02x}");
                    let controlled = [&[0, 0, 0, 1], &frame[..]].concat();
                    assert_eq!(ip_packet(&controlled, 0), Ok(&packet[..]), "{mac:02x}");
                }
            }
            let arp = frame(mac, 0x0806, &[0; 46]);
            assert_eq!(ip_packet(&arp, 0), Err(Unread::UnderMpls), "{mac:02x}");
        }
    }

    #[test]
    fn packets_are_told_though_they_are_cut_or_padded() {
        for packet in [ipv4(100), ipv6(100)] {
            for length in 1..=packet.len() {
                let missing = packet.len() - length;
                assert_eq!(ip_packet(&packet[..length], missing), Ok(&packet[..length]));
            }
            let checked = [&packet[..], &[9; CHECK_SEQUENCE]].concat();
            assert_eq!(ip_packet(&checked, 0), Ok(&checked[..]));
        }
        let padded = [ipv4(0), vec![0; 22]].concat();
        assert_eq!(ip_packet(&padded, 0), Ok(&padded[..]));
    }

    #[test]
    fn a_wrong_checksum_needs_the_exact_length() {
        let mut packet = ipv4(100);
        packet[10] ^= 1;
        assert!(ip_packet(&packet, 0).is_ok());
        assert_eq!(ip_packet(&packet, 10), Err(Unread::UnderMpls));
    }
}
