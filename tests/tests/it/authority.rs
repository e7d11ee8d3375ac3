//! Who may do what: every operation that takes an API key, with every kind of key that must not
//! open it, and with another host's.
//!
//! An operation is found by its security in the OpenAPI document. To add one, add its [`Row`] to
//! [`ROWS`]: what its path names ([`Thing`]), a good query and body, what its owner is answered,
//! and what another host is. [`every_operation_that_takes_a_key_has_a_row`] is red while a row is
//! missing. A kind of thing that is not there yet needs a variant of [`Thing`], a line in [`Scene::make`], and
//! its ids in [`Scene::names`].

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
};

use holdfast_server::router;
use holdfast_tests::{
    Answer, Flow,
    app::TestKey,
    calendar::{personal, subscribed, team},
    flow::{SAM, id},
    host::TestHost,
};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use shared::{ops, token::hex};

/// What is asked of one operation.
struct Row {
    operation: &'static str,
    /// What stands in the place of each `{…}` of its path, in order.
    path: &'static [Thing],
    /// With its `?`, or empty.
    query: &'static str,
    /// A good body, as JSON, or none.
    body: Option<&'static str>,
    /// The status that the owner's key gets: the request is a good one.
    own: u16,
    /// The status that another host's key gets for the same. 404 where the path names a thing: it
    /// must change nothing then. A success where it does not: nothing of the owner's may be in it.
    foreign: u16,
}

/// Something of a host's that a path can name.
#[derive(Clone, Copy, Debug)]
enum Thing {
    /// A confirmed booking that has not begun.
    Booking,
    /// A subscribed calendar.
    Subscription,
    /// The personal calendar.
    Personal,
    /// A feed of the personal calendar.
    Feed,
    /// A team's calendar, which nobody else sees.
    Calendar,
    /// The handle of a host who is not one of the two.
    OthersHandle,
    /// The host.
    Host,
    /// The host's handle.
    Handle,
    /// The code of the host's page.
    Code,
}

const ROWS: &[Row] = &[
    Row {
        operation: "showMe",
        path: &[],
        query: "",
        body: None,
        own: 200,
        foreign: 200,
    },
    Row {
        operation: "listBookings",
        path: &[],
        query: "?state=confirmed",
        body: None,
        own: 200,
        foreign: 200,
    },
    Row {
        operation: "showHostBooking",
        path: &[Thing::Booking],
        query: "",
        body: None,
        own: 200,
        foreign: 404,
    },
    Row {
        operation: "cancelHostBooking",
        path: &[Thing::Booking],
        query: "",
        body: Some("{}"),
        own: 200,
        foreign: 404,
    },
    Row {
        operation: "rescheduleHostBooking",
        path: &[Thing::Booking],
        query: "",
        body: Some(r#"{ "start": "2026-07-01T09:00:00Z", "expected_revision": 0 }"#),
        own: 200,
        foreign: 404,
    },
    // Who is asked for may not take over; that is told to the booking's host alone.
    Row {
        operation: "reassignBooking",
        path: &[Thing::Booking],
        query: "",
        body: Some(r#"{ "host": "nobody", "expected_revision": 0 }"#),
        own: 422,
        foreign: 404,
    },
    // Both are for meetings that have begun; that this one has not is told to its host alone.
    Row {
        operation: "completeBooking",
        path: &[Thing::Booking],
        query: "",
        body: Some("{}"),
        own: 409,
        foreign: 404,
    },
    Row {
        operation: "markNoShow",
        path: &[Thing::Booking],
        query: "",
        body: Some("{}"),
        own: 409,
        foreign: 404,
    },
    Row {
        operation: "importCalendar",
        path: &[Thing::Personal],
        query: "",
        body: Some(
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260701T090000Z\nEND:VEVENT\nEND:VCALENDAR\n",
        ),
        own: 200,
        foreign: 404,
    },
    Row {
        operation: "listCalendars",
        path: &[],
        query: "",
        body: None,
        own: 200,
        foreign: 200,
    },
    Row {
        operation: "createCalendar",
        path: &[],
        query: "",
        body: Some(r#"{ "name": "Ours" }"#),
        own: 201,
        foreign: 201,
    },
    Row {
        operation: "changeCalendar",
        path: &[Thing::Calendar],
        query: "",
        body: Some(r#"{ "name": "Ours", "counts_as_busy": false }"#),
        own: 200,
        foreign: 404,
    },
    Row {
        operation: "deleteCalendar",
        path: &[Thing::Calendar],
        query: "",
        body: None,
        own: 204,
        foreign: 404,
    },
    Row {
        operation: "addCalendarMember",
        path: &[Thing::Calendar, Thing::OthersHandle],
        query: "",
        body: None,
        own: 200,
        foreign: 404,
    },
    Row {
        operation: "removeCalendarMember",
        path: &[Thing::Calendar, Thing::OthersHandle],
        query: "",
        body: None,
        own: 204,
        foreign: 404,
    },
    Row {
        operation: "showBusy",
        path: &[Thing::Host],
        query: "",
        body: None,
        own: 200,
        foreign: 404,
    },
    Row {
        operation: "explainStart",
        path: &[Thing::Handle, Thing::Code],
        query: "?start=2026-06-02T10:00:00Z",
        body: None,
        own: 200,
        foreign: 404,
    },
    Row {
        operation: "createFeed",
        path: &[Thing::Personal],
        query: "",
        body: Some(r#"{ "name": "For my phone", "detail": "full" }"#),
        own: 201,
        foreign: 404,
    },
    Row {
        operation: "listFeeds",
        path: &[Thing::Personal],
        query: "",
        body: None,
        own: 200,
        foreign: 404,
    },
    Row {
        operation: "deleteFeed",
        path: &[Thing::Personal, Thing::Feed],
        query: "",
        body: None,
        own: 204,
        foreign: 404,
    },
    Row {
        operation: "exportCalendar",
        path: &[Thing::Personal],
        query: "",
        body: None,
        own: 200,
        foreign: 404,
    },
    // Last: what was not read yet keeps busy time from being known.
    Row {
        operation: "subscribeCalendar",
        path: &[],
        query: "",
        body: Some(r#"{ "name": "Work", "address": "https://feeds.example.test/work.ics" }"#),
        own: 201,
        foreign: 201,
    },
    Row {
        operation: "showCalendarSync",
        path: &[Thing::Subscription],
        query: "",
        body: None,
        own: 200,
        foreign: 404,
    },
    Row {
        operation: "syncCalendar",
        path: &[Thing::Subscription],
        query: "",
        body: None,
        own: 202,
        foreign: 404,
    },
];

/// Two hosts, ana and ben, each with a key.
struct Scene {
    flow: Flow,
    ana: TestHost,
    /// Sees ana's calendars.
    dee: TestHost,
    ana_key: TestKey,
    ben_key: TestKey,
    /// How many things of ana's were made.
    made: Cell<u32>,
}

impl Scene {
    async fn set() -> Self {
        let flow = Flow::start().await;
        let ana = flow.host("ana").make().await;
        let ben = flow.host("ben").make().await;
        let dee = flow.host("dee").make().await;
        let (ana_key, ben_key) = (flow.key(&ana).await, flow.key(&ben).await);
        // Each was just used: their last use does not move again while the clock stands.
        for key in [&ana_key, &ben_key] {
            assert_eq!(flow.get_signed(key, "/v1/me").await.status, 200);
        }
        let scene = Self {
            flow,
            ana,
            dee,
            ana_key,
            ben_key,
            made: Cell::new(0),
        };
        // Lists have something to show, and something to hide.
        scene.make(Thing::Booking).await;
        scene.make(Thing::Calendar).await;
        scene
    }

    /// Something new of ana's; answers what a path names it by.
    async fn make(&self, thing: Thing) -> String {
        let context = &self.flow.context;
        let number = self.made.replace(self.made.get() + 1);
        match thing {
            Thing::Booking => {
                let (day, hour) = (3 + number / 8, 9 + number % 8);
                let start = format!("2026-06-{day:02}T{hour:02}:00:00Z");
                id(&self.flow.booked(&self.ana, &start).await).to_string()
            }
            Thing::Personal => personal(context, &self.ana).await.to_string(),
            Thing::Feed => {
                let calendar = personal(context, &self.ana).await;
                let detail = ops::feed::FeedDetail::Full;
                let made = ops::feed::create(context, self.ana.id, calendar, "Feed", detail);
                made.await.unwrap().id.to_string()
            }
            Thing::Subscription => {
                let now = context.clock.now();
                subscribed(context, &self.ana, Some(now)).await.to_string()
            }
            Thing::Calendar => {
                let dee = [&self.dee];
                team(&self.flow.context, &self.ana, &dee).await.to_string()
            }
            Thing::OthersHandle => self.dee.handle.clone(),
            Thing::Host => self.ana.id.to_string(),
            Thing::Handle => self.ana.handle.clone(),
            Thing::Code => self.ana.page.rsplit_once('/').unwrap().1.to_owned(),
        }
    }

    /// The ids of everything that is ana's.
    async fn names(&self) -> Vec<String> {
        let sql = format!(
            "SELECT booking_id::text FROM booking_hosts WHERE host_id = '{0}' UNION ALL SELECT '{0}'
             UNION ALL SELECT id::text FROM calendars WHERE owner_host_id = '{0}'",
            self.ana.id
        );
        self.flow.texts(&sql).await
    }

    /// The request of a row, without a credential, on new things of ana's.
    async fn request(&self, row: &Row) -> Asked<'_> {
        let (path, method) = place(row.operation);
        let mut things = Vec::new();
        for thing in row.path {
            things.push(self.make(*thing).await);
        }
        let mut names = things.iter();
        let parts: Vec<String> = path
            .split('/')
            .map(|part| match part.starts_with('{') {
                true => names.next().expect("a thing for each {…}").clone(),
                false => part.to_owned(),
            })
            .collect();
        assert_eq!(
            names.next(),
            None,
            "{}: a {{…}} for each thing",
            row.operation
        );
        Asked {
            flow: &self.flow,
            method,
            path: parts.join("/") + row.query,
            body: row.body,
        }
    }
}

/// A request that can be sent again, with one credential and with another.
struct Asked<'a> {
    flow: &'a Flow,
    method: Method,
    path: String,
    body: Option<&'static str>,
}

impl Asked<'_> {
    fn bare(&self) -> RequestBuilder {
        let request = self.flow.request(self.method.clone(), &self.path);
        match self.body {
            Some(body) if body.starts_with("BEGIN") => {
                request.header("Content-Type", "text/calendar").body(body)
            }
            Some(body) => request
                .header("Content-Type", "application/json")
                .body(body),
            None => request,
        }
    }

    async fn by(&self, key: &TestKey) -> Answer {
        self.flow.send(self.bare().bearer_auth(&key.text)).await
    }
}

/// The operations that take a key: path and method by their id.
fn operations() -> BTreeMap<String, (String, Method)> {
    let document = serde_json::to_value(router::document()).unwrap();
    let mut found = BTreeMap::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (verb, operation) in item.as_object().unwrap() {
            let schemes = operation["security"].as_array().into_iter().flatten();
            if schemes
                .into_iter()
                .any(|scheme| scheme.get("api_key").is_some())
            {
                let id = operation["operationId"].as_str().unwrap().to_owned();
                let method = verb.to_uppercase().parse().unwrap();
                found.insert(id, (path.clone(), method));
            }
        }
    }
    found
}

fn place(operation: &str) -> (String, Method) {
    operations()
        .remove(operation)
        .unwrap_or_else(|| panic!("{operation} takes no key, or is gone"))
}

#[test]
fn every_operation_that_takes_a_key_has_a_row() {
    let rows: BTreeSet<String> = ROWS.iter().map(|row| row.operation.to_owned()).collect();
    assert_eq!(rows.len(), ROWS.len(), "an operation has two rows");
    let documented: BTreeSet<String> = operations().into_keys().collect();
    let missing: Vec<_> = documented.difference(&rows).collect();
    let superfluous: Vec<_> = rows.difference(&documented).collect();
    assert!(
        missing.is_empty() && superfluous.is_empty(),
        "missing: {missing:?}; superfluous: {superfluous:?}"
    );
}

/// Everything that somebody might present and that opens nothing, with why.
async fn bad_credentials(scene: &Scene) -> Vec<(&'static str, Option<String>)> {
    let flow = &scene.flow;
    let bearer = |key: &str| Some(format!("Bearer {key}"));
    let good = &scene.ana_key.text;
    let revoked = flow.key(&scene.ana).await;
    assert_eq!(flow.get_signed(&revoked, "/v1/me").await.status, 200);
    ops::revoke_key(&flow.context, revoked.id)
        .await
        .unwrap()
        .unwrap();
    let cyd = flow.host("cyd").make().await;
    let inactive = flow.key(&cyd).await;
    assert_eq!(flow.get_signed(&inactive, "/v1/me").await.status, 200);
    flow.sql("UPDATE hosts SET is_active = false WHERE handle = 'cyd'")
        .await;
    let last = if good.ends_with('0') { "1" } else { "0" };
    let token = flow.link(&scene.ana, "2026-06-02T09:00:00Z", SAM).await;
    let digits = good.strip_prefix("hf_key_").unwrap();
    vec![
        ("no header", None),
        ("an empty header", Some(String::new())),
        ("no key", Some("Bearer".into())),
        ("an empty key", bearer("")),
        ("no scheme", Some(good.clone())),
        ("another scheme", Some(format!("Basic {good}"))),
        ("a key of another shape", bearer("nonsense")),
        ("a key that is too short", bearer(&good[..70])),
        ("a key that is too long", bearer(&format!("{good}0"))),
        ("a very long key", bearer(&"a".repeat(4_000))),
        ("a key in capitals", bearer(&good.to_uppercase())),
        ("a key without its prefix", bearer(digits)),
        (
            "an unknown key",
            bearer(&format!("hf_key_{}", "0".repeat(64))),
        ),
        ("nearly a key", bearer(&format!("{}{last}", &good[..70]))),
        (
            "what is stored of a key",
            bearer(&hex(&shared::token::hash(good))),
        ),
        ("a key's id", bearer(&scene.ana_key.id.to_string())),
        ("a booking's manage token", bearer(&token)),
        ("a statement", bearer("' OR true --")),
        ("a revoked key", bearer(&revoked.text)),
        ("an inactive host's key", bearer(&inactive.text)),
    ]
}

/// One 401, the same bytes whatever the credential and whatever the operation, and nothing changes.
///
/// Red when `store::api_keys::find` leaves out `revoked_at IS NULL` or `is_active`, and when a
/// handler takes its path, query or body beside the key instead of behind it.
#[tokio::test]
async fn what_opens_nothing_is_one_401_everywhere() {
    let scene = Scene::set().await;
    let credentials = bad_credentials(&scene).await;
    let mut first: Option<Vec<u8>> = None;
    let mut refused = |what: &str, answer: &Answer| {
        assert_eq!(answer.status, 401, "{what}: {}", answer.text());
        assert_eq!(answer.code(), "unauthenticated", "{what}");
        assert_eq!(answer.header("www-authenticate"), "Bearer", "{what}");
        assert_eq!(answer.header("cache-control"), "no-store", "{what}");
        let first = first.get_or_insert_with(|| answer.body.clone());
        assert_eq!(*first, answer.body, "{what}");
    };
    for row in ROWS {
        let asked = scene.request(row).await;
        let before = scene.flow.database.rows().await;
        for (why, credential) in &credentials {
            let request = match credential {
                Some(value) => asked.bare().header("Authorization", value),
                None => asked.bare(),
            };
            refused(
                &format!("{}, {why}", row.operation),
                &scene.flow.send(request).await,
            );
        }
        let two = asked
            .bare()
            .bearer_auth(&scene.ana_key.text)
            .bearer_auth(&scene.ana_key.text);
        refused(
            &format!("{}, two keys", row.operation),
            &scene.flow.send(two).await,
        );
        // Whatever else is wrong with the request, the key comes first.
        let (path, method) = place(row.operation);
        let path: Vec<&str> = path
            .split('/')
            .map(|part| {
                if part.starts_with('{') {
                    "nonsense"
                } else {
                    part
                }
            })
            .collect();
        let worse = scene
            .flow
            .request(method, &(path.join("/") + "?nonsense=%FF"))
            .header("Content-Type", "text/plain")
            .header("Idempotency-Key", "\u{e9}")
            .body("{");
        refused(
            &format!("{}, all wrong", row.operation),
            &scene.flow.send(worse).await,
        );
        assert_eq!(
            scene.flow.database.rows().await,
            before,
            "{}",
            row.operation
        );
    }
    scene.flow.end().await;
}

/// Another host's key finds nothing of this host's, and the owner's own does.
///
/// Red when `ops::host_booking::read` leaves out the comparison with the key's host.
#[tokio::test]
async fn another_hosts_key_finds_nothing_of_this_hosts() {
    let scene = Scene::set().await;
    for row in ROWS {
        let what = row.operation;
        let asked = scene.request(row).await;
        let before = scene.flow.database.rows().await;
        let answer = asked.by(&scene.ben_key).await;
        assert_eq!(answer.status, row.foreign, "{what}: {}", answer.text());
        if row.foreign == 404 {
            assert_eq!(answer.code(), "not_found", "{what}");
            assert_eq!(scene.flow.database.rows().await, before, "{what}");
        } else {
            let text = answer.text();
            for name in scene.names().await {
                assert!(!text.contains(&name), "{what}: {text}");
            }
        }
        let answer = asked.by(&scene.ana_key).await;
        assert_eq!(answer.status, row.own, "{what}: {}", answer.text());
    }
    scene.flow.end().await;
}

/// The document says so too: whoever generates a client learns which calls need a key.
#[test]
fn the_document_tells_of_the_key_and_of_its_refusal() {
    let document = serde_json::to_value(router::document()).unwrap();
    let scheme = &document["components"]["securitySchemes"]["api_key"];
    assert_eq!(
        (&scheme["type"], &scheme["scheme"]),
        (&json!("http"), &json!("bearer"))
    );
    let keyed = operations();
    assert!(!keyed.is_empty());
    for item in document["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            let Some(id) = operation["operationId"].as_str() else {
                continue;
            };
            let told: &Value = &operation["responses"]["401"]["content"]["application/problem+json"]
                ["examples"]["unauthenticated"];
            assert_eq!(told.is_object(), keyed.contains_key(id), "{id}");
        }
    }
}
