//! The keys of a structure that is timed.

use crate::keys::{Arrivals, KeySource, Made, Packets, Places, TraceKeys};

/// Keys in memory, in the order in which they are used.
#[derive(Debug)]
pub struct TimedKeys {
    stored: Ring,
    absent: Ring,
}

impl TimedKeys {
    /// Bytes of a key with its place and its number, about.
    pub const BYTES_PER_KEY: u64 = 28;

    /// The keys of a trial of this seed, all of them different: of a trace, packets whose key an earlier one has are
    /// passed over, as an insertion is that of a key that is not yet there.
    pub fn of(source: &KeySource, elements: u32, absent: u64, seed: u64) -> Option<Self> {
        match source {
            KeySource::Trace { keys, shuffled, .. } => {
                let mut packets = Packets::new(keys, false, *shuffled, elements);
                packets.begin(seed);
                Self::draw(&mut packets, elements, absent)
            }
            KeySource::Random | KeySource::Sequential => {
                let mut made = Made::new(matches!(source, KeySource::Sequential));
                made.begin(seed);
                Self::draw(&mut made, elements, absent)
            }
        }
    }

    /// The first keys that arrive, each once, and at most so many that are not among them. `None` where fewer than
    /// `elements` are different, or where keys have no bytes, as where nobody looks at them.
    pub fn draw<A: Arrivals>(arrivals: &mut A, elements: u32, absent: u64) -> Option<Self> {
        let mut stored = Drawn::default();
        for element in 0..elements {
            stored.push(arrivals.newcomer(element)?);
        }
        let mut strangers = Drawn::default();
        while (strangers.ends.len() as u64) < absent {
            let Some(key) = arrivals.stranger() else { break };
            strangers.push(key);
        }
        Some(Self { stored: stored.ring()?, absent: strangers.ring().unwrap_or_default() })
    }

    /// Keys to be stored.
    pub fn elements(&self) -> u64 {
        self.stored.len() as u64
    }

    /// Keys that are absent.
    pub fn absent(&self) -> u64 {
        self.absent.len() as u64
    }

    /// Goes back to the first of the stored keys.
    pub fn rewind_stored(&mut self) {
        self.stored.next = 0;
    }

    /// The next of the stored keys, and the first one again after the last.
    ///
    /// A loop asks for one key after the other: one that is handed over would be called for each, which takes longer
    /// than a look-up.
    #[inline(always)]
    pub fn next_stored(&mut self) -> &[u8] {
        self.stored.next_key()
    }

    /// Likewise of the absent keys; an empty one where there is none.
    #[inline(always)]
    pub fn next_absent(&mut self) -> &[u8] {
        self.absent.next_key()
    }
}

/// Keys that are being drawn.
#[derive(Debug, Default)]
struct Drawn {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Drawn {
    fn push(&mut self, key: &[u8]) {
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len());
    }

    /// The keys, of which the width is kept once where it is the same for all.
    fn ring(self) -> Option<Ring> {
        let Self { bytes, ends } = self;
        let count = ends.len();
        let width = ends.first().copied().filter(|&width| width > 0)?;
        let is_even = ends.iter().enumerate().all(|(key, &end)| end == (key + 1) * width);
        let places = if is_even { Places::Width(width) } else { Places::Ends(ends) };
        let keys = TraceKeys::new(bytes, places, (0..).take(count).collect());
        Some(Ring { keys, next: 0 })
    }
}

/// Keys that begin anew after the last one.
#[derive(Debug, Default)]
struct Ring {
    keys: Option<TraceKeys>,
    next: usize,
}

impl Ring {
    fn len(&self) -> usize {
        self.keys.as_ref().map_or(0, TraceKeys::packets)
    }

    #[inline(always)]
    fn next_key(&mut self) -> &[u8] {
        let Some(keys) = &self.keys else { return &[] };
        let key = self.next;
        self.next = if key + 1 == keys.packets() { 0 } else { key + 1 };
        keys.key(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Keyless;

    #[test]
    fn keys_come_in_order_and_begin_anew() {
        let mut made = Made::new(true);
        made.begin(1);
        let mut keys = TimedKeys::draw(&mut made, 3, 2).unwrap();
        let mut seen = Vec::new();
        (0..7).for_each(|_| seen.push(keys.next_stored()[15]));
        assert_eq!(seen, [0, 1, 2, 0, 1, 2, 0]);
        assert_eq!((keys.elements(), keys.absent()), (3, 2));
        keys.rewind_stored();
        (0..3).for_each(|_| seen.push(keys.next_stored()[15]));
        assert_eq!(seen[7..], [0, 1, 2]);
        let mut strangers = Vec::new();
        (0..3).for_each(|_| strangers.push(keys.next_absent().to_vec()));
        assert_eq!(strangers[0], strangers[2]);
        assert!(strangers[0][7] == 1 && strangers[1] != strangers[0]);
    }

    #[test]
    fn keys_of_several_widths_keep_them() {
        let trace: TraceKeys = [&b"a"[..], b"bb", b"ccc", b"dd"].into_iter().collect();
        let mut packets = Packets::new(&trace, false, false, 2);
        packets.begin(1);
        let mut keys = TimedKeys::draw(&mut packets, 2, 9).unwrap();
        let mut seen: Vec<Vec<u8>> = Vec::new();
        (0..2).for_each(|_| seen.push(keys.next_stored().to_vec()));
        (0..2).for_each(|_| seen.push(keys.next_absent().to_vec()));
        assert_eq!(seen, [&b"a"[..], b"bb", b"dd", b"ccc"]);
        assert_eq!(keys.absent(), 2);
    }

    #[test]
    fn no_key_is_stored_twice() {
        let trace: TraceKeys =
            [b"a", b"a", b"b", b"a", b"c"].map(|key| &key[..]).into_iter().collect();
        let drawn = |elements| {
            let mut packets = Packets::new(&trace, false, false, elements);
            packets.begin(1);
            TimedKeys::draw(&mut packets, elements, 9)
        };
        let mut keys = drawn(2).unwrap();
        assert_eq!([keys.next_stored().to_vec(), keys.next_stored().to_vec()], [b"a", b"b"]);
        assert_eq!((keys.elements(), keys.absent()), (2, 1));
        assert!(drawn(4).is_none(), "only three keys differ");
    }

    #[test]
    fn without_bytes_there_are_no_keys() {
        assert!(TimedKeys::draw(&mut Keyless, 3, 3).is_none());
    }
}
