//! One table of 256 words per byte of the key, combined by XOR.

use rand::Rng;

/// A table per byte position, and a word per key length as one character more.
///
/// The value of a key is the XOR of the words its bytes select and the word its
/// length selects. The latter separates keys that differ by trailing bytes
/// only, and gives the empty key a random value too.
pub(super) struct XorTables {
    tables: Vec<[u64; 256]>,
    /// Indexed by key length, from 0 to `tables.len()`.
    lengths: Vec<u64>,
}

impl XorTables {
    /// Tables for keys of at most `max_key_bytes`, the word of each length drawn from `rng`.
    pub(super) fn new<R: Rng>(
        rng: &mut R,
        max_key_bytes: usize,
        mut table: impl FnMut(&mut R) -> [u64; 256],
    ) -> Self {
        let lengths = (0..=max_key_bytes).map(|_| rng.next_u64()).collect();
        let tables = (0..max_key_bytes).map(|_| table(rng)).collect();
        Self { tables, lengths }
    }

    /// The XOR of everything `key` selects.
    #[inline]
    pub(super) fn xor(&self, key: &[u8]) -> u64 {
        let length = key.len().min(self.tables.len());
        xor_bytes(self.lengths[length], &self.tables, key)
    }

    /// The same, but the last byte is first combined by XOR with the lowest byte of what the length and the other
    /// bytes select.
    #[inline]
    pub(super) fn twisted(&self, key: &[u8]) -> u64 {
        let length = key.len().min(self.tables.len());
        let Some((&last, others)) = key[..length].split_last() else { return self.lengths[0] };
        let of_others = xor_bytes(self.lengths[length], &self.tables, others);
        of_others ^ self.tables[length - 1][usize::from(last ^ of_others as u8)]
    }
}

/// `start` XOR the word that each byte of `key` selects in its table.
#[inline]
pub(super) fn xor_bytes(start: u64, tables: &[[u64; 256]], key: &[u8]) -> u64 {
    key.iter().zip(tables).fold(start, |hash, (&byte, table)| hash ^ table[usize::from(byte)])
}

/// The table of all XORs of eight rows; `rows[0]` belongs to a byte's lowest bit.
pub(super) fn span(rows: [u64; 8]) -> [u64; 256] {
    let mut table = [0; 256];
    for (bit, row) in rows.into_iter().enumerate() {
        let known = 1 << bit;
        for low in 0..known {
            table[known | low] = table[low] ^ row;
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::span;

    #[test]
    fn span_xors_the_rows_of_the_bits_set() {
        let rows = std::array::from_fn(|bit| 1 << (3 * bit));
        let table = span(rows);
        assert_eq!(table[0], 0);
        assert_eq!(table[0b1000_0000], rows[7]);
        assert_eq!(table[0b0010_0101], rows[5] ^ rows[2] ^ rows[0]);
        assert_eq!(table[255], rows.into_iter().fold(0, |sum, row| sum ^ row));
    }
}
