//! Which files a trace consists of.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::TraceError;
use crate::source::STANDARD_INPUT;

/// The files that words stand for: a file itself, a folder for the files in it, a pattern of `*`, `?`
/// and `[…]` for the files that match. Those of a folder or pattern come in the order of their names.
///
/// A word that stands for nothing is kept as it is, so that opening it says what is wrong.
///
/// # Errors
///
/// If a folder cannot be read or has no files, or nothing matches a pattern.
pub fn find_files(words: &[PathBuf]) -> Result<Vec<PathBuf>, TraceError> {
    let mut files = Vec::new();
    for word in words {
        if word.is_dir() {
            files.extend(in_folder(word)?);
        } else if is_pattern(word) && !word.exists() {
            files.extend(matching(word)?);
        } else {
            files.push(word.clone());
        }
    }
    match files.len() > 1 && files.iter().any(|file| file == Path::new(STANDARD_INPUT)) {
        true => Err(TraceError::NotAlone),
        false => Ok(files),
    }
}

/// Whether a word has one of the characters that make a pattern.
pub fn is_pattern(word: &Path) -> bool {
    word.to_string_lossy().contains(['*', '?', '['])
}

/// The files in a folder, but for hidden ones.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, TraceError> {
    let failed = |source| TraceError::Open { path: folder.to_owned(), source };
    let entries = folder.read_dir().map_err(failed)?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_file() && !hidden {
            files.push(path);
        }
    }
    files.sort();
    some(files, folder, "the folder has no files")
}

fn matching(pattern: &Path) -> Result<Vec<PathBuf>, TraceError> {
    let invalid = |error: glob::PatternError| TraceError::Open {
        path: pattern.to_owned(),
        source: io::Error::new(io::ErrorKind::InvalidInput, error),
    };
    let found = glob::glob(&pattern.to_string_lossy()).map_err(invalid)?;
    let files = found.filter_map(Result::ok).filter(|path| path.is_file()).collect();
    some(files, pattern, "no file matches")
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn folders_and_patterns_stand_for_their_files_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["b.pcap", "a.pcap", ".hidden", "c.txt", "[x].pcap"] {
            fs::write(path(name), "").unwrap();
        }
        fs::create_dir(path("below.pcap")).unwrap();
        let find = |words: &[PathBuf]| find_files(words).unwrap();
        let captures = ["[x].pcap", "a.pcap", "b.pcap"].map(path);
        assert_eq!(find(&[path("*.pcap")]), captures);
        assert_eq!(find(&[folder.path().into()]), [&captures[..], &[path("c.txt")]].concat());
        assert_eq!(find(&[path("b.pcap"), path("a.pcap")]), ["b.pcap", "a.pcap"].map(path));
        assert_eq!(find(&[path("[x].pcap")]), [path("[x].pcap")]);
        assert_eq!(find(&[path("none")]), [path("none")]);
        let nothing = find_files(&[path("*.gz")]).unwrap_err().to_string();
        assert!(nothing.contains("no file matches"), "{nothing}");
        let empty = find_files(&[path("below.pcap")]).unwrap_err().to_string();
        assert!(empty.contains("no files"), "{empty}");
    }

    #[test]
    fn standard_input_stands_alone() {
        assert_eq!(find_files(&["-".into()]).unwrap(), [PathBuf::from("-")]);
        assert!(matches!(find_files(&["-".into(), "a".into()]), Err(TraceError::NotAlone)));
    }
}
