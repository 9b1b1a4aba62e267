//! Beacons that sign what they publish, and whose key is known here (dice.md, "Signed values"): drand's quicknet.

use serde::Serialize;

use super::beacon::{BeaconPolicy, BeaconValue};

/// The beacon's name in a policy.
const NAME: &str = "drand-quicknet";
/// The time of its round 1, in Unix seconds.
const GENESIS: u64 = 1_692_803_367;
/// Seconds between its rounds.
const PERIOD: u64 = 3;

/// Whether a beacon is known to have published a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueProof {
    /// It is: the value is a signature of the round by the beacon's key.
    Signed,
    /// It didn't publish it: its key didn't sign that.
    NotSigned,
    /// No key of this beacon is known: what it published has to be asked of it.
    NoKey,
    /// The key is known, and whatever checks such signatures was left out of this build (the feature `drand`).
    NotBuilt,
}

impl BeaconPolicy {
    /// Whether the beacon of this policy published this value in this round, as far as that can be told offline.
    #[must_use]
    pub fn proof_of(&self, round: u64, value: &BeaconValue) -> ValueProof {
        match (self.name.as_str(), self.genesis, self.period) {
            (NAME, GENESIS, PERIOD) => quicknet(round, value.as_bytes()),
            _ => ValueProof::NoKey,
        }
    }
}

/// Checks a value of quicknet, by its scheme `bls-unchained-g1-rfc9380`: a BLS signature in G1 of SHA-256 of the round.
#[cfg(feature = "drand")]
fn quicknet(round: u64, value: &[u8]) -> ValueProof {
    use blst::BLST_ERROR;
    use blst::min_sig::{PublicKey, Signature};

    /// The public key of the chain 52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971, a point of G2 in 96 bytes.
    #[rustfmt::skip]
    const KEY: [u8; 96] = [
        0x83, 0xcf, 0x0f, 0x28, 0x96, 0xad, 0xee, 0x7e, 0xb8, 0xb5, 0xf0, 0x1f,
        0xca, 0xd3, 0x91, 0x22, 0x12, 0xc4, 0x37, 0xe0, 0x07, 0x3e, 0x91, 0x1f,
        0xb9, 0x00, 0x22, 0xd3, 0xe7, 0x60, 0x18, 0x3c, 0x8c, 0x4b, 0x45, 0x0b,
        0x6a, 0x0a, 0x6c, 0x3a, 0xc6, 0xa5, 0x77, 0x6a, 0x2d, 0x10, 0x64, 0x51,
        0x0d, 0x1f, 0xec, 0x75, 0x8c, 0x92, 0x1c, 0xc2, 0x2b, 0x0e, 0x17, 0xe6,
        0x3a, 0xaf, 0x4b, 0xcb, 0x5e, 0xd6, 0x63, 0x04, 0xde, 0x9c, 0xf8, 0x09,
        0xbd, 0x27, 0x4c, 0xa7, 0x3b, 0xab, 0x4a, 0xf5, 0xa6, 0xe9, 0xc7, 0x6a,
        0x4b, 0xc0, 0x9e, 0x76, 0xea, 0xe8, 0x99, 0x1e, 0xf5, 0xec, 0xe4, 0x5a,
    ];
    /// How a message becomes a point of G1 (RFC 9380).
    const DOMAIN: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

    let message = super::hash::Digest::of(&round.to_be_bytes());
    let (Ok(key), Ok(signature)) = (PublicKey::from_bytes(&KEY), Signature::from_bytes(value)) else {
        return ValueProof::NotSigned;
    };
    match signature.verify(true, message.as_bytes(), DOMAIN, &[], &key, false) {
        BLST_ERROR::BLST_SUCCESS => ValueProof::Signed,
        _ => ValueProof::NotSigned,
    }
}

#[cfg(not(feature = "drand"))]
const fn quicknet(_: u64, _: &[u8]) -> ValueProof {
    ValueProof::NotBuilt
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What quicknet published in round 1000.
    const ROUND_1000: &str =
        "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";

    fn proof(policy: &str, round: u64, value: &str) -> ValueProof {
        let policy: BeaconPolicy = policy.parse().unwrap();
        policy.proof_of(round, &value.parse().unwrap())
    }

    #[test]
    #[cfg(feature = "drand")]
    fn what_quicknet_published_is_proved_by_its_key_and_nothing_else_is() {
        for delay in ["3600", "300"] {
            let policy = format!("drand-quicknet:1692803367:3:{delay}");
            assert_eq!(proof(&policy, 1000, ROUND_1000), ValueProof::Signed);
        }
        let quicknet = "drand-quicknet:1692803367:3:3600";
        // The same point with the other sign is a point of the group too, and no signature.
        let negated = ROUND_1000.replacen('b', "9", 1);
        // The point at infinity; no point at all; the key of G2; a value of another beacon.
        let infinity = format!("c0{}", "0".repeat(94));
        let last = format!("{}8", &ROUND_1000[..95]);
        let longer = format!("{ROUND_1000}00");
        for bad in [&negated, &infinity, &last, &longer, &ROUND_1000[2..], &"ab".repeat(48), &"ab".repeat(96)]
        {
            assert_eq!(proof(quicknet, 1000, bad), ValueProof::NotSigned, "{bad}");
        }
        for round in [0, 1, 999, 1001, u64::MAX] {
            assert_eq!(proof(quicknet, round, ROUND_1000), ValueProof::NotSigned, "{round}");
        }
    }

    #[test]
    #[cfg(not(feature = "drand"))]
    fn a_build_without_the_code_says_that_it_checks_nothing() {
        assert_eq!(proof("drand-quicknet:1692803367:3:3600", 1000, ROUND_1000), ValueProof::NotBuilt);
    }

    #[test]
    fn of_a_beacon_without_a_known_key_nothing_is_told() {
        for policy in [
            "drand-quicknet:1692803368:3:3600",
            "drand-quicknet:1692803367:30:3600",
            "nist:1692803367:3:3600",
        ] {
            assert_eq!(proof(policy, 1000, ROUND_1000), ValueProof::NoKey, "{policy}");
        }
    }
}
