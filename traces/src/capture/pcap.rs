//! Classic pcap: a file header of 24 bytes, then records with a header of 16.

use pcap_parser::nom::{Err as NomErr, IResult, Needed};
use pcap_parser::{
    LegacyPcapBlock, PcapError, parse_pcap_frame, parse_pcap_frame_be, parse_pcap_header,
};

use super::{ByteOrder, Found, Interface, LONGEST_PACKET, cut};
use crate::buffer::Buffer;
use crate::damage::Flaw;
use crate::link::LinkType;

const FILE_HEADER: usize = 24;
const RECORD_HEADER: usize = 16;
const NANOSECONDS: u64 = 1_000_000_000;

type ParseFrame =
    for<'a> fn(&'a [u8]) -> IResult<&'a [u8], LegacyPcapBlock<'a>, PcapError<&'a [u8]>>;

/// Whether a file begins as a pcap, of either byte order and time unit.
pub(super) fn is_magic(start: &[u8]) -> bool {
    let Some(&magic) = start.first_chunk() else {
        return false;
    };
    matches!(u32::from_le_bytes(magic), 0xa1b2_c3d4 | 0xa1b2_3c4d | 0xd4c3_b2a1 | 0x4d3c_b2a1)
}

pub(super) struct Parser {
    frame: ParseFrame,
    order: ByteOrder,
    interface: Interface,
    link: Option<LinkType>,
    nanoseconds_per_tick: u64,
}

impl Parser {
    pub(super) fn start(buffer: &mut Buffer) -> Result<Self, String> {
        buffer.fill(FILE_HEADER);
        let Ok((_, header)) = parse_pcap_header(buffer.data()) else {
            return Err(cut(buffer, FILE_HEADER as u64, buffer.data().len() as u64).to_string());
        };
        buffer.consume(FILE_HEADER);
        let interface = Interface {
            // The upper half holds the length of the frame check sequence.
            link_number: header.network.0 as u32 & 0xffff,
            snaplen: header.snaplen,
            ticks_per_second: if header.is_nanosecond_precision() {
                NANOSECONDS
            } else {
                1_000_000
            },
            offset_seconds: 0,
        };
        let (frame, order): (ParseFrame, _) = match header.is_bigendian() {
            true => (parse_pcap_frame_be, ByteOrder::Big),
            false => (parse_pcap_frame, ByteOrder::Little),
        };
        let nanoseconds_per_tick = NANOSECONDS / interface.ticks_per_second;
        Ok(Parser { frame, order, interface, link: interface.link(), nanoseconds_per_tick })
    }

    #[inline]
    pub(super) fn find(&self, buffer: &mut Buffer) -> Result<Option<Found>, Flaw> {
        loop {
            match (self.frame)(buffer.data()) {
                Ok((_, record)) => {
                    let found = self.check(&record)?;
                    return Ok(Some(self.take(buffer, found)));
                }
                Err(NomErr::Incomplete(needed)) => {
                    if !self.read_more(buffer, needed)? {
                        return Ok(None);
                    }
                }
                Err(_) => return Err(Flaw::BlockContent),
            }
        }
    }

    /// A record whose header is plausible, its data counted from the record's start.
    #[inline]
    fn check(&self, record: &LegacyPcapBlock<'_>) -> Result<Found, Flaw> {
        let captured = record.data.len();
        self.check_length(captured as u64)?;
        self.check_snaplen(record)?;
        if captured == 0 && record.origlen == 0 {
            return Err(Flaw::ZeroFilled);
        }
        let ticks = u64::from(record.ts_usec) * self.nanoseconds_per_tick;
        Ok(Found {
            data: RECORD_HEADER..RECORD_HEADER + captured,
            link: self.link,
            timestamp: Some(u64::from(record.ts_sec) * NANOSECONDS + ticks),
            wire_length: record.origlen,
        })
    }

    #[inline]
    fn check_length(&self, captured: u64) -> Result<(), Flaw> {
        match captured > LONGEST_PACKET as u64 {
            true => Err(Flaw::Length { stated: captured, longest: LONGEST_PACKET as u64 }),
            false => Ok(()),
        }
    }

    /// More bytes than the packet had and than the file may capture come from a damaged length.
    #[inline]
    fn check_snaplen(&self, record: &LegacyPcapBlock<'_>) -> Result<(), Flaw> {
        let snaplen = self.interface.snaplen;
        let longest = snaplen.max(record.origlen);
        match snaplen > 0 && record.caplen > longest {
            true => Err(Flaw::Length { stated: record.caplen.into(), longest: longest.into() }),
            false => Ok(()),
        }
    }

    #[inline]
    fn take(&self, buffer: &mut Buffer, found: Found) -> Found {
        let record = buffer.consume(found.data.end);
        Found { data: record.start + RECORD_HEADER..record.end, ..found }
    }

    /// Reads the rest of the record that begins the data; false at the end of the file.
    #[cold]
    fn read_more(&self, buffer: &mut Buffer, needed: Needed) -> Result<bool, Flaw> {
        let found = buffer.data().len();
        let length = match needed {
            Needed::Size(more) => found + more.get(),
            Needed::Unknown => RECORD_HEADER,
        };
        if length > RECORD_HEADER {
            self.check_length((length - RECORD_HEADER) as u64)?;
        }
        match buffer.fill(length) {
            true => Ok(true),
            false if buffer.data().is_empty() && buffer.failure().is_none() => Ok(false),
            false => Err(cut(buffer, length as u64, buffer.data().len() as u64)),
        }
    }

    pub(super) fn byte_order(&self) -> ByteOrder {
        self.order
    }

    pub(super) fn interfaces(&self) -> &[Interface] {
        std::slice::from_ref(&self.interface)
    }
}
