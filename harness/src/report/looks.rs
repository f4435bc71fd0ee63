//! One colour and marker for each scheme, in all figures of a document.
//!
//! `documents.toml` lists what the series of a document are of. A series has the colour of the entry that its
//! label begins with, or else of the entry that is the name of its scheme; those of one entry are its
//! variants, in the order of the definition. A series without an entry has a colour of its own. Marks have the
//! shape that goes with the colour; what they are filled with is that of the variant.

use super::figure::Style;
use super::points::points_of;
use crate::definition::Experiment;

/// Lines of one colour that a figure of nothing else can show; of more, each has its own.
const VARIANTS: usize = 4;

/// The looks of the series of an experiment.
#[derive(Debug)]
pub(super) struct Looks(Vec<Style>);

impl Looks {
    pub(super) fn new(experiment: &Experiment) -> Self {
        let entries = experiment.document.as_ref().map_or(&[][..], |document| &document.series);
        let mut looks: Vec<Style> = Vec::new();
        let mut own = entries.len();
        for (series, label) in experiment.series.iter().enumerate() {
            let first = points_of(experiment, series).start;
            let scheme = experiment.points.get(first).map_or("", |point| &point.scheme);
            let colour = entry(entries, label, scheme).unwrap_or_else(|| {
                own += 1;
                own - 1
            });
            let variant = looks.iter().filter(|look| look.colour == colour).count();
            looks.push(Style { colour, variant, line: 0 });
        }
        Self(looks)
    }

    /// The looks of the lines of a figure, of each of which the series is given.
    pub(super) fn of_lines(&self, series: &[usize]) -> Vec<Style> {
        let mut colours: Vec<usize> = series.iter().map(|&series| self.0[series].colour).collect();
        colours.dedup();
        if colours.len() == 1 && series.len() > VARIANTS {
            return (0..series.len()).map(|colour| Style { colour, ..Style::default() }).collect();
        }
        let nth = |line: usize| series[..line].iter().filter(|&&own| own == series[line]).count();
        (0..series.len()).map(|line| Style { line: nth(line), ..self.0[series[line]] }).collect()
    }
}

/// The place of the longest entry that the label begins with, or of the one that is the scheme's name.
fn entry(entries: &[String], label: &str, scheme: &str) -> Option<usize> {
    let begins = |entry: &&(usize, &String)| {
        let rest = label.strip_prefix(entry.1.as_str());
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    };
    let all: Vec<(usize, &String)> = entries.iter().enumerate().collect();
    let longest = all.iter().filter(begins).max_by_key(|entry| entry.1.len());
    let named = || all.iter().find(|entry| entry.1.eq_ignore_ascii_case(scheme));
    longest.or_else(named).map(|entry| entry.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Vec<String> {
        ["Std", "Std2", "SC", "multiple"].map(str::to_owned).to_vec()
    }

    #[test]
    fn the_longest_whole_word_decides_and_then_the_scheme() {
        let found = |label, scheme| entry(&entries(), label, scheme);
        assert_eq!(found("Std, Poisson arrivals", "multiple"), Some(0));
        assert_eq!(found("Std2", "multiple"), Some(1));
        assert_eq!(found("SCExt", "second-chance"), None);
        assert_eq!(found("dynamic", "Multiple"), Some(3));
    }

    #[test]
    fn lines_of_one_colour_are_told_apart_by_variants_and_by_colours_where_they_are_many() {
        let style = |colour, variant, line| Style { colour, variant, line };
        let looks = Looks(vec![style(0, 0, 0), style(1, 0, 0), style(0, 1, 0)]);
        let lines = [style(0, 0, 0), style(0, 0, 1), style(1, 0, 0), style(1, 0, 1)];
        assert_eq!(looks.of_lines(&[0, 0, 1, 1]), lines);
        assert_eq!(looks.of_lines(&[0, 2]), [style(0, 0, 0), style(0, 1, 0)]);
        let many = looks.of_lines(&[1; 5]);
        assert!((0..5).all(|line| many[line] == style(line, 0, 0)));
    }
}
