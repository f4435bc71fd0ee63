//! What a definition may say, by the messages of what it may not.

use crate::families;
use crate::params::Scalar;

fn error(scheme: &str, workload: &str, own: &[(&str, Scalar)]) -> String {
    let given = [own, &[("queries", 10_i64.into())]].concat();
    families::case(scheme, workload, "random", &given).unwrap_err().to_string()
}

fn deletion(scheme: &str, own: &[(&str, Scalar)]) -> String {
    let size = [("buckets", 64_i64.into()), ("load", 0.5.into()), ("rounds", 5_i64.into())];
    error(scheme, "probing-alternation", &[&size, own].concat())
}

#[test]
fn a_way_of_deletion_is_one_of_the_scheme() {
    let back_shift = [("deletion", "back-shift".into())];
    assert_eq!(
        deletion("quadratic-probing", &back_shift),
        "`deletion`: the elements of `quadratic-probing` are not shifted back, as those behind a slot are not those \
         that passed it; give \"tombstones\""
    );
    assert_eq!(
        deletion("double-hashing-table", &[]),
        "`deletion`: missing; `double-hashing-table` deletes with `deletion = \"tombstones\"` alone"
    );
    assert_eq!(
        deletion("robin-hood", &[]),
        "`deletion`: missing; give \"tombstones\" or \"back-shift\""
    );
    assert_eq!(
        deletion("hopscotch", &[("deletion", "tombstones".into())]),
        "`deletion`: a search of `hopscotch` does not mind an empty slot; leave it out"
    );
}

#[test]
fn a_size_is_one_that_the_table_holds() {
    let sized = |scheme, own: &[(&str, Scalar)]| error(scheme, "probing-fill", own);
    assert_eq!(
        sized("linear-probing", &[("buckets", 10_i64.into()), ("elements", 11_i64.into())]),
        "`elements`: gives 11 elements; 10 slots hold 1 to 10"
    );
    assert_eq!(
        sized("quadratic-probing", &[("buckets", 100_i64.into()), ("load", 0.5.into())]),
        "`buckets`: 100 is no power of two: the steps 1, 2, 3, … then read some slots twice before they read all of \
         them"
    );
    let few = [("buckets", 8_i64.into()), ("load", 0.5.into())];
    assert_eq!(
        sized("hopscotch", &few),
        "`neighbourhood`: 32 slots of a table of 8; use `neighbourhood = 8` or less"
    );
}
