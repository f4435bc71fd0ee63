//! Mounts whose locks hold on one machine only.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Where Linux lists the mounts that a process sees (proc_pid_mountinfo(5)).
const MOUNTINFO: &str = "/proc/self/mountinfo";

/// Options with which a network file system keeps locks to the machine that takes them: `nolock` and `local_lock` of
/// NFS (nfs(5)), `localflock` of Lustre (mount.lustre(8)), `localflocks` of GFS2 and OCFS2 (mount.gfs2(8),
/// mount.ocfs2(8)), `nobrl` of SMB (mount.cifs(8)).
const LOCAL: [&str; 6] =
    ["nolock", "local_lock=all", "local_lock=flock", "localflock", "localflocks", "nobrl"];

/// A mount whose locks other machines do not see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LocalLocks {
    /// Where it is mounted.
    point: PathBuf,
    /// Its file system.
    kind: String,
    /// The option that says so.
    option: &'static str,
}

impl LocalLocks {
    /// The mount that a folder is on, if its locks are such; `None` also where the system does not tell.
    pub(super) fn of(folder: &Path) -> Option<Self> {
        let mountinfo = fs::read(MOUNTINFO).ok()?;
        let folder = folder.canonicalize().ok()?;
        Self::in_mountinfo(&String::from_utf8_lossy(&mountinfo), &folder)
    }

    /// As [`of`](Self::of) by the text of the system's list; `folder` is absolute and without links. Of several mounts
    /// that it is below, the longest path counts, and the last where one is mounted over the other.
    fn in_mountinfo(mountinfo: &str, folder: &Path) -> Option<Self> {
        let mounts = mountinfo.lines().filter_map(Mount::parse);
        let holding = mounts.filter(|mount| folder.starts_with(&mount.point));
        let mount = holding.max_by_key(|mount| mount.point.components().count())?;
        let option = mount
            .options
            .iter()
            .find_map(|option| LOCAL.into_iter().find(|local| local == option))?;
        Some(Self { point: mount.point, kind: mount.kind.to_owned(), option })
    }
}

impl fmt::Display for LocalLocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { point, kind, option } = self;
        write!(
            f,
            "{} is a file system ({kind}) mounted with the option `{option}`: a lock there holds on this machine alone, and two \
             machines are not kept out of the same folder; see that only one of them writes into it, or have it mounted \
             without the option",
            point.display()
        )
    }
}

/// A line of the list of mounts.
struct Mount<'l> {
    point: PathBuf,
    kind: &'l str,
    /// Those of the mount and those of the file system.
    options: Vec<&'l str>,
}

impl<'l> Mount<'l> {
    /// Number, parent, device, root, mount point, options, any number of optional fields, `-`, type, source, options
    /// of the file system.
    fn parse(line: &'l str) -> Option<Self> {
        let (mount, file_system) = line.split_once(" - ")?;
        let mut mount = mount.split(' ').skip(4);
        let (point, own) = (mount.next()?, mount.next()?);
        let mut file_system = file_system.split(' ');
        let (kind, shared) = (file_system.next()?, file_system.nth(1)?);
        let options = own.split(',').chain(shared.split(',')).collect();
        Some(Self { point: unescaped(point).into(), kind, options })
    }
}

/// A path as it is, of one in which blanks, tabs, line ends and backslashes are a backslash and three octal digits.
fn unescaped(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut path = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.get(..3);
        match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                path.push(byte.into());
                path.push_str(&part[3..]);
            }
            None => {
                path.push('\\');
                path.push_str(part);
            }
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as Linux writes them, shortened; the last has no optional field, and those before it one and two.
    const MOUNTINFO: &str = r"22 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw,errors=remount-ro
35 22 0:32 / /home rw,relatime shared:9 - nfs4 server:/home rw,vers=4.2,hard,proto=tcp,local_lock=none,addr=10.0.0.1
36 22 0:33 / /old rw,relatime shared:10 master:2 - nfs server:/old rw,vers=3,nolock,proto=tcp,local_lock=all
37 35 0:34 / /home/my\040data rw,relatime - nfs server:/data rw,vers=3,local_lock=flock
38 22 0:35 / /scratch rw - lustre 10.0.0.2@tcp:/fs rw,flock,user_xattr
39 22 0:36 / /cluster rw - lustre 10.0.0.2@tcp:/fs rw,localflock
40 22 0:37 / /twice rw - nfs server:/a rw,local_lock=posix
41 22 0:38 / /twice rw - nfs server:/b rw,local_lock=all
";

    fn option(folder: &str) -> Option<&'static str> {
        LocalLocks::in_mountinfo(MOUNTINFO, Path::new(folder)).map(|found| found.option)
    }

    #[test]
    fn the_mount_that_holds_a_folder_says_whether_its_locks_are_local() {
        for (folder, expected) in [
            ("/var/results", None),
            ("/home/me/results", None),
            ("/home/my data/results", Some("local_lock=flock")),
            ("/home/my data", Some("local_lock=flock")),
            ("/home/my database", None),
            ("/old", Some("nolock")),
            ("/older", None),
            ("/scratch/results", None),
            ("/cluster/results", Some("localflock")),
            ("/twice/results", Some("local_lock=all")),
        ] {
            assert_eq!(option(folder), expected, "{folder}");
        }
    }

    #[test]
    fn the_mount_is_named_with_its_option() {
        let found = LocalLocks::in_mountinfo(MOUNTINFO, Path::new("/old/results")).unwrap();
        let said = found.to_string();
        assert!(
            said.starts_with("/old is a file system (nfs) mounted with the option `nolock`:"),
            "{said}"
        );
    }

    #[test]
    fn what_is_no_list_of_mounts_names_none() {
        for text in
            ["", "\n", "22 1 8:2 /", " - ", "22 1 8:2 / / rw", "22 1 8:2 / / rw - nfs server:/"]
        {
            assert_eq!(LocalLocks::in_mountinfo(text, Path::new("/")), None, "{text}");
        }
    }

    #[test]
    fn escapes_are_undone_and_what_is_none_stays() {
        assert_eq!(unescaped(r"/a\040b\134c\011"), "/a b\\c\t");
        assert_eq!(unescaped(r"/a\04"), r"/a\04");
        assert_eq!(unescaped(r"/a\9z0é"), r"/a\9z0é");
    }
}
