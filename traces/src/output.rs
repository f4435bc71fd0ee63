//! Files that are whole or absent, compressed by the extension of their name.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Creates a file with what `write` writes, compressed if the name ends in `.gz` or `.zst`.
///
/// The bytes go to a temporary name in the same folder, are synced, and take the name over, so that
/// nobody, not even after a crash, meets a part of the file.
///
/// # Errors
///
/// Those of `write`, and any of the file system; then there is no new file, and an old one stays.
/// Only where the folder cannot be synced is the new file there already.
pub fn create<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let temporary = temporary_name(path)?;
    let written = write_compressed(path, &temporary, write).and_then(|value| {
        fs::rename(&temporary, path)?;
        Ok(value)
    });
    if written.is_err() {
        // The first error tells more than a failed clean-up would.
        let _ = fs::remove_file(&temporary);
        return written;
    }
    sync_folder_of(path)?;
    written
}

/// Makes the entry of `path` in its folder survive a crash.
///
/// # Errors
///
/// Any error of opening or syncing the folder.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn write_compressed<T, E: From<io::Error>>(
    path: &Path,
    temporary: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let file = File::create(temporary)?;
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

/// A name beside `path` that no other process uses.
fn temporary_name(path: &Path) -> io::Result<PathBuf> {
    let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "the path names no file");
    let mut name: OsString = path.file_name().ok_or_else(no_name)?.to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(name))
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
}
