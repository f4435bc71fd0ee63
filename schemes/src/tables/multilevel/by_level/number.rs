//! What elements, places and times are numbered by: 16 bits where these are enough, else 32.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Sub};

use crate::uniform::Width;

/// Sub-tables at most in which a [`Row`](Number::Row) has choices.
pub(super) const MOST_LEVELS: usize = 4;

/// A number of so many bits.
///
/// With 16, a table is one piece of memory that is as long as there are numbers: none of them is beyond its end, and a place and a
/// time are written as one word.
pub(in crate::tables) trait Number:
    Width
    + Debug
    + Default
    + Ord
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Div<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Into<u64>
    + Send
    + 'static
{
    /// Places at most. Elements may be one more.
    const MOST_PLACES: u32;

    /// The place of an element that arrives in this block and has none yet.
    const ARRIVING: Self;

    /// A place that is taken for longer than the block, by an element that was never asked for its next choice.
    ///
    /// The state of a place is the time at which it becomes free, an odd number, or one less. The last bit tells whether its
    /// element was asked.
    const TAKEN: Self;

    /// The bit of a state that says so.
    const ASKED: Self;

    /// Time from one step to the next.
    const STEP: Self;

    /// The time before the first step: a place that is free from the beginning has a lower one.
    const BEGINNING: Self;

    /// A value for each number of a place or an element.
    type Of<T: Copy + Debug + Send + 'static>: AsRef<[T]> + AsMut<[T]> + Clone + Debug + Send;

    /// The same value for each of so many numbers, and for the [`list`](Self::list).
    fn filled<T: Copy + Debug + Send + 'static>(value: T, numbers: usize) -> Self::Of<T>;

    /// The overflow list as a place of a table of so many; what its state is means nothing.
    fn list(places: usize) -> Self;

    /// Two numbers, which are written at once.
    type Pair: Copy + Debug + Default + Send;

    fn pair(low: Self, high: Self) -> Self::Pair;
    fn low(pair: Self::Pair) -> Self;
    fn high(pair: Self::Pair) -> Self;

    /// An element's choices in all sub-tables, which are written at once.
    type Row: Copy + Debug + Default + Send + 'static;

    fn row(own: [Self; MOST_LEVELS]) -> Self::Row;
    fn choice(row: Self::Row, level: usize) -> Self;

    /// As an index into an [`Of`](Self::Of).
    fn index(self) -> usize;

    fn wrapping_sub(self, other: Self) -> Self;

    /// The first of `size` places of the bucket of this number.
    fn first_place(self, size: u8) -> Self;

    /// The next place.
    fn next(self) -> Self;
}

macro_rules! number {
    ($number:ty, $pair:ty, $row:ty, $($rest:tt)*) => {
        impl Number for $number {
            const ARRIVING: Self = Self::MAX;
            const TAKEN: Self = Self::MAX - 1;
            const ASKED: Self = 1;
            const STEP: Self = 2;
            const BEGINNING: Self = 1;

            type Pair = $pair;
            type Row = $row;

            $($rest)*

            #[inline(always)]
            fn pair(low: Self, high: Self) -> Self::Pair {
                <$pair>::from(low) | <$pair>::from(high) << Self::BITS
            }

            #[inline(always)]
            fn low(pair: Self::Pair) -> Self {
                pair as Self
            }

            #[inline(always)]
            fn high(pair: Self::Pair) -> Self {
                (pair >> Self::BITS) as Self
            }

            #[inline(always)]
            fn row(own: [Self; MOST_LEVELS]) -> Self::Row {
                own.into_iter().rev().fold(0, |row, choice| row << Self::BITS | <$row>::from(choice))
            }

            #[inline(always)]
            fn choice(row: Self::Row, level: usize) -> Self {
                (row >> (Self::BITS as usize * level)) as Self
            }

            #[inline(always)]
            fn index(self) -> usize {
                self as usize
            }

            #[inline(always)]
            fn wrapping_sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn first_place(self, size: u8) -> Self {
                self.wrapping_mul(size.into())
            }

            #[inline(always)]
            fn next(self) -> Self {
                self.wrapping_add(1)
            }
        }
    };
}

number! { u16, u32, u64,
    const MOST_PLACES: u32 = Self::MAX as u32 - 1;

    type Of<T: Copy + Debug + Send + 'static> = [T; 1 << 16];

    fn filled<T: Copy + Debug + Send + 'static>(value: T, _numbers: usize) -> Self::Of<T> {
        [value; 1 << 16]
    }

    #[inline(always)]
    fn list(_places: usize) -> Self {
        Self::MAX - 1
    }
}

number! { u32, u64, u128,
    /// Of larger ranges too many draws would be rejected.
    const MOST_PLACES: u32 = 1 << 26;

    type Of<T: Copy + Debug + Send + 'static> = Vec<T>;

    fn filled<T: Copy + Debug + Send + 'static>(value: T, numbers: usize) -> Self::Of<T> {
        vec![value; numbers + 1]
    }

    #[inline(always)]
    fn list(places: usize) -> Self {
        places as Self
    }
}
