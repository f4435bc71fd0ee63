//! How the files of a trace are read: their layout, their compression, and which of their packets.

use loadfactor_traces::{Compression, Decoding, Layout, Span, Time};

/// How the files of a trace are read.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Reading {
    /// The layout of their records; captures have none.
    pub layout: Option<Layout>,
    /// How their bytes are decompressed.
    pub decoding: Decoding,
    /// Which of their packets are read.
    pub span: Span,
}

/// What the command line says of it: what is given takes the place of what the definition says.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ReadingOptions {
    /// The layout of the records.
    pub layout: Option<Layout>,
    /// The compression, in place of what the content looks like.
    pub compression: Option<Compression>,
    /// Most bytes of memory that a decoder may take.
    pub memory: Option<u64>,
    /// At most so many packets.
    pub packets: Option<u64>,
    /// Packets of this time or later.
    pub from: Option<Time>,
    /// Packets before this time.
    pub to: Option<Time>,
}

impl ReadingOptions {
    /// Whether they choose packets of the trace.
    pub fn selects(&self) -> bool {
        self.packets.is_some() || self.from.is_some() || self.to.is_some()
    }

    /// The reading with what is given here.
    pub fn applied_to(&self, reading: Reading) -> Reading {
        let Reading { layout, decoding, span } = reading;
        Reading {
            layout: self.layout.or(layout),
            decoding: Decoding {
                compression: self.compression.or(decoding.compression),
                memory: self.memory.unwrap_or(decoding.memory),
            },
            span: Span {
                packets: self.packets.or(span.packets),
                from: self.from.or(span.from),
                to: self.to.or(span.to),
            },
        }
    }
}

impl Reading {
    /// What decides which packets are read, beside the files and their layout; empty where these are all.
    pub fn selection(&self) -> String {
        let Span { packets, from, to } = self.span;
        let nanoseconds = |time: Time| time.0;
        let parts = [
            self.decoding.compression.map(|compression| format!("compression {compression}")),
            packets.map(|packets| format!("packets {packets}")),
            from.map(nanoseconds).map(|from| format!("from {from} ns")),
            to.map(nanoseconds).map(|to| format!("to {to} ns")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
