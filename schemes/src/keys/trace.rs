//! The keys of a trace in memory.

/// The packets of a trace as a workload uses them: one key each, in capture order.
#[derive(Debug)]
pub struct TraceKeys {
    bytes: Vec<u8>,
    places: Places,
    /// Which of the distinct keys each packet carries.
    ids: Vec<u32>,
    distinct: usize,
    lengths: Option<Vec<u32>>,
    times: Option<Vec<u64>>,
}

/// What of the packets of a trace is taken beside their keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Attributes {
    /// Their lengths.
    pub lengths: bool,
    /// Their times.
    pub times: bool,
}

impl Attributes {
    /// What one of the two takes.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { lengths: self.lengths || other.lengths, times: self.times || other.times }
    }
}

/// Where each key lies in the bytes of all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Places {
    /// All keys have this width.
    Width(usize),
    /// The end of each key.
    Ends(Vec<usize>),
}

impl TraceKeys {
    /// Every packet, repeated keys included: the bytes of their keys one after the other, where each
    /// lies, and which of the distinct keys it is, numbered in the order of first occurrence. `None`
    /// where there is no packet.
    ///
    /// The three must belong together: as many places as numbers.
    pub fn new(bytes: Vec<u8>, places: Places, ids: Vec<u32>) -> Option<Self> {
        let distinct = ids.iter().max().map(|&last| last as usize + 1)?;
        Some(Self { bytes, places, ids, distinct, lengths: None, times: None })
    }

    /// The same with the length on the wire of each packet, in bytes. `None` where these are not as many as packets.
    #[must_use]
    pub fn with_lengths(self, lengths: Vec<u32>) -> Option<Self> {
        (lengths.len() == self.packets()).then_some(Self { lengths: Some(lengths), ..self })
    }

    /// The same with the time of each packet, in nanoseconds since 1970. `None` where these are not as many as packets.
    #[must_use]
    pub fn with_times(self, times: Vec<u64>) -> Option<Self> {
        (times.len() == self.packets()).then_some(Self { times: Some(times), ..self })
    }

    /// The same trace with each key's first packet only.
    pub fn without_repeats(&self) -> Self {
        let (mut bytes, mut ends, mut first) = (Vec::new(), Vec::new(), Vec::new());
        for (packet, &id) in self.ids.iter().enumerate() {
            if id as usize == ends.len() {
                bytes.extend_from_slice(self.key(packet));
                ends.push(bytes.len());
                first.push(packet);
            }
        }
        let places = match self.places {
            Places::Width(width) => Places::Width(width),
            Places::Ends(_) => Places::Ends(ends),
        };
        let ids = (0..).take(self.distinct).collect();
        let lengths = self.lengths.as_deref().map(|all| at(all, &first));
        let times = self.times.as_deref().map(|all| at(all, &first));
        Self { bytes, places, ids, distinct: self.distinct, lengths, times }
    }

    /// Number of packets, repeated keys included.
    pub fn packets(&self) -> usize {
        self.ids.len()
    }

    /// Bytes of each key; `None` where they are of several widths.
    pub fn width(&self) -> Option<usize> {
        match self.places {
            Places::Width(width) => Some(width),
            Places::Ends(_) => None,
        }
    }

    /// Number of distinct keys.
    pub fn distinct(&self) -> usize {
        self.distinct
    }

    /// The length on the wire of each packet in bytes, where it is known of all.
    pub fn lengths(&self) -> Option<&[u32]> {
        self.lengths.as_deref()
    }

    /// The time of each packet in nanoseconds since 1970, where it is known of all.
    pub fn times(&self) -> Option<&[u64]> {
        self.times.as_deref()
    }

    /// Bytes that it takes in memory: keys, which of them each packet carries, lengths and times.
    pub fn bytes(&self) -> u64 {
        let places = match &self.places {
            Places::Width(_) => 0,
            Places::Ends(ends) => size_of_val(&ends[..]),
        };
        let lengths = self.lengths().map_or(0, size_of_val);
        let times = self.times().map_or(0, size_of_val);
        (self.bytes.len() + places + size_of_val(&self.ids[..]) + lengths + times) as u64
    }

    /// The key of a packet.
    #[inline]
    pub(crate) fn key(&self, packet: usize) -> &[u8] {
        match &self.places {
            Places::Width(width) => &self.bytes[packet * width..(packet + 1) * width],
            Places::Ends(ends) => {
                let start = if packet == 0 { 0 } else { ends[packet - 1] };
                &self.bytes[start..ends[packet]]
            }
        }
    }

    /// Which of the distinct keys a packet carries.
    #[inline]
    pub(crate) fn id(&self, packet: usize) -> u32 {
        self.ids[packet]
    }
}

fn at<T: Copy>(all: &[T], packets: &[usize]) -> Vec<T> {
    packets.iter().map(|&packet| all[packet]).collect()
}

impl<'k> FromIterator<&'k [u8]> for TraceKeys {
    /// Keys one after the other; they are compared in pairs, which suits a few of them.
    fn from_iter<I: IntoIterator<Item = &'k [u8]>>(keys: I) -> Self {
        let (mut bytes, mut ends, mut ids) = (Vec::new(), Vec::new(), Vec::new());
        let mut seen: Vec<&[u8]> = Vec::new();
        for key in keys {
            let id = seen.iter().position(|own| *own == key).unwrap_or(seen.len());
            if id == seen.len() {
                seen.push(key);
            }
            bytes.extend_from_slice(key);
            ends.push(bytes.len());
            ids.push(id as u32);
        }
        let (places, distinct) = (Places::Ends(ends), seen.len());
        Self { bytes, places, ids, distinct, lengths: None, times: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_repeats_each_key_stands_once_in_order() {
        let of = |keys: &[&'static [u8]]| -> TraceKeys { keys.iter().copied().collect() };
        let keys = of(&[b"b", b"aa", b"b", b"c", b"aa"]);
        assert_eq!((keys.packets(), keys.distinct()), (5, 3));
        let once = keys.without_repeats();
        let all: Vec<&[u8]> = (0..3).map(|packet| once.key(packet)).collect();
        assert_eq!((once.packets(), all), (3, vec![&b"b"[..], b"aa", b"c"]));
        let wide = TraceKeys::new(b"xxyyxx".to_vec(), Places::Width(2), vec![0, 1, 0]).unwrap();
        assert_eq!(wide.without_repeats().key(1), b"yy");
        assert!(TraceKeys::new(Vec::new(), Places::Width(2), Vec::new()).is_none());
    }

    #[test]
    fn attributes_are_one_for_each_packet() {
        let of = |keys: &[&'static [u8]]| -> TraceKeys { keys.iter().copied().collect() };
        let keys = || of(&[b"b", b"aa", b"b", b"c"]);
        assert!(
            keys().with_lengths(vec![1; 3]).is_none() && keys().with_times(vec![1; 5]).is_none()
        );
        let whole = keys().with_lengths(vec![10, 20, 30, 40]).unwrap();
        let whole = whole.with_times(vec![1, 2, 3, 4]).unwrap();
        let once = whole.without_repeats();
        assert_eq!(once.lengths(), Some(&[10, 20, 40][..]));
        assert_eq!(once.times(), Some(&[1, 2, 4][..]));
    }

    /// Three packets with keys of two bytes, the ids of which take four bytes each, as lengths do; times take eight.
    #[test]
    fn what_belongs_to_packets_takes_memory() {
        let of = || TraceKeys::new(b"xxyyxx".to_vec(), Places::Width(2), vec![0, 1, 0]).unwrap();
        assert_eq!(of().bytes(), 3 * (2 + 4));
        assert_eq!(of().with_lengths(vec![1; 3]).unwrap().bytes(), 3 * (2 + 4 + 4));
        assert_eq!(of().with_times(vec![1; 3]).unwrap().bytes(), 3 * (2 + 4 + 8));
        let of_several_widths: TraceKeys = [&b"a"[..], b"bb"].into_iter().collect();
        assert_eq!(of_several_widths.bytes(), 3 + 2 * (4 + size_of::<usize>() as u64));
    }
}
