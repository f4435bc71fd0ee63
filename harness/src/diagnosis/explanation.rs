//! Why each cause adds what it adds, in the words of somebody who runs such a table.

use std::fmt;

use super::answer::Answer;
use super::cause::{Cause, Setting};
use super::numerals::{exact_points, grouped, percent};
use super::prose::paragraph;
use super::split::{Part, SizePart};

impl Answer {
    /// A sentence or two for each part, in the order of the parts.
    pub(super) fn explanations(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.split.parts {
            let text = match part.cause {
                Cause::RepeatedKeys => self.explain_repeats(),
                Cause::PacketOrder => self.explain_order(),
                Cause::HashFunction => self.explain_hash(part),
            };
            paragraph(f, "- ", &text)?;
        }
        paragraph(f, "- ", &self.explain_size())?;
        writeln!(f)
    }

    fn explain_repeats(&self) -> String {
        let repeats = self.traffic.repeats();
        if repeats == 0.0 {
            return "The trace repeats no key.".to_owned();
        }
        let repeats = percent(repeats);
        format!(
            "The trace repeats its keys: {repeats} of the packets bring one that came before. Elements of one \
             key have the same buckets to choose from, and crowd there."
        )
    }

    fn explain_order(&self) -> String {
        let stored = |setting| self.split.at(setting).repeated.unwrap_or(0.0);
        let captured = stored(Setting::AS_CAPTURED);
        let shuffled = stored(Setting::AS_CAPTURED.without(Cause::PacketOrder));
        let [in_order, at_random] = [captured, shuffled].map(percent);
        if in_order == at_random {
            return format!(
                "Packets of one key come no closer together than by chance: {in_order} of the packets find their \
                 key stored already, in any order."
            );
        }
        let how = if captured > shuffled { "close together" } else { "far apart" };
        format!(
            "Packets of one key come {how}: {in_order} of the packets find their key stored already; \
             in a random order {at_random} would."
        )
    }

    fn explain_hash(&self, part: &Part) -> String {
        if part.added.value == 0.0 && part.added.std_error == 0.0 {
            return format!(
                "The hash function {} changes nothing: it is the ideal one.",
                self.question.hash
            );
        }
        let how = match (part.added.is_certain(), part.added.value > 0.0) {
            (false, _) => "is as good here as an ideal one, as far as the trials can tell",
            (true, true) => {
                "serves these keys worse than an ideal one: its choices are uneven, or hang together"
            }
            (true, false) => {
                "spreads these keys more evenly than an ideal one, which leaves that to chance"
            }
        };
        format!("The hash function {} {how}.", self.question.hash)
    }

    fn explain_size(&self) -> String {
        let buckets = self.traffic.buckets.map_or_else(|| "so many".to_owned(), grouped);
        match (self.split.size, &self.no_model) {
            (Some(SizePart { in_theory: Some(theory), .. }), _) => format!(
                "The table has {buckets} buckets in place of infinitely many, which makes {} points in theory.",
                exact_points(theory)
            ),
            (Some(_), _) => {
                format!("The table has {buckets} buckets in place of infinitely many.")
            }
            (None, Some(reason)) => {
                format!("What the size of the table adds is not known: {reason}.")
            }
            (None, None) => {
                "What the size of the table adds is not known: theory gives no limit for this \
                             scheme with these parameters."
                    .to_owned()
            }
        }
    }
}
