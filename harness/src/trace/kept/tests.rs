//! Keys kept and read again, and all that must make them be parsed anew.

use super::*;
use crate::definition::{Reading, TraceOrigin, TraceSource};
use crate::trace::load;
use loadfactor_schemes::keys::Places;
use loadfactor_traces::{SynthSpec, synth};

/// A folder with a capture of more than [`LEAST_BYTES`].
struct Case(tempfile::TempDir);

impl Case {
    fn new() -> Self {
        let case = Self(tempfile::tempdir().unwrap());
        case.write(20_000, 1);
        case
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, packets: u64, seed: u64) {
        let spec = SynthSpec { packets, seed, ..SynthSpec::default() };
        synth(&spec, fs::File::create(self.path("a.pcap")).unwrap()).unwrap();
    }

    /// All that is loaded of the capture, to the bit.
    fn load(&self) -> String {
        self.load_into("traces")
    }

    fn load_into(&self, folder: &str) -> String {
        let origin = TraceOrigin::Files(vec![self.path("a.pcap")]);
        let source = TraceSource { origin, reading: Reading::default() };
        let attributes = Attributes { lengths: true, times: false };
        let kinds = [KeyKind::FiveTuple, KeyKind::TcpHeader];
        format!("{:?}", load(&source, &kinds, attributes, &self.path(folder)).unwrap())
    }

    /// The kept files, by name.
    fn kept(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path("traces/.keys")).into_iter().flatten();
        let mut kept: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        kept.sort();
        kept
    }
}

#[test]
fn kept_keys_are_those_of_the_capture_to_the_bit() {
    let case = Case::new();
    let parsed = case.load();
    let [five_tuple, _] = &case.kept()[..] else { panic!("{:?}", case.kept()) };
    let bytes = fs::read(five_tuple).unwrap();
    assert!(case.load() == parsed);
    assert!(case.load_into("elsewhere") == parsed);
    // That they are used at all is seen where they are others.
    let name = five_tuple.file_name().unwrap().to_str().unwrap();
    let of = name.strip_prefix("five-tuple-").unwrap();
    let mut others = file::read(five_tuple, of).unwrap();
    others.packets += 1;
    create(five_tuple, |output| file::write(output, of, &others)).unwrap();
    assert!(case.load() != parsed);
    // Damaged ones are made again.
    fs::write(five_tuple, &bytes[..bytes.len() - 1]).unwrap();
    assert!(case.load() == parsed);
    assert!(fs::read(five_tuple).unwrap() == bytes);
}

#[test]
fn another_capture_of_the_name_has_keys_of_its_own() {
    let case = Case::new();
    let first = case.load();
    case.write(20_000, 2);
    let second = case.load();
    assert!(first != second);
    assert_eq!(case.kept().len(), 4);
    case.write(20_000, 1);
    assert!(case.load() == first);
    assert_eq!(case.kept().len(), 4);
}

#[test]
fn what_is_read_otherwise_has_another_name() {
    let case = Case::new();
    let input = Input::file(&case.path("a.pcap"), None);
    let kept = KeptKeys::of(&input, &case.path("traces")).unwrap();
    let (none, five_tuple) = (Attributes::default(), KeyKind::FiveTuple);
    let part = |packets| {
        let mut input = input.clone();
        input.span.packets = Some(packets);
        input
    };
    // The same bytes one behind the other, cut elsewhere.
    let cut = KeptKeys { before: vec![(24, None), (1 << 20, None)], ..kept.clone() };
    let mut names = vec![
        kept.name(&input, five_tuple, none),
        kept.name(&part(7), five_tuple, none),
        kept.name(&part(8), five_tuple, none),
        kept.name(&Input::file(&case.path("b.pcap"), None), five_tuple, none),
        kept.name(&input, KeyKind::Src, none),
        kept.name(&input, five_tuple, Attributes { lengths: true, times: false }),
        kept.name(&input, five_tuple, Attributes { lengths: false, times: true }),
        cut.name(&input, five_tuple, none),
    ];
    let number = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), number);
}

#[test]
fn short_captures_and_folders_that_cannot_be_written_have_none() {
    let case = Case::new();
    let parsed = case.load_into("a.pcap/below-a-file");
    assert!(case.load() == parsed);
    let short = Case::new();
    short.write(100, 1);
    short.load();
    assert!(short.kept().is_empty());
}

/// A capture that grows while it is read: the digest is of fewer packets than the keys.
#[test]
fn keys_of_a_capture_that_was_changed_are_not_kept() {
    let case = Case::new();
    let input = Input::file(&case.path("a.pcap"), None);
    let kept = KeptKeys::of(&input, &case.path("traces")).unwrap();
    case.write(30_000, 1);
    let parsed = kept.read_or_parse(&input, KeyKind::FiveTuple, Attributes::default()).unwrap();
    assert_eq!(parsed.packets, 30_000);
    assert!(matches!(parsed.places, Places::Width(13)));
    assert!(case.kept().is_empty());
}
