//! The walk over the packets, or records, of all files of a trace.

use std::path::PathBuf;
use std::vec;

use crate::capture::{Format, Interface, Packet, PacketReader, open_with};
use crate::damage::DamageLog;
use crate::error::TraceError;
use crate::headers::Headers;
use crate::input::Input;
use crate::key::KeyKind;
use crate::records::RecordReader;
use crate::source::Compression;
use crate::unread::{Unread, UnreadCounts};

/// A walk over the packets of captures, or over the records of files of flow keys. Memory does not grow with them.
pub(crate) struct Walk {
    input: Input,
    kinds: Kinds,
    files: vec::IntoIter<PathBuf>,
    current: Option<(PathBuf, Stream)>,
    seen: Seen,
}

/// Which keys of records are read. A capture has all of them.
pub(crate) enum Kinds {
    /// All that the first file holds; of the others those of the first, since a sum over files has to be one of keys
    /// of one kind.
    OfFirst,
    /// These.
    Only(Vec<KeyKind>),
}

/// What was met so far.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Packets that the span holds, or records.
    pub(crate) packets: u64,
    /// What the packets without IP headers carry.
    pub(crate) unread: UnreadCounts,
    /// Records whose protocol has a number that is not assigned; of files that were left.
    pub(crate) unassigned: u64,
    /// Packets that the span of times does not hold because they have none.
    pub(crate) untimed: u64,
    /// Files that were left.
    pub(crate) files: usize,
    /// What captures say about themselves: the different ones.
    pub(crate) formats: Vec<Format>,
    /// The different interfaces of captures.
    pub(crate) interfaces: Vec<Interface>,
    /// Whether there are more interfaces in a file than those.
    pub(crate) has_more_interfaces: bool,
    /// Compressions around records: the different ones.
    pub(crate) compressions: Vec<Compression>,
    /// What could not be read of the files that were left.
    pub(crate) damage: DamageLog,
    /// Whether any packet or record could be read.
    readable: bool,
}

/// What a step meets.
pub(crate) enum Met<'w> {
    /// A packet, and its headers, if it has any.
    Packet(Packet<'w>, Option<Headers<'w>>),
    /// A record, which is the reader's current one.
    Record(&'w RecordReader),
}

enum Stream {
    Capture(Box<PacketReader>),
    Records(Box<RecordReader>),
}

impl Walk {
    /// Opens the first file; the others are opened when their turn comes.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, does not hold the keys, or has no times to select by.
    pub(crate) fn open(input: Input, kinds: Kinds) -> Result<Self, TraceError> {
        let files = input.files.clone().into_iter();
        let mut walk = Walk { input, kinds, files, current: None, seen: Seen::default() };
        walk.open_next()?;
        Ok(walk)
    }

    /// Goes to the next packet that the span holds, or to the next record, and gives what is made of it; `None` at the
    /// end of what can be read.
    ///
    /// # Errors
    ///
    /// If the next file cannot be opened, or nothing of all of them can be read.
    #[inline(always)]
    pub(crate) fn step<T>(
        &mut self,
        make: impl FnOnce(Met<'_>) -> T,
    ) -> Result<Option<T>, TraceError> {
        let met = loop {
            let (true, Some((_, stream))) =
                (self.input.span.goes_on(self.seen.packets), &mut self.current)
            else {
                self.leave();
                return Ok(None);
            };
            match stream {
                Stream::Capture(reader) => match reader.next_packet() {
                    Some(packet) if self.input.span.holds(packet.timestamp) => {
                        let headers = packet.headers();
                        if headers.is_none() {
                            self.seen.unread.add(packet.unread().unwrap_or(Unread::NotIp));
                        }
                        break Met::Packet(packet, headers);
                    }
                    Some(packet) => self.seen.untimed += u64::from(packet.timestamp.is_none()),
                    None => self.open_next()?,
                },
                Stream::Records(reader) => match reader.advance() {
                    true => break Met::Record(reader),
                    false => self.open_next()?,
                },
            }
        };
        self.seen.packets += 1;
        Ok(Some(make(met)))
    }

    #[cold]
    fn open_next(&mut self) -> Result<(), TraceError> {
        self.leave();
        match self.files.next() {
            Some(file) => {
                let stream = self.stream(&file)?;
                self.current = Some((file, stream));
                Ok(())
            }
            None => self.input.refuse_nothing(self.seen.readable, &self.seen.damage),
        }
    }

    fn stream(&mut self, file: &PathBuf) -> Result<Stream, TraceError> {
        let Input { layout, decoding, span, .. } = &self.input;
        let Some(layout) = *layout else {
            return Ok(Stream::Capture(Box::new(open_with(file, decoding)?)));
        };
        if span.is_of_times() {
            return Err(TraceError::NoTimes { path: file.clone() });
        }
        let reader = match &self.kinds {
            Kinds::OfFirst => RecordReader::open_for_all(file, layout, decoding)?,
            Kinds::Only(kinds) => RecordReader::open(file, layout, kinds, decoding)?,
        };
        self.kinds = Kinds::Only(reader.kinds().collect());
        Ok(Stream::Records(Box::new(reader)))
    }

    /// Takes over what is to be said of the current file.
    fn leave(&mut self) {
        let Some((file, stream)) = self.current.take() else { return };
        let seen = &mut self.seen;
        seen.files += 1;
        let log = match &stream {
            Stream::Capture(reader) => {
                seen.readable |= reader.is_readable();
                add_once(&mut seen.formats, reader.format());
                for &interface in reader.interfaces() {
                    add_once(&mut seen.interfaces, interface);
                }
                seen.has_more_interfaces |= reader.has_more_interfaces();
                reader.damage_log()
            }
            Stream::Records(reader) => {
                seen.readable |= reader.sound() > 0;
                seen.unassigned += reader.unassigned();
                add_once(&mut seen.compressions, reader.compression());
                reader.damage_log()
            }
        };
        match self.input.files.len() {
            1 => seen.damage = log.clone(),
            _ => seen.damage.add_file(&file, log),
        }
    }

    /// The keys of records that are read, in their order; none of a capture whose keys are all read.
    pub(crate) fn kinds(&self) -> &[KeyKind] {
        match &self.kinds {
            Kinds::OfFirst => &[],
            Kinds::Only(kinds) => kinds,
        }
    }

    /// What was met so far; complete once [`step`](Self::step) gave `None`.
    pub(crate) fn seen(&self) -> &Seen {
        &self.seen
    }

    /// What was met.
    pub(crate) fn into_seen(self) -> Seen {
        self.seen
    }
}

fn add_once<T: PartialEq>(all: &mut Vec<T>, one: T) {
    if !all.contains(&one) {
        all.push(one);
    }
}
