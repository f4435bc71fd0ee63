//! The parts of a definition put together.

use loadfactor_schemes::families;
use loadfactor_schemes::params::Param;

use super::derivation::Derived;
use super::diagnostics::{Errors, Mistake};
use super::keys::{EXPERIMENT, POINT, TIME, TableKeys, WORKLOAD};
use super::points::{self, MAX_POINTS};
use super::series::{self, Series, Shared};
use super::setting::Setting;
use super::value::{TomlTable, table, tree, unknown_key};
use super::vocabulary::{every_point_param, every_workload_param, families_of};
use super::{
    Experiment, FigureDef, Input, Placeholder, Point, Published, Stopping, Timing, TraceSource,
    cost, derived, document, figure, fill, published, ratios, settings, time, trace,
};

/// Reads the definition; where it has a mistake that leaves no experiment, nothing.
pub(crate) fn experiment(
    input: &Input<'_>,
    documents: Option<&document::Documents>,
    published_errors: Option<&mut Errors>,
    errors: &mut Errors,
) -> Option<Experiment> {
    let tree = tree(input.definition.text, errors)?;
    let root = TomlTable::new(tree.get_ref(), 0..0);
    check_keys(&root, errors);
    root.complete(&EXPERIMENT, errors);
    let body = body(&root, input, published_errors, errors);
    let words =
        |key: &str, errors: &mut Errors| root.text(key, errors).unwrap_or_default().to_owned();
    let (title, place) = (words("title", errors), words("place", errors));
    let (analysis, seed) = (words("analysis", errors), settings::seed(&root, errors));
    let largest_room = settings::largest_room(&root, errors);
    let document = document::lookup(&root, documents, errors);
    let body = body?;
    let experiment = Experiment {
        name: input.name.to_owned(),
        path: input.definition.path.to_owned(),
        text: input.definition.text.to_owned(),
        settings: input.options.settings.iter().map(ToString::to_string).collect(),
        altered: input.options.settings.iter().any(Setting::alters),
        on_other_packets: input.options.gives_packets()
            && body.points.iter().any(Point::is_of_trace),
        published_text: input.published.map(|file| file.text.to_owned()),
        title,
        document,
        place,
        analysis,
        seed: input.options.seed.unwrap_or(seed),
        stopping: body.stopping,
        largest_room,
        trace: body.trace,
        timing: body.timing,
        series: body.labels,
        points: body.points,
        figures: body.figures,
        derived: body.derived,
        published: body.published,
    };
    check_placeholders(&root, &experiment, input.is_complete(), errors);
    Some(experiment)
}

/// Reports every key at the top that is none; one of a table is told with the name of its table.
fn check_keys(root: &TomlTable<'_>, errors: &mut Errors) {
    for entry in root.others(&EXPERIMENT) {
        let mistake = unknown_key(entry, format!("{} has no such key", EXPERIMENT.name));
        errors.push(match table_of(entry.key) {
            Some(table) => mistake.help(format!("did you mean `{table}.{}`?", entry.key)),
            None => mistake.suggest(entry.key, EXPERIMENT.names()),
        });
    }
}

/// The table in which a key means something.
fn table_of(key: &str) -> Option<&'static str> {
    let has = |table: &TableKeys, params: &[&Param]| {
        table.keys.iter().any(|own| own.name == key) || params.iter().any(|own| own.name == key)
    };
    match () {
        () if has(&POINT, &every_point_param()) => Some("point"),
        () if has(&WORKLOAD, &every_workload_param(&families_of(None))) => Some("workload"),
        () if has(&TIME, &[]) => Some("time"),
        () => None,
    }
}

/// Every placeholder of the analysis must be one; at the scale of the document it names one point.
fn check_placeholders(
    root: &TomlTable<'_>,
    experiment: &Experiment,
    complete: bool,
    errors: &mut Errors,
) {
    let Some(entry) = root.get("analysis") else { return };
    let names = experiment.names();
    let is_wrong = |text: &str| match Placeholder::parse(text, &names) {
        Some(placeholder) => {
            let series = experiment.series_of(&placeholder.of);
            let points = series.map(|series| experiment.points_at(series, &placeholder.at).count());
            complete && points.is_some_and(|points| points != 1)
        }
        None => true,
    };
    fill(&experiment.analysis, |text| {
        if is_wrong(text) {
            let title = format!("`{{{text}}}` is no number of this experiment");
            let label =
                "expected such as `{max_load of SINGLE at load = 0.6}`, which names one point";
            errors.push(Mistake::at(&entry.key_span, title).label(label));
        }
        String::new()
    });
}

/// The parts of an experiment that depend on each other.
struct Body {
    stopping: Vec<Stopping>,
    trace: Option<TraceSource>,
    timing: Option<Timing>,
    labels: Vec<String>,
    points: Vec<Point>,
    figures: Vec<FigureDef>,
    derived: Vec<Derived>,
    published: Vec<Published>,
}

fn body(
    root: &TomlTable<'_>,
    input: &Input<'_>,
    published_errors: Option<&mut Errors>,
    errors: &mut Errors,
) -> Option<Body> {
    let scale = input.options.scale;
    time::check_others(root, errors);
    let stopping = match root.get("time") {
        Some(_) => Some(time::NO_TRIALS),
        None => settings::stopping(root, scale, errors),
    };
    let shared = Shared {
        point: subtable(root, "point", errors),
        workload: subtable(root, "workload", errors),
        without_workload: root.get("workload").is_none()
            && !root.misspells("workload", &EXPERIMENT.names()),
    };
    let trace = trace::trace(&shared.workload, input, errors);
    let tables = root.tables("series", errors);
    let stopping =
        stopping.map(|shared| settings::stopping_of_series(&tables, shared, scale, errors));
    let labels: Option<Vec<&str>> = tables.iter().map(label).collect();
    let read = series::read(&shared, &tables, scale, errors);
    let complete = read.iter().all(Option::is_some);
    let series: Vec<Series<'_>> = read.into_iter().flatten().collect();

    let params =
        if complete { series.iter().flat_map(Series::params).collect() } else { every_param() };
    let used = match complete {
        true => series.iter().map(|series| series.family).collect(),
        false => families::families().collect(),
    };
    let names = figure::Names { labels: labels.as_deref(), params, families: used };
    let figure_tables = root.tables("figure", errors);
    let figures = figure::read(&figure_tables, &names, errors);
    if let Some(zip) = shared.point.get("zip").filter(|_| complete) {
        points::check_shared_zip(zip, &series, errors);
    }
    let timing = if complete { time::time(root, &series, scale, errors) } else { None };
    let points =
        points(&series, stopping.as_deref(), trace.is_some(), errors).filter(|_| complete)?;
    if let Some(stopping) = &stopping {
        settings::check_precision(root, &tables, &series, stopping, errors);
    }
    let timing = timing.map(|wanted| time::timing(wanted, &series, &points, errors));
    let own: Vec<&str> = series.iter().map(|series| series.label).collect();
    ratios::check(&figure_tables, &figures, (&own, &points), errors);
    let context = derived::Context {
        labels: &own,
        families: &names.families,
        points: &points,
        complete: input.is_complete(),
    };
    let derived = derived::read(&root.tables("derived", errors), &context, errors);
    let parts = published::Parts { series: &series, points: &points, derived: &derived };
    let published = published_values(input, &parts, published_errors);
    let labels = labels?.into_iter().map(str::to_owned).collect();
    let stopping = stopping?;
    Some(Body { stopping, trace, timing, labels, points, figures, derived, published })
}

/// The table under a key; an empty one where it is absent or no table.
fn subtable<'t>(root: &TomlTable<'t>, key: &str, errors: &mut Errors) -> TomlTable<'t> {
    let entry = root.get(key);
    entry.and_then(|entry| table(key, entry.node, errors)).unwrap_or_else(TomlTable::absent)
}

fn published_values(
    input: &Input<'_>,
    parts: &published::Parts<'_>,
    errors: Option<&mut Errors>,
) -> Vec<Published> {
    let Some((file, errors)) = input.published.zip(errors) else { return Vec::new() };
    let stem = input.definition.path.file_stem().unwrap_or_default().to_string_lossy();
    let complete = input.is_complete();
    let checked = published::Checked { experiment: &stem, parts, complete };
    published::read(file.text, &checked, errors)
}

/// The label of a series, if it has one.
fn label<'t>(series: &TomlTable<'t>) -> Option<&'t str> {
    series.get("label")?.node.get_ref().as_str()
}

/// The points of all series, if none has a mistake.
fn points(
    series: &[Series<'_>],
    stopping: Option<&[Stopping]>,
    trace: bool,
    errors: &mut Errors,
) -> Option<Vec<Point>> {
    let mut points: Vec<Point> = Vec::new();
    let mut complete = true;
    for (index, one) in series.iter().enumerate() {
        match points::expand(index, one, MAX_POINTS - points.len(), errors) {
            Some(more) => points.extend(more),
            None => complete = false,
        }
        if !trace {
            series::check_trace(one, errors);
        }
    }
    if let Some(stopping) = stopping {
        cost::check(series, &points, stopping, errors);
    }
    complete.then_some(points)
}

/// The parameters of every scheme, hash and workload.
fn every_param() -> Vec<&'static Param> {
    [every_point_param(), every_workload_param(&families_of(None))].concat()
}
