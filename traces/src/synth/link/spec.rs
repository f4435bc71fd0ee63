//! The parameters of a link, most of them statistics of its capture.

/// Parameters of a synthetic capture of a link: see the [model](crate::synth_link).
///
/// Those that name a statistic are that of the capture, as [`FlowStatistics`](crate::FlowStatistics) and
/// [`RepeatStatistics`](crate::RepeatStatistics) measure it.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkSpec {
    /// Packets to write.
    pub packets: u64,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Share of the packets that the largest flow has.
    pub largest_share: f64,
    /// Share of the packets that the ten largest flows have.
    pub ten_largest_share: f64,
    /// Packets per flow.
    pub packets_per_flow: f64,
    /// Share of the flows that have one packet.
    pub single_packet_share: f64,
    /// Share of the packets that follow one of their own flow.
    pub following_share: f64,
    /// Shape of the bounded Pareto distribution of the flows' rates, above 0: the smaller, the more they differ.
    pub rate_tail: f64,
    /// Share of the TCP packets that repeat the sequence and acknowledgement number of the packet before in their
    /// flow.
    pub repeated_share: f64,
    /// Median distance of a repeated packet from the one that it repeats, in TCP packets.
    pub repeat_distance: f64,
    /// Share of the flows that run between the hosts of an earlier one.
    pub same_hosts_share: f64,
    /// Share of the flows whose other direction is in the capture too.
    pub both_directions_share: f64,
    /// Share of the flows that are TCP.
    pub tcp_share: f64,
    /// Share of the flows that are UDP; the rest is ICMP.
    pub udp_share: f64,
    /// Share of the packets that are IPv6.
    pub ipv6_share: f64,
    /// Number of /16 prefixes that addresses are taken from, from 1 to 65,536.
    pub prefixes: u32,
    /// Number of hosts in a prefix, from 1 to 65,536.
    pub hosts_per_prefix: u32,
    /// Mean arrival rate of packets, above 0.
    pub packets_per_second: f64,
    /// Most bytes captured of a packet, from 20 to 262,144.
    pub snaplen: u32,
}

/// What a flow carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Protocol {
    Tcp,
    Udp,
    Icmp,
}

impl LinkSpec {
    /// The protocol of most flows.
    pub(super) fn most_frequent(&self) -> Protocol {
        let icmp = 1.0 - self.tcp_share - self.udp_share;
        match self.tcp_share >= self.udp_share.max(icmp) {
            true => Protocol::Tcp,
            false if self.udp_share >= icmp => Protocol::Udp,
            false => Protocol::Icmp,
        }
    }

    /// The first parameter that is out of its range, and that range.
    pub(super) fn out_of_range(&self) -> Option<(&'static str, &'static str)> {
        const SHARE: &str = "in [0, 1]";
        let share = |share: f64| (0.0..=1.0).contains(&share);
        let protocols = share(self.tcp_share) && share(self.udp_share);
        let size = 1.0..=1e9;
        let in_range = [
            (self.packets >= 1, "packets", "at least 1"),
            (
                self.largest_share > 0.0 && self.largest_share <= 0.99,
                "largest_share",
                "above 0 and at most 0.99",
            ),
            (share(self.ten_largest_share), "ten_largest_share", SHARE),
            (size.contains(&self.packets_per_flow), "packets_per_flow", "from 1 to 1,000,000,000"),
            (share(self.single_packet_share), "single_packet_share", SHARE),
            (share(self.following_share), "following_share", SHARE),
            ((0.01..=20.0).contains(&self.rate_tail), "rate_tail", "from 0.01 to 20"),
            ((0.0..1.0).contains(&self.repeated_share), "repeated_share", "in [0, 1)"),
            (self.repeat_distance >= 1.0, "repeat_distance", "at least 1"),
            (share(self.same_hosts_share), "same_hosts_share", SHARE),
            (share(self.both_directions_share), "both_directions_share", SHARE),
            (
                protocols && self.tcp_share + self.udp_share <= 1.0 + 1e-9,
                "tcp_share and udp_share",
                "at least 0, and together at most 1",
            ),
            (share(self.ipv6_share), "ipv6_share", SHARE),
            ((1..=65_536).contains(&self.prefixes), "prefixes", "from 1 to 65,536"),
            ((1..=65_536).contains(&self.hosts_per_prefix), "hosts_per_prefix", "from 1 to 65,536"),
            (
                (1e-3..=1e9).contains(&self.packets_per_second),
                "packets_per_second",
                "from 0.001 to 1,000,000,000",
            ),
            ((20..=262_144).contains(&self.snaplen), "snaplen", "from 20 to 262,144"),
        ];
        let broken = in_range.into_iter().find(|(holds, ..)| !holds)?;
        Some((broken.1, broken.2))
    }
}
