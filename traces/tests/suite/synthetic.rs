//! Synthetic captures have the properties that their model promises.

use std::io::Cursor;

use loadfactor_traces::{
    Info, KeyKind, Keys, PacketReader, SynthSpec, SynthSummary, info, read_keys, synth,
};
use proptest::prelude::*;

fn make(spec: &SynthSpec) -> (Vec<u8>, SynthSummary) {
    let mut file = Vec::new();
    let summary = synth(spec, &mut file).unwrap();
    (file, summary)
}

fn small() -> SynthSpec {
    SynthSpec { packets: 20_000, active_flows: 200, ..Default::default() }
}

fn keys(file: &[u8], kind: KeyKind) -> Keys {
    let temporary = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(temporary.path(), file).unwrap();
    read_keys(temporary.path(), kind, None).unwrap().keys
}

/// FNV-1a, to pin down a file in one number.
pub fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn a_seed_stands_for_the_same_bytes_forever() {
    let (file, _) = make(&small());
    assert_eq!(digest(&file), DIGEST);
    let other = SynthSpec { seed: 2, ..small() };
    assert_ne!(make(&other).0, file);
}

/// Changes only with the model, which makes new traces of all old seeds.
const DIGEST: u64 = 0x9253cebe8b724ae2;

#[test]
fn a_longer_capture_begins_as_the_shorter() {
    let (long, _) = make(&SynthSpec { packets: 30_000, ..small() });
    assert!(long.starts_with(&make(&small()).0));
}

#[test]
fn tcp_headers_repeat_as_often_as_asked() {
    for share in [0.0, 0.18, 0.25, 0.6] {
        let spec = SynthSpec { repeated_share: share, ..small() };
        let (file, summary) = make(&spec);
        let keys = keys(&file, KeyKind::TcpHeader);
        assert_eq!(keys.len() as u64, summary.tcp);
        let repeated = keys.repeated_share().unwrap();
        assert!((repeated - share).abs() < 0.005, "{repeated} for {share}");
        assert_eq!(summary.repeated, (keys.len() - keys.distinct().unwrap().len()) as u64);
    }
}

#[test]
fn a_share_of_repeats_that_cannot_be_reached_is_refused() {
    let spec = SynthSpec { repeated_share: 0.99, ..small() };
    let error = synth(&spec, &mut Vec::new()).unwrap_err().to_string();
    assert!(error.starts_with("repeated_share = 0.99 cannot be reached: 0.8"), "{error}");
}

#[test]
fn few_flows_carry_most_packets() {
    let spec = SynthSpec { packets: 300_000, active_flows: 1000, ..Default::default() };
    let (file, summary) = make(&spec);
    let ids = keys(&file, KeyKind::FiveTuple).ids().unwrap();
    let mut sizes = vec![0_u64; 1 + *ids.iter().max().unwrap() as usize];
    for id in ids {
        sizes[id as usize] += 1;
    }
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    assert!(sizes.len() as u64 <= summary.flows && sizes.len() as u64 > summary.flows * 99 / 100);
    let top: u64 = sizes[..sizes.len() / 10].iter().sum();
    assert!(top > 150_000, "the largest tenth of the flows carries {top} packets");
    let single = sizes.iter().filter(|&&size| size <= 2).count();
    assert!(single > sizes.len() / 2, "{single} of {} flows are tiny", sizes.len());
}

#[test]
fn the_default_is_as_mixed_as_its_model() {
    let (file, summary) = make(&SynthSpec::default());
    let [flows, pairs] = [KeyKind::FiveTuple, KeyKind::SrcDst]
        .map(|kind| keys(&file, kind).distinct().unwrap().len() as f64);
    let (per_flow, per_pair) = (summary.packets as f64 / flows, flows / pairs);
    assert!((11.0..14.0).contains(&per_flow), "{per_flow} packets per flow");
    assert!((2.2..2.8).contains(&per_pair), "{per_pair} flows per pair of hosts");
}

#[test]
fn neighbours_belong_to_different_flows() {
    let ids = keys(&make(&small()).0, KeyKind::FiveTuple).ids().unwrap();
    let together = ids.windows(2).filter(|pair| pair[0] == pair[1]).count();
    assert!(together < ids.len() / 50, "{together} of {} neighbours", ids.len());
}

#[test]
fn info_finds_the_asked_mixture() {
    let temporary = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(temporary.path(), make(&small()).0).unwrap();
    let Info::Capture(counted) = info(temporary.path(), None).unwrap() else { panic!() };
    assert_eq!((counted.packets, counted.ipv4, counted.ipv6), (20_000, 20_000, 0));
    assert_eq!(counted.interfaces[0].snaplen, 52);
    assert_eq!(counted.tcp_without_numbers, 0);
    assert!(counted.damage.is_empty());
    let times = counted.times.unwrap();
    assert_eq!(times.steps_back, 0);
    // 20,000 arrivals at 400,000 a second, with a standard deviation of 1/141 of the time.
    assert!((times.span() - 0.05).abs() < 5.0 * 0.05 / 141.0, "{} s", times.span());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_is_written_is_read(
        packets in 0_u64..2000,
        seed in any::<u64>(),
        active_flows in 1_u32..100,
        tail in 0.3_f64..3.0,
        snaplen in 20_u32..1600,
        tcp_share in 0.0_f64..1.0,
    ) {
        let udp_share = (1.0 - tcp_share) / 2.0;
        let spec = SynthSpec {
            packets,
            seed,
            active_flows,
            tail,
            snaplen,
            tcp_share,
            udp_share,
            repeated_share: 0.05,
            ..Default::default()
        };
        let (file, summary) = make(&spec);
        prop_assert_eq!(summary.packets, packets);
        let mut reader = PacketReader::from_stream("synthetic", Cursor::new(file)).unwrap();
        let mut tcp = 0;
        while let Some(packet) = reader.next_packet() {
            prop_assert_eq!(packet.data.len() as u32, snaplen.min(packet.wire_length));
            let ip = etherparse::Ipv4HeaderSlice::from_slice(packet.data).unwrap();
            prop_assert_eq!(u32::from(ip.total_len()), packet.wire_length);
            prop_assert_eq!(ip.header_checksum(), ip.to_header().calc_header_checksum());
            prop_assert!(!ip.source_addr().is_loopback() && !ip.source_addr().is_multicast());
            tcp += u64::from(packet.headers().unwrap().is_tcp());
        }
        prop_assert_eq!((reader.packets(), tcp), (packets, summary.tcp));
        prop_assert!(reader.damage().is_empty());
    }
}
