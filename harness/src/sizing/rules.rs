//! The schemes that can be sized, under the names of the registry.

use loadfactor_schemes::tables::theory::multilevel::InsertionRule;

use super::Error;

/// The rules that are compared with each other.
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

/// The rule by which the scheme of this name inserts into buckets of this size; `None` if no scheme that
/// can be sized has the name. `standard` is what papers call `multiple` on sub-tables.
///
/// # Errors
/// [`Error::BucketSize`] where the scheme has no such buckets, or they are too large to be searched.
pub fn rule_of(scheme: &str, bucket_size: u8) -> Option<Result<InsertionRule, Error>> {
    let single = |rule| match bucket_size {
        1 => Ok(rule),
        asked => Err(Error::BucketSize { scheme: name_of(rule), possible: "1 element", asked }),
    };
    Some(match scheme {
        "multiple" | "standard" => match bucket_size {
            ..=LARGEST_BUCKETS => Ok(InsertionRule::Standard { bucket_size }),
            asked => {
                Err(Error::BucketSize { scheme: "multiple", possible: "1 to 64 elements", asked })
            }
        },
        "second-chance" => match bucket_size {
            1 => Ok(InsertionRule::SecondChance),
            2 => Ok(InsertionRule::SecondChanceOfTwo),
            asked => Err(Error::BucketSize {
                scheme: "second-chance",
                possible: "1 or 2 elements",
                asked,
            }),
        },
        "conservative" => single(InsertionRule::Conservative),
        "extreme-second-chance" => single(InsertionRule::ExtremeSecondChance),
        _ => return None,
    })
}

/// The scheme that inserts by this rule.
pub fn name_of(rule: InsertionRule) -> &'static str {
    match rule {
        InsertionRule::Standard { .. } => "multiple",
        InsertionRule::Conservative => "conservative",
        InsertionRule::SecondChance | InsertionRule::SecondChanceOfTwo => "second-chance",
        InsertionRule::ExtremeSecondChance => "extreme-second-chance",
    }
}

/// The scheme with the size of its buckets.
pub(super) fn described(rule: InsertionRule) -> String {
    format!("`{}` with buckets of {}", name_of(rule), rule.bucket_size())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_found_by_its_scheme_and_bucket_size() {
        for rule in RULES {
            let found = rule_of(name_of(rule), rule.bucket_size()).unwrap().unwrap();
            assert_eq!(found, rule);
        }
        assert!(rule_of("cuckoo", 1).is_none());
        assert!(rule_of("multiple", 64).unwrap().is_ok());
        assert!(rule_of("multiple", 65).unwrap().is_err());
    }
}
