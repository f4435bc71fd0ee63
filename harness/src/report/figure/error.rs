//! What can be wrong with a figure.

/// Why a figure could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    /// No series or curve has a point that is finite and, on a log axis, above zero.
    #[error("figure \"{title}\" has no point that can be drawn")]
    Empty {
        /// Title of the figure.
        title: String,
    },
    /// The range of an axis is not finite, not increasing, or reaches zero on a log axis.
    #[error("axis \"{axis}\" cannot run from {low:e} to {high:e}")]
    Range {
        /// Label of the axis.
        axis: String,
        /// Lower end of the range.
        low: f64,
        /// Upper end of the range.
        high: f64,
    },
    /// The SVG handed to `png` is not an SVG.
    #[error("the picture is not a readable SVG")]
    Svg(#[from] resvg::usvg::Error),
    /// The PNG would have no pixel, or more than `MAX_PIXELS`.
    #[error("a picture of {width} by {height} pixels cannot be made")]
    Size {
        /// Width asked for, in pixels.
        width: f32,
        /// Height asked for, in pixels.
        height: f32,
    },
    /// The pixels could not be encoded as a PNG.
    #[error("the picture could not be encoded as PNG: {0}")]
    Encode(String),
}
