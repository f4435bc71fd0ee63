//! What could not be read of a file, and where.

use std::fmt;
use std::path::{Path, PathBuf};

/// How many damages a [`DamageLog`] keeps word for word; it counts them all.
///
/// A file can be damaged in every record, and a report must not grow with it.
pub const DAMAGES_KEPT: usize = 64;

/// One place where a file could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The file, where the trace consists of several.
    pub file: Option<PathBuf>,
    /// Number of the packet, record or line at fault, counted from 1.
    pub record: u64,
    /// Byte offset of that record in the stream, after decompression.
    pub offset: u64,
    /// What is wrong there.
    pub flaw: Flaw,
}

/// What is wrong with a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// The file ends inside the record; reading ends there.
    CutShort {
        /// Bytes the record needs.
        needed: u64,
        /// Bytes that are there.
        found: u64,
    },
    /// The compressed stream, or the medium, failed; reading ends there.
    Unreadable(String),
    /// A checksum of the compressed stream does not match, or corrupt data may be such a fault: anything
    /// before may be wrong. Reading ends there.
    Checksum(String),
    /// The record states a length no capture tool writes; reading ends there, since the place of
    /// the next record is unknown.
    Length {
        /// Length in bytes that the record states.
        stated: u64,
        /// Longest record accepted, in bytes.
        longest: u64,
    },
    /// A file header, or section, of a version whose records are not known; reading ends there.
    Version {
        /// Before the point.
        major: u16,
        /// Behind it.
        minor: u16,
    },
    /// The record header is all zero, as in a file whose end was never written; reading ends there.
    ZeroFilled,
    /// The two lengths around a pcapng block disagree, or are no multiple of 4; reading ends there.
    BlockFraming,
    /// A pcapng block whose content does not fit its frame; the block is skipped.
    BlockContent,
    /// A pcapng block that is too long to be held at once; the block is skipped.
    LongBlock {
        /// Bytes of the block.
        length: u64,
        /// Longest block read, in bytes.
        longest: u64,
    },
    /// A pcapng packet longer than any capture tool writes; the packet is skipped.
    LongPacket {
        /// Bytes that were captured of it.
        length: u64,
        /// Longest packet accepted, in bytes.
        longest: u64,
    },
    /// A pcapng packet of an interface that was not described; the packet is skipped.
    UnknownInterface(u32),
    /// A pcapng interface, or a further file header of pcap, whose link type is not read; its packets
    /// have no headers and no keys.
    LinkType(u32),
    /// A line of text that is not a pair of addresses; the line is skipped.
    Line(String),
    /// A line of comma-separated text with more or fewer cells than columns, or without the fields of the
    /// key; the line is skipped.
    Row(String),
    /// A line of text longer than any record; the line is skipped.
    LongLine {
        /// Longest line accepted, in bytes.
        longest: u64,
    },
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::CutShort { needed, found } => {
                write!(f, "cut short: {found} of {needed} bytes are there")
            }
            Flaw::Unreadable(why) => write!(f, "unreadable from here on: {why}"),
            Flaw::Checksum(why) => write!(
                f,
                "{why}: what stands before may be wrong too, and the rest is not read; fetch it again"
            ),
            Flaw::Length { stated, longest } => write!(
                f,
                "states {stated} bytes where at most {longest} are plausible; the rest is not read"
            ),
            Flaw::Version { major, minor } => {
                write!(f, "version {major}.{minor} is unknown; the rest is not read")
            }
            Flaw::ZeroFilled => f.write_str("zero-filled record header; the rest is not read"),
            Flaw::BlockFraming => {
                f.write_str("block lengths are inconsistent; the rest is not read")
            }
            Flaw::BlockContent => f.write_str("block content does not fit its length; skipped"),
            Flaw::LongBlock { length, longest } => {
                write!(
                    f,
                    "a block of {length} bytes with its comments, of which at most {longest} are read; skipped"
                )
            }
            Flaw::LongPacket { length, longest } => {
                write!(
                    f,
                    "a packet of {length} bytes where at most {longest} are plausible; skipped"
                )
            }
            Flaw::UnknownInterface(id) => {
                write!(f, "interface {id} was not described; packet skipped")
            }
            Flaw::LinkType(number) => write!(
                f,
                "an interface has link type {number}, which is not read; its packets have no keys"
            ),
            Flaw::Row(text) => write!(f, "not the columns with a key: `{text}`; skipped"),
            Flaw::LongLine { longest } => {
                write!(f, "a line of more than {longest} bytes; skipped")
            }
            Flaw::Line(text) => write!(f, "not `source destination`: `{text}`; skipped"),
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage { file, record, offset, flaw } = self;
        if let Some(file) = file {
            write!(f, "{}: ", file.display())?;
        }
        write!(f, "record {record} at byte {offset}: {flaw}")
    }
}

/// The damages of one file: the first [`DAMAGES_KEPT`] in full, and the number of all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DamageLog {
    kept: Vec<Damage>,
    total: u64,
}

impl DamageLog {
    /// The first damages, in file order.
    pub fn first(&self) -> &[Damage] {
        &self.kept
    }

    /// Number of damages, including those not kept.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whether the file was read without a fault.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Adds the damages of one file of several.
    pub(crate) fn add_file(&mut self, file: &Path, log: &DamageLog) {
        self.total += log.total;
        let room = DAMAGES_KEPT - self.kept.len();
        let of_file = |damage: &Damage| Damage { file: Some(file.to_owned()), ..damage.clone() };
        self.kept.extend(log.kept.iter().take(room).map(of_file));
    }

    pub(crate) fn add(&mut self, record: u64, offset: u64, flaw: Flaw) {
        self.total += 1;
        if self.kept.len() < DAMAGES_KEPT {
            self.kept.push(Damage { file: None, record, offset, flaw });
        }
    }
}

impl fmt::Display for DamageLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, damage) in self.kept.iter().enumerate() {
            let separator = if place == 0 { "" } else { "\n" };
            write!(f, "{separator}{damage}")?;
        }
        match self.total - self.kept.len() as u64 {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_first_and_counts_all() {
        let mut log = DamageLog::default();
        for record in 1..=1000 {
            log.add(record, record * 10, Flaw::BlockContent);
        }
        assert_eq!(log.first().len(), DAMAGES_KEPT);
        assert_eq!(log.total(), 1000);
        assert!(log.to_string().ends_with("and 936 more"));
    }
}
