//! What can be reached, in words.

use crate::synth::error::SynthError;

/// Says from where to where a parameter can be: about, as the others are fitted anew to each of its values.
pub(super) fn outside(
    parameter: &'static str,
    asked: f64,
    least: f64,
    greatest: f64,
) -> SynthError {
    let (least, greatest) = (digits(least, libm::ceil), digits(greatest, libm::floor));
    let reach =
        format!("with the other parameters as they are, about {least} to {greatest} can be");
    SynthError::Unreachable { parameter, asked, reach }
}

/// A bound to three digits, rounded inwards.
fn digits(value: f64, inwards: fn(f64) -> f64) -> f64 {
    if value == 0.0 {
        return value;
    }
    let unit = libm::pow(10.0, 2.0 - libm::floor(libm::log10(value.abs())));
    inwards(value * unit) / unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_rounded_to_what_can_be() {
        let error = outside("a", 2.0, 0.018_931_9, 87_126.0);
        let text = "a = 2 cannot be reached: with the other parameters as they are, about 0.019 to 87100 can be";
        assert_eq!(error.to_string(), text);
        assert_eq!(digits(0.0, libm::ceil), 0.0);
    }
}
