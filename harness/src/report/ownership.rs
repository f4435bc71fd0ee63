//! Whose a folder of results is: what somebody else put there is not written over.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::manifest::{self, MANIFEST};
use super::{DERIVED, REPORT, TABLE, TABLE_PARQUET, pictures_of};
use crate::definition::Experiment;
use crate::escape::terminal;
use crate::run::holds_journal;
use crate::table::RESULT_COLUMNS;

/// What every folder of results has.
const ALWAYS: [&str; 5] = [REPORT, TABLE, TABLE_PARQUET, DERIVED, MANIFEST];

/// Bytes of a first line that are read: more than the header of any table takes.
const LONGEST_HEADER: u64 = 1 << 20;

/// Why results must not be written into a folder.
#[derive(Debug, Error)]
pub enum OwnershipError {
    /// A file there has the name of one of ours, and nothing says that it is.
    #[error(
        "{} would be written over, and the folder has neither the journal nor the manifest of a run: move the file away, or choose another folder with --out",
        .0.display()
    )]
    File(PathBuf),
    /// The results there are those of another definition of the same name.
    #[error(
        "{} holds the results of {definition}, which is another definition of this name: choose another folder with --out, or rename one of the two",
        folder.display()
    )]
    Definition {
        /// The folder.
        folder: PathBuf,
        /// The definition's file, as the manifest has it.
        definition: String,
    },
}

/// Whether the results of the experiment may be written into `folder`, which need not exist.
///
/// # Errors
/// The first file there that is none of ours, or the other definition whose results are there.
pub fn check(experiment: &Experiment, folder: &Path) -> Result<(), OwnershipError> {
    check_files(folder, pictures_of(experiment).iter().map(String::as_str))?;
    match other_definition(experiment, folder) {
        Some(definition) => {
            Err(OwnershipError::Definition { folder: folder.to_owned(), definition })
        }
        None => Ok(()),
    }
}

/// Whether the files that every experiment has, and these more, may be written into `folder`.
///
/// # Errors
/// The first one that is there and is none of ours.
pub fn check_files<'n>(
    folder: &Path,
    more: impl IntoIterator<Item = &'n str>,
) -> Result<(), OwnershipError> {
    let mut paths = ALWAYS.into_iter().chain(more).map(|name| folder.join(name));
    match paths.find(|path| path.exists()) {
        Some(path) if !is_ours(folder) => Err(OwnershipError::File(path)),
        _ => Ok(()),
    }
}

/// Whether a run wrote into the folder, or `loadfactor predict` did.
fn is_ours(folder: &Path) -> bool {
    let has_manifest = || manifest::read(folder).is_some_and(|own| manifest::is_ours(&own));
    has_manifest() || is_table(&folder.join(TABLE)) || holds_journal(folder)
}

/// Whether a file begins with the header of a result table.
fn is_table(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut header = String::new();
    let read = BufReader::new(file.take(LONGEST_HEADER)).read_line(&mut header);
    read.is_ok() && header.trim_end().ends_with(&RESULT_COLUMNS.join(","))
}

/// The definition whose results the folder holds, where it is another one: a file that is still there, with
/// another text. One that was moved or edited is the same.
fn other_definition(experiment: &Experiment, folder: &Path) -> Option<String> {
    let manifest = manifest::read(folder)?;
    let (path, text) = manifest::definition(&manifest)?;
    let is_same = text == experiment.text || is_same_file(Path::new(path), &experiment.path);
    let is_other = Path::new(path).is_file() && !is_same;
    is_other.then(|| terminal(path).into_owned())
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}
