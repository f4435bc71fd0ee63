//! Files of flow-key records as a stream of keys.

mod form;
mod head;

use std::path::Path;

use crate::buffer::Buffer;
use crate::capture::cut;
use crate::damage::{DamageLog, Flaw};
use crate::error::TraceError;
use crate::key::KeyKind;
use crate::layout::Layout;
use crate::lines::{LONGEST_LINE, Line};
use crate::source::{Compression, Decoding};
use form::{Form, Key};
use head::Head;

/// A stream of the records in one file, in file order, and of their keys.
pub struct RecordReader {
    buffer: Buffer,
    form: Form,
    keys: Vec<Key>,
    compression: Compression,
    records: u64,
    sound: u64,
    unassigned: u64,
    damage: DamageLog,
    done: bool,
}

impl RecordReader {
    /// Opens a file of records, which may be compressed, for keys of some kinds.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, is empty or a capture, cannot be decompressed from its very
    /// beginning, or its records do not hold one of the keys.
    pub fn open(
        path: &Path,
        layout: Layout,
        kinds: &[KeyKind],
        decoding: &Decoding,
    ) -> Result<Self, TraceError> {
        let head = Head::open(path, layout, decoding)?;
        match kinds.iter().find(|&&kind| !head.gives(kind)) {
            None => Ok(Self::behind(head, kinds)),
            Some(&kind) => Err(head.lacks(path, kind)),
        }
    }

    /// Opens a file of records for all keys that they hold, the widest first; for addresses of one side
    /// only where they do not hold both.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), if its records hold no key.
    pub(crate) fn open_for_all(
        path: &Path,
        layout: Layout,
        decoding: &Decoding,
    ) -> Result<Self, TraceError> {
        use KeyKind::{Dst, FiveTuple, Src, SrcDst, TcpHeader};
        let head = Head::open(path, layout, decoding)?;
        let given = |kinds: &[KeyKind]| -> Vec<KeyKind> {
            kinds.iter().copied().filter(|&kind| head.gives(kind)).collect()
        };
        let (both_sides, one_side) = (given(&[TcpHeader, FiveTuple, SrcDst]), given(&[Src, Dst]));
        match (&both_sides[..], &one_side[..]) {
            ([], []) => Err(head.lacks(path, SrcDst)),
            ([], kinds) | (kinds, _) => Ok(Self::behind(head, kinds)),
        }
    }

    /// A reader of these keys, which the beginning gives.
    fn behind(head: Head, kinds: &[KeyKind]) -> Self {
        let keys: Vec<Key> = kinds.iter().copied().map(Key::of_kind).collect();
        let compression = head.compression;
        let (buffer, form) = head.into_form(&keys);
        RecordReader {
            buffer,
            form,
            keys,
            compression,
            records: 0,
            sound: 0,
            unassigned: 0,
            damage: DamageLog::default(),
            done: false,
        }
    }

    /// Goes to the next record; false at the end of what can be read.
    pub fn advance(&mut self) -> bool {
        if self.done {
            return false;
        }
        let Some(Line { length, is_whole }) = self.form.next(&mut self.buffer) else {
            self.end();
            return false;
        };
        self.records += 1;
        let record = &self.buffer.data()[..length];
        self.unassigned += u64::from(self.form.is_unassigned(record));
        let read = match is_whole {
            true => self.form.read(record, &mut self.keys),
            false => Err(Flaw::LongLine { longest: LONGEST_LINE as u64 }),
        };
        match read {
            Ok(()) => self.sound += 1,
            Err(flaw) => {
                self.keys.iter_mut().for_each(Key::clear);
                self.damage.add(self.records, self.buffer.offset(), flaw);
            }
        }
        self.form.pass(&mut self.buffer);
        true
    }

    fn end(&mut self) {
        self.done = true;
        let found = self.buffer.data().len() as u64;
        if found > 0 || self.buffer.failure().is_some() {
            let flaw = cut(&self.buffer, self.form.shortest() as u64, found);
            self.damage.add(self.records + 1, self.buffer.offset(), flaw);
        }
    }

    /// Which keys are read.
    pub fn kinds(&self) -> impl Iterator<Item = KeyKind> {
        self.keys.iter().map(|key| key.kind)
    }

    /// The keys of the current record, in the order of [`kinds`](Self::kinds); `None` where it has none,
    /// because it is no record, or not of TCP.
    pub fn keys(&self) -> impl Iterator<Item = Option<&[u8]>> {
        self.keys.iter().map(Key::bytes)
    }

    /// Whole records, or lines that are not blank, met so far.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// How many of them are records of the layout.
    pub fn sound(&self) -> u64 {
        self.sound
    }

    /// Binary records so far whose protocol has a number that is not assigned, as of a layout that
    /// does not fit.
    pub fn unassigned(&self) -> u64 {
        self.unassigned
    }

    /// What could not be read so far.
    pub fn damage_log(&self) -> &DamageLog {
        &self.damage
    }

    /// Compression around the records.
    pub fn compression(&self) -> Compression {
        self.compression
    }
}

/// Whether so many records with protocol numbers that are not assigned speak against the layout: more
/// than one in a hundred, where traffic has next to none and random bytes two in five.
pub(crate) fn misfit(unassigned: u64, records: u64) -> bool {
    unassigned > records / 100
}
