//! List equals bookable: for random rules, busy times and zones every listed slot can be booked,
//! and nothing else can.

use std::collections::BTreeSet;

use holdfast_tests::{
    Flow,
    app::at,
    flow::{SAM, by_host},
    host::{TestHost, starts},
};
use shared::{instant::Instant, ops, random::Random};

/// A small seeded source of choices.
struct Dice(Random);

impl Dice {
    fn roll(&self, sides: u32) -> u32 {
        u32::from_be_bytes(self.0.bytes().unwrap()) % sides
    }

    fn pick<'a, T>(&self, of: &'a [T]) -> &'a T {
        &of[usize::try_from(self.roll(u32::try_from(of.len()).unwrap())).unwrap()]
    }
}

/// Hours such as `mon 9:00-12:35, 14:10-17:00`, a line a weekday.
fn hours(dice: &Dice) -> String {
    let mut lines = Vec::new();
    for day in ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] {
        if dice.roll(4) == 0 {
            continue;
        }
        let first = dice.roll(10) * 60 + dice.roll(12) * 5;
        let mut ranges = Vec::new();
        let mut from = first;
        for _ in 0..=dice.roll(2) {
            let to = from + 60 + dice.roll(60) * 5;
            if to > 24 * 60 {
                break;
            }
            ranges.push(format!(
                "{:02}:{:02}-{:02}:{:02}",
                from / 60,
                from % 60,
                to / 60,
                to % 60
            ));
            from = to + 30 + dice.roll(24) * 5;
        }
        if !ranges.is_empty() {
            lines.push(format!("{day} {}", ranges.join(", ")));
        }
    }
    if lines.is_empty() {
        lines.push("mon 9:00-17:00".into());
    }
    lines.join("\n")
}

async fn random_host(flow: &Flow, dice: &Dice, number: u32) -> TestHost {
    let zones = [
        "UTC",
        "America/New_York",
        "Europe/Dublin",
        "Asia/Kathmandu",
        "Australia/Lord_Howe",
        "Pacific/Apia",
        "America/St_Johns",
    ];
    let duration = u16::try_from(5 * (1 + dice.roll(18))).unwrap();
    let step = u16::try_from(5 * (1 + dice.roll(12))).unwrap();
    let buffer = || u16::try_from(5 * dice.roll(5)).unwrap();
    let mut builder = flow
        .host(&format!("host-{number}"))
        .zone(dice.pick::<&str>(&zones))
        .free(&hours(dice))
        .minutes(duration, step)
        .buffers(buffer(), buffer())
        .set("notice_min", (60 * dice.roll(30)).to_string())
        .set("horizon_days", (4 + dice.roll(8)).to_string());
    if dice.roll(3) == 0 {
        builder = builder.set("limit_per_day", (1 + dice.roll(3)).to_string());
    }
    if dice.roll(2) == 0 {
        builder = builder.set("dst_policy", "'elapsed'".into());
    }
    builder.make().await
}

/// Busy time here and there.
async fn fill(flow: &Flow, dice: &Dice, host: &TestHost, now: Instant) {
    for _ in 0..4 {
        let from = now.plus_minutes(i64::from(dice.roll(10 * 24 * 60)));
        let to = from.plus_minutes(i64::from(1 + dice.roll(300)));
        host.busy(&flow.context, &from.to_string(), &to.to_string())
            .await;
    }
    for kind in ["blocked", "available", "available"] {
        let from = now.plus_minutes(i64::from(dice.roll(10 * 24 * 12)) * 5);
        let to = from.plus_minutes(i64::from(6 + dice.roll(36)) * 5);
        host.except(&flow.context, kind, &from.to_string(), &to.to_string())
            .await;
    }
}

async fn listed(flow: &Flow, host: &TestHost, now: Instant) -> BTreeSet<Instant> {
    let to = now.plus_minutes(13 * 24 * 60);
    let path = host.slots(&now.to_string(), &to.to_string(), "UTC");
    starts(&flow.get(&path).await.json()).into_iter().collect()
}

/// Books what is listed, in a random order and for as long as it stays listed, and between that
/// asks for starts near and far that are not listed.
#[tokio::test]
async fn every_listed_slot_can_be_booked_and_nothing_else_can() {
    let flow = Flow::start().await;
    let dice = Dice(Random::seeded(2026));
    let (mut booked, mut refused) = (0, 0);
    for number in 0..24 {
        // Around a change of the clocks, and not.
        let now = *dice.pick(&[
            "2026-03-27T21:17:00Z",
            "2026-10-23T03:00:00.000001Z",
            "2026-04-03T12:00:00Z",
            "2026-06-10T23:59:59Z",
        ]);
        let now = at(now);
        flow.context.clock.set(now);
        let host = random_host(&flow, &dice, number).await;
        fill(&flow, &dice, &host, now).await;
        for _ in 0..5 {
            let slots = listed(&flow, &host, now).await;
            let near: Vec<Instant> = slots.iter().copied().collect();
            for _ in 0..6 {
                let around = if near.is_empty() {
                    now
                } else {
                    *dice.pick(&near)
                };
                let start = around.plus_minutes(i64::from(dice.roll(800)) - 400);
                let start = if dice.roll(5) == 0 {
                    start.plus(jiff::SignedDuration::from_micros(1))
                } else {
                    start
                };
                if slots.contains(&start) {
                    continue;
                }
                let answer = flow.book(&host, &start.to_string(), SAM).await;
                assert!(
                    [409, 422].contains(&answer.status.as_u16()),
                    "host {number}: {start} is not listed: {}",
                    answer.text()
                );
                refused += 1;
            }
            if near.is_empty() {
                break;
            }
            let start = *dice.pick(&near);
            let answer = flow.book(&host, &start.to_string(), SAM).await;
            assert_eq!(
                answer.status,
                201,
                "host {number}: {start} is listed: {}",
                answer.text()
            );
            booked += 1;
            let gone = listed(&flow, &host, now).await;
            assert!(!gone.contains(&start));
            if dice.roll(3) == 0 {
                let cancelled = by_host(&host, &answer.json());
                ops::cancel(&flow.context, cancelled, None, None)
                    .await
                    .unwrap();
                assert_eq!(listed(&flow, &host, now).await, slots, "all as it was");
            }
        }
    }
    // The dice fall as the seed says: enough of both.
    assert!(
        booked > 60 && refused > 400,
        "{booked} booked, {refused} refused"
    );
    flow.context.clock.set(at("2026-12-01T00:00:00Z"));
    flow.end().await;
}
