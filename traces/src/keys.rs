//! Keys in memory: flat, in capture order, with dense ids.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

/// A sequence of keys.
///
/// Memory: the bytes of the keys, 13 for an IPv4 five-tuple, as long as all have one width; in a
/// file of both IPv4 and IPv6, 8 more for each key. It grows by doubling, so that up to twice as
/// much is reserved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    bytes: Vec<u8>,
    places: Places,
}

/// Where each key lies in the bytes of all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Places {
    /// All keys have the same width; 0 as long as there are none.
    Width(usize),
    /// The end of each key.
    Ends(Vec<usize>),
}

impl Keys {
    /// No keys.
    pub fn new() -> Self {
        Keys { bytes: Vec::new(), places: Places::Width(0) }
    }

    /// Number of keys, repeats included.
    pub fn len(&self) -> usize {
        match &self.places {
            Places::Width(0) => 0,
            Places::Width(width) => self.bytes.len() / width,
            Places::Ends(ends) => ends.len(),
        }
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The key at place `index`, counted from 0 in capture order.
    ///
    /// # Panics
    ///
    /// If `index` is not below [`len`](Self::len), as with a slice.
    #[inline]
    pub fn get(&self, index: usize) -> &[u8] {
        match &self.places {
            Places::Width(width) => &self.bytes[index * width..(index + 1) * width],
            Places::Ends(ends) => {
                let start = if index == 0 { 0 } else { ends[index - 1] };
                &self.bytes[start..ends[index]]
            }
        }
    }

    /// The keys in capture order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> + Clone {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The width in bytes of every key, or `None` if widths differ or there are no keys.
    pub fn width(&self) -> Option<usize> {
        match self.places {
            Places::Width(width) if width > 0 => Some(width),
            _ => None,
        }
    }

    /// Appends a key. The empty key is no key: it is not stored.
    #[inline]
    pub fn push(&mut self, key: &[u8]) {
        if key.is_empty() {
            return;
        }
        match &mut self.places {
            Places::Width(width) if *width == key.len() => {}
            Places::Ends(ends) => ends.push(self.bytes.len() + key.len()),
            Places::Width(_) => self.widen(key.len()),
        }
        self.bytes.extend_from_slice(key);
    }

    /// Makes room for a key of a width not seen before.
    #[cold]
    fn widen(&mut self, width: usize) {
        self.places = match self.places {
            Places::Width(0) => Places::Width(width),
            Places::Width(old) => {
                let before = (old..=self.bytes.len()).step_by(old);
                Places::Ends(before.chain([self.bytes.len() + width]).collect())
            }
            Places::Ends(_) => return,
        };
    }

    /// For each key the number of its distinct key: 0 for the first key, and the next free number
    /// whenever a key is met for the first time.
    ///
    /// Memory while it runs: 4 bytes for each key, and for each distinct key its bytes and at most
    /// 12 more.
    ///
    /// # Errors
    ///
    /// If there are more distinct keys than numbers.
    pub fn ids(&self) -> Result<Vec<u32>, TooManyKeys> {
        let mut seen = KeySet::new();
        self.iter().map(|key| Ok(seen.insert(key)?.0)).collect()
    }

    /// The bytes of all keys, one after the other, and where each of them lies.
    pub fn into_parts(self) -> (Vec<u8>, Places) {
        (self.bytes, self.places)
    }

    /// The keys without repeats, in order of first occurrence.
    ///
    /// # Errors
    ///
    /// If there are more of them than a [`KeySet`] holds.
    pub fn distinct(&self) -> Result<Keys, TooManyKeys> {
        let mut seen = KeySet::new();
        for key in self.iter() {
            seen.insert(key)?;
        }
        Ok(seen.into_keys())
    }

    /// The share of keys that occurred earlier in the file, in [0, 1); 0 if there are no keys.
    ///
    /// # Errors
    ///
    /// As [`distinct`](Self::distinct).
    pub fn repeated_share(&self) -> Result<f64, TooManyKeys> {
        match self.len() {
            0 => Ok(0.0),
            keys => Ok(1.0 - self.distinct()?.len() as f64 / keys as f64),
        }
    }
}

impl Default for Keys {
    fn default() -> Self {
        Self::new()
    }
}

impl<'k> FromIterator<&'k [u8]> for Keys {
    fn from_iter<I: IntoIterator<Item = &'k [u8]>>(keys: I) -> Self {
        let mut all = Keys::new();
        for key in keys {
            all.push(key);
        }
        all
    }
}

/// More distinct keys than there are numbers of 4 bytes. Read fewer packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "there are more than 4,294,967,296 different keys, which is the most; read fewer with --packets"
)]
pub struct TooManyKeys;

/// The number of a key before which there are so many.
fn next_number(keys: usize) -> Result<u32, TooManyKeys> {
    u32::try_from(keys).map_err(|_| TooManyKeys)
}

/// The distinct keys of a stream, numbered in order of first occurrence.
///
/// Memory: for each distinct key its bytes and at most 12 more, whatever the stream's length. Numbers have
/// 4 bytes, so that it holds at most 2³² keys.
#[derive(Debug, Clone, Default)]
pub struct KeySet {
    keys: Keys,
    numbers: HashTable<u32>,
}

impl KeySet {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of distinct keys.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether no key was inserted.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The number of a key, and whether it is new.
    ///
    /// # Errors
    ///
    /// If it is new and there is no number left.
    pub fn insert(&mut self, key: &[u8]) -> Result<(u32, bool), TooManyKeys> {
        let KeySet { keys, numbers } = self;
        let hash = xxh3_64(key);
        if let Some(&number) = numbers.find(hash, |&n| keys.get(n as usize) == key) {
            return Ok((number, false));
        }
        let number = next_number(keys.len())?;
        keys.push(key);
        numbers.insert_unique(hash, number, |&n| xxh3_64(keys.get(n as usize)));
        Ok((number, true))
    }

    /// The distinct keys in order of first occurrence.
    pub fn into_keys(self) -> Keys {
        self.keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(keys: &[&'static [u8]]) -> Keys {
        keys.iter().copied().collect()
    }

    #[test]
    fn one_width_needs_no_places() {
        let keys = of(&[b"aa", b"bb", b"aa"]);
        assert_eq!((keys.len(), keys.width()), (3, Some(2)));
        assert_eq!(keys.iter().collect::<Vec<_>>(), [b"aa", b"bb", b"aa"]);
    }

    #[test]
    fn widths_can_mix() {
        let parts: [&[u8]; 5] = [b"aa", b"bb", b"cccc", b"d", b"ee"];
        let keys = of(&parts);
        assert_eq!((keys.len(), keys.width()), (5, None));
        assert_eq!(keys.iter().collect::<Vec<_>>(), parts);
    }

    #[test]
    fn the_empty_key_is_none() {
        let keys = of(&[b"", b"aa", b"", b"bbb", b""]);
        assert_eq!(keys.iter().collect::<Vec<_>>(), [&b"aa"[..], b"bbb"]);
    }

    #[test]
    fn ids_are_dense_and_in_order_of_first_occurrence() {
        let keys = of(&[b"b", b"a", b"b", b"cc", b"a", b"b"]);
        assert_eq!(keys.ids(), Ok(vec![0, 1, 0, 2, 1, 0]));
        assert_eq!(keys.distinct(), Ok(of(&[b"b", b"a", b"cc"])));
        assert_eq!(keys.repeated_share(), Ok(0.5));
    }

    #[test]
    fn no_keys_repeat_nothing() {
        assert_eq!(Keys::new().repeated_share(), Ok(0.0));
        assert_eq!((Keys::new().len(), Keys::new().ids()), (0, Ok(vec![])));
    }

    /// Numbers that begin again would make two keys one.
    #[test]
    fn numbers_end_and_do_not_begin_again() {
        assert_eq!(next_number(u32::MAX as usize), Ok(u32::MAX));
        assert_eq!(next_number(u32::MAX as usize + 1), Err(TooManyKeys));
    }
}
