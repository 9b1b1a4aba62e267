//! Public beacons: values that nobody can know before their time, published by a party that has no part in the game.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::hash::Digest;
use super::words::Word;

/// The public beacon that a game's seeds wait for: `name:genesis:period:delay`, times in Unix seconds and seconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BeaconPolicy {
    /// The beacon, such as `drand-quicknet`.
    pub name: Word,
    /// The time of its round 1.
    pub genesis: u64,
    /// Seconds between rounds, at least 1.
    pub period: u64,
    /// Seconds from the deadline to the round that counts.
    pub delay: u64,
}

/// A text that is not a beacon policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a beacon policy: write name:genesis:period:delay, such as drand-quicknet:1692803367:3:3600"
)]
pub struct BadBeaconPolicy(String);

impl BeaconPolicy {
    /// The round that counts for an adjudication whose last deadline before its close is `deadline`, in Unix seconds:
    /// `max(1, ceil((deadline + delay - genesis) / period) + 1)`.
    #[must_use]
    pub const fn round(&self, deadline: u64) -> u64 {
        let due = deadline.saturating_add(self.delay);
        if due < self.genesis { 1 } else { (due - self.genesis).div_ceil(self.period).saturating_add(1) }
    }

    /// When a round is published, in Unix seconds.
    #[must_use]
    pub const fn time_of(&self, round: u64) -> u64 {
        self.genesis.saturating_add(round.saturating_sub(1).saturating_mul(self.period))
    }
}

impl FromStr for BeaconPolicy {
    type Err = BadBeaconPolicy;
    fn from_str(text: &str) -> Result<Self, BadBeaconPolicy> {
        let read = || {
            let [name, genesis, period, delay] = *text.split(':').collect::<Vec<_>>() else { return None };
            let policy = Self {
                name: name.parse().ok()?,
                genesis: genesis.parse().ok()?,
                period: period.parse().ok()?,
                delay: delay.parse().ok()?,
            };
            (policy.period > 0).then_some(policy)
        };
        read().ok_or_else(|| BadBeaconPolicy(text.chars().take(120).collect()))
    }
}

impl fmt::Display for BeaconPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}:{}", self.name, self.genesis, self.period, self.delay)
    }
}

impl TryFrom<String> for BeaconPolicy {
    type Error = BadBeaconPolicy;
    fn try_from(text: String) -> Result<Self, BadBeaconPolicy> {
        text.parse()
    }
}

impl From<BeaconPolicy> for String {
    fn from(policy: BeaconPolicy) -> Self {
        policy.to_string()
    }
}

/// The value of a beacon's round, as it enters a seed: `name/round/hash`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Beacon {
    /// The beacon.
    pub name: Word,
    /// The round, from 1.
    pub round: u64,
    /// SHA-256 of the bytes that it published. For drand, whose rounds are signatures, this is the round's `randomness`.
    pub value: Digest,
}

/// A text that is not the value of a beacon's round.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a beacon's value: it reads name/round/hash, the hash in 64 hex digits")]
pub struct BadBeacon(String);

/// A text that no beacon has published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "it is no value of a beacon: {} to {} hex digits belong there, two a byte, and nothing else",
    2 * BeaconValue::FEWEST_BYTES,
    2 * BeaconValue::MOST_BYTES
)]
pub struct NotPublished;

/// The bytes that a beacon published in a round, as they stand in journals and audit files: hex in lower case.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BeaconValue(Vec<u8>);

impl BeaconValue {
    /// The fewest bytes; fewer could be guessed.
    pub const FEWEST_BYTES: usize = 16;
    /// The most bytes that a beacon publishes.
    pub const MOST_BYTES: usize = 1024;

    /// Reads what a beacon published: a row of hex digits, two a byte, with blanks and line ends around them.
    ///
    /// # Errors
    /// The text is no such value, or is too short or too long: the error page of a server, or a part of the value.
    pub fn published(text: &[u8]) -> Result<Self, NotPublished> {
        let digits = text.trim_ascii();
        let nibble = |digit: &u8| char::from(*digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
        let nibbles: Option<Vec<u8>> = digits.iter().map(nibble).collect();
        let bytes: Vec<u8> = nibbles
            .filter(|nibbles| nibbles.len() % 2 == 0)
            .map(|nibbles| nibbles.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
            .ok_or(NotPublished)?;
        match bytes.len() {
            Self::FEWEST_BYTES..=Self::MOST_BYTES => Ok(Self(bytes)),
            _ => Err(NotPublished),
        }
    }

    /// As the value of a round, in the form that enters a seed.
    #[must_use]
    pub fn of_round(&self, name: &Word, round: u64) -> Beacon {
        Beacon { name: name.clone(), round, value: self.digest() }
    }

    /// Its SHA-256.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.0)
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for BeaconValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for BeaconValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for BeaconValue {
    type Err = NotPublished;
    fn from_str(text: &str) -> Result<Self, NotPublished> {
        // One spelling: no blanks, no capitals.
        Self::published(text.as_bytes()).ok().filter(|value| value.to_string() == text).ok_or(NotPublished)
    }
}

impl TryFrom<String> for BeaconValue {
    type Error = NotPublished;
    fn try_from(text: String) -> Result<Self, NotPublished> {
        text.parse()
    }
}

impl From<BeaconValue> for String {
    fn from(value: BeaconValue) -> Self {
        value.to_string()
    }
}

impl FromStr for Beacon {
    type Err = BadBeacon;
    fn from_str(text: &str) -> Result<Self, BadBeacon> {
        let read = || {
            let [name, round, value] = *text.split('/').collect::<Vec<_>>() else { return None };
            Some(Self { name: name.parse().ok()?, round: round.parse().ok()?, value: value.parse().ok()? })
        };
        // Only the canonical spelling is accepted, because the value is hashed as a text.
        let beacon = read().filter(|beacon| beacon.to_string() == text);
        beacon.ok_or_else(|| BadBeacon(text.chars().take(120).collect()))
    }
}

impl fmt::Display for Beacon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.name, self.round, self.value)
    }
}

impl TryFrom<String> for Beacon {
    type Error = BadBeacon;
    fn try_from(text: String) -> Result<Self, BadBeacon> {
        text.parse()
    }
}

impl From<Beacon> for String {
    fn from(beacon: Beacon) -> Self {
        beacon.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beacon_policy_reads_as_it_is_written() {
        let text = "drand-quicknet:1692803367:3:3600";
        let policy: BeaconPolicy = text.parse().unwrap();
        assert_eq!((policy.genesis, policy.period, policy.delay), (1_692_803_367, 3, 3600));
        assert_eq!(policy.to_string(), text);
        for bad in
            ["", "-", "drand", "drand:1:3", "drand:1:0:5", "drand:1:3:5:7", "drand:1:3:-5", "d d:1:3:5"]
        {
            assert!(bad.parse::<BeaconPolicy>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn the_round_that_counts_comes_after_deadline_and_delay() {
        let policy: BeaconPolicy = "drand-quicknet:1692803367:3:3600".parse().unwrap();
        for deadline in [1_692_803_367, 1_795_262_400, 1_795_262_401, 1_795_262_402] {
            let at = policy.time_of(policy.round(deadline));
            assert!((deadline + 3600..deadline + 3606).contains(&at), "{deadline}: {at}");
        }
        let early: BeaconPolicy = "tomorrow:1795262400:30:0".parse().unwrap();
        assert_eq!((early.round(5), early.time_of(1)), (1, 1_795_262_400));
        let odd: BeaconPolicy = format!("x:{}:{}:0", u64::MAX, u64::MAX).parse().unwrap();
        assert_eq!(odd.time_of(u64::MAX), u64::MAX);
    }

    /// Round 1000 of drand's `quicknet`: the signature as its servers give it, and the randomness that they give beside it.
    #[test]
    fn the_hash_of_a_round_of_drand_is_its_randomness() {
        let name = "drand-quicknet".parse().unwrap();
        let signature = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";
        let value = BeaconValue::published(format!("{signature}\r\n").as_bytes()).unwrap();
        let beacon = value.of_round(&name, 1000);
        assert_eq!(
            beacon.to_string(),
            "drand-quicknet/1000/fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"
        );
        assert_eq!(beacon.to_string().parse::<Beacon>().unwrap(), beacon);
        assert_eq!(BeaconValue::published(signature.to_uppercase().as_bytes()).unwrap(), value);
        assert_eq!((value.to_string().as_str(), signature.parse()), (signature, Ok(value)));
        assert!(
            signature.to_uppercase().parse::<BeaconValue>().is_err(),
            "it has one spelling where it is kept"
        );
    }

    #[test]
    fn what_no_beacon_published_is_no_value() {
        let digits = "0123456789abcdef".repeat(2);
        assert!(BeaconValue::published(digits.as_bytes()).is_ok());
        for bad in [
            "",
            "\n",
            "<html>502</html>",
            &digits[..30],
            &digits[..31],
            &format!("{digits} {digits}"),
            &format!("0x{digits}"),
            &"ab".repeat(1025),
        ] {
            assert!(BeaconValue::published(bad.as_bytes()).is_err(), "{bad:?}");
        }
        let hash = "ab".repeat(32);
        assert!(format!("x/1/{hash}").parse::<Beacon>().is_ok());
        for bad in [format!("x/01/{hash}"), format!("x/1/{hash}/"), format!("x/{hash}"), String::new()] {
            assert!(bad.parse::<Beacon>().is_err(), "{bad:?}");
        }
    }
}
