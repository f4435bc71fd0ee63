//! Cut, corrupt and hostile files: what is whole is used, the rest is reported, nothing panics.

use std::io::{Cursor, Read};

use loadfactor_traces::{Flaw, LONGEST_PACKET, PacketReader};
use proptest::prelude::*;

use crate::samples::{gzip, plain, read, reader, sample, three};

/// Packets and number of damages of a file that may not even open.
fn survive(file: &[u8]) -> Option<(usize, u64)> {
    let mut reader = reader(file).ok()?;
    let mut packets = 0;
    while let Some(packet) = reader.next_packet() {
        std::hint::black_box(packet.headers());
        packets += 1;
    }
    Some((packets, reader.damage_log().total()))
}

#[test]
fn every_cut_gives_a_prefix_and_a_report() {
    let whole = plain(&three());
    for length in 24..whole.len() {
        let (packets, damage) = read(&whole[..length]);
        assert_eq!(packets, three()[..packets.len()], "cut at {length}");
        assert_eq!(packets.len(), (length - 24) / 56);
        let between_records = (length - 24) % 56 == 0;
        assert_eq!(damage.is_empty(), between_records, "cut at {length}");
        if let [cut] = damage.first() {
            assert_eq!(cut.record, packets.len() as u64 + 1);
            assert_eq!(cut.offset, 24 + 56 * packets.len() as u64);
            assert!(matches!(cut.flaw, Flaw::CutShort { .. }));
        }
    }
    for length in 4..24 {
        let error = reader(&whole[..length]).err().unwrap().to_string();
        assert!(error.contains("cut short"), "{error}");
    }
}

#[test]
fn implausible_records_end_the_reading() {
    let whole = plain(&three());
    let start = 24 + 56;
    let mut long = whole.clone();
    long[start + 8..start + 12].copy_from_slice(&(LONGEST_PACKET as u32 + 1).to_le_bytes());
    let mut above_snaplen = plain(&vec![three()[0].clone(); 2000]);
    above_snaplen[start + 8..start + 12].copy_from_slice(&70_000_u32.to_le_bytes());
    let mut zero = whole[..start].to_vec();
    zero.extend([0; 4096]);
    let longest = LONGEST_PACKET as u64;
    for (file, flaw) in [
        (long, Flaw::Length { stated: longest + 1, longest }),
        (above_snaplen, Flaw::Length { stated: 70_000, longest: 65_535 }),
        (zero, Flaw::ZeroFilled),
    ] {
        let (packets, damage) = read(&file);
        assert_eq!(packets, three()[..1]);
        let [only] = damage.first() else { panic!("{damage}") };
        assert_eq!((only.record, only.offset, &only.flaw), (2, start as u64, &flaw));
    }
}

/// Tools write captures whose packets are longer than on the wire and than the file's limit: what follows tells
/// them from damage.
#[test]
fn packets_beyond_both_limits_are_read_where_a_record_follows() {
    for (count, next) in [(1, vec![]), (3, vec![]), (3, plain(&three()))] {
        let packets = vec![sample(5_000, &[0x45; 80]); count];
        let mut file = plain(&packets);
        file[16..20].copy_from_slice(&32_u32.to_le_bytes());
        for packet in 0..count {
            let wire = 24 + packet * (16 + 80) + 12;
            file[wire..wire + 4].copy_from_slice(&20_u32.to_le_bytes());
        }
        let followed = [&file[..], &next].concat();
        let expected = if next.is_empty() { packets } else { [packets, three()].concat() };
        assert_eq!(read(&followed), (expected, Default::default()));
        let (before, damage) = read(&[&file[..], &[7; 16]].concat());
        assert_eq!((before.len(), damage.total()), (count - 1, 1), "{damage}");
    }
}

#[test]
fn the_longest_packet_is_read() {
    let packets = vec![sample(0, &vec![0x45; LONGEST_PACKET]); 5];
    assert_eq!(read(&plain(&packets)), (packets, Default::default()));
}

/// Many packets, which a damaged stream gives up to the damage.
fn long_capture() -> Vec<u8> {
    let packets: Vec<_> = (0..20_000_u64)
        .map(|n| sample(n * 1000, &n.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes()))
        .collect();
    plain(&packets)
}

#[test]
fn a_cut_gzip_gives_what_came_before() {
    let whole = gzip(&long_capture());
    let (packets, damage) = read(&whole[..whole.len() / 2]);
    assert!((5_000..15_000).contains(&packets.len()), "{}", packets.len());
    let [only] = damage.first() else { panic!("{damage}") };
    assert_eq!(only.record, packets.len() as u64 + 1);
    assert!(matches!(only.flaw, Flaw::Unreadable(_)), "{only}");
}

#[test]
fn a_corrupt_gzip_gives_what_came_before() {
    let mut broken = gzip(&long_capture());
    let middle = broken.len() / 2;
    broken[middle..middle + 64].fill(0xff);
    let (packets, damage) = read(&broken);
    assert!(packets.len() > 1000, "{}", packets.len());
    assert!(!damage.is_empty());
}

#[test]
fn garbage_behind_a_gzip_is_reported() {
    let file = [gzip(&plain(&three())), b"garbage".to_vec()].concat();
    let (packets, damage) = read(&file);
    assert_eq!(packets, three());
    assert_eq!(damage.first()[0].record, 4);
}

#[test]
fn a_bomb_is_only_a_long_file() {
    let header = plain(&[]);
    let record = [&[1, 0, 0, 0, 0, 0, 0, 0, 0xe8, 3, 0, 0, 0xe8, 3, 0, 0][..], &[0; 1000]].concat();
    let records = std::iter::repeat_n(record, 200_000).flatten();
    let bomb = gzip(&header.into_iter().chain(records).collect::<Vec<u8>>());
    assert!(bomb.len() < 1_000_000);
    assert_eq!(survive(&bomb), Some((200_000, 0)));
}

/// A stream that fails after some bytes, as a bad disk does.
struct Failing(Cursor<Vec<u8>>);

impl Read for Failing {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        match self.0.read(into)? {
            0 => Err(std::io::Error::other("bad sector")),
            length => Ok(length),
        }
    }
}

#[test]
fn a_failing_medium_is_reported() {
    let stream = Failing(Cursor::new(plain(&three())));
    let mut reader = PacketReader::from_stream("disk", stream).unwrap();
    while reader.next_packet().is_some() {}
    assert_eq!(reader.packets(), 3);
    assert_eq!(reader.damage()[0].flaw, Flaw::Unreadable("bad sector".to_owned()));
}

proptest! {
    #[test]
    fn any_bytes_are_survived(
        start in prop::sample::select(vec![
            &[][..],
            &[0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 101, 0, 0, 0],
            &[0x0a, 0x0d, 0x0d, 0x0a, 28, 0, 0, 0, 0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0,
              0, 0, 0, 0, 0, 0, 0, 0, 28, 0, 0, 0],
            &[0x1f, 0x8b, 8, 0], &[0x28, 0xb5, 0x2f, 0xfd],
            &[0xfd, b'7', b'z', b'X', b'Z', 0], &[4, 0x22, 0x4d, 0x18],
        ]),
        rest in prop::collection::vec(any::<u8>(), 0..2000),
    ) {
        survive(&[start, &rest[..]].concat());
    }

    #[test]
    fn any_block_is_survived(
        blocks in prop::collection::vec(
            (0_u32..8, prop::collection::vec(prop_oneof![Just(0_u8), any::<u8>()], 0..60)),
            1..10,
        ),
    ) {
        use crate::samples::Bytes;
        use loadfactor_traces::ByteOrder::Little;
        let section = Bytes::new(Little).u32(0x1a2b_3c4d).raw(&[1, 0, 0, 0]).raw(&[0xff; 8]);
        let mut file = section.block(0x0a0d_0d0a);
        for (kind, content) in blocks {
            file.extend(Bytes::new(Little).raw(&content).padded().block(kind));
        }
        prop_assert!(survive(&file).is_some());
    }

    #[test]
    fn any_change_is_survived(
        place in 0_usize..192,
        value in any::<u8>(),
        compressed in any::<bool>(),
    ) {
        let mut file = plain(&three());
        if compressed {
            file = gzip(&file);
        }
        let place = place % file.len();
        file[place] = value;
        survive(&file);
    }
}
