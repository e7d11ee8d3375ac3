//! Why a request brought no answer.

use shared::outbound::BadUrl;

/// Why a request brought no answer. None of these holds an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutError {
    /// The address, or one that a redirect leads to, cannot be used.
    #[error("the address {0}")]
    Url(BadUrl),
    /// The name does not resolve.
    #[error("the name does not resolve")]
    NoName,
    /// The address is not public, for this reason, and not allowed by the operator.
    #[error("the address is not public: {0}")]
    Forbidden(&'static str),
    /// Nothing answers there.
    #[error("no connection")]
    Connect,
    /// No TLS, or a certificate that is not good for the name.
    #[error("no TLS connection with a good certificate")]
    Tls,
    /// It took longer than it may.
    #[error("it took too long")]
    TimedOut,
    /// No HTTP, or a head that is too large, or a connection that was cut.
    #[error("the answer is not good HTTP")]
    Protocol,
    /// A body of more bytes than are taken.
    #[error("the answer is too large")]
    TooLarge,
    /// Packed in a way that was not asked for, or broken.
    #[error("the answer cannot be unpacked")]
    Encoding,
    /// More redirects than are followed.
    #[error("too many redirects")]
    Redirects,
}

impl OutError {
    /// A stable word for rows and figures.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Url(BadUrl::Downgrade) => "redirect_to_http",
            Self::Url(_) => "bad_address",
            Self::NoName => "no_such_name",
            Self::Forbidden(_) => "forbidden_address",
            Self::Connect => "no_connection",
            Self::Tls => "tls",
            Self::TimedOut => "timed_out",
            Self::Protocol => "protocol",
            Self::TooLarge => "too_large",
            Self::Encoding => "encoding",
            Self::Redirects => "too_many_redirects",
        }
    }
}
