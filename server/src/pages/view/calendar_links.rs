//! Links that open another calendar's form with the meeting filled in. They carry the title, the
//! times and the place: no address, no token, nothing that the booker typed.

use shared::instant::Instant;

use super::link::encode;

/// A calendar's name and the address of its form.
#[derive(Debug)]
pub(super) struct CalendarLink {
    pub(super) name: &'static str,
    pub(super) href: String,
}

/// What a calendar is told.
pub(super) struct Meeting<'a> {
    pub(super) title: &'a str,
    pub(super) host_name: &'a str,
    pub(super) location: Option<&'a str>,
    pub(super) start: Instant,
    pub(super) end: Instant,
}

/// The calendars that take such links.
pub(super) fn calendar_links(meeting: &Meeting<'_>) -> Vec<CalendarLink> {
    let title = format!("{} · {}", meeting.title, meeting.host_name);
    let (start, end) = (meeting.start, meeting.end);
    let outlook = |name, host: &str| CalendarLink {
        name,
        href: with(
            &format!("https://{host}/calendar/0/action/compose?rru=addevent"),
            &[
                ("subject", Some(title.clone())),
                ("startdt", Some(start.to_string())),
                ("enddt", Some(end.to_string())),
                ("location", meeting.location.map(str::to_owned)),
            ],
        ),
    };
    vec![
        CalendarLink {
            name: "Google",
            href: with(
                "https://calendar.google.com/calendar/render?action=TEMPLATE",
                &[
                    ("text", Some(title.clone())),
                    ("dates", Some(format!("{}/{}", basic(start), basic(end)))),
                    ("location", meeting.location.map(str::to_owned)),
                ],
            ),
        },
        outlook("Outlook.com", "outlook.live.com"),
        outlook("Microsoft 365", "outlook.office.com"),
        CalendarLink {
            name: "Yahoo",
            href: with(
                "https://calendar.yahoo.com/?v=60",
                &[
                    ("title", Some(title)),
                    ("st", Some(basic(start))),
                    ("et", Some(basic(end))),
                    ("in_loc", meeting.location.map(str::to_owned)),
                ],
            ),
        },
    ]
}

fn with(base: &str, query: &[(&str, Option<String>)]) -> String {
    let mut href = base.to_owned();
    for (name, value) in query {
        if let Some(value) = value {
            href.push('&');
            href.push_str(name);
            href.push('=');
            // A space as %20: Outlook shows a plus sign as it is.
            encode(value, b"", &mut href);
        }
    }
    href
}

/// The basic form of RFC 5545, section 3.3.5: `20261201T140000Z`. Slots are on whole minutes.
fn basic(at: Instant) -> String {
    at.to_string()
        .split('.')
        .next()
        .unwrap_or_default()
        .chars()
        .filter(|c| c.is_ascii_digit() || *c == 'T')
        .chain(['Z'])
        .collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn each_calendar_gets_the_meeting_in_its_own_form() {
        let links = calendar_links(&Meeting {
            title: "Intro & <more>",
            host_name: "Ana",
            location: Some("Room 5"),
            start: "2026-12-01T14:00:00Z".parse().unwrap(),
            end: "2026-12-01T14:30:00Z".parse().unwrap(),
        });
        let href = |name| &links.iter().find(|link| link.name == name).unwrap().href;
        assert_eq!(
            href("Google"),
            "https://calendar.google.com/calendar/render?action=TEMPLATE\
             &text=Intro%20%26%20%3Cmore%3E%20%C2%B7%20Ana\
             &dates=20261201T140000Z%2F20261201T143000Z&location=Room%205"
        );
        assert_eq!(
            href("Outlook.com"),
            "https://outlook.live.com/calendar/0/action/compose?rru=addevent\
             &subject=Intro%20%26%20%3Cmore%3E%20%C2%B7%20Ana\
             &startdt=2026-12-01T14%3A00%3A00Z&enddt=2026-12-01T14%3A30%3A00Z\
             &location=Room%205"
        );
        assert_eq!(
            href("Yahoo"),
            "https://calendar.yahoo.com/?v=60&title=Intro%20%26%20%3Cmore%3E%20%C2%B7%20Ana\
             &st=20261201T140000Z&et=20261201T143000Z&in_loc=Room%205"
        );
    }

    #[test]
    fn no_place_is_no_parameter() {
        let links = calendar_links(&Meeting {
            title: "t",
            host_name: "h",
            location: None,
            start: "2026-12-01T14:00:00.5Z".parse().unwrap(),
            end: "2026-12-01T14:30:00Z".parse().unwrap(),
        });
        assert!(links.iter().all(|link| !link.href.contains("loc")));
        assert!(links[0].href.contains("dates=20261201T140000Z%2F"));
    }
}
