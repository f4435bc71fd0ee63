//! Chains in memory, as far as their lengths and the places of elements say what look-ups read.

/// The loads of buckets, and in which of its chains each element is, and where.
#[derive(Debug)]
pub(super) struct Chained {
    /// The first bucket of each choice's range.
    firsts: Vec<u32>,
    loads: Vec<u32>,
    /// The bucket of each choice of each element, d after d.
    choices: Vec<u32>,
    placed: Vec<Placed>,
}

/// Where an element is.
#[derive(Debug, Clone, Copy)]
struct Placed {
    /// Which of its choices.
    choice: u32,
    /// From 1 on.
    position: u32,
}

impl Chained {
    /// Empty buckets with room for so many elements.
    pub(super) fn new(firsts: Vec<u32>, buckets: u32, elements: u32) -> Self {
        let choices = vec![0; elements as usize * firsts.len()];
        let placed = Vec::with_capacity(elements as usize);
        Self { firsts, loads: vec![0; buckets as usize], choices, placed }
    }

    /// Bytes of a table of so many elements with d choices.
    pub(super) fn bytes(buckets: u32, elements: u32, choices: u32) -> u64 {
        4 * u64::from(buckets) + u64::from(elements) * (4 * u64::from(choices) + 8)
    }

    /// Where the choices of all elements are to be written, each within its range.
    pub(super) fn choices(&mut self) -> &mut [u32] {
        &mut self.choices
    }

    /// Empties the buckets and inserts the first so many elements by their choices.
    pub(super) fn fill(&mut self, elements: u32) {
        self.loads.fill(0);
        self.placed.clear();
        let Self { firsts, loads, choices, placed } = self;
        for own in choices.chunks_exact_mut(firsts.len()).take(elements as usize) {
            own.iter_mut().zip(&*firsts).for_each(|(bucket, first)| *bucket += first);
            let choice = least_loaded(own, loads);
            let load = &mut loads[own[choice] as usize];
            *load += 1;
            placed.push(Placed { choice: choice as u32, position: *load });
        }
    }

    /// The load of each bucket.
    pub(super) fn loads(&self) -> &[u32] {
        &self.loads
    }

    /// Entries read by look-ups of all elements; the end of each chain before the element's own is one too.
    pub(super) fn probes_of_hits(&self) -> u64 {
        let probes = |(own, placed): (&[u32], &Placed)| {
            let before = &own[..placed.choice as usize];
            u64::from(placed.position) + self.whole_chains(before.iter().copied())
        };
        self.choices.chunks_exact(self.firsts.len()).zip(&self.placed).map(probes).sum()
    }

    /// Entries read by a look-up of an absent key with these choices, each within its range.
    pub(super) fn probes_of_miss(&self, choices: &[u32]) -> u64 {
        self.whole_chains(choices.iter().zip(&self.firsts).map(|(choice, first)| choice + first))
    }

    /// Entries of the chains of these buckets, with their ends.
    fn whole_chains(&self, buckets: impl Iterator<Item = u32>) -> u64 {
        buckets.map(|bucket| u64::from(self.loads[bucket as usize]) + 1).sum()
    }
}

/// The first of the least loaded buckets.
#[inline]
pub(super) fn least_loaded(buckets: &[u32], loads: &[u32]) -> usize {
    let mut least = 0;
    for choice in 1..buckets.len() {
        if loads[buckets[choice] as usize] < loads[buckets[least] as usize] {
            least = choice;
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four elements by hand: two sub-tables of two buckets.
    #[test]
    fn look_ups_read_chain_after_chain() {
        let mut chained = Chained::new(vec![0, 2], 4, 4);
        chained.choices().copy_from_slice(&[0, 0, 0, 0, 0, 1, 0, 0]);
        chained.fill(4);
        // Left, right, right (the other bucket is empty), left again as both have one.
        assert_eq!(chained.loads(), [2, 0, 1, 1]);
        // 1; the chain of two with its end, and 1; the same; 2.
        assert_eq!(chained.probes_of_hits(), 1 + (3 + 1) + (3 + 1) + 2);
        assert_eq!(chained.probes_of_miss(&[0, 1]), 3 + 2);
        assert_eq!(chained.probes_of_miss(&[1, 0]), 1 + 2);
    }

    #[test]
    fn only_as_many_as_arrived_are_inserted() {
        let mut chained = Chained::new(vec![0], 3, 2);
        chained.choices().copy_from_slice(&[2, 2]);
        chained.fill(1);
        assert_eq!(chained.loads(), [0, 0, 1]);
        assert_eq!(chained.probes_of_hits(), 1);
    }
}
