use proptest::collection::btree_set;
use proptest::prelude::*;

use super::*;

const LAST: u16 = Waiters::ENTRIES - 1;

fn of(entries: impl IntoIterator<Item = u16>) -> Waiters {
    entries.into_iter().fold(Waiters::NONE, |all, entry| all.add(Waiters::entry(entry)))
}

/// Every entry alone, and every one beside some others.
#[test]
fn one_entry_or_two_are_known() {
    for entry in 0..Waiters::ENTRIES {
        assert_eq!(of([entry]).lowest(), (entry, false));
        for other in (0..=LAST).step_by(31).chain([entry.saturating_sub(1), LAST]) {
            if other != entry {
                assert_eq!(of([entry, other]).lowest(), (entry.min(other), false));
            }
        }
    }
}

/// As many as there may be, which run over: none of them appears to be alone or to have gone before it has.
#[test]
fn all_entries_at_once_are_more_than_two() {
    let mut all = of(0..=LAST);
    for entry in 0..LAST - 1 {
        assert!(all.lowest().1, "{entry}");
        all = all.remove(Waiters::entry(entry));
    }
    assert_eq!(all.lowest(), (LAST - 1, false));
    assert_eq!(all.remove(Waiters::entry(LAST - 1)).remove(Waiters::entry(LAST)), Waiters::NONE);
}

proptest! {
    /// Whatever was written and erased meanwhile.
    #[test]
    fn what_is_erased_leaves_no_trace(entries in btree_set(0..=LAST, 3..200), left in 1..=2_usize) {
        let mut waiters = of(entries.iter().copied());
        prop_assert!(waiters.lowest().1);
        for &entry in entries.iter().skip(left) {
            waiters = waiters.remove(Waiters::entry(entry));
        }
        prop_assert_eq!(waiters.lowest(), (*entries.first().unwrap(), false));
    }
}
