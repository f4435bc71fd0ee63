//! The elements of a table with their keys.

/// An element that found all its buckets taken.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Keys of the elements 0, 1, .., where each of them is, and its type.
#[derive(Debug)]
pub(super) struct Members {
    /// Bytes set aside for each key.
    width: usize,
    bytes: Vec<u8>,
    members: Vec<Member>,
}

/// One element.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Member {
    /// Bytes of its key.
    key_bytes: u8,
    /// The type that it was inserted as.
    pub(super) own: u8,
    /// Its bucket, or [`NOWHERE`].
    pub(super) bucket: u32,
}

impl Members {
    /// None yet; keys are of at most so many bytes, at most 255.
    pub(super) fn new(width: usize) -> Self {
        Self { width, bytes: Vec::new(), members: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.members.clear();
    }

    /// Puts one in the place of `element`, or behind the last.
    pub(super) fn put(&mut self, element: u32, key: &[u8], own: u8, bucket: u32) {
        let element = element as usize;
        if element == self.members.len() {
            self.members.push(Member::default());
            self.bytes.resize(self.bytes.len() + self.width, 0);
        }
        self.members[element] = Member { key_bytes: key.len() as u8, own, bucket };
        let first = element * self.width;
        self.bytes[first..first + key.len()].copy_from_slice(key);
    }

    pub(super) fn len(&self) -> u32 {
        self.members.len() as u32
    }

    /// An element with its key.
    pub(super) fn get(&self, element: u32) -> (&[u8], Member) {
        let member = self.members[element as usize];
        let first = element as usize * self.width;
        (&self.bytes[first..first + usize::from(member.key_bytes)], member)
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u8], Member)> {
        (0..self.len()).map(|element| self.get(element))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_any_width_keep_their_places() {
        let mut members = Members::new(4);
        members.put(0, b"gone", 9, 3);
        members.clear();
        members.put(0, b"abcd", 1, 7);
        members.put(1, b"", 2, NOWHERE);
        members.put(2, b"bcd", 1, 8);
        members.put(0, b"e", 3, 9);
        let found: Vec<_> = members.iter().map(|(key, own)| (key, own.own, own.bucket)).collect();
        let expected: [(&[u8], u8, u32); 3] = [(b"e", 3, 9), (b"", 2, NOWHERE), (b"bcd", 1, 8)];
        assert_eq!(found, expected);
    }
}
