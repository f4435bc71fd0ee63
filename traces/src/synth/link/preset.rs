//! Links whose statistics are known.

use std::fmt;
use std::str::FromStr;

use super::spec::LinkSpec;
use crate::unknown::UnknownName;

/// A link after which a synthetic capture is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// A file of a backbone link of CAIDA as sketch research passes it around: one flow has a seventh of the packets.
    Caida,
    /// An access link, captured by the WAND group of the University of Waikato in 2010.
    Wand,
    /// The uplink of the University of Auckland in 2000, one direction.
    Auckland,
}

/// What is known of a link: statistics of its capture, where somebody measured them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Targets {
    /// Share of the packets that the largest flow has.
    pub largest_share: f64,
    /// Share of the packets that the ten largest flows have.
    pub ten_largest_share: f64,
    /// Share of the flows that have one packet.
    pub single_packet_share: f64,
    /// Share of the packets that follow one of their own flow.
    pub following_share: f64,
    /// Packets per flow.
    pub packets_per_flow: Option<f64>,
    /// Flows per pair of source and destination.
    pub flows_per_pair: Option<f64>,
    /// Share of the TCP packets that repeat an earlier one.
    pub repeated_share: Option<f64>,
    /// Median distance of repeated packets, in TCP packets.
    pub repeat_distance: Option<f64>,
    /// Share of the flows whose other direction is there too.
    pub both_directions_share: Option<f64>,
    /// Share of the packets that are IPv6.
    pub ipv6_share: Option<f64>,
}

/// As measured on a file of flow keys, which has no sequence numbers.
const CAIDA: Targets = Targets {
    largest_share: 0.136,
    ten_largest_share: 0.190,
    single_packet_share: 0.53,
    following_share: 0.065,
    packets_per_flow: None,
    flows_per_pair: None,
    repeated_share: None,
    repeat_distance: None,
    both_directions_share: None,
    ipv6_share: None,
};

/// As measured on a capture that is not public.
const WAND: Targets = Targets {
    largest_share: 0.015,
    ten_largest_share: 0.069,
    single_packet_share: 0.56,
    following_share: 0.052,
    repeat_distance: Some(463.0),
    ..CAIDA
};

/// Counted by `loadfactor trace info --flows` in the capture of 31,249 packets among the tests of libtrace, whose
/// SHA-256 begins with 934c31a4.
const AUCKLAND: Targets = Targets {
    largest_share: 658.0 / 31_249.0,
    ten_largest_share: 5109.0 / 31_249.0,
    single_packet_share: 619.0 / 2580.0,
    following_share: 6543.0 / 31_249.0,
    packets_per_flow: Some(31_249.0 / 2580.0),
    flows_per_pair: Some(2580.0 / 1022.0),
    repeated_share: Some(4974.0 / 27_537.0),
    repeat_distance: Some(12.0),
    both_directions_share: Some(0.0),
    ipv6_share: Some(0.0),
};

impl Preset {
    /// All of them.
    pub const ALL: [Preset; 3] = [Preset::Caida, Preset::Wand, Preset::Auckland];

    /// Their names, in the same order.
    pub const NAMES: [&str; 3] = [Self::ALL[0].name(), Self::ALL[1].name(), Self::ALL[2].name()];

    /// Name in definitions and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Preset::Caida => "caida",
            Preset::Wand => "wand",
            Preset::Auckland => "auckland",
        }
    }

    /// What is known of the link.
    pub fn targets(self) -> Targets {
        match self {
            Preset::Caida => CAIDA,
            Preset::Wand => WAND,
            Preset::Auckland => AUCKLAND,
        }
    }

    /// The parameters: what is known, and the rest assumed. The packets of a flow, the repeats and the protocols are
    /// those of Auckland's, the distance of CAIDA's repeats that of WAND's; the other direction and IPv6 are left out.
    pub fn spec(self) -> LinkSpec {
        let known = self.targets();
        let or_as_in = |value: Option<f64>, other: Option<f64>| value.or(other).unwrap_or(0.0);
        LinkSpec {
            packets: self.packets(),
            seed: 1,
            largest_share: known.largest_share,
            ten_largest_share: known.ten_largest_share,
            packets_per_flow: or_as_in(known.packets_per_flow, AUCKLAND.packets_per_flow),
            single_packet_share: known.single_packet_share,
            following_share: known.following_share,
            rate_tail: self.rate_tail(),
            repeated_share: or_as_in(known.repeated_share, AUCKLAND.repeated_share),
            repeat_distance: or_as_in(known.repeat_distance, WAND.repeat_distance),
            same_hosts_share: 0.6,
            both_directions_share: or_as_in(known.both_directions_share, None),
            tcp_share: 0.81,
            udp_share: 0.177,
            ipv6_share: or_as_in(known.ipv6_share, None),
            prefixes: 4096,
            hosts_per_prefix: 1024,
            packets_per_second: self.packets_per_second(),
            snaplen: 52,
        }
    }

    /// The repeats in Auckland's capture are near and far: rates that spread almost evenly over their logarithms come
    /// closest to their quartiles.
    fn rate_tail(self) -> f64 {
        match self {
            Preset::Caida | Preset::Wand => 1.0,
            Preset::Auckland => 0.1,
        }
    }

    fn packets(self) -> u64 {
        match self {
            Preset::Caida | Preset::Wand => 1_000_000,
            Preset::Auckland => 31_249,
        }
    }

    fn packets_per_second(self) -> f64 {
        match self {
            Preset::Caida => 400_000.0,
            Preset::Wand => 10_000.0,
            Preset::Auckland => 357.0,
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Preset {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|preset| preset.name() == name).ok_or_else(|| UnknownName {
            what: "preset",
            name: name.to_owned(),
            known: Self::NAMES.join(", "),
        })
    }
}
