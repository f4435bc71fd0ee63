//! Which keys of a trace are stored, and how often.

/// Marks an element whose key is of an earlier pass or is not known.
const NO_KEY: u32 = u32::MAX;

/// Keys that are overwritten one after the other in the time in which one is looked up, about.
const KEYS_TO_FILL: usize = 16;

/// How many stored elements have each of the trace's distinct keys: four bytes a key and four an
/// element.
#[derive(Debug, Clone)]
pub(crate) struct Residents {
    stored: Vec<u32>,
    key_of: Vec<u32>,
}

impl Residents {
    /// No element stored yet, out of `elements`, with keys `0..distinct`.
    pub(crate) fn new(elements: u32, distinct: usize) -> Self {
        Self { stored: vec![0; distinct], key_of: vec![NO_KEY; elements as usize] }
    }

    /// Makes room for the elements `0..elements`.
    pub(crate) fn reserve(&mut self, elements: u32) {
        self.key_of.resize(elements as usize, NO_KEY);
    }

    /// Forgets every key: before a trial, and where a further pass gives the keys a new meaning.
    pub(crate) fn clear(&mut self) {
        let of_stored = self.key_of.iter().filter(|&&id| id != NO_KEY);
        // A trace can have a thousand keys for each element, and a trial may be short.
        if self.stored.len() / KEYS_TO_FILL > self.key_of.len() {
            of_stored.for_each(|&id| self.stored[id as usize] = 0);
        } else {
            self.stored.fill(0);
        }
        self.key_of.fill(NO_KEY);
    }

    /// Stores the element with this key; true if another stored element has the key.
    #[inline]
    pub(crate) fn add(&mut self, element: u32, id: u32) -> bool {
        self.key_of[element as usize] = id;
        let stored = &mut self.stored[id as usize];
        *stored += 1;
        *stored > 1
    }

    /// Whether a stored element has this key.
    #[inline]
    pub(crate) fn holds(&self, id: u32) -> bool {
        self.stored[id as usize] > 0
    }

    /// How many stored elements have the key of this one; 0 where it is not known.
    #[inline(always)]
    pub(crate) fn with_key_of(&self, element: u32) -> u32 {
        self.stored.get(self.key_of[element as usize] as usize).copied().unwrap_or(0)
    }

    /// Removes the element.
    #[inline]
    pub(crate) fn remove(&mut self, element: u32) {
        let id = std::mem::replace(&mut self.key_of[element as usize], NO_KEY);
        if id != NO_KEY {
            self.stored[id as usize] -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_repeated_while_another_element_has_it() {
        let mut residents = Residents::new(3, 2);
        assert!(!residents.add(0, 1));
        assert!(residents.add(1, 1));
        residents.remove(0);
        residents.remove(1);
        assert!(!residents.add(2, 1));
        residents.clear();
        residents.remove(2);
        assert!(!residents.add(2, 1));
    }

    #[test]
    fn far_more_keys_than_elements_are_forgotten_too() {
        let mut residents = Residents::new(2, 1000);
        assert!(!residents.add(1, 999));
        residents.clear();
        assert!(!residents.add(0, 999));
    }
}
