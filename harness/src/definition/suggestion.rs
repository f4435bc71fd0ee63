//! What a user may have meant by a name that there is not.

/// Names that are suggested at once.
const MOST_SUGGESTED: usize = 5;

/// Valid names up to which all are told where none is near.
const MOST_TOLD: usize = 24;

/// The valid name that the user most likely meant, if one is near enough.
pub(crate) fn nearest<'n>(name: &str, valid: &[&'n str]) -> Option<&'n str> {
    let near = valid.iter().copied().filter(|other| is_near(name, other));
    near.min_by_key(|other| distance(name, other)).or_else(|| match continued(name, valid)[..] {
        [only] => Some(only),
        _ => None,
    })
}

/// A question after the nearest names; where none is near, all of them if they are few, else those that are
/// least far.
pub(crate) fn suggestion(name: &str, valid: &[&str]) -> Option<String> {
    if let Some(near) = nearest(name, valid) {
        return Some(format!("did you mean `{near}`?"));
    }
    let few = |mut names: Vec<&str>| {
        names.truncate(MOST_SUGGESTED);
        match names.split_last() {
            Some((last, [])) => format!("`{last}`"),
            Some((last, others)) => format!("{} or `{last}`", quoted(others)),
            None => String::new(),
        }
    };
    let continued = continued(name, valid);
    match valid.len() {
        0 => None,
        _ if !continued.is_empty() => Some(format!("did you mean {}?", few(continued))),
        1..=MOST_TOLD => Some(format!("valid: {}", quoted(valid))),
        all => {
            let mut least_far = valid.to_vec();
            least_far.sort_by_key(|other| distance(name, other));
            Some(format!("there are {all}, such as {}", few(least_far)))
        }
    }
}

/// The names in a row, each as code.
pub(crate) fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn is_near(name: &str, other: &str) -> bool {
    distance(name, other) <= name.chars().count().max(3) / 3
}

fn distance(name: &str, other: &str) -> usize {
    let plain = |text: &str| text.to_lowercase().replace('-', "_");
    strsim::damerau_levenshtein(&plain(name), &plain(other))
}

/// The valid names that begin with this one.
fn continued<'n>(name: &str, valid: &[&'n str]) -> Vec<&'n str> {
    let longer = |other: &&str| name.len() > 2 && other.starts_with(name);
    valid.iter().copied().filter(longer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_is_not() {
        let valid = ["choices", "buckets", "bucket_size"];
        assert_eq!(nearest("choises", &valid), Some("choices"));
        assert_eq!(nearest("bucket-size", &valid), Some("bucket_size"));
        assert_eq!(nearest("choi", &valid), Some("choices"));
        assert_eq!(nearest("over", &["overflow_fraction", "overflow_elements"]), None);
        assert_eq!(nearest("banana", &valid), None);
    }

    #[test]
    fn few_names_are_suggested_however_many_there_are() {
        let valid: Vec<String> = (0..40).map(|i| format!("load_{i}")).collect();
        let mut valid: Vec<&str> = valid.iter().map(String::as_str).collect();
        valid.extend(["overflow_fraction", "overflow_elements"]);
        let said = |name| suggestion(name, &valid).unwrap();
        insta::assert_snapshot!(said("overflow"), @"did you mean `overflow_fraction` or `overflow_elements`?");
        insta::assert_snapshot!(said("xyz"), @"there are 42, such as `load_0`, `load_1`, `load_2`, `load_3` or `load_4`");
        insta::assert_snapshot!(suggestion("banana", &["a", "b"]).unwrap(), @"valid: `a`, `b`");
        assert_eq!(suggestion("a", &[]), None);
    }
}
