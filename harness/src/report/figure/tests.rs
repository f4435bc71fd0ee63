//! What holds for a whole figure.

use resvg::{tiny_skia, usvg};

use super::*;

fn axis(label: &str, scale: Scale) -> Axis {
    Axis { label: label.to_owned(), scale, range: None, percent: false, whole: false }
}

fn figure(series: Vec<Series>, scale: Scale) -> Figure {
    Figure {
        title: "Overflow & load".to_owned(),
        subtitle: "n = 1000".to_owned(),
        x: axis("load <c>", Scale::Linear),
        y: axis("overflow", scale),
        series,
        curves: vec![],
        prediction: "prediction".to_owned(),
        footer: "seed 1".to_owned(),
    }
}

fn series(label: &str, points: &[(f64, f64)]) -> Series {
    let measured = points.iter().map(|&(x, y)| Measured { x, y, low: y / 2.0, high: y * 2.0 });
    Series {
        label: label.to_owned(),
        style: Style::default(),
        measured: measured.collect(),
        predicted: points.to_vec(),
        published: points[..1].to_vec(),
    }
}

fn tree(svg: &str) -> usvg::Tree {
    parsed(svg).unwrap()
}

/// All text of an SVG, a space between two elements.
fn words(svg: &str) -> String {
    let document = usvg::roxmltree::Document::parse(svg).unwrap();
    let texts: Vec<&str> =
        document.descendants().filter(|n| n.is_element()).filter_map(|n| n.text()).collect();
    texts.join(" ")
}

const POINTS: [(f64, f64); 3] = [(0.5, 0.01), (0.75, 0.1), (1.0, 0.3)];

#[test]
fn a_figure_says_all_that_it_was_told_and_is_the_same_every_time() {
    let mut figure = figure(vec![series("d = 2 & h < 4", &POINTS)], Scale::Linear);
    figure.curves.push(Curve { label: "lower bound".to_owned(), points: POINTS.to_vec() });
    let svg = figure.svg().unwrap();
    tree(&svg);
    let words = words(&svg);
    for text in [
        "Overflow & load",
        "n = 1000",
        "load <c>",
        "overflow",
        "d = 2 & h < 4",
        "lower bound",
        "seed 1",
        "measured",
        "prediction",
        "published",
    ] {
        assert!(words.contains(text), "{text} in {words}");
    }
    assert_eq!(svg, figure.svg().unwrap());
}

#[test]
fn everything_is_inside_the_picture() {
    let long = "a very long label with_a_very_long_word_in_it_that_nobody_would_write ".repeat(5);
    let mut figure = figure((0..9).map(|_| series(&long, &POINTS)).collect(), Scale::Log);
    (figure.title, figure.footer) = (long.clone(), long.clone());
    (figure.x.label, figure.y.label) = (long.clone(), long);
    let tree = tree(&figure.svg().unwrap());
    let (size, drawn) = (tree.size(), tree.root().abs_bounding_box());
    assert!(drawn.left() >= 0.0 && drawn.top() >= 0.0);
    assert!(drawn.right() <= size.width() && drawn.bottom() <= size.height());
}

#[test]
fn a_png_has_the_size_asked_for_and_is_not_blank() {
    let svg = figure(vec![series("a", &POINTS)], Scale::Linear).svg().unwrap();
    let size = tree(&svg).size();
    let pixels = tiny_skia::Pixmap::decode_png(&png(&tree(&svg), 2.0).unwrap()).unwrap();
    assert_eq!(pixels.width(), (2.0 * size.width()).round() as u32);
    assert_eq!(pixels.height(), (2.0 * size.height()).round() as u32);
    let blue =
        |p: &tiny_skia::PremultipliedColorU8| (p.red(), p.green(), p.blue()) == (0, 0x72, 0xb2);
    assert!(pixels.pixels().iter().filter(|p| blue(p)).count() > 500);
}

#[test]
fn impossible_pngs_are_refused() {
    let svg = figure(vec![series("a", &POINTS)], Scale::Linear).svg().unwrap();
    let tree = tree(&svg);
    for scale in [0.0, -1.0, f32::NAN, 1e6] {
        assert!(matches!(png(&tree, scale), Err(FigureError::Size { .. })), "{scale}");
    }
    assert!(matches!(parsed("<svg"), Err(FigureError::Svg(_))));
}

#[test]
fn a_log_axis_leaves_out_zeros_and_says_so() {
    let mut points = POINTS.to_vec();
    points.extend([(1.1, 0.0), (1.2, -1.0)]);
    let circles = |scale| {
        let svg = figure(vec![series("a", &points)], scale).svg().unwrap();
        (svg.matches("<circle").count(), words(&svg))
    };
    let (all, said) = circles(Scale::Linear);
    assert!(!said.contains("Not drawn"));
    let (positive, said) = circles(Scale::Log);
    assert_eq!(all - positive, 2);
    let note = "Not drawn: 1 value of 0 without an interval on a log axis; \
                1 value at or below zero on a log axis; \
                2 points of a line at or below zero on a log axis.";
    assert!(said.contains(note), "{said}");
}

#[test]
fn a_probit_axis_leaves_out_0_and_1_and_says_so() {
    let all = [(2.0, 0.001), (1.0, 0.0), (3.0, 0.3), (4.0, 0.999), (5.0, 1.0)];
    let svg = figure(vec![series("a", &all)], Scale::Probit).svg().unwrap();
    let said = words(&svg);
    // The interval of the value 1 has an end on the axis.
    let note = "Not drawn: 1 value not between 0 and 1 on a probit axis; \
                2 points of a line not between 0 and 1 on a probit axis.";
    assert!(said.contains(note), "{said}");
}

/// Nothing was seen, but the interval ends above zero: an arrow points down from there, and nothing is left out.
#[test]
fn a_zero_on_a_log_axis_is_drawn_as_the_limit_of_its_interval() {
    let mut seen = series("a", &POINTS);
    seen.measured.push(Measured { x: 1.2, y: 0.0, low: 0.0, high: 0.002 });
    let svg = figure(vec![seen], Scale::Log).svg().unwrap();
    let said = words(&svg);
    assert!(
        !said.contains("Not drawn") && said.contains("measured 0: end of the interval"),
        "{said}"
    );
    // One in the plot and one in the legend.
    assert_eq!(svg.matches("<polygon").count() - 2, 1, "the frame, the legend's arrow and its own");
}

/// Two series with the same values: the lower one has larger markers, and a wider line where that shows
/// another colour.
#[test]
fn a_covered_series_shows_around_the_one_above() {
    let widths = |second: &[(f64, f64)], colour| {
        let style = Style { colour, ..Style::default() };
        let above = Series { style, ..series("b", second) };
        let svg = figure(vec![series("a", &POINTS), above], Scale::Linear).svg().unwrap();
        (svg.contains("r=\"7.13\""), svg.contains("stroke-width=\"3.8\""))
    };
    assert_eq!(widths(&POINTS, 1), (true, true));
    assert_eq!(widths(&POINTS, 0), (true, false));
    assert_eq!(widths(&[(0.5, 0.2), (0.75, 0.05), (1.0, 0.5)], 1), (false, false));
}

/// A marker lies on the cross of the same value, whose arms are longer; a curve on the line of predictions.
#[test]
fn nothing_that_coincides_is_hidden() {
    let mut figure = figure(vec![series("a", &POINTS)], Scale::Linear);
    figure.curves.push(Curve { label: "bound".to_owned(), points: POINTS.to_vec() });
    let svg = figure.svg().unwrap();
    let place = |what: &str| svg.find(what).unwrap();
    let (prediction, bound) = ("#0072b2\" stroke-width=\"1.6\"", "#222222\" stroke-width=\"1.5\"");
    assert!(place(prediction) < place(bound));
    assert!(place("stroke=\"#ffffff\" stroke-width=\"4\"") < place("<circle"));
}

/// A reader who finds no error bars must not look for them.
#[test]
fn the_legend_says_where_no_error_bar_shows() {
    let said = |half: f64| {
        let mut narrow = series("a", &POINTS);
        narrow.measured.iter_mut().for_each(|m| (m.low, m.high) = (m.y - half, m.y + half));
        words(&figure(vec![narrow], Scale::Linear).svg().unwrap())
    };
    assert!(said(1e-3).contains("measured, interval within the mark"));
    assert!(said(2e-2).contains("measured, with confidence interval"));
    let without = said(f64::NAN);
    assert!(without.contains("measured") && !without.contains("interval"), "{without}");
}

/// As many trials without an event end at the same limit: three arrows, at three places.
#[test]
fn limits_at_one_place_stand_side_by_side() {
    let zero = |label| {
        let mut series = series(label, &POINTS);
        series.measured.push(Measured { x: 1.2, y: 0.0, low: 0.0, high: 0.002 });
        series
    };
    let svg = figure(vec![zero("a"), zero("b"), zero("c")], Scale::Log).svg().unwrap();
    let arrows: std::collections::BTreeSet<&str> =
        svg.lines().filter(|line| line.starts_with("<polygon")).collect();
    assert_eq!(arrows.len(), 1 + 3 + 1, "the frame, three arrows and that of the legend");
}

#[test]
fn a_lone_vertex_is_a_dash_that_ends_before_its_neighbours() {
    let gap = (f64::NAN, f64::NAN);
    let lone = [POINTS[0], gap, POINTS[1], gap, POINTS[2]];
    let predicted = Series { predicted: lone.to_vec(), ..Series::default() };
    let svg = figure(vec![predicted], Scale::Linear).svg().unwrap();
    assert!(!svg.contains("<polyline"));
    assert_eq!(
        svg.matches("stroke=\"#0072b2\" stroke-width=\"1.6\"/>").count(),
        3 + 1,
        "and the legend"
    );
}

/// A bound at one point has a stroke at each end of its dash, and a prediction has none.
#[test]
fn a_curve_of_one_point_is_told_from_a_prediction() {
    let lines = |curves: Vec<Curve>| {
        let mut figure = figure(vec![series("a", &POINTS)], Scale::Linear);
        figure.curves = curves;
        figure.svg().unwrap().matches("<line").count()
    };
    let bound = |points: &[(f64, f64)]| Curve { label: "bound".into(), points: points.to_vec() };
    let legend = lines(vec![bound(&[])]);
    assert_eq!(lines(vec![bound(&POINTS[..1])]) - legend, 3, "the dash and a stroke at each end");
}

#[test]
fn an_error_bar_is_cut_at_a_log_axis() {
    let mut cut = series("a", &POINTS);
    cut.measured[0].low = 0.0;
    let lines = |series| figure(vec![series], Scale::Log).svg().unwrap().matches("1.2\"/>").count();
    // One cap fewer, same bar.
    assert_eq!(lines(series("a", &POINTS)) - lines(cut), 1);
}

#[test]
fn an_error_bar_of_a_fraction_does_not_draw_the_axis_below_zero() {
    let mut wide = series("a", &POINTS);
    wide.measured[0].low = -0.2;
    let mut figure = figure(vec![wide], Scale::Linear);
    assert!(words(&figure.svg().unwrap()).contains("−0.2"));
    figure.y.percent = true;
    assert!(!words(&figure.svg().unwrap()).contains('−'));
}

#[test]
fn values_beyond_a_given_range_are_counted() {
    let mut figure = figure(vec![series("a", &POINTS)], Scale::Linear);
    figure.x.range = Some((0.6, 0.9));
    let said = words(&figure.svg().unwrap());
    assert!(said.contains("Not drawn: 3 values beyond the range of the axes."), "{said}");
    figure.x.range = Some((1.0, 0.0));
    assert!(matches!(figure.svg(), Err(FigureError::Range { .. })));
}

#[test]
fn a_figure_of_nothing_is_an_error() {
    let nothing = [
        vec![],
        vec![Series::default()],
        vec![series("a", &[(f64::NAN, 1.0), (1.0, f64::INFINITY)])],
        vec![series("a", &[(1.0, 0.0)])],
    ];
    for series in nothing {
        let mut figure = figure(series, Scale::Log);
        assert!(matches!(figure.svg(), Err(FigureError::Empty { .. })));
        (figure.x.range, figure.y.range) = (Some((0.0, 1.0)), Some((0.1, 1.0)));
        assert!(matches!(figure.svg(), Err(FigureError::Empty { .. })));
    }
}

#[test]
fn odd_values_are_drawn_or_refused_but_never_written() {
    let odd = [0.0, -0.0, 1.0, -1.0, 1e300, -1e300, 1e-300, f64::MAX, f64::MIN, 5e-324, f64::NAN];
    for (a, b) in odd.iter().flat_map(|&a| odd.map(|b| (a, b))) {
        for scale in [Scale::Linear, Scale::Log] {
            let mut figure = figure(vec![series("a", &[(a, b), (b, a)])], scale);
            figure.x.scale = scale;
            if let Ok(svg) = figure.svg() {
                tree(&svg);
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{a} {b} {scale:?}");
            }
        }
    }
}
