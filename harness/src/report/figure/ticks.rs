//! Where an axis has ticks and what is printed at them.

use super::span::Span;
use super::{Axis, Scale};

/// A tick of an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    /// Place on the axis, from 0 at the low end to 1 at the high end.
    pub(super) share: f64,
    /// What is printed; a minor tick has no label.
    pub(super) label: Option<String>,
}

/// About how many labels an axis has.
const LABELS: f64 = 6.0;

/// The probabilities that a probit axis shows, as digits and exponent.
const PROBABILITIES: [(f64, i32); 11] = [
    (1.0, -3),
    (1.0, -2),
    (5.0, -2),
    (1.0, -1),
    (25.0, -2),
    (5.0, -1),
    (75.0, -2),
    (9.0, -1),
    (95.0, -2),
    (99.0, -2),
    (999.0, -3),
];

/// A number as `digits` × 10^`exponent`, which is how ticks are computed without rounding.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Round {
    digits: f64,
    exponent: i32,
}

impl Round {
    fn value(self) -> f64 {
        // Dividing by a power of ten is exact where multiplying by its inverse is not.
        if self.exponent < 0 {
            self.digits / 10f64.powi(-self.exponent)
        } else {
            self.digits * 10f64.powi(self.exponent)
        }
    }

    fn plain(self) -> String {
        let decimals = usize::try_from(-self.exponent).unwrap_or(0);
        with_minus(format!("{:.decimals$}", self.value()))
    }
}

/// The ticks of the axis of this span.
pub(super) fn ticks(span: &Span, axis: &Axis) -> Vec<Tick> {
    let decades = span.high.log10().floor() - span.low.log10().ceil() + 1.0;
    match span.scale {
        Scale::Linear => linear(span, axis),
        Scale::Log if decades >= 3.0 => by_decade(span, axis.percent),
        Scale::Log => within_decades(span, axis),
        Scale::Probit => by_probability(span, axis),
    }
}

/// Ticks in steps of 1, 2 or 5 times a power of ten, which is not below 1 where values are whole.
fn linear(span: &Span, axis: &Axis) -> Vec<Tick> {
    let percent = axis.percent;
    let step = step(span.high - span.low);
    let is_between = axis.whole && step.exponent < 0;
    let step = if is_between { Round { digits: 1.0, exponent: 0 } } else { step };
    let mut rounds = multiples(step, span.low, span.high);
    rounds.retain(|r| span.scale.holds(r.value()));
    let label = plain_or_scientific(&rounds, percent);
    rounds.iter().map(|&r| tick(span, r, Some(label(r)))).collect()
}

/// The step between the labels of an axis that is so long.
fn step(length: f64) -> Round {
    let rough = length / LABELS;
    let exponent = floor_log10(rough);
    let lead = rough / 10f64.powi(exponent);
    // Limits are geometric means of neighbouring steps.
    let (digits, exponent) = match lead {
        lead if lead < 1.41 => (1.0, exponent),
        lead if lead < 3.16 => (2.0, exponent),
        lead if lead < 7.07 => (5.0, exponent),
        _ => (1.0, exponent + 1),
    };
    Round { digits, exponent }
}

/// The multiples of a step between two ends.
fn multiples(of: Round, low: f64, high: f64) -> Vec<Round> {
    let (Round { digits, exponent }, step) = (of, of.value());
    // A sliver of tolerance, so that an end which is a multiple of the step has its tick.
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    let mut rounds = Vec::new();
    let mut multiple = first;
    while multiple <= last && rounds.len() < 100 {
        rounds.push(Round { digits: multiple * digits, exponent });
        multiple += 1.0;
    }
    rounds
}

/// Labels at powers of ten, unlabelled ticks between.
fn by_decade(span: &Span, percent: bool) -> Vec<Tick> {
    let (first, last) = (floor_log10(span.low), floor_log10(span.high));
    let stride = (last - first) / 10 + 1;
    let inside = |r: &Round| span.contains(r.value());
    let decades: Vec<Round> =
        (first..=last).map(|exponent| Round { digits: 1.0, exponent }).filter(inside).collect();
    let labelled = |r: &Round| r.exponent.rem_euclid(stride) == 0;
    let majors: Vec<Round> = decades.iter().copied().filter(labelled).collect();
    let label = plain_or_power(&majors, percent);
    let mut ticks: Vec<Tick> =
        decades.iter().map(|r| tick(span, *r, labelled(r).then(|| label(*r)))).collect();
    if stride == 1 {
        ticks.extend(between(first, last).filter(inside).map(|r| tick(span, r, None)));
    }
    ticks
}

/// The multiples 2 to 9 of each power of ten.
fn between(first: i32, last: i32) -> impl Iterator<Item = Round> {
    (first..=last)
        .flat_map(|exponent| (2..10).map(move |d| Round { digits: f64::from(d), exponent }))
}

/// Labels at 1, 2 and 5 in each decade; at even steps where that would give fewer than three.
fn within_decades(span: &Span, axis: &Axis) -> Vec<Tick> {
    let (first, last) = (floor_log10(span.low), floor_log10(span.high));
    let ones = (first..=last).map(|exponent| Round { digits: 1.0, exponent });
    let all: Vec<Round> =
        ones.chain(between(first, last)).filter(|r| span.contains(r.value())).collect();
    let labelled = |r: &Round| [1.0, 2.0, 5.0].contains(&r.digits);
    let majors: Vec<Round> = all.iter().copied().filter(labelled).collect();
    if majors.len() < 3 {
        return linear(span, axis);
    }
    let label = plain_or_scientific(&majors, axis.percent);
    all.iter().map(|r| tick(span, *r, labelled(r).then(|| label(*r)))).collect()
}

/// Labels at the usual probabilities; at even steps where that would give fewer than three.
fn by_probability(span: &Span, axis: &Axis) -> Vec<Tick> {
    let percent = axis.percent;
    let mut rounds: Vec<Round> =
        PROBABILITIES.map(|(digits, exponent)| Round { digits, exponent }).to_vec();
    rounds.retain(|r| span.contains(r.value()));
    if rounds.len() < 3 {
        return linear(span, axis);
    }
    let label = |r: Round| with_unit(shifted(r, percent).plain(), percent);
    rounds.iter().map(|&r| tick(span, r, Some(label(r)))).collect()
}

fn tick(span: &Span, at: Round, label: Option<String>) -> Tick {
    Tick { share: span.share(at.value()).clamp(0.0, 1.0), label }
}

/// Labels such as `0.25`, or `2.5×10⁷` where plain numbers would be long.
fn plain_or_scientific(rounds: &[Round], percent: bool) -> impl Fn(Round) -> String {
    let largest = rounds.iter().map(|r| shifted(*r, percent).value().abs()).fold(0.0, f64::max);
    let power = floor_log10(largest);
    let plain = largest == 0.0 || (-3..6).contains(&power);
    move |round| {
        let round = shifted(round, percent);
        let number = match round {
            Round { digits: 0.0, .. } => "0".to_owned(),
            round if plain => round.plain(),
            Round { digits, exponent } => {
                let mantissa = Round { digits, exponent: exponent - power };
                format!("{}×{}", mantissa.plain(), power_of_ten(power))
            }
        };
        with_unit(number, percent)
    }
}

/// Labels such as `0.01` or `1%` when all are short, else such as `10⁻²`: of the fractions themselves,
/// because nobody writes 10⁻⁴%.
fn plain_or_power(decades: &[Round], percent: bool) -> impl Fn(Round) -> String {
    let short = |r: Round| (-3..4).contains(&r.exponent);
    let all_short = decades.iter().all(|r| short(shifted(*r, percent)));
    move |round| match all_short {
        true => with_unit(shifted(round, percent).plain(), percent),
        false => power_of_ten(round.exponent),
    }
}

fn shifted(round: Round, percent: bool) -> Round {
    Round { exponent: round.exponent + if percent { 2 } else { 0 }, ..round }
}

fn with_unit(number: String, percent: bool) -> String {
    if percent { number + "%" } else { number }
}

fn with_minus(number: String) -> String {
    number.replace('-', "−")
}

fn power_of_ten(exponent: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raise = |c: char| c.to_digit(10).map_or('⁻', |digit| RAISED[digit as usize]);
    let mut power = "10".to_owned();
    power.extend(exponent.to_string().chars().map(raise));
    power
}

/// The exponent of the greatest power of ten that is at most `value`.
fn floor_log10(value: f64) -> i32 {
    (value.log10() + 1e-12).floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(scale: Scale, percent: bool) -> Axis {
        Axis { label: String::new(), scale, range: None, percent, whole: false }
    }

    fn labels_of(low: f64, high: f64, axis: &Axis) -> Vec<String> {
        let span = Span::new(low, high, axis.scale).unwrap();
        ticks(&span, axis).into_iter().filter_map(|tick| tick.label).collect()
    }

    fn labels(low: f64, high: f64, scale: Scale, percent: bool) -> Vec<String> {
        labels_of(low, high, &axis(scale, percent))
    }

    /// Nothing has two and a half elements.
    #[test]
    fn whole_numbers_have_no_tick_between_them() {
        let whole =
            |low, high, scale| labels_of(low, high, &Axis { whole: true, ..axis(scale, false) });
        assert_eq!(whole(0.0, 2.1, Scale::Linear), ["0", "1", "2"]);
        assert_eq!(whole(0.9, 3.1, Scale::Log), ["1", "2", "3"]);
        assert_eq!(whole(0.0, 31.0, Scale::Linear), labels(0.0, 31.0, Scale::Linear, false));
    }

    #[test]
    fn linear_ticks_step_by_one_two_or_five() {
        let linear = |low, high| labels(low, high, Scale::Linear, false);
        assert_eq!(linear(0.0, 1.04), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(linear(-1.0, 1.0), ["−1.0", "−0.5", "0", "0.5", "1.0"]);
        assert_eq!(
            linear(0.0, 3e7),
            ["0", "0.5×10⁷", "1.0×10⁷", "1.5×10⁷", "2.0×10⁷", "2.5×10⁷", "3.0×10⁷"]
        );
        assert_eq!(linear(0.0, 2e-5).last().unwrap(), "2.0×10⁻⁵");
        assert_eq!(
            linear(100.0, 4096.0),
            ["500", "1000", "1500", "2000", "2500", "3000", "3500", "4000"]
        );
    }

    #[test]
    fn fractions_are_printed_as_percentages() {
        assert_eq!(labels(0.0, 0.05, Scale::Linear, true), ["0%", "1%", "2%", "3%", "4%", "5%"]);
        assert_eq!(labels(9e-4, 1.0, Scale::Log, true), ["0.1%", "1%", "10%", "100%"]);
        assert_eq!(labels(1e-7, 1e-4, Scale::Log, true), ["10⁻⁷", "10⁻⁶", "10⁻⁵", "10⁻⁴"]);
    }

    #[test]
    fn log_ticks_are_decades_with_eight_minor_ticks_each() {
        let span = Span::new(1e3, 1e6, Scale::Log).unwrap();
        let ticks = ticks(&span, &axis(Scale::Log, false));
        assert_eq!(labels(1e3, 1e6, Scale::Log, false), ["10³", "10⁴", "10⁵", "10⁶"]);
        assert_eq!(ticks.iter().filter(|tick| tick.label.is_none()).count(), 3 * 8);
    }

    #[test]
    fn many_decades_are_thinned_and_few_are_filled() {
        assert!(labels(1e-30, 1.0, Scale::Log, false).len() <= 10);
        assert_eq!(labels(9.0, 110.0, Scale::Log, false), ["10", "100", "20", "50"]);
        assert_eq!(labels(60.0, 90.0, Scale::Log, false).len(), 7);
    }

    #[test]
    fn a_probit_axis_has_the_usual_probabilities() {
        let probit = |low, high, percent| labels(low, high, Scale::Probit, percent);
        assert_eq!(
            probit(1e-4, 0.9999, false),
            ["0.001", "0.01", "0.05", "0.1", "0.25", "0.5", "0.75", "0.9", "0.95", "0.99", "0.999"]
        );
        assert_eq!(
            probit(0.04, 0.9999, true),
            ["5%", "10%", "25%", "50%", "75%", "90%", "95%", "99%", "99.9%"]
        );
        assert_eq!(
            probit(0.3, 0.36, false),
            ["0.30", "0.31", "0.32", "0.33", "0.34", "0.35", "0.36"]
        );
        assert_eq!(
            probit(1e-12, 0.0025, false),
            ["0.0005", "0.0010", "0.0015", "0.0020", "0.0025"]
        );
    }

    #[test]
    fn extreme_spans_have_ticks_on_the_axis() {
        for (low, high, scale) in [
            (1e16, 1e16 + 4.0, Scale::Linear),
            (-1e307, 1e307, Scale::Linear),
            (0.0, f64::MIN_POSITIVE, Scale::Linear),
            (1e-307, 1e308, Scale::Log),
            (f64::MIN_POSITIVE, 1.0 - f64::EPSILON, Scale::Probit),
        ] {
            let ticks = ticks(&Span::new(low, high, scale).unwrap(), &axis(scale, false));
            assert!(ticks.iter().all(|tick| (0.0..=1.0).contains(&tick.share)), "{low} {high}");
        }
    }
}
