//! Layouts of headerless flow-key records, as sketch research passes traces around.
//!
//! Two of them describe the very same trace in different orders, and nothing in a file tells which:
//! the layout has to be named. Whatever the layout, the keys have the canonical bytes of
//! [`KeyKind`].

use std::fmt;
use std::net::IpAddr;
use std::ops::Range;
use std::str::FromStr;

use crate::key::KeyKind;
use crate::unknown::UnknownName;

/// How a record holds the fields of a packet. Fields are big-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Source, source port, destination, destination port, protocol: 13 bytes. ElasticSketch, DHS.
    Elastic13,
    /// Source, destination, source port, destination port, protocol: 13 bytes. CocoSketch, Jigsaw.
    Coco13,
    /// [`Elastic13`](Self::Elastic13) and a timestamp, an f64 in little-endian: 21 bytes.
    /// WavingSketch.
    Waving21,
    /// Source, destination: 8 bytes. ColdFilter, ASketch.
    SrcDst8,
    /// Source, destination, TCP sequence and acknowledgement number: 16 bytes, of TCP packets only.
    /// The key of `kanizo-deletions`.
    SeqAck16,
    /// Text: `source destination`, one packet a line. SwingFilter.
    SrcDst,
}

/// The byte ranges of a record whose concatenation is a key.
type Parts = &'static [Range<usize>];

impl Layout {
    /// All layouts.
    pub const ALL: [Layout; 6] = [
        Layout::Elastic13,
        Layout::Coco13,
        Layout::Waving21,
        Layout::SrcDst8,
        Layout::SeqAck16,
        Layout::SrcDst,
    ];

    /// Name in definitions and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Layout::Elastic13 => "elastic13",
            Layout::Coco13 => "coco13",
            Layout::Waving21 => "waving21",
            Layout::SrcDst8 => "srcdst8",
            Layout::SeqAck16 => "seqack16",
            Layout::SrcDst => "srcdst",
        }
    }

    /// Bytes of a record; `None` for text.
    pub fn record_length(self) -> Option<usize> {
        match self {
            Layout::Elastic13 | Layout::Coco13 => Some(13),
            Layout::Waving21 => Some(21),
            Layout::SrcDst8 => Some(8),
            Layout::SeqAck16 => Some(16),
            Layout::SrcDst => None,
        }
    }

    /// Whether records hold the fields of a key.
    pub fn gives(self, kind: KeyKind) -> bool {
        match kind {
            KeyKind::Src | KeyKind::Dst | KeyKind::SrcDst => true,
            KeyKind::FiveTuple => {
                matches!(self, Layout::Elastic13 | Layout::Coco13 | Layout::Waving21)
            }
            KeyKind::TcpHeader => self == Layout::SeqAck16,
        }
    }

    /// The widest key that records hold: every field but a timestamp.
    pub fn widest_key(self) -> KeyKind {
        match self {
            Layout::Elastic13 | Layout::Coco13 | Layout::Waving21 => KeyKind::FiveTuple,
            Layout::SrcDst8 | Layout::SrcDst => KeyKind::SrcDst,
            Layout::SeqAck16 => KeyKind::TcpHeader,
        }
    }

    /// The names of all layouts, separated by commas.
    pub(crate) fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// The names of the keys that records hold, separated by commas.
    pub(crate) fn key_names(self) -> String {
        let given = KeyKind::ALL.into_iter().filter(|&kind| self.gives(kind));
        given.map(KeyKind::name).collect::<Vec<_>>().join(", ")
    }

    /// Where the key lies in a binary record; `None` if the record does not hold it, or is text.
    #[expect(clippy::single_range_in_vec_init, reason = "a key may be one range of the record")]
    pub(crate) fn parts(self, kind: KeyKind) -> Option<Parts> {
        if !self.gives(kind) || self == Layout::SrcDst {
            return None;
        }
        Some(match (self, kind) {
            (_, KeyKind::Src) => &[0..4],
            (Layout::Elastic13 | Layout::Waving21, KeyKind::Dst) => &[6..10],
            (_, KeyKind::Dst) => &[4..8],
            (Layout::Elastic13 | Layout::Waving21, KeyKind::SrcDst) => &[0..4, 6..10],
            (_, KeyKind::SrcDst) => &[0..8],
            (Layout::Elastic13 | Layout::Waving21, KeyKind::FiveTuple) => {
                &[0..4, 6..10, 4..6, 10..13]
            }
            (_, KeyKind::FiveTuple) => &[0..13],
            (_, KeyKind::TcpHeader) => &[0..16],
        })
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Layout {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|layout| layout.name() == name).ok_or_else(|| UnknownName {
            what: "layout",
            name: name.to_owned(),
            known: Self::names(),
        })
    }
}

/// Source and destination of a line of [`Layout::SrcDst`], both IPv4 or both IPv6.
pub(crate) fn addresses_of_line(line: &[u8]) -> Option<(IpAddr, IpAddr)> {
    let mut words = std::str::from_utf8(line).ok()?.split_ascii_whitespace();
    let source: IpAddr = words.next()?.parse().ok()?;
    let destination: IpAddr = words.next()?.parse().ok()?;
    let whole = words.next().is_none() && source.is_ipv4() == destination.is_ipv4();
    whole.then_some((source, destination))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_in_the_record_and_make_up_the_key() {
        for layout in Layout::ALL {
            let Some(length) = layout.record_length() else {
                continue;
            };
            for kind in KeyKind::ALL.into_iter().filter(|&kind| layout.gives(kind)) {
                let parts = layout.parts(kind).unwrap();
                let width: usize = parts.iter().map(Range::len).sum();
                let expected = match kind {
                    KeyKind::FiveTuple => 13,
                    KeyKind::Src | KeyKind::Dst => 4,
                    KeyKind::SrcDst => 8,
                    KeyKind::TcpHeader => 16,
                };
                assert_eq!(width, expected, "{layout} {kind}");
                assert!(parts.iter().all(|part| part.end <= length), "{layout} {kind}");
            }
        }
    }

    #[test]
    fn lines_are_two_addresses_of_one_family() {
        assert!(addresses_of_line(b"1.2.3.4 5.6.7.8").is_some());
        assert!(addresses_of_line(b"::1 2::\r").is_some());
        for bad in ["1.2.3.4", "1.2.3.4 5.6.7.8 9", "1.2.3.4 ::1", "1.2.3.4 5.6.7", "\u{fe} x"] {
            assert_eq!(addresses_of_line(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn names_are_read_back() {
        for layout in Layout::ALL {
            assert_eq!(layout.to_string().parse(), Ok(layout));
        }
        assert!("elastic".parse::<Layout>().unwrap_err().to_string().contains("elastic13"));
    }
}
