//! The fields of a binary record and where they lie in it.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::key::{KeyKind, LONGEST_KEY};

/// Longest record, in bytes.
const LONGEST: usize = 4096;

/// What a field of a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Src,
    Dst,
    SrcPort,
    DstPort,
    Protocol,
    Seq,
    Ack,
}

impl Field {
    const ALL: [Field; 7] = [
        Field::Src,
        Field::Dst,
        Field::SrcPort,
        Field::DstPort,
        Field::Protocol,
        Field::Seq,
        Field::Ack,
    ];

    fn name(self) -> &'static str {
        match self {
            Field::Src => "src",
            Field::Dst => "dst",
            Field::SrcPort => "sport",
            Field::DstPort => "dport",
            Field::Protocol => "proto",
            Field::Seq => "seq",
            Field::Ack => "ack",
        }
    }

    /// Bytes that it may have.
    fn widths(self) -> &'static [usize] {
        match self {
            Field::Src | Field::Dst => &[4, 16],
            Field::SrcPort | Field::DstPort => &[2],
            Field::Protocol => &[1],
            Field::Seq | Field::Ack => &[4],
        }
    }

    /// The fields of a key, in its order.
    fn of(kind: KeyKind) -> &'static [Field] {
        use Field::{Ack, Dst, DstPort, Protocol, Seq, Src, SrcPort};
        match kind {
            KeyKind::FiveTuple => &[Src, Dst, SrcPort, DstPort, Protocol],
            KeyKind::Src => &[Src],
            KeyKind::Dst => &[Dst],
            KeyKind::SrcDst => &[Src, Dst],
            KeyKind::TcpHeader => &[Src, Dst, Seq, Ack],
        }
    }
}

/// Where a field lies, and its byte order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    start: u16,
    width: u16,
    little: bool,
}

/// The fields of a record, in any order, with gaps where they are of no interest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fields {
    length: u16,
    /// By the place of the field in `Field::ALL`.
    places: [Option<Place>; 7],
}

/// The bytes of a record that are a part of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    range: Range<usize>,
    little: bool,
}

impl Fields {
    pub(super) const ELASTIC13: Fields = Fields::new(13, [0, 6, 4, 10, 12], None);
    pub(super) const COCO13: Fields = Fields::new(13, [0, 4, 8, 10, 12], None);
    pub(super) const WAVING21: Fields = Fields::new(21, [0, 6, 4, 10, 12], None);
    pub(super) const SRCDST8: Fields = Fields::pairs(8, None);
    pub(super) const SEQACK16: Fields = Fields::pairs(16, Some([8, 12]));

    /// Five-tuples of IPv4 in big-endian.
    const fn new(length: u16, starts: [u16; 5], numbers: Option<[u16; 2]>) -> Self {
        let [src, dst, sport, dport, proto] = starts;
        let mut fields = Fields::pairs(length, numbers);
        fields.places[0] = big(src, 4);
        fields.places[1] = big(dst, 4);
        fields.places[2] = big(sport, 2);
        fields.places[3] = big(dport, 2);
        fields.places[4] = big(proto, 1);
        fields
    }

    /// Source and destination of IPv4, and perhaps sequence and acknowledgement number.
    const fn pairs(length: u16, numbers: Option<[u16; 2]>) -> Self {
        let mut places = [None; 7];
        places[0] = big(0, 4);
        places[1] = big(4, 4);
        if let Some([seq, ack]) = numbers {
            places[5] = big(seq, 4);
            places[6] = big(ack, 4);
        }
        Fields { length, places }
    }

    /// Bytes of a record.
    pub fn length(&self) -> usize {
        self.length.into()
    }

    fn place(&self, field: Field) -> Option<Place> {
        self.places[field as usize]
    }

    /// The parts of a record that make up a key; `None` if it lacks one.
    pub(crate) fn parts(&self, kind: KeyKind) -> Option<Vec<Part>> {
        Field::of(kind).iter().map(|&field| self.place(field).map(Place::part)).collect()
    }

    /// Where the protocol lies, whose numbers tell whether the layout fits.
    pub(crate) fn protocol(&self) -> Option<usize> {
        self.place(Field::Protocol).map(|place| place.start.into())
    }
}

const fn big(start: u16, width: u16) -> Option<Place> {
    Some(Place { start, width, little: false })
}

impl Place {
    fn part(self) -> Part {
        let start = usize::from(self.start);
        Part { range: start..start + usize::from(self.width), little: self.little }
    }
}

/// Puts the parts of a record one behind the other into a key; returns its length.
pub(crate) fn put_parts(record: &[u8], parts: &[Part], key: &mut [u8; LONGEST_KEY]) -> usize {
    let mut length = 0;
    for Part { range, little } in parts {
        let place = &mut key[length..length + range.len()];
        place.copy_from_slice(&record[range.clone()]);
        if *little {
            place.reverse();
        }
        length += range.len();
    }
    length
}

impl fmt::Display for Fields {
    /// The fields in the order of the record, as they are read back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Field::ALL.into_iter().zip(self.places);
        let mut placed: Vec<_> =
            named.filter_map(|(field, at)| Some((field.name(), at?))).collect();
        placed.sort_by_key(|(_, place)| place.start);
        let mut words = Vec::new();
        let mut end = 0;
        for (name, Place { start, width, little }) in placed {
            words.extend(gap(start - end));
            words.push(format!("{name}:{width}{}", if little { "le" } else { "" }));
            end = start + width;
        }
        words.extend(gap(self.length - end));
        f.write_str(&words.join(" "))
    }
}

/// Bytes of no interest.
fn gap(width: u16) -> Option<String> {
    (width > 0).then(|| format!("{GAP}:{width}"))
}

/// The name of bytes of no interest.
const GAP: &str = "pad";

/// A text that is no layout.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadLayout(String);

impl BadLayout {
    pub(super) fn unknown(name: &str, known: &str) -> Self {
        BadLayout(format!(
            "unknown layout `{name}`; known are {known}, or the fields in their order, as \
             \"src:4 dst:4 sport:2 dport:2 proto:1\""
        ))
    }

    fn word(word: &str, why: &str) -> Self {
        BadLayout(format!("`{word}` in the layout: {why}"))
    }
}

impl FromStr for Fields {
    type Err = BadLayout;

    /// Reads words of name, colon, bytes, and perhaps `le` or `be`.
    fn from_str(text: &str) -> Result<Self, BadLayout> {
        let mut fields = Fields { length: 0, places: [None; 7] };
        for word in text.split([' ', ',', '\t']).filter(|word| !word.is_empty()) {
            fields.add(word)?;
        }
        match fields.places.iter().take(2).flatten().collect::<Vec<_>>()[..] {
            [] => Err(BadLayout(format!("the layout `{text}` has neither src nor dst"))),
            [src, dst] if src.width != dst.width => {
                Err(BadLayout(format!("src and dst of the layout `{text}` have different widths")))
            }
            _ => Ok(fields),
        }
    }
}

impl Fields {
    fn add(&mut self, word: &str) -> Result<(), BadLayout> {
        let bad = |why: &str| Err(BadLayout::word(word, why));
        let Some((name, size)) = word.split_once(':') else {
            return bad("expected NAME:BYTES");
        };
        let (digits, little) = match size.strip_suffix("le") {
            Some(digits) => (digits, true),
            None => (size.strip_suffix("be").unwrap_or(size), false),
        };
        let Ok(width @ 1..) = digits.parse::<u16>() else {
            return bad("expected a number of bytes, and perhaps `le` or `be`");
        };
        let start = self.length;
        if usize::from(start) + usize::from(width) > LONGEST {
            return bad("a record has at most 4096 bytes");
        }
        self.length += width;
        if name == GAP {
            return Ok(());
        }
        let Some(field) = Field::ALL.into_iter().find(|field| field.name() == name) else {
            return bad("known are src, dst, sport, dport, proto, seq, ack, and pad for the rest");
        };
        if !field.widths().contains(&width.into()) {
            return bad("an address has 4 or 16 bytes, a port 2, a protocol 1, seq and ack 4");
        }
        match self.places[field as usize].replace(Place { start, width, little }) {
            None => Ok(()),
            Some(_) => bad("it is there twice"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_layouts_are_lists_of_fields() {
        for (fields, text) in [
            (Fields::ELASTIC13, "src:4 sport:2 dst:4 dport:2 proto:1"),
            (Fields::COCO13, "src:4,dst:4,sport:2be,dport:2be,proto:1"),
            (Fields::WAVING21, "src:4 sport:2 dst:4 dport:2 proto:1 pad:8"),
            (Fields::SRCDST8, "src:4 dst:4"),
            (Fields::SEQACK16, "src:4 dst:4 seq:4 ack:4"),
        ] {
            assert_eq!(text.parse(), Ok(fields), "{text}");
            assert_eq!(fields.to_string().parse(), Ok(fields));
        }
    }

    #[test]
    fn little_endian_fields_give_canonical_keys() {
        let fields: Fields = "pad:1 dst:4le src:4le sport:2le dport:2 proto:1".parse().unwrap();
        let record = [9, 2, 0, 0, 10, 1, 0, 0, 10, 80, 0, 0, 81, 6];
        let mut key = [0; LONGEST_KEY];
        let length = put_parts(&record, &fields.parts(KeyKind::FiveTuple).unwrap(), &mut key);
        let text = KeyKind::FiveTuple.text(&key[..length]).to_string();
        assert_eq!(text, "10.0.0.1,10.0.0.2,80,81,6");
        assert_eq!(fields.parts(KeyKind::TcpHeader), None);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, why) in [
            ("src:4 dst:16", "different widths"),
            ("sport:2", "neither src nor dst"),
            ("src:4 src:4", "twice"),
            ("src:5", "4 or 16"),
            ("source:4", "known are src"),
            ("src:4 pad:0", "number of bytes"),
            ("src:4 pad:9999", "at most 4096"),
            ("src:4 x", "NAME:BYTES"),
        ] {
            let error = text.parse::<Fields>().unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
