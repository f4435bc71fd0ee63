//! Link-layer headers: from a frame to the IP packet in it.
//!
//! Numbers and layouts: the registry of link-layer header types (draft-ietf-opsawg-pcaplinktype).

mod pseudowire;

use std::fmt;

use crate::unread::Unread;

/// Ethertypes: of IP, of 802.1Q and 802.1ad tags, and of the tags before 802.1ad.
const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;
const VLAN: u16 = 0x8100;
const PROVIDER_VLAN: u16 = 0x88a8;
const OLD_VLAN: u16 = 0x9100;

/// A link type this crate reads.
///
/// Behind an ethertype come any number of 802.1Q and 802.1ad tags, MPLS labels (RFC 3032), a PPPoE
/// session (RFC 2516), or LLC with SNAP; under labels an IP packet, or a frame of an Ethernet pseudo-wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkType {
    /// `RAW`, `IPV4`, `IPV6`: the frame is an IP packet.
    RawIp,
    /// `ETHERNET`.
    Ethernet,
    /// `LINUX_SLL`: the "cooked" header of captures on any interface.
    LinuxSll,
    /// `LINUX_SLL2`: its second version.
    LinuxSll2,
    /// `NULL` and `LOOP`: a 4-byte address family in either byte order.
    Loopback,
    /// `PPP` and `PPP_HDLC`, with or without address and control bytes, or Cisco HDLC.
    Ppp,
    /// `C_HDLC`: Cisco HDLC.
    CiscoHdlc,
    /// `PPP_ETHER`: a PPPoE session without its Ethernet header.
    PppoeSession,
    /// `MPLS`: a stack of labels.
    Mpls,
    /// `ERF`: the records of Endace cards, of Ethernet, HDLC, PPP or IP.
    Erf,
}

impl LinkType {
    /// All link types read.
    pub const ALL: [LinkType; 10] = [
        LinkType::RawIp,
        LinkType::Ethernet,
        LinkType::LinuxSll,
        LinkType::LinuxSll2,
        LinkType::Loopback,
        LinkType::Ppp,
        LinkType::CiscoHdlc,
        LinkType::PppoeSession,
        LinkType::Mpls,
        LinkType::Erf,
    ];

    /// The link type of a number in the registry; 12 and 14 are what some systems write for `RAW`.
    pub fn from_number(number: u32) -> Option<Self> {
        Some(match number {
            12 | 14 | 101 | 228 | 229 => LinkType::RawIp,
            1 => LinkType::Ethernet,
            113 => LinkType::LinuxSll,
            276 => LinkType::LinuxSll2,
            0 | 108 => LinkType::Loopback,
            9 | 50 => LinkType::Ppp,
            104 => LinkType::CiscoHdlc,
            51 => LinkType::PppoeSession,
            219 => LinkType::Mpls,
            197 => LinkType::Erf,
            _ => return None,
        })
    }

    /// The names of all link types read, separated by commas.
    pub(crate) fn names() -> String {
        Self::ALL.map(|link| link.to_string()).join(", ")
    }

    /// The IP packet in a frame, as far as it was captured: `missing` bytes of the frame were not.
    ///
    /// # Errors
    ///
    /// What the frame carries instead, if that is another protocol or ends in the link-layer header.
    #[inline(always)]
    pub fn ip_packet(self, frame: &[u8], missing: usize) -> Result<&[u8], Unread> {
        match self.payload(frame)? {
            Payload::Ip(packet) => Ok(packet),
            Payload::UnderMpls(rest) => pseudowire::ip_packet(rest, missing),
        }
    }

    /// What is behind the link-layer headers of a frame.
    #[inline(always)]
    fn payload(self, frame: &[u8]) -> Result<Payload<'_>, Unread> {
        match self {
            LinkType::RawIp => Ok(Payload::Ip(frame)),
            LinkType::Ethernet => typed(behind(frame, 12)?),
            LinkType::LinuxSll => typed(behind(frame, 14)?),
            LinkType::LinuxSll2 => of_sll2(frame),
            LinkType::Loopback => of_loopback(frame),
            LinkType::Ppp => of_ppp(frame),
            LinkType::CiscoHdlc => typed(behind(frame, 2)?),
            LinkType::PppoeSession => of_pppoe(frame),
            LinkType::Mpls => of_mpls(frame),
            LinkType::Erf => of_erf(frame),
        }
    }
}

impl fmt::Display for LinkType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            LinkType::RawIp => "RAW IP",
            LinkType::Ethernet => "Ethernet",
            LinkType::LinuxSll => "Linux SLL",
            LinkType::LinuxSll2 => "Linux SLL2",
            LinkType::Loopback => "NULL/LOOP",
            LinkType::Ppp => "PPP",
            LinkType::CiscoHdlc => "Cisco HDLC",
            LinkType::PppoeSession => "PPPoE",
            LinkType::Mpls => "MPLS",
            LinkType::Erf => "ERF",
        })
    }
}

/// What is behind link-layer headers.
enum Payload<'f> {
    /// An IP packet.
    Ip(&'f [u8]),
    /// What is under MPLS labels, which do not say what it is.
    UnderMpls(&'f [u8]),
}

/// What comes behind so many bytes.
#[inline]
fn behind(frame: &[u8], length: usize) -> Result<&[u8], Unread> {
    frame.get(length..).ok_or(Unread::Cut)
}

/// The number of 2 bytes that begins a frame, and the rest.
#[inline]
fn number(frame: &[u8]) -> Result<(u16, &[u8]), Unread> {
    let (&number, rest) = frame.split_first_chunk().ok_or(Unread::Cut)?;
    Ok((u16::from_be_bytes(number), rest))
}

/// The packet after a type field and what it announces.
#[inline]
fn typed(frame: &[u8]) -> Result<Payload<'_>, Unread> {
    let (ethertype, rest) = number(frame)?;
    of_ethertype(ethertype, rest)
}

/// The packet in what an ethertype announces.
#[inline]
fn of_ethertype(mut ethertype: u16, mut frame: &[u8]) -> Result<Payload<'_>, Unread> {
    loop {
        match ethertype {
            IPV4 | IPV6 => return Ok(Payload::Ip(frame)),
            VLAN | PROVIDER_VLAN | OLD_VLAN => (ethertype, frame) = number(behind(frame, 2)?)?,
            0x8847 | 0x8848 => return of_mpls(frame),
            0x8864 => return of_pppoe(frame),
            // A length, of 802.3; 4 is what the cooked headers have for it.
            ..=0x05dc => (ethertype, frame) = snap(frame)?,
            other => return Err(Unread::Ethertype(other)),
        }
    }
}

/// The type and the rest of an LLC frame with SNAP, the only one that carries IP.
fn snap(frame: &[u8]) -> Result<(u16, &[u8]), Unread> {
    match frame {
        [0xaa, 0xaa, 0x03, 0, 0, 0, rest @ ..] => number(rest),
        [] | [_] | [_, _] => Err(Unread::Cut),
        _ => Err(Unread::Llc),
    }
}

/// What is under a stack of labels, the last of which says so.
fn of_mpls(mut frame: &[u8]) -> Result<Payload<'_>, Unread> {
    loop {
        let (&[_, _, bottom, _], rest) = frame.split_first_chunk().ok_or(Unread::Cut)?;
        frame = rest;
        if bottom & 1 == 1 {
            return Ok(Payload::UnderMpls(frame));
        }
    }
}

fn of_pppoe(frame: &[u8]) -> Result<Payload<'_>, Unread> {
    of_ppp_protocol(behind(frame, 6)?)
}

fn of_sll2(frame: &[u8]) -> Result<Payload<'_>, Unread> {
    let payload = behind(frame, 20)?;
    of_ethertype(u16::from_be_bytes([frame[0], frame[1]]), payload)
}

fn of_loopback(frame: &[u8]) -> Result<Payload<'_>, Unread> {
    let (&family, packet) = frame.split_first_chunk().ok_or(Unread::Cut)?;
    let family = u32::from_le_bytes(family).min(u32::from_be_bytes(family));
    // AF_INET is 2 everywhere; AF_INET6 differs between Linux, NetBSD, FreeBSD and macOS.
    match family {
        2 | 10 | 24 | 28 | 30 => Ok(Payload::Ip(packet)),
        other => Err(Unread::AddressFamily(other)),
    }
}

fn of_ppp(frame: &[u8]) -> Result<Payload<'_>, Unread> {
    match frame {
        [0x0f | 0x8f, 0x00, rest @ ..] => typed(rest),
        [0xff, 0x03, protocol @ ..] => of_ppp_protocol(protocol),
        protocol => of_ppp_protocol(protocol),
    }
}

/// The packet after a PPP protocol field, which may be compressed to one byte (RFC 1661, 6.5).
fn of_ppp_protocol(frame: &[u8]) -> Result<Payload<'_>, Unread> {
    let (protocol, rest) = match frame {
        [odd, rest @ ..] if odd & 1 == 1 => (u16::from(*odd), rest),
        _ => number(frame)?,
    };
    match protocol {
        0x0021 | 0x0057 => Ok(Payload::Ip(rest)),
        0x0281 | 0x0283 => of_mpls(rest),
        other => Err(Unread::PppProtocol(other)),
    }
}

/// The packet in an ERF record: a header of 16 bytes, extension headers of 8 each, the frame.
fn of_erf(record: &[u8]) -> Result<Payload<'_>, Unread> {
    let mut rest = behind(record, 16)?;
    let kind = record[8];
    let mut extended = kind & 0x80 != 0;
    while extended {
        extended = rest.first().ok_or(Unread::Cut)? & 0x80 != 0;
        rest = behind(rest, 8)?;
    }
    match kind & 0x7f {
        // HDLC and PPP on SONET; with colours, hashes or channels.
        1 | 10 | 15 | 19 => of_ppp(rest),
        5 | 17 => of_ppp(behind(rest, 4)?),
        // Ethernet, behind 2 bytes of alignment.
        2 | 11 | 16 | 20 => LinkType::Ethernet.payload(behind(rest, 2)?),
        22 | 23 => Ok(Payload::Ip(rest)),
        other => Err(Unread::ErfType(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_packet_behind_each_header() {
        let ethernet = [&[0u8; 12][..], &[0x88, 0xa8, 0, 1, 0x81, 0x00, 0, 2, 0x08, 0x00], b"ip"];
        let sll2 = [&[0x86, 0xdd][..], &[0; 18], b"ip"];
        let pppoe = b"\x11\0\0\x07\0\x04\x00\x57";
        let erf = |kind: u8, rest: &[u8]| [&[0; 8][..], &[kind], &[0; 7], rest].concat();
        for (number, frame) in [
            (1, ethernet.concat()),
            (113, [&[0u8; 14][..], &[0x08, 0x00], b"ip"].concat()),
            (276, sll2.concat()),
            (0, b"\x02\0\0\0ip".to_vec()),
            (108, b"\0\0\0\x1eip".to_vec()),
            (9, b"\xff\x03\x00\x21ip".to_vec()),
            (9, b"\x57ip".to_vec()),
            (50, b"\x0f\x00\x08\x00ip".to_vec()),
            (101, b"ip".to_vec()),
            (1, [&[0; 12][..], &[0x88, 0x64], pppoe, b"ip"].concat()),
            (1, [&[0; 12][..], &[0, 50, 0xaa, 0xaa, 3, 0, 0, 0, 8, 0], b"ip"].concat()),
            (51, [pppoe, &b"ip"[..]].concat()),
            (104, b"\x8f\x00\x86\xddip".to_vec()),
            (113, [&[0; 14][..], &[0, 4, 0xaa, 0xaa, 3, 0, 0, 0, 8, 0], b"ip"].concat()),
            (276, [&[0x81, 0][..], &[0; 18], &[0, 7, 8, 0], b"ip"].concat()),
            (276, [&[0, 4][..], &[0; 18], &[0xaa, 0xaa, 3, 0, 0, 0, 8, 0], b"ip"].concat()),
            (197, erf(22, b"ip")),
            (197, erf(1, b"\xff\x03\x00\x21ip")),
            (197, erf(5, b"chan\xff\x03\x00\x21ip")),
            (197, erf(2, &[&[0; 14][..], &[8, 0], b"ip"].concat())),
            (197, erf(0x82, &[&[0x81; 8][..], &[1; 8], &[0; 14], &[8, 0], b"ip"].concat())),
        ] {
            let link = LinkType::from_number(number).unwrap();
            assert_eq!(link.ip_packet(&frame, 0), Ok(&b"ip"[..]), "link type {number}");
        }
    }

    /// Labels of any number, under each header that can carry them.
    #[test]
    fn finds_the_packet_under_labels() {
        let packet = [&[0x45, 0, 0, 22][..], &[7; 16], b"ip"].concat();
        for depth in 0..20 {
            let labels = [[0, 1, 0x40, 64].repeat(depth), vec![0, 2, 0x41, 64]].concat();
            for (number, header) in [
                (1, [&[0; 12][..], &[0x88, 0x47]].concat()),
                (1, [&[0; 12][..], &[0x81, 0, 0, 1, 0x88, 0x48]].concat()),
                (113, [&[0; 14][..], &[0x88, 0x47]].concat()),
                (276, [&[0x88, 0x47][..], &[0; 18]].concat()),
                (104, b"\x0f\0\x88\x47".to_vec()),
                (9, b"\xff\x03\x02\x81".to_vec()),
                (219, vec![]),
            ] {
                let frame = [&header[..], &labels, &packet].concat();
                let link = LinkType::from_number(number).unwrap();
                assert_eq!(link.ip_packet(&frame, 0), Ok(&packet[..]), "{link}, {depth} labels");
            }
        }
    }

    #[test]
    fn says_what_it_does_not_read() {
        let frame = |kind: &[u8]| [&[0; 12][..], kind, &[0; 20]].concat();
        for (bytes, unread) in [
            (&[0x08, 0x06][..], Unread::Ethertype(0x0806)),
            (&[0x88, 0x47, 0, 0, 1, 64, 0, 0], Unread::UnderMpls),
            (&[0x88, 0x64, 0x11, 0, 0, 7, 0, 4, 0xc0, 0x21], Unread::PppProtocol(0xc021)),
            (&[0, 38, 0x42, 0x42, 3], Unread::Llc),
        ] {
            assert_eq!(LinkType::Ethernet.ip_packet(&frame(bytes), 0), Err(unread));
        }
        assert_eq!(
            LinkType::Loopback.ip_packet(&[7, 0, 0, 0, 0], 0),
            Err(Unread::AddressFamily(7))
        );
        assert_eq!(LinkType::Erf.ip_packet(&[3; 40], 0), Err(Unread::ErfType(3)));
    }

    #[test]
    fn cut_headers_hold_no_packet() {
        for link in LinkType::ALL.into_iter().filter(|&link| link != LinkType::RawIp) {
            assert_eq!(link.ip_packet(&[0x08], 0), Err(Unread::Cut), "{link}");
        }
    }
}
