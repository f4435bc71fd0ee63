//! The keys of a trace one after the other, whatever its length.

use std::path::PathBuf;
use std::vec;

use crate::capture::{PacketReader, open_with};
use crate::damage::DamageLog;
use crate::error::TraceError;
use crate::input::Input;
use crate::key::{KeyKind, LONGEST_KEY};
use crate::records::{RecordReader, misfit};
use crate::unread::UnreadCounts;

/// A stream of the keys of all files of a trace. Memory does not grow with it.
pub struct KeyReader {
    input: Input,
    kind: KeyKind,
    files: vec::IntoIter<PathBuf>,
    current: Option<(PathBuf, Stream)>,
    key: [u8; LONGEST_KEY],
    counts: Counts,
}

/// What was met so far.
#[derive(Default)]
struct Counts {
    packets: u64,
    keys: u64,
    unread: UnreadCounts,
    unassigned: u64,
    untimed: u64,
    /// Whether any packet or record could be read.
    readable: bool,
    damage: DamageLog,
}

enum Stream {
    Capture(Box<PacketReader>),
    Records(Box<RecordReader>),
}

/// What a step in a stream met.
enum Step {
    Key(usize),
    WithoutKey,
    End,
}

impl KeyReader {
    /// Opens the first file; the others are opened when their turn comes.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, does not hold the key, or has no times to select by.
    pub fn open(input: Input, kind: KeyKind) -> Result<Self, TraceError> {
        let files = input.files.clone().into_iter();
        let (key, counts) = ([0; LONGEST_KEY], Counts::default());
        let mut reader = KeyReader { input, kind, files, current: None, key, counts };
        reader.open_next()?;
        Ok(reader)
    }

    /// The next packet's key, or `None` at the end of what can be read.
    ///
    /// # Errors
    ///
    /// If the next file cannot be opened, or nothing of all of them can be read.
    #[inline]
    pub fn next_key(&mut self) -> Result<Option<&[u8]>, TraceError> {
        let length = self.advance()?;
        Ok(length.map(|length| &self.key[..length]))
    }

    #[inline]
    fn advance(&mut self) -> Result<Option<usize>, TraceError> {
        while let (true, Some((_, stream))) =
            (self.input.span.goes_on(self.counts.packets), &mut self.current)
        {
            let step = match stream {
                Stream::Capture(reader) => {
                    of_capture(reader, &self.input, self.kind, &mut self.key, &mut self.counts)
                }
                Stream::Records(reader) => of_records(reader, &mut self.key, &mut self.counts),
            };
            match step {
                Step::Key(length) => {
                    self.counts.keys += 1;
                    return Ok(Some(length));
                }
                Step::WithoutKey => {}
                Step::End => self.open_next()?,
            }
        }
        self.close();
        Ok(None)
    }

    fn open_next(&mut self) -> Result<(), TraceError> {
        self.close();
        match self.files.next() {
            Some(file) => {
                let stream = self.stream(&file)?;
                self.current = Some((file, stream));
                Ok(())
            }
            None => self.input.refuse_nothing(self.counts.readable, &self.counts.damage),
        }
    }

    fn stream(&self, file: &PathBuf) -> Result<Stream, TraceError> {
        let Input { layout, decoding, span, .. } = &self.input;
        Ok(match layout {
            None => Stream::Capture(Box::new(open_with(file, decoding)?)),
            Some(_) if span.is_of_times() => {
                return Err(TraceError::NoTimes { path: file.clone() });
            }
            Some(layout) => Stream::Records(Box::new(RecordReader::open(
                file,
                *layout,
                &[self.kind],
                decoding,
            )?)),
        })
    }

    /// Takes over what is to be said of the file that was read.
    fn close(&mut self) {
        let Some((file, stream)) = self.current.take() else { return };
        let log = match &stream {
            Stream::Capture(reader) => {
                self.counts.readable |= reader.is_readable();
                reader.damage_log()
            }
            Stream::Records(reader) => {
                self.counts.readable |= reader.sound() > 0;
                self.counts.unassigned += reader.unassigned();
                reader.damage_log()
            }
        };
        match self.input.files.len() {
            1 => self.counts.damage = log.clone(),
            _ => self.counts.damage.add_file(&file, log),
        }
    }

    /// Packets, or records, read so far.
    pub fn packets(&self) -> u64 {
        self.counts.packets
    }

    /// Packets without a key so far.
    pub fn without_key(&self) -> u64 {
        self.counts.packets - self.counts.keys
    }

    /// What the packets without IP headers carry.
    pub fn unread(&self) -> &UnreadCounts {
        &self.counts.unread
    }

    /// Packets so far that the span of times does not hold because they have none.
    pub fn untimed(&self) -> u64 {
        self.counts.untimed
    }

    /// Whether the layout hardly fits, because many records have protocols that do not exist; complete
    /// as the damage is.
    pub fn layout_is_doubtful(&self) -> bool {
        misfit(self.counts.unassigned, self.counts.packets)
    }

    /// What could not be read of the files so far; complete once [`next_key`](Self::next_key) gave
    /// `None`.
    pub fn damage_log(&self) -> &DamageLog {
        &self.counts.damage
    }
}

#[inline]
fn of_capture(
    reader: &mut PacketReader,
    input: &Input,
    kind: KeyKind,
    key: &mut [u8; LONGEST_KEY],
    counts: &mut Counts,
) -> Step {
    let Some(packet) = reader.next_packet() else { return Step::End };
    if !input.span.holds(packet.timestamp) {
        counts.untimed += u64::from(packet.timestamp.is_none());
        return Step::WithoutKey;
    }
    counts.packets += 1;
    let Some(headers) = packet.headers() else {
        packet.unread().into_iter().for_each(|unread| counts.unread.add(unread));
        return Step::WithoutKey;
    };
    kind.of(&headers, key).map_or(Step::WithoutKey, |key| Step::Key(key.len()))
}

fn of_records(
    reader: &mut RecordReader,
    room: &mut [u8; LONGEST_KEY],
    counts: &mut Counts,
) -> Step {
    if !reader.advance() {
        return Step::End;
    }
    counts.packets += 1;
    let Some(Some(key)) = reader.keys().next() else { return Step::WithoutKey };
    room[..key.len()].copy_from_slice(key);
    Step::Key(key.len())
}
