//! Every compression gives the bytes of the file, to its end and within its memory.

use std::io::Write;

use loadfactor_traces::{Compression, Decoding, Flaw, PacketReader, open_with};

use crate::samples::{Sample, gzip, plain, read, reader, sample, three};

pub(crate) fn compressed(bytes: &[u8], how: Compression) -> Vec<u8> {
    match how {
        Compression::Plain => bytes.to_vec(),
        Compression::Gzip => gzip(bytes),
        Compression::Bzip2 => {
            let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), Default::default());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        Compression::Zstd => zstd::encode_all(bytes, 3).unwrap(),
        Compression::Xz => {
            let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 6);
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        Compression::Lz4 => {
            let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
    }
}

/// A frame of the legacy format, as `lz4 -l` and the kernel write it.
fn legacy(bytes: &[u8]) -> Vec<u8> {
    let block = lz4_flex::block::compress(bytes);
    [&[0x02, 0x21, 0x4c, 0x18][..], &(block.len() as u32).to_le_bytes(), &block].concat()
}

/// A skippable frame of zstd and of LZ4.
fn skippable(content: &[u8]) -> Vec<u8> {
    [&[0x53, 0x2a, 0x4d, 0x18][..], &(content.len() as u32).to_le_bytes(), content].concat()
}

/// What may stand between two frames and holds nothing.
fn nothing(how: Compression) -> Vec<Vec<u8>> {
    let empty = compressed(b"", how);
    match how {
        Compression::Plain => vec![],
        Compression::Gzip | Compression::Bzip2 => vec![empty],
        Compression::Zstd | Compression::Lz4 => {
            vec![
                empty.clone(),
                skippable(b""),
                skippable(b"an index"),
                [empty, skippable(b"x")].concat(),
            ]
        }
        Compression::Xz => vec![empty],
    }
}

/// As much as a medium pads its last block with.
fn zeros(how: Compression) -> Vec<Vec<u8>> {
    match how {
        Compression::Plain => vec![],
        _ => [1, 4, 40, 10_240, 100_000].map(|length| vec![0; length]).to_vec(),
    }
}

/// The header of the capture and its first packet, and the rest: cut between packets.
fn halves() -> (Vec<u8>, Vec<u8>) {
    let file = plain(&three());
    let (first, second) = file.split_at(24 + 56);
    (first.to_vec(), second.to_vec())
}

#[test]
fn is_told_by_content() {
    for how in Compression::ALL {
        let whole = compressed(&plain(&three()), how);
        assert_eq!(reader(&whole).unwrap().format().compression, how);
        assert_eq!(read(&whole), (three(), Default::default()), "{how}");
    }
}

#[test]
fn parts_end_anywhere() {
    let file = plain(&three());
    for how in Compression::ALL {
        for cut in [1, 23, 24, 50, 80, 81, file.len()] {
            let (first, second) = file.split_at(cut);
            let parts = [compressed(first, how), compressed(second, how)].concat();
            assert_eq!(read(&parts), (three(), Default::default()), "{how} {cut}");
        }
    }
}

#[test]
fn what_holds_nothing_ends_nothing() {
    let (first, second) = halves();
    for how in Compression::ALL {
        for empty in nothing(how).into_iter().chain(zeros(how)) {
            let middle = [compressed(&first, how), empty.clone(), compressed(&second, how)];
            let length = empty.len();
            assert_eq!(read(&middle.concat()), (three(), Default::default()), "{how} {length}");
            let behind = [compressed(&plain(&three()), how), empty.clone()];
            assert_eq!(read(&behind.concat()), (three(), Default::default()), "{how} {length}");
        }
    }
}

#[test]
fn skippable_frames_may_come_first() {
    for how in [Compression::Zstd, Compression::Lz4] {
        let file =
            [skippable(b"index"), skippable(b""), compressed(&plain(&three()), how)].concat();
        assert_eq!(reader(&file).unwrap().format().compression, how);
        assert_eq!(read(&file), (three(), Default::default()), "{how}");
    }
    let error = reader(&[skippable(b"index"), plain(&three())].concat()).err().unwrap();
    assert!(error.to_string().contains("--compression none"), "{error}");
}

#[test]
fn legacy_lz4_mixes_with_other_frames() {
    let (first, second) = halves();
    let lz4 = |bytes: &[u8]| compressed(bytes, Compression::Lz4);
    for file in [
        legacy(&plain(&three())),
        [legacy(&plain(&three())), vec![0; 40]].concat(),
        [legacy(&first), legacy(&second)].concat(),
        [legacy(&first), lz4(&second)].concat(),
        [lz4(&first), skippable(b"x"), legacy(&second)].concat(),
    ] {
        assert_eq!(read(&file), (three(), Default::default()));
    }
}

#[test]
fn a_frame_without_its_end_is_reported() {
    for how in Compression::ALL.into_iter().filter(|&how| how != Compression::Plain) {
        let whole = compressed(&plain(&three()), how);
        for missing in 1..5 {
            let Ok(mut opened) = reader(&whole[..whole.len() - missing]) else { continue };
            while opened.next_packet().is_some() {}
            let [only] = opened.damage() else { panic!("{how}: nothing said of {missing} bytes") };
            assert!(matches!(only.flaw, Flaw::Unreadable(_)), "{how}: {only}");
        }
    }
}

#[test]
fn garbage_behind_a_frame_is_reported() {
    for how in Compression::ALL.into_iter().filter(|&how| how != Compression::Plain) {
        let file = [compressed(&plain(&three()), how), b"garbage".to_vec()].concat();
        let (packets, damage) = read(&file);
        assert_eq!((packets, damage.total()), (three(), 1), "{how}");
    }
}

/// Packets whose bytes do not compress well, as the keys of hosts.
fn long_capture() -> Vec<Sample> {
    let noise = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes();
    (0..20_000).map(|n| sample(n * 1000, &noise(n))).collect()
}

/// All packets that a decoder gives before a fault are whole, and are used.
#[test]
fn nothing_before_a_fault_is_lost() {
    let packets = long_capture();
    for how in Compression::ALL.into_iter().filter(|&how| how != Compression::Plain) {
        let sound = compressed(&plain(&packets), how);
        let (found, damage) = read(&[&sound[..], b"garbage garbage garbage"].concat());
        assert_eq!((found.len(), damage.total()), (packets.len(), 1), "{how}");
        assert!(matches!(damage.first()[0].flaw, Flaw::Unreadable(_)), "{how}: {damage}");
        let mut broken = compressed(&plain(&packets), how);
        broken.truncate(broken.len() - 20);
        broken.extend(sound);
        let (found, damage) = read(&[compressed(&plain(&packets), how), broken].concat());
        assert!(found.len() >= packets.len(), "{how}: {}", found.len());
        assert!(!damage.is_empty(), "{how}");
    }
}

/// The library of zstd drops what it has written when it comes to a block that it cannot read.
#[test]
fn whole_blocks_of_zstd_before_a_fault_are_used() {
    let file = plain(&long_capture());
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
    let block = |kind: u32, length: usize| {
        let header = (kind << 1 | (length as u32) << 3).to_le_bytes();
        [header[0], header[1], header[2]]
    };
    for content in file.chunks(30_000) {
        frame.extend(block(0, content.len()));
        frame.extend(content);
    }
    // The last of the kinds of blocks is none.
    frame.extend(block(3, 100));
    frame.extend([7; 1000]);
    let (packets, damage) = read(&frame);
    assert_eq!((packets.len(), damage.total()), (20_000, 1), "{damage}");
}

/// A checksum stands behind what it covers, and that is what is wrong.
#[test]
fn a_wrong_checksum_is_said_to_be_of_what_is_before() {
    let file = plain(&long_capture());
    let with_checksum = |how| match how {
        Compression::Zstd => {
            let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
            encoder.include_checksum(true).unwrap();
            encoder.write_all(&file).unwrap();
            encoder.finish().unwrap()
        }
        Compression::Lz4 => {
            let info = lz4_flex::frame::FrameInfo::new().content_checksum(true);
            let mut encoder = lz4_flex::frame::FrameEncoder::with_frame_info(info, Vec::new());
            encoder.write_all(&file).unwrap();
            encoder.finish().unwrap()
        }
        _ => compressed(&file, how),
    };
    for (how, from_end) in [
        (Compression::Gzip, 8),
        (Compression::Zstd, 4),
        (Compression::Lz4, 4),
        (Compression::Bzip2, 4),
    ] {
        let mut broken = with_checksum(how);
        assert_eq!(read(&broken), (long_capture(), Default::default()), "{how}");
        let place = broken.len() - from_end;
        broken[place] ^= 1;
        let (packets, damage) = read(&broken);
        assert_eq!(packets.len(), 20_000, "{how}");
        let [only] = damage.first() else { panic!("{how}: {damage}") };
        assert!(matches!(only.flaw, Flaw::Checksum(_)), "{how}: {damage}");
        assert!(damage.to_string().contains("what stands before may be wrong"), "{damage}");
    }
}

/// The header of a zstd frame with a window of 1 GiB, and an empty last block.
const WIDE_ZSTD: [u8; 9] = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa0, 0x01, 0x00, 0x00];

fn wide_xz(bytes: &[u8]) -> Vec<u8> {
    use liblzma::stream::{Check, Filters, LzmaOptions, Stream};
    let mut options = LzmaOptions::new_preset(0).unwrap();
    options.dict_size(8 << 20);
    let mut filters = Filters::new();
    filters.lzma2(&options);
    let stream = Stream::new_stream_encoder(&filters, Check::Crc32).unwrap();
    let mut encoder = liblzma::write::XzEncoder::new_stream(Vec::new(), stream);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Opens a file with this many MiB for its decoder.
fn within(file: &[u8], mebibytes: u64) -> Result<PacketReader, String> {
    let mut named = tempfile::NamedTempFile::new().unwrap();
    named.write_all(file).unwrap();
    let decoding = Decoding { memory: mebibytes << 20, ..Default::default() };
    open_with(named.path(), &decoding).map_err(|error| error.to_string())
}

#[test]
fn a_file_that_asks_for_too_much_memory_says_so() {
    let xz = wide_xz(&plain(&three()));
    for (file, memory, how) in [(&WIDE_ZSTD[..], 256, "zstd"), (&xz, 4, "xz")] {
        let error = within(file, memory).err().unwrap();
        let said = [how, &format!("{memory} MiB"), "--decoder-memory"];
        assert!(said.iter().all(|part| error.contains(part)), "{error}");
    }
    assert!(within(&WIDE_ZSTD, 1024).err().unwrap().contains("it is empty"));
    assert!(within(&xz, 64).is_ok());
}

#[test]
fn too_much_memory_in_a_later_frame_is_damage() {
    let (first, _) = halves();
    let file = [compressed(&first, Compression::Zstd), WIDE_ZSTD.to_vec()].concat();
    let (packets, damage) = read(&file);
    assert_eq!(packets, three()[..1]);
    assert!(damage.to_string().contains("--decoder-memory"), "{damage}");
}

#[test]
fn what_is_said_to_be_plain_is_not_decompressed() {
    let mut named = tempfile::NamedTempFile::new().unwrap();
    named.write_all(&gzip(&plain(&three()))).unwrap();
    let decoding = Decoding { compression: Some(Compression::Plain), ..Default::default() };
    let error = open_with(named.path(), &decoding).err().unwrap().to_string();
    assert!(error.contains("neither pcap nor pcapng"), "{error}");
}
