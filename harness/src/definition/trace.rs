//! The trace: where its packets come from, and which of them are read.

use std::path::{Path, PathBuf};

use loadfactor_schemes::params::{Domain, Scalar};
use loadfactor_traces::{Compression, Layout, Preset, Span, Time, is_pattern};
use toml::de::DeValue;

use super::Input;
use super::diagnostics::{Errors, Mistake};
use super::experiment::{SyntheticTrace, TraceOrigin, TraceSource};
use super::keys::TRACE;
use super::reading::Reading;
use super::settings::seed;
use super::value::{Entry, Node, TomlTable, cannot_be, table};

/// The names of the layouts of flow-key records.
const LAYOUTS: &[&str] =
    &["elastic13", "coco13", "waving21", "srcdst8", "seqack16", "srcdst", "csv"];
const COMPRESSIONS: &[&str] = &["none", "gzip", "bzip2", "zstd", "xz", "lz4"];
/// The names of the links that a synthetic capture may be like.
const PRESETS: &[&str] = &Preset::NAMES;
const PACKETS: Domain = Domain::Integer { min: 1, max: 1_000_000_000 };
const MEBIBYTES: Domain = Domain::Integer { min: 1, max: 1 << 20 };
/// Keys of `trace` that say how files are read; a synthetic capture is read as it is made.
const OF_FILES: [&str; 4] = ["from", "to", "compression", "decoder_memory"];

/// Where packets come from: the files that the command line names, else the key `trace` of `[workload]`.
/// What the command line says of reading takes the place of what the definition says.
pub(crate) fn trace(
    workload: &TomlTable<'_>,
    input: &Input<'_>,
    errors: &mut Errors,
) -> Option<TraceSource> {
    let named = workload.get("trace").and_then(|entry| source(entry, input, errors));
    let layout = layout(workload, errors);
    let named = named.map(|source| match source.origin {
        TraceOrigin::Files(_) => with_layout(source, layout),
        TraceOrigin::Synthetic { .. } => source,
    });
    let options = &input.options.reading;
    let Some(paths) = &input.options.trace else {
        return named
            .map(|source| TraceSource { reading: options.applied_to(source.reading), ..source });
    };
    for path in paths.iter().filter(|path| is_missing(path, input) && *path != Path::new("-")) {
        let title = format!("no such trace: `{}`, given on the command line", path.display());
        errors.push(Mistake::of_file(title));
    }
    let origin = TraceOrigin::Files(paths.clone());
    Some(TraceSource { origin, reading: options.applied_to(Reading::default()) })
}

fn with_layout(source: TraceSource, layout: Option<Layout>) -> TraceSource {
    TraceSource { reading: Reading { layout, ..source.reading }, ..source }
}

/// Whether there is no such file; whether a pattern stands for one is known when it is read.
fn is_missing(path: &Path, input: &Input<'_>) -> bool {
    !(input.exists)(path) && !is_pattern(path)
}

/// The layout of the records where the trace is no capture.
fn layout(workload: &TomlTable<'_>, errors: &mut Errors) -> Option<Layout> {
    let entry = workload.get("trace_layout");
    if let Some((node, DeValue::String(text))) = entry.map(|e| (e.node, e.node.get_ref()))
        && text.contains(':')
    {
        return parsed(text, node, errors);
    }
    match workload.scalar("trace_layout", &Domain::Word(LAYOUTS), errors)? {
        Scalar::Word(name) => name.parse().ok(),
        _ => None,
    }
}

fn source(entry: &Entry<'_>, input: &Input<'_>, errors: &mut Errors) -> Option<TraceSource> {
    if !entry.node.get_ref().is_table() {
        let origin = files(entry.node, input, errors)?;
        return Some(TraceSource { origin, reading: Reading::default() });
    }
    let table = table("trace", entry.node, errors)?;
    table.only(&TRACE, errors);
    match table.get("path") {
        Some(path) => {
            let (origin, reading) = (files(path.node, input, errors), reading(&table, errors));
            refuse(
                &table,
                &["seed", "preset"],
                "of a synthetic capture, which has no `path`",
                errors,
            );
            Some(TraceSource { origin: origin?, reading })
        }
        None => {
            refuse(&table, &OF_FILES, "of files, which `path` names", errors);
            let origin = synthetic(&table, errors)?;
            Some(TraceSource { origin, reading: Reading::default() })
        }
    }
}

/// Reports each of these keys that the table has.
fn refuse(table: &TomlTable<'_>, keys: &[&str], of: &str, errors: &mut Errors) {
    for entry in keys.iter().filter_map(|key| table.get(key)) {
        let title = format!("`{}` has no meaning here", entry.key);
        errors.push(Mistake::at(&entry.key_span, title).label(format!("this is a key {of}")));
    }
}

/// The paths of a node: one, or a list of them.
fn files(node: &Node<'_>, input: &Input<'_>, errors: &mut Errors) -> Option<TraceOrigin> {
    let nodes = match node.get_ref() {
        DeValue::Array(nodes) if !nodes.is_empty() => nodes.iter().collect(),
        _ => vec![node],
    };
    let paths = nodes.into_iter().map(|node| path(node, input, errors));
    let paths = paths.collect::<Vec<_>>().into_iter().collect::<Option<_>>()?;
    Some(TraceOrigin::Files(paths))
}

/// A path relative to the definition.
fn path(node: &Node<'_>, input: &Input<'_>, errors: &mut Errors) -> Option<PathBuf> {
    let DeValue::String(path) = node.get_ref() else {
        let mistake = cannot_be("trace", node);
        errors.push(mistake.label("expected a path, a list of paths, or `{ packets = … }`"));
        return None;
    };
    let folder = input.definition.path.parent().unwrap_or(Path::new(""));
    let path = folder.join(path.as_ref());
    if input.options.trace.is_none() && is_missing(&path, input) {
        let mistake = Mistake::at(&node.span(), format!("no such trace: `{}`", path.display()));
        let mistake = mistake.label("the path is relative to the definition");
        errors.push(mistake.help("`--trace PATH` takes another one"));
    }
    Some(path)
}

/// Which packets of the files are read, and how; `trace_layout` says what they are.
fn reading(table: &TomlTable<'_>, errors: &mut Errors) -> Reading {
    let mut reading = Reading::default();
    reading.decoding.compression = compression(table, errors);
    if let Some(mebibytes) = whole("decoder_memory", &MEBIBYTES, table, errors) {
        reading.decoding.memory = mebibytes << 20;
    }
    reading.span = Span {
        packets: whole("packets", &PACKETS, table, errors),
        from: time("from", table, errors),
        to: time("to", table, errors),
    };
    reading
}

fn compression(table: &TomlTable<'_>, errors: &mut Errors) -> Option<Compression> {
    match table.scalar("compression", &Domain::Word(COMPRESSIONS), errors)? {
        Scalar::Word(name) => name.parse().ok(),
        _ => None,
    }
}

fn whole(key: &str, domain: &Domain, table: &TomlTable<'_>, errors: &mut Errors) -> Option<u64> {
    match table.scalar(key, domain, errors)? {
        Scalar::Integer(number) => Some(number.unsigned_abs()),
        _ => None,
    }
}

/// A time: a date of TOML, or seconds since 1970, whose digits count as they stand.
fn time(key: &str, table: &TomlTable<'_>, errors: &mut Errors) -> Option<Time> {
    let node = table.get(key)?.node;
    let text = match node.get_ref() {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(seconds) => seconds.as_str().to_owned(),
        DeValue::Float(seconds) => seconds.as_str().to_owned(),
        DeValue::Datetime(date) => date.to_string(),
        _ => {
            errors.push(cannot_be(key, node).label("expected a time"));
            return None;
        }
    };
    parsed(&text, node, errors)
}

/// What the text of a node stands for.
fn parsed<T: std::str::FromStr<Err: ToString>>(
    text: &str,
    node: &Node<'_>,
    errors: &mut Errors,
) -> Option<T> {
    text.parse()
        .map_err(|error: T::Err| errors.push(Mistake::at(&node.span(), error.to_string())))
        .ok()
}

fn synthetic(table: &TomlTable<'_>, errors: &mut Errors) -> Option<TraceOrigin> {
    if table.get("packets").is_none() && !table.misspells("packets", &TRACE.names()) {
        let mistake = Mistake::at(&table.span, "`trace` lacks `path` or `packets`");
        errors.push(mistake.label("`path` names files; `packets` alone makes a synthetic capture"));
    }
    let (seed, preset) = (seed(table, errors), preset(table, errors));
    let packets = whole("packets", &PACKETS, table, errors)?;
    let trace = SyntheticTrace { packets, seed, preset };
    if let Some(Err(error)) = trace.link().map(|link| link.check()) {
        let mistake = Mistake::at(&table.span, format!("no such trace can be made: {error}"));
        errors.push(mistake.help("a longer capture reaches more"));
    }
    Some(TraceOrigin::Synthetic(trace))
}

/// The link that a synthetic capture is like, if the table names one.
fn preset(table: &TomlTable<'_>, errors: &mut Errors) -> Option<Preset> {
    match table.scalar("preset", &Domain::Word(PRESETS), errors)? {
        Scalar::Word(name) => name.parse().ok(),
        _ => None,
    }
}
