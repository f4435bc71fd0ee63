//! Who is in the system, where the number of elements varies.

/// Every element that was ever in the system, those that are now in front.
#[derive(Debug, Default)]
pub(in crate::tables) struct System {
    elements: Vec<u32>,
    number: usize,
}

impl System {
    /// Nobody is or was in it.
    pub(in crate::tables) fn clear(&mut self) {
        self.elements.clear();
        self.number = 0;
    }

    /// How many are in it.
    pub(in crate::tables) fn number(&self) -> u32 {
        self.number as u32
    }

    /// The elements that it knows are those below this.
    pub(in crate::tables) fn known(&self) -> u32 {
        self.elements.len() as u32
    }

    /// Who arrives next: of those that were in it, the one that departed last.
    #[inline]
    pub(in crate::tables) fn arrive(&mut self) -> u32 {
        self.make_room(1);
        self.number += 1;
        self.elements[self.number - 1]
    }

    /// The element at this position, below their number, departs.
    #[inline]
    pub(in crate::tables) fn depart(&mut self, position: u32) -> u32 {
        self.number -= 1;
        self.elements.swap(position as usize, self.number);
        self.elements[self.number]
    }

    /// Knows as many elements as there are after so many arrivals.
    #[inline]
    fn make_room(&mut self, arrivals: usize) {
        let (known, needed) = (self.elements.len(), self.number + arrivals);
        if needed > known {
            self.elements.extend(known as u32..needed as u32);
        }
    }
}
