//! From SVG to PDF, with paths alone: text is drawn as the outlines of its letters, so that no viewer needs
//! the typeface.
//!
//! Written here because the crate for it (svg2pdf 0.13) rests on an older usvg, which would be built beside
//! the one that draws the PNG. What [`Canvas`](super::canvas::Canvas) writes needs little of a PDF: filled and
//! stroked paths, dashes, and rectangles that clip.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use resvg::{tiny_skia, usvg};
use tiny_skia::{PathSegment, Point, Transform};
use usvg::{Fill, FillRule, Group, LineCap, LineJoin, Node, Paint, Path, Stroke};

use super::FigureError;

/// Points of a PDF, of which an inch has 72, per unit of an SVG, of which it has 96.
const POINTS_PER_UNIT: f32 = 0.75;

/// One page that shows an SVG.
///
/// # Errors
/// [`FigureError::Encode`] when its shapes cannot be packed.
pub fn pdf(tree: &usvg::Tree) -> Result<Vec<u8>, FigureError> {
    let (width, height) = (tree.size().width(), tree.size().height());
    let mut shapes = Shapes::default();
    // A PDF counts from the bottom.
    let upright = Transform::from_row(
        POINTS_PER_UNIT,
        0.0,
        0.0,
        -POINTS_PER_UNIT,
        0.0,
        height * POINTS_PER_UNIT,
    );
    shapes.transform(upright);
    shapes.group(tree.root());
    let failed = |error: io::Error| FigureError::Encode(error.to_string());
    page(width * POINTS_PER_UNIT, height * POINTS_PER_UNIT, &shapes.0).map_err(failed)
}

/// A document of one page with these shapes.
fn page(width: f32, height: f32, shapes: &str) -> io::Result<Vec<u8>> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    packed.write_all(shapes.as_bytes())?;
    let packed = packed.finish()?;
    let stream = format!("<< /Length {} /Filter /FlateDecode >>\nstream\n", packed.len());
    let media = format!("[0 0 {} {}]", Decimal(width), Decimal(height));
    let objects: [Vec<u8>; 4] = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox {media} /Resources << >> /Contents 4 0 R >>"
        )
        .into_bytes(),
        [stream.as_bytes(), &packed, b"\nendstream"].concat(),
    ];
    document(&objects)
}

/// The objects, numbered from 1, with the table of where each begins.
fn document(objects: &[Vec<u8>]) -> io::Result<Vec<u8>> {
    // The second line has bytes above 127, which tell programs that the file is not text.
    let mut file = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut table = String::from("0000000000 65535 f \n");
    for (number, object) in (1..).zip(objects) {
        table.push_str(&format!("{:010} 00000 n \n", file.len()));
        writeln!(file, "{number} 0 obj")?;
        file.extend_from_slice(object);
        file.extend_from_slice(b"\nendobj\n");
    }
    let (size, start) = (objects.len() + 1, file.len());
    write!(
        file,
        "xref\n0 {size}\n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    )?;
    Ok(file)
}

/// The operators that draw a page.
#[derive(Default)]
struct Shapes(String);

impl Shapes {
    fn group(&mut self, group: &Group) {
        self.put("q");
        if group.transform() != Transform::identity() {
            self.transform(group.transform());
        }
        if let Some(clip) = group.clip_path() {
            self.clip(clip.root());
        }
        for node in group.children() {
            match node {
                Node::Group(inner) => self.group(inner),
                Node::Path(path) => self.path(path),
                Node::Text(text) => self.group(text.flattened()),
                // A figure holds none.
                Node::Image(_) => {}
            }
        }
        self.put("Q");
    }

    /// Draws nothing outside the paths of `shape` until the group ends.
    fn clip(&mut self, shape: &Group) {
        for node in shape.children() {
            match node {
                Node::Path(path) => self.outline(path.data()),
                Node::Group(inner) => self.clip(inner),
                Node::Text(_) | Node::Image(_) => {}
            }
        }
        self.put("W n");
    }

    fn path(&mut self, path: &Path) {
        let (fill, stroke) = (path.fill(), path.stroke());
        fill.into_iter().for_each(|fill| self.fill(fill));
        stroke.into_iter().for_each(|stroke| self.stroke(stroke));
        self.outline(path.data());
        let even_odd = fill.is_some_and(|fill| fill.rule() == FillRule::EvenOdd);
        self.put(match (fill.is_some(), stroke.is_some(), even_odd) {
            (true, true, false) => "B",
            (true, true, true) => "B*",
            (true, false, false) => "f",
            (true, false, true) => "f*",
            (false, true, _) => "S",
            (false, false, _) => "n",
        });
    }

    fn fill(&mut self, fill: &Fill) {
        self.colour(fill.paint(), "rg");
    }

    fn stroke(&mut self, stroke: &Stroke) {
        self.colour(stroke.paint(), "RG");
        let cap = match stroke.linecap() {
            LineCap::Butt => 0,
            LineCap::Round => 1,
            LineCap::Square => 2,
        };
        let join = match stroke.linejoin() {
            LineJoin::Miter | LineJoin::MiterClip => 0,
            LineJoin::Round => 1,
            LineJoin::Bevel => 2,
        };
        let dashes: Vec<String> = stroke
            .dasharray()
            .unwrap_or_default()
            .iter()
            .map(|&length| Decimal(length).to_string())
            .collect();
        let width = Decimal(stroke.width().get());
        let (dashes, offset) = (dashes.join(" "), Decimal(stroke.dashoffset()));
        self.put(&format!("{width} w {cap} J {join} j [{dashes}] {offset} d"));
    }

    fn colour(&mut self, paint: &Paint, operator: &str) {
        // A figure is painted in plain colours.
        let Paint::Color(colour) = paint else { return };
        let share = |level: u8| Decimal(f32::from(level) / 255.0);
        let (red, green, blue) = (share(colour.red), share(colour.green), share(colour.blue));
        self.put(&format!("{red} {green} {blue} {operator}"));
    }

    fn transform(&mut self, Transform { sx, ky, kx, sy, tx, ty }: Transform) {
        let row = [sx, ky, kx, sy, tx, ty].map(|x| Decimal(x).to_string());
        self.put(&format!("{} cm", row.join(" ")));
    }

    fn outline(&mut self, path: &tiny_skia::Path) {
        let mut at = Point::zero();
        for segment in path.segments() {
            match segment {
                PathSegment::MoveTo(to) => self.points(&[to], "m"),
                PathSegment::LineTo(to) => self.points(&[to], "l"),
                PathSegment::QuadTo(control, to) => {
                    let towards = |end: Point| {
                        let share = |end: f32, control: f32| end + (control - end) * 2.0 / 3.0;
                        Point::from_xy(share(end.x, control.x), share(end.y, control.y))
                    };
                    self.points(&[towards(at), towards(to), to], "c");
                }
                PathSegment::CubicTo(first, second, to) => self.points(&[first, second, to], "c"),
                PathSegment::Close => self.put("h"),
            }
            at = end(segment).unwrap_or(at);
        }
    }

    fn points(&mut self, points: &[Point], operator: &str) {
        for point in points {
            // Writing to a string cannot fail.
            let _ = write!(self.0, "{} {} ", Decimal(point.x), Decimal(point.y));
        }
        self.put(operator);
    }

    fn put(&mut self, operators: &str) {
        self.0.push_str(operators);
        self.0.push('\n');
    }
}

/// Where a segment ends, a closing one aside.
fn end(segment: PathSegment) -> Option<Point> {
    match segment {
        PathSegment::MoveTo(to)
        | PathSegment::LineTo(to)
        | PathSegment::QuadTo(_, to)
        | PathSegment::CubicTo(_, _, to) => Some(to),
        PathSegment::Close => None,
    }
}

/// A number as a PDF has it: decimals without an exponent, four of them at most.
struct Decimal(f32);

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Adding zero turns a negative zero into a positive one.
        write!(f, "{}", (f64::from(self.0) * 1e4).round() / 1e4 + 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::parsed;
    use super::*;
    use std::io::Read;

    const SVG: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="40" viewBox="0 0 100 40">
        <rect width="100" height="40" fill="#ffffff"/>
        <svg x="10" y="10" width="50" height="20" viewBox="10 10 50 20">
        <line x1="0" y1="0" x2="90" y2="40" stroke="#ff0000" stroke-width="2" stroke-dasharray="7 4"/></svg>
        <circle cx="50" cy="20" r="4" fill="#0000ff"/>
        <text x="10" y="30" font-size="12" fill="#222222">Oo</text></svg>"##;

    fn find(bytes: &[u8], needle: &[u8]) -> usize {
        bytes.windows(needle.len()).position(|window| window == needle).unwrap()
    }

    /// The operators of the page.
    fn shapes(file: &[u8]) -> String {
        let start = find(file, b"stream\n") + b"stream\n".len();
        let packed = &file[start..find(file, b"\nendstream")];
        let mut shapes = String::new();
        flate2::read::ZlibDecoder::new(packed).read_to_string(&mut shapes).unwrap();
        shapes
    }

    /// A reader of the format goes by the places in the table at the end.
    #[test]
    fn the_table_says_where_each_object_begins() {
        let file = pdf(&parsed(SVG).unwrap()).unwrap();
        let table = find(&file, b"xref\n");
        let rest = String::from_utf8_lossy(&file[table..]).into_owned();
        let places: Vec<usize> = rest
            .lines()
            .filter(|line| line.ends_with(" n "))
            .map(|line| line[..10].parse().unwrap())
            .collect();
        assert_eq!(places.len(), 4);
        for (number, place) in (1..).zip(places) {
            assert!(file[place..].starts_with(format!("{number} 0 obj\n").as_bytes()), "{number}");
        }
        assert!(rest.contains(&format!("startxref\n{table}\n%%EOF")));
    }

    #[test]
    fn lines_colours_dashes_clips_and_letters_are_there() {
        let file = pdf(&parsed(SVG).unwrap()).unwrap();
        assert!(find(&file, b"/MediaBox [0 0 75 30]") > 0);
        let shapes = shapes(&file);
        for text in
            ["0.75 0 0 -0.75 0 30 cm", "1 0 0 RG", "2 w 0 J 0 j [7 4] 0 d", "W n", "0 0 1 rg"]
        {
            assert!(shapes.contains(text), "{text} in\n{shapes}");
        }
        // The two letters, one path, are four closed outlines.
        let last = shapes.rsplit(" rg\n").next().unwrap();
        assert_eq!(last.lines().filter(|line| *line == "h").count(), 4);
        assert_eq!(shapes.matches("q\n").count(), shapes.matches("Q\n").count());
    }

    #[test]
    fn numbers_have_no_exponent_and_no_negative_zero() {
        assert_eq!(Decimal(-1e-9).to_string(), "0");
        assert_eq!(Decimal(1e7).to_string(), "10000000");
        assert_eq!(Decimal(1.0 / 3.0).to_string(), "0.3333");
    }
}
