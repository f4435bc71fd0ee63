//! How much memory there is for a run.

use std::fs;
use std::path::{Path, PathBuf};

/// Bytes that this process may still take: what the machine has available, or what the tightest of its control
/// groups leaves, whichever is less. `None` where the system does not say.
pub fn available() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| of_machine(&text));
    let group = fs::read_to_string("/proc/self/cgroup").ok().and_then(|text| of_groups(&text));
    [machine, group].into_iter().flatten().min()
}

/// From `/proc/meminfo`.
fn of_machine(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// From `/proc/self/cgroup`: the least that a group of version 2 above this process leaves.
fn of_groups(text: &str) -> Option<u64> {
    let own = text.lines().find_map(|line| line.strip_prefix("0::"))?;
    let root = Path::new("/sys/fs/cgroup");
    let own = root.join(own.trim_start_matches('/'));
    let above = own.ancestors().take_while(|folder| folder.starts_with(root));
    above.filter_map(|folder| left_in(folder.to_owned())).min()
}

fn left_in(group: PathBuf) -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        fs::read_to_string(group.join(name)).ok()?.trim().parse().ok()
    };
    Some(number("memory.max")?.saturating_sub(number("memory.current")?))
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
    fn a_process_outside_of_such_groups_has_no_limit_of_theirs() {
        assert_eq!(of_groups("1:cpu:/\n"), None);
        assert_eq!(
            of_groups("0::/no/such/group\n").is_some(),
            left_in("/sys/fs/cgroup".into()).is_some()
        );
    }

    #[test]
    fn bytes_are_told_in_large_units() {
        assert_eq!(in_words(64e9), "64.0 GB");
        assert_eq!(in_words(5e5), "0.5 MB");
    }
}
