//! Layouts of flow-key records, as sketch research passes traces around.
//!
//! Two of them describe the very same trace in different orders, and nothing in a file tells which:
//! the layout has to be named. Whatever the layout, the keys have the canonical bytes of
//! [`KeyKind`].

mod fields;
mod rows;
mod text;

use std::fmt;
use std::str::FromStr;

use crate::key::KeyKind;
pub use fields::{BadLayout, Fields};
pub(crate) use fields::{Part, put_parts};
pub(crate) use rows::{Columns, KeyCells, Rows};
pub(crate) use text::key_of_pair;

/// How a record holds the fields of a packet.
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
    /// Text separated by commas, whose first line names the columns, as keys are exported.
    Csv,
    /// Records of fields that were listed.
    Custom(Fields),
}

impl Layout {
    /// All layouts that have a name.
    pub const ALL: [Layout; 7] = [
        Layout::Elastic13,
        Layout::Coco13,
        Layout::Waving21,
        Layout::SrcDst8,
        Layout::SeqAck16,
        Layout::SrcDst,
        Layout::Csv,
    ];

    /// Name in definitions and on the command line; `None` for fields that were listed.
    pub fn name(self) -> Option<&'static str> {
        Some(match self {
            Layout::Elastic13 => "elastic13",
            Layout::Coco13 => "coco13",
            Layout::Waving21 => "waving21",
            Layout::SrcDst8 => "srcdst8",
            Layout::SeqAck16 => "seqack16",
            Layout::SrcDst => "srcdst",
            Layout::Csv => "csv",
            Layout::Custom(_) => return None,
        })
    }

    /// The fields of a binary record; `None` for text.
    pub fn fields(self) -> Option<Fields> {
        Some(match self {
            Layout::Elastic13 => Fields::ELASTIC13,
            Layout::Coco13 => Fields::COCO13,
            Layout::Waving21 => Fields::WAVING21,
            Layout::SrcDst8 => Fields::SRCDST8,
            Layout::SeqAck16 => Fields::SEQACK16,
            Layout::Custom(fields) => fields,
            Layout::SrcDst | Layout::Csv => return None,
        })
    }

    /// Bytes of a record; `None` for text.
    pub fn record_length(self) -> Option<usize> {
        self.fields().map(|fields| fields.length())
    }

    /// Whether records hold the fields of a key. What a text holds that names its columns is known
    /// when it is read.
    pub fn gives(self, kind: KeyKind) -> bool {
        match (self.fields(), self) {
            (Some(fields), _) => fields.parts(kind).is_some(),
            (None, Layout::SrcDst) => !matches!(kind, KeyKind::FiveTuple | KeyKind::TcpHeader),
            (None, _) => true,
        }
    }

    /// The names of all layouts, separated by commas.
    pub(crate) fn names() -> String {
        Self::ALL.map(|layout| layout.to_string()).join(", ")
    }

    /// The names of the keys that records hold, separated by commas.
    pub(crate) fn key_names(self) -> String {
        let given = KeyKind::ALL.into_iter().filter(|&kind| self.gives(kind));
        given.map(KeyKind::name).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name(), self.fields()) {
            (Some(name), _) => f.pad(name),
            (None, Some(fields)) => fields.fmt(f),
            (None, None) => Ok(()),
        }
    }
}

impl FromStr for Layout {
    type Err = BadLayout;

    /// Reads a name, or a list of fields such as `src:4 dst:4 sport:2le dport:2le proto:1 pad:3`.
    fn from_str(text: &str) -> Result<Self, BadLayout> {
        let named = Self::ALL.into_iter().find(|layout| layout.name() == Some(text));
        match named {
            Some(layout) => Ok(layout),
            None if text.contains(':') => text.parse().map(Layout::Custom),
            None => Err(BadLayout::unknown(text, &Self::names())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_fields_are_read_back() {
        let listed = "src:4 dst:4 sport:2le dport:2 proto:1 pad:3".parse().unwrap();
        for layout in Layout::ALL.into_iter().chain([listed]) {
            assert_eq!(layout.to_string().parse(), Ok(layout));
        }
        assert!("elastic".parse::<Layout>().unwrap_err().to_string().contains("elastic13"));
    }

    #[test]
    fn every_layout_gives_some_key_and_names_it() {
        for layout in Layout::ALL {
            assert!(layout.gives(KeyKind::Src) && layout.key_names().contains("src"), "{layout}");
        }
        assert!(!Layout::SrcDst8.gives(KeyKind::FiveTuple));
        assert!(!Layout::SrcDst.gives(KeyKind::TcpHeader));
    }
}
