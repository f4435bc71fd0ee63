//! Choices of an element that are asked for more than once.

use crate::hash::Choices;

/// The choices of an element, each made when it is asked for first, and kept.
#[derive(Debug)]
pub(super) struct Kept<'k, C> {
    made: &'k mut C,
    kept: &'k mut Vec<u32>,
    next: usize,
}

impl<'k, C: Choices> Kept<'k, C> {
    /// From the first choice on: those in `kept`, and then those that are made now.
    pub(super) fn new(made: &'k mut C, kept: &'k mut Vec<u32>) -> Self {
        Self { made, kept, next: 0 }
    }
}

impl<C: Choices> Choices for Kept<'_, C> {
    #[inline]
    fn next(&mut self, buckets: u32) -> u32 {
        if self.next == self.kept.len() {
            self.kept.push(self.made.next(buckets));
        }
        self.next += 1;
        self.kept[self.next - 1]
    }

    /// What was made already was made anew at its time.
    #[inline]
    fn anew(&mut self) {
        if self.next == self.kept.len() {
            self.made.anew();
        }
    }
}

/// The choices of every element that is in a filter.
#[derive(Debug)]
pub(super) struct Members {
    choices: Vec<u32>,
    /// How many an element has.
    each: usize,
}

impl Members {
    /// For the elements `0..elements`.
    pub(super) fn new(elements: u32, each: u32) -> Self {
        let each = each as usize;
        Self { choices: vec![0; elements as usize * each], each }
    }

    /// Remembers the choices of an element.
    pub(super) fn remember(&mut self, element: u32, choices: &[u32]) {
        let first = element as usize * self.each;
        self.choices[first..first + choices.len()].copy_from_slice(choices);
    }

    /// The choices of an element, from the first on.
    pub(super) fn choices(&self, element: u32) -> Remembered<'_> {
        let first = element as usize * self.each;
        Remembered(self.choices[first..first + self.each].iter())
    }
}

/// Choices that were made before.
#[derive(Debug)]
pub(super) struct Remembered<'m>(std::slice::Iter<'m, u32>);

impl Choices for Remembered<'_> {
    #[inline]
    fn next(&mut self, _buckets: u32) -> u32 {
        self.0.next().copied().unwrap_or_default()
    }
}
