//! Where each choice of an element falls.

use crate::tables::{Scheme, SubTable};

/// The buckets that each choice is drawn from, in the order of choices.
pub(in crate::tables) fn ranges<S: Scheme>(scheme: &S) -> Vec<SubTable> {
    match scheme.ranges()[..] {
        [buckets] => vec![SubTable { first: 0, buckets }; scheme.choices() as usize],
        ref sizes => one_after_another(sizes),
    }
}

fn one_after_another(sizes: &[u32]) -> Vec<SubTable> {
    let mut first = 0;
    let mut range = |&buckets: &u32| {
        let own = SubTable { first, buckets };
        first += buckets;
        own
    };
    sizes.iter().map(&mut range).collect()
}
