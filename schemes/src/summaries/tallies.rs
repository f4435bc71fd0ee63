//! How often each place of a filter is chosen.

/// A number that counts.
pub(super) trait Count: Copy + Default {
    /// Makes it one more.
    fn add(&mut self);
}

/// Goes on from 0 behind its greatest value.
impl Count for u8 {
    #[inline(always)]
    fn add(&mut self) {
        *self = self.wrapping_add(1);
    }
}

/// Stays at its greatest value.
impl Count for u32 {
    #[inline(always)]
    fn add(&mut self) {
        *self = self.saturating_add(1);
    }
}

/// What chooses places, the same ones whenever it is asked.
pub(super) trait Throws {
    /// Counts each choice at its place; how many they are.
    fn throw<C: Count>(&mut self, counts: &mut [C]) -> u64;
}

/// What is known of the places in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tally {
    /// Places that were chosen.
    pub(super) distinct: u32,
    /// The most choices of one place.
    pub(super) greatest: u32,
}

/// Counters of places: bytes, which stay near the processor, and wide ones for when some byte is too small.
#[derive(Debug, Clone, Default)]
pub(super) struct Tallies {
    bytes: Vec<u8>,
    wide: Vec<u32>,
}

impl Tallies {
    /// Counts the choices among so many places. Where the bytes do not add up to all choices some went on from 0.
    pub(super) fn count(&mut self, places: usize, mut throws: impl Throws) -> Tally {
        clear(&mut self.bytes, places);
        let choices = throws.throw(&mut self.bytes);
        if sum(&self.bytes) == choices {
            return of(&self.bytes);
        }
        clear(&mut self.wide, places);
        throws.throw(&mut self.wide);
        of(&self.wide)
    }
}

fn clear<C: Count>(counts: &mut Vec<C>, places: usize) {
    counts.clear();
    counts.resize(places, C::default());
}

fn of<C: Count + Ord + Into<u32>>(counts: &[C]) -> Tally {
    let greatest = counts.iter().copied().max().map_or(0, Into::into);
    let chosen = |count: &C| u8::from(*count > C::default());
    // As many as a byte can count.
    let pieces = counts.chunks(192).map(|piece| piece.iter().map(chosen).sum::<u8>());
    Tally { distinct: pieces.map(u32::from).sum(), greatest }
}

/// Every other byte of a word.
const EVERY_OTHER: u64 = 0x00ff_00ff_00ff_00ff;

/// The sum of these bytes: four sums of 16 bits side by side, for as many words as these have room for.
fn sum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let pieces = words.chunks(128).map(|piece| {
        let pairs = |word: &[u8; 8]| {
            let word = u64::from_le_bytes(*word);
            (word & EVERY_OTHER) + (word >> 8 & EVERY_OTHER)
        };
        let sums: u64 = piece.iter().map(pairs).sum();
        (0..4).map(|lane| sums >> (16 * lane) & 0xffff).sum::<u64>()
    });
    pieces.sum::<u64>() + rest.iter().map(|&byte| u64::from(byte)).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Places(Vec<u32>);

    impl Throws for Places {
        fn throw<C: Count>(&mut self, counts: &mut [C]) -> u64 {
            self.0.iter().for_each(|&place| counts[place as usize].add());
            self.0.len() as u64
        }
    }

    #[test]
    fn bytes_are_summed_to_the_last() {
        for number in [0, 1, 8, 1023, 1024, 1025, 5003] {
            let bytes: Vec<u8> = (0..number).map(|at: u32| (at * 97 % 256) as u8).collect();
            assert_eq!(sum(&bytes), bytes.iter().map(|&byte| u64::from(byte)).sum::<u64>());
            assert_eq!(sum(&vec![u8::MAX; number as usize]), u64::from(number) * 255);
        }
    }

    /// As many choices as a byte holds, one more, and so many that the byte is at its old value again; of the next
    /// places nothing is left.
    #[test]
    fn no_choice_is_lost_in_a_byte() {
        let mut tallies = Tallies::default();
        for most in [1, 255, 256, 257, 512, 70_000] {
            let mut places = vec![5; most as usize];
            places.extend([0, 999, 0]);
            let tally = tallies.count(1000, Places(places));
            assert_eq!(tally, Tally { distinct: 3, greatest: most.max(2) });
        }
        let all = Places((0..500).collect());
        assert_eq!(tallies.count(500, all), Tally { distinct: 500, greatest: 1 });
    }
}
