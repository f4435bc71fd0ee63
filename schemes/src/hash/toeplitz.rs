//! The Toeplitz hash of network cards.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::xor_tables::{span, xor_bytes};
use super::{HashFamily, HashInfo};

/// Bytes of a hash value.
const VALUE_BYTES: usize = 8;

/// The Toeplitz hash of receive-side scaling, with a random secret key.
///
/// Bit i of the input, most significant first, selects the window of the secret
/// key that starts at its bit i; the value is the XOR of the selected windows.
/// Network cards have windows of 32 bits. Here they have 64: the upper half of
/// the value is what a card computes with the same secret key, the lower half
/// continues the same matrix to the right.
///
/// Members are linear: the all-zero key hashes to 0, a key followed by zero bytes
/// hashes like the key, and an input shifted right by one bit has its value shifted
/// left by one bit (but for the bit that enters). Two different keys of one
/// length collide with probability 2^−64 (2^−32 in the upper half), yet a pair
/// of values is not independent.
pub struct Toeplitz {
    tables: Vec<[u64; 256]>,
}

impl HashFamily for Toeplitz {
    const INFO: HashInfo = HashInfo {
        name: "toeplitz",
        bits: 64,
        summary: "Toeplitz hash as in receive-side scaling, continued from 32 to 64 bits",
        source: "Krawczyk, \"LFSR-based Hashing and Authentication\", CRYPTO 1994; \
                 Microsoft, \"RSS Hashing Functions\"",
        guarantee: "XOR-universal on keys of one length, not 2-independent",
    };

    fn with_seed(seed: u64, max_key_bytes: usize) -> Self {
        let mut secret = vec![0; max_key_bytes + VALUE_BYTES];
        Xoshiro256PlusPlus::seed_from_u64(seed).fill_bytes(&mut secret);
        Self::with_secret(&secret)
    }

    #[inline]
    fn hash(&self, key: &[u8]) -> u64 {
        xor_bytes(0, &self.tables, key)
    }
}

impl Toeplitz {
    /// The function of the key `secret`, for inputs that are eight bytes shorter.
    ///
    /// A card's secret key of 40 bytes is followed by zeros to hash 36 bytes; its
    /// values are the upper 32 bits.
    pub fn with_secret(secret: &[u8]) -> Self {
        let windows = secret.windows(VALUE_BYTES + 1);
        Self { tables: windows.map(byte_table).collect() }
    }
}

/// The table of the byte whose eight windows start in `secret[0]`.
fn byte_table(secret: &[u8]) -> [u64; 256] {
    let bits = secret.iter().fold(0_u128, |bits, &byte| bits << 8 | u128::from(byte));
    // The nine bytes are 72 bits: bit 7 of the input byte comes first.
    span(std::array::from_fn(|bit| (bits >> (bit + 1)) as u64))
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use super::super::statistics::assert_even_on_counters;
    use super::*;

    /// The secret key of Microsoft's verification suite.
    const SECRET: [u8; 40] = [
        0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3, 0x8f,
        0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30,
        0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
    ];

    fn as_card(input: &[u8]) -> u32 {
        let secret = [&SECRET[..], &[0; 4]].concat();
        (Toeplitz::with_secret(&secret).hash(input) >> 32) as u32
    }

    /// Checks the value of the addresses alone and that of addresses and ports.
    fn check(
        source: &[u8],
        target: &[u8],
        ports: (u16, u16),
        addresses_only: u32,
        with_ports: u32,
    ) {
        let addresses = [source, target].concat();
        let ports = [ports.0.to_be_bytes(), ports.1.to_be_bytes()].concat();
        assert_eq!(as_card(&addresses), addresses_only);
        assert_eq!(as_card(&[addresses, ports].concat()), with_ports);
    }

    fn check_v4(source: &str, target: &str, ports: (u16, u16), only: u32, with_ports: u32) {
        let octets = |text: &str| text.parse::<Ipv4Addr>().unwrap().octets();
        check(&octets(source), &octets(target), ports, only, with_ports);
    }

    fn check_v6(source: &str, target: &str, ports: (u16, u16), only: u32, with_ports: u32) {
        let octets = |text: &str| text.parse::<Ipv6Addr>().unwrap().octets();
        check(&octets(source), &octets(target), ports, only, with_ports);
    }

    /// Microsoft, "Verifying the RSS Hash Calculation", IPv4.
    #[test]
    fn verification_suite_v4() {
        check_v4("66.9.149.187", "161.142.100.80", (2794, 1766), 0x323e_8fc2, 0x51cc_c178);
        check_v4("199.92.111.2", "65.69.140.83", (14230, 4739), 0xd718_262a, 0xc626_b0ea);
        check_v4("24.19.198.95", "12.22.207.184", (12898, 38024), 0xd2d0_a5de, 0x5c2b_394a);
        check_v4("38.27.205.30", "209.142.163.6", (48228, 2217), 0x8298_9176, 0xafc7_327f);
        check_v4("153.39.163.191", "202.188.127.2", (44251, 1303), 0x5d18_09c5, 0x10e8_28a2);
    }

    /// Microsoft, "Verifying the RSS Hash Calculation", IPv6.
    #[test]
    fn verification_suite_v6() {
        let cases = [
            ("3ffe:2501:200:1fff::7", "3ffe:2501:200:3::1", (2794, 1766), 0x2cc1_8cd5, 0x4020_7d3d),
            ("3ffe:501:8::260:97ff:fe40:efab", "ff02::1", (14230, 4739), 0x0f0c_461c, 0xdde5_1bbf),
            (
                "3ffe:1900:4545:3:200:f8ff:fe21:67cf",
                "fe80::200:f8ff:fe21:67cf",
                (44251, 38024),
                0x4b61_e985,
                0x02d1_feef,
            ),
        ];
        for (source, target, ports, only, with_ports) in cases {
            check_v6(source, target, ports, only, with_ports);
        }
    }

    #[test]
    fn shifting_the_key_shifts_the_value() {
        let hash = Toeplitz::with_seed(4, 8);
        let key = 0x1234_5678_9abc_def0_u64;
        let shifted = hash.hash(&(key >> 1).to_be_bytes());
        assert_eq!(shifted >> 1, hash.hash(&key.to_be_bytes()) & (u64::MAX >> 1));
    }

    #[test]
    fn linear_in_the_key() {
        let hash = Toeplitz::with_seed(4, 2);
        assert_eq!(hash.hash(&[0, 0]), 0);
        assert_eq!(hash.hash(&[0xa5, 0x0f]), hash.hash(&[0xa0, 0x00]) ^ hash.hash(&[0x05, 0x0f]));
    }

    #[test]
    fn even_on_counters() {
        assert_even_on_counters::<Toeplitz>();
    }
}
