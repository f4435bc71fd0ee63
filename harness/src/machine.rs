//! The machine that a program runs on, as Linux tells it; elsewhere most of it is not known.

use std::fs;
use std::path::Path;
use std::thread::available_parallelism;

use serde_json::{Value, json};

/// Where the system describes the first core.
const CORE: &str = "/sys/devices/system/cpu/cpu0";

/// What decides how long an operation takes, as far as it is known.
pub(crate) fn described() -> Value {
    json!({
        "system": std::env::consts::OS,
        "architecture": std::env::consts::ARCH,
        "processor": processor(),
        "cores": available_parallelism().map(usize::from).ok(),
        "caches": caches(Path::new(CORE)),
        "governor": line(&Path::new(CORE).join("cpufreq/scaling_governor")),
    })
}

/// The name by which the network knows it.
pub(crate) fn host() -> Option<String> {
    line(Path::new("/proc/sys/kernel/hostname")).filter(|host| !host.is_empty())
}

/// The processor's model.
pub(crate) fn processor() -> Option<String> {
    let told = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = told.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, model)| model.trim().to_owned())
}

/// The caches of a core, such as `L1 Data 32K`.
fn caches(core: &Path) -> Vec<String> {
    let described = |number: u32| {
        let of = |name: &str| line(&core.join(format!("cache/index{number}/{name}")));
        Some(format!("L{} {} {}", of("level")?, of("type")?, of("size")?))
    };
    (0..).map_while(described).collect()
}

/// A file of one line.
fn line(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_are_listed_until_one_is_missing() {
        let core = tempfile::tempdir().unwrap();
        for (number, level, kind, size) in [(0, "1", "Data", "32K"), (1, "2", "Unified", "1024K")] {
            let folder = core.path().join(format!("cache/index{number}"));
            fs::create_dir_all(&folder).unwrap();
            for (name, text) in [("level", level), ("type", kind), ("size", size)] {
                fs::write(folder.join(name), format!("{text}\n")).unwrap();
            }
        }
        assert_eq!(caches(core.path()), ["L1 Data 32K", "L2 Unified 1024K"]);
        assert!(caches(&core.path().join("none")).is_empty());
    }
}
