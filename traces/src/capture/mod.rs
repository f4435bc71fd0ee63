//! Captures as a stream of packets.

mod format;
mod packet;
mod pcap;
mod pcapng;

use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::buffer::{Buffer, Failure};
use crate::damage::{Damage, DamageLog, Flaw};
use crate::error::TraceError;
use crate::link::LinkType;
use crate::source::{Compression, Decoding, Source};
use format::Described;
pub use format::{ByteOrder, Container, Format, Interface};
pub use packet::Packet;

/// Longest packet accepted, in captured bytes: the largest snapshot length that libpcap writes
/// or reads (`MAXIMUM_SNAPLEN`).
///
/// A length field beyond it comes from a damaged file, and following it would lose the place of the
/// next record.
pub const LONGEST_PACKET: usize = 262_144;

/// Bytes that tell a capture: of pcap magic number and version, of pcapng type, length and byte order
/// of a section header.
const LONGEST_START: usize = 12;

/// A packet whose bytes still lie in the buffer.
struct Found {
    data: Range<usize>,
    link: Option<LinkType>,
    timestamp: Option<u64>,
    wire_length: u32,
}

enum Parser {
    Pcap(pcap::Parser),
    Pcapng(pcapng::Parser),
}

/// A stream of the packets of one capture, in file order.
///
/// Memory does not grow with the file: it is a buffer of 512 KiB, or as long as the longest packet block of pcapng,
/// of which up to 16 MiB are read, a decoder's window, and the description of the interfaces.
pub struct PacketReader {
    buffer: Buffer,
    parser: Parser,
    format: Format,
    packets: u64,
    /// Packets that were passed over before the current parser took its turn.
    skipped_before: u64,
    damage: DamageLog,
    done: bool,
}

/// Opens a capture; tells container, byte order and compression by content.
///
/// # Errors
///
/// If the file cannot be opened, is not a capture, ends in its header, or has an unknown link type.
pub fn open(path: impl AsRef<Path>) -> Result<PacketReader, TraceError> {
    open_with(path, &Decoding::default())
}

/// As [`open`], with another compression or limit of memory; `-` is standard input.
///
/// # Errors
///
/// As [`open`].
pub fn open_with(path: impl AsRef<Path>, decoding: &Decoding) -> Result<PacketReader, TraceError> {
    let path = path.as_ref();
    PacketReader::start(path, Source::open(path, decoding)?)
}

/// Whether a file is a capture, compressed or not, as far as its first bytes tell.
pub fn is_capture(path: &Path) -> bool {
    let Ok(source) = Source::open(path, &Decoding::default()) else { return false };
    let mut buffer = Buffer::new(source.reader);
    begins_capture(&mut buffer)
}

/// Whether a stream begins with the header of a capture.
pub(crate) fn begins_capture(buffer: &mut Buffer) -> bool {
    buffer.fill(LONGEST_START);
    pcap::is_start(buffer.data()) || pcapng::is_start(buffer.data())
}

impl PacketReader {
    /// Reads a capture from any stream of bytes, which may be compressed; `name` stands for the
    /// path in errors.
    ///
    /// # Errors
    ///
    /// As [`open`].
    pub fn from_stream(
        name: impl Into<PathBuf>,
        stream: impl Read + Send + 'static,
    ) -> Result<Self, TraceError> {
        let path = name.into();
        match Source::new(stream, &Decoding::default()) {
            Ok(source) => Self::start(&path, source),
            Err(source) => Err(TraceError::Open { path, source }),
        }
    }

    fn start(path: &Path, source: Source) -> Result<Self, TraceError> {
        let Source { compression, reader } = source;
        let mut buffer = Buffer::new(reader);
        let parser = match Parser::of_start(&mut buffer, Described::default()) {
            Some(parser) => parser.map_err(|flaw| TraceError::NoHeader {
                path: path.to_owned(),
                reason: flaw.to_string(),
            })?,
            None => return Err(not_a_capture(path, compression, &buffer)),
        };
        let (container, byte_order) = parser.container();
        let reader = PacketReader {
            buffer,
            parser,
            format: Format { container, byte_order, compression },
            packets: 0,
            skipped_before: 0,
            damage: DamageLog::default(),
            done: false,
        };
        reader.check_link(path)?;
        Ok(reader)
    }

    /// If the link type of a pcap is unknown, no packet can be read.
    fn check_link(&self, path: &Path) -> Result<(), TraceError> {
        match (&self.parser, self.interfaces()) {
            (Parser::Pcap(_), [only]) if only.link().is_none() => {
                Err(TraceError::LinkType { path: path.to_owned(), number: only.link_number })
            }
            _ => Ok(()),
        }
    }

    /// The next packet, or `None` at the end of what can be read: see [`damage`](Self::damage) for
    /// whether that is the end of the file.
    #[inline]
    pub fn next_packet(&mut self) -> Option<Packet<'_>> {
        if self.done {
            return None;
        }
        match self.find() {
            Ok(Some(Found { data, link, timestamp, wire_length })) => {
                self.packets += 1;
                Some(Packet { data: self.buffer.at(data), link, timestamp, wire_length })
            }
            Ok(None) => {
                self.done = true;
                None
            }
            Err(flaw) => {
                self.stop(flaw);
                None
            }
        }
    }

    /// The next packet, of whatever container.
    #[inline]
    fn find(&mut self) -> Result<Option<Found>, Flaw> {
        loop {
            match self.find_in_container() {
                Err(flaw) => self.change_container(flaw)?,
                found => return found,
            }
        }
    }

    /// Goes on behind a flaw that is the beginning of a capture in the other container, as where files
    /// were put one behind the other.
    ///
    /// # Errors
    ///
    /// The flaw, if it is none.
    #[cold]
    fn change_container(&mut self, flaw: Flaw) -> Result<(), Flaw> {
        self.buffer.fill(LONGEST_START);
        let (skipped, described) = match &mut self.parser {
            Parser::Pcap(pcap) if pcapng::is_start(self.buffer.data()) => (0, &mut pcap.described),
            Parser::Pcapng(pcapng) if pcap::is_start(self.buffer.data()) => {
                (pcapng.skipped(), &mut pcapng.described)
            }
            _ => return Err(flaw),
        };
        let described = std::mem::take(described);
        self.skipped_before += skipped;
        self.parser = Parser::of_start(&mut self.buffer, described).unwrap_or(Err(flaw))?;
        Ok(())
    }

    #[inline]
    fn find_in_container(&mut self) -> Result<Option<Found>, Flaw> {
        let before = self.packets + self.skipped_before;
        match &mut self.parser {
            Parser::Pcap(pcap) => pcap.find(&mut self.buffer, before, &mut self.damage),
            Parser::Pcapng(pcapng) => pcapng.find(&mut self.buffer, before, &mut self.damage),
        }
    }

    #[cold]
    fn stop(&mut self, flaw: Flaw) {
        self.done = true;
        let skipped = match &self.parser {
            Parser::Pcap(_) => 0,
            Parser::Pcapng(pcapng) => pcapng.skipped(),
        };
        let skipped = self.skipped_before + skipped;
        self.damage.add(self.packets + skipped + 1, self.buffer.offset(), flaw);
    }

    /// Packets given so far.
    pub fn packets(&self) -> u64 {
        self.packets
    }

    /// Whether any packet was of an interface whose packets are read.
    pub(crate) fn is_readable(&self) -> bool {
        self.packets > 0 && self.interfaces().iter().any(|one| one.link().is_some())
    }

    /// What could not be read so far; complete once [`next_packet`](Self::next_packet) gave `None`.
    pub fn damage(&self) -> &[Damage] {
        self.damage.first()
    }

    /// As [`damage`](Self::damage), with the count of those not kept.
    pub fn damage_log(&self) -> &DamageLog {
        &self.damage
    }

    /// What the file says about itself.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The different interfaces described so far, by file headers in pcap, in all sections of
    /// pcapng; at most 64.
    pub fn interfaces(&self) -> &[Interface] {
        &self.parser.described().kept
    }

    /// Whether more interfaces were described than those.
    pub fn has_more_interfaces(&self) -> bool {
        self.parser.described().has_more
    }
}

impl Parser {
    /// A parser of the container that begins the data, whose header it reads; `None` if that is none.
    fn of_start(buffer: &mut Buffer, described: Described) -> Option<Result<Self, Flaw>> {
        buffer.fill(LONGEST_START);
        match buffer.data() {
            [0x0a, 0x0d, 0x0d, 0x0a, ..] => {
                Some(pcapng::Parser::start(buffer, described).map(Parser::Pcapng))
            }
            magic if pcap::is_magic(magic) => {
                Some(pcap::Parser::start(buffer, described).map(Parser::Pcap))
            }
            _ => None,
        }
    }

    /// Container, and byte order now.
    fn container(&self) -> (Container, ByteOrder) {
        match self {
            Parser::Pcap(pcap) => (Container::Pcap, pcap.byte_order()),
            Parser::Pcapng(pcapng) => (Container::Pcapng, pcapng.byte_order()),
        }
    }

    fn described(&self) -> &Described {
        match self {
            Parser::Pcap(pcap) => &pcap.described,
            Parser::Pcapng(pcapng) => &pcapng.described,
        }
    }
}

fn not_a_capture(path: &Path, compression: Compression, buffer: &Buffer) -> TraceError {
    if let Some(failure) = buffer.failure() {
        return TraceError::undecodable(path, compression, &failure.why);
    }
    let path = path.to_owned();
    let found = match (buffer.data(), compression) {
        ([], _) => "; it is empty".to_owned(),
        (_, Compression::Plain) => String::new(),
        _ => format!("; it is a {compression} stream of something else"),
    };
    TraceError::NotACapture { path, found }
}

/// Why `needed` bytes are not there: the stream failed, or the file ends.
pub(crate) fn cut(buffer: &Buffer, needed: u64, found: u64) -> Flaw {
    match buffer.failure() {
        Some(Failure { why, is_of_checksum: true }) => Flaw::Checksum(why.clone()),
        Some(Failure { why, is_of_checksum: false }) => Flaw::Unreadable(why.clone()),
        None => Flaw::CutShort { needed, found },
    }
}
