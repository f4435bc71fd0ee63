//! Cells of a few values, packed.

/// How cells are packed into bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// Three cells of the values 0 to 5 in each byte (Section 4.7.1).
    Thirds,
    /// So many bits for each cell, 1 to 7, across bytes.
    Bits(u8),
}

/// What a cell counts in its byte, by its place there.
const WEIGHTS: [u8; 3] = [1, 6, 36];

impl Packing {
    /// The packing of cells from 0 to `greatest`, below 128, that takes the least space.
    pub fn of(greatest: u8) -> Self {
        match u8::BITS - greatest.leading_zeros() {
            3 if greatest <= 5 => Self::Thirds,
            bits => Self::Bits(bits as u8),
        }
    }

    /// Bytes of so many cells.
    pub fn bytes(self, cells: u32) -> u64 {
        match self {
            Self::Thirds => cells.div_ceil(3).into(),
            Self::Bits(bits) => (u64::from(cells) * u64::from(bits)).div_ceil(8),
        }
    }
}

/// Cells that begin at 0.
#[derive(Debug, Clone)]
pub struct Cells {
    packing: Packing,
    /// With one byte more than the cells take, so that every cell begins in a pair of bytes.
    bytes: Vec<u8>,
}

impl Cells {
    /// So many of them.
    pub fn new(cells: u32, packing: Packing) -> Self {
        Self { packing, bytes: vec![0; packing.bytes(cells) as usize + 1] }
    }

    /// Sets all to 0.
    pub fn clear(&mut self) {
        self.bytes.fill(0);
    }

    /// The value of a cell.
    #[inline]
    pub fn value(&self, cell: u32) -> u8 {
        match self.packing {
            Packing::Thirds => self.bytes[(cell / 3) as usize] / WEIGHTS[(cell % 3) as usize] % 6,
            Packing::Bits(bits) => {
                let (byte, shift) = place(cell, bits);
                (self.pair(byte) >> shift) as u8 & ((1 << bits) - 1)
            }
        }
    }

    /// Makes a cell at least this value.
    #[inline]
    pub fn raise(&mut self, cell: u32, value: u8) {
        let before = self.value(cell);
        if before >= value {
            return;
        }
        let more = value - before;
        match self.packing {
            Packing::Thirds => {
                self.bytes[(cell / 3) as usize] += more * WEIGHTS[(cell % 3) as usize];
            }
            Packing::Bits(bits) => {
                let (byte, shift) = place(cell, bits);
                let pair = self.pair(byte) + (u16::from(more) << shift);
                self.bytes[byte..byte + 2].copy_from_slice(&pair.to_le_bytes());
            }
        }
    }

    fn pair(&self, byte: usize) -> u16 {
        u16::from_le_bytes([self.bytes[byte], self.bytes[byte + 1]])
    }
}

/// The byte in which a cell of so many bits begins, and from which of its bits on.
#[inline]
fn place(cell: u32, bits: u8) -> (usize, u32) {
    let first = u64::from(cell) * u64::from(bits);
    ((first / 8) as usize, (first % 8) as u32)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The two configurations of Section 4.8: 120,000 cells up to 5, and 1.2 million up to 6.
    #[test]
    fn three_cells_to_a_byte_or_three_bits_to_a_cell() {
        assert_eq!(Packing::of(5).bytes(120_000), 40_000);
        assert_eq!(Packing::of(6).bytes(1_200_000), 450_000);
        let all = [1, 2, 3, 4, 6, 7, 8, 64].map(Packing::of);
        let bits = [1, 2, 2, 0, 3, 3, 4, 7].map(|bits| match bits {
            0 => Packing::Thirds,
            bits => Packing::Bits(bits),
        });
        assert_eq!(all, bits);
    }

    proptest! {
        /// A packed cell is raised as if it stood alone.
        #[test]
        fn packed_cells_do_not_touch_each_other(
            greatest in 1_u8..=64,
            raised in prop::collection::vec((0_u32..50, 0_u8..=64), 0..200),
        ) {
            let mut cells = Cells::new(50, Packing::of(greatest));
            let mut expected = [0_u8; 50];
            for (cell, value) in raised {
                let value = value % (greatest + 1);
                cells.raise(cell, value);
                let own = &mut expected[cell as usize];
                *own = value.max(*own);
            }
            for (cell, &value) in (0..).zip(&expected) {
                prop_assert_eq!(cells.value(cell), value);
            }
        }
    }
}
