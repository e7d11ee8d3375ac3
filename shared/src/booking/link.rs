//! A booking's link, from the configured template.

use crate::token::ManageToken;

/// The link that opens a booking with its token, naming the form that it shows: `confirm`,
/// `reschedule`, `cancel`, or none. Opening one changes nothing.
#[must_use]
pub fn manage(template: &str, token: &ManageToken, action: &str) -> String {
    let link = template.replace("{token}", token.as_str());
    if action.is_empty() {
        // A parameter with no value would be noise in the address.
        for empty in ["?action={action}", "&action={action}"] {
            if let Some(bare) = link.strip_suffix(empty) {
                return bare.to_owned();
            }
        }
    }
    link.replace("{action}", action)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::random::Random;

    #[test]
    fn the_template_is_filled_and_an_empty_action_leaves_nothing_behind() {
        let token = ManageToken::mint(&Random::seeded(1)).unwrap();
        let text = token.as_str();
        let own = "https://b.test/book/m/{token}?action={action}";
        assert_eq!(
            manage(own, &token, "cancel"),
            format!("https://b.test/book/m/{text}?action=cancel")
        );
        assert_eq!(
            manage(own, &token, ""),
            format!("https://b.test/book/m/{text}")
        );
        let site = "https://site.test/booking#token={token}&do={action}";
        assert_eq!(
            manage(site, &token, "cancel"),
            format!("https://site.test/booking#token={text}&do=cancel")
        );
        assert_eq!(
            manage("https://site.test/#{token}", &token, "cancel"),
            format!("https://site.test/#{text}")
        );
    }
}
