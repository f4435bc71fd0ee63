//! Synthetic captures of links have the statistics that they are asked for.

use std::env;
use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::sync::LazyLock;

use loadfactor_traces::{
    Detail, FlowStatistics, Info, Input, LinkSpec, PacketReader, Preset, RepeatStatistics,
    SynthError, SynthSpec, SynthSummary, Targets, info_of, synth, synth_link, synth_link_beginning,
};
use proptest::prelude::*;

use crate::synthetic::digest;

/// By what share of its target a statistic may differ from it: more in Auckland's capture, which is short.
fn tolerance(preset: Preset) -> f64 {
    match preset {
        Preset::Caida | Preset::Wand => 0.1,
        Preset::Auckland => 0.2,
    }
}

/// The seeds whose captures the page tells of.
const SEEDS: [u64; 3] = [1, 2, 3];

fn make(spec: &LinkSpec) -> (Vec<u8>, SynthSummary) {
    let mut file = Vec::new();
    let summary = synth_link(spec, &mut file).unwrap();
    (file, summary)
}

/// The statistics of a capture.
struct Measured {
    flows: FlowStatistics,
    repeats: Option<RepeatStatistics>,
}

fn measured(file: &[u8]) -> Measured {
    let temporary = tempfile::NamedTempFile::new().unwrap();
    fs::write(temporary.path(), file).unwrap();
    let input = Input::file(temporary.path(), None);
    let Info::Capture(info) = info_of(&input, Detail::Flows).unwrap() else { panic!() };
    Measured { flows: info.flows.unwrap(), repeats: info.repeats }
}

/// A statistic with its target and its value in a capture; shares are in per cent.
struct Statistic {
    name: &'static str,
    target: fn(&Targets) -> Option<f64>,
    value: fn(&Measured) -> f64,
}

const STATISTICS: [Statistic; 10] = [
    Statistic {
        name: "packets of the largest flow, %",
        target: |of| Some(100.0 * of.largest_share),
        value: |of| 100.0 * of.flows.largest_share(),
    },
    Statistic {
        name: "packets of the ten largest, %",
        target: |of| Some(100.0 * of.ten_largest_share),
        value: |of| 100.0 * of.flows.ten_largest_share(),
    },
    Statistic {
        name: "packets that follow one of their own flow, %",
        target: |of| Some(100.0 * of.following_share),
        value: |of| 100.0 * of.flows.following_share(),
    },
    Statistic {
        name: "flows of one packet, %",
        target: |of| Some(100.0 * of.single_packet_share),
        value: |of| 100.0 * of.flows.single_packet_share(),
    },
    Statistic {
        name: "packets per flow",
        target: |of| of.packets_per_flow,
        value: |of| of.flows.packets_per_flow(),
    },
    Statistic {
        name: "flows per address pair",
        target: |of| of.flows_per_pair,
        value: |of| of.flows.flows_per_pair(),
    },
    Statistic {
        name: "TCP packets that repeat an earlier one, %",
        target: |of| Some(100.0 * of.repeated_share?),
        value: |of| 100.0 * of.repeats.unwrap().repeated_share(),
    },
    Statistic {
        name: "median distance of repeats, TCP packets",
        target: |of| of.repeat_distance,
        value: |of| of.repeats.unwrap().distance.unwrap()[1] as f64,
    },
    Statistic {
        name: "flows whose other direction is there, %",
        target: |of| Some(100.0 * of.both_directions_share?),
        value: |of| 100.0 * of.flows.both_directions_share(),
    },
    Statistic {
        name: "packets of IPv6, %",
        target: |of| Some(100.0 * of.ipv6_share?),
        value: |of| 100.0 * of.flows.ipv6_share(),
    },
];

/// The captures of each preset, one for each seed.
static PRESETS: LazyLock<Vec<(Preset, Vec<Measured>)>> = LazyLock::new(|| {
    let capture = |preset: Preset, seed| measured(&make(&LinkSpec { seed, ..preset.spec() }).0);
    let captures = |preset| SEEDS.map(|seed| capture(preset, seed)).into_iter().collect();
    Preset::ALL.map(|preset| (preset, captures(preset))).into_iter().collect()
});

#[test]
fn presets_meet_their_targets() {
    for (preset, captures) in &*PRESETS {
        for Statistic { name, target, value } in &STATISTICS {
            let Some(target) = target(&preset.targets()) else { continue };
            for (seed, found) in SEEDS.iter().zip(captures.iter().map(value)) {
                let differs = (found - target).abs() > tolerance(*preset) * target;
                assert!(!differs, "{preset}, seed {seed}, {name}: {found} for {target}");
            }
        }
    }
}

/// A mean with the least and the greatest value, where they are not the same to the digits shown.
fn told(values: &[f64]) -> String {
    let text = |value: f64| match value {
        100.0.. => format!("{value:.0}"),
        _ => format!("{value:.1}"),
    };
    let least = text(values.iter().copied().fold(f64::INFINITY, f64::min));
    let greatest = text(values.iter().copied().fold(0.0, f64::max));
    let mean = text(values.iter().sum::<f64>() / values.len() as f64);
    if least == greatest { mean } else { format!("{mean} ({least}–{greatest})") }
}

/// The table of the statistics.
fn statistics() -> String {
    let mut file = Vec::new();
    synth(&SynthSpec::default(), &mut file).unwrap();
    let even = measured(&file);
    let mut table = "| |".to_owned();
    PRESETS.iter().for_each(|(preset, _)| table += &format!(" `{preset}`: target | measured |"));
    table += " no preset |\n|---|---:|---:|---:|---:|---:|---:|---:|\n";
    for Statistic { name, target, value } in &STATISTICS {
        table += &format!("| {name} |");
        for (preset, captures) in &*PRESETS {
            let target = target(&preset.targets()).map_or("–".to_owned(), |value| told(&[value]));
            let values: Vec<f64> = captures.iter().map(value).collect();
            table += &format!(" {target} | {} |", told(&values));
        }
        table += &format!(" {} |\n", told(&[value(&even)]));
    }
    table
}

/// A parameter and its value.
type Parameter = (&'static str, fn(&LinkSpec) -> f64);

/// The parameters of which no target is known for all presets.
const PARAMETERS: [Parameter; 14] = [
    ("packets", |of| of.packets as f64),
    ("packets_per_flow", |of| of.packets_per_flow),
    ("rate_tail", |of| of.rate_tail),
    ("repeated_share", |of| of.repeated_share),
    ("repeat_distance", |of| of.repeat_distance),
    ("same_hosts_share", |of| of.same_hosts_share),
    ("both_directions_share", |of| of.both_directions_share),
    ("tcp_share", |of| of.tcp_share),
    ("udp_share", |of| of.udp_share),
    ("ipv6_share", |of| of.ipv6_share),
    ("prefixes", |of| f64::from(of.prefixes)),
    ("hosts_per_prefix", |of| f64::from(of.hosts_per_prefix)),
    ("packets_per_second", |of| of.packets_per_second),
    ("snaplen", |of| f64::from(of.snaplen)),
];

/// The table of the parameters.
fn parameters() -> String {
    let mut table = "| |".to_owned();
    Preset::ALL.iter().for_each(|preset| table += &format!(" `{preset}` |"));
    table += "\n|---|---:|---:|---:|\n";
    for (name, value) in PARAMETERS {
        let values =
            Preset::ALL.map(|preset| format!("{}", (1e4 * value(&preset.spec())).round() / 1e4));
        table += &format!("| `{name}` | {} |\n", values.join(" | "));
    }
    table
}

/// Set by `make docs`: stale tables are written instead of refused.
const WRITE: &str = "LOADFACTOR_WRITE_DOCS";

/// The page with a table between its markers.
fn spliced(page: &str, marker: &str, table: &str) -> String {
    let (open, close) = (format!("<!-- {marker} -->"), "<!-- / -->");
    let (before, rest) = page.split_once(&open).unwrap();
    let (_, behind) = rest.split_once(close).unwrap();
    format!("{before}{open}\n\n{table}\n{close}{behind}")
}

#[test]
fn the_page_has_what_is_measured_beside_its_target() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/SYNTHETIC.md");
    let page = fs::read_to_string(&path).unwrap();
    let fresh = spliced(&page, "statistics of the presets", &statistics());
    let fresh = spliced(&fresh, "parameters of the presets", &parameters());
    match env::var_os(WRITE) {
        Some(_) => fs::write(&path, fresh).unwrap(),
        None => {
            assert!(page == fresh, "the tables of docs/SYNTHETIC.md are stale: run `make docs`")
        }
    }
}

fn short() -> LinkSpec {
    LinkSpec { packets: 20_000, ..Preset::Auckland.spec() }
}

#[test]
fn a_seed_stands_for_the_same_bytes_forever() {
    let (file, _) = make(&short());
    assert_eq!(digest(&file), DIGEST);
    assert_ne!(make(&LinkSpec { seed: 2, ..short() }).0, file);
}

/// Changes only with the model, which makes new traces of all old seeds.
const DIGEST: u64 = 0x2230_fd5b_4d7b_f23c;

#[test]
fn a_beginning_is_that_of_the_capture() {
    let mut beginning = Vec::new();
    let summary = synth_link_beginning(&short(), 500, &mut beginning).unwrap();
    assert_eq!(summary.packets, 500);
    assert!(make(&short()).0.starts_with(&beginning));
}

#[test]
fn directions_and_versions_are_as_asked() {
    for (both, ipv6) in [(0.5, 0.2), (1.0, 0.8)] {
        let spec = LinkSpec {
            packets: 200_000,
            both_directions_share: both,
            ipv6_share: ipv6,
            ..Preset::Auckland.spec()
        };
        let found = measured(&make(&spec).0).flows;
        assert!((found.both_directions_share() - both).abs() < 0.03, "{found:?} for {both}");
        assert!((found.ipv6_share() - ipv6).abs() < 0.03, "{found:?} for {ipv6}");
    }
}

/// What a capture is asked for, in the parameters that most depend on each other. Where packets repeat sooner than eight
/// packets later, more follow their own flow by chance than the model counts on: `docs/SYNTHETIC.md` says so.
fn specs() -> impl Strategy<Value = LinkSpec> {
    let large = (0.005_f64..0.2, 1.0_f64..10.0);
    let flows = (2.0_f64..40.0, 0.0_f64..1.0);
    let order = (0.0_f64..0.6, 8.0_f64..600.0, 0.1_f64..3.0, 0.0_f64..1.0);
    (large, flows, order, any::<u64>()).prop_map(|(large, flows, order, seed)| LinkSpec {
        packets: 40_000,
        seed,
        largest_share: large.0,
        ten_largest_share: (large.0 * large.1).min(0.9),
        packets_per_flow: flows.0,
        single_packet_share: flows.1,
        following_share: order.0,
        repeat_distance: order.1,
        rate_tail: order.2,
        repeated_share: order.3,
        ..Preset::Caida.spec()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Whatever is asked for is reached, or it is an error.
    #[test]
    fn what_is_asked_for_is_reached_or_refused(spec in specs()) {
        let mut file = Vec::new();
        match synth_link(&spec, &mut file) {
            Ok(_) => {
                let Measured { flows, repeats } = measured(&file);
                let near = |found: f64, asked: f64, relative: f64, absolute: f64| {
                    (found - asked).abs() <= relative * asked + absolute
                };
                prop_assert!(near(flows.largest_share(), spec.largest_share, 0.1, 0.005), "{flows:?}");
                prop_assert!(near(flows.ten_largest_share(), spec.ten_largest_share, 0.1, 0.005), "{flows:?}");
                prop_assert!(near(flows.following_share(), spec.following_share, 0.1, 0.01), "{flows:?}");
                prop_assert!(near(flows.single_packet_share(), spec.single_packet_share, 0.1, 0.02), "{flows:?}");
                prop_assert!(near(flows.packets_per_flow(), spec.packets_per_flow, 0.35, 0.0), "{flows:?}");
                let repeats = repeats.unwrap();
                prop_assert!(near(repeats.repeated_share(), spec.repeated_share, 0.0, 0.02), "{repeats:?}");
            }
            Err(SynthError::Unreachable { .. }) => prop_assert!(spec.check().is_err()),
            Err(other) => prop_assert!(false, "{other}"),
        }
    }

    /// A capture of any mixture is one that others can read, and the same again.
    #[test]
    fn what_is_written_is_read(
        seed in any::<u64>(),
        snaplen in 20_u32..1600,
        tcp_share in 0.3_f64..1.0,
        ipv6_share in 0.0_f64..1.0,
        both_directions_share in 0.0_f64..1.0,
    ) {
        let udp_share = 0.9 * (1.0 - tcp_share);
        let spec = LinkSpec {
            packets: 2000,
            packets_per_flow: 5.0,
            repeated_share: 0.1,
            repeat_distance: 3.0,
            seed,
            snaplen,
            tcp_share,
            udp_share,
            ipv6_share,
            both_directions_share,
            ..Preset::Auckland.spec()
        };
        let (file, summary) = make(&spec);
        prop_assert!(make(&spec).0 == file);
        let mut reader = PacketReader::from_stream("synthetic", Cursor::new(file)).unwrap();
        let mut tcp = 0;
        while let Some(packet) = reader.next_packet() {
            prop_assert_eq!(packet.data.len() as u32, snaplen.min(packet.wire_length));
            match packet.data[0] >> 4 {
                4 => {
                    let ip = etherparse::Ipv4HeaderSlice::from_slice(packet.data).unwrap();
                    prop_assert_eq!(u32::from(ip.total_len()), packet.wire_length);
                    prop_assert_eq!(ip.header_checksum(), ip.to_header().calc_header_checksum());
                }
                _ if snaplen >= 40 => {
                    let ip = etherparse::Ipv6HeaderSlice::from_slice(packet.data).unwrap();
                    prop_assert_eq!(u32::from(ip.payload_length()) + 40, packet.wire_length);
                }
                _ => continue,
            }
            tcp += u64::from(packet.headers().unwrap().is_tcp());
        }
        prop_assert_eq!(reader.packets(), summary.packets);
        prop_assert!(snaplen < 40 || tcp == summary.tcp);
        prop_assert!(reader.damage().is_empty());
    }
}
