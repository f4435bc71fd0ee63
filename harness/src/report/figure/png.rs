//! From SVG to PNG.

use std::sync::{Arc, LazyLock};

use resvg::{render, tiny_skia, usvg};
use tiny_skia::{Pixmap, Transform};

use super::{FigureError, text};

/// The most pixels that [`png`] makes: a poster of 10,000 by 10,000.
pub const MAX_PIXELS: f32 = 1e8;

/// The embedded typeface, under its own name and as the generic family.
static FONTS: LazyLock<Arc<usvg::fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(text::FONT.to_vec());
    fonts.set_sans_serif_family(text::FAMILY);
    Arc::new(fonts)
});

/// Renders an SVG as a PNG of `scale` pixels per SVG unit, with the embedded typeface alone.
///
/// # Errors
/// [`FigureError::Svg`] when `svg` cannot be read, [`FigureError::Size`] when the picture would
/// have no pixels or too many, [`FigureError::Encode`] when encoding fails.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, FigureError> {
    let tree = usvg::Tree::from_str(svg, &options())?;
    let mut pixels = blank(tree.size(), scale)?;
    render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| FigureError::Encode(error.to_string()))
}

pub(super) fn options() -> usvg::Options<'static> {
    usvg::Options {
        font_family: text::FAMILY.to_owned(),
        fontdb: Arc::clone(&FONTS),
        ..usvg::Options::default()
    }
}

fn blank(size: usvg::Size, scale: f32) -> Result<Pixmap, FigureError> {
    let (width, height) = ((size.width() * scale).round(), (size.height() * scale).round());
    let error = FigureError::Size { width, height };
    if !(width >= 1.0 && height >= 1.0 && width * height <= MAX_PIXELS) {
        return Err(error);
    }
    Pixmap::new(width as u32, height as u32).ok_or(error)
}
