//! Files that are whole or absent, compressed by the extension of their name.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::unfinished::{Unfinished, folder_of};

/// Creates a file with what `write` writes, compressed if the name ends in `.gz` or `.zst`.
///
/// The bytes go to a temporary name in the same folder, are synced, and take the name over, so that
/// nobody, not even after a crash, meets a part of the file. Behind a symbolic link it is the file that
/// the link leads to which is replaced. Only a regular file is that may be written to, and its
/// permissions stay: no device, pipe or folder.
///
/// # Errors
///
/// Those of `write`, and any of the file system; then there is no new file, and an old one stays.
/// Only where the folder cannot be synced is the new file there already.
pub fn create<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let wrapping = Wrapping::of_name(path)?;
    let Destination { path, permissions } = &destination(path)?;
    let unfinished = Unfinished::beside(path)?;
    if let Some(permissions) = permissions {
        unfinished.as_file().set_permissions(permissions.clone())?;
    }
    let value = write_wrapped(wrapping, unfinished.as_file(), write)?;
    unfinished.persist(path)?;
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

/// Makes the entry of `path` in its folder survive a crash.
///
/// # Errors
///
/// Any error of opening or syncing the folder.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder_of(path))?.sync_all() } else { Ok(()) }
}

/// Where a file goes.
struct Destination {
    path: PathBuf,
    /// Those of the file that is there already.
    permissions: Option<Permissions>,
}

/// The file to replace: the one behind a symbolic link, so that the link stays.
fn destination(path: &Path) -> io::Result<Destination> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Ok(Destination { path: path.to_owned(), permissions: None });
        }
        found => found?,
    };
    let path = fs::canonicalize(path)?;
    let found = fs::metadata(&path)?;
    if !found.is_file() {
        let reason = "it is a folder, device, pipe or socket; only a regular file is replaced";
        return Err(io::Error::new(ErrorKind::InvalidInput, reason));
    }
    // A file is replaced by its folder's permissions alone; its own are to count as well.
    if found.permissions().readonly() {
        let reason = "it is write-protected; remove it first, or write to another file";
        return Err(io::Error::new(ErrorKind::PermissionDenied, reason));
    }
    OpenOptions::new().write(true).open(&path)?;
    Ok(Destination { path, permissions: Some(found.permissions()) })
}

/// What is around the bytes of a file.
#[derive(Debug, Clone, Copy)]
enum Wrapping {
    Nothing,
    Gzip,
    Zstd,
}

impl Wrapping {
    /// What the extension of a name asks for.
    fn of_name(path: &Path) -> io::Result<Self> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            Some("gz") => Ok(Wrapping::Gzip),
            Some("zst") => Ok(Wrapping::Zstd),
            Some("bz2" | "xz" | "lz4") => {
                let reason = "files are compressed as .gz or .zst alone; take one of these names";
                Err(io::Error::new(ErrorKind::InvalidInput, reason))
            }
            _ => Ok(Wrapping::Nothing),
        }
    }
}

fn write_wrapped<T, E: From<io::Error>>(
    wrapping: Wrapping,
    file: &File,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let mut output = BufWriter::with_capacity(64 * 1024, file);
    let value = match wrapping {
        Wrapping::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(&mut output, Default::default());
            let value = write(&mut encoder)?;
            encoder.finish()?;
            value
        }
        Wrapping::Zstd => {
            let mut encoder = zstd::Encoder::new(&mut output, zstd::DEFAULT_COMPRESSION_LEVEL)?;
            let value = write(&mut encoder)?;
            encoder.finish()?;
            value
        }
        Wrapping::Nothing => write(&mut output)?,
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
            ("b.GZ", Compression::Gzip),
            ("a.pcap.zst", Compression::Zstd),
        ] {
            let path = folder.path().join(name);
            create(&path, |output| output.write_all(b"some text")).unwrap();
            let bytes = fs::read(&path).unwrap();
            assert_eq!(Compression::of_magic(&bytes), expected, "{name}");
        }
        assert_eq!(entries(folder.path()), 4);
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

    /// Only the folder's permissions are asked where a file is replaced by another one.
    #[cfg(unix)]
    #[test]
    fn permissions_of_the_file_count_and_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "old").unwrap();
        let set = |mode| fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        set(0o444);
        let message = written(&path).unwrap_err().to_string();
        assert!(message.contains("write-protected"), "{message}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        set(0o600);
        written(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!((fs::read(&path).unwrap(), entries(folder.path())), (b"new".to_vec(), 1));
    }

    #[test]
    fn a_name_promises_no_other_compression() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.csv.xz", "a.bz2", "a.LZ4"] {
            let message = written(&folder.path().join(name)).unwrap_err().to_string();
            assert!(message.contains(".gz or .zst"), "{message}");
        }
        assert_eq!(entries(folder.path()), 0);
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
