//! Hints: buckets remember an element that would rather have been there.

use super::levels::Levels;
use super::refill::Refill;
use crate::tables::Deletion;

/// No element.
const NONE: u32 = u32::MAX;

/// One hint per bucket, after Kirsch and Mitzenmacher, "On the Performance of Multiple Choice Hash
/// Tables with Moves on Deletes and Inserts", 2008, of whose scheme this is a reconstruction:
///
/// - A hint names an element. A bucket keeps one, and the newest replaces the one before.
/// - An arriving element that is put into a bucket leaves a hint in its choices in all earlier
///   sub-tables. One that goes to the overflow list leaves none.
/// - An element that is pushed on leaves a hint in the bucket that it left, and no further ones.
/// - When a deletion empties a bucket, its hint is looked at. If the element that it names is now in
///   a later sub-table and the bucket is one of its choices, it moves there. The bucket that it left
///   stays empty whatever its own hint says, and the move leaves no hints.
///
/// It is better than the original as "Hash Tables With Finite Buckets Are Less Resistant to
/// Deletions" simulated it (Section VIII-A): 0.51 % and 4.0 % of the elements overflow at loads of
/// 0.6 and 0.7, not 0.78 % and 4.59 %.
#[derive(Debug, Clone)]
pub(crate) struct Hints {
    /// The element that each bucket's hint names, or `NONE`.
    newest: Vec<u32>,
}

impl Hints {
    /// Buckets `0..buckets` without a hint.
    pub(crate) fn new(buckets: u32) -> Self {
        Self { newest: vec![NONE; buckets as usize] }
    }

    /// The element that the bucket's hint names, if it may still move there.
    #[inline]
    fn valid(&self, levels: &Levels, bucket: u32) -> Option<u32> {
        let element = Some(self.newest[bucket as usize]).filter(|&element| element != NONE)?;
        // Since it was left, the element may have been deleted and its number given to another.
        let later = levels.place(element).is_some_and(|place| place > bucket);
        (later && levels.choices(element).contains(&bucket)).then_some(element)
    }
}

impl Refill for Hints {
    const MOVES: bool = true;

    fn clear(&mut self) {
        self.newest.fill(NONE);
    }

    #[inline]
    fn stored(&mut self, levels: &Levels, element: u32) {
        let place = levels.place(element);
        let passed = |&&bucket: &&u32| place.is_some_and(|place| bucket < place);
        for &bucket in levels.choices(element).iter().take_while(passed) {
            self.newest[bucket as usize] = element;
        }
    }

    #[inline]
    fn pushed(&mut self, element: u32, bucket: u32) {
        self.newest[bucket as usize] = element;
    }

    #[inline]
    fn refill(&mut self, levels: &mut Levels, bucket: u32) -> Deletion {
        let found = self.valid(levels, bucket);
        if let Some(element) = found {
            levels.relocate(element, bucket);
        }
        Deletion { moves: u32::from(found.is_some()), ..Deletion::default() }
    }
}
