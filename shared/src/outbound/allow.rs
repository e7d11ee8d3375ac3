//! `HOLDFAST_OUTBOUND_ALLOW`: what the operator lets requests reach although it is not public.

use std::net::IpAddr;

use ipnet::IpNet;

/// Networks and host names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowlist {
    networks: Vec<IpNet>,
    /// In lower case, without a dot at the end.
    names: Vec<String>,
}

/// A part of the list that is neither.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is neither a network such as 10.0.0.0/8 nor a host name")]
pub struct InvalidAllow(String);

impl Allowlist {
    /// Reads networks in CIDR notation, addresses and host names, between commas. `*.` before a
    /// name stands for every name below it.
    ///
    /// # Errors
    /// [`InvalidAllow`] for the first part that is none of these.
    pub fn parse(text: &str) -> Result<Self, InvalidAllow> {
        let mut list = Self::default();
        let parts = text.split(',').map(str::trim);
        for part in parts.filter(|part| !part.is_empty()) {
            if let Ok(network) = part.parse::<IpNet>() {
                list.networks.push(network);
            } else if let Ok(address) = part.parse::<IpAddr>() {
                list.networks.push(address.into());
            } else {
                let name = normal(part);
                let plain = name.strip_prefix("*.").unwrap_or(&name);
                let is_name = !plain.is_empty()
                    && plain.split('.').all(|label| {
                        (1..=63).contains(&label.len())
                            && label
                                .bytes()
                                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
                    });
                // What is all digits and dots is a mistyped address.
                if !is_name || plain.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
                    return Err(InvalidAllow(part.to_owned()));
                }
                list.names.push(name);
            }
        }
        Ok(list)
    }

    /// Whether the host name is let through, whatever it resolves to.
    #[must_use]
    pub fn names(&self, host: &str) -> bool {
        let host = normal(host);
        self.names.iter().any(|name| match name.strip_prefix('*') {
            Some(tail) => host.len() > tail.len() && host.ends_with(tail),
            None => *name == host,
        })
    }

    /// Whether the address is let through.
    #[must_use]
    pub fn covers(&self, ip: IpAddr) -> bool {
        let plain = ip.to_canonical();
        let mut networks = self.networks.iter();
        networks.any(|network| network.contains(&ip) || network.contains(&plain))
    }
}

fn normal(host: &str) -> String {
    host.trim_end_matches('.').to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn networks_addresses_and_names_are_let_through_and_nothing_else() {
        let list =
            Allowlist::parse("10.0.0.0/8, 127.0.0.1,fd00::/8, Feeds.Corp.Example.,*.intra.example")
                .unwrap();
        for ip in ["10.2.3.4", "127.0.0.1", "fd12::1", "::ffff:10.0.0.1"] {
            assert!(list.covers(ip.parse().unwrap()), "{ip}");
        }
        for ip in ["11.0.0.1", "127.0.0.2", "fe80::1", "::1"] {
            assert!(!list.covers(ip.parse().unwrap()), "{ip}");
        }
        for name in [
            "feeds.corp.example",
            "FEEDS.corp.example.",
            "a.intra.example",
        ] {
            assert!(list.names(name), "{name}");
        }
        for name in [
            "corp.example",
            "x.feeds.corp.example",
            "intra.example",
            "xintra.example",
            "",
        ] {
            assert!(!list.names(name), "{name}");
        }
    }

    #[test]
    fn an_empty_list_lets_nothing_through() {
        for text in ["", " , "] {
            let list = Allowlist::parse(text).unwrap();
            assert_eq!(list, Allowlist::default());
            assert!(!list.names("localhost"));
        }
    }

    #[test]
    fn what_is_neither_is_refused_with_its_text() {
        for text in [
            "10.0.0.0/33",
            "10.0.0",
            "a b",
            "http://x.example",
            "*.",
            "*",
            "a..b",
        ] {
            let list = format!("10.0.0.0/8,{text}");
            assert_eq!(
                Allowlist::parse(&list),
                Err(InvalidAllow(text.to_owned())),
                "{text}"
            );
        }
    }
}
