//! What a trial measures and a prediction may give: one name per quantity, declared by the family
//! that measures it.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// The declaration of a metric, or of all metrics whose names differ by a number.
///
/// It is made by [`metrics!`](crate::metrics), which also gives it its place in the order of rows.
#[derive(Debug)]
pub struct MetricInfo {
    /// Its name in definitions, tables and journals; for a numbered one, what stands before the
    /// number.
    pub name: &'static str,
    /// What it is and in which unit, in a sentence.
    pub doc: &'static str,
    /// What it is, as it is written on an axis; `{}` stands for the number.
    pub label: &'static str,
    /// In which unit.
    pub unit: Unit,
    /// What one trial's value counts.
    pub counts: Counts,
    /// The numbers that its name may have.
    pub numbers: Option<Numbers>,
    /// Its place in the order of rows, among the metrics of all families.
    pub rank: u16,
}

/// The unit of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A share between 0 and 1.
    Share,
    /// A number of things.
    Count,
    /// A number of things for each event, such as accesses per insertion.
    PerEvent,
    /// The square of a number of things.
    Square,
}

/// What one trial's value of a metric counts. It decides how little a sample of rare events may
/// scatter: see [`Events`](crate::prediction::Events).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// No events: an average of many things, or a maximum.
    Nothing,
    /// Things one by one: 1 of the quantity is one of them.
    Ones(Whole),
    /// Half the square of the difference of two counts: 1 of the quantity is two events.
    HalvedSquares,
    /// A share of so many things, of which the case knows the number by this name, or an average over them
    /// where each of them may count more than once.
    ShareOf(&'static str, Whole),
}

/// When a trial counts a whole number of things, and not an average over its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    /// In every trial.
    Always,
    /// In a trial that looks at its structure once.
    AtOneMoment,
    /// In none.
    Never,
}

/// The numbers that a metric's name may have.
#[derive(Debug)]
pub struct Numbers {
    /// The name of all of them together, on the axis of a figure.
    pub family: &'static str,
    /// What is measured, and what the number counts, as they are written on axes.
    pub labels: [&'static str; 2],
    /// What stands behind the number.
    pub suffix: &'static str,
    /// The greatest number.
    pub last: u16,
}

/// A quantity that a trial measures and a prediction may give.
///
/// Metrics are equal and ordered by rank and number. No two declarations share a rank, which
/// [`families::extend`](crate::families::extend) checks of those that a program adds.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    info: &'static MetricInfo,
    number: u16,
}

impl Metric {
    /// The metric of a declaration; of a numbered one, the one with this number.
    pub const fn new(info: &'static MetricInfo, number: u16) -> Self {
        Self { info, number }
    }

    /// Its declaration.
    pub const fn info(self) -> &'static MetricInfo {
        self.info
    }

    /// The number in its name, if it has one.
    pub fn number(self) -> Option<u16> {
        self.info.numbers.as_ref().map(|_| self.number)
    }

    /// Whether both are of one declaration, and differ in their number at most.
    pub fn is_like(self, other: Self) -> bool {
        self.info.rank == other.info.rank
    }

    /// What is measured, as it is written on an axis.
    pub fn label(self) -> String {
        self.info.label.replacen("{}", &self.number.to_string(), 1)
    }

    /// Whether the quantity is a share between 0 and 1.
    pub fn is_fraction(self) -> bool {
        self.info.unit == Unit::Share
    }

    fn place(self) -> (u16, u16) {
        (self.info.rank, self.number)
    }
}

impl PartialEq for Metric {
    fn eq(&self, other: &Self) -> bool {
        self.place() == other.place()
    }
}

impl Eq for Metric {}

impl PartialOrd for Metric {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Metric {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place().cmp(&other.place())
    }
}

impl Hash for Metric {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.place().hash(state);
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.info.numbers {
            Some(numbers) => f.pad(&format!("{}{}{}", self.info.name, self.number, numbers.suffix)),
            None => f.pad(self.info.name),
        }
    }
}

impl MetricInfo {
    /// The metric of this declaration that has the name.
    pub(crate) fn named(&'static self, name: &str) -> Option<Metric> {
        let Some(numbers) = &self.numbers else {
            return (name == self.name).then_some(Metric::new(self, 0));
        };
        let digits = name.strip_prefix(self.name)?.strip_suffix(numbers.suffix)?;
        let number: u16 = digits.parse().ok().filter(|number| *number <= numbers.last)?;
        // A number has one name: not `007`, not `+7`.
        (number.to_string() == digits).then_some(Metric::new(self, number))
    }
}

/// Declares the metrics of a family, and the list of them, `METRICS`.
///
/// Each gets a constant, or for a numbered one a function of the number. Ranks begin at a number that
/// the family alone uses and go up in tens, in the order in which the metrics are declared: that is the
/// order of rows in a table. Metrics of another family that this one measures too stand after `also`.
///
/// ```
/// loadfactor_schemes::metrics! {
///     ranks from 20_000;
///
///     /// Elements that were looked for, as a share of all.
///     LOOKED_FOR = "looked_for", "Fraction of elements looked for", Share, Nothing;
///
///     numbered
///
///     /// Share of the shelves that hold exactly this many elements.
///     shelf = "shelf_{}", "Fraction of shelves with {} elements", Share, ShareOf("shelves", Always),
///         family "shelf" ["Fraction of shelves", "Elements on the shelf"], up to 99;
/// }
/// assert_eq!(LOOKED_FOR.to_string(), "looked_for");
/// assert_eq!(shelf(3).to_string(), "shelf_3");
/// assert_eq!(METRICS.len(), 2);
/// ```
#[macro_export]
macro_rules! metrics {
    (
        ranks from $first:literal;
        $(also $($shared:expr),+;)?
        $(
            $(#[doc = $doc:literal])+
            $name:ident = $text:literal, $label:literal, $unit:ident, $counts:ident $(($($args:tt)*))?;
        )*
        $(
            numbered
            $(
                $(#[doc = $ndoc:literal])+
                $nname:ident = $ntext:literal, $nlabel:literal, $nunit:ident,
                    $ncounts:ident $(($($nargs:tt)*))?,
                    family $family:literal [$what:literal, $number:literal], up to $last:expr;
            )+
        )?
    ) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Order { $($name,)* $($($nname,)+)? }

        $(
            $(#[doc = $doc])+
            pub const $name: $crate::metric::Metric = {
                #[allow(unused_imports)]
                use $crate::metric::{Counts::*, Whole::*};
                static INFO: $crate::metric::MetricInfo = $crate::metric::MetricInfo {
                    name: $text,
                    doc: concat!($($doc),+),
                    label: $label,
                    unit: $crate::metric::Unit::$unit,
                    counts: $counts $(($($args)*))?,
                    numbers: None,
                    rank: $first + 10 * Order::$name as u16,
                };
                $crate::metric::Metric::new(&INFO, 0)
            };
        )*

        $($(
            $(#[doc = $ndoc])+
            pub const fn $nname(number: u16) -> $crate::metric::Metric {
                #[allow(unused_imports)]
                use $crate::metric::{Counts::*, Whole::*};
                static INFO: $crate::metric::MetricInfo = $crate::metric::MetricInfo {
                    name: $crate::metric::before_number($ntext),
                    doc: concat!($($ndoc),+),
                    label: $nlabel,
                    unit: $crate::metric::Unit::$nunit,
                    counts: $ncounts $(($($nargs)*))?,
                    numbers: Some($crate::metric::Numbers {
                        family: $family,
                        labels: [$what, $number],
                        suffix: $crate::metric::after_number($ntext),
                        last: $last,
                    }),
                    rank: $first + 10 * Order::$nname as u16,
                };
                $crate::metric::Metric::new(&INFO, number)
            }
        )+)?

        /// The declarations, in the order of rows.
        pub static METRICS: &[&$crate::metric::MetricInfo] =
            &[$($($shared.info(),)+)? $($name.info(),)* $($($nname(0).info(),)+)?];
    };
}

/// Metrics that more than one family measures.
pub mod common {
    crate::metrics! {
        // Between those of tables, where their rows have always stood.
        ranks from 165;

        /// Arrivals whose key is already stored by another element, as a share of all arrivals.
        REPEATED_KEY_FRACTION = "repeated_key_fraction", "Fraction of arrivals with a stored key",
            Share, Nothing;
    }
}

/// Two lists of declarations as one, for a family that declares its metrics in two places; `N` is the number in
/// both together.
pub const fn joined<const N: usize>(
    first: &[&'static MetricInfo],
    second: &[&'static MetricInfo],
) -> [&'static MetricInfo; N] {
    let mut all = [first[0]; N];
    let mut i = 0;
    while i < N {
        all[i] = if i < first.len() { first[i] } else { second[i - first.len()] };
        i += 1;
    }
    all
}

/// What stands before `{}` in the name of a numbered metric.
#[doc(hidden)]
pub const fn before_number(name: &'static str) -> &'static str {
    name.split_at(place_of_number(name)).0
}

/// What stands after it.
#[doc(hidden)]
pub const fn after_number(name: &'static str) -> &'static str {
    name.split_at(place_of_number(name) + 2).1
}

const fn place_of_number(name: &str) -> usize {
    let bytes = name.as_bytes();
    let mut place = 0;
    while bytes[place] != b'{' {
        place += 1;
    }
    place
}
