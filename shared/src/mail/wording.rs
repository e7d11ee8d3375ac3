//! What each mail must and must not say (the wording rules of the design's mail chapter).
#![expect(clippy::unwrap_used, reason = "tests")]
use super::{
    kind::{MailKind, Role},
    message::compose,
    render::{Content, render},
    sample::{CANCEL, CONFIRM, DASHBOARD, RESCHEDULE, every_view, readers, view, zone},
    view::{Canceller, Notice, Place, Reader},
};
use crate::locale::Locale;

fn shown(kind: MailKind, role: Role, locale: Locale) -> Content {
    render(&view(kind, role, locale)).unwrap()
}

/// Both forms, HTML without its tags, so that one assertion holds for both.
fn both(content: &Content) -> [String; 2] {
    let mut plain = String::new();
    let mut inside = false;
    for c in content.html.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            _ if !inside => plain.push(c),
            _ => {}
        }
    }
    let plain = plain
        .replace("&#39;", "'")
        .replace("&#60;", "<")
        .replace("&#62;", ">")
        .replace("&#38;", "&");
    [content.text.clone(), plain]
}

/// Whether a mail says so, in both its forms or in neither.
pub(super) fn says(content: &Content, words: &str) -> bool {
    let found = both(content).map(|text| text.contains(words));
    assert_eq!(found[0], found[1], "text and HTML differ about {words:?}");
    found[0]
}

#[test]
fn hold_mail_says_all_that_a_stranger_needs() {
    let english = shown(MailKind::Hold, Role::Booker, Locale::En);
    for words in [
        "Somebody, perhaps not you, asked for this time in your name",
        "ignore this mail. That is safe",
        "the hold lapses on Friday, 1 March 2024, 03:30 (America/New York, UTC−5)",
    ] {
        assert!(says(&english, words), "{words}");
    }
    let chinese = shown(MailKind::Hold, Role::Booker, Locale::ZhCn);
    for words in [
        "也许不是您",
        "忽略是安全的",
        "保留将于2024年3月1日星期五 03:30（America/New York，UTC−5）失效",
    ] {
        assert!(says(&chinese, words), "{words}");
    }
}

#[test]
fn hold_mail_has_one_link() {
    for locale in Locale::ALL {
        for place in [
            Place::Link("https://meet.example/1".to_owned()),
            Place::Text("at www.evil.example/x".to_owned()),
        ] {
            let mut view = view(MailKind::Hold, Role::Booker, locale);
            view.place = place;
            view.description = "see https://evil.example".to_owned();
            let content = render(&view).unwrap();
            assert_eq!(content.text.matches("http").count(), 1, "{}", content.text);
            assert_eq!(content.html.matches("http").count(), 1, "{}", content.html);
            assert!(content.text.contains(CONFIRM) && content.html.contains(CONFIRM));
            assert!(!content.text.contains("www.evil"), "{}", content.text);
        }
    }
}

#[test]
fn only_the_booker_gets_links_that_manage() {
    for view in every_view() {
        let content = render(&view).unwrap();
        let has = |link: &str| {
            let html = link.replace('&', "&#38;");
            let found = content.text.contains(link);
            assert_eq!(found, content.html.contains(&html));
            found
        };
        // CONFIRM is the start of the other two.
        let any = has(CONFIRM);
        let both_forms = has(RESCHEDULE) && has(CANCEL);
        match (view.kind(), view.role()) {
            (MailKind::Hold, Role::Booker) => assert!(any && !both_forms),
            (MailKind::Cancelled, _) | (_, Role::Host | Role::Guest) => assert!(!any),
            (_, Role::Booker) => assert!(both_forms),
        }
        assert_eq!(has(DASHBOARD), view.role() == Role::Host);
    }
}

#[test]
fn mail_with_a_request_says_that_answering_does_not_cancel() {
    for (locale, role, words) in [
        (
            Locale::En,
            Role::Booker,
            "does not move or cancel this booking. Only the links above do.",
        ),
        (Locale::En, Role::Host, "Cancel or move it in Holdfast."),
        (
            Locale::En,
            Role::Guest,
            "ask the person who booked, or the host.",
        ),
        (Locale::ZhCn, Role::Booker, "只有上面的链接可以"),
        (Locale::ZhCn, Role::Host, "请在 Holdfast 中取消或更改"),
        (Locale::ZhCn, Role::Guest, "请联系预约人或主持人"),
    ] {
        for kind in MailKind::ALL {
            if !readers(kind).contains(&role) {
                continue;
            }
            let request = matches!(kind, MailKind::Confirmed | MailKind::Rescheduled);
            let content = shown(kind, role, locale);
            assert_eq!(says(&content, words), request, "{kind} {role:?}");
        }
    }
    // Beside the links, near the top: before anything that a person wrote at length.
    let text = shown(MailKind::Confirmed, Role::Booker, Locale::En).text;
    let order = ["Reschedule: ", "Cancel: ", "Answering", "About this"];
    let places: Vec<usize> = order.iter().map(|w| text.find(w).unwrap()).collect();
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn mail_about_a_change_says_that_a_file_does_not_update_itself() {
    for view in every_view() {
        let change = matches!(view.kind(), MailKind::Rescheduled | MailKind::Cancelled);
        let words = match view.locale {
            Locale::En => "downloaded earlier does not update itself",
            Locale::ZhCn => "之前下载的日历文件不会自动更新",
        };
        assert_eq!(says(&render(&view).unwrap(), words), change);
    }
}

#[test]
fn the_cancelled_mail_says_who_and_when_it_would_have_been() {
    for (by, role, english, chinese) in [
        (Canceller::Booker, Role::Booker, "you, through", "您（通过"),
        (
            Canceller::Booker,
            Role::Host,
            "the person who booked",
            "预约人",
        ),
        (
            Canceller::Booker,
            Role::Guest,
            "the person who booked",
            "预约人",
        ),
        (Canceller::Host, Role::Booker, "the host", "主持人"),
        (Canceller::Host, Role::Host, "the host", "主持人"),
        (
            Canceller::Coordinator,
            Role::Guest,
            "a coordinator",
            "协调员",
        ),
    ] {
        for (locale, who, label) in [
            (Locale::En, english, "Cancelled by: "),
            (Locale::ZhCn, chinese, "取消者："),
        ] {
            let mut view = view(MailKind::Cancelled, role, locale);
            view.notice = Notice::Cancelled { by, reason: None };
            let content = render(&view).unwrap();
            assert!(
                content.text.contains(&format!("{label}{who}")),
                "{}",
                content.text
            );
            assert!(says(&content, who));
        }
    }
    let english = shown(MailKind::Cancelled, Role::Booker, Locale::En);
    assert!(
        english
            .text
            .contains("It would have been: Thursday, 14 March 2024, 12:30–13:00")
    );
    let chinese = shown(MailKind::Cancelled, Role::Booker, Locale::ZhCn);
    assert!(chinese.text.contains("原定时间：2024年3月14日星期四"));
}

#[test]
fn the_reason_is_for_the_other_side() {
    for (by, role, told) in [
        (Canceller::Booker, Role::Host, true),
        (Canceller::Booker, Role::Booker, false),
        (Canceller::Booker, Role::Guest, false),
        (Canceller::Host, Role::Host, true),
        (Canceller::Host, Role::Booker, true),
        (Canceller::Host, Role::Guest, false),
        (Canceller::Coordinator, Role::Booker, true),
        (Canceller::Coordinator, Role::Guest, false),
    ] {
        let mut view = view(MailKind::Cancelled, role, Locale::En);
        let reason = Some("777 666 555".to_owned());
        view.notice = Notice::Cancelled { by, reason };
        let content = render(&view).unwrap();
        assert_eq!(says(&content, "777 666 555"), told, "{by:?} {role:?}");
    }
}

#[test]
fn the_moved_mail_has_both_times() {
    let content = shown(MailKind::Rescheduled, Role::Guest, Locale::En);
    for words in [
        "New time: Thursday, 14 March 2024, 12:30–13:00 (America/New York, UTC−4)",
        "Earlier time: Thursday, 7 March 2024, 12:30–13:00 (America/New York, UTC−5)",
    ] {
        assert!(content.text.contains(words), "{}", content.text);
    }
}

/// Case grp-06: each reader's own clock; hosts also see the booker's where zones differ.
#[test]
fn grp_06_times_are_the_readers_and_hosts_see_the_bookers_too() {
    let eastern = "Thursday, 14 March 2024, 12:30–13:00 (America/New York, UTC−4)";
    let mountain = "Thursday, 14 March 2024, 10:30–11:00 (America/Denver, UTC−6)";
    let booker = shown(MailKind::Confirmed, Role::Booker, Locale::En);
    assert!(says(&booker, eastern) && !says(&booker, mountain));
    let host = shown(MailKind::Confirmed, Role::Host, Locale::En);
    assert!(says(&host, mountain) && says(&host, eastern));

    let mut same = view(MailKind::Confirmed, Role::Host, Locale::En);
    same.zone = zone("America/New_York");
    let same = render(&same).unwrap();
    assert!(says(&same, eastern));
    assert!(!says(&same, "The booker's local time"));
}

#[test]
fn what_the_booker_filled_in_is_for_hosts_alone() {
    for view in every_view() {
        let content = render(&view).unwrap();
        let host = view.role() == Role::Host;
        for private in [
            "¶¶ 8",
            "¿1?",
            "+41 79 123",
            "№2",
            "ana@booker.example",
            "nameless@guest.example",
            "Gus Roth <gus@guest.example>",
        ] {
            assert_eq!(says(&content, private), host, "{private}");
        }
    }
}

#[test]
fn our_words_for_answers_are_translated_and_theirs_are_not() {
    for (locale, yes, no) in [(Locale::En, "Yes", "No"), (Locale::ZhCn, "是", "否")] {
        let text = shown(MailKind::Confirmed, Role::Host, locale).text;
        assert!(text.contains(&format!("¿1?\n  {yes}\n")), "{text}");
        assert!(text.contains(&format!("¿2?\n  {no}\n")), "{text}");
        assert!(text.contains("¿4?\n  №1\n  №2\n"), "{text}");
    }
}

#[test]
fn a_telephone_number_is_not_for_guests() {
    for (role, told) in [
        (Role::Host, true),
        (Role::Booker, true),
        (Role::Guest, false),
    ] {
        let mut view = view(MailKind::Confirmed, role, Locale::En);
        view.place = Place::CallsBooker {
            phone: Some("+49 170".to_owned()),
        };
        assert_eq!(says(&render(&view).unwrap(), "+49 170"), told, "{role:?}");
    }
}

#[test]
fn a_view_and_a_message_show_nothing_by_debug() {
    for view in every_view() {
        let shown = format!("{view:?} {:?}", compose(&view).unwrap());
        for private in ["Ana", "Bo Li", "example.com", "c0ffee", "Intro", "¶"] {
            assert!(!shown.contains(private), "{shown}");
        }
    }
}

#[test]
fn names_and_titles_that_look_like_links_are_broken() {
    for mut view in every_view() {
        let evil = "Win https://evil.example/x now";
        view.title = evil.to_owned();
        view.to.name = Some(evil.to_owned());
        view.host_names = vec![evil.to_owned(), "Bo".to_owned()];
        match &mut view.reader {
            Reader::Host { booker, .. } => booker.name = evil.to_owned(),
            Reader::Guest { booker_name } => *booker_name = evil.to_owned(),
            Reader::Booker { .. } => {}
        }
        let content = render(&view).unwrap();
        for part in [&content.subject, &content.text, &content.html] {
            assert!(!part.contains("evil.example"), "{part}");
            assert!(!part.contains("https://evil"), "{part}");
        }
        assert!(says(&content, "Win https: / / evil. example/ x now"));
    }
}

/// Host names are the current ones; several are all named.
#[test]
fn all_hosts_are_named_by_their_current_names() {
    let mut view = view(MailKind::Reminder, Role::Booker, Locale::En);
    view.host_names = vec!["Bo Renamed".to_owned(), "Cy".to_owned()];
    let content = render(&view).unwrap();
    assert_eq!(content.subject, "Reminder: Intro 30 with Bo Renamed, Cy");
    assert!(content.text.contains("Hosts: Bo Renamed, Cy"));
}
