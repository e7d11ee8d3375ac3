//! Manage tokens: what opens a booking, and what does not.

use holdfast_tests::{
    Answer, Flow,
    flow::{SAM, id},
};
use reqwest::Method;
use serde_json::{Value, json};

/// Every call below `/v1/manage`, with a body that is good.
fn calls() -> [(Method, &'static str, Option<Value>); 6] {
    [
        (Method::GET, "", None),
        (Method::GET, "/slots", None),
        (Method::GET, "/calendar.ics", None),
        (Method::POST, "/confirm", Some(json!({}))),
        (Method::POST, "/cancel", Some(json!({}))),
        (
            Method::POST,
            "/reschedule",
            Some(json!({ "start": "2026-06-02T14:00:00Z", "expected_revision": 0 })),
        ),
    ]
}

async fn call(
    flow: &Flow,
    method: &Method,
    path: &str,
    body: Option<&Value>,
    token: Option<&str>,
) -> Answer {
    let mut request = flow.request(method.clone(), &format!("/v1/manage{path}"));
    if let Some(token) = token {
        request = request.header("X-Manage-Token", token);
    }
    if let Some(body) = body {
        request = request.json(body);
    }
    flow.send(request).await
}

/// R15: the same status and the same bytes.
#[tokio::test]
async fn unknown_malformed_and_missing_tokens_are_one_404() {
    let flow = Flow::start().await;
    let host = flow.host("ana").make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    let before = flow.database.rows().await;
    let booking = flow.text("SELECT id::text FROM bookings").await;
    let hash = flow
        .text("SELECT encode(token_hash, 'hex') FROM manage_tokens LIMIT 1")
        .await;
    let upper = token.to_uppercase();
    let nearly = format!(
        "{}{}",
        &token[..63],
        if token.ends_with('0') { '1' } else { '0' }
    );
    let wrong = [
        None,
        Some(""),
        Some("x"),
        Some("0000000000000000000000000000000000000000000000000000000000000000"),
        Some(nearly.as_str()),
        Some(&token[..63]),
        Some(upper.as_str()),
        Some(booking.as_str()),
        Some(hash.as_str()),
        Some("' OR 1=1 --"),
    ];
    let mut first: Option<(u16, Vec<u8>)> = None;
    for (method, path, body) in &calls() {
        for token in wrong {
            let answer = call(&flow, method, path, body.as_ref(), token).await;
            let seen = (answer.status.as_u16(), answer.body.clone());
            assert_eq!(seen.0, 404, "{path} {token:?}");
            assert_eq!(answer.code(), "not_found");
            assert_eq!(
                *first.get_or_insert_with(|| seen.clone()),
                seen,
                "{path} {token:?}"
            );
        }
    }
    assert_eq!(flow.database.rows().await, before);
    assert_eq!(flow.look("", &token).await.status, 200);
    flow.end().await;
}

/// R1 and the security rules: looking changes nothing, whatever the state.
#[tokio::test]
async fn no_get_changes_anything() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let token = flow.link(&host, "2026-06-02T10:00:00Z", SAM).await;
    for state in ["held", "confirmed", "cancelled"] {
        match state {
            "confirmed" => drop(flow.confirm(&token).await),
            "cancelled" => drop(flow.cancel(&token).await),
            _ => {}
        }
        flow.mail.drain().await;
        let before = flow.database.rows().await;
        for path in [
            "",
            "/slots",
            "/calendar.ics",
            "/confirm",
            "/cancel",
            "/reschedule",
        ] {
            for method in [Method::GET, Method::HEAD, Method::OPTIONS] {
                call(&flow, &method, path, None, Some(&token)).await;
            }
        }
        assert_eq!(flow.look("", &token).await.json()["state"], state);
        assert_eq!(flow.database.rows().await, before, "{state}");
    }
    flow.end().await;
}

/// R14: every token opens its booking for as long as there is one, and no other.
#[tokio::test]
async fn every_token_opens_its_own_booking_for_good() {
    let flow = Flow::start().await;
    let host = flow.host("ana").by_mail().make().await;
    let mut links = Vec::new();
    for start in ["2026-06-02T10:00:00Z", "2026-06-02T12:00:00Z"] {
        let token = flow.link(&host, start, SAM).await;
        let booking = id(&flow.look("", &token).await.json());
        links.push((booking, token));
    }
    let (booking, token) = links[0].clone();
    flow.confirm(&token).await;
    flow.mail.drain().await;
    links.push((booking, flow.mail.token(SAM)));
    flow.reschedule(&token, "2026-06-02T14:00:00Z", 1).await;
    flow.mail.drain().await;
    links.push((booking, flow.mail.token(SAM)));
    flow.at("2026-06-01T14:00:00Z");
    flow.mail.drain().await;
    links.push((booking, flow.mail.token(SAM)));
    flow.cancel(&token).await;
    flow.mail.drain().await;
    assert_eq!(
        flow.mail.newest(SAM).token(),
        None,
        "nothing is left to manage"
    );
    flow.at("2027-06-01T00:00:00Z");
    for (number, (booking, token)) in links.iter().enumerate() {
        assert_eq!(id(&flow.look("", token).await.json()), *booking, "{number}");
    }
    let mut tokens: Vec<_> = links.into_iter().map(|(_, token)| token).collect();
    tokens.dedup();
    assert_eq!(tokens.len(), 5, "each mail has its own");
    assert_eq!(
        flow.count("manage_tokens WHERE length(token_hash) <> 32")
            .await,
        0
    );
    holdfast_worker::sweeps::pass(&flow.context).await.unwrap();
    flow.end().await;
}
