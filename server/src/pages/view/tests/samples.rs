//! Every page with sample facts: what the tests look at, and what a preview shows.

use jiff::civil::date;
use shared::{
    instant::{Day, Instant},
    locale::Locale,
    zone::{Zone, Zones},
};

use crate::pages::view::{
    Answer, Answered, AnsweredValue, At, Booking, CancelPage, CancelledBy, Choice, DaySlots,
    DaysPage, Fault, FormNotice, FormPage, HomePage, HostPage, ListedHost, ListedType, ManagePage,
    MovePage, Notice, PageAddress, Place, Problem, PublicPage, Question, QuestionKind, Reader,
    Refusal, RefusalPage, ReviewPage, SentPage, State, Trouble, Typed, Weeks, not_found,
};

/// The manage token of the samples.
pub(super) const TOKEN: &str = "5f0c1e9ab27d4c3388e1f6a09d2b7c45e8f1a3b6c9d0e2f4a5b7c8d9e0f1a2b3";
/// The idempotency key of the samples.
pub(super) const KEY: &str = "01939f3a-7b1c-7d2e-8f40-5a6b7c8d9e0f";
/// The revision of the samples' booking.
pub(super) const REVISION: i64 = 7;

/// A page of the samples.
pub(super) struct Sample {
    /// What it is.
    pub(super) name: String,
    /// Its HTML.
    pub(super) html: String,
    /// Whether it shows text that somebody typed.
    pub(super) typed: bool,
}

/// What people typed.
pub(super) struct Texts {
    title: String,
    description: String,
    host: String,
    name: String,
    email: String,
    note: String,
    guests: Vec<String>,
    label: String,
    options: Vec<String>,
    location: String,
}

impl Texts {
    /// What one would expect.
    pub(super) fn natural(locale: Locale) -> Self {
        let text = |en: &str, zh: &str| match locale {
            Locale::En => en.to_owned(),
            Locale::ZhCn => zh.to_owned(),
        };
        Self {
            title: text("Portfolio review", "作品集点评"),
            description: text(
                "A conversation about your work. Bring two or three pieces that you would like \
                 to talk about, finished or not.",
                "聊聊您的作品。请准备两三件想讨论的作品，完成与否都可以。",
            ),
            host: text("Ana Lindqvist", "林安娜"),
            name: text("Kofi Mensah", "王小明"),
            email: "kofi@example.com".to_owned(),
            note: text("I will join by phone.", "我会用手机参加。"),
            guests: vec!["mara@example.com".to_owned(), "ben@example.org".to_owned()],
            label: text("What would you like to talk about?", "您想聊什么？"),
            options: ["Print", "Screens", "Something else"]
                .map(str::to_owned)
                .to_vec(),
            location: "https://meet.example.com/ana-lindqvist".to_owned(),
        }
    }

    /// The same text everywhere.
    pub(super) fn all(text: &str) -> Self {
        let text = text.to_owned();
        Self {
            title: text.clone(),
            description: text.clone(),
            host: text.clone(),
            name: text.clone(),
            email: text.clone(),
            note: text.clone(),
            guests: vec![text.clone()],
            label: text.clone(),
            options: vec![text.clone(), "b".to_owned()],
            location: text,
        }
    }
}

struct Stage {
    zones: Zones,
    paris: Zone,
    new_york: Zone,
    now: Instant,
    days: Vec<DaySlots>,
    start: Instant,
    end: Instant,
}

fn at(text: &str) -> Instant {
    text.parse().unwrap()
}

/// Weekdays from 2026-11-30 on, 09:00 to 17:00 in Paris, some taken.
fn stage() -> Stage {
    let zones = Zones::bundled();
    let (paris, new_york) = (
        zones.get("Europe/Paris").unwrap(),
        zones.get("America/New_York").unwrap(),
    );
    let mut days = Vec::new();
    let mut day = date(2026, 12, 1);
    while day <= date(2026, 12, 30) {
        let weekday = day.weekday().to_monday_zero_offset();
        let open = i64::from(day.day()) * 7 % 17;
        if weekday < 5 && open > 1 && day != date(2026, 12, 25) {
            let first = paris.instant(day.at(9, 0, 0, 0)).unwrap();
            let starts = (0..16).filter(|n| (n * 5 + i64::from(day.day())) % 17 < open);
            days.push(DaySlots {
                date: Day(day),
                starts: starts.map(|n| first.plus_minutes(30 * n)).collect(),
            });
        }
        day = day.tomorrow().unwrap();
    }
    Stage {
        zones,
        paris,
        new_york,
        now: at("2026-11-30T16:20:00Z"),
        days,
        start: at("2026-12-08T13:30:00Z"),
        end: at("2026-12-08T14:00:00Z"),
    }
}

/// Every page in a language.
pub(super) fn all(locale: Locale, texts: &Texts) -> Vec<Sample> {
    let stage = stage();
    let reader = Reader {
        locale,
        lang_asked: locale != Locale::En,
    };
    let mut samples = booking_pages(reader, texts, &stage);
    samples.extend(manage_pages(reader, texts, &stage));
    samples.extend(plain_pages(reader, texts));
    samples
}

fn sample(name: &str, html: String) -> Sample {
    Sample {
        name: name.to_owned(),
        html,
        typed: true,
    }
}

fn public(texts: &Texts) -> PublicPage<'_> {
    PublicPage {
        address: PageAddress {
            handle: "ana",
            code: "k3x9q2ab",
        },
        title: &texts.title,
        description: Some(&texts.description),
        host_name: &texts.host,
        duration_min: 30,
        by_mail: true,
    }
}

fn choice<'a>(stage: &'a Stage, days: &'a [DaySlots], chosen: Option<Day>) -> Choice<'a> {
    let (today, last) = (Day(date(2026, 11, 30)), Day(date(2026, 12, 30)));
    Choice {
        zones: &stage.zones,
        zone: &stage.paris,
        zone_asked: chosen.is_some(),
        host_zone: &stage.paris,
        now: stage.now,
        weeks: Weeks::new(today, last, None, chosen),
        days,
    }
}

fn booking_pages(reader: Reader, texts: &Texts, stage: &Stage) -> Vec<Sample> {
    let page = public(texts);
    let show = |choice, gone| {
        let page = DaysPage {
            reader,
            page,
            choice,
            gone,
        };
        page.html()
    };
    let days = |choice| show(choice, false);
    let day = Day(date(2026, 12, 8));
    let weekend = Day(date(2026, 12, 12));
    let far = Choice {
        weeks: Weeks::new(
            Day(date(2026, 11, 30)),
            Day(date(2027, 6, 1)),
            Some(Day(date(2027, 2, 1))),
            None,
        ),
        ..choice(stage, &[], None)
    };
    let mut samples = vec![
        sample("days", days(choice(stage, &stage.days, None))),
        sample("days-none", days(far)),
        sample("day", days(choice(stage, &stage.days, Some(day)))),
        sample("day-none", days(choice(stage, &stage.days, Some(weekend)))),
        sample(
            "day-gone",
            show(choice(stage, &stage.days, Some(day)), true),
        ),
    ];
    samples.extend(forms(reader, texts, stage));
    let sent = SentPage {
        reader,
        page,
        zone: &stage.paris,
        start: stage.start,
        end: stage.end,
        email: &texts.email,
        lapses_at: stage.now.plus_minutes(30),
        dev_mail: false,
    };
    samples.push(sample("sent", sent.html()));
    let sent = SentPage {
        dev_mail: true,
        ..sent
    };
    samples.push(sample("sent-dev", sent.html()));
    samples
}

fn forms(reader: Reader, texts: &Texts, stage: &Stage) -> Vec<Sample> {
    let many: Vec<String> = (1..=9)
        .map(|n| format!("{} {n}", texts.options[0]))
        .collect();
    let question = |id, kind, required| Question {
        id,
        label: &texts.label,
        kind,
        required,
    };
    let questions = [
        question("q1", QuestionKind::ShortText, true),
        question("q2", QuestionKind::LongText, false),
        question("q3", QuestionKind::Choice(&texts.options), true),
        question("q4", QuestionKind::MultipleChoice(&texts.options), false),
        question("q5", QuestionKind::YesNo, false),
        question("q6", QuestionKind::Phone, true),
        question("q7", QuestionKind::Choice(&many), false),
    ];
    let answer = |id: &str, value: &str| Answer {
        question: id.to_owned(),
        values: vec![value.to_owned()],
    };
    let typed = Typed {
        name: texts.name.clone(),
        email: texts.email.clone(),
        note: texts.note.clone(),
        guests: texts.guests.join("\n"),
        answers: vec![
            answer("q1", &texts.note),
            answer("q2", &texts.note),
            answer("q3", &texts.options[0]),
            answer("q4", &texts.options[0]),
            answer("q5", "yes"),
            answer("q6", &texts.note),
            answer("q7", &many[2]),
        ],
    };
    let problem = |at, fault| Problem { at, fault };
    let problems = [
        problem(At::Start, Fault::NotOffered),
        problem(At::Name, Fault::Missing),
        problem(At::Email, Fault::Malformed),
        problem(At::Note, Fault::TooLong { max: Some(2000) }),
        problem(At::Guests, Fault::GuestMalformed { nth: 2 }),
        problem(At::Guests, Fault::TooMany { max: 10 }),
        problem(At::Question("q3".to_owned()), Fault::Missing),
        problem(At::Question("q4".to_owned()), Fault::NotAnOption),
        problem(At::Question("q6".to_owned()), Fault::Malformed),
        problem(At::Question("gone".to_owned()), Fault::Other),
    ];
    let empty = Typed::default();
    let new = FormPage {
        reader,
        page: public(texts),
        zone: &stage.paris,
        start: stage.start,
        end: stage.end,
        questions: &questions[2..4],
        guests_max: Some(10),
        typed: &empty,
        idempotency_key: KEY,
        trouble: Trouble::None,
    };
    let back = FormPage {
        questions: &questions,
        typed: &typed,
        ..new
    };
    let instant = FormPage {
        page: PublicPage {
            by_mail: false,
            description: None,
            ..new.page
        },
        questions: &[],
        guests_max: None,
        ..new
    };
    let left: Vec<_> = stage.days[3..5].to_vec();
    let with = |trouble| FormPage { trouble, ..back }.html();
    let few = FormPage {
        questions: &questions[2..4],
        trouble: Trouble::Taken(&left),
        ..back
    };
    let busy = FormNotice::TooMany { retry_after_s: 900 };
    vec![
        sample("form", new.html()),
        sample("form-instant", instant.html()),
        sample("form-problems", with(Trouble::Problems(&problems))),
        sample("form-taken", few.html()),
        sample("form-taken-none", with(Trouble::Taken(&[]))),
        sample("form-too-many", with(Trouble::Notice(busy))),
        sample(
            "form-times-unknown",
            with(Trouble::Notice(FormNotice::TimesUnknown)),
        ),
        sample(
            "form-sent-before",
            with(Trouble::Notice(FormNotice::SentBefore)),
        ),
    ]
}

fn manage_pages(reader: Reader, texts: &Texts, stage: &Stage) -> Vec<Sample> {
    let answered = |value| Answered {
        label: &texts.label,
        value,
    };
    let answers = [
        answered(AnsweredValue::Text(&texts.note)),
        answered(AnsweredValue::Options(&texts.options)),
        answered(AnsweredValue::YesNo(true)),
    ];
    let booking = Booking {
        token: TOKEN,
        revision: REVISION,
        title: &texts.title,
        description: Some(&texts.description),
        start: stage.start,
        end: stage.end,
        zone: &stage.new_york,
        host_zone: &stage.paris,
        host_name: &texts.host,
        host_email: Some("ana@example.com"),
        place: Some(Place::Link(&texts.location)),
        answers: &answers,
        booker_name: &texts.name,
        booker_email: &texts.email,
        guests: &texts.guests,
        note: Some(&texts.note),
        again: Some(public(texts).address),
    };
    let manage = |state, notice| {
        let page = ManagePage {
            reader,
            booking,
            state,
            notice,
        };
        page.html()
    };
    let taking_place = |place| {
        let page = ManagePage {
            reader,
            booking: Booking {
                place: Some(place),
                ..booking
            },
            state: State::Started,
            notice: None,
        };
        page.html()
    };
    let cancelled = |by| State::Cancelled { by };
    let held = State::Held {
        lapses_at: stage.now.plus_minutes(30),
    };
    let sure = |moves_left| State::Confirmed { moves_left };
    let lapsed = |lapsed_at| State::Expired { lapsed_at };
    let mut samples = vec![
        sample("held", manage(held, None)),
        sample("confirmed", manage(sure(5), Some(Notice::Confirmed))),
        sample("confirmed-limit", manage(sure(0), Some(Notice::Changed))),
        sample("host-calls", taking_place(Place::HostCalls(None))),
        sample(
            "host-calls-number",
            taking_place(Place::HostCalls(Some(&texts.note))),
        ),
        sample("call-host", taking_place(Place::CallHost(&texts.note))),
        sample("place", taking_place(Place::Text(&texts.location))),
        sample("started", manage(State::Started, Some(Notice::Started))),
        sample("finished", manage(State::Finished, None)),
        sample(
            "cancelled-booker",
            manage(cancelled(CancelledBy::Booker), Some(Notice::Cancelled)),
        ),
        sample("cancelled-host", manage(cancelled(CancelledBy::Host), None)),
        sample(
            "cancelled-coordinator",
            manage(cancelled(CancelledBy::Coordinator), None),
        ),
        sample(
            "expired",
            manage(lapsed(Some(stage.now)), Some(Notice::HoldLapsed)),
        ),
        sample("given-up", manage(lapsed(None), Some(Notice::GivenUp))),
    ];
    let moving = |chosen, notice| {
        let page = MovePage {
            reader,
            booking,
            choice: choice(stage, &stage.days, chosen),
            notice,
        };
        page.html()
    };
    let day = Some(Day(date(2026, 12, 10)));
    samples.push(sample("move", moving(None, None)));
    samples.push(sample("move-day", moving(day, Some(Notice::Taken))));
    let review = ReviewPage {
        reader,
        booking,
        zone: &stage.new_york,
        start: at("2026-12-10T15:00:00Z"),
        end: at("2026-12-10T15:30:00Z"),
        idempotency_key: KEY,
        notice: None,
    };
    samples.push(sample("review", review.html()));
    let cancel = CancelPage {
        reader,
        booking,
        reason: "",
        fault: None,
        notice: None,
    };
    samples.push(sample("cancel", cancel.html()));
    let too_long = CancelPage {
        reason: &texts.note,
        fault: Some(Fault::TooLong { max: Some(2000) }),
        ..cancel
    };
    samples.push(sample("cancel-problem", too_long.html()));
    samples
}

fn plain_pages(reader: Reader, texts: &Texts) -> Vec<Sample> {
    let hosts = [
        ListedHost {
            name: &texts.host,
            handle: "ana",
        },
        ListedHost {
            name: "Chidi",
            handle: "chidi",
        },
    ];
    let listed = |code, description, duration_min| ListedType {
        code,
        title: &texts.title,
        description,
        duration_min,
    };
    let types = [
        listed("k3x9q2ab", Some(texts.description.as_str()), 30),
        listed("coffee", None, 90),
    ];
    let host = HostPage {
        reader,
        handle: "ana",
        host_name: &texts.host,
        types: &types,
    };
    let home = |hosts| HomePage { reader, hosts }.html();
    let mut samples = vec![
        sample("home", home(&hosts)),
        sample("home-nobody", home(&[])),
        sample("host", host.html()),
        sample("not-found", not_found().to_owned()),
    ];
    for (name, refusal) in [
        ("malformed", Refusal::Malformed),
        ("foreign", Refusal::Foreign),
        ("method", Refusal::Method),
        ("too-large", Refusal::TooLarge),
        ("content-type", Refusal::ContentType),
        ("too-many", Refusal::TooMany { retry_after_s: 30 }),
        ("internal", Refusal::Internal),
        ("times-unknown", Refusal::TimesUnknown),
        ("busy", Refusal::Busy),
    ] {
        samples.push(sample(name, RefusalPage { reader, refusal }.html()));
    }
    for held in &mut samples {
        held.typed = matches!(held.name.as_str(), "home" | "host");
    }
    samples
}
