//! Which files a trace consists of.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use glob::{GlobError, MatchOptions};

use crate::error::TraceError;
use crate::unfinished::is_unfinished;

/// The files that words stand for: a file itself, a folder for the files in it, a pattern of `*`, `?`
/// and `[…]` for the files that match, and for those in the folders that match. Those of a folder or
/// pattern come in the order of their names; hidden and unfinished ones are left out.
///
/// A word that stands for nothing is kept as it is, and so is whatever else a folder has, so that
/// opening it says what is wrong. A file that several words or links lead to is there once.
///
/// # Errors
///
/// If a folder cannot be read or has no files, or nothing matches a pattern.
pub fn find_files(words: &[PathBuf]) -> Result<Vec<PathBuf>, TraceError> {
    let mut files = Vec::new();
    for word in words {
        match is_pattern(word) && !word.exists() {
            true => files.extend(matching(word)?),
            false => files.extend(behind(word)?),
        }
    }
    Ok(without_repeats(files))
}

/// Whether a word has one of the characters that make a pattern.
pub fn is_pattern(word: &Path) -> bool {
    word.to_string_lossy().contains(['*', '?', '['])
}

/// What a path stands for: itself, or the files in it.
fn behind(path: &Path) -> Result<Vec<PathBuf>, TraceError> {
    if path.is_dir() { in_folder(path) } else { Ok(vec![path.to_owned()]) }
}

/// The files in a folder, but for hidden ones.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, TraceError> {
    let failed = |source| TraceError::Open { path: folder.to_owned(), source };
    let entries = folder.read_dir().map_err(failed)?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if !(hidden || path.is_dir() || is_unfinished(&path)) {
            files.push(path);
        }
    }
    files.sort();
    some(files, folder, "the folder has no files")
}

/// What matches a pattern, as a shell would have it; what is none is the name of a file.
fn matching(pattern: &Path) -> Result<Vec<PathBuf>, TraceError> {
    let options = MatchOptions { require_literal_leading_dot: true, ..MatchOptions::default() };
    let Ok(found) = glob::glob_with(&pattern.to_string_lossy(), options) else {
        return Ok(vec![pattern.to_owned()]);
    };
    let mut files = Vec::new();
    for path in found {
        let path = path.map_err(unreadable)?;
        if !is_unfinished(&path) {
            files.extend(behind(&path)?);
        }
    }
    some(files, pattern, "no file matches")
}

/// A folder that a pattern leads through and that cannot be read.
fn unreadable(error: GlobError) -> TraceError {
    TraceError::Open { path: error.path().to_owned(), source: error.into() }
}

fn some(
    files: Vec<PathBuf>,
    word: &Path,
    reason: &'static str,
) -> Result<Vec<PathBuf>, TraceError> {
    match files.is_empty() {
        true => Err(TraceError::NoFiles { path: word.to_owned(), reason }),
        false => Ok(files),
    }
}

/// Each file once, where it comes first. What leads to no file is left to those who open it.
fn without_repeats(mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    files.retain(|file| file.canonicalize().map_or(true, |file| seen.insert(file)));
    files
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn find(words: &[PathBuf]) -> Vec<PathBuf> {
        find_files(words).unwrap()
    }

    #[test]
    fn folders_and_patterns_stand_for_their_files_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["b.pcap", "a.pcap", ".hidden", "._a.pcap", "c.txt", "[x].pcap"] {
            fs::write(path(name), "").unwrap();
        }
        fs::write(path("d.pcap.AbCdEf.loadfactor-unfinished"), "half").unwrap();
        fs::create_dir(path("below")).unwrap();
        let captures = ["[x].pcap", "a.pcap", "b.pcap"].map(path);
        assert_eq!(find(&[path("*.pcap")]), captures);
        assert_eq!(find(&[folder.path().into()]), [&captures[..], &[path("c.txt")]].concat());
        assert_eq!(find(&[path("b.pcap"), path("a.pcap")]), ["b.pcap", "a.pcap"].map(path));
        assert_eq!(find(&[path("[x].pcap")]), [path("[x].pcap")]);
        assert_eq!(find(&[path("none")]), [path("none")]);
        let nothing = find_files(&[path("*.gz")]).unwrap_err().to_string();
        assert!(nothing.contains("no file matches"), "{nothing}");
        let empty = find_files(&[path("below")]).unwrap_err().to_string();
        assert!(empty.contains("no files"), "{empty}");
    }

    /// A trace of fewer files than were named would be another trace.
    #[test]
    fn nothing_that_was_named_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("day1")).unwrap();
        for name in ["day1/a.pcap", "day2.pcap"] {
            fs::write(path(name), "").unwrap();
        }
        assert_eq!(find(&[path("day*")]), ["day1/a.pcap", "day2.pcap"].map(path));
        assert_eq!(find(&[path("we[2.pcap")]), [path("we[2.pcap")]);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/nonexistent", path("gone.pcap")).unwrap();
            assert_eq!(find(&[folder.path().into()]), ["day2.pcap", "gone.pcap"].map(path));
            assert_eq!(find(&[path("g*")]), [path("gone.pcap")]);
        }
    }

    #[test]
    fn a_file_that_is_named_twice_is_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["a.pcap", "b.pcap"] {
            fs::write(path(name), "").unwrap();
        }
        assert_eq!(find(&[path("b.pcap"), folder.path().into()]), ["b.pcap", "a.pcap"].map(path));
        assert_eq!(find(&["-".into(), "-".into()]), ["-", "-"].map(PathBuf::from));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("b.pcap", path("latest.pcap")).unwrap();
            assert_eq!(find(&[folder.path().into()]), ["a.pcap", "b.pcap"].map(path));
        }
    }
}
