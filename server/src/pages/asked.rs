//! What the address of a page asks for.
//!
//! Mail gateways and networks add parameters of their own to links that people follow, so unknown
//! ones are passed over here; forms are read strictly.

use actix_web::{HttpRequest, web::Query};
use jiff::civil::Date;
use shared::{
    instant::{Day, Instant},
    zone::{Zone, Zones},
};

use super::view::Reader;
use crate::{
    error::{ApiError, Code},
    extract::Language,
};

/// The parameters of an address.
pub(super) struct Asked(Vec<(String, String)>);

impl Asked {
    /// Those of a request. What cannot be read asks for nothing.
    pub(super) fn of(request: &HttpRequest) -> Self {
        let read = Query::<Vec<(String, String)>>::from_query(request.query_string());
        Self(read.map(Query::into_inner).unwrap_or_default())
    }

    /// The first value of a name, unless it is empty.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let value = self.0.iter().find(|(held, _)| held == name);
        value
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    /// The zone that is asked for. An unknown one is none: the page has a default.
    pub(super) fn zone(&self, zones: &Zones) -> Option<Zone> {
        zones.get(self.get("zone")?).ok()
    }

    /// A date.
    ///
    /// # Errors
    /// What is no date leads nowhere: `not_found`.
    pub(super) fn day(&self, name: &str) -> Result<Option<Day>, ApiError> {
        let read = |text: &str| {
            let date = text.parse::<Date>().ok().filter(|_| text.len() == 10);
            date.map(Day).ok_or_else(|| ApiError::new(Code::NotFound))
        };
        self.get(name).map(read).transpose()
    }

    /// The start of a slot.
    ///
    /// # Errors
    /// What is no instant leads nowhere: `not_found`.
    pub(super) fn start(&self) -> Result<Option<Instant>, ApiError> {
        let start = self.get("start").map(Instant::parse_rfc3339).transpose();
        start.map_err(|_| ApiError::new(Code::NotFound))
    }
}

/// Who reads a page, by its address and headers.
pub(super) fn reader(request: &HttpRequest) -> Reader {
    let language = Language::of(request);
    Reader {
        locale: language.locale,
        lang_asked: language.asked,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use actix_web::test::TestRequest;

    use super::*;

    fn asked(query: &str) -> Asked {
        let request = TestRequest::with_uri(&format!("/x?{query}"));
        Asked::of(&request.to_http_request())
    }

    #[test]
    fn values_are_decoded_and_the_first_one_counts() {
        let asked = asked("zone=Asia%2FTokyo&zone=UTC&empty=&utm_source=mail");
        assert_eq!(asked.get("zone"), Some("Asia/Tokyo"));
        assert_eq!(asked.get("empty"), None);
        assert_eq!(asked.get("none"), None);
        let zones = Zones::bundled();
        assert_eq!(asked.zone(&zones).unwrap().name(), "Asia/Tokyo");
    }

    #[test]
    fn a_zone_that_is_none_is_not_asked_for() {
        let zones = Zones::bundled();
        for query in ["zone=Mars/Base", "zone=", "", "zone=%00", "zone=%FF"] {
            assert_eq!(asked(query).zone(&zones), None, "{query}");
        }
        assert_eq!(
            asked(&format!("zone={}", "A".repeat(65))).zone(&zones),
            None
        );
    }

    #[test]
    fn what_is_no_date_or_instant_leads_nowhere() {
        assert_eq!(asked("").day("day").unwrap(), None);
        assert!(asked("day=2026-06-01").day("day").unwrap().is_some());
        for text in ["2026-6-1", "20260601", "2026-02-30", "2026-06-01T00", "x"] {
            let error = asked(&format!("day={text}")).day("day").unwrap_err();
            assert_eq!(error.code(), Code::NotFound, "{text}");
        }
        assert!(
            asked("start=2026-06-01T09:00:00Z")
                .start()
                .unwrap()
                .is_some()
        );
        assert!(asked("start=2026-06-01").start().is_err());
    }
}
