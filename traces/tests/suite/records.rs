//! Files of flow-key records give the keys that the capture gives.

use std::io::Write;

use loadfactor_traces::{Flaw, Info, KeyKind, Layout, TraceError, info, read_keys};
use tempfile::NamedTempFile;

use crate::samples::{gzip, plain, sample, tcp, three};

fn file(bytes: &[u8]) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

/// The key of most fields that records of a layout hold.
fn widest(layout: Layout) -> KeyKind {
    let kinds = [KeyKind::TcpHeader, KeyKind::FiveTuple, KeyKind::SrcDst];
    kinds.into_iter().find(|&kind| layout.gives(kind)).unwrap()
}

/// The fields of every key as a line of text.
fn csv_row(packet: &[u8]) -> String {
    let headers = loadfactor_traces::Headers::of_ip_packet(packet).unwrap();
    let ((seq, ack), (sport, dport)) = (headers.seq_ack().unwrap(), headers.ports());
    let (src, dst) = (headers.source(), headers.destination());
    format!("{seq},{ack},{src},{dst},{sport},{dport},6\n")
}

/// The records of [`three`] in a layout.
pub(crate) fn records(layout: Layout) -> Vec<u8> {
    let mut bytes = Vec::new();
    if layout == Layout::Csv {
        bytes.extend(b"seq,ack,src,dst,src_port,dst_port,protocol\n");
    }
    for packet in three() {
        let (ip, transport) = packet.data.split_at(20);
        let (src, dst) = (&ip[12..16], &ip[16..20]);
        let (sport, dport, seq_ack) = (&transport[..2], &transport[2..4], &transport[4..12]);
        bytes.extend(match layout {
            Layout::Elastic13 => [src, sport, dst, dport, &[6]].concat(),
            Layout::Waving21 => [src, sport, dst, dport, &[6], &1.5_f64.to_le_bytes()].concat(),
            Layout::Coco13 => [src, dst, sport, dport, &[6]].concat(),
            Layout::SrcDst8 => [src, dst].concat(),
            Layout::SeqAck16 => [src, dst, seq_ack].concat(),
            Layout::SrcDst => {
                let dotted = |ip: &[u8]| format!("{}.{}.{}.{}", ip[0], ip[1], ip[2], ip[3]);
                format!("{} {}\n", dotted(src), dotted(dst)).into_bytes()
            }
            Layout::Csv => csv_row(&packet.data).into_bytes(),
            Layout::Custom(_) => [src, &[0; 3], dst, &[dport[1], dport[0]], sport, &[6]].concat(),
        });
    }
    bytes
}

#[test]
fn all_layouts_give_the_keys_of_the_capture() {
    let capture = file(&plain(&three()));
    let listed = "src:4 pad:3 dst:4 dport:2le sport:2 proto:1".parse().unwrap();
    for layout in Layout::ALL.into_iter().chain([listed]) {
        for bytes in [records(layout), gzip(&records(layout))] {
            let records = file(&bytes);
            for kind in KeyKind::ALL.into_iter().filter(|&kind| layout.gives(kind)) {
                let expected = read_keys(capture.path(), kind, None).unwrap();
                let trace = read_keys(records.path(), kind, Some(layout)).unwrap();
                assert_eq!(trace.keys, expected.keys, "{layout} {kind}");
                assert_eq!((trace.packets, trace.without_key), (3, 0));
                assert!(trace.damage.is_empty());
            }
        }
    }
}

#[test]
fn a_key_the_layout_lacks_is_an_error_that_says_what_it_has() {
    let records = file(&records(Layout::Elastic13));
    let error = read_keys(records.path(), KeyKind::TcpHeader, Some(Layout::Elastic13)).unwrap_err();
    assert!(matches!(error, TraceError::KeyNotInLayout { .. }));
    assert!(error.to_string().contains("five-tuple, src, dst, src-dst"), "{error}");
}

#[test]
fn a_partial_last_record_is_damage() {
    for layout in Layout::ALL {
        let Some(length) = layout.record_length() else { continue };
        let whole = records(layout);
        let cut = file(&whole[..whole.len() - 1]);
        let trace = read_keys(cut.path(), widest(layout), Some(layout)).unwrap();
        assert_eq!(trace.keys.len(), 2);
        let [only] = trace.damage.first() else { panic!("{layout}") };
        let (needed, found) = (length as u64, length as u64 - 1);
        assert_eq!((only.record, only.offset), (3, 2 * needed));
        assert_eq!(only.flaw, Flaw::CutShort { needed, found });
    }
}

#[test]
fn bad_lines_are_named_and_passed_over() {
    let long = "x".repeat(100_000);
    let text = format!("1.2.3.4 5.6.7.8\nsrc dst\n{long}\n::1 ::2\r\n\n1.2.3.4 5.6.7.8");
    let lines = file(text.as_bytes());
    let trace = read_keys(lines.path(), KeyKind::SrcDst, Some(Layout::SrcDst)).unwrap();
    assert_eq!(trace.keys.ids(), Ok(vec![0, 1, 0]));
    assert_eq!((trace.packets, trace.without_key), (5, 2));
    let bad: Vec<_> = trace.damage.first().iter().map(|one| (one.record, one.offset)).collect();
    assert_eq!(bad, [(2, 16), (3, 24)]);
    assert_eq!(trace.damage.first()[1].flaw, Flaw::LongLine { longest: 4096 });
}

/// The beginning of a line may be another record: one of 5.6.7.8 in place of 5.6.7.89.
#[test]
fn a_line_too_long_is_no_record() {
    let line = |blanks: usize| format!("1.2.3.4{}5.6.7.89\n", " ".repeat(blanks));
    for (blanks, keys) in [(4096 - 15, 2), (4096 - 14, 1)] {
        let lines = file(format!("{}9.9.9.9 8.8.8.8", line(blanks)).as_bytes());
        let trace = read_keys(lines.path(), KeyKind::SrcDst, Some(Layout::SrcDst)).unwrap();
        assert_eq!((trace.keys.len(), trace.damage.total()), (keys, 2 - keys as u64));
    }
}

#[test]
fn lines_before_a_cut_of_the_compression_are_used() {
    let whole = gzip(&records(Layout::SrcDst));
    // The checksum and the length behind the data are cut off.
    let cut = file(&whole[..whole.len() - 8]);
    let trace = read_keys(cut.path(), KeyKind::SrcDst, Some(Layout::SrcDst)).unwrap();
    assert_eq!(trace.keys.len(), 3);
    assert!(matches!(trace.damage.first()[0].flaw, Flaw::Unreadable(_)));
}

#[test]
fn info_counts_records_and_packets() {
    let mut packets = three();
    packets.push(sample(0, &tcp([9; 4], [8; 4], (7, 6), 5, 4)[..30]));
    packets.push(sample(0, b"not IP"));
    let capture = file(&plain(&packets));
    let Info::Capture(counted) = info(capture.path(), None).unwrap() else { panic!() };
    assert_eq!((counted.packets, counted.ipv4, counted.ipv6), (5, 4, 0));
    assert_eq!((counted.tcp, counted.tcp_without_numbers), (3, 1));
    assert_eq!((counted.five_tuples, counted.src_dsts, counted.tcp_headers), (3, 3, 2));
    assert_eq!(counted.times.unwrap().steps_back, 1);

    for layout in Layout::ALL {
        let records = file(&records(layout));
        let Info::Records(counted) = info(records.path(), Some(layout)).unwrap() else { panic!() };
        assert_eq!(counted.records, 3, "{layout}");
        assert!(counted.distinct.contains(&(KeyKind::SrcDst, 2)), "{layout}");
        assert!(counted.distinct.contains(&(widest(layout), 2)), "{layout}");
    }
}

#[test]
fn info_reads_as_a_block() {
    let capture = file(&plain(&three()));
    let text = info(capture.path(), None).unwrap().to_string();
    assert_eq!(
        text,
        "  format                      pcap, little-endian
  compression                 none
  link type                   RAW IP (101), snaplen 65,535, time in µs
  packets                     3 (IPv4 3, IPv6 0, other 0)
  TCP packets                 3
  distinct 5-tuples           2
  distinct (src,dst)          2
  distinct (src,dst,seq,ack)  2 of 3 packets (33.3 % repeated)
  duration                    1.0 s
  damage                      none
"
    );
}

#[test]
fn exported_keys_are_read_back() {
    let capture = file(&plain(&three()));
    for kind in KeyKind::ALL {
        let expected = read_keys(capture.path(), kind, None).unwrap().keys;
        let rows = expected.iter().map(|key| format!("{}\n", kind.text(key)));
        let text = format!("{}\n{}", kind.columns().join(","), rows.collect::<String>());
        let exported = file(text.as_bytes());
        let trace = read_keys(exported.path(), kind, Some(Layout::Csv)).unwrap();
        assert_eq!((trace.keys, trace.damage.total()), (expected, 0), "{kind}");
        let info = info(exported.path(), Some(Layout::Csv)).unwrap();
        let Info::Records(records) = info else { panic!() };
        assert_eq!((records.records, records.distinct[0].0), (3, kind));
    }
}

#[test]
fn rows_without_the_columns_or_fields_are_named() {
    let text = file(b"src,dst\n1.2.3.4,5.6.7.8\n1.2.3.4\n::1,2::\n");
    let error = read_keys(text.path(), KeyKind::FiveTuple, Some(Layout::Csv)).unwrap_err();
    assert!(error.to_string().contains("src,dst,src_port,dst_port,protocol"), "{error}");
    let trace = read_keys(text.path(), KeyKind::SrcDst, Some(Layout::Csv)).unwrap();
    assert_eq!((trace.keys.len(), trace.packets), (2, 3));
    assert_eq!(trace.damage.first()[0].flaw, Flaw::Row("1.2.3.4".to_owned()));
}

#[test]
fn a_layout_that_hardly_fits_is_doubted() {
    let right = records(Layout::Coco13).repeat(100);
    let wrong: Vec<u8> =
        (0..1300_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for (bytes, doubtful) in [(right, false), (wrong, true)] {
        let records = file(&bytes);
        let trace = read_keys(records.path(), KeyKind::Src, Some(Layout::Coco13)).unwrap();
        assert_eq!(trace.layout_is_doubtful, doubtful);
        let shown = info(records.path(), Some(Layout::Coco13)).unwrap().to_string();
        assert_eq!(shown.contains("another layout?"), doubtful, "{shown}");
    }
}

#[test]
fn records_that_look_compressed_are_read_as_they_are() {
    use loadfactor_traces::{Compression, Decoding, Detail, Input, info_of, read_keys_of};
    // 31.139.8.0 begins like gzip.
    let records = file(&[0x1f, 0x8b, 8, 0, 10, 0, 0, 1]);
    let input = Input::file(records.path(), Some(Layout::SrcDst8));
    let error = read_keys_of(input.clone(), KeyKind::Src).unwrap_err().to_string();
    assert!(error.contains("--compression none"), "{error}");
    let error = info_of(&input, Detail::Counts).unwrap_err().to_string();
    assert!(error.contains("--compression none"), "{error}");
    let decoding = Decoding { compression: Some(Compression::Plain), ..Decoding::default() };
    let trace = read_keys_of(Input { decoding, ..input }, KeyKind::Src).unwrap();
    assert_eq!(trace.keys.get(0), [0x1f, 0x8b, 8, 0]);
}

/// A capture read as records gives numbers that mean nothing.
#[test]
fn a_capture_has_no_layout() {
    for bytes in [plain(&three()), gzip(&plain(&three()))] {
        for layout in Layout::ALL {
            let capture = file(&bytes);
            let error = read_keys(capture.path(), KeyKind::Src, Some(layout)).unwrap_err();
            assert!(error.to_string().contains("leave --layout out"), "{layout}: {error}");
            let error = info(capture.path(), Some(layout)).unwrap_err();
            assert!(matches!(error, TraceError::IsACapture { .. }), "{layout}: {error}");
        }
    }
    let address = file(&[0xd4, 0xc3, 0xb2, 0xa1, 10, 0, 0, 1]);
    let trace = read_keys(address.path(), KeyKind::Src, Some(Layout::SrcDst8)).unwrap();
    assert_eq!(trace.keys.len(), 1);
}

/// Zero keys of zero packets are no finding.
#[test]
fn a_file_of_which_nothing_can_be_read_is_an_error() {
    let cut = gzip(&records(Layout::Csv));
    for (bytes, layout, said) in [
        (&b""[..], Layout::Coco13, "it is empty"),
        (b"", Layout::Csv, "it is empty"),
        (b"\n\n", Layout::SrcDst, "it is empty"),
        (&cut[..20], Layout::Csv, "cannot decompress"),
        (&cut[..20], Layout::SrcDst, "cannot decompress"),
        (b"short", Layout::Coco13, "cut short: 5 of 13 bytes are there"),
        (b"junk\nmore junk\n", Layout::SrcDst, "not `source destination`: `junk`"),
        (b"src,dst\n1.1.1.1\n", Layout::Csv, "not the columns with a key"),
    ] {
        let records = file(bytes);
        let error = read_keys(records.path(), KeyKind::Src, Some(layout)).unwrap_err().to_string();
        assert!(error.contains(said), "{layout}: {error}");
        let error = info(records.path(), Some(layout)).unwrap_err().to_string();
        assert!(error.contains(said), "{layout}: {error}");
    }
}

/// The numbers that other protocols have in the place of those of TCP make no keys.
#[test]
fn keys_of_tcp_are_of_tcp_alone() {
    let record = |protocol: u8, seq: u8| {
        let ends = [10, 0, 0, 1, 10, 0, 0, 2, 0, 80, 0, seq];
        [&ends[..], &[protocol, 0, 0, 0, seq, 0, 0, 0, 0]].concat()
    };
    let bytes = [record(6, 1), record(17, 2), record(1, 3)].concat();
    let text = "src,dst,src_port,dst_port,protocol,seq,ack\n10.0.0.1,10.0.0.2,80,1,6,1,0\n\
                10.0.0.1,10.0.0.2,80,2,17,2,0\n10.0.0.1,10.0.0.2,80,3,1,3,0\n";
    let listed = "src:4 dst:4 sport:2 dport:2 proto:1 seq:4 ack:4".parse().unwrap();
    for (bytes, layout) in [(&bytes[..], listed), (text.as_bytes(), Layout::Csv)] {
        let records = file(bytes);
        let trace = read_keys(records.path(), KeyKind::TcpHeader, Some(layout)).unwrap();
        assert_eq!((trace.keys.len(), trace.packets, trace.without_key), (1, 3, 2));
        assert!(trace.damage.is_empty());
        let Info::Records(counted) = info(records.path(), Some(layout)).unwrap() else { panic!() };
        let expected = [(KeyKind::TcpHeader, 1), (KeyKind::FiveTuple, 3), (KeyKind::SrcDst, 1)];
        assert_eq!(counted.distinct, expected);
    }
}

/// What spreadsheets and other systems write.
#[test]
fn everyday_csv_is_read() {
    for text in [
        "\u{feff}src,dst\n1.1.1.1,2.2.2.2\n",
        "src,dst\r\n1.1.1.1,2.2.2.2\r\n\r\n",
        "\nsrc,dst\n\n1.1.1.1,2.2.2.2\n\n",
        "dst,info,src\n2.2.2.2,\"a,5\",1.1.1.1",
        "\"src\",\"dst\"\n\"1.1.1.1\",\"2.2.2.2\"\n",
    ] {
        let rows = file(text.as_bytes());
        let trace = read_keys(rows.path(), KeyKind::SrcDst, Some(Layout::Csv)).unwrap();
        assert_eq!(trace.keys.iter().collect::<Vec<_>>(), [[1, 1, 1, 1, 2, 2, 2, 2]], "{text}");
        assert_eq!((trace.packets, trace.damage.total()), (1, 0), "{text}");
    }
}
