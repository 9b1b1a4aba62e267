//! The mails that the relay has or is to get.

/// One mail to one recipient.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Delivery {
    /// Its packet's id.
    pub packet: String,
    /// Who it is for.
    pub recipient: String,
}

impl Delivery {
    pub(crate) fn of(packet: &str, recipient: &str) -> Self {
        Self { packet: packet.to_owned(), recipient: recipient.to_owned() }
    }
}

/// Those that were handed over to the relay, until what came of them is about to be noted.
pub(crate) type Transit = musterd_post::Transit<Delivery>;
