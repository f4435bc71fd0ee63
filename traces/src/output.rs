//! Files that are whole or absent, compressed by the extension of their name.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// How the names of files end that are not whole yet.
const UNFINISHED: &str = ".loadfactor-unfinished";

/// Creates a file with what `write` writes, compressed if the name ends in `.gz` or `.zst`.
///
/// The bytes go to a temporary name in the same folder, are synced, and take the name over, so that
/// nobody, not even after a crash, meets a part of the file. Behind a symbolic link it is the file that
/// the link leads to which is replaced. Only a regular file is: no device, pipe or folder.
///
/// # Errors
///
/// Those of `write`, and any of the file system; then there is no new file, and an old one stays.
/// Only where the folder cannot be synced is the new file there already.
pub fn create<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let path = &destination(path)?;
    let unfinished = unfinished(path)?;
    let value = write_compressed(path, unfinished.as_file(), write)?;
    unfinished.persist(path).map_err(|failed| failed.error)?;
    sync_folder_of(path)?;
    Ok(value)
}

/// Makes a folder and those above it that are missing, so that they survive a crash.
///
/// # Errors
///
/// Any error of the file system.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let missing = path.ancestors().take_while(|folder| !is_there(folder));
    let missing: Vec<&Path> = missing.collect();
    fs::create_dir_all(path)?;
    missing.into_iter().rev().try_for_each(sync_folder_of)
}

fn is_there(folder: &Path) -> bool {
    folder.as_os_str().is_empty() || folder.exists()
}

/// Removes what a killed process has left unfinished in a folder in which no other one is at work.
///
/// # Errors
///
/// Any error of reading the folder or of removing.
pub fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_unfinished = entry.file_name().to_string_lossy().ends_with(UNFINISHED);
        if is_unfinished && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Makes the entry of `path` in its folder survive a crash.
///
/// # Errors
///
/// Any error of opening or syncing the folder.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder_of(path))?.sync_all() } else { Ok(()) }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The file to replace: the one behind a symbolic link, so that the link stays.
fn destination(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(path.to_owned()),
        found => found?,
    };
    let target = fs::canonicalize(path)?;
    if fs::metadata(&target)?.is_file() {
        return Ok(target);
    }
    let reason = "it is a folder, device, pipe or socket; only a regular file is replaced";
    Err(io::Error::new(ErrorKind::InvalidInput, reason))
}

/// A new file beside `path` under a name that nobody else uses; it goes unless it is made whole.
fn unfinished(path: &Path) -> io::Result<NamedTempFile> {
    let no_name = || io::Error::new(ErrorKind::InvalidInput, "the path names no file");
    let mut prefix = path.file_name().ok_or_else(no_name)?.to_owned();
    prefix.push(".");
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(UNFINISHED);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: what the process's mask leaves of it.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder_of(path))
}

fn write_compressed<T, E: From<io::Error>>(
    path: &Path,
    file: &File,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let mut output = BufWriter::with_capacity(64 * 1024, file);
    let value = match path.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => {
            let mut encoder = flate2::write::GzEncoder::new(&mut output, Default::default());
            let value = write(&mut encoder)?;
            encoder.finish()?;
            value
        }
        Some("zst") => {
            let mut encoder = zstd::Encoder::new(&mut output, zstd::DEFAULT_COMPRESSION_LEVEL)?;
            let value = write(&mut encoder)?;
            encoder.finish()?;
            value
        }
        _ => write(&mut output)?,
    };
    output.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Compression;

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn the_extension_chooses_the_compression() {
        let folder = tempfile::tempdir().unwrap();
        for (name, expected) in [
            ("a.pcap", Compression::Plain),
            ("a.pcap.gz", Compression::Gzip),
            ("a.pcap.zst", Compression::Zstd),
        ] {
            let path = folder.path().join(name);
            create(&path, |output| output.write_all(b"some text")).unwrap();
            let bytes = fs::read(&path).unwrap();
            assert_eq!(Compression::of_magic(&bytes), expected, "{name}");
        }
        assert_eq!(entries(folder.path()), 3);
    }

    #[test]
    fn a_failure_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pcap.gz");
        fs::write(&path, "old").unwrap();
        let failed: io::Result<()> = create(&path, |output| {
            output.write_all(b"half")?;
            Err(io::Error::other("disk full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "disk full");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(entries(folder.path()), 1);
    }

    #[test]
    fn a_folder_in_the_files_place_stays() {
        let folder = tempfile::tempdir().unwrap();
        let occupied = folder.path().join("occupied");
        fs::create_dir_all(occupied.join("inside")).unwrap();
        assert!(create(&occupied, |output| output.write_all(b"new")).is_err());
        assert!(occupied.join("inside").is_dir());
        assert_eq!(entries(folder.path()), 1);
        assert!(create(Path::new("/"), |output| output.write_all(b"new")).is_err());
    }

    fn written(path: &Path) -> io::Result<()> {
        create(path, |output| output.write_all(b"new"))
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_the_file_behind_it_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link, dangling] = ["file", "link", "dangling"].map(|n| folder.path().join(n));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        std::os::unix::fs::symlink(folder.path().join("none"), &dangling).unwrap();
        written(&link).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(written(&dangling).is_err());
        assert_eq!(entries(folder.path()), 3);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for path in [&socket, Path::new("/dev/null")] {
            let message = written(path).unwrap_err().to_string();
            assert!(message.contains("only a regular file"), "{message}");
        }
        assert_eq!(entries(folder.path()), 1);
    }

    #[test]
    fn what_a_killed_process_left_goes_and_the_rest_stays() {
        let folder = tempfile::tempdir().unwrap();
        let left = unfinished(&folder.path().join("table.csv")).unwrap().keep().unwrap();
        fs::write(folder.path().join("table.csv.tmp"), "").unwrap();
        assert!(left.1.exists());
        remove_unfinished(folder.path()).unwrap();
        assert!(!left.1.exists());
        assert_eq!(entries(folder.path()), 1);
    }

    #[test]
    fn folders_are_made_with_those_above() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b/c");
        create_folder(&deep).unwrap();
        create_folder(&deep).unwrap();
        assert!(deep.is_dir());
    }
}
