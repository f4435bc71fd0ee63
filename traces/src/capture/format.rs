//! What a capture says about itself.

use std::fmt;

use crate::link::LinkType;
use crate::source::Compression;

/// Byte order of a file's own fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByteOrder {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

impl ByteOrder {
    #[inline]
    pub(super) fn u16(self, bytes: [u8; 2]) -> u16 {
        match self {
            ByteOrder::Little => u16::from_le_bytes(bytes),
            ByteOrder::Big => u16::from_be_bytes(bytes),
        }
    }

    #[inline]
    pub(super) fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            ByteOrder::Little => u32::from_le_bytes(bytes),
            ByteOrder::Big => u32::from_be_bytes(bytes),
        }
    }
}

impl fmt::Display for ByteOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ByteOrder::Little => "little-endian",
            ByteOrder::Big => "big-endian",
        })
    }
}

/// The container of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// Classic pcap.
    Pcap,
    /// pcapng.
    Pcapng,
}

impl fmt::Display for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Container::Pcap => "pcap",
            Container::Pcapng => "pcapng",
        })
    }
}

/// Where packets come from: the file header of pcap, an interface of pcapng.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interface {
    /// Number in the registry of link-layer header types.
    pub link_number: u32,
    /// Most bytes captured of a packet; 0 stands for no limit.
    pub snaplen: u32,
    /// Timestamp units a second, such as 1,000,000.
    pub ticks_per_second: u64,
    /// Seconds to add to each timestamp; 0 in pcap.
    pub offset_seconds: i64,
}

impl Interface {
    /// The link type, if it is one of those read.
    pub fn link(&self) -> Option<LinkType> {
        LinkType::from_number(self.link_number)
    }
}

/// The different interfaces of a file.
#[derive(Debug, Default)]
pub(super) struct Described {
    pub(super) kept: Vec<Interface>,
    /// Whether there are more than are kept.
    pub(super) has_more: bool,
}

impl Described {
    /// Most that are kept, so that descriptions alone cannot fill the memory.
    const MOST: usize = 64;

    pub(super) fn add(&mut self, interface: Interface) {
        match self.kept.len() < Self::MOST {
            _ if self.kept.contains(&interface) => {}
            true => self.kept.push(interface),
            false => self.has_more = true,
        }
    }
}

/// What the file says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// pcap or pcapng.
    pub container: Container,
    /// Byte order; of the first file header, or section.
    pub byte_order: ByteOrder,
    /// Compression around the container.
    pub compression: Compression,
}
