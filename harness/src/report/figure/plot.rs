//! The rectangle between the axes, and where a point is in it.

use super::canvas::Place;
use super::span::Span;

/// The rectangle between the axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plot {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) x: Span,
    pub(super) y: Span,
}

impl Plot {
    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// Pixels from the left of the canvas for a share of the x axis.
    pub(super) fn across(&self, share: f64) -> f64 {
        self.left + share * self.width
    }

    /// Pixels from the top of the canvas for a share of the y axis.
    pub(super) fn down(&self, share: f64) -> f64 {
        self.bottom() - share * self.height
    }

    /// Where a point is; `None` if an axis has no place for it.
    ///
    /// Points far outside are moved closer, within what renderers can compute with.
    pub(super) fn place(&self, (x, y): (f64, f64)) -> Option<Place> {
        let near = |share: f64| share.clamp(-1e3, 1e3);
        (self.x.scale.holds(x) && self.y.scale.holds(y))
            .then(|| (self.across(near(self.x.share(x))), self.down(near(self.y.share(y)))))
    }

    /// Whether a point is between the axes.
    pub(super) fn contains(&self, (x, y): (f64, f64)) -> bool {
        self.x.contains(x) && self.y.contains(y)
    }
}
