//! Where a number is among many.

/// Numbers that are looked at before it is asked whether one was found.
const CHUNK: usize = 256;

/// The first place of a number in a list that has it, not counting what is behind the last whole chunk.
///
/// Where it is in a chunk is the least of places that are computed for all numbers there, so that the compiler takes many at once.
#[inline(always)]
pub(super) fn first(number: u16, list: &[u16]) -> usize {
    let mut before = 0;
    for chunk in list.as_chunks::<CHUNK>().0 {
        let mut first = u16::MAX;
        for (place, &other) in (0..).zip(chunk) {
            first = first.min(if other == number { place } else { u16::MAX });
        }
        if first != u16::MAX {
            return before + usize::from(first);
        }
        before += CHUNK;
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_several_is_found() {
        for place in [0, 1, 255, 256, 700, 1023] {
            let mut list = [3; 4 * CHUNK + 9];
            list[place..].fill(5);
            assert_eq!(first(5, &list), place);
        }
    }

    #[test]
    fn what_is_behind_the_last_whole_chunk_is_not_looked_at() {
        let mut list = [3; 2 * CHUNK + 9];
        list[2 * CHUNK] = 5;
        assert_eq!(first(5, &list), 2 * CHUNK);
        assert_eq!(first(5, &list[..2 * CHUNK]), 2 * CHUNK);
    }
}
