//! The same with elements that move back from the overflow list.

use super::named_list::NamedList;
use super::rule_table::{RuleTable, Taken};
use super::table::{KeyTable, KeyTableVisitor};
use super::{Key, key};
use crate::hash::Source;
use crate::tables::cam::Cam;
use crate::tables::moving_back::{ReadBuckets, Upon};
use crate::tables::{Geometry, Rule, SubTable};

/// Elements for which a CAM has room at first. One for all of them would take more memory than their keys.
pub(in crate::tables) const FIRST_ROOM: u32 = 64;

/// Calls the visitor with the table of the rule, with or without moving back.
pub(in crate::tables) fn visit<R: Rule, V: KeyTableVisitor>(
    geometry: &Geometry,
    ranges: Vec<SubTable>,
    move_back: Option<Upon>,
    rule: R,
    visitor: V,
) -> V::Output {
    let buckets = geometry.buckets;
    let choices = ranges.len();
    let table = RuleTable::new(geometry, ranges, rule);
    let Some(upon) = move_back else { return visitor.visit(table) };
    let room = FIRST_ROOM;
    let cam = Cam::new(room, choices as u32, buckets);
    let read = ReadBuckets(Vec::with_capacity(choices));
    visitor.visit(MovingBack { table, cam, room, upon, read, list: NamedList::new() })
}

/// Keys where the rule `R` puts them, and the CAM of the overflow list, which finds a key for a bucket that has room.
struct MovingBack<R> {
    table: RuleTable<R>,
    cam: Cam,
    /// Elements for which the CAM has room.
    room: u32,
    upon: Upon,
    /// The buckets that the last insertion read.
    read: ReadBuckets,
    list: NamedList,
}

impl<R: Rule> MovingBack<R> {
    /// Moves the first key in the CAM that has this bucket, which has room, into it.
    fn look_up(&mut self, bucket: u32) {
        if let Some(number) = self.cam.take(bucket) {
            let key = self.list.take(number);
            self.table.move_back(key, bucket);
        }
    }

    /// Puts the key on the list and into the CAM, with the buckets that its insertion read.
    fn list(&mut self, key: Key) {
        let number = self.list.insert(key);
        if number == self.room {
            self.room *= 2;
            self.cam.reserve(self.room);
        }
        self.cam.insert(number, &self.read.0);
    }

    /// Deletes the key from the list and the CAM, if it is there.
    fn unlist(&mut self, key: Key) {
        if let Some(number) = self.list.remove(key) {
            self.cam.remove(number);
            self.table.unlist();
        }
    }

    /// Looks up each of the buckets read that has room, once.
    fn look_up_read(&mut self) {
        for i in 0..self.read.0.len() {
            let bucket = self.read.0[i];
            if !self.table.is_full(bucket) && !self.read.0[..i].contains(&bucket) {
                self.look_up(bucket);
            }
        }
    }
}

impl<R: Rule> KeyTable for MovingBack<R> {
    fn clear(&mut self, seed: u64) {
        self.table.clear(seed);
        self.cam.clear();
        self.list.clear();
    }

    #[inline(always)]
    fn insert<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let key = key(bytes);
        self.read.0.clear();
        self.table.count(source.element(bytes), &mut self.read);
        if !self.table.write(key) {
            self.list(key);
        }
        if self.upon == Upon::Insertion {
            self.look_up_read();
        }
    }

    #[inline(always)]
    fn contains<S: Source>(&self, bytes: &[u8], source: &mut S) -> bool {
        let key = key(bytes);
        self.table.holds(key, source.element(bytes)) || self.list.contains(key)
    }

    #[inline(always)]
    fn delete<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let key = key(bytes);
        match self.table.take(key, source.element(bytes)) {
            Some(Taken { bucket, was_full: true }) if self.upon == Upon::Deletion => {
                self.look_up(bucket);
            }
            Some(_) => {}
            None => self.unlist(key),
        }
    }

    fn overflow(&self) -> usize {
        self.table.listed()
    }

    fn bytes(&self) -> u64 {
        self.table.bytes_of_buckets() + self.list.bytes() + self.cam.bytes()
    }
}
