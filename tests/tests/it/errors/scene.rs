//! How a row of the table is played.

use futures::future::LocalBoxFuture;
use holdfast_server::error::Code;
use holdfast_tests::{
    TestApp, Wire,
    app::{Options, TestKey, at},
    calendar,
    database::TestDatabase,
    host::TestHost,
};
use reqwest::{Method, RequestBuilder};
use shared::{
    booking::{RawBooking, State},
    locale::Locale,
    ops::{self, Take, Taken},
    store::bookings,
    token::ManageToken,
};
use uuid::Uuid;

/// A refusal of an operation, and what provokes it.
pub struct Row {
    pub operation: &'static str,
    pub code: Code,
    pub how: How,
}

/// An app with a host, who lists their page, and one booking on Tuesday, 2 June, at nine.
pub struct Stage {
    pub app: TestApp,
    pub host: TestHost,
    /// The booking.
    pub booking: Uuid,
    /// Opens the booking.
    pub token: String,
    /// A meeting that is completed and one that was missed, if the booking is confirmed.
    pub over: Option<(Uuid, Uuid)>,
    /// The host's own calendar, and one that they subscribed to and that was read just now.
    pub calendars: (Uuid, Uuid),
    /// A calendar of the host's that `bea` sees.
    pub team: Uuid,
    /// A calendar of `bea`'s that the host sees.
    pub beas: Uuid,
    /// A feed of busy time of the subscribed calendar, and its path.
    pub feed: (Uuid, String),
    /// The host's. Its last use is far ahead, so that a refused call changes no row at all.
    pub key: TestKey,
}

/// A request that the operation answers well.
pub type Good = fn(&Stage) -> RequestBuilder;

/// What provokes a refusal.
pub enum How {
    /// The good request, from a client who has used up the minute.
    RateLimited(Good),
    /// The good request, while the database is gone.
    Unavailable(Good),
    /// The good request, while the database lacks what this SQL took away.
    Internal(Good, &'static str),
    /// A request on a stage that rows share: a refusal leaves it as it was.
    Asked(Good),
    /// A scene of its own.
    Scene(fn() -> LocalBoxFuture<'static, Scene>),
}

/// An app and the request that it must refuse.
pub struct Scene {
    app: TestApp,
    request: RequestBuilder,
    /// Kept so that what it carries, or does not, stays so until the answer is there.
    _wire: Option<Wire>,
}

impl Scene {
    /// A scene over a database that can be reached.
    pub fn new(app: TestApp, request: RequestBuilder) -> Self {
        Self {
            app,
            request,
            _wire: None,
        }
    }
}

impl Row {
    /// A row.
    pub const fn new(operation: &'static str, code: Code, how: How) -> Self {
        Self {
            operation,
            code,
            how,
        }
    }
}

/// When the booking of a [`Stage`] starts.
pub const START: &str = "2026-06-02T09:00:00Z";

impl Stage {
    /// A stage where the booking is confirmed.
    pub async fn confirmed(options: Options) -> Self {
        let app = TestApp::with(options).await;
        let host = app.host("ana").set("listed", "true".into()).make().await;
        Self::book(app, host).await
    }

    /// A stage where the booking is held, for half an hour from now.
    pub async fn held(options: Options) -> Self {
        let app = TestApp::with(options).await;
        let host = app
            .host("ana")
            .set("listed", "true".into())
            .by_mail()
            .make()
            .await;
        Self::book(app, host).await
    }

    /// Not over HTTP: the gate counts what comes that way.
    async fn book(app: TestApp, host: TestHost) -> Self {
        let Taken { booking, token, .. } = take(&app, &host, START, "sam@guests.test").await;
        let token = match token {
            Some(token) => token,
            None => {
                // A hold's token goes to the mailbox alone, so another is made here.
                let token = ManageToken::mint(&app.context.random).unwrap();
                let mut conn = app.context.pool.acquire().await.unwrap();
                bookings::add_token(&mut conn, &token.hash(), booking.id, None)
                    .await
                    .unwrap();
                token
            }
        };
        let over = match booking.standing.state {
            State::Confirmed => Some((
                over(&app, &host, "2026-06-02T16:00:00Z", "completed").await,
                over(&app, &host, "2026-06-02T15:00:00Z", "no_show").await,
            )),
            _ => None,
        };
        let bea = app.host("bea").make().await;
        let team = calendar::team(&app.context, &host, &[&bea]).await;
        let beas = calendar::team(&app.context, &bea, &[&host]).await;
        let key = app.key(&host).await;
        let now = app.context.clock.now();
        let calendars = (
            calendar::personal(&app.context, &host).await,
            calendar::subscribed(&app.context, &host, Some(now)).await,
        );
        let detail = ops::feed::FeedDetail::BusyOnly;
        let feed = ops::feed::create(&app.context, host.id, calendars.1, "Feed", detail)
            .await
            .unwrap();
        let feed = (feed.id, format!("/feed/{}.ics", feed.token.as_str()));
        app.database
            .run("UPDATE api_keys SET last_used_at = 'infinity'; UPDATE calendar_feeds SET last_used_at = 'infinity'")
            .await;
        Self {
            app,
            host,
            booking: booking.id,
            token: token.as_str().to_owned(),
            over,
            calendars,
            team,
            beas,
            feed,
            key,
        }
    }

    /// A call below `/v1/manage` with the booking's token.
    pub fn manage(&self, method: Method, path: &str) -> RequestBuilder {
        self.app
            .request(method, &format!("/v1/manage{path}"))
            .header("X-Manage-Token", &self.token)
    }

    /// A call with the host's API key.
    pub fn signed(&self, method: Method, path: &str) -> RequestBuilder {
        self.app.signed(&self.key, method, path)
    }

    /// The scene of a request on this stage.
    pub fn scene(self, request: RequestBuilder) -> Scene {
        Scene::new(self.app, request)
    }
}

async fn take(app: &TestApp, host: &TestHost, start: &str, email: &str) -> Taken {
    let (_, code) = host.page.rsplit_once('/').unwrap();
    let request = RawBooking {
        start: at(start),
        zone: "Europe/Paris".into(),
        name: "Sam Lee".into(),
        email: email.into(),
        note: None,
        guests: Vec::new(),
        answers: std::collections::BTreeMap::new(),
        locale: None,
    };
    let take = Take {
        handle: host.handle.clone(),
        code: code.into(),
        request,
        wished: Locale::En,
        ip: None,
        idempotency_key: None,
    };
    ops::book(&app.context, take).await.unwrap()
}

/// A booking that is over, whatever the clock says.
async fn over(app: &TestApp, host: &TestHost, start: &str, state: &str) -> Uuid {
    let taken = take(app, host, start, &format!("{state}@guests.test")).await;
    let id = taken.booking.id;
    app.database
        .run(&format!(
            "UPDATE bookings SET state = '{state}' WHERE id = '{id}'; UPDATE booking_hosts SET active = false WHERE booking_id = '{id}'"
        ))
        .await;
    id
}

async fn rate_limited(good: Good) -> Scene {
    let mut options = Options::default();
    options.limits.requests_per_minute = 1;
    options.limits.key_requests_per_minute = 1;
    let stage = Stage::confirmed(options).await;
    assert_good(&stage, good).await;
    let request = good(&stage);
    stage.scene(request)
}

async fn unavailable(good: Good) -> Scene {
    let database = TestDatabase::create().await;
    let wire = Wire::before(&database).await;
    let options = Options {
        connect: Some(wire.options()),
        ..Options::default()
    };
    let app = TestApp::on(database, options).await;
    let host = app.host("ana").set("listed", "true".into()).make().await;
    let stage = Stage::book(app, host).await;
    assert_good(&stage, good).await;
    let request = good(&stage);
    wire.cut();
    Scene {
        _wire: Some(wire),
        ..stage.scene(request)
    }
}

async fn internal(good: Good, sql: &str) -> Scene {
    let stage = Stage::confirmed(Options::default()).await;
    assert_good(&stage, good).await;
    let request = good(&stage);
    stage.app.database.run(sql).await;
    stage.scene(request)
}

/// Without what provokes the refusal the request is a good one.
async fn assert_good(stage: &Stage, good: Good) {
    let answer = stage.app.send(good(stage)).await;
    assert!(answer.status.is_success(), "{}", answer.text());
}

/// Plays rows one after the other: each gets its status, its code and the media type of problems,
/// says when to come back where that helps, and changes nothing.
pub async fn play(rows: &[Row]) {
    let shared = Stage::confirmed(Options::default()).await;
    for row in rows {
        let scene = match &row.how {
            How::Asked(asked) => {
                refused(row, &shared.app, asked(&shared)).await;
                continue;
            }
            How::RateLimited(good) => rate_limited(*good).await,
            How::Unavailable(good) => unavailable(*good).await,
            How::Internal(good, sql) => internal(*good, sql).await,
            How::Scene(set) => set().await,
        };
        let Scene {
            app,
            request,
            _wire,
        } = scene;
        refused(row, &app, request).await;
        app.end().await;
    }
    shared.app.end().await;
}

async fn refused(row: &Row, app: &TestApp, request: RequestBuilder) {
    let what = format!("{} {}", row.operation, row.code.as_str());
    let before = app.database.rows().await;
    let answer = app.send(request).await;
    assert_eq!(
        answer.status,
        row.code.status().as_u16(),
        "{what}: {}",
        answer.text()
    );
    assert_eq!(
        answer.header("content-type"),
        "application/problem+json",
        "{what}"
    );
    assert_eq!(answer.header("cache-control"), "no-store", "{what}");
    let problem = answer.json();
    assert_eq!(problem["code"], row.code.as_str(), "{what}");
    assert_eq!(
        problem["type"],
        format!("urn:holdfast:problem:{}", row.code.as_str()),
        "{what}"
    );
    assert_eq!(problem["title"], row.code.title(), "{what}");
    assert_eq!(problem["status"], row.code.status().as_u16(), "{what}");
    assert!(
        problem["detail"]
            .as_str()
            .is_some_and(|detail| !detail.is_empty()),
        "{what}"
    );
    // Whoever holds a booking's token is told what the booking is now.
    let tells = row.code.status() == 409
        && row.operation != "createBooking"
        && !matches!(
            row.code,
            Code::NotSubscribed
                | Code::TooManyCalendars
                | Code::TooManyFeeds
                | Code::CalendarReadOnly
                | Code::BookedEventLocked
                | Code::PersonalCalendar
                | Code::CalendarHasBookings
        );
    assert_eq!(
        problem["booking"]["id"].is_string(),
        tells,
        "{what}: {problem}"
    );
    // The first fault of what cannot be read, all faults of what breaks a rule.
    let names = matches!(
        row.code,
        Code::InvalidParameter
            | Code::InvalidHeader
            | Code::UnknownZone
            | Code::ValidationFailed
            | Code::GuestsNotAllowed
    );
    assert!(
        !names
            || problem["errors"]
                .as_array()
                .is_some_and(|errors| !errors.is_empty()),
        "{what}: {problem}"
    );
    if matches!(row.code.status().as_u16(), 429 | 503) {
        let seconds: u32 = answer
            .header("retry-after")
            .parse()
            .unwrap_or_else(|error| panic!("{what}: Retry-After {error}"));
        assert!((1..=86_400).contains(&seconds), "{what}: {seconds}");
    }
    assert_eq!(
        app.database.rows().await,
        before,
        "{what} changed something"
    );
}
