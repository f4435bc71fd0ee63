//! The interpolation-search summary: a sorted array of strings of b bits, each with the type of its element.

/// Bits that a type takes: 1 to 8 sub-tables.
pub(super) const TYPE_BITS: u32 = 3;

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The type that stands beside the string, from 1; `None` where the string is not there.
    pub(super) kind: Option<u8>,
    /// Entries that were read.
    pub(super) probes: u32,
}

/// Strings of at most 61 bits with types, each pair in one word.
#[derive(Debug, Clone)]
pub struct Strings {
    bits: u32,
    /// In ascending order once they are [sorted](Self::sort): the string in front, the type behind it.
    entries: Vec<u64>,
    /// What sorting works in: where the next entry of each part of the range belongs, and the entries dealt out to them.
    begins: Vec<u32>,
    dealt: Vec<u64>,
}

impl Strings {
    /// No strings of so many bits, with room for `elements`.
    pub(super) fn new(bits: u32, elements: u32) -> Self {
        let entries = Vec::with_capacity(elements as usize);
        Self { bits, entries, begins: Vec::new(), dealt: Vec::new() }
    }

    /// Empties it.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Adds a string without putting it in order.
    pub(super) fn push(&mut self, string: u64, kind: u8) {
        self.entries.push(entry(string, kind));
    }

    /// Puts what was pushed in order. Strings are spread evenly: dealt out to about as many equal parts of their range as
    /// there are strings, hardly any is far from its place.
    pub(super) fn sort(&mut self) {
        if self.entries.len() < 2 {
            return;
        }
        let parts = self.entries.len().next_power_of_two();
        let shift = (self.bits + TYPE_BITS).saturating_sub(parts.trailing_zeros());
        let part_of = |entry: u64| (entry >> shift) as usize;
        let Self { entries, begins, dealt, .. } = self;
        begins.clear();
        begins.resize(parts, 0);
        for &entry in &*entries {
            begins[part_of(entry)] += 1;
        }
        if begins.iter().any(|&strings| strings > CROWDED) {
            return entries.sort_unstable();
        }
        let mut before = 0;
        for begin in &mut begins[..] {
            before += std::mem::replace(begin, before);
        }
        dealt.clear();
        dealt.resize(entries.len(), 0);
        for &entry in &*entries {
            let begin = &mut begins[part_of(entry)];
            dealt[*begin as usize] = entry;
            *begin += 1;
        }
        insert_all(dealt);
        std::mem::swap(entries, dealt);
    }

    /// All strings.
    pub(super) fn iter(&self) -> impl Iterator<Item = u64> {
        self.entries.iter().map(|&entry| string_of(entry))
    }

    /// Counts, of each type from 1 on, the elements whose string another element has.
    pub(super) fn count_shared(&self, of_types: &mut [u32]) {
        for run in self.runs().filter(|run| run.len() > 1) {
            run.iter().for_each(|&entry| of_types[usize::from(kind_of(entry)) - 1] += 1);
        }
    }

    /// The entries of each string.
    fn runs(&self) -> impl Iterator<Item = &[u64]> {
        self.entries.chunk_by(|first, second| string_of(*first) == string_of(*second))
    }

    /// Adds a string at its place; those behind it are copied.
    pub(super) fn insert(&mut self, string: u64, kind: u8) {
        let entry = entry(string, kind);
        let place = self.entries.partition_point(|own| *own < entry);
        self.entries.insert(place, entry);
    }

    /// Takes a string of this type out, once; those behind it are copied.
    pub(super) fn remove(&mut self, string: u64, kind: u8) {
        if let Ok(place) = self.entries.binary_search(&entry(string, kind)) {
            self.entries.remove(place);
        }
    }

    /// How many different strings there are.
    pub(super) fn distinct(&self) -> u32 {
        let differ = |pair: &&[u64]| string_of(pair[0]) != string_of(pair[1]);
        let behind_the_first = self.entries.windows(2).filter(differ).count();
        behind_the_first as u32 + u32::from(!self.entries.is_empty())
    }

    /// Whether several elements have this string.
    pub(super) fn is_shared(&self, string: u64) -> bool {
        let place = self.entries.partition_point(|own| string_of(*own) < string);
        self.entries.get(place + 1).is_some_and(|own| string_of(*own) == string)
    }

    /// Looks for a string by interpolation: between the ends of what is left, the entry is read at which the string
    /// would stand if they were evenly spaced (Section 4.6).
    pub(super) fn find(&self, string: u64) -> Found {
        // The entry before the first and the one behind the last are taken to be the ends of the range of strings.
        let (mut first, mut end) = (0, self.entries.len());
        let (mut least, mut beyond) = (0_u64, 1_u64 << self.bits);
        let mut probes = 0;
        while first < end && (least..beyond).contains(&string) {
            let share = u128::from(string - least) * (end - first) as u128;
            let place = first + (share / u128::from(beyond - least)) as usize;
            probes += 1;
            let own = string_of(self.entries[place]);
            match own.cmp(&string) {
                std::cmp::Ordering::Equal => {
                    return Found { kind: Some(kind_of(self.entries[place])), probes };
                }
                std::cmp::Ordering::Less => (first, least) = (place + 1, own),
                std::cmp::Ordering::Greater => (end, beyond) = (place, own),
            }
        }
        Found { kind: None, probes }
    }
}

/// Strings in a part above which they are too unevenly spread to be sorted one by one.
const CROWDED: u32 = 64;

/// Puts entries in order, each of which is near its place.
fn insert_all(entries: &mut [u64]) {
    for place in 1..entries.len() {
        let (entry, mut free) = (entries[place], place);
        while free > 0 && entries[free - 1] > entry {
            entries[free] = entries[free - 1];
            free -= 1;
        }
        entries[free] = entry;
    }
}

fn entry(string: u64, kind: u8) -> u64 {
    string << TYPE_BITS | u64::from(kind - 1)
}

fn string_of(entry: u64) -> u64 {
    entry >> TYPE_BITS
}

fn kind_of(entry: u64) -> u8 {
    (entry & ((1 << TYPE_BITS) - 1)) as u8 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use rand::{Rng as _, SeedableRng};
    use std::collections::BTreeMap;
    use std::collections::btree_map::Entry;

    /// Each string is found with its type and no other is, whatever they are: even, crowded at an end, or few.
    #[test]
    fn finds_what_is_there_and_nothing_else() {
        let mut rng = Rng::seed_from_u64(3);
        for (bits, number, narrow) in
            [(61, 1000, 0), (61, 1000, 40), (12, 900, 0), (1, 2, 0), (20, 0, 0)]
        {
            let mut known = BTreeMap::new();
            let mut strings = Strings::new(bits, 16);
            for _ in 0..number {
                let (string, kind) =
                    (rng.next_u64() >> (64 - bits + narrow), (rng.next_u64() % 8) as u8 + 1);
                if let Entry::Vacant(place) = known.entry(string) {
                    place.insert(kind);
                    strings.push(string, kind);
                }
            }
            strings.sort();
            assert_eq!(strings.distinct() as usize, known.len());
            for (&string, &kind) in &known {
                assert_eq!(strings.find(string).kind, Some(kind));
            }
            for _ in 0..1000 {
                let string = rng.next_u64() >> (64 - bits);
                assert_eq!(strings.find(string).kind, known.get(&string).copied());
            }
        }
    }

    /// Whatever the strings are, they are put in order: few bits, all of them near each other, equal ones, one and none.
    #[test]
    fn all_strings_are_sorted() {
        let mut rng = Rng::seed_from_u64(9);
        for (bits, number, narrow) in [
            (61, 5000, 0),
            (61, 1000, 50),
            (26, 10_000, 0),
            (3, 700, 0),
            (1, 40, 0),
            (61, 1, 0),
            (9, 0, 0),
        ] {
            let mut strings = Strings::new(bits, number);
            for pass in 0..2 {
                strings.clear();
                for _ in 0..number + pass {
                    strings.push(
                        rng.next_u64() >> (64 - bits + narrow),
                        (rng.next_u64() % 8) as u8 + 1,
                    );
                }
                let mut expected = strings.entries.clone();
                expected.sort_unstable();
                strings.sort();
                assert_eq!(strings.entries, expected);
            }
        }
    }

    #[test]
    fn shared_strings_are_counted_for_each_type() {
        let mut strings = Strings::new(8, 6);
        for (string, kind) in [(9, 1), (4, 2), (9, 3), (200, 3), (9, 3), (4, 1)] {
            strings.push(string, kind);
        }
        strings.sort();
        let mut of_types = [0; 3];
        strings.count_shared(&mut of_types);
        assert_eq!((of_types, strings.distinct()), ([2, 1, 2], 3));
        assert_eq!(strings.iter().collect::<Vec<_>>(), [4, 4, 9, 9, 9, 200]);
    }

    /// Of evenly spread strings lg lg n entries are read on average, give or take a few.
    #[test]
    fn few_entries_are_read() {
        let mut rng = Rng::seed_from_u64(4);
        let mut strings = Strings::new(61, 1 << 16);
        (0..1 << 16).for_each(|_| strings.push(rng.next_u64() >> 3, 1));
        strings.sort();
        let probes: u32 = (0..10_000).map(|_| strings.find(rng.next_u64() >> 3).probes).sum();
        assert!((2.0..6.0).contains(&(f64::from(probes) / 10_000.0)), "{probes}");
    }

    #[test]
    fn strings_come_and_go() {
        let mut strings = Strings::new(8, 4);
        for (string, kind) in [(200, 8), (3, 1), (90, 2), (90, 3), (90, 1)] {
            strings.insert(string, kind);
        }
        assert_eq!((strings.distinct(), strings.find(200).kind), (3, Some(8)));
        assert!(strings.is_shared(90) && !strings.is_shared(200));
        strings.remove(90, 1);
        strings.remove(90, 3);
        assert_eq!((strings.is_shared(90), strings.find(90).kind), (false, Some(2)));
        strings.remove(90, 2);
        strings.remove(7, 1);
        strings.remove(3, 2);
        assert_eq!((strings.find(90).kind, strings.find(3).kind), (None, Some(1)));
    }
}
