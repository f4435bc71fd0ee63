//! An answer as a person reads it.

use std::fmt;

use super::answer::Answer;
use super::cause::{Cause, Setting};
use super::estimate::Estimate;
use super::numerals::{exact_points, grouped, in_percent, percent, points, times};
use super::split::{Measured, Part, SizePart};

/// The name of the part that is owed to the size of the table.
pub(super) const SIZE: &str = "size of the table";

/// Columns of a line of prose.
const WIDTH: usize = 96;

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n{}\n", self.traffic, self.question, self.effort())?;
        self.difference(f)?;
        self.parts(f)?;
        self.explanations(f)?;
        self.settings(f)?;
        self.warnings
            .iter()
            .try_for_each(|warning| paragraph(f, "", &format!("warning: {warning}")))
    }
}

impl Answer {
    fn effort(&self) -> String {
        let question = &self.question;
        format!(
            "{} trials of {} rounds, {} times through the trace; ± is one standard error",
            question.trials,
            grouped(question.rounds),
            times(self.traffic.passes())
        )
    }

    fn difference(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let split = &self.split;
        let row = |f: &mut fmt::Formatter<'_>, name: &str, value: &str| {
            writeln!(f, "  {name:<52} {value:>16}")
        };
        writeln!(f, "per cent of the elements that overflow")?;
        row(f, "on this trace", &in_percent(split.at(Setting::AS_CAPTURED).overflow))?;
        match split.model {
            Some(model) => {
                let name =
                    format!("in the model ({}: infinitely many buckets, ideal hash,", model.source);
                writeln!(f, "  {name}")?;
                row(f, "  each key once)", &format!("{:.3}", 100.0 * model.limit))?;
            }
            None => row(
                f,
                "with an ideal hash, each key once, in random order",
                &in_percent(split.at(Setting::IDEAL).overflow),
            )?,
        }
        row(f, "difference, in percentage points", &points(split.difference))?;
        writeln!(f)
    }

    fn parts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let split = &self.split;
        writeln!(
            f,
            "{:<22} {:>16} {:>18}   {:>16} {:>16}",
            "owed to", "points", "of the difference", "cured alone", "on its own"
        )?;
        split.parts.iter().try_for_each(|part| part_row(f, part))?;
        split.size.iter().try_for_each(|size| size_row(f, size))?;
        writeln!(f, "  {:<20} {:>16}\n", "all together", points(split.difference))?;
        match split.dominant() {
            Some(cause) => writeln!(f, "Most is owed to: {cause}.\n"),
            None => Ok(()),
        }
    }

    fn explanations(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.split.parts {
            paragraph(f, "  ", &format!("{}: {}", part.cause, self.explain(part)))?;
        }
        paragraph(f, "  ", &format!("{SIZE}: {}", self.explain_size()))?;
        writeln!(f)
    }

    fn explain(&self, part: &Part) -> String {
        match part.cause {
            Cause::RepeatedKeys => self.explain_repeats(),
            Cause::PacketOrder => self.explain_order(),
            Cause::HashFunction => self.explain_hash(part),
        }
    }

    fn explain_repeats(&self) -> String {
        match self.traffic.repeats() {
            0.0 => "no key comes twice in this trace.".to_owned(),
            repeats => format!(
                "the trace repeats its keys: {} of the packets bring one that came before. Elements of one key \
                 have the same buckets to choose from, and crowd there.",
                percent(repeats)
            ),
        }
    }

    fn explain_order(&self) -> String {
        let stored = |setting| self.split.at(setting).repeated.unwrap_or(0.0);
        let captured = stored(Setting::AS_CAPTURED);
        let shuffled = stored(Setting::AS_CAPTURED.without(Cause::PacketOrder));
        let how = match captured > shuffled {
            true => "packets of one key come close together",
            false => "packets of one key do not come close together",
        };
        format!(
            "{how}: of the packets as captured {} find their key stored already, in a random order {}. \
             Without repeated keys, an ideal hash does not feel the order.",
            percent(captured),
            percent(shuffled)
        )
    }

    fn explain_hash(&self, part: &Part) -> String {
        let hash = &self.question.hash;
        let how = match (part.added.is_certain(), part.added.value > 0.0) {
            (false, _) => {
                "is as good here as an ideal function of the key, as far as the trials can tell"
            }
            (true, true) => "spreads these keys less evenly than an ideal function of the key",
            (true, false) => "spreads these keys more evenly than chance would",
        };
        format!("{hash} {how}.")
    }

    fn explain_size(&self) -> String {
        let buckets = self.traffic.buckets.map_or_else(|| "so many".to_owned(), grouped);
        match (self.split.size, &self.no_model) {
            (Some(SizePart { in_theory: Some(theory), .. }), _) => format!(
                "{buckets} buckets in place of infinitely many; in theory that is {} points.",
                exact_points(theory)
            ),
            (Some(_), _) => format!("{buckets} buckets in place of infinitely many."),
            (None, Some(reason)) => {
                format!("not known, as there is no limit to compare with: {reason}.")
            }
            (None, None) => "not known, as theory gives no limit for this scheme.".to_owned(),
        }
    }

    /// What the parts are made of.
    fn settings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<44} {:>16} {:>20}", "measured", "% overflow", "% find key stored")?;
        for Measured { setting, overflow, repeated } in &self.split.measured {
            let repeated =
                repeated.map_or_else(String::new, |share| format!("{:.1}", 100.0 * share));
            let label = setting.to_string();
            writeln!(f, "  {label:<42} {:>16} {repeated:>20}", in_percent(*overflow))?;
        }
        writeln!(f)?;
        paragraph(
            f,
            "",
            "Points are averages over the orders in which causes can be switched off. Cured alone: how much \
             less would overflow without this cause and with the others. On its own: how much more would with \
             this cause and without the others. ?: smaller than its error.",
        )
    }
}

fn part_row(f: &mut fmt::Formatter<'_>, part: &Part) -> fmt::Result {
    let Part { cause, added, share, cured_alone, on_its_own } = part;
    let share = share_column(*share);
    let [added, cured, own] = [*added, *cured_alone, *on_its_own].map(points);
    writeln!(f, "  {cause:<20} {added:>16} {share:>20} {cured:>16} {own:>16}")
}

fn size_row(f: &mut fmt::Formatter<'_>, size: &SizePart) -> fmt::Result {
    let (added, share) = (points(size.added), share_column(size.share));
    writeln!(f, "  {SIZE:<20} {added:>16} {:>20}", share)
}

fn share_column(share: Option<Estimate>) -> String {
    share.map_or_else(String::new, |share| {
        let mark = if share.is_lost_in_its_error() { '?' } else { ' ' };
        format!("{} % {mark}", in_percent(share))
    })
}

/// Words in lines of at most [`WIDTH`] columns, all but the first indented further.
fn paragraph(f: &mut fmt::Formatter<'_>, indent: &str, text: &str) -> fmt::Result {
    let mut line = indent.to_owned();
    let mut is_begun = false;
    for word in text.split(' ') {
        if is_begun && line.chars().count() + 1 + word.chars().count() > WIDTH {
            writeln!(f, "{line}")?;
            line = format!("{indent}  ");
            is_begun = false;
        }
        if is_begun {
            line.push(' ');
        }
        line.push_str(word);
        is_begun = true;
    }
    writeln!(f, "{line}")
}
