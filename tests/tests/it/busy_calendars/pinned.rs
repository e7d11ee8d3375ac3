//! The pinned faults of recurring events, through the slots and through a booking: what other
//! calendars were seen to get wrong, and what is right.

use holdfast_tests::{
    Flow,
    app::at,
    calendar::{personal, put},
    flow::SAM,
};

use crate::slots::times;

/// A fault: the day it is looked at, the event, and starts that are taken and free.
struct Pinned {
    now: &'static str,
    lines: &'static str,
    taken: &'static [&'static str],
    free: &'static [&'static str],
}

/// Puts the event on the calendar of a host in Dublin who is free all day, with slots of half an
/// hour. A taken start is neither listed nor booked; a free one is both.
async fn holds(pinned: Pinned) {
    let flow = Flow::start().await;
    flow.at(pinned.now);
    let host = flow
        .host("ana")
        .zone("Europe/Dublin")
        .free("every day 0:00-24:00")
        .minutes(30, 30)
        .make()
        .await;
    let calendar = personal(&flow.context, &host).await;
    let lines = pinned.lines.replace(' ', "");
    put(&flow.context, calendar, &lines).await;
    for (starts, listed, status) in [(pinned.taken, false, 409), (pinned.free, true, 201)] {
        for start in starts {
            let from = at(start);
            let query = host.slots(start, &from.plus_minutes(1).to_string(), "UTC");
            let found = times(&flow.get(&query).await);
            assert_eq!(
                found.contains(&from.to_string()),
                listed,
                "{start}: {found:?}"
            );
            let answer = flow.book(&host, start, SAM).await;
            assert_eq!(answer.status, status, "{start}: {}", answer.text());
        }
    }
    flow.end().await;
}

/// The civil clock is kept: the gap of 29 March moves that one occurrence and no later one.
#[tokio::test]
async fn a_nightly_event_is_at_half_past_one_again_after_the_gap() {
    holds(Pinned {
        now: "2026-03-20T12:00:00Z",
        lines: "BEGIN:VEVENT
            UID:1
            DTSTART;TZID=Europe/Dublin:20260328T013000
            DTEND;TZID=Europe/Dublin:20260328T020000
            RRULE:FREQ=DAILY
            END:VEVENT",
        taken: &[
            "2026-03-28T01:30:00Z",
            // 02:30 in summer time.
            "2026-03-29T01:30:00Z",
            "2026-03-30T00:30:00Z",
        ],
        free: &["2026-03-29T02:00:00Z", "2026-03-30T01:30:00Z"],
    })
    .await;
    holds(Pinned {
        now: "2026-09-01T12:00:00Z",
        lines: "BEGIN:VEVENT
            UID:1
            DTSTART;TZID=Europe/Dublin:20260328T013000
            DTEND;TZID=Europe/Dublin:20260328T020000
            RRULE:FREQ=DAILY
            END:VEVENT",
        taken: &["2026-09-10T00:30:00Z"],
        free: &["2026-09-10T01:30:00Z"],
    })
    .await;
}

/// The day span is a difference of civil dates: the first occurrence has 47 elapsed hours, and
/// later ones still end at nine.
#[tokio::test]
async fn a_weekend_over_the_change_of_clocks_is_as_long_every_week() {
    holds(Pinned {
        now: "2026-03-20T12:00:00Z",
        lines: "BEGIN:VEVENT
            UID:1
            DTSTART;TZID=Europe/Dublin:20260328T090000
            DTEND;TZID=Europe/Dublin:20260330T090000
            RRULE:FREQ=WEEKLY
            END:VEVENT",
        taken: &[
            "2026-03-30T07:30:00Z",
            "2026-04-04T08:00:00Z",
            // 08:30 on Monday.
            "2026-04-06T07:30:00Z",
        ],
        free: &[
            "2026-03-30T08:00:00Z",
            "2026-04-04T07:30:00Z",
            "2026-04-06T08:00:00Z",
        ],
    })
    .await;
}

/// INTERVAL with BYDAY takes every chosen weekday of each eligible week.
#[tokio::test]
async fn neither_fortnightly_day_is_bookable() {
    holds(Pinned {
        now: "2026-09-01T12:00:00Z",
        lines: "BEGIN:VEVENT
            UID:1
            DTSTART;TZID=Europe/Dublin:20260902T100000
            DTEND;TZID=Europe/Dublin:20260902T103000
            RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE
            END:VEVENT",
        taken: &[
            "2026-09-02T09:00:00Z",
            "2026-09-14T09:00:00Z",
            "2026-09-16T09:00:00Z",
        ],
        free: &["2026-09-07T09:00:00Z", "2026-09-09T09:00:00Z"],
    })
    .await;
}

/// `FREQ=MONTHLY;BYDAY=MO` is every Monday, not the first.
#[tokio::test]
async fn a_monthly_monday_is_every_monday() {
    holds(Pinned {
        now: "2026-09-01T12:00:00Z",
        lines: "BEGIN:VEVENT
            UID:1
            DTSTART;TZID=Europe/Dublin:20260907T100000
            DTEND;TZID=Europe/Dublin:20260907T103000
            RRULE:FREQ=MONTHLY;BYDAY=MO
            END:VEVENT",
        taken: &[
            "2026-09-07T09:00:00Z",
            "2026-09-14T09:00:00Z",
            "2026-09-28T09:00:00Z",
            "2026-10-12T09:00:00Z",
        ],
        free: &["2026-09-08T09:00:00Z"],
    })
    .await;
}

/// An override that was moved out of a series that is over shows on its new day.
#[tokio::test]
async fn an_override_moved_out_of_a_finished_series_is_busy() {
    holds(Pinned {
        now: "2026-09-01T12:00:00Z",
        lines: "BEGIN:VEVENT
            UID:1
            DTSTART;TZID=Europe/Dublin:20260601T100000
            DTEND;TZID=Europe/Dublin:20260601T103000
            RRULE:FREQ=DAILY;UNTIL=20260603T235959Z
            END:VEVENT
            BEGIN:VEVENT
            UID:1
            RECURRENCE-ID;TZID=Europe/Dublin:20260602T100000
            DTSTART;TZID=Europe/Dublin:20260915T140000
            DTEND;TZID=Europe/Dublin:20260915T143000
            END:VEVENT",
        taken: &["2026-09-15T13:00:00Z"],
        free: &["2026-09-15T09:00:00Z", "2026-09-15T13:30:00Z"],
    })
    .await;
}

/// A final occurrence that starts before UNTIL and lasts four days is busy on its third.
#[tokio::test]
async fn the_last_of_a_series_is_busy_to_its_end() {
    holds(Pinned {
        now: "2026-09-01T12:00:00Z",
        lines: "BEGIN:VEVENT
            UID:1
            DTSTART;TZID=Europe/Dublin:20260801T090000
            DTEND;TZID=Europe/Dublin:20260805T090000
            RRULE:FREQ=WEEKLY;UNTIL=20260905T080000Z
            END:VEVENT",
        taken: &[
            "2026-09-05T08:00:00Z",
            "2026-09-07T10:00:00Z",
            "2026-09-09T07:30:00Z",
        ],
        free: &[
            "2026-09-05T07:30:00Z",
            "2026-09-09T08:00:00Z",
            "2026-09-12T08:00:00Z",
        ],
    })
    .await;
}
