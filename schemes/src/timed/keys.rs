//! The keys of a structure that is timed.

use super::Untimed;
use super::key::fits;
use crate::keys::{Arrivals, KeySource, Made, Packets, Places, TraceKeys};

/// Absent keys that a table is asked for in turn, unless it has fewer elements: their buckets fill the caches.
pub(crate) const ABSENT: u32 = 1_000_000;

/// Keys in memory, and which of them are stored.
///
/// Elements are inserted in the order of their keys and deleted in the same order, the first one again after the
/// last.
#[derive(Debug)]
pub struct TimedKeys {
    /// The keys of the elements; of a stream the packets, and behind them the flows that are asked for.
    stored: Ring,
    /// How many of these arrive.
    arrivals: usize,
    /// The first of these that is asked for.
    known: usize,
    absent: Ring,
    /// Elements that are stored.
    present: u64,
    /// The element that is inserted next.
    arriving: usize,
    /// The element that is deleted next: of those that are stored, the first that came.
    leaving: usize,
    /// The element that is asked for next.
    asked: usize,
    /// The absent key that is asked for next.
    asked_absent: usize,
}

impl TimedKeys {
    /// Bytes of a key with its number.
    pub const BYTES_PER_KEY: u64 = 20;

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
        while (strangers.count as u64) < absent {
            let Some(key) = arrivals.stranger() else { break };
            strangers.push(key);
        }
        Some(Self::new(stored.ring()?, strangers.ring().unwrap_or_default()))
    }

    /// Elements that are asked for as they arrive.
    fn new(stored: Ring, absent: Ring) -> Self {
        let (arrivals, known) = (stored.len(), 0);
        let (present, arriving, leaving, asked, asked_absent) = (0, 0, 0, 0, 0);
        Self { stored, arrivals, known, absent, present, arriving, leaving, asked, asked_absent }
    }

    /// The packets of a stream in place of elements: each of them arrives with the key of its flow, which is the element
    /// of that number here. Asked for are the flows that have a packet, each in turn.
    ///
    /// `None` where a packet is of no element.
    pub(crate) fn streaming(self, packets: &[u32]) -> Option<Self> {
        let flows = self.stored.keys.as_ref()?;
        let mut has_packet = vec![false; flows.packets()];
        let mut stored = Drawn::default();
        for &flow in packets {
            *has_packet.get_mut(flow as usize)? = true;
            stored.push(flows.key(flow as usize));
        }
        let known = (0..flows.packets()).filter(|&flow| has_packet[flow]);
        known.for_each(|flow| stored.push(flows.key(flow)));
        let (arrivals, known) = (packets.len(), packets.len());
        Some(Self { arrivals, known, asked: known, ..Self::new(stored.ring()?, self.absent) })
    }

    /// As [`of`](Self::of), of keys that fit into slots, with their width.
    ///
    /// # Errors
    /// Where a trace has too few different keys, or these are not of one width, or wider than a slot.
    pub(crate) fn in_slots(
        source: &KeySource,
        elements: u32,
        absent: u64,
        seed: u64,
    ) -> Result<(Self, usize), Untimed> {
        let keys = Self::of(source, elements, absent, seed).ok_or(Untimed::TOO_FEW_KEYS)?;
        let width = keys.width().filter(|&width| fits(width)).ok_or(Untimed::TOO_WIDE)?;
        Ok((keys, width))
    }

    /// Keys to be stored.
    pub fn elements(&self) -> u64 {
        self.arrivals as u64
    }

    /// Bytes of each key to be stored; `None` where they differ.
    pub fn width(&self) -> Option<usize> {
        self.stored.keys.as_ref().and_then(TraceKeys::width)
    }

    /// Keys that are absent.
    pub fn absent(&self) -> u64 {
        self.absent.len() as u64
    }

    /// Takes note that nothing is stored any more: the next to be inserted is the first element.
    pub fn clear(&mut self) {
        (self.present, self.arriving, self.leaving, self.asked) = (0, 0, 0, self.known);
    }

    /// Takes note that at most so many elements arrive, those that are stored not among them: how many do. Each of
    /// them is [`next_arriving`](Self::next_arriving).
    ///
    /// Here as everywhere a loop asks for one key after the other: one that is handed over would be called for each,
    /// which takes longer than a look-up.
    pub fn arrive(&mut self, count: u64) -> u64 {
        let count = count.min(self.elements() - self.present);
        self.present += count;
        count
    }

    /// The next element to be inserted.
    #[inline(always)]
    pub fn next_arriving(&mut self) -> &[u8] {
        self.stored.next(&mut self.arriving, 0, self.arrivals)
    }

    /// Takes note that at most so many of the elements that are stored leave: how many do. Each of them is
    /// [`next_leaving`](Self::next_leaving).
    pub fn leave(&mut self, count: u64) -> u64 {
        let count = count.min(self.present);
        self.present -= count;
        count
    }

    /// The next element to be deleted.
    #[inline(always)]
    pub fn next_leaving(&mut self) -> &[u8] {
        self.stored.next(&mut self.leaving, 0, self.arrivals)
    }

    /// The elements that are asked for next, stored or not, or the absent keys: one after the other, from where the last
    /// of them were left.
    pub fn asked(&mut self, absent: bool) -> Asked<'_> {
        let (ring, place, first) = match absent {
            false => (&self.stored, &mut self.asked, self.known),
            true => (&self.absent, &mut self.asked_absent, 0),
        };
        Asked { ring, place, first, end: ring.len() }
    }
}

/// Keys that are asked for in turn, the first one again after the last, without end; empty ones where there are none.
#[derive(Debug)]
pub struct Asked<'k> {
    ring: &'k Ring,
    place: &'k mut usize,
    first: usize,
    end: usize,
}

impl<'k> Iterator for Asked<'k> {
    type Item = &'k [u8];

    #[inline(always)]
    fn next(&mut self) -> Option<&'k [u8]> {
        Some(self.ring.next(self.place, self.first, self.end))
    }
}

/// Keys that are being drawn.
#[derive(Debug, Default)]
struct Drawn {
    bytes: Vec<u8>,
    count: usize,
    /// The end of each key, from the first on that is not as wide as those before.
    ends: Option<Vec<usize>>,
}

impl Drawn {
    fn push(&mut self, key: &[u8]) {
        let (before, count) = (self.bytes.len(), self.count);
        self.bytes.extend_from_slice(key);
        self.count += 1;
        if self.ends.is_none() && count > 0 && key.len() != before / count {
            self.ends = Some((1..=count).map(|key| key * (before / count)).collect());
        }
        if let Some(ends) = &mut self.ends {
            ends.push(self.bytes.len());
        }
    }

    /// The keys; `None` where they have no bytes.
    fn ring(self) -> Option<Ring> {
        let Self { bytes, count, ends } = self;
        if bytes.is_empty() {
            return None;
        }
        let places = ends.map_or_else(|| Places::Width(bytes.len() / count), Places::Ends);
        let ids = (0..).take(count).collect();
        Some(Ring { keys: TraceKeys::new(bytes, places, ids) })
    }
}

/// Keys that begin anew after the last one.
#[derive(Debug, Default)]
struct Ring {
    keys: Option<TraceKeys>,
}

impl Ring {
    fn len(&self) -> usize {
        self.keys.as_ref().map_or(0, TraceKeys::packets)
    }

    /// The key at a place, which goes on to the next one: from the last one before `end` to `first`.
    #[inline(always)]
    fn next(&self, place: &mut usize, first: usize, end: usize) -> &[u8] {
        let Some(keys) = &self.keys else { return &[] };
        let own = *place;
        *place = if own + 1 == end { first } else { own + 1 };
        keys.key(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Keyless;

    fn counted(elements: u32, absent: u64) -> TimedKeys {
        let mut made = Made::new(true);
        made.begin(1);
        TimedKeys::draw(&mut made, elements, absent).unwrap()
    }

    #[test]
    fn keys_are_asked_for_in_order_and_begin_anew() {
        let mut keys = counted(3, 2);
        let mut seen = Vec::new();
        seen.extend(keys.asked(false).take(7).map(|key| key[15]));
        assert_eq!(seen, [0, 1, 2, 0, 1, 2, 0]);
        assert_eq!((keys.elements(), keys.absent(), keys.width()), (3, 2, Some(16)));
        keys.clear();
        seen.extend(keys.asked(false).take(3).map(|key| key[15]));
        assert_eq!(seen[7..], [0, 1, 2]);
        let strangers: Vec<&[u8]> = keys.asked(true).take(3).collect();
        assert_eq!(strangers[0], strangers[2]);
        assert!(strangers[0][7] == 1 && strangers[1] != strangers[0]);
    }

    /// Whoever fills up what deletions left finds the elements in another order, but each of them once.
    #[test]
    fn what_came_first_leaves_first() {
        let mut keys = counted(5, 0);
        let mut log = Vec::new();
        let mut come = |keys: &mut TimedKeys, expected| {
            assert_eq!(keys.arrive(9), expected);
            (0..expected).for_each(|_| log.push(keys.next_arriving()[15]));
        };
        let mut gone = Vec::new();
        let mut go = |keys: &mut TimedKeys, count, expected| {
            assert_eq!(keys.leave(count), expected);
            (0..expected).for_each(|_| gone.push(keys.next_leaving()[15]));
        };
        go(&mut keys, 9, 0);
        come(&mut keys, 5);
        come(&mut keys, 0);
        go(&mut keys, 2, 2);
        come(&mut keys, 2);
        go(&mut keys, 9, 5);
        assert_eq!(log, [0, 1, 2, 3, 4, 0, 1]);
        assert_eq!(gone, [0, 1, 2, 3, 4, 0, 1]);
    }

    #[test]
    fn keys_of_several_widths_keep_them() {
        let trace: TraceKeys = [&b"aa"[..], b"bb", b"ccc", b"d"].into_iter().collect();
        let mut packets = Packets::new(&trace, false, false, 3);
        packets.begin(1);
        let mut keys = TimedKeys::draw(&mut packets, 3, 9).unwrap();
        let mut seen: Vec<Vec<u8>> = keys.asked(false).take(3).map(<[u8]>::to_vec).collect();
        seen.extend(keys.asked(true).take(1).map(<[u8]>::to_vec));
        assert_eq!(seen, [&b"aa"[..], b"bb", b"ccc", b"d"]);
        assert_eq!((keys.absent(), keys.width()), (1, None));
    }

    /// Packets of a flow have its key; each flow with a packet is asked for once in a turn.
    #[test]
    fn packets_repeat_and_flows_do_not() {
        let mut keys = counted(4, 1).streaming(&[3, 0, 3, 3, 1]).unwrap();
        assert_eq!((keys.elements(), keys.arrive(9), keys.absent()), (5, 5, 1));
        let mut arrived = Vec::new();
        (0..5).for_each(|_| arrived.push(keys.next_arriving()[15]));
        assert_eq!(arrived, [3, 0, 3, 3, 1]);
        let asked = |keys: &mut TimedKeys| -> Vec<u8> {
            keys.asked(false).take(4).map(|key| key[15]).collect()
        };
        assert_eq!(asked(&mut keys), [0, 1, 3, 0]);
        keys.clear();
        assert_eq!((asked(&mut keys), keys.next_arriving()[15]), (vec![0, 1, 3, 0], 3));
        assert!(counted(4, 1).streaming(&[4]).is_none());
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
        assert_eq!(keys.asked(false).take(2).collect::<Vec<_>>(), [b"a", b"b"]);
        assert_eq!((keys.elements(), keys.absent()), (2, 1));
        assert!(drawn(4).is_none(), "only three keys differ");
    }

    #[test]
    fn without_bytes_there_are_no_keys() {
        assert!(TimedKeys::draw(&mut Keyless, 3, 3).is_none());
    }
}
