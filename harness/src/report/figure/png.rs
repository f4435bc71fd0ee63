//! From SVG to PNG.

use resvg::{render, tiny_skia, usvg};
use tiny_skia::{Pixmap, Transform};

use super::FigureError;

/// The most pixels that [`png`] makes: a poster of 10,000 by 10,000.
pub const MAX_PIXELS: f32 = 1e8;

/// Renders an SVG as a PNG of `scale` pixels per SVG unit.
///
/// # Errors
/// [`FigureError::Size`] when the picture would have no pixels or too many, [`FigureError::Encode`] when encoding
/// fails.
pub fn png(tree: &usvg::Tree, scale: f32) -> Result<Vec<u8>, FigureError> {
    let mut pixels = blank(tree.size(), scale)?;
    render(tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| FigureError::Encode(error.to_string()))
}

fn blank(size: usvg::Size, scale: f32) -> Result<Pixmap, FigureError> {
    let (width, height) = ((size.width() * scale).round(), (size.height() * scale).round());
    let error = FigureError::Size { width, height };
    if !(width >= 1.0 && height >= 1.0 && width * height <= MAX_PIXELS) {
        return Err(error);
    }
    Pixmap::new(width as u32, height as u32).ok_or(error)
}
