//! From a capture to its five-tuple keys, against the floor: pcap-parser walking the container of
//! the same file and doing nothing with its packets.
//!
//! The aim is that the keys take at most twice the time of that walk, for a plain and for a
//! gzipped pcap. Measured on two cores of a shared machine, with the walk's buffer at 64 and at
//! 512 KiB: 0.8 to 1.1 times for a plain pcap (18 ns a packet), 1.03 to 1.08 times for a gzipped one
//! (111 ns). The file is a synthetic capture of a million packets in the page cache.

#![expect(clippy::unwrap_used, reason = "a bench that cannot run has nothing to report")]

use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use loadfactor_traces::{KeyKind, SynthSpec, read_keys, synth};
use pcap_parser::traits::PcapReaderIterator;
use pcap_parser::{LegacyPcapReader, PcapError};

/// The buffer that pcap-parser's documentation proposes.
const BUFFER: usize = 65_536;

fn walk_container(reader: impl Read) -> u64 {
    let mut reader = LegacyPcapReader::new(BUFFER, reader).unwrap();
    let mut blocks = 0;
    loop {
        match reader.next() {
            Ok((offset, block)) => {
                black_box(&block);
                blocks += 1;
                reader.consume(offset);
            }
            Err(PcapError::Eof) => return blocks - 1,
            Err(PcapError::Incomplete(_)) => reader.refill().unwrap(),
            Err(error) => panic!("{error:?}"),
        }
    }
}

fn walk_plain(path: &Path) -> u64 {
    walk_container(File::open(path).unwrap())
}

fn walk_gzip(path: &Path) -> u64 {
    let compressed = BufReader::with_capacity(BUFFER, File::open(path).unwrap());
    walk_container(MultiGzDecoder::new(compressed))
}

fn keys(path: &Path) -> u64 {
    let trace = read_keys(path, KeyKind::FiveTuple, None).unwrap();
    black_box(trace.keys.len() as u64)
}

fn write_files(folder: &Path, spec: &SynthSpec) -> [PathBuf; 2] {
    let [plain, gzip] = ["plain.pcap", "gzip.pcap.gz"].map(|name| folder.join(name));
    synth(spec, File::create(&plain).unwrap()).unwrap();
    let mut encoder = GzEncoder::new(File::create(&gzip).unwrap(), Compression::default());
    encoder.write_all(&std::fs::read(&plain).unwrap()).unwrap();
    encoder.finish().unwrap();
    [plain, gzip]
}

fn capture_to_keys(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let spec = SynthSpec::default();
    let [plain, gzip] = write_files(folder.path(), &spec);
    let mut group = criterion.benchmark_group("capture");
    group.throughput(Throughput::Elements(spec.packets)).sample_size(20);
    for (name, path, walk) in
        [("plain", &plain, walk_plain as fn(&Path) -> u64), ("gzip", &gzip, walk_gzip)]
    {
        assert_eq!((walk(path), keys(path)), (spec.packets, spec.packets));
        group.bench_with_input(BenchmarkId::new("pcap-parser", name), path, |bencher, path| {
            bencher.iter(|| walk(path));
        });
        group.bench_with_input(BenchmarkId::new("five-tuple keys", name), path, |bencher, path| {
            bencher.iter(|| keys(path));
        });
    }
    group.finish();
}

criterion_group!(benches, capture_to_keys);
criterion_main!(benches);
