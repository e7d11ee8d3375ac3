//! Addresses of pages: a path and a query, percent-encoded once, here.

use std::fmt::Write as _;

/// A field that a form carries without showing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hidden {
    pub(super) name: &'static str,
    pub(super) value: String,
}

impl Hidden {
    pub(super) fn new(name: &'static str, value: impl Into<String>) -> Self {
        Self {
            name,
            value: value.into(),
        }
    }
}

/// An address on this server. Personal text never goes into one: only names of zones and
/// languages, dates, instants and the path that the reader already has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    path: String,
    query: Vec<Hidden>,
}

impl Link {
    /// A path made of segments, `/a/b`.
    pub(super) fn to<const N: usize>(segments: [&str; N]) -> Self {
        let mut path = String::new();
        for segment in segments {
            path.push('/');
            encode(segment, b"", &mut path);
        }
        if path.is_empty() {
            path.push('/');
        }
        Self {
            path,
            query: Vec::new(),
        }
    }

    /// The link with this parameter, in place of an earlier one of that name.
    #[must_use]
    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        let value = value.into();
        match self.query.iter_mut().find(|held| held.name == name) {
            Some(held) => held.value = value,
            None => self.query.push(Hidden { name, value }),
        }
        self
    }

    /// The link with this parameter, if there is a value.
    #[must_use]
    pub(super) fn maybe(self, name: &'static str, value: Option<impl Into<String>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The address, ready for `href`.
    pub(super) fn href(&self) -> String {
        let mut href = self.path.clone();
        for (at, held) in self.query.iter().enumerate() {
            href.push(if at == 0 { '?' } else { '&' });
            href.push_str(held.name);
            href.push('=');
            // A query may hold these as they are (RFC 3986, section 3.4).
            encode(&held.value, b"/:", &mut href);
        }
        href
    }

    /// The path alone, for a form's `action`.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// The query as hidden fields: a GET form replaces the query of its `action`.
    pub(super) fn fields(&self) -> Vec<Hidden> {
        self.query.clone()
    }
}

/// Percent-encodes all but the unreserved characters (RFC 3986, section 2.3) and `also`.
pub(super) fn encode(text: &str, also: &[u8], into: &mut String) {
    for byte in text.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if plain || also.contains(&byte) {
            into.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(into, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_end_a_value_is_encoded() {
        let link = Link::to(["book", "a/b", "ünï"])
            .with("zone", "Etc/GMT+5")
            .with("day", "2026-12-01")
            .with("zone", "A&b=c#d\"<e> ");
        assert_eq!(
            link.href(),
            "/book/a%2Fb/%C3%BCn%C3%AF?zone=A%26b%3Dc%23d%22%3Ce%3E%20&day=2026-12-01"
        );
        assert_eq!(
            Link::to(["x"]).with("zone", "Etc/GMT+5").href(),
            "/x?zone=Etc/GMT%2B5"
        );
        assert_eq!(Link::to([]).href(), "/");
    }

    #[test]
    fn a_form_carries_the_query_as_fields() {
        let link = Link::to(["x"]).with("a", "1").maybe("b", None::<String>);
        assert_eq!(link.fields(), [Hidden::new("a", "1")]);
        assert_eq!(link.path(), "/x");
    }
}
