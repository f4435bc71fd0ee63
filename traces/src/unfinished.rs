//! Files that are not whole yet: their names, and how they go if they are never made whole.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

/// How the names of files end that are not whole yet.
const UNFINISHED: &str = ".loadfactor-unfinished";
/// Most bytes that such a name takes of the name of the file: with the ending and what makes it
/// unique, it stays within the 255 bytes of a file system.
const LONGEST_PREFIX: usize = 200;

/// The unfinished files of this process.
static UNDER_WAY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn under_way() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    // The set is whole whatever its last user died of.
    UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the files that this process has not finished, before it ends without a return to those
/// who write them, as upon a signal.
pub fn discard_unfinished() {
    for path in &*under_way() {
        // It may have been made whole just now, and the process ends either way.
        let _ = fs::remove_file(path);
    }
}

/// Removes what a killed process has left unfinished in a folder in which no other one is at work.
///
/// # Errors
///
/// Any error of reading the folder or of removing.
pub fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if is_unfinished(&entry.path()) && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Whether a file has the name of one that is not whole.
pub(crate) fn is_unfinished(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(UNFINISHED))
}

/// A new file beside the one whose place it takes when it is whole. It is locked, which tells it from
/// one that a killed process has left.
pub(crate) struct Unfinished {
    file: NamedTempFile,
    entry: Entry,
}

/// The entry of a file among those under way.
struct Entry(PathBuf);

impl Entry {
    fn of(file: &NamedTempFile) -> Self {
        under_way().insert(file.path().to_owned());
        Entry(file.path().to_owned())
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        under_way().remove(&self.0);
    }
}

impl Unfinished {
    /// Makes the file, under a name that nobody else uses; those that killed processes left for the
    /// same place go.
    pub(crate) fn beside(path: &Path) -> io::Result<Self> {
        let prefix = prefix(path)?;
        let mut builder = Builder::new();
        builder.prefix(&prefix).suffix(UNFINISHED);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As any new file: what the process's mask leaves of it.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        loop {
            sweep(folder_of(path), &prefix);
            let file = builder.tempfile_in(folder_of(path))?;
            // Where the file system has no locks, none is taken for abandoned either. Elsewhere a neighbour that came
            // across the file before it was locked holds it until it is removed.
            let _ = file.as_file().lock();
            if file.path().exists() {
                return Ok(Unfinished { entry: Entry::of(&file), file });
            }
        }
    }

    pub(crate) fn as_file(&self) -> &File {
        self.file.as_file()
    }

    /// Takes the place of the file at `path`.
    pub(crate) fn persist(self, path: &Path) -> io::Result<()> {
        let Unfinished { file, entry } = self;
        let persisted = file.persist(path);
        drop(entry);
        persisted.map(drop).map_err(|failed| failed.error)
    }
}

/// How the names begin of the unfinished files that are to become `path`.
fn prefix(path: &Path) -> io::Result<String> {
    let no_name = || io::Error::new(ErrorKind::InvalidInput, "the path names no file");
    let name = path.file_name().ok_or_else(no_name)?.to_string_lossy();
    let end = name.floor_char_boundary(LONGEST_PREFIX);
    Ok(format!("{}.", &name[..end]))
}

/// The folder of a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Removes the unfinished files of this beginning that nobody is at work on. What cannot be removed
/// does no harm: it is never taken for a whole file.
fn sweep(folder: &Path, prefix: &str) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let unique = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(UNFINISHED));
        let is_of_prefix = unique.is_some_and(|unique| !unique.contains('.'));
        let abandoned = if is_of_prefix { abandoned(&entry.path()) } else { None };
        if let Some(_locked) = abandoned {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A regular file that nobody has locked, locked from now on.
fn abandoned(path: &Path) -> Option<File> {
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    File::open(path).ok().filter(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    /// What killed processes left is removed for the same file alone, and never from under a process
    /// that is still at work on it.
    #[test]
    fn what_was_left_for_the_same_file_goes() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let left = ["a.AbCdEf", "a.pcap.AbCdEf", "b.AbCdEf"].map(|n| format!("{n}{UNFINISHED}"));
        for name in &left {
            fs::write(path(name), "half").unwrap();
        }
        let at_work = Unfinished::beside(&path("a.pcap")).unwrap();
        let second = Unfinished::beside(&path("a.pcap")).unwrap();
        assert!(at_work.file.path().exists() && second.file.path().exists());
        drop((at_work, second));
        assert_eq!(names(folder.path()), [&left[0][..], &left[2]]);
        remove_unfinished(folder.path()).unwrap();
        assert!(names(folder.path()).is_empty());
    }

    /// None of those who write the same file removes what another one has just begun.
    #[test]
    fn neighbours_leave_each_others_files_alone() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a.pcap");
        let write = || {
            for _ in 0..100 {
                Unfinished::beside(&place).unwrap().persist(&place).unwrap();
            }
        };
        std::thread::scope(|scope| (0..8).for_each(|_| drop(scope.spawn(write))));
        assert_eq!(names(folder.path()), ["a.pcap"]);
    }

    #[test]
    fn files_are_under_way_until_they_are_whole_or_gone() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a.pcap");
        let [whole, gone] = [(); 2].map(|()| Unfinished::beside(&place).unwrap());
        let names = [&whole, &gone].map(|one| one.file.path().to_owned());
        assert!(names.iter().all(|name| under_way().contains(name)));
        whole.persist(&place).unwrap();
        drop(gone);
        assert!(!names.iter().any(|name| under_way().contains(name)));
    }

    #[test]
    fn long_names_have_unfinished_files_too() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["n".repeat(250), "ü".repeat(125)] {
            let place = folder.path().join(name);
            Unfinished::beside(&place).unwrap().persist(&place).unwrap();
            assert!(place.exists());
        }
    }
}
