//! Everything around the data: grid, axes, ticks, labels, title and footer.

use super::canvas::{Anchor, Canvas, Pen, Type};
use super::layout::{FOOTER, LABEL, Layout, SUBTITLE, TICK, TICK_GAP, TITLE};
use super::style::{FAINT_GRID, FAINT_INK, GAP, GRID, INK};
use super::text;
use super::ticks::Tick;

/// Length of a labelled tick, in pixels; a minor tick is half as long.
const TICK_LENGTH: f64 = 5.0;

/// Draws the frame of a figure.
pub(super) fn draw(layout: &Layout, canvas: &mut Canvas) {
    // Minor lines first, so that they do not cross the others.
    for labelled in [false, true] {
        grid(layout, canvas, labelled);
    }
    axes(layout, canvas);
    x_tick_labels(layout, canvas);
    y_tick_labels(layout, canvas);
    axis_labels(layout, canvas);
    block(
        canvas,
        &layout.title,
        (GAP, GAP),
        Type { size: TITLE, colour: INK, anchor: Anchor::Start },
    );
    let faint = Type { size: SUBTITLE, colour: FAINT_INK, anchor: Anchor::Start };
    block(canvas, &layout.subtitle, (GAP, layout.subtitle_top()), faint);
    let small = Type { size: FOOTER, colour: FAINT_INK, anchor: Anchor::Start };
    block(canvas, &layout.footer, (GAP, layout.footer_top()), small);
}

fn grid(layout: &Layout, canvas: &mut Canvas, labelled: bool) {
    let plot = &layout.plot;
    let (colour, length) =
        if labelled { (GRID, TICK_LENGTH) } else { (FAINT_GRID, TICK_LENGTH / 2.0) };
    let (line, stub) = (Pen::solid(colour, 0.8), Pen::solid(INK, 1.0));
    let chosen = |tick: &&Tick| tick.label.is_some() == labelled;
    for x in layout.x_ticks.iter().filter(chosen).map(|tick| plot.across(tick.share)) {
        canvas.line((x, plot.top), (x, plot.bottom()), line);
        canvas.line((x, plot.bottom()), (x, plot.bottom() + length), stub);
    }
    for y in layout.y_ticks.iter().filter(chosen).map(|tick| plot.down(tick.share)) {
        canvas.line((plot.left, y), (plot.right(), y), line);
        canvas.line((plot.left - length, y), (plot.left, y), stub);
    }
}

fn axes(layout: &Layout, canvas: &mut Canvas) {
    let plot = &layout.plot;
    let corners = [
        (plot.left, plot.top),
        (plot.right(), plot.top),
        (plot.right(), plot.bottom()),
        (plot.left, plot.bottom()),
    ];
    canvas.polygon(&corners, "none", Pen::solid(INK, 1.0));
}

/// Labels below the x axis, in order of place; one that would touch its neighbour is left out.
fn x_tick_labels(layout: &Layout, canvas: &mut Canvas) {
    let plot = &layout.plot;
    let mut labels: Vec<(f64, &str)> = layout
        .x_ticks
        .iter()
        .filter_map(|tick| Some((plot.across(tick.share), tick.label.as_deref()?)))
        .collect();
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = f64::NEG_INFINITY;
    for (x, label) in labels {
        let half = text::width(label, TICK) / 2.0;
        if x - half >= free {
            let at = (x, plot.bottom() + TICK_GAP + TICK);
            canvas.text(at, label, Type { size: TICK, colour: INK, anchor: Anchor::Middle });
            free = x + half + TICK / 2.0;
        }
    }
}

fn y_tick_labels(layout: &Layout, canvas: &mut Canvas) {
    let plot = &layout.plot;
    for tick in &layout.y_ticks {
        if let Some(label) = &tick.label {
            let at = (plot.left - TICK_GAP, plot.down(tick.share) + 0.36 * TICK);
            canvas.text(at, label, Type { size: TICK, colour: INK, anchor: Anchor::End });
        }
    }
}

fn axis_labels(layout: &Layout, canvas: &mut Canvas) {
    let plot = &layout.plot;
    let style = Type { size: LABEL, colour: INK, anchor: Anchor::Middle };
    block(canvas, &layout.x_label, (plot.across(0.5), layout.x_label_top()), style);
    for (x, line) in text::baselines(&layout.y_label, LABEL, GAP) {
        canvas.text_upwards((x, plot.down(0.5)), line, style);
    }
}

fn block(canvas: &mut Canvas, lines: &[String], (x, top): (f64, f64), style: Type<'_>) {
    for (y, line) in text::baselines(lines, style.size, top) {
        canvas.text((x, y), line, style);
    }
}
