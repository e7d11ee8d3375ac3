//! Random lives of bookings, against a model: whatever is asked in whatever order, the state, the
//! revision, the time and the mail are what the rules say.

use holdfast_tests::{
    Flow,
    app::{Options, at},
    flow::{by_host, id},
};
use serde_json::Value;
use shared::{
    ops::{self, Attendance, Move},
    random::Random,
};

struct Life {
    token: String,
    booking: Value,
    state: &'static str,
    revision: i32,
    start: String,
}

/// A week of random requests by bookers and hosts, with a worker now and then.
#[tokio::test]
async fn random_lives_end_where_a_model_says() {
    let mut options = Options::default();
    options.limits.booker_reschedules = 1_000;
    let flow = Flow::with(options).await;
    let host = flow.host("ana").by_mail().make().await;
    let dice = Random::seeded(7);
    let roll = |sides: u8| dice.bytes::<1>().unwrap()[0] % sides;
    let mut lives = Vec::new();
    for number in 0..24_i64 {
        let start = at("2026-06-03T09:00:00Z")
            .plus_minutes(24 * 60 * (number / 8) + 60 * (number % 8))
            .to_string();
        let token = flow
            .link(&host, &start, &format!("n{number}@bookers.test"))
            .await;
        let booking = flow.look("", &token).await.json();
        lives.push(Life {
            token,
            booking,
            state: "held",
            revision: 0,
            start,
        });
    }
    for step in 0..150 {
        let number = usize::from(roll(24));
        let taken: Vec<String> = lives
            .iter()
            .filter(|life| ["held", "confirmed"].contains(&life.state))
            .map(|life| life.start.clone())
            .collect();
        let life = &mut lives[number];
        let day = 3 + roll(5);
        let start = format!("2026-06-0{day}T{:02}:00:00Z", 9 + roll(8));
        let by_booker = roll(3) > 0;
        let verb = roll(6);
        let went = match verb {
            0 | 1 => flow.confirm(&life.token).await.status == 200,
            2 | 3 if by_booker => {
                flow.reschedule(&life.token, &start, life.revision)
                    .await
                    .status
                    == 200
            }
            2 | 3 => {
                let to = Move {
                    start: at(&start),
                    expected_revision: life.revision,
                    zone: None,
                    key: None,
                };
                ops::reschedule(&flow.context, by_host(&host, &life.booking), to)
                    .await
                    .is_ok()
            }
            4 if by_booker => flow.cancel(&life.token).await.status == 200,
            4 => ops::cancel(&flow.context, by_host(&host, &life.booking), None, None)
                .await
                .is_ok(),
            _ => ops::finish(
                &flow.context,
                host.id,
                id(&life.booking),
                Attendance::Completed,
                None,
            )
            .await
            .is_ok(),
        };
        let free = start != life.start && !taken.contains(&start);
        let can = match (verb, life.state) {
            (0 | 1, "held" | "confirmed") => true,
            (2 | 3, "confirmed") => free,
            (4, "held" | "confirmed") => true,
            (4, "cancelled by booker") => by_booker,
            (4, "cancelled by host") => !by_booker,
            _ => false,
        };
        assert_eq!(
            went, can,
            "step {step}: verb {verb} by booker {by_booker} on {} to {start}",
            life.state
        );
        if went {
            let after = match (verb, life.state) {
                (0 | 1, _) => "confirmed",
                (2 | 3, _) => "confirmed",
                (_, "held") => "expired",
                (_, "confirmed") if by_booker => "cancelled by booker",
                (_, "confirmed") => "cancelled by host",
                (_, state) => state,
            };
            if after != life.state || matches!(verb, 2 | 3) {
                life.revision += 1;
            }
            if matches!(verb, 2 | 3) {
                life.start = start;
            }
            life.state = after;
        }
        if roll(4) == 0 {
            flow.mail.drain().await;
        }
    }
    for life in &lives {
        let seen = flow.look("", &life.token).await.json();
        let state = life.state.split(' ').next().unwrap();
        assert_eq!(
            (
                seen["state"].as_str().unwrap(),
                &seen["revision"],
                seen["start"].as_str().unwrap()
            ),
            (state, &life.revision.into(), life.start.as_str())
        );
    }
    assert!(lives.iter().filter(|life| life.revision > 2).count() > 3);
    flow.at("2026-06-30T00:00:00Z");
    holdfast_worker::sweeps::pass(&flow.context).await.unwrap();
    flow.end().await;
}
