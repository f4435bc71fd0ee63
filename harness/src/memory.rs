//! How much memory there is for a run.

use std::fs;
use std::path::{Path, PathBuf};

/// Bytes that this process may still take: what the machine has available, what the tightest of its control groups
/// leaves, or what the limit of its address space does (`ulimit -v`), whichever is least. `None` where the system does not
/// say.
pub fn available() -> Option<u64> {
    let read = |path: &str| fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| of_machine(&text));
    let group = read("/proc/self/cgroup").and_then(|text| of_groups(&text, Path::new(GROUPS)));
    let limits = read("/proc/self/limits").zip(read("/proc/self/status"));
    let process = limits.and_then(|(limits, status)| of_process(&limits, &status));
    [machine, group, process].into_iter().flatten().min()
}

/// From `/proc/meminfo`.
fn of_machine(text: &str) -> Option<u64> {
    kibibytes(text, "MemAvailable:")
}

/// From `/proc/self/limits` and `/proc/self/status`: what the soft limit of the address space leaves.
fn of_process(limits: &str, status: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(kibibytes(status, "VmSize:")?))
}

/// The bytes of a line that gives them in units of 1024.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// Where control groups are mounted.
const GROUPS: &str = "/sys/fs/cgroup";

/// The files that hold the limit of a group and what it takes of it, in version 2 and in version 1.
const FILES: [[&str; 2]; 2] =
    [["memory.max", "memory.current"], ["memory.limit_in_bytes", "memory.usage_in_bytes"]];

/// From `/proc/self/cgroup`: the least that a group above this process leaves, in the hierarchy of version 2 or in
/// that of version 1 for memory.
fn of_groups(text: &str, root: &Path) -> Option<u64> {
    let hierarchies = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, own) = rest.split_once(':')?;
        let root = match controllers {
            "" => root.to_owned(),
            of_memory if of_memory.split(',').any(|name| name == "memory") => root.join("memory"),
            _ => return None,
        };
        Some((root.join(own.trim_start_matches('/')), root))
    });
    let left = hierarchies.flat_map(|(own, root)| {
        let above: Vec<PathBuf> = own
            .ancestors()
            .take_while(|group| group.starts_with(&root))
            .map(Path::to_owned)
            .collect();
        above.into_iter().filter_map(|group| left_in(&group))
    });
    left.min()
}

fn left_in(group: &Path) -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        fs::read_to_string(group.join(name)).ok()?.trim().parse().ok()
    };
    let of = |[limit, taken]: [&str; 2]| Some(number(limit)?.saturating_sub(number(taken)?));
    FILES.into_iter().find_map(of)
}

/// Bytes in the unit in which they are read at a glance.
pub fn in_words(bytes: f64) -> String {
    match bytes {
        b if b < 1e9 => format!("{:.1} MB", b / 1e6),
        b if b < 1e12 => format!("{:.1} GB", b / 1e9),
        b => format!("{:.1} TB", b / 1e12),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_that_the_machine_has_available() {
        let text = "MemTotal:       24000000 kB\nMemFree: 1 kB\nMemAvailable:   12345 kB\n";
        assert_eq!(of_machine(text), Some(12_345 * 1024));
        assert_eq!(of_machine("MemTotal: 1 kB"), None);
    }

    #[test]
    fn the_address_space_that_its_limit_leaves() {
        let limits = |soft: &str| {
            format!(
                "Limit                     Soft Limit           Hard Limit           Units\n\
                 Max stack size            8388608              unlimited            bytes\n\
                 Max address space         {soft:20} unlimited            bytes\n"
            )
        };
        let status = "Name:\tloadfactor\nVmPeak:\t   9000 kB\nVmSize:\t   2000 kB\n";
        let of = |soft: &str| of_process(&limits(soft), status);
        assert_eq!(of("8388608"), Some(8_388_608 - 2000 * 1024));
        assert_eq!(of("1024"), Some(0));
        assert_eq!(of("unlimited"), None);
    }

    /// Groups below a folder, each with its files.
    fn groups(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn the_tightest_group_above_the_process_counts() {
        let root = groups(&[
            ("a/memory.max", "1000\n"),
            ("a/memory.current", "400\n"),
            ("a/b/memory.max", "max\n"),
            ("a/b/memory.current", "300\n"),
            ("memory/job/memory.limit_in_bytes", "900\n"),
            ("memory/job/memory.usage_in_bytes", "800\n"),
        ]);
        assert_eq!(of_groups("0::/a/b\n", root.path()), Some(600));
        assert_eq!(of_groups("7:cpu:/a\n3:memory,hugetlb:/job/step\n", root.path()), Some(100));
        assert_eq!(of_groups("1:cpu:/a\n", root.path()), None);
        assert_eq!(of_groups("0::/none\n", root.path()), None);
    }

    #[test]
    fn bytes_are_told_in_large_units() {
        assert_eq!(in_words(64e9), "64.0 GB");
        assert_eq!(in_words(5e5), "0.5 MB");
    }
}
