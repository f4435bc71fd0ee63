//! The header walk agrees with etherparse on packets of every kind, cut anywhere.

use std::net::IpAddr;

use etherparse::{Ipv6ExtensionSlice, LaxNetSlice, LaxSlicedPacket};
use loadfactor_traces::{Headers, LinkType};
use proptest::prelude::*;

/// What keys are made of.
type Fields = (IpAddr, IpAddr, u8, (u16, u16), Option<(u32, u32)>);

fn ours(headers: &Headers<'_>) -> Fields {
    let (source, destination) = (headers.source(), headers.destination());
    (source, destination, headers.protocol(), headers.ports(), headers.seq_ack())
}

fn theirs(packet: &LaxSlicedPacket<'_>) -> Option<Fields> {
    let (source, destination, later_fragment, payload) = match packet.net.as_ref()? {
        LaxNetSlice::Ipv4(ip) => {
            let header = ip.header();
            let later = header.fragments_offset().value() != 0;
            (header.source_addr().into(), header.destination_addr().into(), later, ip.payload())
        }
        LaxNetSlice::Ipv6(ip) => {
            let later = ip.extensions().clone().into_iter().any(|extension| match extension {
                Ipv6ExtensionSlice::Fragment(header) => header.fragment_offset().value() != 0,
                _ => false,
            });
            let header = ip.header();
            (header.source_addr().into(), header.destination_addr().into(), later, ip.payload())
        }
        _ => return None,
    };
    let protocol = payload.ip_number.0;
    let transport = if later_fragment { &[] } else { payload.payload };
    let ports = match (protocol, transport) {
        (6 | 17 | 132, &[a, b, c, d, ..]) => {
            (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]))
        }
        _ => (0, 0),
    };
    let seq_ack = match (protocol, transport) {
        (6, &[_, _, _, _, a, b, c, d, e, f, g, h, ..]) => {
            Some((u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h])))
        }
        _ => None,
    };
    Some((source, destination, protocol, ports, seq_ack))
}

fn protocol() -> impl Strategy<Value = u8> {
    prop_oneof![
        4 => prop::sample::select(vec![6_u8, 17, 132, 1, 58, 50]),
        1 => any::<u8>().prop_filter("not an extension header", |p| ![0, 43, 44, 51, 60].contains(p)),
    ]
}

/// A stated length: mostly right, sometimes 0, short or long.
fn stated(right: u16) -> impl Strategy<Value = u16> {
    prop_oneof![6 => Just(right), 1 => Just(0), 1 => 0..=right, 1 => right..right + 100]
}

fn bytes(range: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), range)
}

fn fragment() -> impl Strategy<Value = u16> {
    prop_oneof![4 => Just(0_u16), 1 => Just(1), 1 => 0_u16..0x2000]
}

fn ipv4() -> impl Strategy<Value = Vec<u8>> {
    (protocol(), fragment(), bytes(8..9), 0_usize..11, bytes(0..60)).prop_flat_map(
        |(protocol, fragment, addresses, option_words, payload)| {
            let right = (20 + 4 * option_words + payload.len()) as u16;
            stated(right).prop_map(move |length| {
                let mut packet = vec![0x45 + option_words as u8, 0];
                packet.extend(length.to_be_bytes());
                packet.extend([0, 0]);
                packet.extend(fragment.to_be_bytes());
                packet.extend([64, protocol, 0, 0]);
                packet.extend(&addresses);
                packet.extend(vec![1; 4 * option_words]);
                packet.extend(&payload);
                packet
            })
        },
    )
}

/// Extension headers as (number, units), with a fragment header last if there is one.
fn extensions() -> impl Strategy<Value = Vec<(u8, u8)>> {
    let middle = prop::sample::select(vec![43_u8, 60, 51]);
    (any::<bool>(), prop::collection::vec((middle, 1_u8..4), 0..3), any::<bool>()).prop_map(
        |(hop_by_hop, middle, fragment)| {
            let first = hop_by_hop.then_some((0, 1));
            let last = fragment.then_some((44, 0));
            first.into_iter().chain(middle).chain(last).collect()
        },
    )
}

fn ipv6() -> impl Strategy<Value = Vec<u8>> {
    (protocol(), extensions(), fragment(), bytes(32..33), bytes(0..60)).prop_flat_map(
        |(protocol, extensions, fragment, addresses, payload)| {
            let mut chain = Vec::new();
            for (place, &(number, units)) in extensions.iter().enumerate() {
                let next = extensions.get(place + 1).map_or(protocol, |&(number, _)| number);
                let length = match number {
                    44 => 8,
                    51 => 8 + 4 * usize::from(units),
                    _ => 8 + 8 * usize::from(units),
                };
                let mut header = vec![0; length];
                header[..2].copy_from_slice(&[next, units]);
                if number == 44 {
                    header[2..4].copy_from_slice(&(fragment << 3).to_be_bytes());
                }
                chain.extend(header);
            }
            let first = extensions.first().map_or(protocol, |&(number, _)| number);
            stated((chain.len() + payload.len()) as u16).prop_map(move |length| {
                let mut packet = vec![0x60, 0, 0, 0];
                packet.extend(length.to_be_bytes());
                packet.extend([first, 64]);
                packet.extend(&addresses);
                packet.extend(&chain);
                packet.extend(&payload);
                packet
            })
        },
    )
}

/// An IP packet, cut somewhere.
fn packet() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![ipv4(), ipv6()].prop_flat_map(|packet| {
        (0..=packet.len()).prop_map(move |length| packet[..length].to_vec())
    })
}

fn ethertype(packet: &[u8]) -> [u8; 2] {
    if packet.first().is_some_and(|first| first >> 4 == 6) { [0x86, 0xdd] } else { [8, 0] }
}

/// A frame of each link type around the packet, with its link type's number.
fn frames(packet: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let kind = ethertype(packet);
    let v6 = kind == [0x86, 0xdd];
    let framed = |header: &[&[u8]]| [&header.concat(), packet].concat();
    let vlan = [0x81, 0, 0, 7];
    vec![
        (101, packet.to_vec()),
        (1, framed(&[&[2; 12], &kind])),
        (1, framed(&[&[2; 12], &vlan, &kind])),
        (1, framed(&[&[2; 12], &[0x88, 0xa8, 0, 1], &vlan, &kind])),
        (113, framed(&[&[0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0], &kind])),
        (276, framed(&[&kind, &[0; 18]])),
        (0, framed(&[&[if v6 { 30 } else { 2 }, 0, 0, 0]])),
        (108, framed(&[&[0, 0, 0, if v6 { 24 } else { 2 }]])),
        (9, framed(&[&[0xff, 3, 0, if v6 { 0x57 } else { 0x21 }]])),
        (50, framed(&[&[0x0f, 0], &kind])),
        (51, framed(&[&[0x11, 0, 0, 1, 0, 0], &[0, if v6 { 0x57 } else { 0x21 }]])),
        (104, framed(&[&[0x0f, 0], &kind])),
        (197, framed(&[&[0; 8], &[22], &[0; 7]])),
        (197, framed(&[&[0; 8], &[0x82], &[0; 7], &[0; 8], &[0; 14], &kind])),
    ]
}

/// A cut in IPv4 options hides the whole packet from etherparse; its addresses are there.
fn cut_in_options(packet: &[u8]) -> bool {
    packet.len() >= 20 && packet[0] >> 4 == 4 && packet.len() < usize::from(packet[0] & 0x0f) * 4
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn agrees_on_ip_packets(packet in packet()) {
        prop_assume!(!cut_in_options(&packet));
        let expected = LaxSlicedPacket::from_ip(&packet).ok().and_then(|sliced| theirs(&sliced));
        prop_assert_eq!(Headers::of_ip_packet(&packet).as_ref().map(ours), expected);
    }

    #[test]
    fn agrees_on_ethernet_frames(packet in packet()) {
        prop_assume!(!cut_in_options(&packet));
        for (_, frame) in frames(&packet).into_iter().filter(|(number, _)| *number == 1) {
            let sliced = LaxSlicedPacket::from_ethernet(&frame).unwrap();
            let found = LinkType::Ethernet.ip_packet(&frame, 0).ok().and_then(Headers::of_ip_packet);
            prop_assert_eq!(found.as_ref().map(ours), theirs(&sliced));
        }
    }

    #[test]
    fn every_link_type_gives_the_packet(packet in packet()) {
        for (number, frame) in frames(&packet) {
            let link = LinkType::from_number(number).unwrap();
            prop_assert_eq!(link.ip_packet(&frame, 0), Ok(&packet[..]), "link type {}", number);
        }
    }

    #[test]
    fn any_bytes_are_survived(frame in prop::collection::vec(any::<u8>(), 0..120)) {
        for link in LinkType::ALL {
            if let Some(headers) = link.ip_packet(&frame, 0).ok().and_then(Headers::of_ip_packet) {
                std::hint::black_box(ours(&headers));
            }
        }
    }
}
