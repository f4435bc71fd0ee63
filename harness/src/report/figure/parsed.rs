//! An SVG as it is read once for all formats that are made of it.

use std::sync::{Arc, LazyLock};

use resvg::usvg;

use super::{FigureError, text};

/// The embedded typeface, under its own name and as the generic family.
static FONTS: LazyLock<Arc<usvg::fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(text::FONT.to_vec());
    fonts.set_sans_serif_family(text::FAMILY);
    Arc::new(fonts)
});

/// The shapes of an SVG, whose text is set in the embedded typeface alone.
///
/// # Errors
/// [`FigureError::Svg`] when it cannot be read.
pub fn parsed(svg: &str) -> Result<usvg::Tree, FigureError> {
    Ok(usvg::Tree::from_str(svg, &options())?)
}

/// Text has one typeface, whatever fonts the machine has.
fn options() -> usvg::Options<'static> {
    usvg::Options {
        font_family: text::FAMILY.to_owned(),
        fontdb: Arc::clone(&FONTS),
        ..usvg::Options::default()
    }
}
