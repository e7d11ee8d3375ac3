//! The pages' style and script: compiled in, served under a name that holds a hash of the bytes,
//! so that a browser may keep them for a year and never sees an old one.

use std::{fmt::Write as _, sync::LazyLock};

use ring::digest::{SHA256, digest};

/// A file that pages refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// Its address, `/static/page.<eight hex digits of the SHA-256>.<ending>`.
    pub path: String,
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// The file itself.
    pub body: &'static str,
}

static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let body = include_str!("../../static/page.css");
    Asset::new("css", "text/css; charset=utf-8", body)
});

static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let body = include_str!("../../static/page.js");
    Asset::new("js", "text/javascript; charset=utf-8", body)
});

/// The style of every page.
#[must_use]
pub fn style() -> &'static Asset {
    &STYLE
}

/// The script of every page; nothing needs it.
#[must_use]
pub fn script() -> &'static Asset {
    &SCRIPT
}

/// The asset whose address is exactly `path`; `None` for every other one, an older hash included.
#[must_use]
pub fn find(path: &str) -> Option<&'static Asset> {
    [style(), script()]
        .into_iter()
        .find(|asset| asset.path == path)
}

impl Asset {
    fn new(ending: &str, content_type: &'static str, body: &'static str) -> Self {
        let hash = digest(&SHA256, body.as_bytes());
        let mut path = "/static/page.".to_owned();
        for byte in hash.as_ref().iter().take(4) {
            // Writing to a string cannot fail.
            let _ = write!(path, "{byte:02x}");
        }
        path.push('.');
        path.push_str(ending);
        Self {
            path,
            content_type,
            body,
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn an_asset_is_found_by_its_hashed_name_alone() {
        for asset in [style(), script()] {
            assert_eq!(find(&asset.path), Some(asset));
            assert!(!asset.body.is_empty());
        }
        for path in ["/static/page.css", "/static/page.00000000.css", "", "/"] {
            assert_eq!(find(path), None, "{path}");
        }
    }

    #[test]
    fn the_name_holds_eight_hex_digits_of_the_content() {
        let asset = Asset::new("css", "text/css", "abc");
        // SHA-256 of "abc" begins ba7816bf (FIPS 180-2, appendix B.1).
        assert_eq!(asset.path, "/static/page.ba7816bf.css");
        let digits = style()
            .path
            .strip_prefix("/static/page.")
            .and_then(|rest| rest.strip_suffix(".css"))
            .unwrap();
        assert_eq!(digits.len(), 8);
    }

    #[test]
    fn the_style_fetches_nothing_from_elsewhere() {
        for asset in [style(), script()] {
            assert!(!asset.body.contains("http:"), "{}", asset.path);
            assert!(!asset.body.contains("https:"), "{}", asset.path);
            assert!(!asset.body.contains("@import"), "{}", asset.path);
        }
    }
}
