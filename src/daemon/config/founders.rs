//! Who may found games by mail.

/// The addresses that may found games by mail: whole ones, and domains as `@example.org`. Nobody may where there are none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Founders(pub(crate) Vec<String>);

impl Founders {
    /// Whether somebody with this address may found a game.
    pub fn admit(&self, address: &str) -> bool {
        let address = address.to_lowercase();
        self.0.iter().any(|one| match one.strip_prefix('@') {
            Some(domain) => address.rsplit_once('@').is_some_and(|(_, of)| of == domain),
            None => address == *one,
        })
    }

    /// Whether this whole address is named, and not its domain alone.
    pub fn name(&self, address: &str) -> bool {
        self.0.contains(&address.to_lowercase())
    }

    /// Whether nobody may.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_founder_is_named_by_address_or_domain() {
        let founders = Founders(vec!["anna@example.org".to_owned(), "@club.example".to_owned()]);
        for (address, may) in [
            ("Anna@Example.org", true),
            ("ben@club.example", true),
            ("anna@example.com", false),
            ("ben@sub.club.example", false),
            ("ben@notclub.example", false),
            ("x@anna@example.org", false),
        ] {
            assert_eq!(founders.admit(address), may, "{address}");
        }
        assert!(!Founders::default().admit("anna@example.org"));
    }
}
