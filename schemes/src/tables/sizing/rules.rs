//! The insertion rules whose sub-tables can be sized, by the names of their schemes.

use crate::tables::theory::multilevel::InsertionRule;

/// The rules that are compared with each other: Std, Std2, Cons, SC, SC2 and SCExt.
pub const RULES: [InsertionRule; 6] = [
    InsertionRule::Standard { bucket_size: 1 },
    InsertionRule::Standard { bucket_size: 2 },
    InsertionRule::Conservative,
    InsertionRule::SecondChance,
    InsertionRule::SecondChanceOfTwo,
    InsertionRule::ExtremeSecondChance,
];

/// Elements of a bucket up to which the limit takes little memory for any sizes that the search may try.
const LARGEST_BUCKETS: u8 = 64;

/// Buckets of a size for which no sub-tables of this scheme can be sized.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{scheme}` can be sized with buckets of {possible}")]
pub struct BucketSizeError {
    /// Its name.
    pub scheme: String,
    /// The sizes that are possible.
    possible: String,
    /// The size asked for.
    pub asked: u8,
}

/// The rule by which the scheme of this name inserts into buckets of this size; `None` if no scheme that
/// can be sized has the name. `standard` is what papers call `multiple` on sub-tables.
///
/// # Errors
/// [`BucketSizeError`] where the scheme has no such buckets, or they are too large to be searched.
pub fn rule_of(scheme: &str, bucket_size: u8) -> Option<Result<InsertionRule, BucketSizeError>> {
    let scheme = if scheme == "standard" { RULES[0].scheme() } else { scheme };
    let possible = possible_sizes(scheme)?;
    let rule = InsertionRule::of_scheme(scheme, bucket_size);
    let rule = rule.filter(|_| (1..=LARGEST_BUCKETS).contains(&bucket_size));
    Some(rule.ok_or_else(|| BucketSizeError {
        scheme: scheme.to_owned(),
        possible,
        asked: bucket_size,
    }))
}

/// The sizes of buckets for which the scheme can be sized; `None` where there are none.
fn possible_sizes(scheme: &str) -> Option<String> {
    let is_possible = |&size: &u8| InsertionRule::of_scheme(scheme, size).is_some();
    let sizes: Vec<u8> = (1..=LARGEST_BUCKETS).filter(is_possible).collect();
    match *sizes {
        [] => None,
        [one] => Some(format!("{one} element")),
        [one, other] => Some(format!("{one} or {other} elements")),
        [first, .., last] => Some(format!("{first} to {last} elements")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::FAMILY;

    #[test]
    fn a_rule_is_found_by_its_scheme_and_bucket_size() {
        for rule in RULES {
            let found = rule_of(rule.scheme(), rule.bucket_size()).unwrap().unwrap();
            assert_eq!(found, rule);
            assert!(FAMILY.schemes.iter().any(|entry| entry.info.name == rule.scheme()));
        }
        assert!(rule_of("cuckoo", 1).is_none());
        assert_eq!(rule_of("standard", 2), rule_of("multiple", 2));
    }

    #[test]
    fn other_bucket_sizes_are_refused() {
        let refused = |scheme, size| rule_of(scheme, size).unwrap().unwrap_err().possible;
        assert!(rule_of("multiple", 64).unwrap().is_ok());
        assert_eq!(refused("multiple", 65), "1 to 64 elements");
        assert_eq!(refused("multiple", 0), "1 to 64 elements");
        assert_eq!(refused("conservative", 2), "1 element");
        assert_eq!(refused("second-chance", 3), "1 or 2 elements");
    }
}
