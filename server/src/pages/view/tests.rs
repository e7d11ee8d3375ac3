//! Facts about every page, in both languages, with friendly and with hostile text.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod markup;
mod samples;

use std::collections::BTreeSet;

use jiff::civil::date;
use shared::{
    instant::{Day, Instant},
    locale::Locale,
    zone::Zones,
};

use self::{
    markup::{attribute, count, elements, forms, tags},
    samples::{KEY, REVISION, Sample, TOKEN, Texts, all},
};
use super::*;
use crate::pages::words::words;

const HOSTILE: &str = "\u{202e}\"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;";

/// Every page in both languages with what one would expect, and once more with hostile text.
fn every_page() -> Vec<(Locale, Sample)> {
    Locale::ALL
        .into_iter()
        .flat_map(|locale| {
            let friendly = all(locale, &Texts::natural(locale));
            let hostile = all(locale, &Texts::all(HOSTILE));
            let pages = friendly.into_iter().chain(hostile);
            pages.map(move |page| (locale, page))
        })
        .collect()
}

fn page(locale: Locale, name: &str) -> String {
    let pages = all(locale, &Texts::natural(locale));
    pages
        .into_iter()
        .find(|page| page.name == name)
        .unwrap()
        .html
}

#[test]
fn every_page_has_its_language_one_heading_one_main_part_and_a_title() {
    for (locale, Sample { name, html, .. }) in every_page() {
        // The 404 is one for both languages.
        let lang = match name.as_str() {
            "not-found" => "en",
            _ => locale.tag(),
        };
        assert!(html.starts_with("<!doctype html>"), "{name}");
        assert!(html.contains(&format!("<html lang=\"{lang}\">")), "{name}");
        for element in ["<h1", "<main", "<header", "<footer", "<title>"] {
            assert_eq!(count(&html, element), 1, "{element} in {name}");
        }
        assert_eq!(count(&html, "class=\"skip\" href=\"#main\""), 1, "{name}");
        assert!(!html.contains("<title></title>"), "{name}");
        assert!(html.trim_end().ends_with("</html>"), "{name}");
    }
}

#[test]
fn typed_text_is_escaped_on_every_page() {
    for locale in Locale::ALL {
        for Sample { name, html, typed } in all(locale, &Texts::all(HOSTILE)) {
            assert!(!html.contains("<script>"), "{name}");
            assert!(!html.contains("<img"), "{name}");
            assert!(!html.contains("\"'>"), "{name}");
            let escaped = html.contains("&#60;script&#62;alert(1)&#60;/script&#62;");
            assert_eq!(escaped, typed, "{name}");
            // An entity that was typed is shown as it was typed.
            assert_eq!(html.contains("&#38;amp;"), typed, "{name}");
        }
    }
}

#[test]
fn typed_text_stands_only_where_its_direction_ends_with_it() {
    for locale in Locale::ALL {
        for Sample { name, html, .. } in all(locale, &Texts::all(HOSTILE)) {
            for (at, _) in html.match_indices('\u{202e}') {
                let start = html[..at].rfind('<').unwrap();
                let tag = &html[start..];
                let tag = &tag[..=tag.find('>').unwrap()];
                // The value of a box to tick is not laid out.
                let unseen = tag.contains("type=\"radio\"") || tag.contains("type=\"checkbox\"");
                let isolated = ["<bdi", "<option", "<title"]
                    .iter()
                    .any(|element| tag.starts_with(element));
                let isolated = isolated || tag.contains("dir=\"auto\"");
                assert!(isolated || unseen, "{name}: {tag}");
                if tag.starts_with("<title") {
                    assert!(html[..at].ends_with('\u{2068}'), "{name}");
                }
            }
        }
    }
}

#[test]
fn no_page_needs_what_its_content_security_policy_forbids() {
    for (_, Sample { name, html, .. }) in every_page() {
        for forbidden in [" style=", "<style", "javascript:", "<base", "<iframe"] {
            assert!(!html.contains(forbidden), "{forbidden} in {name}");
        }
        for tag in tags(&html) {
            // Outside of the quotes stand the attributes' names.
            let names: String = tag.split('"').step_by(2).collect();
            assert!(!names.contains(" on"), "an event handler in {name}: {tag}");
        }
        for script in elements(&html, "script") {
            let source = attribute(script, "src").unwrap();
            assert!(source.starts_with("/static/page."), "{name}: {source}");
        }
        for (element, attribute_name) in [("link", "href"), ("img", "src")] {
            for tag in elements(&html, element) {
                let source = attribute(tag, attribute_name).unwrap();
                let own = source.starts_with("/static/") || source.starts_with("data:image/svg");
                assert!(own, "{name}: {source}");
            }
        }
    }
}

#[test]
fn every_reference_inside_a_page_finds_its_element_and_ids_are_unique() {
    for (_, Sample { name, html, .. }) in every_page() {
        let ids: Vec<_> = tags(&html)
            .into_iter()
            .filter_map(|tag| attribute(tag, "id"))
            .collect();
        let unique: BTreeSet<_> = ids.iter().collect();
        assert_eq!(ids.len(), unique.len(), "{name}: {ids:?}");
        for tag in tags(&html) {
            for reference in ["for", "aria-describedby", "aria-labelledby"] {
                let wanted = attribute(tag, reference).unwrap_or_default();
                for id in wanted.split(' ').filter(|id| !id.is_empty()) {
                    assert!(ids.contains(&id), "{name}: {reference}={id}");
                }
            }
            if let Some(id) = attribute(tag, "href").and_then(|href| href.strip_prefix('#')) {
                assert!(ids.contains(&id), "{name}: #{id}");
            }
        }
    }
}

#[test]
fn every_field_that_is_seen_has_a_label() {
    for (_, Sample { name, html, .. }) in every_page() {
        let labelled: Vec<_> = elements(&html, "label")
            .into_iter()
            .filter_map(|label| attribute(label, "for"))
            .collect();
        for element in ["input", "select", "textarea"] {
            for tag in elements(&html, element) {
                if attribute(tag, "type") == Some("hidden") {
                    continue;
                }
                let id = attribute(tag, "id").unwrap();
                assert!(labelled.contains(&id), "{name}: {id}");
            }
        }
    }
}

#[test]
fn every_form_that_changes_something_carries_its_hidden_fields() {
    let mut seen = BTreeSet::new();
    for (locale, Sample { name, html, .. }) in every_page() {
        for form in forms(&html) {
            let action = attribute(form.tag, "action").unwrap();
            if attribute(form.tag, "method") != Some("post") {
                assert!(!form.hidden.iter().any(|(n, _)| *n == "idempotency_key"));
                continue;
            }
            let names: Vec<_> = form.hidden.iter().map(|(name, _)| *name).collect();
            let value = |wanted: &str| {
                let found = form.hidden.iter().find(|(name, _)| *name == wanted);
                found.map(|(_, value)| *value)
            };
            let revision = REVISION.to_string();
            let step = action.rsplit('/').next().unwrap();
            seen.insert(step.to_owned());
            match step {
                "k3x9q2ab" => {
                    assert_eq!(value("zone"), Some("Europe/Paris"), "{name}");
                    assert_eq!(value("lang"), Some(locale.tag()), "{name}");
                    assert_eq!(value("idempotency_key"), Some(KEY), "{name}");
                    // A start is either hidden or the value of each button, never both.
                    let buttons = form.body.contains("<button class=\"time\"");
                    assert_eq!(
                        names.contains(&"start"),
                        !name.starts_with("form-taken"),
                        "{name}"
                    );
                    assert!(!(buttons && names.contains(&"start")), "{name}");
                }
                "reschedule" => {
                    assert_eq!(value("zone"), Some("America/New_York"), "{name}");
                    assert_eq!(value("start"), Some("2026-12-10T15:00:00Z"), "{name}");
                    assert_eq!(value("idempotency_key"), Some(KEY), "{name}");
                    assert_eq!(value("expected_revision"), Some(&*revision), "{name}");
                }
                "confirm" | "cancel" => {
                    assert_eq!(value("expected_revision"), Some(&*revision), "{name}");
                }
                other => panic!("{name} sends a form to {other}"),
            }
        }
    }
    let steps = ["cancel", "confirm", "k3x9q2ab", "reschedule"];
    assert_eq!(seen, BTreeSet::from(steps.map(str::to_owned)));
}

#[test]
fn titles_of_personal_pages_say_nothing_personal_and_nothing_but_own_links_has_the_token() {
    for locale in Locale::ALL {
        for Sample { name, html, .. } in all(locale, &Texts::natural(locale)) {
            let manage = html.contains("/book/m/");
            let title = html.split("<title>").nth(1).unwrap();
            let title = title.split("</title>").next().unwrap();
            assert!(!title.contains(TOKEN), "{name}");
            if manage || name == "sent" {
                for typed in [
                    "Kofi",
                    "王小明",
                    "kofi@",
                    "Ana",
                    "林安娜",
                    "Portfolio",
                    "作品集",
                ] {
                    assert!(!title.contains(typed), "{name}: {title}");
                }
                assert!(
                    html.contains("<meta name=\"robots\" content=\"noindex\">"),
                    "{name}"
                );
            }
            let own = count(&html, &format!("href=\"/book/m/{TOKEN}"))
                + count(&html, &format!("action=\"/book/m/{TOKEN}"));
            assert_eq!(count(&html, TOKEN), own, "{name}");
        }
    }
}

#[test]
fn no_link_carries_what_was_typed() {
    for (_, Sample { name, html, .. }) in every_page() {
        for tag in elements(&html, "a") {
            let href = attribute(tag, "href").unwrap();
            let inside = href.starts_with('/');
            if inside {
                for typed in ["kofi", "Kofi", "mara", "phone", "script"] {
                    assert!(!href.contains(typed), "{name}: {href}");
                }
            } else if !href.starts_with('#') && !href.starts_with("mailto:") {
                assert!(href.starts_with("https://"), "{name}: {href}");
                assert_eq!(attribute(tag, "rel"), Some("noopener noreferrer"), "{name}");
            }
        }
    }
}

#[test]
fn the_404_is_one_page_in_both_languages() {
    let first = not_found();
    assert_eq!(first, not_found());
    for locale in Locale::ALL {
        let said = &words(locale).refusal.not_found;
        assert!(first.contains(said.title) && first.contains(said.text));
        assert_eq!(page(locale, "not-found"), first);
    }
    assert!(first.contains("<section lang=\"zh-CN\">"));
    assert!(!first.contains("hreflang"));
}

#[test]
fn pages_that_answer_a_post_offer_no_link_that_would_lose_it() {
    for locale in Locale::ALL {
        let other = Locale::ALL
            .into_iter()
            .find(|held| *held != locale)
            .unwrap();
        let link = format!("hreflang=\"{}\"", other.tag());
        for name in ["sent", "form-problems", "form-taken", "form-too-many"] {
            assert!(!page(locale, name).contains(&link), "{name}");
        }
        for name in ["days", "day", "form", "held", "confirmed", "move", "review"] {
            assert!(page(locale, name).contains(&link), "{name}");
        }
    }
}

#[test]
fn a_taken_time_keeps_what_was_typed_and_offers_the_others_as_buttons() {
    let html = page(Locale::En, "form-taken");
    for typed in [
        "value=\"Kofi Mensah\"",
        "value=\"kofi@example.com\"",
        ">\nI will join by phone.</textarea>",
        ">\nmara@example.com\nben@example.org</textarea>",
    ] {
        assert!(html.contains(typed), "{typed}");
    }
    assert!(html.contains("value=\"Print\" checked"));
    assert!(html.contains("name=\"start\" value=\"2026-12-04T08:00:00Z\">09:00</button>"));
    // Enter in a field presses the first button of a form: it must not choose a time.
    let form = html.split("<form method=\"post\"").nth(1).unwrap();
    let first = &form[form.find("<button").unwrap()..];
    assert!(first.starts_with("<button type=\"submit\" disabled hidden></button>"));
    assert!(!html.contains(words(Locale::En).book.hold));
    // Where nothing is left, other days are one link away.
    let none = page(Locale::En, "form-taken-none");
    assert!(!none.contains("name=\"start\""));
    assert!(none.contains("href=\"/book/ana/k3x9q2ab?zone=Europe/Paris\""));
}

#[test]
fn each_problem_is_said_beside_its_field_and_linked_from_the_top() {
    let html = page(Locale::En, "form-problems");
    for id in [
        "f-start", "f-name", "f-email", "f-note", "f-guests", "q-q3-0", "q-q4-0", "q-q6",
    ] {
        assert!(html.contains(&format!("<a href=\"#{id}\">")), "{id}");
    }
    let name = elements(&html, "input")
        .into_iter()
        .find(|tag| attribute(tag, "id") == Some("f-name"))
        .unwrap();
    assert_eq!(attribute(name, "aria-invalid"), Some("true"));
    assert_eq!(attribute(name, "aria-describedby"), Some("f-name-error"));
    assert!(name.contains(" required"));
    assert!(
        html.contains("id=\"f-guests-error\"><span>Guest 2: this is not an email address.</span>")
    );
    assert!(html.contains("<span>10 guests at most.</span>"));
    // A question that is no longer on the form is said without a link.
    assert!(html.contains("<li>This can&#39;t be accepted as it is.</li>"));
    // A form without problems has neither.
    let fresh = page(Locale::En, "form");
    assert!(!fresh.contains("aria-invalid") && !fresh.contains("class=\"summary\""));
}

#[test]
fn a_line_break_at_the_start_of_a_text_survives_the_form() {
    let html = page(Locale::En, "form");
    assert!(html.contains(">\n</textarea>"));
}

#[test]
fn the_host_s_address_and_place_appear_only_once_the_meeting_exists() {
    for name in ["held", "expired", "given-up"] {
        let html = page(Locale::En, name);
        assert!(!html.contains("ana@example.com"), "{name}");
        assert!(!html.contains("meet.example.com"), "{name}");
    }
    for name in ["days", "day", "form", "sent", "host", "home"] {
        assert!(
            !page(Locale::En, name).contains("ana@example.com"),
            "{name}"
        );
    }
    let confirmed = page(Locale::En, "confirmed");
    assert!(confirmed.contains("mailto:ana@example.com"));
    assert!(confirmed.contains("href=\"https://meet.example.com/ana-lindqvist\""));
}

#[test]
fn answers_and_places_are_shown_as_they_were_booked() {
    for locale in Locale::ALL {
        let said = words(locale);
        let html = page(locale, "confirmed");
        assert!(html.contains("<bdi class=\"line\">Screens</bdi>"));
        assert!(html.contains(&format!("<dd>{}</dd>", said.book.yes)));
        let html = page(locale, "host-calls");
        assert!(html.contains(said.manage.host_calls_you));
        let html = page(locale, "host-calls-number");
        assert!(html.contains(&format!("<dd>{}<bdi>", said.manage.host_calls.before)));
        let html = page(locale, "call-host");
        assert!(html.contains(&format!("<dd>{}<bdi>", said.manage.call_host.before)));
        let html = page(locale, "place");
        assert!(!html.contains("href=\"https://meet.example.com/ana-lindqvist\""));
        assert!(html.contains(">https://meet.example.com/ana-lindqvist</dd>"));
    }
}

#[test]
fn each_state_offers_what_can_be_done_in_it() {
    let offers = |name: &str| {
        let html = page(Locale::En, name);
        let has = |part: &str| html.contains(&format!("/book/m/{TOKEN}{part}\""));
        (
            has("/confirm"),
            has("?action=reschedule"),
            has("?action=cancel"),
            has("/calendar.ics"),
            html.contains("Book another time"),
        )
    };
    assert_eq!(offers("held"), (true, false, false, false, false));
    assert_eq!(offers("confirmed"), (false, true, true, true, false));
    assert_eq!(offers("confirmed-limit"), (false, false, true, true, false));
    assert_eq!(offers("started"), (false, false, false, true, false));
    assert_eq!(offers("finished"), (false, false, false, false, false));
    assert_eq!(offers("cancelled-host"), (false, false, false, true, true));
    assert_eq!(offers("expired"), (false, false, false, false, true));
    assert_eq!(offers("given-up"), (false, false, false, false, true));
}

#[test]
fn a_hold_says_when_it_lapses_in_the_booker_s_zone_and_that_nothing_need_be_done() {
    let held = page(Locale::En, "held");
    // 16:50 UTC in New York.
    assert!(held.contains("datetime=\"2026-11-30T16:50:00Z\""));
    assert!(held.contains(">11:50</strong>"));
    assert!(held.contains(words(Locale::En).manage.held_nothing));
    let sent = page(Locale::En, "sent");
    assert!(sent.contains(">17:50</strong>"));
    assert!(sent.contains("<bdi>kofi@example.com</bdi>"));
    assert!(sent.contains(words(Locale::En).book.no_mail_spam));
}

#[test]
fn times_are_shown_for_the_host_only_where_the_clocks_differ() {
    let html = page(Locale::En, "confirmed");
    assert!(html.contains("08:30–09:00"));
    assert!(html.contains("Tue, 8 Dec, 14:30–15:00, Europe/Paris (UTC+1)"));
    let zones = Zones::bundled();
    let (berlin, paris) = (
        zones.get("Europe/Berlin").unwrap(),
        zones.get("Europe/Paris").unwrap(),
    );
    let at = |text: &str| text.parse::<Instant>().unwrap();
    let same = ManagePage {
        reader: Reader {
            locale: Locale::En,
            lang_asked: false,
        },
        booking: Booking {
            token: TOKEN,
            revision: 0,
            title: "t",
            description: None,
            start: at("2026-12-08T13:30:00Z"),
            end: at("2026-12-08T14:00:00Z"),
            zone: &berlin,
            host_zone: &paris,
            host_name: "h",
            host_email: None,
            place: Some(Place::Link("javascript:alert(1)")),
            answers: &[],
            booker_name: "b",
            booker_email: "b@example.com",
            guests: &[],
            note: None,
            again: None,
        },
        state: State::Confirmed { moves_left: 0 },
        notice: None,
    };
    let html = same.html();
    assert!(!html.contains(words(Locale::En).manage.host_time));
    // A place that is no web address stays text; without an address there is nobody to write to.
    assert!(html.contains(">javascript:alert(1)</dd>"));
    assert!(!html.contains("mailto:"));
}

#[test]
fn a_language_that_was_asked_for_is_kept_and_one_that_was_not_is_not_named() {
    let chinese = page(Locale::ZhCn, "day");
    let english = page(Locale::En, "day");
    for link in elements(&chinese, "a") {
        let href = attribute(link, "href").unwrap();
        if href.starts_with("/book/") {
            assert!(href.contains("lang="), "{href}");
        }
    }
    let named: Vec<_> = elements(&english, "a")
        .into_iter()
        .filter(|link| link.contains("lang=en"))
        .collect();
    assert_eq!(named, Vec::<&str>::new());
    assert!(chinese.contains("<input type=\"hidden\" name=\"lang\" value=\"zh-CN\">"));
}

#[test]
fn a_script_may_guess_the_zone_only_for_a_new_booking_without_one() {
    assert!(page(Locale::En, "days").contains(" data-guess"));
    // Here the address names the zone.
    assert!(!page(Locale::En, "day").contains(" data-guess"));
    // A booking has its zone.
    assert!(!page(Locale::En, "move").contains(" data-guess"));
}

#[test]
fn without_slots_the_calendar_says_so_and_leads_on() {
    let html = page(Locale::En, "days-none");
    let said = &words(Locale::En).choose.none;
    assert!(html.contains(said.title) && html.contains(said.text));
    for (from, way) in [("2027-03-15", "next"), ("2026-12-21", "prev")] {
        let link = format!("?from={from}&#38;zone=Europe/Paris\" rel=\"{way}\"");
        assert!(html.contains(&link), "{link}");
    }
}

#[test]
fn a_reader_who_came_for_a_time_that_has_gone_is_told() {
    for locale in Locale::ALL {
        let said = words(locale).choose.gone;
        assert!(page(locale, "day-gone").contains(said));
        assert!(!page(locale, "day").contains(said));
    }
}

#[test]
fn a_day_leads_to_the_form_with_its_start_and_zone() {
    let html = page(Locale::En, "day");
    let href =
        "/book/ana/k3x9q2ab?zone=Europe/Paris&#38;day=2026-12-08&#38;start=2026-12-08T09:00:00Z";
    assert!(html.contains(&format!("<a class=\"time\" href=\"{href}\">10:00</a>")));
    assert!(html.contains("aria-current=\"true\">8</a>"));
    let moved = page(Locale::En, "move-day");
    assert!(moved.contains(&format!(
        "href=\"/book/m/{TOKEN}?action=reschedule&#38;zone=Europe/Paris&#38;day=2026-12-10"
    )));
}

#[test]
fn every_notice_and_every_fault_is_said_in_both_languages() {
    let notices = [
        Notice::Booked,
        Notice::Confirmed,
        Notice::AlreadyConfirmed,
        Notice::Moved,
        Notice::Cancelled,
        Notice::AlreadyCancelled,
        Notice::GivenUp,
        Notice::Changed,
        Notice::HoldLapsed,
        Notice::ConfirmedMeanwhile,
        Notice::Started,
        Notice::Finished,
        Notice::MoveLimit,
        Notice::Taken,
        Notice::NotOffered,
        Notice::Unchanged,
        Notice::HostInactive,
        Notice::TimesUnknown,
        Notice::TooMany { retry_after_s: 60 },
        Notice::SentBefore,
    ];
    let faults = [
        (At::Name, Fault::Missing),
        (At::Email, Fault::Missing),
        (At::Question("q".to_owned()), Fault::Missing),
        (At::Email, Fault::Malformed),
        (At::Question("q".to_owned()), Fault::Malformed),
        (At::Note, Fault::TooLong { max: Some(9) }),
        (At::Note, Fault::TooLong { max: None }),
        (At::Name, Fault::Characters),
        (At::Guests, Fault::NotAllowed),
        (At::Guests, Fault::TooMany { max: 9 }),
        (At::Guests, Fault::GuestMalformed { nth: 9 }),
        (At::Guests, Fault::GuestRepeated { nth: 9 }),
        (At::Name, Fault::NotAnOption),
        (At::Start, Fault::NotOffered),
        (At::Start, Fault::Other),
    ];
    let mut said = BTreeSet::new();
    for locale in Locale::ALL {
        let words = words(locale);
        said.extend(notices.iter().map(|notice| notice.said(words).text));
        said.extend(
            faults
                .iter()
                .cloned()
                .map(|(at, fault)| Problem { at, fault }.message(words)),
        );
    }
    assert_eq!(
        said.len(),
        Locale::ALL.len() * (notices.len() + faults.len())
    );
}

#[test]
fn a_day_near_the_end_is_not_kept_over_a_change_of_zone() {
    let zones = Zones::bundled();
    let zone = zones.get("Pacific/Honolulu").unwrap();
    let today = Day(date(2026, 12, 1));
    let kept = |chosen| {
        let page = DaysPage {
            reader: Reader {
                locale: Locale::En,
                lang_asked: false,
            },
            page: PublicPage {
                address: PageAddress {
                    handle: "ana",
                    code: "x",
                },
                title: "t",
                description: None,
                host_name: "h",
                duration_min: 30,
                by_mail: true,
            },
            choice: Choice {
                zones: &zones,
                zone: &zone,
                zone_asked: true,
                host_zone: &zone,
                now: "2026-12-01T20:00:00Z".parse().unwrap(),
                weeks: Weeks::new(today, Day(date(2026, 12, 31)), None, Some(chosen)),
                days: &[],
            },
            gone: false,
        };
        let html = page.html();
        let form = forms(&html).remove(0);
        form.hidden.iter().any(|(name, _)| *name == "day")
    };
    assert!(!kept(today));
    assert!(kept(Day(date(2026, 12, 3))));
    assert!(!kept(Day(date(2026, 12, 31))));
}
