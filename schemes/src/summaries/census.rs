//! How many elements are where in a filled table.

/// The elements that were left over after each sub-table: |S_0|, |S_1|, .. |S_d|.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Census(Vec<u32>);

impl Census {
    /// Of a table that nobody came to yet.
    pub fn new(types: u8) -> Self {
        Self(vec![0; usize::from(types) + 1])
    }

    /// Begins with so many elements, |S_0|, all of which are left over so far.
    pub(super) fn begin(&mut self, elements: u32) {
        self.0.fill(elements);
    }

    /// So many elements found a bucket in sub-table `own`, counted from 1, and are not left over after it.
    #[inline]
    pub(super) fn place(&mut self, own: u8, elements: u32) {
        self.0[usize::from(own)..].iter_mut().for_each(|left| *left -= elements);
    }

    /// d.
    pub fn types(&self) -> u8 {
        (self.0.len() - 1) as u8
    }

    /// |S_i|, the elements in none of the first i sub-tables. They are those of the types above i, for i below d.
    pub fn left_after(&self, own: u8) -> u32 {
        self.0[usize::from(own)]
    }

    /// Elements in sub-table `own`, counted from 1.
    pub fn elements_in(&self, own: u8) -> u32 {
        self.left_after(own - 1) - self.left_after(own)
    }

    /// Elements that found all their buckets taken.
    pub fn crisis(&self) -> u32 {
        self.left_after(self.types())
    }

    /// Elements of a type, counted from 1; of type d are also those of a crisis.
    pub fn of_type(&self, own: u8) -> u32 {
        self.elements_in(own) + if own == self.types() { self.crisis() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_a_crisis_are_of_the_last_type() {
        let mut census = Census::new(3);
        census.begin(10);
        census.place(1, 6);
        census.place(2, 1);
        census.place(3, 1);
        assert_eq!([1, 2, 3].map(|own| census.elements_in(own)), [6, 1, 1]);
        assert_eq!([1, 2, 3].map(|own| census.of_type(own)), [6, 1, 3]);
        assert_eq!((census.left_after(1), census.crisis()), (4, 2));
    }
}
