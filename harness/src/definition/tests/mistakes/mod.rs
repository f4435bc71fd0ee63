//! What a user sees of every kind of mistake.

mod families;
mod files;
mod keys;
mod values;

#[track_caller]
fn assert_tells(text: &str, all: &[&str]) {
    for wanted in all {
        assert!(text.contains(wanted), "{wanted} is not told:\n{text}");
    }
}
