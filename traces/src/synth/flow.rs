//! One flow in progress.

use super::random::Random;
use super::spec::SynthSpec;

const FULL_SEGMENT: u16 = 1460;
const SYN: u8 = 0x02;
const ACK: u8 = 0x10;
const FIN_ACK: u8 = 0x11;

/// Ports that servers listen on, the more popular the earlier.
const SERVICES: [u16; 12] = [443, 80, 53, 22, 25, 8080, 993, 123, 3389, 110, 5222, 21];

/// What a packet is to the one before in its flow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// New data, or a new acknowledgement.
    On,
    /// The same sequence and acknowledgement number.
    Repeat,
}

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

/// A flow, as of the packet it sent last.
pub(super) struct Flow {
    pub(super) kind: Kind,
    pub(super) source: [u8; 4],
    pub(super) destination: [u8; 4],
    pub(super) source_port: u16,
    pub(super) destination_port: u16,
    pub(super) seq: u32,
    pub(super) ack: u32,
    /// Bytes after the transport header.
    pub(super) payload: u16,
    /// TCP flags.
    pub(super) flags: u8,
    sent: u64,
    size: u64,
}

impl Flow {
    /// A flow that has not sent anything yet.
    pub(super) fn start(spec: &SynthSpec, random: &mut Random) -> Self {
        let hosts = (address(spec, random), address(spec, random));
        Self::between(hosts, spec, random)
    }

    /// The flow that takes this one's place, perhaps between the same hosts.
    pub(super) fn successor(&self, spec: &SynthSpec, random: &mut Random) -> Self {
        if random.chance(spec.same_hosts_share) {
            Self::between((self.source, self.destination), spec, random)
        } else {
            Self::start(spec, random)
        }
    }

    fn between(
        (source, destination): ([u8; 4], [u8; 4]),
        spec: &SynthSpec,
        random: &mut Random,
    ) -> Self {
        let kind = kind(spec, random);
        let service = SERVICES[random.rank(SERVICES.len() as u32) as usize];
        let ephemeral = 32_768 + random.below(28_232) as u16;
        let (source_port, destination_port) = match kind {
            Kind::TcpAcks | Kind::Udp => (ephemeral, service),
            // Most data flows from servers to clients.
            Kind::TcpData => (service, ephemeral),
            Kind::Icmp => (0, 0),
        };
        Flow {
            kind,
            source,
            destination,
            source_port,
            destination_port,
            seq: random.word(),
            ack: 0,
            payload: 0,
            flags: 0,
            sent: 0,
            size: random.size(spec.tail, spec.largest_flow),
        }
    }

    pub(super) fn is_tcp(&self) -> bool {
        matches!(self.kind, Kind::TcpData | Kind::TcpAcks)
    }

    /// Whether a packet was sent.
    pub(super) fn has_begun(&self) -> bool {
        self.sent > 0
    }

    /// Whether the last packet was sent.
    pub(super) fn has_ended(&self) -> bool {
        self.sent >= self.size
    }

    /// Turns to the next packet.
    pub(super) fn advance(&mut self, step: Step, random: &mut Random) {
        match (self.kind, step) {
            (_, Step::Repeat) => {}
            (Kind::TcpData | Kind::TcpAcks, Step::On) => self.advance_tcp(random),
            (Kind::Udp, Step::On) => self.payload = 20 + random.below(1_200) as u16,
            (Kind::Icmp, Step::On) => {
                self.payload = 56;
                self.seq = self.seq.wrapping_add(1);
            }
        }
        self.sent += 1;
    }

    fn advance_tcp(&mut self, random: &mut Random) {
        let after_syn = self.flags == SYN;
        self.seq = self.seq.wrapping_add(u32::from(self.payload) + u32::from(after_syn));
        self.flags = match self.sent {
            0 => SYN,
            sent if sent + 1 >= self.size => FIN_ACK,
            _ => ACK,
        };
        match (self.sent, self.kind) {
            (0, _) => {}
            _ if after_syn => self.ack = random.word(),
            (_, Kind::TcpAcks) => self.acknowledge(random),
            _ if random.chance(0.05) => self.acknowledge(random),
            _ => {}
        }
        self.payload = match (self.sent, self.kind) {
            (1.., Kind::TcpData) => segment(random),
            _ => 0,
        };
    }

    /// Acknowledges one or two segments of the other direction.
    fn acknowledge(&mut self, random: &mut Random) {
        let segments = 1 + u32::from(random.chance(0.5));
        self.ack = self.ack.wrapping_add(segments * u32::from(FULL_SEGMENT));
    }
}

fn kind(spec: &SynthSpec, random: &mut Random) -> Kind {
    if random.chance(spec.tcp_share) {
        return if random.chance(2.0 / 3.0) { Kind::TcpData } else { Kind::TcpAcks };
    }
    let rest = 1.0 - spec.tcp_share;
    if random.chance(spec.udp_share / rest) { Kind::Udp } else { Kind::Icmp }
}

/// Payload of a data segment: mostly full ones.
fn segment(random: &mut Random) -> u16 {
    match random.chance(0.7) {
        true => FULL_SEGMENT,
        false => 1 + random.below(u64::from(FULL_SEGMENT)) as u16,
    }
}

/// A unicast address whose prefix and host are chosen by popularity.
fn address(spec: &SynthSpec, random: &mut Random) -> [u8; 4] {
    let [high, second] = scatter(random.rank(spec.prefixes)).to_be_bytes();
    let [third, fourth] = scatter(random.rank(spec.hosts_per_prefix)).to_be_bytes();
    // 222 first octets: 1 to 223 without loopback's 127.
    let first = 1 + high % 222;
    [first + u8::from(first >= 127), second, third, fourth]
}

/// A permutation of 16 bits, so that popular ranks do not lie side by side.
fn scatter(rank: u32) -> u16 {
    (rank as u16).wrapping_mul(40_503).wrapping_add(257)
}
