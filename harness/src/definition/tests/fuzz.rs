//! No text makes the reader panic, and no mistake lies outside its file.

use proptest::prelude::*;
use proptest::sample::select;

use super::{Files, GOOD, HEADER};
use crate::definition::Scale;

/// Passages that mean something to the reader, in any place.
const PASSAGES: &[&str] = &[
    "",
    "\n",
    "[",
    "]",
    "{",
    "}",
    "[[series]]\n",
    "[point]\n",
    "[[figure]]\n",
    "=",
    "\"",
    "γ",
    "\u{feff}",
    "\r\n",
    "zip = [[\"load\", \"choices\"]]\n",
    "choices = [1, 2]\n",
    "load = { from = 0.1, to = 1, factor = 2 }\n",
    "{ smoke = 1 }",
    "{ from = 1, to = 9, steps = 3 }",
    "-1",
    "1e308",
    "inf",
    "nan",
    "9223372036854775807",
    "0x7fffffffffffffff",
    "1979-05-27",
    "true",
    "[]",
    "{}",
    "label = \"A\"\n",
    "workload = { kind = \"static-fill\" }\n",
    "scheme = \"d-random\"\n",
    "hash = \"xxh3\"\n",
    "trace = { packets = 3 }\n",
    "precision = {}\n",
    "bucket_size = 255\n",
];

/// The text with a few spans replaced by passages.
fn damaged(text: &'static str) -> impl Strategy<Value = String> {
    let edit = (0..=text.len(), 0..20usize, select(PASSAGES));
    prop::collection::vec(edit, 1..6).prop_map(move |edits| {
        edits.into_iter().fold(text.to_owned(), |mut text, (start, length, passage)| {
            let start = text.floor_char_boundary(start);
            let end = text.floor_char_boundary((start + length).min(text.len())).max(start);
            text.replace_range(start..end, passage);
            text
        })
    })
}

fn check(files: &Files<'_>) -> Result<(), TestCaseError> {
    match files.parse() {
        Ok(experiment) => prop_assert!(!experiment.points.is_empty()),
        Err(mistakes) => {
            prop_assert!(!mistakes.is_empty());
            prop_assert!(mistakes.spans_are_inside());
            prop_assert!(mistakes.render(true).len() > mistakes.render(false).len());
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_damaged_definition_is_read_or_refused(definition in damaged(GOOD)) {
        check(&Files::new(&definition))?;
    }

    #[test]
    fn arbitrary_text_is_refused(definition in "\\PC*", documents in "\\PC*", published in "\\PC*") {
        check(&Files { definition: &definition, published: &published, documents: &documents, scale: Scale::Smoke })?;
    }

    #[test]
    fn arbitrary_published_rows_are_read_or_refused(
        rows in prop::collection::vec("[abγ\"=;,0-9.%/e\n-]{0,40}", 0..5), fields in prop::collection::vec("[^\n\"]{0,9}", 9),
    ) {
        let published = format!("{HEADER}{}\n{}\n", fields.join(","), rows.join("\n"));
        check(&Files { published: &published, scale: Scale::Paper, ..Files::new(GOOD) })?;
        let row = format!("{HEADER}x,fig4,place,MULTIPLE,{},overflow_fraction,{},measured,\n", rows.join(";"), fields.join(""));
        check(&Files { published: &row, scale: Scale::Paper, ..Files::new(GOOD) })?;
    }
}
