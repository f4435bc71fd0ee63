//! Several files are one trace, of which a part may be read.

use std::fs;
use std::path::PathBuf;

use loadfactor_traces::{
    Attributes, ByteOrder, Decoding, Detail, Info, Input, KeyKind, KeyReader, Layout, Span, Time,
    TraceError, info_of, read_keys_of, read_packets_of,
};
use tempfile::TempDir;

use crate::containers::{interface, section, simple};
use crate::samples::{gzip, pcap, plain, sample, tcp, three};

/// A folder with the three packets in three files, whose names are not in the order of time.
fn three_files() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, packet) in ["c.pcap", "a.pcap", "b.pcap"].into_iter().zip(three()) {
        fs::write(folder.path().join(name), gzip(&plain(&[packet]))).unwrap();
    }
    folder
}

fn input(words: &[PathBuf], span: Span) -> Result<Input, TraceError> {
    let (layout, decoding) = (None, Decoding::default());
    Input { files: Vec::new(), layout, decoding, span }.of_words(words)
}

fn texts(input: Input) -> Vec<String> {
    let trace = read_keys_of(input, KeyKind::FiveTuple).unwrap();
    trace.keys.iter().map(|key| KeyKind::FiveTuple.text(key).to_string()).collect()
}

fn of_one_file() -> Vec<String> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, &plain(&three())).unwrap();
    texts(Input::file(file.path(), None))
}

#[test]
fn files_are_read_in_the_order_of_their_first_packets() {
    let folder = three_files();
    for word in [folder.path().to_owned(), folder.path().join("*.pcap")] {
        let all = input(&[word], Span::default()).unwrap();
        assert_eq!(texts(all.clone()), of_one_file());
        let Info::Capture(info) = info_of(&all, Detail::Counts).unwrap() else { panic!() };
        assert_eq!((info.files, info.packets, info.five_tuples), (3, 3, 2));
        assert_eq!(info.times.unwrap().steps_back, 0);
    }
}

#[test]
fn a_file_of_several_that_is_no_capture_is_named() {
    let folder = three_files();
    fs::write(folder.path().join("README"), "what this is").unwrap();
    let error = input(&[folder.path().to_owned()], Span::default()).unwrap_err().to_string();
    assert!(error.contains("README") && error.contains("neither pcap"), "{error}");
}

#[test]
fn damage_names_the_file_of_several() {
    let folder = three_files();
    let whole = plain(&three());
    fs::write(folder.path().join("b.pcap"), &whole[..whole.len() - 1]).unwrap();
    let all = input(&[folder.path().to_owned()], Span::default()).unwrap();
    for log in [
        read_keys_of(all.clone(), KeyKind::Src).unwrap().damage,
        info_of(&all, Detail::Counts).unwrap().damage().clone(),
    ] {
        let text = log.to_string();
        assert!(text.contains("b.pcap: record 3 at byte 136: cut short"), "{text}");
    }
}

#[test]
fn a_part_is_read_by_number_and_time() {
    let folder = three_files();
    let of = |span| texts(input(&[folder.path().to_owned()], span).unwrap());
    let all = of_one_file();
    assert_eq!(of(Span { packets: Some(2), ..Span::default() }), all[..2]);
    let from = Some(Time(1_000_500_000_000));
    assert_eq!(of(Span { from, ..Span::default() }), all[1..]);
    assert_eq!(of(Span { to: from, ..Span::default() }), all[..1]);
    let to = Some(Time(1_001_000_000_000));
    assert_eq!(of(Span { from, to, packets: Some(5) }), all[1..2]);
    let span = Span { from, packets: Some(1), to: None };
    let Info::Capture(info) =
        info_of(&input(&[folder.path().to_owned()], span).unwrap(), Detail::Counts).unwrap()
    else {
        panic!()
    };
    assert_eq!((info.packets, info.ipv4), (1, 1));
}

#[test]
fn records_have_no_times() {
    let from = Some(Time(0));
    let file = tempfile::NamedTempFile::new().unwrap();
    let input = Input {
        span: Span { from, ..Span::default() },
        ..Input::file(file.path(), Some(Layout::SrcDst8))
    };
    assert!(matches!(info_of(&input, Detail::Counts), Err(TraceError::NoTimes { .. })));
    assert!(matches!(KeyReader::open(input, KeyKind::Src), Err(TraceError::NoTimes { .. })));
}

const BOTH: Attributes = Attributes { lengths: true, times: true };

fn in_a_file(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, bytes).unwrap();
    file
}

/// A packet without a key has no place among the lengths and times, which belong to the keys.
#[test]
fn lengths_and_times_are_those_of_the_packets_with_keys() {
    let mut packets = three();
    packets.insert(1, sample(1_000_000_200_000, &[0; 30]));
    let mut bytes = plain(&packets);
    // The length on the wire of the first packet, of which 40 bytes were captured.
    bytes[24 + 12..][..4].copy_from_slice(&1500_u32.to_le_bytes());
    let file = in_a_file(&bytes);
    let input = Input::file(file.path(), None);
    let trace = read_packets_of(input.clone(), KeyKind::FiveTuple, BOTH).unwrap();
    assert_eq!((trace.keys.len(), trace.without_key), (3, 1));
    assert_eq!(trace.lengths, Some(vec![1500, 40, 40]));
    let times = [1_000_000_123_000, 1_000_500_000_000, 1_001_000_000_000];
    assert_eq!(trace.times, Some(times.to_vec()));
    let trace = read_keys_of(input, KeyKind::FiveTuple).unwrap();
    assert_eq!((trace.lengths, trace.times), (None, None));
}

/// Records of keys have neither, a simple packet of pcapng has no time.
#[test]
fn attributes_that_files_lack_are_none() {
    let csv = in_a_file(b"src,dst\n1.1.1.1,2.2.2.2\n");
    let input = Input::file(csv.path(), Some(Layout::Csv));
    let trace = read_packets_of(input, KeyKind::Src, BOTH).unwrap();
    assert_eq!((trace.keys.len(), trace.lengths, trace.times), (1, None, None));
    let order = ByteOrder::Little;
    let packet = simple(order, 900, &tcp([1; 4], [2; 4], (1, 2), 3, 4));
    let file = in_a_file(&[section(order), interface(order, 101, 0, None), packet].concat());
    let trace = read_packets_of(Input::file(file.path(), None), KeyKind::Src, BOTH).unwrap();
    assert_eq!((trace.keys.len(), trace.lengths, trace.times), (1, Some(vec![900]), None));
}

#[test]
fn what_is_not_read_is_counted_by_kind() {
    let mut arp = vec![0; 42];
    arp[12..14].copy_from_slice(&[8, 6]);
    let ip = [&[0; 12][..], &[8, 0], &tcp([1; 4], [2; 4], (1, 2), 3, 4)].concat();
    let packets = [&arp, &ip, &arp, &ip[..20].to_vec()].map(|data| sample(0, data));
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let bytes = pcap(ByteOrder::Little, 1_000_000, 1, &packets);
    std::io::Write::write_all(&mut file, &bytes).unwrap();
    let input = Input::file(file.path(), None);
    let shown = info_of(&input, Detail::Counts).unwrap().to_string();
    assert!(shown.contains("2: ARP (ethertype 0x0806)"), "{shown}");
    assert!(shown.contains("1: cut before the addresses"), "{shown}");
    let trace = read_keys_of(input, KeyKind::Src).unwrap();
    assert_eq!((trace.without_key, trace.unread.by_number().len()), (3, 2));
}

/// Files of records with other columns are one trace of the keys that the first has.
#[test]
fn a_sum_over_files_is_of_keys_of_one_kind() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let tuples =
        "src,dst,src_port,dst_port,protocol\n1.1.1.1,2.2.2.2,1,2,6\n1.1.1.1,2.2.2.2,3,2,6\n";
    fs::write(path("tuples.csv"), tuples).unwrap();
    fs::write(path("pairs.csv"), "src,dst\n1.1.1.1,2.2.2.2\n").unwrap();
    let of = |names: [&str; 2]| {
        let input = Input::file(&path(names[0]), Some(Layout::Csv));
        info_of(&input.of_words(&names.map(path)).unwrap(), Detail::Counts)
    };
    let Info::Records(found) = of(["pairs.csv", "tuples.csv"]).unwrap() else { panic!() };
    assert_eq!((found.records, found.distinct), (3, vec![(KeyKind::SrcDst, 1)]));
    let error = of(["tuples.csv", "pairs.csv"]).unwrap_err().to_string();
    assert!(error.contains("pairs.csv") && error.contains("src,dst,src_port"), "{error}");
}

#[test]
fn bad_lines_are_of_the_number_that_is_asked_for() {
    let mut lines = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut lines, b"1.1.1.1 2.2.2.2\njunk\njunk\n3.3.3.3 4.4.4.4\n")
        .unwrap();
    for (most, keys) in [(1, 1), (3, 1), (4, 2)] {
        let span = Span { packets: Some(most), ..Span::default() };
        let input = Input { span, ..Input::file(lines.path(), Some(Layout::SrcDst)) };
        let trace = read_keys_of(input.clone(), KeyKind::Src).unwrap();
        assert_eq!((trace.packets, trace.keys.len()), (most, keys));
        let Info::Records(found) = info_of(&input, Detail::Counts).unwrap() else { panic!() };
        assert_eq!(found.records, most);
    }
}

/// One file of several may be damaged from its beginning; all of them may not.
#[test]
fn captures_of_which_nothing_can_be_read_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let whole = plain(&three());
    let path = folder.path().join("b.pcap");
    fs::write(&path, &whole[..30]).unwrap();
    let all = || input(&[folder.path().to_owned()], Span::default()).unwrap();
    let error = read_keys_of(all(), KeyKind::Src).unwrap_err().to_string();
    assert!(error.contains("b.pcap") && error.contains("6 of 16 bytes are there"), "{error}");
    assert!(matches!(info_of(&all(), Detail::Counts), Err(TraceError::Nothing { .. })));
    fs::write(folder.path().join("a.pcap"), &whole).unwrap();
    assert_eq!(read_keys_of(all(), KeyKind::Src).unwrap().damage.total(), 1);
    assert_eq!(info_of(&all(), Detail::Counts).unwrap().damage().total(), 1);
    let to = Some(Time(1));
    let before = input(&[folder.path().to_owned()], Span { to, ..Span::default() }).unwrap();
    assert_eq!(read_keys_of(before, KeyKind::Src).unwrap().packets, 0);
}

/// A simple packet block has no time: no span of times holds it, which is to be said.
#[test]
fn packets_without_times_are_counted_where_times_are_asked_for() {
    let order = ByteOrder::Little;
    let packet = &three()[0].data;
    let blocks = [section(order), interface(order, 101, 0, None), simple(order, 40, packet)];
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, &blocks.concat()).unwrap();
    for (from, packets, untimed) in [(None, 1, 0), (Some(Time(0)), 0, 1)] {
        let span = Span { from, ..Span::default() };
        let input = Input { span, ..Input::file(file.path(), None) };
        let mut reader = KeyReader::open(input.clone(), KeyKind::Src).unwrap();
        while reader.next_key().unwrap().is_some() {}
        assert_eq!((reader.packets(), reader.untimed()), (packets, untimed));
        let Info::Capture(info) = info_of(&input, Detail::Counts).unwrap() else { panic!() };
        assert_eq!((info.packets, info.untimed), (packets, untimed));
        let said = info.to_string().contains("1 packets, which have no time");
        assert_eq!(said, untimed > 0);
    }
}

#[test]
fn durations_are_told_however_short() {
    let of = |times: &[u64]| {
        let packets: Vec<_> = times.iter().map(|&time| sample(time, b"x")).collect();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        std::io::Write::write_all(&mut file, &plain(&packets)).unwrap();
        let text = info_of(&Input::file(file.path(), None), Detail::Counts).unwrap().to_string();
        let line = text.lines().find(|line| line.contains("duration")).unwrap();
        line.trim().trim_start_matches("duration").trim().to_owned()
    };
    assert_eq!(of(&[]), "no packets");
    assert_eq!(of(&[5_000]), "0.0 s");
    assert_eq!(of(&[1_000, 8_000]), "0.007 ms");
    assert_eq!(of(&[0, 99_000_000]), "99.000 ms");
    assert_eq!(of(&[0, 100_000_000]), "0.1 s");
}
