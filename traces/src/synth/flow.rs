//! One flow in progress.

use super::mix::{Host, Kind};
use super::random::Random;

/// Payload of a full segment in a packet of 1500 bytes.
const FULL_SEGMENT: u16 = 1460;
/// By how much the header of IPv6 is longer.
const LONGER_HEADER: u16 = 20;
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

/// A flow, as of the packet it sent last.
pub(super) struct Flow {
    pub(super) kind: Kind,
    pub(super) source: Host,
    pub(super) destination: Host,
    pub(super) source_port: u16,
    pub(super) destination_port: u16,
    pub(super) is_ipv6: bool,
    pub(super) seq: u32,
    pub(super) ack: u32,
    /// Bytes after the transport header.
    pub(super) payload: u16,
    /// TCP flags.
    pub(super) flags: u8,
    sent: u64,
    /// Packets sent before the capture began.
    before: u64,
    size: u64,
}

impl Flow {
    /// A flow of one packet that has not sent it yet.
    pub(super) fn between(
        (source, destination): (Host, Host),
        kind: Kind,
        random: &mut Random,
    ) -> Self {
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
            is_ipv6: false,
            seq: random.word(),
            ack: 0,
            payload: 0,
            flags: 0,
            sent: 0,
            before: 0,
            size: 1,
        }
    }

    /// The same with so many packets.
    pub(super) fn of_size(self, size: u64) -> Self {
        Flow { size, ..self }
    }

    /// The same, of which so many packets were sent before the capture began.
    pub(super) fn in_progress(self, sent: u64, random: &mut Random) -> Self {
        Flow { sent, before: sent, flags: ACK, ack: random.word(), ..self }
    }

    /// The same in the other version of IP, if it is to be IPv6.
    pub(super) fn in_version(self, is_ipv6: bool) -> Self {
        Flow { is_ipv6, ..self }
    }

    /// The other direction of the connection, with one packet that it has not sent yet.
    pub(super) fn opposite(&self, random: &mut Random) -> Self {
        let kind = match self.kind {
            Kind::TcpData => Kind::TcpAcks,
            Kind::TcpAcks => Kind::TcpData,
            Kind::Udp => Kind::Udp,
            Kind::Icmp => Kind::Icmp,
        };
        Flow {
            source_port: self.destination_port,
            destination_port: self.source_port,
            is_ipv6: self.is_ipv6,
            ..Self::between((self.destination, self.source), kind, random)
        }
    }

    /// Source and destination.
    pub(super) fn hosts(&self) -> (Host, Host) {
        (self.source, self.destination)
    }

    pub(super) fn is_tcp(&self) -> bool {
        matches!(self.kind, Kind::TcpData | Kind::TcpAcks)
    }

    /// Whether a packet of it is in the capture.
    pub(super) fn has_begun(&self) -> bool {
        self.sent > self.before
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
            (1.., Kind::TcpData) => segment(self.full_segment(), random),
            _ => 0,
        };
    }

    fn full_segment(&self) -> u16 {
        if self.is_ipv6 { FULL_SEGMENT - LONGER_HEADER } else { FULL_SEGMENT }
    }

    /// Acknowledges one or two segments of the other direction.
    fn acknowledge(&mut self, random: &mut Random) {
        let segments = 1 + u32::from(random.chance(0.5));
        self.ack = self.ack.wrapping_add(segments * u32::from(self.full_segment()));
    }
}

/// Payload of a data segment: mostly full ones.
fn segment(full: u16, random: &mut Random) -> u16 {
    match random.chance(0.7) {
        true => full,
        false => 1 + random.below(u64::from(full)) as u16,
    }
}
