//! Packets as bytes of a pcap.

use std::io::{self, BufWriter, Write};

use super::flow::Flow;
use super::mix::{Host, Kind};

const IPV4_HEADER: usize = 20;
const IPV6_HEADER: usize = 40;
const RAW_IP: u32 = 101;
const TCP: u8 = 6;
const UDP: u8 = 17;
const ICMP: u8 = 1;
const ICMP_OF_IPV6: u8 = 58;
const HOPS: u8 = 57;

/// Longest packet made: an IP header, a TCP header and a full segment.
const LONGEST: usize = 1500;

/// Writes the records of a pcap.
pub(super) struct FrameWriter<W: Write> {
    output: BufWriter<W>,
    snaplen: usize,
    written: u16,
}

impl<W: Write> FrameWriter<W> {
    /// Writes the file header.
    pub(super) fn start(output: W, snaplen: u32) -> io::Result<Self> {
        let mut output = BufWriter::with_capacity(64 * 1024, output);
        output.write_all(&0xa1b2_c3d4_u32.to_le_bytes())?;
        output.write_all(&2_u16.to_le_bytes())?;
        output.write_all(&4_u16.to_le_bytes())?;
        output.write_all(&[0; 8])?;
        output.write_all(&snaplen.to_le_bytes())?;
        output.write_all(&RAW_IP.to_le_bytes())?;
        Ok(FrameWriter { output, snaplen: snaplen as usize, written: 0 })
    }

    /// Writes the flow's current packet at a time in nanoseconds since 1970.
    pub(super) fn write(&mut self, flow: &Flow, time: u64) -> io::Result<()> {
        let mut packet = [0; LONGEST];
        let length = self.fill(&mut packet, flow);
        let captured = length.min(self.snaplen);
        let micros = time / 1000;
        let fields = [(micros / 1_000_000) as u32, (micros % 1_000_000) as u32];
        for field in fields.into_iter().chain([captured as u32, length as u32]) {
            self.output.write_all(&field.to_le_bytes())?;
        }
        self.output.write_all(&packet[..captured])
    }

    /// Makes the packet; returns its length on the wire.
    fn fill(&mut self, packet: &mut [u8; LONGEST], flow: &Flow) -> usize {
        let ip_header = if flow.is_ipv6 { IPV6_HEADER } else { IPV4_HEADER };
        let (ip, transport) = packet.split_at_mut(ip_header);
        let (protocol, header) = match flow.kind {
            Kind::TcpData | Kind::TcpAcks => (TCP, tcp(transport, flow)),
            Kind::Udp => (UDP, udp(transport, flow)),
            Kind::Icmp if flow.is_ipv6 => (ICMP_OF_IPV6, icmp(transport, flow)),
            Kind::Icmp => (ICMP, icmp(transport, flow)),
        };
        let content = header + usize::from(flow.payload);
        self.written = self.written.wrapping_add(1);
        match flow.is_ipv6 {
            true => ipv6(ip, flow, protocol, content as u16),
            false => ipv4(ip, flow, protocol, (ip_header + content) as u16, self.written),
        }
        ip_header + content
    }

    /// Writes what is still buffered.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.output.flush()
    }
}

fn put(header: &mut [u8], at: usize, bytes: &[u8]) {
    header[at..at + bytes.len()].copy_from_slice(bytes);
}

fn ipv4(header: &mut [u8], flow: &Flow, protocol: u8, length: u16, identification: u16) {
    put(header, 0, &[0x45, 0]);
    put(header, 2, &length.to_be_bytes());
    put(header, 4, &identification.to_be_bytes());
    put(header, 6, &[0x40, 0, HOPS, protocol]);
    put(header, 12, &flow.source);
    put(header, 16, &flow.destination);
    let checksum = checksum(header);
    put(header, 10, &checksum.to_be_bytes());
}

fn ipv6(header: &mut [u8], flow: &Flow, protocol: u8, content: u16) {
    put(header, 0, &[0x60]);
    put(header, 4, &content.to_be_bytes());
    put(header, 6, &[protocol, HOPS]);
    put(header, 8, &ipv6_address(flow.source));
    put(header, 24, &ipv6_address(flow.destination));
}

/// The host in the range for documentation (RFC 3849), its prefix in a network of that range.
fn ipv6_address([high, low, third, fourth]: Host) -> [u8; 16] {
    let mut address = [0; 16];
    put(&mut address, 0, &[0x20, 0x01, 0x0d, 0xb8, high, low]);
    put(&mut address, 14, &[third, fourth]);
    address
}

/// The Internet checksum (RFC 1071) of a header whose checksum field is zero.
fn checksum(header: &[u8]) -> u16 {
    let words =
        header.chunks_exact(2).map(|word| u32::from(u16::from_be_bytes([word[0], word[1]])));
    let mut sum: u32 = words.sum();
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !(sum as u16)
}

fn ports(header: &mut [u8], flow: &Flow) {
    put(header, 0, &flow.source_port.to_be_bytes());
    put(header, 2, &flow.destination_port.to_be_bytes());
}

fn tcp(header: &mut [u8], flow: &Flow) -> usize {
    ports(header, flow);
    put(header, 4, &flow.seq.to_be_bytes());
    put(header, 8, &flow.ack.to_be_bytes());
    put(header, 12, &[0x50, flow.flags]);
    put(header, 14, &65_535_u16.to_be_bytes());
    20
}

fn udp(header: &mut [u8], flow: &Flow) -> usize {
    ports(header, flow);
    put(header, 4, &(8 + flow.payload).to_be_bytes());
    8
}

fn icmp(header: &mut [u8], flow: &Flow) -> usize {
    let echo_request = if flow.is_ipv6 { 128 } else { 8 };
    put(header, 0, &[echo_request, 0]);
    put(header, 6, &(flow.seq as u16).to_be_bytes());
    8
}
