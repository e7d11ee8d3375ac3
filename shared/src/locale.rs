//! The two languages that Holdfast speaks, and how a reader's wish maps to them.

use serde::{Deserialize, Serialize};

/// A language that pages and mail are written in.
///
/// Stored and sent as the BCP 47 tags `en` and `zh-CN`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema,
)]
pub enum Locale {
    /// English, also the answer to every language that is not spoken here.
    #[default]
    #[serde(rename = "en")]
    En,
    /// Simplified Chinese.
    #[serde(rename = "zh-CN")]
    ZhCn,
}

impl Locale {
    /// Every language, in the order that a language menu shows them.
    pub const ALL: [Self; 2] = [Self::En, Self::ZhCn];

    /// The BCP 47 tag, as it stands in HTML `lang` and in the database.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::ZhCn => "zh-CN",
        }
    }

    /// The language for one BCP 47 tag: the Simplified Chinese tags (`zh`, `zh-CN`, `zh-SG`,
    /// `zh-Hans…`) are Chinese, every other tag is English, without an error.
    #[must_use]
    pub fn from_tag(tag: &str) -> Self {
        Self::spoken(tag).unwrap_or_default()
    }

    /// The first language of an `Accept-Language` header (RFC 9110, section 12.5.4) that is spoken
    /// here, by weight and then by order; English if there is none.
    #[must_use]
    pub fn from_accept_language(header: &str) -> Self {
        let mut best: Option<(f32, Self)> = None;
        for range in header.split(',').take(32) {
            let mut parts = range.split(';');
            let Some(locale) = parts.next().and_then(|tag| Self::spoken(tag.trim())) else {
                continue;
            };
            let weight = parts
                .find_map(|part| part.trim().strip_prefix("q="))
                .map_or(1.0, |q| q.trim().parse::<f32>().unwrap_or(0.0));
            if weight > 0.0 && best.is_none_or(|(held, _)| weight > held) {
                best = Some((weight, locale));
            }
        }
        best.map(|(_, locale)| locale).unwrap_or_default()
    }

    fn spoken(tag: &str) -> Option<Self> {
        let tag = tag.to_ascii_lowercase();
        let mut parts = tag.split(['-', '_']);
        match parts.next() {
            Some("en") => Some(Self::En),
            Some("zh") => match parts.next() {
                None | Some("cn" | "sg" | "hans") => Some(Self::ZhCn),
                _ => None,
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Locale;

    #[test]
    fn simplified_chinese_tags_are_chinese_and_everything_else_is_english() {
        for tag in [
            "zh",
            "zh-CN",
            "zh-cn",
            "zh-Hans",
            "zh-Hans-CN",
            "zh-SG",
            "zh_CN",
        ] {
            assert_eq!(Locale::from_tag(tag), Locale::ZhCn, "{tag}");
        }
        for tag in ["en", "en-GB", "zh-TW", "zh-Hant", "fr", "", "x-klingon"] {
            assert_eq!(Locale::from_tag(tag), Locale::En, "{tag}");
        }
    }

    #[test]
    fn accept_language_goes_by_weight_and_skips_what_is_not_spoken() {
        let cases = [
            ("zh-CN,zh;q=0.9,en;q=0.8", Locale::ZhCn),
            ("fr-FR, zh-CN;q=0.7, en;q=0.3", Locale::ZhCn),
            ("en;q=0.3, zh;q=0.9", Locale::ZhCn),
            ("zh;q=0, en;q=0.1", Locale::En),
            ("de", Locale::En),
            ("", Locale::En),
            ("zh;q=banana", Locale::En),
        ];
        for (header, want) in cases {
            assert_eq!(Locale::from_accept_language(header), want, "{header}");
        }
    }
}
