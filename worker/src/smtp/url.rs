//! `HOLDFAST_SMTP_URL`: which mail server, how it is reached, and as whom.

use std::fmt;
use std::net::IpAddr;

use lettre::transport::smtp::authentication::Credentials;
use rustls::pki_types::ServerName;

/// How the connection is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// `smtp://`: not at all.
    Plain,
    /// `smtp+starttls://`: by STARTTLS (RFC 3207), which is required, never optional.
    StartTls,
    /// `smtps://`: by TLS from the first byte (RFC 8314, section 3.3).
    Implicit,
}

/// A mail server, how to reach it, and the account to use.
///
/// `scheme://[user:password@]host[:port]` with the scheme `smtp`, `smtp+starttls` or `smtps` and
/// the default ports 25, 587 and 465. User and password are percent-encoded UTF-8. A user and
/// password over `smtp://` are refused unless the host is the loopback interface: they would cross
/// the network readable by everybody.
///
/// `Debug` and `Display` show neither user nor password.
#[derive(Clone)]
pub struct SmtpUrl {
    security: Security,
    host: String,
    port: u16,
    credentials: Option<Credentials>,
}

/// What is wrong with an SMTP URL. The text never repeats the URL, which may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SmtpUrlError {
    /// Not one of the three schemes.
    #[error("must begin with smtp://, smtps:// or smtp+starttls://")]
    Scheme,
    /// A character that no URL may hold as it is.
    #[error("spaces, control characters and characters outside ASCII must be percent-encoded")]
    Character,
    /// Nothing between the user and the port.
    #[error("the host is missing")]
    HostMissing,
    /// Neither a domain name nor an IP address.
    #[error(
        "the host is neither a domain name (IDN as xn--...) nor an IP address (IPv6 in brackets)"
    )]
    Host,
    /// Not a port number.
    #[error("the port must be a number from 1 to 65535")]
    Port,
    /// A path, query or fragment.
    #[error(
        "nothing may follow host and port; in a user or password write '/' as %2F, '?' as %3F, '#' as %23"
    )]
    Trailing,
    /// A second at sign.
    #[error("'@' in a user or password must be written %40")]
    AtSign,
    /// A user without a password or the reverse.
    #[error("user and password must both be given, or neither")]
    HalfCredentials,
    /// A percent sign that encodes nothing.
    #[error("'%' must be followed by two hexadecimal digits; the character itself is written %25")]
    PercentEncoding,
    /// A user or password that SASL cannot carry.
    #[error("user and password must decode to UTF-8 without control characters")]
    CredentialText,
    /// A password in the clear.
    #[error(
        "a password over smtp:// would cross the network unencrypted: use smtps:// or smtp+starttls://, or a loopback host"
    )]
    ClearText,
}

impl SmtpUrl {
    /// Reads an SMTP URL.
    ///
    /// # Errors
    ///
    /// The first fault found, see [`SmtpUrlError`].
    pub fn parse(text: &str) -> Result<Self, SmtpUrlError> {
        let (scheme, rest) = text.split_once("://").ok_or(SmtpUrlError::Scheme)?;
        let security = match scheme.to_ascii_lowercase().as_str() {
            "smtp" => Security::Plain,
            "smtp+starttls" => Security::StartTls,
            "smtps" => Security::Implicit,
            _ => return Err(SmtpUrlError::Scheme),
        };
        if !rest.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(SmtpUrlError::Character);
        }
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        if authority.contains(['/', '?', '#']) {
            return Err(SmtpUrlError::Trailing);
        }
        let (account, server) = match authority.rsplit_once('@') {
            Some((account, server)) => (Some(account), server),
            None => (None, authority),
        };
        let credentials = account.map(credentials).transpose()?;
        let (host, port) = host_and_port(server, default_port(security))?;
        if credentials.is_some() && security == Security::Plain && !is_loopback(&host) {
            return Err(SmtpUrlError::ClearText);
        }
        Ok(Self {
            security,
            host,
            port,
            credentials,
        })
    }

    /// How the connection is protected.
    #[must_use]
    pub const fn security(&self) -> Security {
        self.security
    }

    /// The domain name or IP address, IPv6 without brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The TCP port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The account to sign in with, if one was given.
    pub(super) const fn credentials(&self) -> Option<&Credentials> {
        self.credentials.as_ref()
    }
}

impl fmt::Display for SmtpUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.security {
            Security::Plain => "smtp://",
            Security::StartTls => "smtp+starttls://",
            Security::Implicit => "smtps://",
        })?;
        if self.credentials.is_some() {
            f.write_str("***:***@")?;
        }
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

impl fmt::Debug for SmtpUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SmtpUrl({self})")
    }
}

const fn default_port(security: Security) -> u16 {
    match security {
        Security::Plain => 25,
        Security::StartTls => 587,
        Security::Implicit => 465,
    }
}

fn credentials(account: &str) -> Result<Credentials, SmtpUrlError> {
    if account.contains('@') {
        return Err(SmtpUrlError::AtSign);
    }
    let (user, password) = account
        .split_once(':')
        .ok_or(SmtpUrlError::HalfCredentials)?;
    if user.is_empty() || password.is_empty() {
        return Err(SmtpUrlError::HalfCredentials);
    }
    Ok(Credentials::new(
        percent_decoded(user)?,
        percent_decoded(password)?,
    ))
}

fn percent_decoded(text: &str) -> Result<String, SmtpUrlError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let high = rest
                    .next()
                    .and_then(hex_digit)
                    .ok_or(SmtpUrlError::PercentEncoding)?;
                let low = rest
                    .next()
                    .and_then(hex_digit)
                    .ok_or(SmtpUrlError::PercentEncoding)?;
                high << 4 | low
            }
            byte => byte,
        });
    }
    let text = String::from_utf8(bytes).map_err(|_| SmtpUrlError::CredentialText)?;
    if text.chars().any(char::is_control) {
        return Err(SmtpUrlError::CredentialText);
    }
    Ok(text)
}

const fn hex_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

fn host_and_port(server: &str, default_port: u16) -> Result<(String, u16), SmtpUrlError> {
    let (host, port) = match server.strip_prefix('[') {
        Some(rest) => {
            let (host, rest) = rest.split_once(']').ok_or(SmtpUrlError::Host)?;
            if host.parse::<std::net::Ipv6Addr>().is_err() {
                return Err(SmtpUrlError::Host);
            }
            match rest.strip_prefix(':') {
                Some(port) => (host, Some(port)),
                None if rest.is_empty() => (host, None),
                None => return Err(SmtpUrlError::Host),
            }
        }
        None => match server.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (server, None),
        },
    };
    if host.is_empty() {
        return Err(SmtpUrlError::HostMissing);
    }
    if ServerName::try_from(host).is_err() {
        return Err(SmtpUrlError::Host);
    }
    let port = match port {
        None => default_port,
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits
            .parse()
            .ok()
            .filter(|&port| port > 0)
            .ok_or(SmtpUrlError::Port)?,
        Some(_) => return Err(SmtpUrlError::Port),
    };
    Ok((host.to_owned(), port))
}

fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use lettre::transport::smtp::authentication::Credentials;

    use super::{Security, SmtpUrl, SmtpUrlError};

    #[test]
    fn each_scheme_has_its_protection_and_default_port() {
        let cases = [
            ("smtp://mail.test", Security::Plain, "mail.test", 25),
            (
                "smtp+starttls://mail.test",
                Security::StartTls,
                "mail.test",
                587,
            ),
            ("smtps://mail.test", Security::Implicit, "mail.test", 465),
            ("SMTPS://mail.test/", Security::Implicit, "mail.test", 465),
            ("smtp://127.0.0.1:2525", Security::Plain, "127.0.0.1", 2525),
            (
                "smtps://[2001:db8::1]",
                Security::Implicit,
                "2001:db8::1",
                465,
            ),
            ("smtps://[::1]:4650", Security::Implicit, "::1", 4650),
            ("smtp://mail_hog:1", Security::Plain, "mail_hog", 1),
            (
                "smtps://xn--mnchen-3ya.test:65535",
                Security::Implicit,
                "xn--mnchen-3ya.test",
                65535,
            ),
        ];
        for (text, security, host, port) in cases {
            let url = SmtpUrl::parse(text).unwrap();
            assert_eq!(
                (url.security(), url.host(), url.port()),
                (security, host, port),
                "{text}"
            );
            assert_eq!(url.credentials(), None, "{text}");
        }
    }

    #[test]
    fn user_and_password_are_percent_decoded() {
        let cases = [
            ("smtps://u:p@mail.test", "u", "p"),
            (
                "smtps://me%40mail.test:p%2Fa%3as%25@mail.test",
                "me@mail.test",
                "p/a:s%",
            ),
            ("smtps://u:a:b@mail.test", "u", "a:b"),
            ("smtps://%C3%BC:%e6%97%a5@mail.test", "ü", "日"),
            ("smtp://u:p@localhost", "u", "p"),
            ("smtp://u:p@127.9.9.9", "u", "p"),
            ("smtp://u:p@[::1]:25", "u", "p"),
        ];
        for (text, user, password) in cases {
            let want = Credentials::new(user.to_owned(), password.to_owned());
            assert_eq!(
                SmtpUrl::parse(text).unwrap().credentials(),
                Some(&want),
                "{text}"
            );
        }
    }

    #[test]
    fn each_fault_has_its_own_error() {
        use SmtpUrlError as E;
        let cases = [
            ("", E::Scheme),
            ("mail.test:25", E::Scheme),
            ("http://mail.test", E::Scheme),
            ("smtp:mail.test", E::Scheme),
            (" smtp://mail.test", E::Scheme),
            ("smtp://", E::HostMissing),
            ("smtps://u:p@", E::HostMissing),
            ("smtps://u:p@:465", E::HostMissing),
            ("smtp://mail.test ", E::Character),
            ("smtp://mail\r\n.test", E::Character),
            ("smtp://münchen.test", E::Character),
            ("smtps://u:pä@mail.test", E::Character),
            ("smtp://-mail-.test", E::Host),
            ("smtp://mail..test", E::Host),
            ("smtp://2001:db8::1", E::Host),
            ("smtp://[2001:db8::1", E::Host),
            ("smtp://[mail.test]", E::Host),
            ("smtp://[::1]25", E::Host),
            ("smtp://mail.test:", E::Port),
            ("smtp://mail.test:0", E::Port),
            ("smtp://mail.test:65536", E::Port),
            ("smtp://mail.test:+25", E::Port),
            ("smtp://mail.test:x", E::Port),
            ("smtp://mail.test/inbox", E::Trailing),
            ("smtp://mail.test?tls=required", E::Trailing),
            ("smtp://mail.test#x", E::Trailing),
            ("smtps://u:p/w@mail.test", E::Trailing),
            ("smtps://u:p@ss@mail.test", E::AtSign),
            ("smtps://u@mail.test", E::HalfCredentials),
            ("smtps://u:@mail.test", E::HalfCredentials),
            ("smtps://:p@mail.test", E::HalfCredentials),
            ("smtps://@mail.test", E::HalfCredentials),
            ("smtps://u:100%@mail.test", E::PercentEncoding),
            ("smtps://u:%4@mail.test", E::PercentEncoding),
            ("smtps://u:%zz@mail.test", E::PercentEncoding),
            ("smtps://u:%ff@mail.test", E::CredentialText),
            ("smtps://u:a%00b@mail.test", E::CredentialText),
            ("smtps://u%0d%0a:p@mail.test", E::CredentialText),
            ("smtp://u:p@mail.test", E::ClearText),
            ("smtp://u:p@192.168.1.1", E::ClearText),
            ("smtp://u:p@localhost.evil.test", E::ClearText),
        ];
        for (text, want) in cases {
            assert_eq!(SmtpUrl::parse(text).err(), Some(want), "{text:?}");
        }
    }

    #[test]
    fn neither_debug_nor_display_shows_user_or_password() {
        let url = SmtpUrl::parse("smtps://somebody:hunter2@[::1]").unwrap();
        assert_eq!(url.to_string(), "smtps://***:***@[::1]:465");
        assert_eq!(format!("{url:?}"), "SmtpUrl(smtps://***:***@[::1]:465)");
        let url = SmtpUrl::parse("smtp://mail.test").unwrap();
        assert_eq!(url.to_string(), "smtp://mail.test:25");
    }
}
