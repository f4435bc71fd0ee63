//! The series of an experiment, each with the values of every parameter that it sets.

use std::collections::BTreeSet;

use loadfactor_schemes::family::{Family, SchemeEntry};
use loadfactor_schemes::info::WorkloadInfo;
use loadfactor_schemes::params::{Absent, Param, Scalar};

use super::diagnostics::{Errors, Mistake, Span};
use super::keys::{POINT, SERIES, SERIES_WORKLOAD, TableKeys, WORKLOAD};
use super::suggestion::quoted;
use super::sweep::{Scale, Values, values};
use super::value::{Entry, TomlTable, cannot_be, table, text, unknown_key};
use super::vocabulary::{
    alternatives, curve, every_point_param, every_workload_param, families_of, owners,
    point_params, scheme, scheme_names, workload_params, workloads,
};

/// One `[[series]]` with what it inherits.
#[derive(Debug)]
pub(crate) struct Series<'t> {
    pub(crate) label: &'t str,
    /// The place of its header.
    pub(crate) span: Span,
    pub(crate) family: &'static Family,
    pub(crate) scheme: &'static SchemeEntry,
    pub(crate) workload: &'static WorkloadInfo,
    /// The place of the workload's name.
    pub(crate) kind: Option<Span>,
    /// What the definition sets, in the order of the file.
    pub(crate) given: Vec<Given>,
    /// `zip`, with its place, and whether it is the series' own.
    pub(crate) zip: Option<(&'t Entry<'t>, bool)>,
    /// Parameters that an unknown key, reported as such, seems to mean.
    pub(crate) misspelt: Vec<&'static str>,
}

/// A parameter that the definition sets.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub(crate) param: &'static Param,
    pub(crate) key_span: Span,
    pub(crate) values: Values,
}

impl Series<'_> {
    /// Every parameter of its scheme, its hash and its workload.
    pub(crate) fn params(&self) -> Vec<&'static Param> {
        let mut params = point_params(self.scheme.info);
        params.extend(workload_params(self.family, self.workload));
        params
    }
}

/// The tables that all series share.
#[derive(Debug)]
pub(crate) struct Shared<'t> {
    pub(crate) point: TomlTable<'t>,
    pub(crate) workload: TomlTable<'t>,
    /// Whether the definition has no `[workload]`, not even one that is misspelt.
    pub(crate) without_workload: bool,
}

/// A series whose names are resolved and whose parameters are not yet read.
struct Named<'a, 't> {
    label: Option<&'t str>,
    own: &'a TomlTable<'t>,
    own_workload: TomlTable<'t>,
    scheme: Option<&'static SchemeEntry>,
    /// The family of the scheme; every one where the scheme is unresolved.
    families: Vec<&'static Family>,
    workload: Option<&'static WorkloadInfo>,
    /// The place of the workload's name.
    kind: Option<Span>,
}

/// Reads the series; where one has a mistake it is `None`, and its mistakes are noted.
pub(crate) fn read<'a, 't: 'a>(
    shared: &'a Shared<'t>,
    tables: &'a [TomlTable<'t>],
    scale: Scale,
    errors: &mut Errors,
) -> Vec<Option<Series<'a>>> {
    let named: Vec<Named<'a, 't>> =
        tables.iter().map(|table| named(shared, table, errors)).collect();
    check_labels(tables, errors);
    check_shared(shared, &named, errors);
    named.into_iter().map(|series| resolved(shared, series, scale, errors)).collect()
}

fn named<'a, 't>(
    shared: &Shared<'t>,
    own: &'a TomlTable<'t>,
    errors: &mut Errors,
) -> Named<'a, 't> {
    own.complete(&SERIES, errors);
    let own_workload = own.get("workload").and_then(|entry| table("workload", entry.node, errors));
    let own_workload = own_workload.unwrap_or_else(TomlTable::absent);
    let label = own.text("label", errors);
    let scheme = match own.get("scheme").or(shared.point.get("scheme")) {
        Some(entry) => lookup(entry, scheme, &scheme_names(), |_| None, errors),
        None => missing("scheme", own, &SERIES, &scheme_names(), errors),
    };
    let families = families_of(scheme);
    let all = workloads(&families);
    let names: Vec<&'static str> = all.iter().map(|info| info.name).collect();
    let kind = own_workload.get("kind").or(shared.workload.get("kind"));
    let workload = match kind {
        Some(entry) => {
            let find = |name: &str| all.iter().copied().find(|info| info.name == name);
            let elsewhere = |name: &str| workload_elsewhere(name, scheme?);
            lookup(entry, find, &names, elsewhere, errors)
        }
        None if shared.without_workload => without_workload(own, &names, errors),
        None => missing("kind", &shared.workload, &WORKLOAD, &names, errors),
    };
    let kind = kind.map(|entry| entry.node.span());
    Named { label, own, own_workload, scheme, families, workload, kind }
}

/// Which family has a workload that the scheme's has not.
fn workload_elsewhere(name: &str, scheme: &SchemeEntry) -> Option<String> {
    let mut families = families_of(None).into_iter();
    let other = families.find(|family| family.workloads.iter().any(|own| own.name == name))?;
    let (own, scheme) = (scheme.family, scheme.info.name);
    Some(format!("the family `{}` has it; the scheme `{scheme}` is of `{own}`", other.name))
}

/// The thing that an entry names; `elsewhere` says where a name that cannot be is one.
fn lookup<T>(
    entry: &Entry<'_>,
    find: impl Fn(&str) -> Option<T>,
    names: &[&'static str],
    elsewhere: impl Fn(&str) -> Option<String>,
    errors: &mut Errors,
) -> Option<T> {
    let name = text(entry.key, entry.node, errors)?;
    let found = find(name);
    if found.is_none() {
        let label = elsewhere(name).unwrap_or_else(|| "no such name".to_owned());
        let mistake = cannot_be(entry.key, entry.node).label(label);
        errors.push(mistake.suggest(name, names.iter().copied()));
    }
    found
}

/// Reports a series without a workload, in a definition without `[workload]`.
fn without_workload<T>(
    own: &TomlTable<'_>,
    names: &[&'static str],
    errors: &mut Errors,
) -> Option<T> {
    let mistake =
        Mistake::at(&own.span, "the series lacks a workload, and there is no `[workload]`");
    let mistake = mistake.label("expected `workload = { kind = \"…\" }`");
    errors.push(mistake.help(format!("valid: {}", quoted(names))));
    None
}

/// Reports a key that is missing in a table, unless it is only misspelt.
fn missing<T>(
    key: &str,
    table: &TomlTable<'_>,
    keys: &TableKeys,
    names: &[&'static str],
    errors: &mut Errors,
) -> Option<T> {
    if !table.misspells(key, &keys.names()) {
        let mistake = Mistake::at(&table.span, format!("`{key}` is missing"));
        let help = format!("valid: {}", quoted(names));
        errors.push(mistake.label(format!("expected `{key} = \"…\"`")).help(help));
    }
    None
}

fn check_labels(tables: &[TomlTable<'_>], errors: &mut Errors) {
    let mut seen = BTreeSet::new();
    for entry in tables.iter().filter_map(|table| table.get("label")) {
        let Some(label) = entry.node.get_ref().as_str() else { continue };
        let wrong = match label {
            "" => "a label cannot be empty".to_owned(),
            label if label.contains(['|', '\n']) => {
                "a label cannot hold `|` or a new line: it stands in tables".to_owned()
            }
            name if curve(name).is_some() => format!("`{name}` is a curve of theory"),
            label if !seen.insert(label) => format!("two series have the label `{label}`"),
            _ => continue,
        };
        let mistake = Mistake::at(&entry.node.span(), wrong);
        errors.push(
            mistake.help(
                "a label tells the series from all others and from curves: write another one",
            ),
        );
    }
}

/// Reports a series that takes its keys from a trace, where the experiment has none.
pub(crate) fn check_trace(series: &Series<'_>, errors: &mut Errors) {
    let wanted = Scalar::Word("trace".to_owned());
    let keys = series
        .given
        .iter()
        .find(|given| given.param.name == "keys" && given.values.list.contains(&wanted));
    if let Some(keys) = keys {
        let mistake = Mistake::at(&keys.values.span, "the experiment has no trace");
        errors.push(mistake.help("write `trace = \"…\"` in `[workload]`, or give `--trace PATH`"));
    }
}

/// A shared key must be known to a series; where a name is unresolved, to any scheme or workload.
fn check_shared(shared: &Shared<'_>, named: &[Named<'_, '_>], errors: &mut Errors) {
    let families: Vec<&'static Family> =
        named.iter().flat_map(|series| &series.families).copied().collect();
    let known = |series: &Named<'_, '_>| {
        let params = scheme_params(series.scheme).into_iter();
        params.filter(|param| holds(param.name, series.workload)).collect::<Vec<_>>()
    };
    let params: Vec<_> = named.iter().flat_map(known).collect();
    let label = "no series of this experiment has such a parameter";
    only_params(&shared.point, &POINT, &params, (&families, label), errors);
    let params: Vec<_> = named.iter().flat_map(kind_params).collect();
    let label = "no workload of this experiment has such a parameter";
    only_params(&shared.workload, &WORKLOAD, &params, (&families, label), errors);
}

/// Whether a shared parameter of this name means something to a series with this workload.
fn holds(name: &str, workload: Option<&WorkloadInfo>) -> bool {
    workload.is_none_or(|workload| !workload.decides.contains(&name))
}

/// The parameters of a scheme, or those of every scheme where it is unresolved.
fn scheme_params(resolved: Option<&'static SchemeEntry>) -> Vec<&'static Param> {
    resolved.map_or_else(every_point_param, |entry| point_params(entry.info))
}

/// The parameters of the workload of a series, or those of every one that it may have where it is
/// unresolved.
fn kind_params(series: &Named<'_, '_>) -> Vec<&'static Param> {
    let of_workload = |workload: &'static WorkloadInfo| {
        let has = |family: &&&'static Family| {
            family.workloads.iter().any(|own| own.name == workload.name)
        };
        series.families.iter().find(has).map(|family| workload_params(family, workload))
    };
    let resolved = series.workload.and_then(of_workload);
    resolved.unwrap_or_else(|| every_workload_param(&series.families))
}

/// Reports every entry that is neither a key of the table nor a parameter; who has such a parameter is
/// looked for in these families.
fn only_params(
    table: &TomlTable<'_>,
    keys: &TableKeys,
    params: &[&'static Param],
    (families, label): (&[&'static Family], &str),
    errors: &mut Errors,
) {
    let names: BTreeSet<&str> = params.iter().map(|param| param.name).collect();
    for entry in table.others(keys).filter(|entry| !names.contains(entry.key)) {
        let mistake = unknown_key(entry, label);
        let valid = keys.names().into_iter().chain(names.iter().copied());
        errors.push(match owners(families, entry.key)[..] {
            [] => mistake.suggest(entry.key, valid),
            ref owners => {
                let mut seen = BTreeSet::new();
                let valid: Vec<&str> = valid.filter(|&name| seen.insert(name)).collect();
                mistake
                    .help(format!("it is a parameter of {}", quoted(owners)))
                    .help(format!("valid here: {}", quoted(&valid)))
            }
        });
    }
}

fn resolved<'a, 't: 'a>(
    shared: &'a Shared<'t>,
    series: Named<'a, 't>,
    scale: Scale,
    errors: &mut Errors,
) -> Option<Series<'a>> {
    let point = point_values(shared, &series, scale, errors);
    let workload = workload_values(shared, &series, scale, errors);
    let mut given = [point?, workload?].concat();
    given.sort_by_key(|given| given.key_span.start);
    let own_zip = series.own.get("zip").map(|entry| (entry, true));
    let known: Vec<&'static str> =
        scheme_params(series.scheme).iter().map(|param| param.name).collect();
    let misspelt =
        |name: &&str| [series.own, &shared.point].iter().any(|table| table.misspells(name, &known));
    Some(Series {
        misspelt: known.iter().copied().filter(misspelt).collect(),
        label: series.label?,
        span: series.own.span.clone(),
        family: series.scheme?.family()?,
        scheme: series.scheme?,
        workload: series.workload?,
        kind: series.kind,
        given,
        zip: own_zip.or(shared.point.get("zip").map(|entry| (entry, false))),
    })
}

fn point_values(
    shared: &Shared<'_>,
    series: &Named<'_, '_>,
    scale: Scale,
    errors: &mut Errors,
) -> Option<Vec<Given>> {
    let label = match series.scheme {
        Some(scheme) => format!("the scheme `{}` has no such parameter", scheme.info.name),
        None => "a series has no such key, and its scheme is not known".to_owned(),
    };
    let params = scheme_params(series.scheme);
    only_params(series.own, &SERIES, &params, (&series.families, &label), errors);
    let sides = Sides {
        own: series.own,
        shared: &shared.point,
        header: &series.own.span,
        workload: series.workload,
        families: &series.families,
    };
    sides.gather(&params, series.scheme.is_some(), scale, errors)
}

fn workload_values(
    shared: &Shared<'_>,
    series: &Named<'_, '_>,
    scale: Scale,
    errors: &mut Errors,
) -> Option<Vec<Given>> {
    let own = &series.own_workload;
    let label = match series.workload {
        Some(workload) => format!("the workload `{}` has no such parameter", workload.name),
        None => "a workload has no such key, and its kind is not known".to_owned(),
    };
    let params = kind_params(series);
    only_params(own, &SERIES_WORKLOAD, &params, (&series.families, &label), errors);
    let header = if own.entries.is_empty() { &shared.workload.span } else { &own.span };
    let sides = Sides {
        own,
        shared: &shared.workload,
        header,
        workload: series.workload,
        families: &series.families,
    };
    sides.gather(&params, series.workload.is_some(), scale, errors)
}

/// A table of a series beside the shared one that it completes.
struct Sides<'a, 't> {
    own: &'a TomlTable<'t>,
    shared: &'a TomlTable<'t>,
    /// Where a missing key is reported.
    header: &'a Span,
    workload: Option<&'static WorkloadInfo>,
    families: &'a [&'static Family],
}

impl<'t> Sides<'_, 't> {
    /// The parameters that are set; nothing where one is wrong or, if `demand`, missing.
    fn gather(
        &self,
        params: &[&'static Param],
        demand: bool,
        scale: Scale,
        errors: &mut Errors,
    ) -> Option<Vec<Given>> {
        let mut all = Some(Vec::new());
        for param in params {
            let given = match self.entry(param.name) {
                Some(entry) => values(param, entry.node, scale, errors)
                    .map(|values| vec![Given { param, key_span: entry.key_span.clone(), values }]),
                None if demand && param.absent == Absent::Required => {
                    self.report_missing(param, params, errors);
                    None
                }
                None => Some(Vec::new()),
            };
            all = all.zip(given).map(|(all, given)| [all, given].concat());
        }
        all
    }

    /// The series' own entry, or the shared one unless the series gives an alternative to it.
    fn entry(&self, name: &str) -> Option<&Entry<'t>> {
        let replaced = alternatives(self.families, name).any(|other| self.own.get(other).is_some());
        let shared = self.shared.get(name).filter(|_| !replaced && holds(name, self.workload));
        self.own.get(name).or(shared)
    }

    fn report_missing(&self, param: &Param, params: &[&'static Param], errors: &mut Errors) {
        let known: Vec<&str> = params.iter().map(|param| param.name).collect();
        if ![self.own, self.shared].iter().any(|table| table.misspells(param.name, &known)) {
            let mistake = Mistake::at(self.header, format!("`{}` is missing", param.name));
            let help = format!("`{}`: {}", param.name, param.doc);
            errors.push(mistake.label(format!("expected {}", param.domain)).help(help));
        }
    }
}
