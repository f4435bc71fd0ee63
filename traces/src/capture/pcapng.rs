//! pcapng: sections of blocks, each framed by its length on both sides.

use pcap_parser::{
    Block, InterfaceDescriptionBlock, SectionHeaderBlock, parse_block_be, parse_block_le,
};

use super::{ByteOrder, Described, Found, Interface, LONGEST_PACKET, cut, pcap};
use crate::buffer::{Buffer, CAPACITY};
use crate::damage::{DamageLog, Flaw};

const SECTION: u32 = 0x0a0d_0d0a;
const INTERFACE: u32 = 1;
const OBSOLETE_PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
const ENHANCED_PACKET: u32 = 6;

/// The frame of a block: type and length before the content, the length again after it.
const FRAME: u64 = 12;
/// Bytes before the content of a block: its type and length.
const START: usize = 8;
/// The fields before a packet with a time: interface, time, and two lengths.
const TIMED_FIELDS: usize = 20;
/// The field before a packet without a time: its length on the wire.
const SIMPLE_FIELDS: usize = 4;
/// Longest packet block read: a packet is short, but comments and other options of any length follow it.
const LONGEST_PACKET_BLOCK: u64 = 16 * 1024 * 1024;
/// Most interfaces a section may describe, so that descriptions alone cannot fill the memory.
const MOST_INTERFACES: usize = 65_536;

/// Whether these bytes begin a section: its type, and its byte order behind the length.
pub(super) fn is_start(start: &[u8]) -> bool {
    matches!(start.first_chunk(), Some(&[0x0a, 0x0d, 0x0d, 0x0a, _, _, _, _, a, b, c, d])
        if order_of_section([a, b, c, d]).is_some())
}

/// The byte order that the number behind the length of a section states.
fn order_of_section(number: [u8; 4]) -> Option<ByteOrder> {
    match u32::from_le_bytes(number) {
        0x1a2b_3c4d => Some(ByteOrder::Little),
        0x4d3c_2b1a => Some(ByteOrder::Big),
        _ => None,
    }
}

pub(super) struct Parser {
    order: ByteOrder,
    /// The interfaces of the current section, which packets refer to by place; `None` for one
    /// whose description is faulty.
    interfaces: Vec<Option<Interface>>,
    /// The different interfaces of all sections so far.
    pub(super) described: Described,
    skipped: u64,
}

/// Type and length of the block that begins the data.
#[derive(Clone, Copy)]
struct Frame {
    kind: u32,
    length: u64,
}

/// What a block is to the stream of packets.
enum Content {
    Packet(Found),
    Other,
    Faulty(Flaw),
}

impl Parser {
    /// Reads the section header that begins the file.
    pub(super) fn start(buffer: &mut Buffer, described: Described) -> Result<Self, Flaw> {
        let (order, interfaces) = (ByteOrder::Little, Vec::new());
        let mut parser = Parser { order, interfaces, described, skipped: 0 };
        let Some(frame) = parser.frame(buffer)? else {
            return Err(cut(buffer, FRAME, 0));
        };
        match parser.block(buffer, frame)? {
            Content::Faulty(flaw) => Err(flaw),
            Content::Packet(_) | Content::Other => Ok(parser),
        }
    }

    pub(super) fn find(
        &mut self,
        buffer: &mut Buffer,
        packets: u64,
        damage: &mut DamageLog,
    ) -> Result<Option<Found>, Flaw> {
        while let Some(frame) = self.frame(buffer)? {
            let offset = buffer.offset();
            match self.block(buffer, frame)? {
                Content::Packet(found) => return Ok(Some(found)),
                Content::Other => {}
                Content::Faulty(flaw) => {
                    damage.add(packets + self.skipped + 1, offset, flaw);
                    self.skipped += u64::from(frame.is_packet());
                }
            }
        }
        Ok(None)
    }

    /// The frame of the next block; `None` at the end of the file.
    fn frame(&mut self, buffer: &mut Buffer) -> Result<Option<Frame>, Flaw> {
        if !buffer.fill(FRAME as usize) {
            return match (buffer.data(), buffer.failure()) {
                ([], None) => Ok(None),
                (rest, _) => Err(cut(buffer, FRAME, rest.len() as u64)),
            };
        }
        let start = buffer.data();
        let Some(&[k0, k1, k2, k3, l0, l1, l2, l3, m0, m1, m2, m3]) = start.first_chunk() else {
            return Err(cut(buffer, FRAME, start.len() as u64));
        };
        // Some of these would pass for a block of tens of megabytes.
        if pcap::is_start(start) {
            return Err(Flaw::BlockFraming);
        }
        let kind = [k0, k1, k2, k3];
        if u32::from_be_bytes(kind) == SECTION {
            self.order = order_of_section([m0, m1, m2, m3]).ok_or(Flaw::BlockFraming)?;
        }
        let (kind, length) = (self.order.u32(kind), self.order.u32([l0, l1, l2, l3]));
        match u64::from(length) < FRAME || length % 4 != 0 {
            true => Err(Flaw::BlockFraming),
            false => Ok(Some(Frame { kind, length: u64::from(length) })),
        }
    }

    /// Reads and consumes one block.
    fn block(&mut self, buffer: &mut Buffer, frame: Frame) -> Result<Content, Flaw> {
        if frame.length > frame.longest() {
            return self.pass_over(buffer, frame);
        }
        let length = frame.length as usize;
        if !buffer.fill(length) {
            return Err(cut(buffer, frame.length, buffer.data().len() as u64));
        }
        let block = &buffer.data()[..length];
        let trailer = block.last_chunk().copied().unwrap_or_default();
        if self.order.u32(trailer) as usize != length {
            return Err(Flaw::BlockFraming);
        }
        let content = self.content(frame.kind, block)?;
        let consumed = buffer.consume(length);
        Ok(content.placed_at(consumed.start))
    }

    /// Moves past a block that is too long to be read.
    fn pass_over(&mut self, buffer: &mut Buffer, frame: Frame) -> Result<Content, Flaw> {
        let found = buffer.skip(frame.length - 4);
        if !buffer.fill(4) {
            let found = found + buffer.data().len() as u64;
            return Err(cut(buffer, frame.length, found));
        }
        let trailer = buffer.data().first_chunk().copied().unwrap_or_default();
        buffer.consume(4);
        match u64::from(self.order.u32(trailer)) == frame.length {
            false => Err(Flaw::BlockFraming),
            true if frame.matters() => {
                let flaw = Flaw::LongBlock { length: frame.length, longest: frame.longest() };
                Ok(self.faulty(frame.kind, flaw))
            }
            true => Ok(Content::Other),
        }
    }

    fn content(&mut self, kind: u32, block: &[u8]) -> Result<Content, Flaw> {
        let parse = match self.order {
            ByteOrder::Little => parse_block_le,
            ByteOrder::Big => parse_block_be,
        };
        match kind {
            SECTION => self.interfaces.clear(),
            OBSOLETE_PACKET | ENHANCED_PACKET => return Ok(self.timed(kind, content_of(block))),
            SIMPLE_PACKET => return Ok(self.simple(content_of(block))),
            INTERFACE => {}
            _ => return Ok(Content::Other),
        }
        Ok(match parse(block) {
            Ok((_, Block::SectionHeader(section))) => of_known_version(&section)?,
            Ok((_, Block::InterfaceDescription(interface))) => self.describe(&interface),
            Ok(_) => Content::Other,
            Err(_) => self.faulty(kind, Flaw::BlockContent),
        })
    }

    /// Keeps the places of the interfaces right when a block cannot be read.
    fn faulty(&mut self, kind: u32, flaw: Flaw) -> Content {
        match kind {
            INTERFACE => return self.add(None, flaw),
            SECTION => self.interfaces.clear(),
            _ => {}
        }
        Content::Faulty(flaw)
    }

    fn describe(&mut self, block: &InterfaceDescriptionBlock<'_>) -> Content {
        let Some(ticks_per_second) = ticks_per_second(block.if_tsresol) else {
            return self.add(None, Flaw::BlockContent);
        };
        let interface = Interface {
            link_number: block.linktype.0 as u32,
            snaplen: block.snaplen,
            ticks_per_second,
            offset_seconds: match self.order {
                ByteOrder::Little => block.if_tsoffset,
                // pcap-parser reads this option as little-endian.
                ByteOrder::Big => block.if_tsoffset.swap_bytes(),
            },
        };
        self.described.add(interface);
        self.add(Some(interface), Flaw::LinkType(interface.link_number))
    }

    /// Adds an interface; the flaw is for one whose packets cannot be read.
    fn add(&mut self, interface: Option<Interface>, flaw: Flaw) -> Content {
        if self.interfaces.len() >= MOST_INTERFACES {
            return Content::Faulty(Flaw::BlockContent);
        }
        self.interfaces.push(interface);
        match interface.and_then(|interface| interface.link()) {
            Some(_) => Content::Other,
            None => Content::Faulty(flaw),
        }
    }

    /// The packet of an enhanced packet block, or of the packet block of the first drafts, whose interface has
    /// half the bytes. Options behind it are not looked at.
    fn timed(&self, kind: u32, content: &[u8]) -> Content {
        let Some((&fields, rest)) = content.split_first_chunk::<TIMED_FIELDS>() else {
            return Content::Faulty(Flaw::BlockContent);
        };
        let [interface, high, low, captured, wire_length] = self.words(fields);
        let interface = match kind {
            OBSOLETE_PACKET => self.order.u16([fields[0], fields[1]]).into(),
            _ => interface,
        };
        let ticks = (u64::from(high) << 32) | u64::from(low);
        let start = START + TIMED_FIELDS;
        self.packet(interface, start, captured as usize, rest.len(), Some(ticks), wire_length)
    }

    fn words(&self, fields: [u8; TIMED_FIELDS]) -> [u32; TIMED_FIELDS / 4] {
        std::array::from_fn(|n| {
            let at = 4 * n;
            self.order.u32([fields[at], fields[at + 1], fields[at + 2], fields[at + 3]])
        })
    }

    fn simple(&self, content: &[u8]) -> Content {
        let Some((&wire_length, rest)) = content.split_first_chunk::<SIMPLE_FIELDS>() else {
            return Content::Faulty(Flaw::BlockContent);
        };
        let wire_length = self.order.u32(wire_length);
        let snaplen = match self.interfaces.first() {
            Some(&Some(Interface { snaplen: snaplen @ 1.., .. })) => snaplen,
            _ => u32::MAX,
        };
        let captured = (wire_length.min(snaplen) as usize).min(rest.len());
        self.packet(0, START + SIMPLE_FIELDS, captured, rest.len(), None, wire_length)
    }

    /// A packet of `captured` bytes that begin at `start` of its block, which has room for `room`.
    fn packet(
        &self,
        interface: u32,
        start: usize,
        captured: usize,
        room: usize,
        ticks: Option<u64>,
        wire_length: u32,
    ) -> Content {
        if captured > room {
            return Content::Faulty(Flaw::BlockContent);
        }
        if captured > LONGEST_PACKET {
            let (length, longest) = (captured as u64, LONGEST_PACKET as u64);
            return Content::Faulty(Flaw::LongPacket { length, longest });
        }
        let Some(Some(interface)) = self.interfaces.get(interface as usize) else {
            return Content::Faulty(Flaw::UnknownInterface(interface));
        };
        Content::Packet(Found {
            data: start..start + captured,
            link: interface.link(),
            timestamp: ticks.map(|ticks| nanoseconds(ticks, interface)),
            wire_length,
        })
    }

    /// Byte order of the current section.
    pub(super) fn byte_order(&self) -> ByteOrder {
        self.order
    }

    /// Packet blocks that were skipped as faulty.
    pub(super) fn skipped(&self) -> u64 {
        self.skipped
    }
}

impl Frame {
    fn is_packet(self) -> bool {
        matches!(self.kind, OBSOLETE_PACKET | SIMPLE_PACKET | ENHANCED_PACKET)
    }

    /// Longest block of this kind that is read. The options of sections and interfaces are kept while they are
    /// read, those of packets are not.
    fn longest(self) -> u64 {
        if self.is_packet() { LONGEST_PACKET_BLOCK } else { CAPACITY as u64 }
    }

    /// Whether packets are lost, or lose their interface, when the block is not read.
    fn matters(self) -> bool {
        self.is_packet() || matches!(self.kind, SECTION | INTERFACE)
    }
}

/// A section, unless its blocks may be others: versions 1.0 and 1.2 have the same.
fn of_known_version(section: &SectionHeaderBlock<'_>) -> Result<Content, Flaw> {
    match (section.major_version, section.minor_version) {
        (1, 0 | 2) => Ok(Content::Other),
        (major, minor) => Err(Flaw::Version { major, minor }),
    }
}

/// What stands between the two lengths of a block.
fn content_of(block: &[u8]) -> &[u8] {
    &block[START..block.len() - 4]
}

impl Content {
    /// Turns places in the block into places in the buffer.
    fn placed_at(self, block: usize) -> Self {
        match self {
            Content::Packet(Found { data, link, timestamp, wire_length }) => {
                let data = block + data.start..block + data.end;
                Content::Packet(Found { data, link, timestamp, wire_length })
            }
            other => other,
        }
    }
}

/// Timestamp units a second of an `if_tsresol` option: a power of 10, or of 2 if the highest bit is
/// set. `None` for powers beyond 64 bits.
fn ticks_per_second(resolution: u8) -> Option<u64> {
    match resolution {
        0..0x80 => 10_u64.checked_pow(resolution.into()),
        _ => 1_u64.checked_shl((resolution & 0x7f).into()),
    }
}

/// Nanoseconds since 1970; the nearest that fits in 64 bits for times of damaged blocks.
fn nanoseconds(ticks: u64, interface: &Interface) -> u64 {
    let since = match interface.ticks_per_second {
        1_000_000 => ticks.saturating_mul(1000),
        1_000_000_000 => ticks,
        per_second => {
            let exact = u128::from(ticks) * 1_000_000_000 / u128::from(per_second);
            u64::try_from(exact).unwrap_or(u64::MAX)
        }
    };
    since.saturating_add_signed(interface.offset_seconds.saturating_mul(1_000_000_000))
}
