//! A definition's text with the settings of the command line in it, and the way back from a place in that
//! text to what the user wrote: the file, or the option.

use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::mistake::Mistake;
use super::setting::Setting;
use super::source::{Source, Span};
use super::suggestion::suggestion;

/// A value and its place.
type Node<'t> = Spanned<DeValue<'t>>;

/// A text after all settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Edited {
    /// The text.
    pub(crate) text: String,
    edits: Vec<Edit>,
}

/// One passage that a setting gives.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Edit {
    /// Its place in the edited text.
    placed: Span,
    /// Bytes of the file that it stands for.
    replaced: usize,
    /// Where the value stands in the edited text.
    value: Span,
    setting: Setting,
}

/// Where a setting goes.
#[derive(Debug, Clone)]
enum Place {
    /// In place of this value.
    Value(Span),
    /// Before this position, with the key from this part on, so that a line of its own comes to be.
    Line { at: usize, part: usize, below: bool },
    /// Behind the brace at this position.
    Inline { at: usize, part: usize, empty: bool },
}

/// The text with these settings, and a mistake for each that finds no place. A text that is no TOML stays
/// as it is.
pub(crate) fn edited(text: &str, settings: &[Setting]) -> (Edited, Vec<(Arc<Source>, Mistake)>) {
    let mut edited = Edited { text: text.to_owned(), edits: Vec::new() };
    let mut mistakes = Vec::new();
    for (index, setting) in settings.iter().enumerate() {
        let earlier = &settings[..index];
        let twice = |other: &Setting| setting.is_part_of(other) || other.is_part_of(setting);
        let done = match earlier.iter().any(twice) {
            true => Err(Mistake::at(&setting.key_span(), "this is set twice")),
            false => edited.apply(setting),
        };
        if let Err(mistake) = done {
            mistakes.push((Arc::clone(&setting.source), mistake));
        }
    }
    (edited, mistakes)
}

impl Edited {
    fn apply(&mut self, setting: &Setting) -> Result<(), Mistake> {
        let Ok(tree) = DeTable::parse(&self.text) else { return Ok(()) };
        let place = place(&self.text, tree.get_ref(), setting)?;
        let mut after = self.clone();
        after.insert(place, setting);
        if !after.holds(setting) {
            let mistake = Mistake::at(&setting.key_span(), "the definition has no place for this");
            return Err(mistake.label("write it into the file"));
        }
        *self = after;
        Ok(())
    }

    /// Whether the text, as it is read, has the setting's value under the setting's key.
    fn holds(&self, setting: &Setting) -> bool {
        let Ok(tree) = DeTable::parse(&self.text) else { return false };
        let edit = self.edits.iter().find(|edit| edit.setting == *setting);
        edit.is_some_and(|edit| value_at(tree.get_ref(), &setting.key) == Some(edit.value.clone()))
    }

    fn insert(&mut self, place: Place, setting: &Setting) {
        let key = |part: usize| setting.source.text(setting.span_of(part));
        let (range, before, behind) = match place {
            Place::Value(span) => (span, String::new(), ""),
            Place::Line { at, part, below: true } => (at..at, format!("\n{} = ", key(part)), ""),
            Place::Line { at, part, below: false } => (at..at, format!("{} = ", key(part)), "\n"),
            Place::Inline { at, part, empty } => {
                (at..at, format!("{} = ", key(part)), if empty { "" } else { ", " })
            }
        };
        let passage = format!("{before}{}{behind}", setting.value);
        let value = range.start + before.len();
        self.text.replace_range(range.clone(), &passage);
        for edit in self.edits.iter_mut().filter(|edit| edit.placed.start >= range.end) {
            edit.shift(passage.len(), range.len());
        }
        self.edits.push(Edit {
            placed: range.start..range.start + passage.len(),
            replaced: range.len(),
            value: value..value + setting.value.len(),
            setting: setting.clone(),
        });
        self.edits.sort_by_key(|edit| edit.placed.start);
    }

    /// The place in the words on the command line, where a span lies in a passage that they give.
    pub(crate) fn on_the_command_line(&self, span: &Span) -> Option<(Arc<Source>, Span)> {
        let inside = |edit: &&Edit| {
            !span.is_empty() && edit.placed.start <= span.start && span.end <= edit.placed.end
        };
        let edit = self.edits.iter().find(inside)?;
        Some((Arc::clone(&edit.setting.source), edit.in_words(span)))
    }

    /// The place in the file.
    pub(crate) fn in_file(&self, span: &Span) -> Span {
        let start = self.position(span.start, |edit| edit.placed.start);
        let end = self.position(span.end, |edit| edit.placed.start + edit.replaced);
        start..end.max(start)
    }

    /// A position of the file; one in a passage of the command line counts as `inside` says.
    fn position(&self, position: usize, inside: impl Fn(&Edit) -> usize) -> usize {
        let mut shift = 0_isize;
        for edit in &self.edits {
            if position >= edit.placed.end {
                shift += edit.placed.len() as isize - edit.replaced as isize;
            } else if position > edit.placed.start {
                return inside(edit).saturating_add_signed(-shift);
            }
        }
        position.saturating_add_signed(-shift)
    }
}

impl Edit {
    /// Moves with text before it, of which there is now more or less.
    fn shift(&mut self, more: usize, less: usize) {
        for span in [&mut self.placed, &mut self.value] {
            *span = span.start + more - less..span.end + more - less;
        }
    }

    fn in_words(&self, span: &Span) -> Span {
        let own = &self.setting.value_span;
        let in_value = self.value.start <= span.start && span.end <= self.value.end;
        match (in_value, own.len() == self.value.len()) {
            (false, _) => self.setting.key_span(),
            (true, false) => own.clone(),
            (true, true) => {
                let place = |position: usize| own.start + position - self.value.start;
                place(span.start)..place(span.end)
            }
        }
    }
}

/// Where the setting goes: the value that is there already, or a key more of the innermost table that is.
fn place(text: &str, root: &DeTable<'_>, setting: &Setting) -> Result<Place, Mistake> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut innermost = Place::Line { at: start, part: 0, below: false };
    let (mut table, mut part) = (root, 0);
    let last = setting.key.len().saturating_sub(1);
    while let Some((name, span)) = setting.key.get(part) {
        let Some(mut node) = table.get(name.as_str()) else { break };
        if node.get_ref().is_array() && part < last {
            part += 1;
            node = labelled(node, &setting.key[part])?;
        }
        part += 1;
        if part > last {
            return replaced(text, node, span);
        }
        let Some(inner) = node.get_ref().as_table() else {
            let mistake = Mistake::at(span, format!("`{name}` is no table of the definition"));
            return Err(mistake.label("it has no keys of its own"));
        };
        table = inner;
        let at = node.span().start;
        match text.as_bytes().get(at) {
            Some(b'[') => innermost = Place::Line { at: end_of_line(text, at), part, below: true },
            Some(b'{') => innermost = Place::Inline { at: at + 1, part, empty: inner.is_empty() },
            // Dotted keys made it: one more is written where they are.
            _ => {}
        }
    }
    Ok(innermost)
}

/// The series of the label that stands in the key.
fn labelled<'t>(
    node: &'t Node<'t>,
    (wanted, span): &(String, Span),
) -> Result<&'t Node<'t>, Mistake> {
    let nodes = node.get_ref().as_array().map(|nodes| &nodes[..]).unwrap_or_default();
    let label = |node: &'t Node<'t>| node.get_ref().as_table()?.get("label")?.get_ref().as_str();
    if let Some(found) = nodes.iter().find(|node| label(node) == Some(wanted)) {
        return Ok(found);
    }
    let labels: Vec<&str> = nodes.iter().filter_map(label).collect();
    let mistake = Mistake::at(span, format!("nothing here has the label `{wanted}`"));
    Err(match suggestion(wanted, &labels) {
        Some(hint) => mistake.help(hint),
        None => mistake,
    })
}

/// The place of a value, unless it is a table over several lines.
fn replaced(text: &str, node: &Node<'_>, key: &Span) -> Result<Place, Mistake> {
    let begins = |node: &Node<'_>, with: char| text[node.span().start..].starts_with(with);
    let has_header = match node.get_ref() {
        DeValue::Table(_) => !begins(node, '{'),
        DeValue::Array(nodes) => {
            nodes.iter().any(|node| node.get_ref().is_table() && begins(node, '['))
        }
        _ => false,
    };
    if has_header {
        let mistake = Mistake::at(key, "this is a table with keys of its own");
        return Err(mistake.label("set one of its keys"));
    }
    Ok(Place::Value(node.span()))
}

/// The place of the value under a key.
fn value_at(root: &DeTable<'_>, key: &[(String, Span)]) -> Option<Span> {
    let (name, rest) = key.split_first()?;
    let node = root.get(name.0.as_str())?;
    let (node, rest) = match (node.get_ref(), rest.split_first()) {
        (DeValue::Array(_), Some((label, rest))) => (labelled(node, label).ok()?, rest),
        _ => (node, rest),
    };
    match rest {
        [] => Some(node.span()),
        _ => value_at(node.get_ref().as_table()?, rest),
    }
}

fn end_of_line(text: &str, position: usize) -> usize {
    text[position..].find(['\n', '\r']).map_or(text.len(), |length| position + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
title  = \"T\"
trials = { quick = 60, paper = 100 } # many

[workload]
kind  = \"alternation\"
trace = { packets = 3 }

[point] # shared
load = [
    0.5,
    0.9,
]

[[series]]
label    = \"M-B\"
workload = {}
";

    fn after(settings: &[&str]) -> String {
        let settings: Vec<Setting> = settings.iter().map(|words| words.parse().unwrap()).collect();
        let (edited, mistakes) = edited(TEXT, &settings);
        assert!(mistakes.is_empty(), "{mistakes:?}");
        edited.text
    }

    #[test]
    fn values_are_replaced_and_keys_added_where_they_belong() {
        insta::assert_snapshot!(after(&[
            "trials=1000",
            "point.load=0.7",
            "point.buckets=64",
            "seed=7",
            "workload.rounds=10",
            "workload.trace.packets=4",
            "workload.trace.seed=1",
            "series.M-B.choices=3",
            "series.M-B.workload.kind=open",
            "precision.metric=overflow_fraction",
            "precision.relative=0.1",
        ]), @r#"
        precision.relative = 0.1
        precision.metric = "overflow_fraction"
        seed = 7
        title  = "T"
        trials = 1000 # many

        [workload]
        rounds = 10
        kind  = "alternation"
        trace = {seed = 1,  packets = 4 }

        [point] # shared
        buckets = 64
        load = 0.7

        [[series]]
        choices = 3
        label    = "M-B"
        workload = {kind = "open"}
        "#);
    }

    /// A later setting leaves the places of earlier ones right.
    #[test]
    fn a_place_in_the_edited_text_is_one_of_the_file_or_of_the_option() {
        let settings: Vec<Setting> = ["point.load=[1, true]", "seed=7", "trials=1000"]
            .map(|words| words.parse().unwrap())
            .to_vec();
        let (edited, _) = edited(TEXT, &settings);
        let place = |text: &str, passage: &str| {
            let start = text.find(passage).unwrap();
            start..start + passage.len()
        };
        let (option, span) = edited.on_the_command_line(&place(&edited.text, "true")).unwrap();
        assert_eq!(option.text(span.clone()), "true");
        assert_eq!(span, 15..19);
        for passage in ["alternation", "# shared", "[[series]]", "# many"] {
            let span = place(&edited.text, passage);
            assert_eq!(edited.on_the_command_line(&span), None, "{passage}");
            assert_eq!(edited.in_file(&span), place(TEXT, passage), "{passage}");
        }
    }

    #[test]
    fn what_finds_no_place_is_a_mistake() {
        let titles = |settings: &[&str]| {
            let settings: Vec<Setting> =
                settings.iter().map(|words| words.parse().unwrap()).collect();
            let (edited, mistakes) = edited(TEXT, &settings);
            let own = Source::new("x.toml".as_ref(), TEXT);
            (edited.text != own.text(0..TEXT.len()), mistakes.len())
        };
        assert_eq!(titles(&["point=3"]), (false, 1));
        assert_eq!(titles(&["series=3"]), (false, 1));
        assert_eq!(titles(&["series.M.choices=3"]), (false, 1));
        assert_eq!(titles(&["title.x=3"]), (false, 1));
        assert_eq!(titles(&["trials=3", "trials.quick=4"]), (true, 1));
    }
}
