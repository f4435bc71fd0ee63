//! What flows are: their protocols and hosts.

use super::random::Random;

/// An address: two bytes of a prefix, two of a host in it.
pub(super) type Host = [u8; 4];

/// What a flow sends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// TCP segments with data.
    TcpData,
    /// TCP acknowledgements without data.
    TcpAcks,
    /// UDP datagrams.
    Udp,
    /// ICMP echo requests.
    Icmp,
}

/// Shares of the protocols, and how many hosts there are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mix {
    pub(super) tcp_share: f64,
    pub(super) udp_share: f64,
    pub(super) prefixes: u32,
    pub(super) hosts_per_prefix: u32,
}

impl Mix {
    /// The protocol of a flow.
    pub(super) fn kind(&self, random: &mut Random) -> Kind {
        if random.chance(self.tcp_share) {
            return if random.chance(2.0 / 3.0) { Kind::TcpData } else { Kind::TcpAcks };
        }
        let rest = 1.0 - self.tcp_share;
        if random.chance(self.udp_share / rest) { Kind::Udp } else { Kind::Icmp }
    }

    /// Source and destination of a flow.
    pub(super) fn hosts(&self, random: &mut Random) -> (Host, Host) {
        (self.host(random), self.host(random))
    }

    /// A unicast address whose prefix and host are chosen by popularity.
    fn host(&self, random: &mut Random) -> Host {
        let [high, second] = scatter(random.rank(self.prefixes)).to_be_bytes();
        let [third, fourth] = scatter(random.rank(self.hosts_per_prefix)).to_be_bytes();
        // 222 first octets: 1 to 223 without loopback's 127.
        let first = 1 + high % 222;
        [first + u8::from(first >= 127), second, third, fourth]
    }
}

/// A permutation of 16 bits, so that popular ranks do not lie side by side.
fn scatter(rank: u32) -> u16 {
    (rank as u16).wrapping_mul(40_503).wrapping_add(257)
}
