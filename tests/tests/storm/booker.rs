//! One booker's life: a time is taken, confirmed from the mailbox, moved, cancelled. Each keeps in
//! mind what was answered, and is asked at the end whether that is still so.

use std::sync::Arc;

use holdfast_tests::{
    flow,
    host::TestHost,
    invariants::{Attempt, Outcome},
};
use serde_json::{Value, json};
use shared::{clock::Clock, instant::Instant};
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::{
    client::{Ask, Client},
    dice::Dice,
    mailbox::Mailbox,
};

const QUARTER_S: i64 = 900;
const DAY_S: i64 = 86_400;
/// Moves go so many quarters away, where nobody books: forty days.
const AWAY: i64 = 40 * 96;
/// Bookings spread over so many quarters, from the day after tomorrow.
const SPREAD: u64 = 38 * 96;
/// A meeting on a soon page begins so long after it was booked at the earliest: its reminder is
/// five minutes before, and still ahead.
const SOON_S: i64 = 5 * 60 + 5;

/// A time may come while its booker waits for a mail or a server: a soon meeting begins, and its
/// hold lapses with it.
const TOO_LATE: &[&str] = &["hold_expired", "already_started"];

/// The pages that are booked.
pub struct Pages {
    /// A quarter of an hour, weeks ahead.
    pub later: Vec<TestHost>,
    /// Five minutes, within minutes, by the minute past five that they begin at.
    pub soon: [Vec<TestHost>; 5],
}

/// What all lives share.
pub struct World {
    pub seed: u64,
    pub client: Client,
    pub mailbox: Mailbox,
    pub pages: Pages,
    /// Requests on their way at once: what is over waits.
    pub room: Semaphore,
    pub clock: Clock,
    /// The first bookable day's midnight, in seconds since 1970.
    pub first_day_s: i64,
}

/// A life that was lived.
pub struct Life {
    pub attempt: Attempt,
    pub believed: Option<Believed>,
}

/// The booking as its booker knows it.
pub struct Believed {
    pub id: Uuid,
    pub state: String,
    pub revision: i64,
    pub start: Instant,
    /// A hold that nobody confirms lapses by itself.
    pub may_lapse: bool,
}

/// What a life wants.
struct Wish {
    page: TestHost,
    start: Instant,
    away: Instant,
    guest: bool,
    /// Asks again though it was answered.
    repeats: bool,
    moves: bool,
    cancels: bool,
}

fn wish(world: &World, number: u64) -> Wish {
    // Two neighbours often want the same.
    let shared = Dice::of(world.seed, number / 2);
    let own = Dice::of(world.seed, (1 << 32) + number);
    let alone = own.permille(500);
    let place = if alone { &own } else { &shared };
    let soon = place.permille(40);
    let (page, start, away) = if soon {
        let now = world.clock.now().timestamp().as_second();
        let minute = (now + SOON_S + 59) / 60;
        let pages = &world.pages.soon[usize::try_from(minute % 5).unwrap()];
        let page = &pages[usize::try_from(place.below(pages.len() as u64)).unwrap()];
        (page, minute * 60, minute * 60 + 15 * 60)
    } else {
        let pages = &world.pages.later;
        let page = &pages[usize::try_from(place.below(pages.len() as u64)).unwrap()];
        let quarter = i64::try_from(place.below(SPREAD)).unwrap();
        let at = |quarter: i64| world.first_day_s + quarter * QUARTER_S;
        (page, at(quarter), at(quarter + AWAY))
    };
    Wish {
        page: page.clone(),
        start: Instant::from_second(start).unwrap(),
        away: Instant::from_second(away).unwrap(),
        guest: own.permille(100),
        repeats: own.permille(100),
        moves: own.permille(400),
        cancels: own.permille(300),
    }
}

/// Lives the life of a number.
pub async fn live(world: Arc<World>, number: u64) -> Life {
    let wish = wish(&world, number);
    let address = format!("life{number}@bookers{}.test", number % 7);
    let life = |outcome, believed| Life {
        attempt: Attempt {
            address: address.clone(),
            outcome,
        },
        believed,
    };
    let booked = match book(&world, &wish, number, &address).await {
        Ok(booked) => booked,
        Err((status, _)) => return life(Outcome::Refused(status), None),
    };
    let mut believed = Believed {
        id: flow::id(&booked),
        state: String::new(),
        revision: 0,
        start: wish.start,
        may_lapse: false,
    };
    believed.learn(&booked);
    let outcome = Outcome::Booked {
        id: believed.id,
        start: believed.start,
        end: booked["end"].as_str().unwrap().parse().unwrap(),
    };
    believed.may_lapse = believed.state == "held";
    let token = match booked["manage_token"].as_str() {
        Some(token) => Some(token.to_owned()),
        None => world.mailbox.link(&address).await,
    };
    if let Some(token) = token {
        manage(&world, &wish, number, &token, &mut believed).await;
    }
    life(outcome, Some(believed))
}

async fn book(
    world: &World,
    wish: &Wish,
    number: u64,
    address: &str,
) -> Result<Value, (u16, String)> {
    let mut body =
        json!({ "start": wish.start, "zone": "Europe/Paris", "name": "Sam Lee", "email": address });
    if wish.guest {
        body["guests"] = json!([{ "email": format!("guest{number}@guests.test") }]);
    }
    let path = format!("{}/bookings", wish.page.api);
    let key = format!("book {number}");
    let ask = Ask {
        verb: "book",
        path: &path,
        token: None,
        key: Some(&key),
        body: &body,
        // On a soon page the minute may pass meanwhile.
        refusals: &["slot_taken", "slot_not_offered"],
    };
    let _room = world.room.acquire().await.unwrap();
    let booked = world.client.ask(&ask).await?;
    if wish.repeats
        && let Err(refusal) = world.client.ask(&ask).await
    {
        let fault = format!("I10: a booking that was answered was then refused: {refusal:?}");
        world.client.fault(fault);
    }
    Ok(booked)
}

async fn manage(world: &World, wish: &Wish, number: u64, token: &str, believed: &mut Believed) {
    let _room = world.room.acquire().await.unwrap();
    if believed.state == "held" && !confirm(world, token, believed).await {
        return;
    }
    believed.may_lapse = false;
    if wish.moves {
        reschedule(world, wish, number, token, believed).await;
    }
    if wish.cancels {
        cancel(world, token, believed).await;
    }
}

async fn confirm(world: &World, token: &str, believed: &mut Believed) -> bool {
    let ask = Ask {
        verb: "confirm",
        path: "/v1/manage/confirm",
        token: Some(token),
        key: None,
        body: &json!({}),
        refusals: TOO_LATE,
    };
    let answer = world.client.ask(&ask).await;
    if let Ok(booking) = &answer {
        believed.learn(booking);
    }
    answer.is_ok()
}

async fn reschedule(world: &World, wish: &Wish, number: u64, token: &str, believed: &mut Believed) {
    let key = format!("move {number}");
    let ask = Ask {
        verb: "move",
        path: "/v1/manage/reschedule",
        token: Some(token),
        key: Some(&key),
        body: &json!({ "start": wish.away, "expected_revision": believed.revision }),
        refusals: &["slot_taken", "already_started"],
    };
    let times = if wish.repeats { 2 } else { 1 };
    for _ in 0..times {
        match world.client.ask(&ask).await {
            Ok(booking) => believed.learn(&booking),
            Err(_) => return,
        }
    }
}

async fn cancel(world: &World, token: &str, believed: &mut Believed) {
    let ask = Ask {
        verb: "cancel",
        path: "/v1/manage/cancel",
        token: Some(token),
        key: None,
        body: &json!({ "expected_revision": believed.revision }),
        refusals: TOO_LATE,
    };
    if let Ok(booking) = world.client.ask(&ask).await {
        believed.learn(&booking);
    }
}

impl Believed {
    fn learn(&mut self, booking: &Value) {
        self.state = booking["state"].as_str().unwrap().to_owned();
        self.revision = booking["revision"].as_i64().unwrap();
        self.start = booking["start"].as_str().unwrap().parse().unwrap();
    }

    /// What is the matter with the booking as it stands, if anything is: everything that was
    /// answered holds.
    pub fn fault(&self, state: &str, revision: i32, start: Instant) -> Option<String> {
        let as_told = state == self.state && i64::from(revision) == self.revision;
        let lapsed = self.may_lapse && state == "expired";
        (!(as_told || lapsed) || start != self.start).then(|| {
            format!(
                "I2: {} is {state} at revision {revision} from {start}; its booker was told {} at {} from {}",
                self.id, self.state, self.revision, self.start
            )
        })
    }
}

/// The midnight from which lives book.
pub fn first_day_s(now: Instant) -> i64 {
    now.timestamp().as_second() / DAY_S * DAY_S + 2 * DAY_S
}
