//! What identifies a flow: the kinds of key, their canonical bytes and their text.

use std::fmt;
use std::str::FromStr;

use crate::headers::{Headers, address};
use crate::unknown::UnknownName;

/// Bytes of the longest key, an IPv6 [`KeyKind::TcpHeader`].
pub const LONGEST_KEY: usize = 40;

/// Which header fields make up a key.
///
/// A key is the concatenation of its fields as they stand in the headers (big-endian), and a
/// packet's key is that of its direction: the two directions of a connection are two keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyKind {
    /// Source, destination, source port, destination port, protocol: 13 bytes in IPv4, 37 in IPv6.
    FiveTuple,
    /// Source: 4 or 16 bytes.
    Src,
    /// Destination: 4 or 16 bytes.
    Dst,
    /// Source and destination: 8 or 32 bytes.
    SrcDst,
    /// Source, destination, TCP sequence and acknowledgement number: 16 or 40 bytes. Only TCP
    /// packets of which at least 12 bytes of TCP were captured have one; it is the key of
    /// `kanizo-deletions`, section "Experiments".
    TcpHeader,
}

impl KeyKind {
    /// All kinds of key.
    pub const ALL: [KeyKind; 5] =
        [KeyKind::FiveTuple, KeyKind::Src, KeyKind::Dst, KeyKind::SrcDst, KeyKind::TcpHeader];

    /// Name in definitions and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            KeyKind::FiveTuple => "five-tuple",
            KeyKind::Src => "src",
            KeyKind::Dst => "dst",
            KeyKind::SrcDst => "src-dst",
            KeyKind::TcpHeader => "tcp-header",
        }
    }

    /// Names of the fields, in the order of [`text`](Self::text).
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            KeyKind::FiveTuple => &["src", "dst", "src_port", "dst_port", "protocol"],
            KeyKind::Src => &["src"],
            KeyKind::Dst => &["dst"],
            KeyKind::SrcDst => &["src", "dst"],
            KeyKind::TcpHeader => &["src", "dst", "seq", "ack"],
        }
    }

    /// A key of this kind as text: its fields separated by commas.
    pub fn text(self, key: &[u8]) -> impl fmt::Display + '_ {
        KeyText { kind: self, key }
    }

    /// Writes the packet's key into `room`; gives it back, or `None` if the packet has no such key.
    #[inline]
    pub(crate) fn of<'r>(
        self,
        headers: &Headers<'_>,
        room: &'r mut [u8; LONGEST_KEY],
    ) -> Option<&'r [u8]> {
        let addresses = headers.addresses;
        let half = addresses.len() / 2;
        let mut key = KeyWriter { room, length: 0 };
        match self {
            KeyKind::FiveTuple => {
                key.put_addresses(addresses);
                key.put(&headers.ports);
                key.put(&[headers.protocol]);
            }
            KeyKind::Src => key.put(&addresses[..half]),
            KeyKind::Dst => key.put(&addresses[half..]),
            KeyKind::SrcDst => key.put_addresses(addresses),
            KeyKind::TcpHeader => {
                key.put_addresses(addresses);
                key.put(headers.seq_ack?);
            }
        }
        Some(&key.room[..key.length])
    }
}

impl fmt::Display for KeyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for KeyKind {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownName {
            what: "key",
            name: name.to_owned(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}

struct KeyWriter<'r> {
    room: &'r mut [u8; LONGEST_KEY],
    length: usize,
}

impl KeyWriter<'_> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        let end = self.length + bytes.len();
        self.room[self.length..end].copy_from_slice(bytes);
        self.length = end;
    }

    /// Like [`put`](Self::put), with both lengths known to the compiler.
    #[inline]
    fn put_addresses(&mut self, addresses: &[u8]) {
        match <&[u8; 8]>::try_from(addresses) {
            Ok(ipv4) => self.put(ipv4),
            Err(_) => self.put(addresses),
        }
    }
}

struct KeyText<'k> {
    kind: KeyKind,
    key: &'k [u8],
}

impl KeyText<'_> {
    fn addresses(&self, f: &mut fmt::Formatter<'_>, addresses: &[u8]) -> fmt::Result {
        let (src, dst) = addresses.split_at(addresses.len() / 2);
        write!(f, "{},{}", address(src), address(dst))
    }
}

impl fmt::Display for KeyText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, self.key) {
            (KeyKind::Src | KeyKind::Dst, key) => write!(f, "{}", address(key)),
            (KeyKind::SrcDst, key) => self.addresses(f, key),
            (KeyKind::FiveTuple, [addresses @ .., a, b, c, d, protocol]) => {
                self.addresses(f, addresses)?;
                let (src, dst) = (u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d]));
                write!(f, ",{src},{dst},{protocol}")
            }
            (KeyKind::TcpHeader, [addresses @ .., a, b, c, d, e, g, h, i]) => {
                self.addresses(f, addresses)?;
                let seq = u32::from_be_bytes([*a, *b, *c, *d]);
                let ack = u32::from_be_bytes([*e, *g, *h, *i]);
                write!(f, ",{seq},{ack}")
            }
            (_, short) => write!(f, "{short:02x?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADERS: Headers<'static> = Headers {
        addresses: &[10, 0, 0, 1, 10, 0, 0, 2],
        ports: [0, 80, 1, 0],
        protocol: 6,
        seq_ack: Some(&[0, 0, 0, 7, 0, 0, 0, 9]),
    };

    #[test]
    fn keys_are_the_fields_in_order() {
        for (kind, text) in [
            (KeyKind::FiveTuple, "10.0.0.1,10.0.0.2,80,256,6"),
            (KeyKind::Src, "10.0.0.1"),
            (KeyKind::Dst, "10.0.0.2"),
            (KeyKind::SrcDst, "10.0.0.1,10.0.0.2"),
            (KeyKind::TcpHeader, "10.0.0.1,10.0.0.2,7,9"),
        ] {
            let mut room = [0; LONGEST_KEY];
            let key = kind.of(&HEADERS, &mut room).unwrap();
            assert_eq!(kind.text(key).to_string(), text);
            assert_eq!(kind.columns().len(), text.split(',').count());
        }
    }

    #[test]
    fn tcp_header_keys_need_tcp() {
        let headers = Headers { seq_ack: None, ..HEADERS };
        assert_eq!(KeyKind::TcpHeader.of(&headers, &mut [0; LONGEST_KEY]), None);
    }

    #[test]
    fn names_are_read_back() {
        for kind in KeyKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        assert!("5tuple".parse::<KeyKind>().unwrap_err().to_string().contains("five-tuple"));
    }
}
