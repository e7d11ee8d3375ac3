//! What mail says when a booking goes to another host at the same time: to the one who had it, and
//! to booker and guests.
#![expect(clippy::unwrap_used, reason = "tests")]
use super::{
    invitation::Invitation,
    kind::{MailKind, Role},
    render::render,
    sample::view,
    view::{Canceller, MailView, Notice},
    wording::says,
};
use crate::locale::Locale;

/// For the host who had it.
fn leaving(locale: Locale) -> MailView {
    MailView {
        notice: Notice::Cancelled {
            by: Canceller::Handover,
            reason: None,
        },
        ..view(MailKind::Cancelled, Role::Host, locale)
    }
}

/// For booker and guests.
fn new_host(role: Role, locale: Locale) -> MailView {
    let view = view(MailKind::Rescheduled, role, locale);
    MailView {
        notice: Notice::Rescheduled {
            previous: view.span,
        },
        ..view
    }
}

/// It is not cancelled, nobody cancelled it, and the file takes it out of the calendar.
#[test]
fn the_host_who_had_it_reads_that_another_takes_it() {
    for (locale, subject, said, unsaid) in [
        (
            Locale::En,
            "Handed over: Intro 30 with Ana Silva",
            [
                "Another host takes this meeting",
                "It takes place with another host. Your time is free again.",
                "When: Thursday, 14 March 2024, 10:30–11:00 (America/Denver, UTC−6)",
                "The file attached to this mail takes the meeting out of a calendar.",
            ],
            [
                "Cancelled by",
                "It would have been",
                "The meeting is cancelled",
            ],
        ),
        (
            Locale::ZhCn,
            "已转交：Intro 30（Ana Silva）",
            [
                "会议已由其他主持人接手",
                "会议将由其他主持人主持，您的这段时间已重新空闲。",
                "时间：2024年3月14日星期四 10:30–11:00（America/Denver，UTC−6）",
                "打开本邮件所附的文件即可从日历中移除该会议。",
            ],
            ["取消者", "原定时间", "会议已取消"],
        ),
    ] {
        let view = leaving(locale);
        let content = render(&view).unwrap();
        assert_eq!(content.subject, subject);
        for words in said {
            assert!(content.text.contains(words), "{words} in {}", content.text);
        }
        for words in unsaid {
            assert!(!says(&content, words), "{words}");
        }
        let ics = Invitation::in_mail(&view).unwrap().to_ics();
        assert!(
            ics.contains("METHOD:CANCEL\r\n") && ics.contains("SEQUENCE:3\r\n"),
            "{ics}"
        );
    }
}

#[test]
fn booker_and_guests_read_who_the_new_host_is_and_that_the_time_stays() {
    for role in [Role::Booker, Role::Guest] {
        for (locale, subject, said, unsaid) in [
            (
                Locale::En,
                "New host: Intro 30 with Bo Li",
                [
                    "The meeting has a new host",
                    "When: Thursday, 14 March 2024, 12:30–13:00 (America/New York, UTC−4)",
                    "Host: Bo Li",
                    "The file attached to this mail has the new host.",
                ],
                ["New time", "Earlier time", "has the new time"],
            ),
            (
                Locale::ZhCn,
                "主持人已更换：Intro 30（Bo Li）",
                [
                    "会议已更换主持人",
                    "时间：2024年3月14日星期四 12:30–13:00（America/New York，UTC−4）",
                    "主持人：Bo Li",
                    "本邮件所附的文件包含新的主持人。",
                ],
                ["新时间", "原时间", "时间已更改"],
            ),
        ] {
            let view = new_host(role, locale);
            let content = render(&view).unwrap();
            assert_eq!(content.subject, subject);
            for words in said {
                assert!(content.text.contains(words), "{words} in {}", content.text);
            }
            for words in unsaid {
                assert!(!says(&content, words), "{words}");
            }
            let ics = Invitation::in_mail(&view).unwrap().to_ics();
            assert!(ics.contains("METHOD:REQUEST\r\n"), "{ics}");
        }
    }
}
