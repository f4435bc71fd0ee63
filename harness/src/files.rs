//! Files that are whole or absent.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes `bytes` to `path` so that a reader, or the next start after a crash, finds either the old
/// content or the new one, never a part.
///
/// The bytes go to a temporary name in the same folder, are synced, and take the name over.
///
/// # Errors
/// Any error of the file system; the temporary file is removed and `path` is as it was.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = temporary_name(path)?;
    let written = write_synced(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    if let Err(error) = written {
        // The first error tells more than a failed clean-up would.
        let _ = fs::remove_file(&temporary);
        return Err(error);
    }
    sync_folder_of(path)
}

/// Makes the entry of `path` in its folder survive a crash.
///
/// # Errors
/// Any error of opening or syncing the folder.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// A name beside `path` that no other process uses.
fn temporary_name(path: &Path) -> io::Result<PathBuf> {
    let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "the path names no file");
    let mut name = path.file_name().ok_or_else(no_name)?.to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_and_leaves_nothing_beside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        write_atomic(&path, b"old").unwrap();
        write_atomic(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failure_keeps_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let occupied = folder.path().join("occupied");
        fs::create_dir_all(occupied.join("inside")).unwrap();
        assert!(write_atomic(&occupied, b"new").is_err());
        assert!(occupied.join("inside").is_dir());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_atomic(Path::new("/"), b"new").is_err());
    }
}
