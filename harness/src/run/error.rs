//! What stops a run as a whole, as opposed to one point of it.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

use thiserror::Error;

/// What stops a run as a whole.
#[derive(Debug, Error)]
pub enum RunError {
    /// The folder for the results cannot be made. Choose another or change its permissions.
    #[error(
        "cannot create the folder {}: {source}; choose another with --out, or change who may write there",
        path.display()
    )]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process works in the folder. Wait for it, or choose another folder.
    #[error("{} is in use by {holder}; wait until it ends, or choose another folder with --out", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
        /// The process and its host, as far as the lock file names them.
        holder: String,
    },
    /// What an interrupted run left unfinished cannot be removed.
    #[error(
        "cannot remove what an interrupted run left unfinished in {}: {source}; remove it, or choose another folder with --out",
        path.display()
    )]
    Unfinished {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The lock file cannot be made or locked. Some network file systems have no locks.
    #[error("cannot lock {}: {source}; {}", path.display(), lockable(source))]
    Lock {
        /// The lock file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is a file in the lock's place that is none.
    #[error(
        "{} is not the lock of loadfactor and would be written over: move it away, or choose another folder with --out",
        path.display()
    )]
    NotALock {
        /// The file.
        path: PathBuf,
    },
    /// The journal cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The journal.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The journal cannot be written, for want of space perhaps. What it holds remains valid.
    #[error(
        "cannot write {}: {source}; it holds {saved} finished batches, so make room and run the same command again, without --fresh",
        path.display()
    )]
    Write {
        /// The journal.
        path: PathBuf,
        /// Batches that it holds and a later run will use.
        saved: u64,
        /// Why.
        source: io::Error,
    },
    /// The journal cannot be replaced by a new one, for want of space perhaps. It is as it was.
    #[error(
        "cannot write {} anew: {source}; it is as it was, with its {saved} finished batches: make room and run the same command again",
        path.display()
    )]
    Rewrite {
        /// The journal.
        path: PathBuf,
        /// Batches that it holds.
        saved: u64,
        /// Why.
        source: io::Error,
    },
    /// There is a file in the journal's place that is none.
    #[error(
        "{} is not a journal of loadfactor: move it away, or choose another folder with --out",
        path.display()
    )]
    NotAJournal {
        /// The file.
        path: PathBuf,
    },
    /// The journal has the format of another version of this program.
    #[error(
        "{} has journal format {found}, and this version of loadfactor reads format {known}; start over with --fresh, or go on with the version that wrote it",
        path.display()
    )]
    Version {
        /// The journal.
        path: PathBuf,
        /// Its format.
        found: String,
        /// The format that this version reads.
        known: u32,
    },
    /// The threads cannot be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// There is no journal where one should be merged.
    #[error("there is no journal in {}", folder.display())]
    NoJournal {
        /// The folder.
        folder: PathBuf,
    },
    /// A journal to be merged holds records of a version that knows more than this one.
    #[error(
        "{} holds {records} records that this version of loadfactor cannot read; merge with the version that wrote them",
        path.display()
    )]
    Unknown {
        /// The journal.
        path: PathBuf,
        /// The number of such records.
        records: usize,
    },
    /// Two journals hold different results of the same batch. One is damaged or was not written by
    /// the same program; run that shard again.
    #[error(
        "{} and {} hold different results of batch {batch} of the same point; run one of the two again with --fresh",
        first.display(),
        second.display()
    )]
    Conflict {
        /// The journal read first.
        first: PathBuf,
        /// The journal that contradicts it.
        second: PathBuf,
        /// The number of the batch.
        batch: u64,
    },
    /// A journal holds two different results of the same batch. One is damaged or was not written by the same
    /// program.
    #[error(
        "{} holds two different results of batch {batch} of the same point; move it away, or run the experiment again with --fresh",
        path.display()
    )]
    Contradiction {
        /// The journal.
        path: PathBuf,
        /// The number of the batch.
        batch: u64,
    },
    /// The journal was written, but the system does not say that it is on the disk.
    #[error(
        "cannot sync {}: {source}; how much of it the disk holds is not known. Check the disk, and run the same command again: what is there is taken up",
        path.display()
    )]
    Sync {
        /// The journal.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Where a lock can be taken that could not be taken here.
fn lockable(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => {
            "nothing can be written there: choose another folder with --out"
        }
        ErrorKind::Unsupported => {
            "the file system there has no locks as it is mounted (Lustre has them with `-o flock`): have it mounted with \
             them, or choose a folder on another one with --out"
        }
        _ if is_without_lock_service(error) => {
            "the server of the file system there gives no locks (NFS 3 needs rpc.statd on this machine and on the server): \
             have its lock service started, or choose a folder on another file system with --out"
        }
        _ => "choose a folder on a local disk with --out",
    }
}

/// Whether the system says `ENOLCK`, for which the standard library has no name.
#[cfg(unix)]
fn is_without_lock_service(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::NOLCK.raw_os_error())
}

#[cfg(not(unix))]
fn is_without_lock_service(_: &io::Error) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A local disk is no remedy where the disk is local and not to be written.
    #[test]
    fn the_remedy_of_a_lock_is_that_of_its_reason() {
        let said = |source: io::Error| {
            RunError::Lock { path: "results/x/lock".into(), source }.to_string()
        };
        let read_only = said(ErrorKind::ReadOnlyFilesystem.into());
        assert!(read_only.starts_with("cannot lock results/x/lock: read-only"), "{read_only}");
        assert!(
            read_only.ends_with("nothing can be written there: choose another folder with --out")
        );
        assert!(said(ErrorKind::Other.into()).ends_with("a folder on a local disk with --out"));
    }

    /// What the system says alone helps nobody: `No locks available` is not a matter of the folder.
    #[cfg(unix)]
    #[test]
    fn a_file_system_without_locks_is_named_as_the_reason() {
        use rustix::io::Errno;
        for (number, remedy) in [
            (Errno::NOLCK, "rpc.statd"),
            (Errno::NOSYS, "`-o flock`"),
            (Errno::OPNOTSUPP, "`-o flock`"),
        ] {
            let source = io::Error::from_raw_os_error(number.raw_os_error());
            let said = RunError::Lock { path: "results/x/lock".into(), source }.to_string();
            assert!(said.contains(remedy) && said.contains("with --out"), "{said}");
        }
    }
}
