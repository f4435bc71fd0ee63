//! The elements of a table with their keys.

/// Keys of elements and the type of each.
#[derive(Debug, Default)]
pub(super) struct Members {
    bytes: Vec<u8>,
    /// Where each key ends.
    ends: Vec<usize>,
    types: Vec<u8>,
}

impl Members {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.types.clear();
    }

    /// One more.
    pub(super) fn push(&mut self, key: &[u8], own: u8) {
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len());
        self.types.push(own);
    }

    /// Each key with its type.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u8], u8)> {
        let starts = std::iter::once(&0).chain(&self.ends);
        let keys = starts.zip(&self.ends).map(|(&start, &end)| &self.bytes[start..end]);
        keys.zip(self.types.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_any_width_keep_their_types() {
        let mut members = Members::default();
        members.push(b"gone", 9);
        members.clear();
        members.push(b"a", 1);
        members.push(b"", 2);
        members.push(b"bcd", 1);
        let expected: [(&[u8], u8); 3] = [(b"a", 1), (b"", 2), (b"bcd", 1)];
        assert_eq!(members.iter().collect::<Vec<_>>(), expected);
    }
}
