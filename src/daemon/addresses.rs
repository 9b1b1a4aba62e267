//! Whose mailbox an address is.

/// The mailbox that an address leads to, as far as it can be told: whoever has one has every address `name+anything@` it.
pub(crate) fn mailbox_of(address: &str) -> String {
    let address = address.to_ascii_lowercase();
    let Some((local, domain)) = address.rsplit_once('@') else { return address };
    let name = local.split('+').next().filter(|name| !name.is_empty()).unwrap_or(local);
    format!("{name}@{domain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sub_addresses_are_of_one_mailbox() {
        for (address, mailbox) in [
            ("Anna@Example.org", "anna@example.org"),
            ("anna+1@example.org", "anna@example.org"),
            ("anna+a+b@example.org", "anna@example.org"),
            ("+x@example.org", "+x@example.org"),
            ("nobody", "nobody"),
        ] {
            assert_eq!(mailbox_of(address), mailbox);
        }
    }
}
