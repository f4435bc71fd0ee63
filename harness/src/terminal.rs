//! Words for the user on standard error, which may have nobody at its other end.

/// Writes a line to standard error. Where that cannot be written, because the terminal has closed or its
/// disk is full, the line is lost and nothing else: results matter more than words about them.
macro_rules! tell {
    ($($text:tt)*) => {{
        use ::std::io::Write as _;
        let _ = ::std::writeln!(::std::io::stderr(), $($text)*);
    }};
}

pub(crate) use tell;
