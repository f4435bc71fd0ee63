//! Which slots of linear probing are full, whatever they hold: how long clusters are, and how many elements pass each slot.

/// Slots in a circle that elements fill, each the first free one from its hash value on.
///
/// They are the full slots of linear probing, of Robin Hood hashing and, as long as no insertion fails, of hopscotch hashing.
#[derive(Debug, Clone)]
pub(super) struct Occupied {
    full: Vec<bool>,
    /// The slots of each cluster, known at its first and last slot.
    clusters: Vec<u32>,
    /// Elements that pass from each slot to the next, in a Robin Hood table the greatest displacement behind it.
    passing: Vec<u32>,
}

/// What an element did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Joined {
    /// Slots of its cluster.
    pub(super) cluster: u32,
    /// The most elements that pass one of the slots that it passed.
    pub(super) passing: u32,
}

impl Occupied {
    /// So many slots, all of them free.
    pub(super) fn new(buckets: u32) -> Self {
        let m = buckets as usize;
        Self { full: vec![false; m], clusters: vec![0; m], passing: vec![0; m] }
    }

    /// Frees all slots.
    pub(super) fn clear(&mut self) {
        self.full.fill(false);
        self.clusters.fill(0);
        self.passing.fill(0);
    }

    /// An element of this hash value comes; at least one slot is free.
    pub(super) fn join(&mut self, home: u32) -> Joined {
        let m = self.full.len();
        let (mut slot, mut passing) = (home as usize, 0);
        while self.full[slot] {
            self.passing[slot] += 1;
            passing = passing.max(self.passing[slot]);
            slot = if slot + 1 == m { 0 } else { slot + 1 };
        }
        Joined { cluster: self.fill(slot), passing }
    }

    /// Fills a free slot; how many slots its cluster then has.
    fn fill(&mut self, slot: usize) -> u32 {
        let m = self.full.len();
        self.full[slot] = true;
        let length = |slot: usize| if self.full[slot] { self.clusters[slot] as usize } else { 0 };
        let [left, right] = match m {
            1 => [0, 0],
            _ => [length((slot + m - 1) % m), length((slot + 1) % m)],
        };
        let all = (left + 1 + right).min(m);
        let (first, last) = ((slot + m - left) % m, (slot + right) % m);
        (self.clusters[first], self.clusters[last]) = (all as u32, all as u32);
        all as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: a cluster over the end, two that merge, and what passes.
    #[test]
    fn clusters_and_passing_elements_are_counted() {
        let mut occupied = Occupied::new(6);
        let joined = |cluster, passing| Joined { cluster, passing };
        assert_eq!(occupied.join(5), joined(1, 0));
        assert_eq!(occupied.join(5), joined(2, 1));
        assert_eq!(occupied.join(2), joined(1, 0));
        // Passes 5 and 0, fills 1: the clusters 5, 0 and 2 are one, and two elements pass slot 5.
        assert_eq!(occupied.join(5), joined(4, 2));
        // Passes 1 and 2, fills 3. One element passed 0, none 1 before.
        assert_eq!(occupied.join(1), joined(5, 1));
        assert_eq!(occupied.join(4), joined(6, 0));
        occupied.clear();
        assert_eq!(occupied.join(0), joined(1, 0));
    }
}
