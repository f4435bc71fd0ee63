//! Tables that benches write into docs/METHODOLOGY.md, so that no measured number is typed by hand.

use std::env;
use std::fs;
use std::io::Result;
use std::thread::available_parallelism;

use pulp::{Arch, Simd, WithSimd};

/// Set by `make speed`.
const WRITE: &str = "LOADFACTOR_WRITE_SPEED";

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/METHODOLOGY.md");

const CLOSE: &str = "<!--/-->";

/// Puts the table in place of the one that stands behind `<!--= NAME -->` on the page, with the machine that it was
/// measured on above it; does nothing if nobody asked for that.
///
/// # Errors
///
/// The page cannot be read or written.
///
/// # Panics
///
/// The page has no such place.
pub fn write(name: &str, table: &str) -> Result<()> {
    if env::var_os(WRITE).is_none() {
        return Ok(());
    }
    let page = fs::read_to_string(PAGE)?;
    let open = format!("<!--= {name} -->");
    let place = page.split_once(&open).and_then(|(before, rest)| {
        let (_, behind) = rest.split_once(CLOSE)?;
        Some((before, behind))
    });
    let Some((before, behind)) = place else { panic!("{PAGE} has no place for `{name}`") };
    fs::write(PAGE, format!("{before}{open}\n{}\n\n{table}\n{CLOSE}{behind}", machine()))
}

/// The processor and what decides how fast it is, as far as the system tells it.
fn machine() -> String {
    let processor = fs::read_to_string("/proc/cpuinfo").ok().and_then(|told| {
        let model = told.lines().find(|line| line.starts_with("model name"))?;
        model.split_once(':').map(|(_, model)| model.trim().to_owned())
    });
    let cores = available_parallelism().map_or(1, usize::from);
    let cache = |number: u32| {
        let folder = format!("/sys/devices/system/cpu/cpu0/cache/index{number}");
        let of = |file: &str| {
            let text = fs::read_to_string(format!("{folder}/{file}")).ok();
            text.map(|text| text.trim().to_owned())
        };
        Some(format!("L{} {} {}", of("level")?, of("type")?.to_lowercase(), of("size")?))
    };
    let caches: Vec<String> = (0..).map_while(cache).collect();
    let processor = processor.unwrap_or_else(|| "an unknown processor".to_owned());
    let (bits, caches) = (Arch::new().dispatch(Registers), caches.join(", "));
    format!(
        "Measured on {processor}, {cores} cores, registers of {bits} bits, caches of a core: {caches}."
    )
}

/// Bits of the widest registers that trials in lockstep and draws by the block use.
struct Registers;

impl WithSimd for Registers {
    type Output = u32;

    fn with_simd<S: Simd>(self, _simd: S) -> u32 {
        S::U32_LANES as u32 * u32::BITS
    }
}
