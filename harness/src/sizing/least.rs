//! The least number of buckets that reaches a goal, as far as simulations show.

use super::Error;

/// A table that was simulated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tried {
    /// Its buckets.
    pub(super) total: u64,
    /// Elements on its list.
    pub(super) mean: f64,
}

impl Tried {
    /// A table that is too small to be simulated.
    fn nothing(total: u64) -> Self {
        Self { total, mean: f64::INFINITY }
    }
}

/// Totals of buckets between which the least one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bracket {
    /// Too few.
    pub(super) short: u64,
    /// Enough.
    pub(super) enough: u64,
}

/// How much roomier the first table is than one without an empty place, and each roomier one than that before.
/// Tables that are too small take the longest: with cuckoo hashing, elements that find no room move many others.
const ROOMIER: f64 = 1.25;

/// Searches a total of at least `from` buckets with a list of at most so many elements, from roomy tables down, to
/// this share of the total; until it `is_over`, and then no further than to a total that is enough.
///
/// # Errors
/// The first of `tried`, but where the time is over after a total that is enough.
pub(super) fn least(
    from: u64,
    most: f64,
    resolution: f64,
    tried: impl Fn(u64) -> Result<Tried, Error>,
    is_over: impl Fn() -> bool,
) -> Result<Bracket, Error> {
    let roomier = |total: u64| (total + 1).max((total as f64 * ROOMIER) as u64);
    let (mut short, mut enough) = (Tried::nothing(from.saturating_sub(1)), tried(roomier(from))?);
    while enough.mean > most {
        (short, enough) = (enough, tried(roomier(enough.total))?);
    }
    while enough.total - short.total > ((enough.total as f64 * resolution) as u64).max(1)
        && !is_over()
    {
        let middle = match tried(between(&short, &enough, most)) {
            Err(Error::OutOfTime { .. }) => break,
            middle => middle?,
        };
        *(if middle.mean > most { &mut short } else { &mut enough }) = middle;
    }
    Ok(Bracket { short: short.total, enough: enough.total })
}

/// A total of buckets between two, nearer to the one whose list is nearer to what is wanted; in the middle where one of
/// them has no list, or was not simulated.
fn between(short: &Tried, enough: &Tried, most: f64) -> u64 {
    let (low, high) = (short.total + 1, enough.total - 1);
    let part = (short.mean / most).ln() / (short.mean / enough.mean).ln();
    let is_known = enough.mean > 0.0 && part.is_finite();
    let part = if is_known { part.clamp(0.1, 0.9) } else { 0.5 };
    (short.total + ((enough.total - short.total) as f64 * part) as u64).clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// Lists that shrink by a factor with each bucket.
    fn shrinking(tried: &RefCell<Vec<u64>>) -> impl Fn(u64) -> Result<Tried, Error> {
        |total| {
            tried.borrow_mut().push(total);
            Ok(Tried { total, mean: 1e9 * 0.99_f64.powf(total as f64) })
        }
    }

    #[test]
    fn the_least_total_is_found_from_roomy_tables() {
        let tried = RefCell::default();
        let found = least(700, 100.0, 0.0, shrinking(&tried), || false).unwrap();
        // 1e9·0.99^m ≤ 100 from m = 1604 on.
        assert_eq!(found, Bracket { short: 1603, enough: 1604 });
        assert!(tried.borrow().len() < 12, "{tried:?}");
        assert_eq!(tried.borrow()[0], 875);
    }

    /// Near a table that is too small, each one is slow to be simulated.
    #[test]
    fn between_a_table_without_a_list_and_a_full_one_is_the_middle() {
        let short = Tried { total: 100, mean: 7.0 };
        assert_eq!(between(&short, &Tried { total: 200, mean: 0.0 }, 5.0), 150);
        assert_eq!(between(&short, &Tried { total: 200, mean: 4.9 }, 5.0), 190);
        assert_eq!(between(&Tried::nothing(100), &Tried { total: 200, mean: 4.9 }, 5.0), 150);
    }

    #[test]
    fn a_search_that_is_over_has_a_total_that_is_enough() {
        let tried = RefCell::default();
        let found = least(700, 100.0, 0.0, shrinking(&tried), || true).unwrap();
        assert!(found.enough >= 1604 && found.short < 1604, "{found:?}");
    }

    #[test]
    fn a_table_that_there_was_no_time_for_ends_the_search_with_one_that_is_enough() {
        let tried: RefCell<Vec<u64>> = RefCell::default();
        let until_fourth = |total| {
            if tried.borrow().len() == 3 {
                return Err(Error::OutOfTime { elements: 1 });
            }
            shrinking(&tried)(total)
        };
        let found = least(1400, 100.0, 0.0, until_fourth, || false).unwrap();
        assert!(found.enough >= 1604 && found.short < 1604, "{found:?}");
    }
}
