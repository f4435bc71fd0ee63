//! Packet captures and flow-key files in, keys out; synthetic captures.
//!
//! ```no_run
//! use loadfactor_traces::{KeyKind, read_keys};
//!
//! let trace = read_keys("uplink.pcap.gz".as_ref(), KeyKind::FiveTuple, None)?;
//! println!("{} packets, {} flows", trace.packets, trace.keys.distinct()?.len());
//! for damage in trace.damage.first() {
//!     eprintln!("{damage}");
//! }
//! # Ok::<(), loadfactor_traces::TraceError>(())
//! ```
//!
//! * [`open`] streams the packets of a capture: pcap or pcapng in either byte order, plain or
//!   compressed (gzip, bzip2, zstd, xz, lz4), both told by content.
//! * [`read_keys`] collects the keys of a capture, or of a file of records in one of the
//!   [layouts](Layout) that sketch research uses, into [`Keys`].
//! * [`Input`] is a trace of several files, or a part of one; [`KeyReader`] streams its keys.
//! * [`info`] counts what is in a file.
//! * [`synth_link`] writes a capture of any length that is like one of a link, [`synth`] an even mixture of flows;
//!   [`create`] makes a file of it.
//!
//! # Counting rules
//!
//! A packet's key is that of its direction and of the outermost IP header. Ports are 0 for
//! protocols other than TCP, UDP and SCTP, for fragments other than the first, and where fewer than
//! 4 bytes of the transport header were captured. A [`KeyKind::TcpHeader`] key needs 12 bytes of
//! TCP. Order is that of the file, never that of the timestamps.
//!
//! # Damage
//!
//! A capture may be cut, corrupt, or badly compressed. What is whole is used; the rest is reported
//! with the number and the place of the record at fault ([`Damage`]), and only a file that gives
//! nothing at all is an [error](TraceError). No input makes the reading panic or its memory grow.

mod buffer;
mod capture;
mod damage;
mod error;
mod files;
mod headers;
mod info;
mod input;
mod key;
mod keys;
mod layout;
mod lines;
mod link;
mod output;
mod records;
mod source;
mod span;
mod stream;
mod synth;
mod trace;
mod unfinished;
mod unknown;
mod unread;
mod walk;

pub use capture::{
    ByteOrder, Container, Format, Interface, LONGEST_PACKET, Packet, PacketReader, is_capture,
    open, open_with,
};
pub use damage::{DAMAGES_KEPT, Damage, DamageLog, Flaw};
pub use error::TraceError;
pub use files::{find_files, is_pattern};
pub use headers::Headers;
pub use info::{
    CaptureInfo, Detail, FlowStatistics, Info, LONG_GAP, RecordInfo, RepeatStatistics, Times, info,
    info_of,
};
pub use input::Input;
pub use key::{KeyKind, LONGEST_KEY};
pub use keys::{KeySet, Keys, Places, TooManyKeys};
pub use layout::{BadLayout, Fields, Layout};
pub use link::LinkType;
pub use output::{create, create_folder, sync_folder_of};
pub use records::RecordReader;
pub use source::{Compression, Decoding};
pub use span::{NoTime, Span, Time};
pub use stream::KeyReader;
pub use synth::{
    LinkSpec, Preset, SynthError, SynthSpec, SynthSummary, Targets, synth, synth_link,
    synth_link_beginning,
};
pub use trace::{Attributes, Trace, read_keys, read_keys_of, read_packets_of};
pub use unfinished::{discard_unfinished, remove_unfinished};
pub use unknown::UnknownName;
pub use unread::{Unread, UnreadCounts};
