//! The parameters of a synthetic capture.

use super::error::SynthError;
use super::mix::Mix;

/// Parameters of a synthetic capture; see the [model](crate::synth).
#[derive(Debug, Clone, PartialEq)]
pub struct SynthSpec {
    /// Packets to write.
    pub packets: u64,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Flows in progress at any time, at least 1.
    pub active_flows: u32,
    /// Shape of the bounded Pareto distribution of flow sizes, above 0: the smaller, the heavier
    /// the tail.
    pub tail: f64,
    /// Most packets of a flow, at least 1.
    pub largest_flow: u64,
    /// Share of TCP packets that repeat the sequence and acknowledgement number of the packet
    /// before in their flow, in [0, 1).
    pub repeated_share: f64,
    /// Share of flows that are TCP.
    pub tcp_share: f64,
    /// Share of flows that are UDP; the rest is ICMP.
    pub udp_share: f64,
    /// Share of flows that run between the hosts of the flow they replace, in [0, 1].
    pub same_hosts_share: f64,
    /// Number of /16 prefixes that addresses are taken from, from 1 to 65,536.
    pub prefixes: u32,
    /// Number of hosts in a prefix, from 1 to 65,536.
    pub hosts_per_prefix: u32,
    /// Mean arrival rate, above 0.
    pub packets_per_second: f64,
    /// Most bytes captured of a packet, from 20 to 262,144.
    pub snaplen: u32,
}

impl Default for SynthSpec {
    /// A million packets of 52 bytes, of some 80,000 flows between some 32,000 pairs of hosts, in
    /// which 18 % of the TCP headers repeat.
    ///
    /// Packets per flow, flows per pair, repeats and captured bytes are those of a capture of 31,249
    /// packets of the University of Auckland's uplink in 2000: 12.1, 2.5, 18 % and 52.
    fn default() -> Self {
        SynthSpec {
            packets: 1_000_000,
            seed: 1,
            active_flows: 1000,
            tail: 0.8,
            largest_flow: 100_000,
            repeated_share: 0.18,
            tcp_share: 0.80,
            udp_share: 0.17,
            same_hosts_share: 0.6,
            prefixes: 4096,
            hosts_per_prefix: 1024,
            packets_per_second: 400_000.0,
            snaplen: 52,
        }
    }
}

impl SynthSpec {
    /// Protocols and hosts.
    pub(super) fn mix(&self) -> Mix {
        let SynthSpec { tcp_share, udp_share, prefixes, hosts_per_prefix, .. } = *self;
        Mix { tcp_share, udp_share, prefixes, hosts_per_prefix }
    }

    /// Checks the range of each parameter.
    pub(super) fn check(&self) -> Result<(), SynthError> {
        let shares = [self.tcp_share, self.udp_share, self.tcp_share + self.udp_share];
        let rate = self.packets_per_second;
        let in_range = [
            (self.active_flows >= 1, "active_flows", "at least 1"),
            (self.tail > 0.0 && self.tail <= 100.0, "tail", "above 0 and at most 100"),
            (self.largest_flow >= 1, "largest_flow", "at least 1"),
            ((0.0..1.0).contains(&self.repeated_share), "repeated_share", "in [0, 1)"),
            (
                shares.iter().all(|share| (0.0..=1.0 + 1e-9).contains(share)),
                "tcp_share and udp_share",
                "at least 0, and together at most 1",
            ),
            ((0.0..=1.0).contains(&self.same_hosts_share), "same_hosts_share", "in [0, 1]"),
            ((1..=65_536).contains(&self.prefixes), "prefixes", "from 1 to 65,536"),
            ((1..=65_536).contains(&self.hosts_per_prefix), "hosts_per_prefix", "from 1 to 65,536"),
            ((1e-3..=1e9).contains(&rate), "packets_per_second", "from 0.001 to 1,000,000,000"),
            ((20..=262_144).contains(&self.snaplen), "snaplen", "from 20 to 262,144"),
        ];
        match in_range.into_iter().find(|(holds, ..)| !holds) {
            None => Ok(()),
            Some((_, parameter, range)) => Err(SynthError::Parameter { parameter, range }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn out_of_range_is_named() {
        assert!(SynthSpec::default().check().is_ok());
        for (spec, name) in [
            (SynthSpec { tail: f64::NAN, ..Default::default() }, "tail"),
            (SynthSpec { repeated_share: 1.0, ..Default::default() }, "repeated_share"),
            (SynthSpec { udp_share: 0.3, ..Default::default() }, "udp_share"),
            (SynthSpec { active_flows: 0, ..Default::default() }, "active_flows"),
        ] {
            assert!(spec.check().unwrap_err().to_string().contains(name));
        }
    }
}
