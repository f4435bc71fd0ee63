//! A table of a lane against one with elements in buckets.

use rand::{Rng as _, SeedableRng};

use super::tables::{FIRST, FULL, LISTED, Memory, NO_BUCKET};
use crate::Rng;
use crate::hash::reduce;

const D: usize = 3;

/// Buckets, of this size.
const M: u32 = 100;
const H: u8 = 2;

/// As many as are in the buckets and some 700 on the list, so that several wait for each bucket.
const N: u16 = 900;

/// Where each element is, a bucket or an entry of the list, and who is in each entry with its choices.
struct ByElement {
    places: Vec<u16>,
    entries: Vec<Option<(u16, Vec<u16>)>>,
}

impl ByElement {
    fn load(&self, bucket: u16) -> u8 {
        self.places.iter().filter(|&&place| place == bucket).count() as u8
    }

    /// An element departs; which one comes in its place, the number of whom is free then.
    fn depart(&mut self, element: u16) -> u16 {
        let place = self.places[usize::from(element)];
        self.places[usize::from(element)] = NO_BUCKET;
        if place >= LISTED {
            self.entries[usize::from(place - LISTED)] = None;
            return element;
        }
        let waits = |entry: &&mut Option<(u16, Vec<u16>)>| {
            entry.as_ref().is_some_and(|(_, own)| own.contains(&place))
        };
        let Some((back, _)) = self.entries.iter_mut().find(waits).and_then(Option::take) else {
            return element;
        };
        self.places[usize::from(element)] = place;
        self.places[usize::from(back)] = NO_BUCKET;
        back
    }

    fn arrive(&mut self, element: u16, own: &[u16]) {
        let with_room = own.iter().find(|&&bucket| bucket != NO_BUCKET && self.load(bucket) < H);
        let place = with_room.copied().unwrap_or_else(|| {
            let free = self.entries.iter().position(Option::is_none);
            let entry = free.unwrap_or(self.entries.len());
            self.entries.resize(self.entries.len().max(entry + 1), None);
            self.entries[entry] = Some((element, own.to_vec()));
            LISTED + entry as u16
        });
        self.places[usize::from(element)] = place;
    }
}

/// Round by round, in a lane that is not the first, after some elements without choices.
#[test]
fn a_table_is_one_of_elements_in_buckets() {
    let mut memory = Memory::default();
    memory.clear::<D>(N.into(), M, H);
    let mut lanes = memory.of_lanes::<D>();
    let mut table = lanes.table(5);
    let mut by_element = ByElement { places: vec![NO_BUCKET; N.into()], entries: Vec::new() };
    for element in 0..300 {
        table.wait_for_none(element);
        by_element.places[usize::from(element)] = LISTED + element;
        by_element.entries.push(Some((element, vec![NO_BUCKET; D])));
    }
    let mut rng = Rng::seed_from_u64(8);
    let mut searched = 0;
    for round in 0..8000_u16 {
        let element = match 300 + round {
            filling if filling < N => filling,
            _ => {
                let departing = reduce(rng.next_u64(), N.into()) as u16;
                let left = table.depart(departing);
                let place = table.place(departing);
                assert_eq!(left.was_full, place < LISTED && by_element.load(place) == H);
                let mut free = departing;
                if left.concerns_list {
                    let (mut entry, many) = table.lowest(place);
                    if many {
                        entry = table.search(place);
                        searched += 1;
                    }
                    let had_choices = by_element.entries[usize::from(entry)]
                        .as_ref()
                        .is_some_and(|(_, own)| own[0] != NO_BUCKET);
                    let waited;
                    (free, waited) = table.leave(entry);
                    assert_eq!(waited, had_choices);
                }
                assert_eq!(free, by_element.depart(departing));
                free
            }
        };
        let mut own = [NO_BUCKET; D];
        for i in 0..D {
            let bucket = FIRST + reduce(rng.next_u64(), M) as u16;
            if !own.contains(&bucket) {
                own[i] = bucket;
            }
        }
        by_element.arrive(element, &own);
        match own.iter().find(|&&bucket| table.load(bucket) < FULL) {
            Some(&bucket) => table.put(element, bucket, 1),
            None => _ = table.wait(element, own),
        }
        assert_eq!(table.place(element), by_element.places[usize::from(element)], "{round}");
        let last = by_element.entries.iter().rposition(Option::is_some);
        assert_eq!(table.extent(), last.map_or(0, |last| last as u32 + 1));
    }
    assert!(searched > 1000 && by_element.entries.len() > 600);
    let loads = table.loads(FIRST, M).iter().zip(FIRST..);
    loads.for_each(|(load, bucket)| assert_eq!(load - (FULL - H), by_element.load(bucket)));
}
