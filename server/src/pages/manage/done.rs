//! After a press that did something: on to the booking's own page, which says so.
//!
//! The word in the address only chooses a sentence. The page says it only if the booking is in the
//! state that the sentence tells of.

use shared::booking::State;

use crate::pages::view::{Notice, Reader};

const WORDS: [(&str, Notice, State); 5] = [
    ("booked", Notice::Booked, State::Confirmed),
    ("confirmed", Notice::Confirmed, State::Confirmed),
    ("moved", Notice::Moved, State::Confirmed),
    ("cancelled", Notice::Cancelled, State::Cancelled),
    ("given_up", Notice::GivenUp, State::Expired),
];

/// The booking's page, saying what was done.
pub(in crate::pages) fn done_path(reader: Reader, token: &str, notice: Notice) -> String {
    let word = WORDS.iter().find(|(_, held, _)| *held == notice);
    let done = word.map(|(word, ..)| format!("done={word}"));
    let lang = reader
        .lang_asked
        .then(|| format!("lang={}", reader.locale.tag()));
    let query: Vec<String> = done.into_iter().chain(lang).collect();
    // The token opened a booking, so it is made of hex digits.
    format!("/book/m/{token}?{}", query.join("&"))
}

/// What the address says was done, if the booking's state agrees.
pub(super) fn notice(word: Option<&str>, state: State) -> Option<Notice> {
    let (_, notice, told) = WORDS.iter().find(|(held, ..)| Some(*held) == word)?;
    (*told == state).then_some(*notice)
}

#[cfg(test)]
mod tests {
    use shared::locale::Locale;

    use super::*;

    #[test]
    fn the_word_is_read_back_only_in_its_state() {
        let reader = Reader {
            locale: Locale::ZhCn,
            lang_asked: true,
        };
        let path = done_path(reader, "ab12", Notice::Moved);
        assert_eq!(path, "/book/m/ab12?done=moved&lang=zh-CN");
        let said = notice(Some("moved"), State::Confirmed);
        assert_eq!(said, Some(Notice::Moved));
        assert_eq!(notice(Some("moved"), State::Cancelled), None);
        assert_eq!(notice(Some("<b>"), State::Confirmed), None);
        assert_eq!(notice(None, State::Confirmed), None);
    }
}
