//! One run at a time in a folder.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::error::RunError;
use super::mounts::LocalLocks;
use crate::escape::terminal;
use crate::files;
use crate::machine;
use crate::terminal::tell;

/// Name of the lock file within a folder of results.
const FILE: &str = "lock";

/// How often a lock that is held is tried again, and the time between: about a second in all. Whoever only
/// asks whether it is held has it for a moment.
const TRIES: u32 = 20;
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

/// The right to write into a folder of results, held until it is dropped.
///
/// The operating system holds the lock, so that a killed process leaves none behind; the file
/// itself stays, and names the last owner. It is that of flock(2): Linux passes it on to the server of a file
/// system that many machines share, unless the mount says otherwise, of which the user is warned.
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
        let mut pauses = 0..TRIES;
        let pause = || pauses.next().map(|_| thread::sleep(BETWEEN_TRIES)).is_some();
        match lock_in_time(&file, pause) {
            Ok(()) => sign(&mut file).map_err(failed)?,
            Err(TryLockError::WouldBlock) => {
                return Err(RunError::InUse { path: folder.to_owned(), holder: holder(&path) });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        warn_of_local_locks(folder);
        files::remove_unfinished(folder)
            .map_err(|source| RunError::Unfinished { path: folder.to_owned(), source })?;
        Ok(Self { path: folder.to_owned(), _file: file })
    }

    /// Whether somebody holds the lock of a folder at the moment. Nothing is written, and the folder need not exist.
    ///
    /// # Errors
    /// [`RunError`] where the lock file cannot be read or asked for its lock.
    pub fn is_held(folder: &Path) -> Result<bool, RunError> {
        let path = folder.join(FILE);
        let failed = |source| RunError::Lock { path: path.clone(), source };
        let mut file = match files::open_in_place(File::options().read(true), &path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            file => file.map_err(failed)?,
        };
        if !is_ours(&mut file).map_err(failed)? {
            return Ok(false);
        }
        // Shared, so that two who ask do not see each other; it is gone with the file.
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

/// Takes the lock, again after each pause that is granted while it is held.
fn lock_in_time(file: &File, mut pause: impl FnMut() -> bool) -> Result<(), TryLockError> {
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if pause() => {}
            result => return result,
        }
    }
}

/// Warns, once in a process, of locks that other machines do not see.
fn warn_of_local_locks(folder: &Path) {
    static WARNED: AtomicBool = AtomicBool::new(false);
    if let Some(mount) = LocalLocks::of(folder)
        && !WARNED.swap(true, Ordering::Relaxed)
    {
        tell!("warning: {mount}");
    }
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

    /// Whoever asks whether a folder is in use must not keep the next run out of it.
    #[test]
    fn a_lock_that_is_held_for_a_moment_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        drop(FolderLock::take(folder.path()).unwrap());
        let open =
            || File::options().read(true).write(true).open(folder.path().join(FILE)).unwrap();
        let (asker, runner) = (open(), open());
        asker.lock_shared().unwrap();
        let mut pauses = 0;
        let locked = lock_in_time(&runner, || {
            pauses += 1;
            if pauses == 3 {
                asker.unlock().unwrap();
            }
            true
        });
        assert!(locked.is_ok() && pauses == 3);
        assert!(matches!(lock_in_time(&asker, || false), Err(TryLockError::WouldBlock)));
    }

    #[test]
    fn whether_a_folder_is_in_use_is_seen_without_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("deletions/fig4");
        assert!(!FolderLock::is_held(&inside).unwrap());
        assert!(!folder.path().join("deletions").exists());
        let lock = FolderLock::take(&inside).unwrap();
        let signed = fs::read(inside.join(FILE)).unwrap();
        assert!(FolderLock::is_held(&inside).unwrap());
        assert_eq!(fs::read(inside.join(FILE)).unwrap(), signed);
        drop(lock);
        assert!(!FolderLock::is_held(&inside).unwrap());
        fs::write(inside.join(FILE), "proceedings\n").unwrap();
        assert!(!FolderLock::is_held(&inside).unwrap());
        FolderLock::is_held(folder.path()).unwrap();
        assert!(!folder.path().join(FILE).exists());
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
