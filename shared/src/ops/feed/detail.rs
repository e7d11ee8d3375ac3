//! How much a feed shows.

/// How much a feed shows.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FeedDetail {
    /// When the host is busy, and nothing else.
    BusyOnly,
    /// Everything on the calendar.
    Full,
}

impl FeedDetail {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::BusyOnly => "busy_only",
            Self::Full => "full",
        }
    }

    /// What a word means.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        [Self::BusyOnly, Self::Full]
            .into_iter()
            .find(|detail| detail.word() == word)
    }
}
