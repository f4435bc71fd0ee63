//! Every container, byte order and time unit gives the same packets.

use loadfactor_traces::{ByteOrder, Container, Flaw, LONGEST_PACKET, LinkType};

use crate::samples::{Bytes, Sample, gzip, pcap, plain, read, reader, three};

const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

pub(crate) fn section(order: ByteOrder) -> Vec<u8> {
    Bytes::new(order).u32(0x1a2b_3c4d).u16(1).u16(0).raw(&[0xff; 8]).block(0x0a0d_0d0a)
}

pub(crate) fn interface(
    order: ByteOrder,
    link: u16,
    snaplen: u32,
    resolution: Option<u8>,
) -> Vec<u8> {
    let fields = Bytes::new(order).u16(link).u16(0).u32(snaplen);
    match resolution {
        None => fields.block(1),
        Some(value) => fields.u16(9).u16(1).raw(&[value, 0, 0, 0]).u32(0).block(1),
    }
}

fn enhanced(order: ByteOrder, interface: u32, ticks: u64, data: &[u8]) -> Vec<u8> {
    let fields = Bytes::new(order).u32(interface).u32((ticks >> 32) as u32).u32(ticks as u32);
    let length = data.len() as u32;
    fields.u32(length).u32(length).raw(data).padded().block(6)
}

pub(crate) fn simple(order: ByteOrder, wire_length: u32, data: &[u8]) -> Vec<u8> {
    Bytes::new(order).u32(wire_length).raw(data).padded().block(3)
}

fn obsolete(order: ByteOrder, interface: u16, ticks: u64, data: &[u8]) -> Vec<u8> {
    let length = data.len() as u32;
    let fields =
        Bytes::new(order).u16(interface).u16(0).u32((ticks >> 32) as u32).u32(ticks as u32);
    fields.u32(length).u32(length).raw(data).padded().block(2)
}

#[test]
fn pcap_of_both_orders_and_units() {
    for order in ORDERS {
        for unit in [1_000_000, 1_000_000_000] {
            let file = pcap(order, unit, 101, &three());
            assert_eq!(read(&file), (three(), Default::default()), "{order} {unit}");
            let opened = reader(&file).unwrap();
            assert_eq!(opened.format().byte_order, order);
            assert_eq!(opened.interfaces()[0].ticks_per_second, unit);
        }
    }
}

#[test]
fn frame_check_bits_are_no_link_type() {
    let file = pcap(ByteOrder::Little, 1_000_000, 0x1400_0001, &three());
    assert_eq!(reader(&file).unwrap().interfaces()[0].link(), Some(LinkType::Ethernet));
}

#[test]
fn captures_behind_each_other_are_one() {
    let parts: Vec<_> = three().into_iter().map(|one| [one]).collect();
    let [a, b, c] = &parts[..] else { panic!() };
    let file = [
        pcap(ByteOrder::Little, 1_000_000, 101, a),
        pcap(ByteOrder::Big, 1_000_000_000, 228, b),
        pcap(ByteOrder::Little, 1_000_000, 101, &[]),
        pcap(ByteOrder::Little, 1_000_000, 101, c),
    ];
    assert_eq!(read(&file.concat()), (three(), Default::default()));
    let mut opened = reader(&file.concat()).unwrap();
    while opened.next_packet().is_some() {}
    assert_eq!(opened.interfaces().len(), 2);
}

#[test]
fn a_capture_of_an_unknown_link_type_behind_another_is_reported() {
    let file = [plain(&three()), pcap(ByteOrder::Little, 1_000_000, 147, &three())].concat();
    let (packets, damage) = read(&file);
    assert_eq!(packets.len(), 6);
    assert_eq!(damage.first()[0].flaw, Flaw::LinkType(147));
}

/// The three packets in a pcapng.
fn pcapng(order: ByteOrder) -> Vec<u8> {
    let blocks =
        three().into_iter().map(|one| enhanced(order, 0, one.time.unwrap() / 1000, &one.data));
    [section(order), interface(order, 101, 0, None), blocks.collect::<Vec<_>>().concat()].concat()
}

/// A pcapng with packets of every kind of block, several times.
pub(crate) fn pcapng_of_all_blocks() -> Vec<u8> {
    let order = ByteOrder::Little;
    let packets = three().into_iter().flat_map(|one| {
        let (ticks, data) = (one.time.unwrap() / 1000, &one.data);
        let timed = [enhanced(order, 0, ticks, data), obsolete(order, 1, ticks, data)];
        [timed.concat(), simple(order, 40, data)].concat()
    });
    let beginning = [
        section(order),
        interface(order, 101, 0, None),
        interface(order, 101, 65_535, Some(9)),
        Bytes::new(order).raw(&[7; 40]).block(4),
    ];
    [beginning.concat(), packets.collect()].concat().repeat(4)
}

#[test]
fn captures_of_both_containers_behind_each_other_are_one() {
    for outer in ORDERS {
        for inner in ORDERS {
            let classic = pcap(outer, 1_000_000, 228, &three());
            for file in [
                [classic.clone(), pcapng(inner)].concat(),
                [pcapng(inner), classic.clone()].concat(),
                [pcapng(inner), classic.clone(), pcapng(outer), classic].concat(),
            ] {
                let mut opened = reader(&file).unwrap();
                let mut packets = 0;
                while opened.next_packet().is_some_and(|packet| packet.headers().is_some()) {
                    packets += 1;
                }
                assert!(packets == 6 || packets == 12, "{outer}, {inner}: {packets}");
                assert_eq!((opened.damage(), opened.interfaces().len()), (&[][..], 2));
            }
        }
    }
    let faulty = [pcapng(ByteOrder::Little), enhanced(ByteOrder::Little, 7, 0, b"x")].concat();
    let (packets, damage) = read(&[faulty, plain(&three())[..30].to_vec()].concat());
    let records: Vec<_> = damage.first().iter().map(|one| one.record).collect();
    assert_eq!((packets, records), (three(), vec![4, 5]));
}

/// A second file header that is cut is no packet.
#[test]
fn a_cut_header_of_a_second_file_is_reported() {
    for order in ORDERS {
        let header = pcap(order, 1_000_000, 101, &[]);
        for length in 1..header.len() {
            let (packets, damage) = read(&[&plain(&three()), &header[..length]].concat());
            assert_eq!((packets, damage.total()), (three(), 1), "{order}, {length} bytes");
            assert!(matches!(damage.first()[0].flaw, Flaw::CutShort { .. }), "{damage}");
        }
    }
}

/// A second in 2055 has the number that begins a file.
#[test]
fn a_time_may_look_like_a_file_header() {
    let late = Sample { time: Some(0xa1b2_c3d4 * 1_000_000_000), data: vec![7; 40] };
    assert_eq!(read(&plain(std::slice::from_ref(&late))), (vec![late], Default::default()));
}

#[test]
fn a_packet_of_no_bytes_ends_nothing() {
    let mut packets = three();
    packets.insert(1, Sample { time: Some(1_000_400_000_000), data: vec![] });
    assert_eq!(read(&plain(&packets)), (packets, Default::default()));
}

#[test]
fn old_versions_swap_the_lengths() {
    for order in ORDERS {
        for (version, swapped) in [(2, true), (3, true), (3, false), (4, false)] {
            let mut file = pcap(order, 1_000_000, 101, &[]);
            let place = if order == ByteOrder::Little { 6 } else { 7 };
            file[place] = version;
            for packet in three() {
                let captured = packet.data.len() as u32;
                let lengths = if swapped { [1000, captured] } else { [captured, 1000] };
                let time = packet.time.unwrap() / 1000;
                let times = [(time / 1_000_000) as u32, (time % 1_000_000) as u32];
                let words = Bytes::new(order).u32(times[0]).u32(times[1]);
                file.extend(words.u32(lengths[0]).u32(lengths[1]).raw(&packet.data).bytes);
            }
            assert_eq!(read(&file), (three(), Default::default()), "{order} 2.{version}");
            let mut opened = reader(&file).unwrap();
            assert_eq!(opened.next_packet().unwrap().wire_length, 1000);
        }
    }
}

/// Records of another version could be anything.
#[test]
fn unknown_versions_are_not_read() {
    for order in ORDERS {
        let [major, minor] = match order {
            ByteOrder::Little => [4, 6],
            ByteOrder::Big => [5, 7],
        };
        let classic = |version: [u8; 2]| {
            let mut file = pcap(order, 1_000_000, 101, &three());
            (file[major], file[minor]) = (version[0], version[1]);
            file
        };
        let next = |version: [u8; 2]| {
            let mut file = pcapng(order);
            (file[major + 8], file[minor + 8]) = (version[0], version[1]);
            file
        };
        for known in [classic([2, 5]), next([1, 0]), next([1, 2])] {
            assert_eq!(read(&known), (three(), Default::default()), "{order}");
        }
        for (unknown, version) in [
            (classic([1, 4]), "version 1.4"),
            (classic([3, 0]), "version 3.0"),
            (next([0, 1]), "version 0.1"),
            (next([1, 1]), "version 1.1"),
            (next([2, 0]), "version 2.0"),
        ] {
            let error = reader(&unknown).err().unwrap().to_string();
            assert!(error.contains(version), "{order}: {error}");
        }
        let (packets, damage) = read(&[next([1, 0]), next([2, 0])].concat());
        assert_eq!(packets, three());
        let [only] = damage.first() else { panic!("{damage}") };
        assert_eq!((only.record, &only.flaw), (4, &Flaw::Version { major: 2, minor: 0 }));
    }
}

#[test]
fn pcapng_packet_blocks_of_both_orders() {
    let expected = three();
    let [a, b, c] = [0, 1, 2].map(|n| (expected[n].time.unwrap(), &expected[n].data));
    for order in ORDERS {
        let file = [
            section(order),
            interface(order, 101, 0, None),
            interface(order, 101, 0, Some(9)),
            enhanced(order, 0, a.0 / 1000, a.1),
            enhanced(order, 1, b.0, b.1),
            obsolete(order, 0, c.0 / 1000, c.1),
        ]
        .concat();
        assert_eq!(read(&file), (expected.clone(), Default::default()), "{order}");
        assert_eq!(reader(&file).unwrap().format().container, Container::Pcapng);
    }
}

#[test]
fn pcapng_resolutions_of_powers_of_two() {
    let order = ByteOrder::Little;
    // Units of 2^-10 s.
    let file =
        [section(order), interface(order, 101, 0, Some(0x8a)), enhanced(order, 0, 1536, b"x")];
    let expected = Sample { time: Some(1_500_000_000), data: b"x".to_vec() };
    assert_eq!(read(&file.concat()), (vec![expected], Default::default()));
}

#[test]
fn pcapng_time_offsets_of_both_orders() {
    for order in ORDERS {
        let offset = match order {
            ByteOrder::Little => 3_i64.to_le_bytes(),
            ByteOrder::Big => 3_i64.to_be_bytes(),
        };
        let fields = Bytes::new(order).u16(101).u16(0).u32(0).u16(14).u16(8).raw(&offset);
        let file = [section(order), fields.u32(0).block(1), enhanced(order, 0, 7, b"x")];
        let expected = Sample { time: Some(3_000_007_000), data: b"x".to_vec() };
        assert_eq!(read(&file.concat()), (vec![expected], Default::default()), "{order}");
    }
}

#[test]
fn pcapng_faulty_interfaces_keep_their_place() {
    let order = ByteOrder::Little;
    let file = [
        section(order),
        interface(order, 101, 0, Some(99)),
        interface(order, 101, 0, None),
        enhanced(order, 1, 1, b"a"),
        enhanced(order, 0, 1, b"b"),
    ];
    let (packets, damage) = read(&file.concat());
    assert_eq!(packets.iter().map(|packet| &packet.data[..]).collect::<Vec<_>>(), [b"a"]);
    let flaws: Vec<_> = damage.first().iter().map(|one| one.flaw.clone()).collect();
    assert_eq!(flaws, [Flaw::BlockContent, Flaw::UnknownInterface(0)]);
}

#[test]
fn pcapng_simple_packets_are_cut_at_the_snaplen() {
    let order = ByteOrder::Big;
    let file = [
        section(order),
        interface(order, 101, 5, None),
        simple(order, 100, b"abcde"),
        simple(order, 3, b"abc"),
    ];
    let packets = [&b"abcde"[..], b"abc"].map(|data| Sample { time: None, data: data.to_vec() });
    assert_eq!(read(&file.concat()), (packets.to_vec(), Default::default()));
}

#[test]
fn pcapng_sections_may_change_order_and_interfaces() {
    let expected = three();
    let mut file = Vec::new();
    for (packet, order) in
        expected.iter().zip([ByteOrder::Little, ByteOrder::Big, ByteOrder::Little])
    {
        file.extend(section(order));
        file.extend(interface(order, 101, 0, None));
        file.extend(enhanced(order, 0, packet.time.unwrap() / 1000, &packet.data));
    }
    assert_eq!(read(&file), (expected, Default::default()));
}

#[test]
fn pcapng_blocks_of_other_kinds_are_passed_over() {
    let order = ByteOrder::Little;
    let large = Bytes::new(order).raw(&vec![7; 2_000_000]).block(4);
    let unknown = Bytes::new(order).raw(&[0xff; 8]).block(0x0bad_0001);
    let file =
        [section(order), large, unknown, interface(order, 101, 0, None), simple(order, 1, b"x")];
    let expected = Sample { time: None, data: b"x".to_vec() };
    assert_eq!(read(&file.concat()), (vec![expected], Default::default()));
}

/// A packet block with comments behind the packet, each of 60,000 bytes.
fn commented(order: ByteOrder, data: &[u8], comments: usize) -> Vec<u8> {
    let length = data.len() as u32;
    let fields = Bytes::new(order).u32(0).u32(0).u32(1).u32(length).u32(length).raw(data).padded();
    let comment = Bytes::new(order).u16(1).u16(60_000).raw(&[b'c'; 60_000]).bytes;
    fields.raw(&comment.repeat(comments)).u32(0).block(6)
}

/// However much is said about it, it is a packet.
#[test]
fn pcapng_packets_are_read_with_long_comments() {
    let packet = |data: &[u8]| Sample { time: Some(1000), data: data.to_vec() };
    let long = vec![7; LONGEST_PACKET];
    for order in ORDERS {
        let file = [
            section(order),
            interface(order, 101, 0, None),
            commented(order, b"x", 10),
            commented(order, &long, 270),
            commented(order, b"yz", 0),
        ];
        let expected = vec![packet(b"x"), packet(&long), packet(b"yz")];
        assert_eq!(read(&file.concat()), (expected, Default::default()), "{order}");
    }
}

/// What is too long is said, and not that it does not fit.
#[test]
fn pcapng_packets_and_blocks_too_long_are_named() {
    let order = ByteOrder::Little;
    let file = [
        section(order),
        interface(order, 101, 0, None),
        enhanced(order, 0, 1, &vec![0; LONGEST_PACKET + 1]),
        commented(order, b"x", 280),
        enhanced(order, 0, 1, b"a"),
    ];
    let (packets, damage) = read(&file.concat());
    assert_eq!(packets.len(), 1);
    let said = damage.to_string();
    assert!(said.contains("a packet of 262145 bytes where at most 262144"), "{said}");
    assert!(
        said.contains("a block of 16801160 bytes with its comments, of which at most 16777216"),
        "{said}"
    );
}

#[test]
fn pcapng_interfaces_beyond_those_kept_are_not_kept_secret() {
    let order = ByteOrder::Little;
    for (interfaces, has_more) in [(64, false), (65, true)] {
        let described = (1..=interfaces).map(|snaplen| interface(order, 101, snaplen, None));
        let described = described.collect::<Vec<_>>().concat().repeat(2);
        let mut opened = reader(&[section(order), described].concat()).unwrap();
        while opened.next_packet().is_some() {}
        assert_eq!((opened.interfaces().len(), opened.has_more_interfaces()), (64, has_more));
    }
}

#[test]
fn pcapng_faulty_blocks_do_not_hide_the_others() {
    let order = ByteOrder::Little;
    let beyond = Bytes::new(order).u32(0).u32(0).u32(0).u32(100).u32(100).raw(b"abcd").block(6);
    let file = [
        section(order),
        interface(order, 101, 0, None),
        interface(order, 147, 0, None),
        enhanced(order, 0, 1, b"a"),
        beyond,
        enhanced(order, 7, 2, b"b"),
        enhanced(order, 1, 3, b"c"),
    ];
    let (packets, damage) = read(&file.concat());
    assert_eq!(packets.iter().map(|packet| &packet.data[..]).collect::<Vec<_>>(), [b"a", b"c"]);
    let flaws: Vec<_> = damage.first().iter().map(|one| (one.record, one.flaw.clone())).collect();
    assert_eq!(
        flaws,
        [(1, Flaw::LinkType(147)), (2, Flaw::BlockContent), (3, Flaw::UnknownInterface(7)),]
    );
}

#[test]
fn every_cut_of_a_pcapng_gives_a_prefix_and_a_report() {
    let order = ByteOrder::Little;
    let expected = three();
    let mut file = [section(order), interface(order, 101, 0, None)].concat();
    let mut ends = vec![28, file.len()];
    for packet in &expected {
        file.extend(enhanced(order, 0, packet.time.unwrap() / 1000, &packet.data));
        ends.push(file.len());
    }
    for length in 28..file.len() {
        let (packets, damage) = read(&file[..length]);
        let whole = ends.iter().filter(|&&end| end <= length).count().saturating_sub(2);
        assert_eq!(packets, expected[..whole], "cut at {length}");
        assert_eq!(damage.is_empty(), ends.contains(&length), "cut at {length}");
    }
}

#[test]
fn what_is_no_capture_names_the_remedy() {
    for file in
        [&b""[..], b"GET / HTTP/1.1", &gzip(b"some text"), &[0x1f, 0x8b, 8, 0, 9, 9, 9, 9, 9, 9, 9]]
    {
        let error = reader(file).err().unwrap().to_string();
        assert!(error.contains("--layout (elastic13"), "{error}");
    }
}

#[test]
fn unknown_link_types_are_an_error_in_pcap() {
    let file = pcap(ByteOrder::Little, 1_000_000, 147, &three());
    let error = reader(&file).err().unwrap().to_string();
    assert!(error.contains("link type 147") && error.contains("RAW IP"), "{error}");
}
