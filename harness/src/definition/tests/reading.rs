//! What a correct definition means.

use std::fs;
use std::path::{Path, PathBuf};

use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::prediction::Kind;
use loadfactor_schemes::tables::metrics;
use loadfactor_traces::{Compression, Decoding, Preset};

use super::super::{
    AxisScale, Claim, Counterpart, Point, Reading, Stopping, SyntheticTrace, TraceOrigin,
    TraceSource,
};
use super::{Files, GOOD, HEADER, changed, read};
use crate::definition::discovery::{self, Found};
use crate::definition::{Options, Scale, load};

fn points(definition: &str, series: usize) -> Vec<Point> {
    let points = read(definition, Scale::Quick).points;
    points.into_iter().filter(|point| point.series == series).collect()
}

/// The values of these columns, point by point.
fn columns(points: &[Point], names: &[&str]) -> Vec<String> {
    let value = |point: &Point, name: &&str| {
        point.value(name).map_or("-".to_owned(), |value| value.to_string())
    };
    points
        .iter()
        .map(|point| names.iter().map(|name| value(point, name)).collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn a_series_takes_the_shared_parameters_that_its_scheme_knows() {
    let shared = ["elements", "buckets", "choices", "workload", "rounds", "warm_up"];
    assert_eq!(columns(&points(GOOD, 0)[..1], &shared), ["4096 1024 4 alternation 20000 20"]);
    assert_eq!(columns(&points(GOOD, 1)[..1], &shared), ["- 1024 - static-fill - -"]);
}

#[test]
fn zipped_sweeps_advance_together_and_the_last_sweep_varies_fastest() {
    let expected = ["0.5 1 random", "0.5 1 xxh3", "0.9 4 random", "0.9 4 xxh3"];
    assert_eq!(columns(&points(GOOD, 1), &["load", "bucket_size", "hash"]), expected);
    let product = changed("zip = [[\"load\", \"bucket_size\"]]\n", "");
    let product = points(&product, 1);
    assert_eq!(product.len(), 8);
    assert_eq!(
        columns(&product[..3], &["load", "bucket_size", "hash"]),
        ["0.5 1 random", "0.5 1 xxh3", "0.5 4 random"]
    );
}

#[test]
fn a_series_overrides_a_shared_sweep() {
    let shared = changed("buckets = 1024", "buckets = [1024, 2048]");
    let own = shared.replace("scheme = \"multiple\"", "scheme = \"multiple\"\nbuckets = 512");
    assert_eq!((points(&shared, 0).len(), points(&own, 0).len()), (40, 20));
    assert_eq!(points(&own, 0)[0].value("buckets"), Some(Scalar::Integer(512)));
}

#[test]
fn a_shared_zip_holds_for_the_series_that_sweep_both() {
    let definition = changed(
        "choices = 4",
        "choices = [1, 2]\nzip = [[\"choices\", \"insertion_probability\"]]",
    )
    .replace("{ from = 0.05, to = 1.0, steps = 20 }", "[0.5, 1]")
    .replace("zip = [[\"load\", \"bucket_size\"]]\n", "");
    assert_eq!(points(&definition, 0).len(), 2);
    assert_eq!(points(&definition, 1).len(), 8);
}

#[test]
fn a_missing_scale_takes_the_nearest_smaller_one_else_the_nearest_larger() {
    let trials = |text: &str, scale| {
        read(&changed("{ smoke = 2, quick = 40, paper = 200 }", text), scale).stopping[0]
    };
    assert_eq!(trials("{ smoke = 2, paper = 200 }", Scale::Quick), Stopping::Trials(2));
    assert_eq!(trials("{ quick = 40, paper = 200 }", Scale::Smoke), Stopping::Trials(40));
    assert_eq!(trials("{ smoke = 2, quick = 40 }", Scale::Paper), Stopping::Trials(40));
    assert_eq!(trials("7", Scale::Paper), Stopping::Trials(7));
}

#[test]
fn a_scale_may_have_a_sweep_of_its_own() {
    let definition = changed(
        "{ from = 0.05, to = 1.0, steps = 20 }",
        "{ smoke = 1.0, quick = [0.5, 1], paper = { from = 0, to = 1, step = 0.01 } }",
    );
    let count =
        |scale| read(&definition, scale).points.iter().filter(|point| point.series == 0).count();
    assert_eq!(Scale::ALL.map(count), [1, 2, 101]);
}

#[test]
fn a_precision_takes_the_place_of_trials() {
    let precision = "precision = { metric = \"overflow_fraction\", relative = 0.01, max_trials = { smoke = 20, quick = 10_000 } }";
    let definition = changed("trials = { smoke = 2, quick = 40, paper = 200 }", precision);
    let expected = Stopping::Precision {
        metric: metrics::OVERFLOW_FRACTION,
        relative: 0.01,
        min_trials: 16,
        max_trials: 10_000,
    };
    assert_eq!(read(&definition, Scale::Quick).stopping[0], expected);
}

fn files(path: impl Into<PathBuf>) -> TraceSource {
    TraceSource { origin: TraceOrigin::Files(vec![path.into()]), reading: Reading::default() }
}

#[test]
fn a_trace_is_a_file_or_made_by_the_run() {
    let trace = |text: &str| {
        read(
            &changed(
                "kind = \"alternation\"",
                &format!("kind = \"alternation\"\nkeys = \"trace\"\ntrace = {text}"),
            ),
            Scale::Quick,
        )
        .trace
    };
    let synthetic = |packets, seed, preset| {
        let origin = TraceOrigin::Synthetic(SyntheticTrace { packets, seed, preset });
        Some(TraceSource { origin, reading: Reading::default() })
    };
    assert_eq!(trace("\"trace.pcap\""), Some(files("trace.pcap")));
    assert_eq!(trace("{ packets = 1000 }"), synthetic(1000, 1, None));
    assert_eq!(
        trace("{ packets = 50_000, seed = 3, preset = \"auckland\" }"),
        synthetic(50_000, 3, Some(Preset::Auckland))
    );
    assert_eq!(read(GOOD, Scale::Quick).trace, None);
}

#[test]
fn a_part_of_a_trace_is_read_in_the_way_that_is_said() {
    let trace = |keys: &str| {
        let text = format!(
            "kind = \"alternation\"\nkeys = \"trace\"\ntrace = {{ path = [\"trace.pcap\"], {keys} }}"
        );
        read(&changed("kind = \"alternation\"", &text), Scale::Quick).trace.unwrap()
    };
    let reading = trace("packets = 5, from = 2008-03-19T12:00:00.5Z, to = 1205928060").reading;
    assert_eq!(
        reading.selection(),
        "packets 5, from 1205928000500000000 ns, to 1205928060000000000 ns"
    );
    let seconds = trace("from = 1205928000.123456789").reading;
    assert_eq!(seconds.selection(), "from 1205928000123456789 ns");
    let decoding = trace("compression = \"none\", decoder_memory = 3").reading.decoding;
    assert_eq!(decoding, Decoding { compression: Some(Compression::Plain), memory: 3 << 20 });
    assert_eq!(trace("").reading.selection(), "");
}

#[test]
fn the_command_line_overrides_seed_and_trace() {
    let folder = tempfile::tempdir().unwrap();
    let (path, trace) = (folder.path().join("mine.toml"), folder.path().join("own.pcap"));
    let text = GOOD
        .replace("document = ", "# ")
        .replace("kind = \"alternation\"", "kind = \"alternation\"\ntrace = \"none.pcap\"");
    fs::write(&path, text).unwrap();
    let options =
        Options { seed: Some(9), trace: Some(vec![trace.clone()]), ..Options::at(Scale::Quick) };
    let mistakes = load(&path, "mine", &options).unwrap_err().to_string();
    assert!(mistakes.contains("given on the command line"), "{mistakes}");
    fs::write(&trace, "").unwrap();
    let experiment = load(&path, "mine", &options).unwrap();
    assert_eq!((experiment.seed, experiment.trace), (9, Some(files(trace))));
}

#[test]
fn a_figure_has_its_axes_lines_and_series() {
    let experiment = read(GOOD, Scale::Quick);
    let figure = &experiment.figures[0];
    assert_eq!(
        (figure.id.as_str(), figure.x.column.as_str(), figure.y.scale),
        ("1", "accesses_per_insertion", AxisScale::Log)
    );
    let lines: Vec<&str> = figure.lines.iter().map(|curve| curve.name).collect();
    assert_eq!((&lines[..], &figure.series[..]), (&["lower_bound"][..], &[0][..]));
}

/// A family of metrics is drawn along their number, and nothing else is.
#[test]
fn a_family_of_metrics_is_drawn_along_their_number() {
    let figure = |x: &str, y: &str| {
        let text = format!("{GOOD}[[figure]]\nx = \"{x}\"\ny = \"{y}\"\n");
        Files::new(&text).parse().map(|experiment| experiment.figures[1].y.column.clone())
    };
    assert_eq!(figure("number", "overflow_fraction_at").unwrap(), "overflow_fraction_at");
    let mistake = figure("load", "occupancy").unwrap_err().to_string();
    assert!(mistake.contains("expected x = \"number\""), "{mistake}");
    let mistake = figure("number", "overflow_fraction").unwrap_err().to_string();
    assert!(mistake.contains("the name of a metric without its number"), "{mistake}");
}

#[test]
fn the_document_is_looked_up_and_the_seed_is_1_unless_given() {
    let experiment = read(GOOD, Scale::Quick);
    assert_eq!(experiment.document.map(|document| document.year), Some(2010));
    assert_eq!(experiment.seed, 1);
    assert_eq!(read(&format!("seed = 7\n{GOOD}"), Scale::Quick).seed, 7);
}

/// Rare events need more trials than the rest of an experiment.
#[test]
fn a_series_may_have_trials_or_a_precision_of_its_own() {
    let rules = |own: &str| {
        let series = format!("[[series]]\n{own}\nlabel");
        read(&GOOD.replacen("[[series]]\nlabel", &series, 1), Scale::Paper).stopping
    };
    let shared = rules("");
    assert_eq!(shared[0], shared[1]);
    let own = rules("trials = { smoke = 3, paper = 70_000 }");
    assert_eq!((own[0], own[1]), (Stopping::Trials(70_000), shared[1]));
    let precise =
        rules("precision = { metric = \"overflow_fraction\", relative = 0.1, max_trials = 500 }");
    assert!(matches!(precise[0], Stopping::Precision { max_trials: 500, .. }));
    assert_eq!(precise[1], shared[1]);
}

#[test]
fn published_values_of_this_experiment_are_read_with_their_precision() {
    let rows = "a,fig4,\"VIII-A, Fig. 4\",\"SINGLE, static\",load=0.5;hash=xxh3,overflow_fraction,31.1%,measured,read off\n\
                b,fig4,Fig. 4,lower_bound,accesses_per_insertion=2,overflow_fraction,=0.25,lower_bound,\n\
                c,fig5,Fig. 5,OTHER,,overflow_fraction,1/3,measured,\n";
    let files =
        Files { published: &format!("{HEADER}{rows}"), scale: Scale::Paper, ..Files::new(GOOD) };
    let experiment = files.parse().unwrap();
    let [a, b] = &experiment.published[..] else { panic!("{:?}", experiment.published) };
    let [Claim::OfPoints(measured), Claim::OfPoints(bound)] = [&a.claim, &b.claim] else {
        panic!("{:?}", experiment.published)
    };
    assert_eq!((a.place.as_str(), a.printed.as_str()), ("VIII-A, Fig. 4", "31.1%"));
    assert_eq!((measured.number.value, measured.number.half_unit), (0.311, 0.0005));
    assert_eq!(
        (bound.series.as_str(), bound.counterpart),
        ("lower_bound", Counterpart::Predicted(Kind::LowerBound))
    );
    let spoken_of = experiment
        .points
        .iter()
        .filter(|point| measured.speaks_of(&experiment.series[point.series], point));
    assert_eq!(spoken_of.count(), 1);
}

#[test]
fn the_experiments_of_this_repository_have_no_mistakes_at_any_scale() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../experiments"));
    let experiments = discovery::all(root).unwrap();
    for Found { name, path } in &experiments {
        for scale in Scale::ALL {
            let options = Options::at(scale);
            let experiment = load(path, name, &options).unwrap_or_else(|e| panic!("{e}"));
            assert!(experiment.document.is_some(), "{name} names no listed document");
        }
    }
}
