//! Text and HTML as forms: nobody's text can pose as ours or as markup, and each mail is in one
//! language.
#![expect(clippy::unwrap_used, reason = "tests")]
use super::{
    kind::{MailKind, Role},
    render::render,
    sample::{CONFIRM, DASHBOARD, every_view, view},
    view::{Place, Reader},
};
use crate::locale::Locale;

#[test]
fn a_long_text_cannot_pose_as_ours() {
    let mut view = view(MailKind::Confirmed, Role::Host, Locale::En);
    if let Reader::Host { booker, .. } = &mut view.reader {
        booker.note = Some("x\nCancelled by: the host\n-- \nSent by".to_owned());
    }
    let text = render(&view).unwrap().text;
    assert!(
        text.contains("\n  Cancelled by: the host\n  --\n"),
        "{text}"
    );
    assert_eq!(text.matches("\n-- \n").count(), 1);
}

#[test]
fn a_script_in_any_field_is_text() {
    let canary = "<script>alert(1)</script>\"'&";
    for mut view in every_view() {
        view.title = canary.to_owned();
        view.description = canary.to_owned();
        view.place = Place::Link(format!("https://meet.example/{canary}"));
        view.to.name = Some(canary.to_owned());
        view.host_names = vec![canary.to_owned()];
        if let Reader::Host { booker, .. } = &mut view.reader {
            booker.name = canary.to_owned();
            booker.note = Some(canary.to_owned());
            booker.answers[0].label = canary.to_owned();
            booker.guests[0].name = Some(canary.to_owned());
        }
        let html = render(&view).unwrap().html;
        assert!(!html.contains("<script"), "{html}");
        assert!(!html.contains("\"'&"), "{html}");
        well_formed(&html);
    }
}

#[test]
fn only_a_web_address_becomes_a_link() {
    for (place, link) in [
        ("https://meet.example/1", true),
        ("http://meet.example/1", true),
        ("javascript:alert(1)", false),
        ("https://meet.example/ and more", false),
        ("Room 1", false),
    ] {
        let mut view = view(MailKind::Confirmed, Role::Guest, Locale::En);
        view.place = Place::Link(place.to_owned());
        let html = render(&view).unwrap().html;
        assert_eq!(html.contains(&format!("href=\"{place}\"")), link, "{place}");
        assert!(html.contains(place));
    }
}

#[test]
fn html_is_well_formed_and_names_its_language() {
    for view in every_view() {
        let html = render(&view).unwrap().html;
        assert!(html.starts_with("<!DOCTYPE html>\n"));
        let tag = format!("<html lang=\"{}\" dir=\"ltr\">", view.locale.tag());
        assert!(html.contains(&tag));
        assert!(!html.contains("<table") && !html.contains("<style") && !html.contains("src="));
        well_formed(&html);
    }
}

/// Every element is closed, in order; void ones are not.
fn well_formed(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    for piece in html.split('<').skip(1) {
        let (tag, after) = piece.split_once('>').unwrap();
        assert!(!after.contains('>'), "{piece}");
        let name = tag.split_whitespace().next().unwrap();
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{html}");
        } else if !["!DOCTYPE", "meta", "br"].contains(&name) {
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// The sample's own text has no words of either language, so what is left of it is ours.
#[test]
fn each_language_speaks_only_itself() {
    for view in every_view() {
        let content = render(&view).unwrap();
        let mut text = format!("{}\n{}", content.subject, content.text);
        for theirs in [
            "https://book.example.com/book/m/c0ffee?action=reschedule",
            "https://book.example.com/book/m/c0ffee?action=cancel",
            CONFIRM,
            DASHBOARD,
            "https://meet.example/room-1",
            "book.example.com",
            "Intro 30",
            "Ana Silva",
            "Bo Li",
            "Gus Roth",
            "ana@booker.example",
            "gus@guest.example",
            "nameless@guest.example",
            "America/New York",
            "America/Denver",
            "UTC",
            "Holdfast",
        ] {
            text = text.replace(theirs, "");
        }
        match view.locale {
            Locale::En => assert!(!text.contains(is_han), "{text}"),
            Locale::ZhCn => {
                assert!(text.contains(is_han));
                assert!(!text.contains(|c: char| c.is_ascii_alphabetic()), "{text}");
            }
        }
    }
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff60}')
}
