//! Mutated files of every kind: none makes the reading panic, hang, or give more than the file holds.
//!
//! `LOADFACTOR_MUTATIONS` asks for another number of each kind than the few thousand of every test run.

use std::io::Cursor;
use std::path::Path;

use loadfactor_traces::{
    ByteOrder, Compression, Input, KeyKind, KeyReader, LONGEST_PACKET, Layout, PacketReader,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::compressions::compressed;
use crate::containers::pcapng_of_all_blocks;
use crate::records::records;
use crate::samples::{Sample, pcap, sample, three};

/// Mutations of each kind in every test run.
const FEW: u64 = 2_000;

fn mutations() -> u64 {
    std::env::var("LOADFACTOR_MUTATIONS").map_or(FEW, |number| number.parse().unwrap())
}

/// Some packets more than three, so that there is something behind what is changed.
fn many() -> Vec<Sample> {
    three().into_iter().cycle().take(30).collect()
}

/// The packets as ERF records of IP, with and without an extension header.
fn erf() -> Vec<u8> {
    let record = |(place, packet): (usize, Sample)| {
        let (kind, extension) =
            if place % 2 == 0 { (22, &[][..]) } else { (0x80 | 22, &[0; 8][..]) };
        let header = [&[0; 8][..], &[kind], &[0; 7], extension].concat();
        sample(packet.time.unwrap(), &[header, packet.data].concat())
    };
    let packets: Vec<_> = many().into_iter().enumerate().map(record).collect();
    pcap(ByteOrder::Big, 1_000_000_000, 197, &packets)
}

fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// The file with one to eight changes.
fn mutated(file: &[u8], random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let mut file = file.to_vec();
    for _ in 0..random.random_range(1..=8) {
        mutate(&mut file, random);
    }
    file
}

/// Numbers at which lengths and counts go wrong.
const EDGES: [u32; 8] = [0, 1, 12, 0x7fff_ffff, 0x8000_0000, u32::MAX, 262_144, 16 << 20];

fn mutate(file: &mut Vec<u8>, random: &mut Xoshiro256PlusPlus) {
    if file.is_empty() {
        return;
    }
    let place = random.random_range(0..file.len());
    let end = (place + random.random_range(1..=64)).min(file.len());
    match random.random_range(0..7) {
        0 => file[place] ^= 1 << random.random_range(0..8),
        1 => file[place] = random.random(),
        2 => {
            let edge = EDGES[random.random_range(0..EDGES.len())];
            let bytes = if random.random() { edge.to_le_bytes() } else { edge.to_be_bytes() };
            let length = bytes.len().min(file.len() - place);
            file[place..place + length].copy_from_slice(&bytes[..length]);
        }
        3 => drop(file.drain(place..end)),
        4 => {
            let part = file[place..end].to_vec();
            let at = random.random_range(0..=file.len());
            file.splice(at..at, part);
        }
        5 => file[place..end].fill(if random.random() { 0 } else { 0xff }),
        _ => file.truncate(place),
    }
}

/// Reads all of a capture that may not even open; returns packets and their bytes.
fn read_capture(file: Vec<u8>) -> (u64, usize) {
    let Ok(mut reader) = PacketReader::from_stream("mutated", Cursor::new(file)) else {
        return (0, 0);
    };
    let mut bytes = 0;
    while let Some(packet) = reader.next_packet() {
        assert!(packet.data.len() <= LONGEST_PACKET);
        bytes += packet.data.len();
        let known = packet.headers().is_some();
        assert_eq!(known, packet.unread().is_none());
    }
    (reader.packets(), bytes)
}

#[test]
fn mutated_captures_are_survived() {
    for (seed, file) in
        [pcap(ByteOrder::Little, 1_000_000, 101, &many()), pcapng_of_all_blocks(), erf()]
            .into_iter()
            .enumerate()
    {
        let mut random = random(seed as u64);
        let whole = read_capture(file.clone()).0;
        let mut survivors = 0;
        for _ in 0..mutations() {
            let mutant = mutated(&file, &mut random);
            let length = mutant.len();
            let (packets, bytes) = read_capture(mutant);
            assert!(packets as usize <= length / 12 && bytes <= length, "{packets}, {bytes}");
            survivors += u64::from(packets > 0);
        }
        assert!(whole >= 30 && survivors > mutations() / 4, "{seed}: {whole}, {survivors}");
    }
}

#[test]
fn mutated_compressed_captures_are_survived() {
    for how in [
        Compression::Gzip,
        Compression::Bzip2,
        Compression::Zstd,
        Compression::Xz,
        Compression::Lz4,
    ] {
        let file = compressed(&pcap(ByteOrder::Little, 1_000_000, 101, &many()), how);
        let mut random = random(how as u64);
        let whole = read_capture(file.clone()).0;
        for _ in 0..mutations() {
            read_capture(mutated(&file, &mut random));
        }
        assert_eq!(whole, 30, "{how}");
    }
}

/// The keys of a file of records that may not even open.
fn read_records(path: &Path, layout: Layout, kind: KeyKind) -> Option<u64> {
    let mut reader = KeyReader::open(Input::file(path, Some(layout)), kind).ok()?;
    let mut keys = 0;
    while let Ok(Some(_)) = reader.next_key() {
        keys += 1;
    }
    assert_eq!(keys + reader.without_key(), reader.packets());
    Some(keys)
}

#[test]
fn mutated_key_files_are_survived() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let listed = "src:4 pad:3 dst:4 dport:2le sport:2 proto:1".parse().unwrap();
    let layouts = [Layout::Elastic13, Layout::SrcDst, Layout::Csv, Layout::Custom(listed)];
    let share = mutations() / layouts.len() as u64;
    for (seed, layout) in layouts.into_iter().enumerate() {
        let mut random = random(seed as u64);
        let file = records(layout);
        let mut survivors = 0;
        for _ in 0..share {
            std::fs::write(&path, mutated(&file, &mut random)).unwrap();
            survivors += u64::from(read_records(&path, layout, KeyKind::SrcDst) > Some(0));
        }
        assert!(survivors > share / 8, "{layout}: {survivors} of {share}");
    }
}
