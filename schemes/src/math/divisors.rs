//! Divisors and remainders.

/// The greatest common divisor; of 0 and a number that number.
pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The divisors of a number of at least 1, in increasing order.
pub(crate) fn divisors(number: u64) -> Vec<u64> {
    let small: Vec<u64> =
        (1..).take_while(|d| d * d <= number).filter(|&d| number.is_multiple_of(d)).collect();
    let large = small.iter().rev().map(|d| number / d).filter(|d| d * d > number);
    small.iter().copied().chain(large).collect()
}

/// How many of 1 to `number` have no factor in common with it: Euler's φ.
pub(crate) fn totient(number: u64) -> u64 {
    let (mut left, mut count, mut factor) = (number, number, 2);
    while factor * factor <= left {
        if left.is_multiple_of(factor) {
            count -= count / factor;
            while left.is_multiple_of(factor) {
                left /= factor;
            }
        }
        factor += 1;
    }
    if left > 1 { count - count / left } else { count }
}

/// The x below `modulus` with `factor·x ≡ value`, both below `modulus`: gcd(factor, modulus) of them, or none.
pub(crate) fn solutions(factor: u64, value: u64, modulus: u64) -> impl Iterator<Item = u64> {
    let common = gcd(factor, modulus);
    let reduced = modulus / common;
    let first = (u128::from(value / common) * u128::from(inverse(factor / common, reduced))
        % u128::from(reduced)) as u64;
    let many = if value.is_multiple_of(common) { common } else { 0 };
    (0..many).map(move |i| first + i * reduced)
}

/// The x with `number·x ≡ 1`, where the two have no factor in common; 0 for the modulus 1.
pub(crate) fn inverse(number: u64, modulus: u64) -> u64 {
    let m = i128::from(modulus);
    let (mut old, mut new) = ((i128::from(number), 1), (m, 0));
    while new.0 != 0 {
        let quotient = old.0 / new.0;
        (old, new) = (new, (old.0 - quotient * new.0, old.1 - quotient * new.1));
    }
    old.1.rem_euclid(m) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors_and_totients_are_those_of_the_definition() {
        for number in 1..200_u64 {
            let expected: Vec<u64> = (1..=number).filter(|&d| number % d == 0).collect();
            assert_eq!(divisors(number), expected);
            let coprime = (1..=number).filter(|&x| gcd(x, number) == 1).count() as u64;
            assert_eq!(totient(number), coprime, "{number}");
        }
    }

    #[test]
    fn every_solution_is_found() {
        for modulus in 1..30_u64 {
            for factor in 0..modulus {
                for value in 0..modulus {
                    let expected: Vec<u64> =
                        (0..modulus).filter(|x| factor * x % modulus == value).collect();
                    let mut found: Vec<u64> = solutions(factor, value, modulus).collect();
                    found.sort_unstable();
                    assert_eq!(found, expected, "{factor} x = {value} mod {modulus}");
                }
            }
        }
    }
}
