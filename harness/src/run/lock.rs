//! One run at a time in a folder.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process;

use super::error::RunError;
use crate::escape::terminal;
use crate::files;
use crate::machine;

/// Name of the lock file within a folder of results.
const FILE: &str = "lock";

/// The right to write into a folder of results, held until it is dropped.
///
/// The operating system holds the lock, so that a killed process leaves none behind; the file
/// itself stays, and names the last owner.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    _file: File,
}

impl FolderLock {
    /// Makes the folder if need be, and takes its lock.
    ///
    /// # Errors
    /// [`RunError`] where the folder cannot be made or locked, or another process has the lock.
    pub fn take(folder: &Path) -> Result<Self, RunError> {
        files::create_folder(folder)
            .map_err(|source| RunError::Folder { path: folder.to_owned(), source })?;
        let path = folder.join(FILE);
        let failed = |source| RunError::Lock { path: path.clone(), source };
        let mut file = open(&path).map_err(failed)?;
        if !is_ours(&mut file).map_err(failed)? {
            return Err(RunError::NotALock { path });
        }
        match file.try_lock() {
            Ok(()) => sign(&mut file).map_err(failed)?,
            Err(TryLockError::WouldBlock) => {
                return Err(RunError::InUse { path: folder.to_owned(), holder: holder(&path) });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        files::remove_unfinished(folder)
            .map_err(|source| RunError::Unfinished { path: folder.to_owned(), source })?;
        Ok(Self { path: folder.to_owned(), _file: file })
    }

    /// Whether a process has the lock of this folder at the moment; nothing is made or written.
    ///
    /// # Errors
    /// [`RunError`] where that cannot be told.
    pub fn is_held(folder: &Path) -> Result<bool, RunError> {
        let path = folder.join(FILE);
        let failed = |source| RunError::Lock { path: path.clone(), source };
        let file = match files::open_in_place(File::options().read(true), &path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(source) => return Err(failed(source)),
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A symbolic link is refused: signing would truncate what it leads to.
fn open(path: &Path) -> io::Result<File> {
    files::open_in_place(File::options().read(true).write(true).create(true).truncate(false), path)
}

/// How a signature begins.
const SIGNED: &str = "process ";

/// Whether the file is one that was signed, or was just made: a user's own is not written over.
fn is_ours(file: &mut File) -> io::Result<bool> {
    let mut beginning = Vec::new();
    file.take(SIGNED.len() as u64).read_to_end(&mut beginning)?;
    file.rewind()?;
    Ok(beginning.is_empty() || beginning == SIGNED.as_bytes())
}

/// Writes who holds the lock; only the holder may.
fn sign(file: &mut File) -> io::Result<()> {
    let signature = match machine::host() {
        Some(host) => format!("{SIGNED}{} on {host}\n", process::id()),
        None => format!("{SIGNED}{}\n", process::id()),
    };
    file.set_len(0)?;
    file.write_all(signature.as_bytes())
}

fn holder(path: &Path) -> String {
    match fs::read_to_string(path) {
        Ok(signature) if !signature.trim().is_empty() => terminal(signature.trim()).into_owned(),
        _ => "another process".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_holds_it_and_the_third_gets_it() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("deletions/fig4");
        let first = FolderLock::take(&inside).unwrap();
        let message = FolderLock::take(&inside).unwrap_err().to_string();
        assert!(message.contains(&format!("process {}", process::id())), "{message}");
        drop(first);
        FolderLock::take(&inside).unwrap();
    }

    #[test]
    fn a_file_of_the_name_that_was_never_signed_stays() {
        let folder = tempfile::tempdir().unwrap();
        let lock = folder.path().join(FILE);
        fs::write(&lock, "proceedings\n").unwrap();
        assert!(matches!(FolderLock::take(folder.path()), Err(RunError::NotALock { .. })));
        assert_eq!(fs::read(&lock).unwrap(), b"proceedings\n");
        // As a process leaves it that is killed before it has signed.
        fs::write(&lock, "").unwrap();
        FolderLock::take(folder.path()).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_locks_place_leads_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other");
        fs::write(&other, "keep me").unwrap();
        std::os::unix::fs::symlink(&other, folder.path().join(FILE)).unwrap();
        assert!(matches!(FolderLock::take(folder.path()), Err(RunError::Lock { .. })));
        assert_eq!(fs::read(&other).unwrap(), b"keep me");
    }

    #[test]
    fn a_file_in_the_folders_place_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(matches!(FolderLock::take(&file), Err(RunError::Folder { .. })));
    }
}
