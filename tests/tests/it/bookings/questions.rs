//! Answers to a page's questions.

use holdfast_tests::{
    Flow,
    flow::{SAM, wish},
    host::TestHost,
};
use serde_json::{Value, json};

use super::faults;

const KINDS: [(&str, &str, &[&str]); 6] = [
    ("Company?", "short_text", &[]),
    ("What about?", "long_text", &[]),
    ("Which?", "choice", &["this", "that"]),
    ("Which ones?", "multiple_choice", &["red", "green", "blue"]),
    ("First time?", "yes_no", &[]),
    ("Phone?", "phone", &[]),
];

async fn asking(flow: &Flow, handle: &str, required: bool) -> TestHost {
    let builder = KINDS
        .iter()
        .fold(flow.host(handle), |builder, (label, kind, options)| {
            builder.ask(label, kind, required, options)
        });
    builder.make().await
}

/// A wish with an answer to each question, in order; `null` leaves one out.
fn answering(host: &TestHost, start: &str, answers: &[Value]) -> Value {
    let mut wish = wish(start, SAM);
    for (question, answer) in host.questions.iter().zip(answers) {
        if !answer.is_null() {
            wish["answers"][question.to_string()] = answer.clone();
        }
    }
    wish
}

#[tokio::test]
async fn answers_of_every_kind_reach_the_host_and_nobody_else() {
    let flow = Flow::start().await;
    let host = asking(&flow, "ana", true).await;
    let answers = [
        json!("  Ziegler GmbH "),
        json!("Two lines:\n\tthe second."),
        json!("that"),
        json!(["blue", "red"]),
        json!(false),
        json!("+49 (0)89 / 123-45.6"),
    ];
    let answer = flow
        .ask(&host, &answering(&host, "2026-06-02T10:00:00Z", &answers))
        .await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    assert!(!answer.text().contains("Ziegler"), "answers are the host's");
    let letters = flow.mail.drain().await;
    for said in [
        "Company?",
        "Ziegler GmbH",
        "the second.",
        "that",
        "blue",
        "red",
        "First time?",
        "123-45",
    ] {
        assert!(
            letters[0].text.contains(said),
            "{said} in {}",
            letters[0].text
        );
    }
    assert!(!letters[1].text.contains("Ziegler"));
    assert!(!letters[0].ics().0.contains("Ziegler"));
    flow.end().await;
}

#[tokio::test]
async fn optional_questions_may_stay_unanswered_in_every_way() {
    let flow = Flow::start().await;
    let host = asking(&flow, "ana", false).await;
    let unanswered: [(&str, [Value; 6]); 3] = [
        (
            "09",
            [
                json!(""),
                json!("  "),
                json!(""),
                json!([]),
                Value::Null,
                json!(""),
            ],
        ),
        ("10", std::array::from_fn(|_| Value::Null)),
        (
            "11",
            [
                json!("x"),
                Value::Null,
                Value::Null,
                json!(["green"]),
                json!(true),
                Value::Null,
            ],
        ),
    ];
    for (hour, answers) in unanswered {
        let start = format!("2026-06-02T{hour}:00:00Z");
        let answer = flow.ask(&host, &answering(&host, &start, &answers)).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
    }
    // An explicit null is no answer either.
    let mut wish = wish("2026-06-02T12:00:00Z", SAM);
    wish["answers"] = json!({ host.questions[0].to_string(): null });
    assert_eq!(flow.ask(&host, &wish).await.status, 201);
    assert_eq!(flow.count("bookings WHERE answers_sealed IS NULL").await, 3);
    flow.end().await;
}

#[tokio::test]
async fn every_wrong_answer_is_named_with_its_code() {
    let flow = Flow::start().await;
    let host = asking(&flow, "ana", true).await;
    let long = |chars: usize| json!("é".repeat(chars));
    let cases: [(usize, Value, &str); 20] = [
        (0, json!(7), "invalid_answer"),
        (0, long(501), "too_long"),
        (0, json!("two\nlines"), "control_characters"),
        (0, json!("  "), "missing"),
        (1, json!(["a"]), "invalid_answer"),
        (1, long(5001), "too_long"),
        (1, json!("a\u{7}bell"), "control_characters"),
        (2, json!("neither"), "not_an_option"),
        (2, json!(true), "invalid_answer"),
        (2, json!(""), "missing"),
        (3, json!("red"), "invalid_answer"),
        (3, json!(["red", 7]), "invalid_answer"),
        (3, json!(["red", "black"]), "not_an_option"),
        (3, json!(["red", "red"]), "not_an_option"),
        (3, json!([]), "missing"),
        (4, json!("yes"), "invalid_answer"),
        (4, Value::Null, "missing"),
        (5, json!("1234"), "invalid_phone"),
        (5, json!("ring me"), "invalid_phone"),
        (5, json!("123456789012345678901"), "invalid_phone"),
    ];
    let good = [
        json!("x"),
        json!("y"),
        json!("this"),
        json!(["red"]),
        json!(true),
        json!("12345"),
    ];
    for (question, wrong, code) in cases {
        let mut answers = good.clone();
        answers[question] = wrong.clone();
        let answer = flow
            .ask(&host, &answering(&host, "2026-06-02T10:00:00Z", &answers))
            .await;
        let pointer = format!("/answers/{}", host.questions[question]);
        assert_eq!(faults(&answer), [(pointer, code.to_owned())], "{wrong}");
    }
    let none = flow.book(&host, "2026-06-02T10:00:00Z", SAM).await;
    assert_eq!(faults(&none).len(), 6);
    assert!(faults(&none).iter().all(|(_, code)| code == "missing"));

    // The longest that are allowed, and a question that nobody asked.
    let mut most = good.clone();
    (most[0], most[1]) = (long(500), long(5000));
    let mut wish = answering(&host, "2026-06-02T10:00:00Z", &most);
    let host_only = flow.ask(&host, &wish).await;
    assert_eq!(host_only.status, 201, "{}", host_only.text());
    wish["answers"]["a/b~c"] = json!("?");
    let unknown = flow.ask(&host, &wish).await;
    assert_eq!(
        faults(&unknown),
        [("/answers/a~1b~0c".into(), "unknown_question".into())]
    );
    flow.end().await;
}
