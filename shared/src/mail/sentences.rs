//! Every sentence and label of ours, in both languages, and exactly which mails say it: kind by
//! reader by language. A sentence that appears where it should not is as wrong as one that is
//! missing where it should be.
#![expect(clippy::unwrap_used, reason = "tests")]
use super::{
    invitation::Invitation,
    kind::{MailKind, Role},
    render::render,
    sample::{every_view, view},
    view::MailView,
    wording::says,
};
use crate::locale::Locale;

/// A phrase in both languages, and who reads it: kinds, each with the first letters of its readers.
type Row = (&'static str, &'static str, &'static str);

const EVERYBODY: &str = "hold:b confirmed:bhg rescheduled:bhg cancelled:bhg reminder:bhg";
const AFTER_THE_HOLD: &str = "confirmed:bhg rescheduled:bhg cancelled:bhg reminder:bhg";
const HOSTS: &str = "confirmed:h rescheduled:h cancelled:h reminder:h";
const MANAGE: &str = "confirmed:b rescheduled:b reminder:b";

/// Whole sentences.
const SENTENCES: [Row; 23] = [
    (
        "Somebody, perhaps not you, asked for this time in your name. It is held, but not booked yet.",
        "有人（也许不是您）以您的名义申请了这个时间。该时间已为您保留，但尚未预约成功。",
        "hold:b",
    ),
    (
        "If nobody confirms it, the hold lapses on Friday, 1 March 2024, 03:30 (America/New York, UTC−5).",
        "如果无人确认，保留将于2024年3月1日星期五 03:30（America/New York，UTC−5）失效。",
        "hold:b",
    ),
    (
        "If you did not ask for this, or no longer want it, ignore this mail. That is safe: nothing is \
         booked unless the page behind the link is used to confirm it.",
        "如果这不是您的申请，或您不再需要这个时间，请忽略本邮件。忽略是安全的：\
         只有在链接打开的页面上确认，预约才会生效。",
        "hold:b",
    ),
    (
        "The person who booked this meeting named you as a guest.",
        "预约这次会议的人将您列为参会嘉宾。",
        "confirmed:g",
    ),
    (
        "Answering the calendar invitation (yes, no or maybe) does not move or cancel this booking. \
         Only the links above do.",
        "回复日历邀请（接受、拒绝或暂定）不会更改或取消此预约，只有上面的链接可以。",
        "confirmed:b rescheduled:b",
    ),
    (
        "Answering the calendar invitation (yes, no or maybe) does not cancel this booking. \
         Cancel or move it in Holdfast.",
        "回复日历邀请（接受、拒绝或暂定）不会取消此预约。请在 Holdfast 中取消或更改。",
        "confirmed:h rescheduled:h",
    ),
    (
        "Answering the calendar invitation (yes, no or maybe) does not cancel this booking. \
         If you cannot come, ask the person who booked, or the host.",
        "回复日历邀请（接受、拒绝或暂定）不会取消此预约。如果您无法参加，请联系预约人或主持人。",
        "confirmed:g rescheduled:g",
    ),
    (
        "A calendar file that was downloaded earlier does not update itself.",
        "之前下载的日历文件不会自动更新。",
        "rescheduled:bhg cancelled:bhg",
    ),
    (
        "The file attached to this mail has the new time.",
        "本邮件所附的文件包含新时间。",
        "rescheduled:bhg",
    ),
    (
        "The file attached to this mail takes the meeting out of a calendar.",
        "打开本邮件所附的文件即可从日历中移除该会议。",
        "cancelled:bhg",
    ),
    (
        "Sent by Holdfast at book.example.com",
        "由 book.example.com 上的 Holdfast 发送",
        EVERYBODY,
    ),
    // What stands beside a label: the reader's own clock.
    (
        "Thursday, 14 March 2024, 12:30–13:00 (America/New York, UTC−4)",
        "2024年3月14日星期四 12:30–13:00（America/New York，UTC−4）",
        // Hosts read it as the booker's local time.
        EVERYBODY,
    ),
    (
        "Thursday, 14 March 2024, 10:30–11:00 (America/Denver, UTC−6)",
        "2024年3月14日星期四 10:30–11:00（America/Denver，UTC−6）",
        HOSTS,
    ),
    (
        "Thursday, 7 March 2024, 12:30–13:00 (America/New York, UTC−5)",
        "2024年3月7日星期四 12:30–13:00（America/New York，UTC−5）",
        "rescheduled:bg",
    ),
    (
        "Thursday, 7 March 2024, 10:30–11:00 (America/Denver, UTC−7)",
        "2024年3月7日星期四 10:30–11:00（America/Denver，UTC−7）",
        "rescheduled:h",
    ),
    // What people wrote is the same in every language.
    ("777 666 555", "777 666 555", "cancelled:bh"),
    ("§§ 1", "§§ 1", AFTER_THE_HOLD),
    ("¶¶ 8", "¶¶ 8", HOSTS),
    ("¿3?", "¿3?", HOSTS),
    ("+41 79 123", "+41 79 123", HOSTS),
    ("ana@booker.example", "ana@booker.example", HOSTS),
    (
        "Gus Roth <gus@guest.example>",
        "Gus Roth <gus@guest.example>",
        HOSTS,
    ),
    ("nameless@guest.example", "nameless@guest.example", HOSTS),
];

/// Labels of facts.
const LABELS: [Row; 11] = [
    ("Meeting", "会议", EVERYBODY),
    ("When", "时间", "hold:b confirmed:bhg reminder:bhg"),
    ("New time", "新时间", "rescheduled:bhg"),
    ("Earlier time", "原时间", "rescheduled:bhg"),
    ("It would have been", "原定时间", "cancelled:bhg"),
    ("The booker's local time", "预约人当地时间", HOSTS),
    ("Cancelled by", "取消者", "cancelled:bhg"),
    (
        "Where",
        "地点",
        "confirmed:bhg rescheduled:bhg reminder:bhg",
    ),
    (
        "Host",
        "主持人",
        "hold:b confirmed:bg rescheduled:bg cancelled:bg reminder:bg",
    ),
    (
        "Booked by",
        "预约人",
        "confirmed:hg rescheduled:hg cancelled:hg reminder:hg",
    ),
    ("E-mail", "电子邮箱", HOSTS),
];

/// Labels of what people wrote at length.
const BLOCKS: [Row; 4] = [
    ("Guests", "嘉宾", HOSTS),
    ("Note", "备注", HOSTS),
    ("Reason", "原因", "cancelled:bh"),
    ("About this meeting", "会议说明", AFTER_THE_HOLD),
];

/// Words on links.
const LINKS: [Row; 4] = [
    ("Confirm this booking", "确认这次预约", "hold:b"),
    ("Reschedule", "更改时间", MANAGE),
    ("Cancel", "取消预约", MANAGE),
    (
        "Open this booking in Holdfast",
        "在 Holdfast 中打开此预约",
        HOSTS,
    ),
];

fn is_for(view: &MailView, who: &str) -> bool {
    let reader = match view.role() {
        Role::Host => 'h',
        Role::Booker => 'b',
        Role::Guest => 'g',
    };
    who.split_whitespace().any(|kind| {
        let (kind, readers) = kind.split_once(':').unwrap();
        kind == view.kind().as_str() && readers.contains(reader)
    })
}

/// Asserts of each row whether it is said in each mail, as `said` sees it.
fn each(rows: &[Row], said: impl Fn(&MailView, &str) -> bool) {
    for view in every_view() {
        for (english, chinese, who) in rows {
            let words = match view.locale {
                Locale::En => english,
                Locale::ZhCn => chinese,
            };
            assert_eq!(
                said(&view, words),
                is_for(&view, who),
                "{words:?} in {} for {:?} in {:?}",
                view.kind(),
                view.role(),
                view.locale
            );
        }
    }
}

#[test]
fn each_sentence_is_in_its_mails_and_in_no_other() {
    each(&SENTENCES, |view, words| {
        says(&render(view).unwrap(), words)
    });
}

#[test]
fn each_label_is_in_its_mails_and_in_no_other() {
    each(&LABELS, |view, label| {
        let content = render(view).unwrap();
        let colon = match view.locale {
            Locale::En => ": ",
            Locale::ZhCn => "：",
        };
        let text = content.text.contains(&format!("\n{label}{colon}"));
        let escaped = label.replace('\'', "&#39;");
        let html = content
            .html
            .contains(&format!("<strong>{escaped}</strong>"));
        assert_eq!(text, html, "{label}");
        text
    });
}

#[test]
fn each_block_is_in_its_mails_and_in_no_other() {
    each(&BLOCKS, |view, label| {
        let content = render(view).unwrap();
        let text = content.text.contains(&format!("\n{label}\n  "));
        let html = content
            .html
            .contains(&format!("<bdi>{label}</bdi></p>\n<div"));
        assert_eq!(text, html, "{label}");
        text
    });
}

#[test]
fn each_link_is_in_its_mails_and_in_no_other() {
    each(&LINKS, |view, label| {
        let content = render(view).unwrap();
        let text = content
            .text
            .lines()
            .filter_map(|line| line.strip_prefix(label))
            .any(|rest| {
                rest.trim_start_matches([':', '：', ' '])
                    .starts_with("https://")
            });
        let html = content
            .html
            .contains(&format!("font-weight:bold;\">{label}</a>"));
        assert_eq!(text, html, "{label}");
        text
    });
}

/// Subject and heading of every mail.
#[test]
fn each_mail_has_its_subject_and_heading() {
    let rows = [
        (
            (MailKind::Hold, Role::Booker),
            [
                "Please confirm: Intro 30 with Bo Li",
                "Please confirm this booking",
            ],
            ["请确认：Intro 30（Bo Li）", "请确认这次预约"],
        ),
        (
            (MailKind::Confirmed, Role::Host),
            [
                "New booking: Intro 30 with Ana Silva",
                "You have a new booking",
            ],
            ["新预约：Intro 30（Ana Silva）", "您有一个新预约"],
        ),
        (
            (MailKind::Confirmed, Role::Booker),
            [
                "Confirmed: Intro 30 with Bo Li",
                "Your booking is confirmed",
            ],
            ["预约已确认：Intro 30（Bo Li）", "您的预约已确认"],
        ),
        (
            (MailKind::Confirmed, Role::Guest),
            ["Invitation: Intro 30 with Bo Li", "You are invited"],
            ["会议邀请：Intro 30（Bo Li）", "您受邀参加会议"],
        ),
        (
            (MailKind::Rescheduled, Role::Host),
            ["New time: Intro 30 with Ana Silva", "The meeting has moved"],
            ["时间已更改：Intro 30（Ana Silva）", "会议时间已更改"],
        ),
        (
            (MailKind::Rescheduled, Role::Booker),
            ["New time: Intro 30 with Bo Li", "The meeting has moved"],
            ["时间已更改：Intro 30（Bo Li）", "会议时间已更改"],
        ),
        (
            (MailKind::Rescheduled, Role::Guest),
            ["New time: Intro 30 with Bo Li", "The meeting has moved"],
            ["时间已更改：Intro 30（Bo Li）", "会议时间已更改"],
        ),
        (
            (MailKind::Cancelled, Role::Host),
            [
                "Cancelled: Intro 30 with Ana Silva",
                "The meeting is cancelled",
            ],
            ["已取消：Intro 30（Ana Silva）", "会议已取消"],
        ),
        (
            (MailKind::Cancelled, Role::Booker),
            ["Cancelled: Intro 30 with Bo Li", "The meeting is cancelled"],
            ["已取消：Intro 30（Bo Li）", "会议已取消"],
        ),
        (
            (MailKind::Cancelled, Role::Guest),
            ["Cancelled: Intro 30 with Bo Li", "The meeting is cancelled"],
            ["已取消：Intro 30（Bo Li）", "会议已取消"],
        ),
        (
            (MailKind::Reminder, Role::Host),
            [
                "Reminder: Intro 30 with Ana Silva",
                "Your meeting is coming up",
            ],
            ["会议提醒：Intro 30（Ana Silva）", "您的会议即将开始"],
        ),
        (
            (MailKind::Reminder, Role::Booker),
            ["Reminder: Intro 30 with Bo Li", "Your meeting is coming up"],
            ["会议提醒：Intro 30（Bo Li）", "您的会议即将开始"],
        ),
        (
            (MailKind::Reminder, Role::Guest),
            ["Reminder: Intro 30 with Bo Li", "Your meeting is coming up"],
            ["会议提醒：Intro 30（Bo Li）", "您的会议即将开始"],
        ),
    ];
    assert_eq!(every_view().len(), rows.len() * Locale::ALL.len());
    for ((kind, role), english, chinese) in rows {
        for (locale, [subject, heading]) in [(Locale::En, english), (Locale::ZhCn, chinese)] {
            let content = render(&view(kind, role, locale)).unwrap();
            assert_eq!(content.subject, subject);
            assert!(
                content.text.starts_with(&format!("{heading}\n")),
                "{heading}"
            );
            assert!(
                content.html.contains(&format!(">{heading}</h1>")),
                "{heading}"
            );
            let title = content.html.contains(&format!("<title>{subject}</title>"));
            assert!(title, "{subject}");
        }
    }
}

/// `DESCRIPTION`: that answering does not cancel, and what does, for each reader.
#[test]
fn each_invitation_says_what_cancels_instead_of_an_answer() {
    let before = [
        "Answering this calendar invitation does not cancel or move the booking. ",
        "回复此日历邀请不会取消或更改预约。",
    ];
    let cancelled = ["This booking is cancelled. ", "此预约已取消。"];
    let after = |role| match role {
        Role::Booker => [
            "Use the links in the mail about it.",
            "请使用预约邮件中的链接。",
        ],
        Role::Host => [
            "Cancel or move it in Holdfast.",
            "请在 Holdfast 中取消或更改。",
        ],
        Role::Guest => [
            "Ask the person who booked, or the host.",
            "请联系预约人或主持人。",
        ],
    };
    let mut seen = 0;
    for view in every_view() {
        let Some(invitation) = Invitation::in_mail(&view) else {
            continue;
        };
        seen += 1;
        let at = usize::from(view.locale == Locale::ZhCn);
        let start = match view.kind() {
            MailKind::Cancelled => cancelled[at],
            _ => "",
        };
        let note = format!("{start}{}{}", before[at], after(view.role())[at]);
        let line = format!("\r\nDESCRIPTION:{}\r\n", note.replace(',', "\\,"));
        let ics = invitation.to_ics().replace("\r\n ", "");
        assert!(ics.contains(&line), "{line} in {ics}");
    }
    assert_eq!(seen, 3 * 3 * 2, "three kinds, three readers, two languages");
}
