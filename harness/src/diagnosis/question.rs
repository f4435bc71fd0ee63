//! The experiment that answers a question.

use std::fmt::{self, Write as _};

use super::cause::{Cause, Setting};

/// What is asked: a scheme with its hash function, on the keys of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Name of the scheme.
    pub scheme: String,
    /// Name of the hash function.
    pub hash: String,
    /// Name of the kind of key.
    pub key_fields: String,
    /// Further parameters of the points, by name, as they stand in TOML.
    pub params: Vec<(String, String)>,
    /// Trials of each setting.
    pub trials: u64,
    /// Rounds of the measuring window.
    pub rounds: u64,
}

/// The hash function whose values are those of an ideal one as far as anybody can tell: unlike choices that
/// are drawn, they are the same for the same key.
pub(super) const IDEAL: (&str, &str) = ("siphash", "seeds");

impl Question {
    /// The definition, to be run on a trace that is named beside it: a series for each setting.
    pub fn definition(&self) -> String {
        self.of_settings(Setting::all())
    }

    /// The same as captured alone, in which each mistake of the question stands once.
    pub fn first_series(&self) -> String {
        self.of_settings(Setting::all().take(1))
    }

    fn of_settings(&self, settings: impl Iterator<Item = Setting>) -> String {
        settings.map(|setting| self.series(setting)).fold(self.head(), |text, one| text + &one)
    }

    fn head(&self) -> String {
        let Self { scheme, hash, key_fields, trials, rounds, .. } = self;
        let mut text = format!(
            "title  = \"{scheme} with {hash} on a trace: what the overflow is owed to\"\n\
             trials = {trials}\n\n\
             [workload]\nkind       = \"alternation\"\nrounds     = {rounds}\n\
             keys       = \"trace\"\nkey_fields = \"{key_fields}\"\n\n\
             [point]\nscheme = \"{scheme}\"\n"
        );
        for (name, value) in self.params.iter().filter(|(name, _)| !OF_THE_HASH.contains(&&**name))
        {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name} = {value}");
        }
        text
    }

    fn series(&self, setting: Setting) -> String {
        let mut text = format!("\n[[series]]\nlabel    = \"{setting}\"\n");
        text += &match setting.is_without(Cause::HashFunction) {
            true => format!("hash     = \"{}\"\nchoices_from = \"{}\"\n", IDEAL.0, IDEAL.1),
            false => self.own_hash(),
        };
        let keys = [
            (Cause::RepeatedKeys, "repeated_keys = \"remove\""),
            (Cause::PacketOrder, "arrival_order = \"shuffled\""),
        ];
        let absent = keys.iter().filter(|(cause, _)| setting.is_without(*cause));
        let absent: Vec<&str> = absent.map(|(_, key)| *key).collect();
        if !absent.is_empty() {
            let _ = writeln!(text, "workload = {{ {} }}", absent.join(", "));
        }
        text
    }

    fn own_hash(&self) -> String {
        let mut text = format!("hash     = \"{}\"\n", self.hash);
        for (name, value) in self.params.iter().filter(|(name, _)| OF_THE_HASH.contains(&&**name)) {
            let _ = writeln!(text, "{name} = {value}");
        }
        text
    }
}

/// Parameters that an ideal hash function has in a way of its own.
const OF_THE_HASH: [&str; 2] = ["choices_from", "slice_bits"];

/// The table.
impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {}", self.scheme, self.hash)?;
        self.params.iter().try_for_each(|(name, value)| write!(f, ", {name} = {value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> Question {
        Question {
            scheme: "multiple".into(),
            hash: "xxh3".into(),
            key_fields: "five-tuple".into(),
            params: [("choices", "2"), ("choices_from", "\"double\"")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            trials: 30,
            rounds: 1000,
        }
    }

    #[test]
    fn a_question_as_captured() {
        insta::assert_snapshot!(question().first_series(), @r#"
        title  = "multiple with xxh3 on a trace: what the overflow is owed to"
        trials = 30

        [workload]
        kind       = "alternation"
        rounds     = 1000
        keys       = "trace"
        key_fields = "five-tuple"

        [point]
        scheme = "multiple"
        choices = 2

        [[series]]
        label    = "as captured"
        hash     = "xxh3"
        choices_from = "double"
        "#);
    }

    #[test]
    fn a_series_is_without_what_its_setting_switches_off() {
        let text = question().definition();
        let series: Vec<&str> = text.split("\n[[series]]\n").skip(1).collect();
        for (setting, series) in Setting::all().zip(&series) {
            assert!(series.contains(&format!("label    = \"{setting}\"")), "{series}");
            let has = |key: &str| series.contains(key);
            assert_eq!(has("repeated_keys"), setting.is_without(Cause::RepeatedKeys), "{series}");
            assert_eq!(has("arrival_order"), setting.is_without(Cause::PacketOrder), "{series}");
            assert_eq!(has("siphash"), setting.is_without(Cause::HashFunction), "{series}");
            assert_eq!(has("double"), !setting.is_without(Cause::HashFunction), "{series}");
        }
        assert_eq!(series.len(), Setting::all().count());
    }
}
