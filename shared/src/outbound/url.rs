//! Addresses that requests go to.

use std::{fmt, net::IpAddr};

use url::{Host, Url};

/// The longest address, in bytes.
pub const MAX_URL_BYTES: usize = 2_048;

/// An absolute `http` or `https` address. It may carry a secret in its path or a user and a
/// password, so that `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct OutboundUrl(Url);

/// Why an address is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadUrl {
    /// More than [`MAX_URL_BYTES`].
    #[error("at most {MAX_URL_BYTES} bytes")]
    TooLong,
    /// No address at all.
    #[error("not an address such as https://calendar.example.com/basic.ics")]
    Syntax,
    /// Another scheme.
    #[error("only http and https addresses are read")]
    Scheme,
    /// From https to http.
    #[error("leads from https to http")]
    Downgrade,
}

impl OutboundUrl {
    /// Reads an address. `webcal:` is read as `https:`.
    ///
    /// # Errors
    /// [`BadUrl`].
    pub fn parse(text: &str) -> Result<Self, BadUrl> {
        let text = text.trim();
        if text.len() > MAX_URL_BYTES {
            return Err(BadUrl::TooLong);
        }
        let scheme = text.split_once("://").map(|(scheme, rest)| {
            let web = scheme.eq_ignore_ascii_case("webcal");
            (web || scheme.eq_ignore_ascii_case("webcals"), rest)
        });
        let url = match scheme {
            Some((true, rest)) => Url::parse(&format!("https://{rest}")),
            _ => Url::parse(text),
        };
        Self::checked(url.map_err(|_| BadUrl::Syntax)?)
    }

    fn checked(mut url: Url) -> Result<Self, BadUrl> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(BadUrl::Scheme);
        }
        if url.host().is_none() || url.port() == Some(0) {
            return Err(BadUrl::Syntax);
        }
        if url.as_str().len() > MAX_URL_BYTES {
            return Err(BadUrl::TooLong);
        }
        url.set_fragment(None);
        Ok(Self(url))
    }

    /// Where a redirect leads from here. A user and a password in it are not taken over: the other
    /// server's word is no reason to present them.
    ///
    /// # Errors
    /// [`BadUrl`]; [`BadUrl::Downgrade`] from https to http.
    pub fn redirected(&self, location: &str) -> Result<Self, BadUrl> {
        if location.len() > MAX_URL_BYTES {
            return Err(BadUrl::TooLong);
        }
        let mut next = self.0.join(location).map_err(|_| BadUrl::Syntax)?;
        if self.is_https() && next.scheme() == "http" {
            return Err(BadUrl::Downgrade);
        }
        let cleared = next.set_username("").and_then(|()| next.set_password(None));
        // Only what has no host has no place for them.
        cleared.map_err(|()| BadUrl::Scheme)?;
        let same = self.is_same_origin(&Self(next.clone()));
        if same {
            let _ = next.set_username(self.0.username());
            let _ = next.set_password(self.0.password());
        }
        Self::checked(next)
    }

    /// Whether both are of one scheme, host and port.
    #[must_use]
    pub fn is_same_origin(&self, other: &Self) -> bool {
        self.0.origin() == other.0.origin()
    }

    /// Whether it is protected by TLS.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// The host as a name or address, an IPv6 one without brackets.
    #[must_use]
    pub fn host(&self) -> String {
        match self.0.host() {
            Some(Host::Domain(name)) => name.to_owned(),
            Some(Host::Ipv4(ip)) => ip.to_string(),
            Some(Host::Ipv6(ip)) => ip.to_string(),
            None => String::new(),
        }
    }

    /// The host if it is written as an address, in whatever notation.
    #[must_use]
    pub fn literal(&self) -> Option<IpAddr> {
        match self.0.host()? {
            Host::Domain(_) => None,
            Host::Ipv4(ip) => Some(ip.into()),
            Host::Ipv6(ip) => Some(ip.into()),
        }
    }

    /// The port, or the scheme's own.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or(443)
    }

    /// What stands in `Host:`: the port only if it is not the scheme's own.
    #[must_use]
    pub fn authority(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        match self.0.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// Path and query, for the request line.
    #[must_use]
    pub fn path_and_query(&self) -> String {
        match self.0.query() {
            Some(query) => format!("{}?{query}", self.0.path()),
            None => self.0.path().to_owned(),
        }
    }

    /// User and password in the address, decoded.
    #[must_use]
    pub fn credentials(&self) -> Option<(String, String)> {
        let user = self.0.username();
        let password = self.0.password();
        if user.is_empty() && password.is_none() {
            return None;
        }
        Some((decoded(user), decoded(password.unwrap_or_default())))
    }

    /// The whole address, secrets included: to be sealed.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.as_str()
    }
}

fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text)
        .decode_utf8_lossy()
        .into_owned()
}

impl fmt::Debug for OutboundUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OutboundUrl(…)")
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn url(text: &str) -> OutboundUrl {
        OutboundUrl::parse(text).unwrap()
    }

    #[test]
    fn an_address_falls_into_its_parts() {
        let feed = url(" https://ana:p%40ss@Feeds.Example:8443/a/b.ics?x=1#top ");
        assert!(feed.is_https());
        assert_eq!(feed.host(), "feeds.example");
        assert_eq!(feed.port(), 8443);
        assert_eq!(feed.authority(), "feeds.example:8443");
        assert_eq!(feed.path_and_query(), "/a/b.ics?x=1");
        assert_eq!(feed.credentials(), Some(("ana".into(), "p@ss".into())));
        assert_eq!(feed.literal(), None);
        assert!(!format!("{feed:?}").contains("example"));
        let plain = url("http://[2001:DB8::1]");
        assert_eq!((plain.port(), plain.credentials()), (80, None));
        assert_eq!(plain.host(), "2001:db8::1");
        assert_eq!(plain.authority(), "[2001:db8::1]");
        assert_eq!(plain.path_and_query(), "/");
    }

    #[test]
    fn webcal_is_https() {
        for scheme in ["webcal", "WEBCAL", "webcals"] {
            let feed = url(&format!("{scheme}://feeds.example/x.ics"));
            assert_eq!(feed.expose(), "https://feeds.example/x.ics");
        }
    }

    /// However an address is written, it is that address that is judged.
    #[test]
    fn every_notation_of_an_ipv4_address_is_seen_through() {
        for host in [
            "127.0.0.1",
            "2130706433",
            "0x7f.1",
            "0177.0.0.1",
            "127.1",
            "127.0.0.1.",
        ] {
            let literal = url(&format!("http://{host}/")).literal();
            assert_eq!(literal, Some("127.0.0.1".parse().unwrap()), "{host}");
        }
        assert_eq!(
            url("http://[::ffff:127.0.0.1]/").literal(),
            Some("::ffff:127.0.0.1".parse().unwrap())
        );
    }

    #[test]
    fn other_schemes_and_what_is_no_address_are_refused() {
        for (text, why) in [
            ("", BadUrl::Syntax),
            ("feeds.example/x.ics", BadUrl::Syntax),
            ("https://", BadUrl::Syntax),
            ("https://feeds.example:0/", BadUrl::Syntax),
            ("https://feeds.example:99999/", BadUrl::Syntax),
            ("ftp://feeds.example/", BadUrl::Scheme),
            ("file:///etc/passwd", BadUrl::Scheme),
            ("gopher://feeds.example/", BadUrl::Scheme),
            ("javascript:alert(1)", BadUrl::Scheme),
            ("data:text/calendar,x", BadUrl::Scheme),
        ] {
            assert_eq!(OutboundUrl::parse(text), Err(why), "{text}");
        }
        let long = format!("https://feeds.example/{}", "x".repeat(MAX_URL_BYTES));
        assert_eq!(OutboundUrl::parse(&long), Err(BadUrl::TooLong));
    }

    #[test]
    fn a_redirect_keeps_credentials_on_its_origin_alone_and_never_leaves_https() {
        let from = url("https://ana:secret@feeds.example/a");
        let same = from.redirected("/b?c").unwrap();
        assert_eq!(same.expose(), "https://ana:secret@feeds.example/b?c");
        for other in [
            "https://other.example/b",
            "https://eve:x@other.example/b",
            "//other.example/b",
            "https://feeds.example:444/b",
        ] {
            assert_eq!(
                from.redirected(other).unwrap().credentials(),
                None,
                "{other}"
            );
        }
        for (location, why) in [
            ("http://feeds.example/b", BadUrl::Downgrade),
            ("ftp://feeds.example/b", BadUrl::Scheme),
            ("file:///etc/passwd", BadUrl::Scheme),
            ("https://", BadUrl::Syntax),
        ] {
            assert_eq!(from.redirected(location), Err(why), "{location}");
        }
        assert!(
            url("http://feeds.example/")
                .redirected("http://127.0.0.1/")
                .is_ok(),
            "where it may lead is judged when it is asked"
        );
    }
}
