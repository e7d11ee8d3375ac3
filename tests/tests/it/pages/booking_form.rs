//! The booking form: what it asks, what becomes of it, and what was typed when it comes back.
use holdfast_tests::{Answer, TestApp, app::Options, host::TestHost, page::Form};
use reqwest::{Method, header::ACCEPT_LANGUAGE};
use serde_json::{Value, json};
use shared::config::Limits;

use super::{ELEVEN, SAM, TEN, booked, filled, form_path, manage_page, with_mail};

/// A page that asks everything.
async fn asking(app: &TestApp) -> TestHost {
    app.host("ana")
        .guests()
        .ask("Company", "short_text", true, &[])
        .ask("Story", "long_text", false, &[])
        .ask("Size", "choice", true, &["S", "M & L"])
        .ask(
            "Topics",
            "multiple_choice",
            false,
            &["Red", "Green", "Blue"],
        )
        .ask("Met before?", "yes_no", true, &[])
        .ask("Phone", "phone", false, &[])
        .make()
        .await
}

fn field(host: &TestHost, nth: usize) -> String {
    format!("q.{}", host.questions[nth])
}

/// Every field filled in.
async fn everything(app: &TestApp, host: &TestHost) -> Form {
    filled(app, host, TEN, SAM)
        .await
        .with("note", "First line\r\nsecond line")
        .with(
            "guests",
            "kim@bookers.test\r\n\r\nlee@bookers.test, max@bookers.test",
        )
        .with(&field(host, 0), "Acme")
        .with(&field(host, 1), "Long\r\nago")
        .with(&field(host, 2), "M & L")
        .with(&field(host, 3), "Red")
        .and(&field(host, 3), "Blue")
        .with(&field(host, 4), "no")
        .with(&field(host, 5), "+41 44 668 18 00")
}

async fn booking(app: &TestApp, token: &str) -> Value {
    let request = app.request(Method::GET, "/v1/manage");
    app.send(request.header("X-Manage-Token", token))
        .await
        .json()
}

fn token(answer: &Answer) -> String {
    let location = answer.header("location");
    let (path, _) = location.split_once('?').unwrap();
    path.strip_prefix("/book/m/").unwrap().to_owned()
}

#[tokio::test]
async fn every_kind_of_question_is_asked_and_its_answer_is_kept_as_the_api_keeps_it() {
    let app = TestApp::start().await;
    let host = asking(&app).await;
    let form = everything(&app, &host).await;
    for nth in 0..6 {
        assert!(form.controls.contains(&field(&host, nth)), "question {nth}");
    }
    let answer = form.send(&app).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let token = token(&answer);
    let booking = booking(&app, &token).await;
    assert_eq!(booking["note"], "First line\nsecond line");
    assert_eq!(booking["zone"], "Europe/Paris");
    let mut guests: Vec<&str> = booking["guests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|guest| guest["email"].as_str().unwrap())
        .collect();
    guests.sort_unstable();
    assert_eq!(
        guests,
        ["kim@bookers.test", "lee@bookers.test", "max@bookers.test"]
    );
    let page = manage_page(&app, &token, "").await;
    for text in [
        "Acme",
        "Long\nago",
        "M &#38; L",
        "Red",
        "Blue",
        "+41 44 668 18 00",
    ] {
        assert!(page.says(text), "{text}");
    }
    assert!(page.says("<dd>No</dd>"), "no to a yes-or-no question");
    app.end().await;
}

#[tokio::test]
async fn a_form_is_the_same_request_as_its_json() {
    let app = TestApp::start().await;
    let host = asking(&app).await;
    let form = everything(&app, &host).await;
    assert_eq!(form.send(&app).await.status, 303);
    let answers = json!({
        host.questions[0].to_string(): "Acme",
        host.questions[1].to_string(): "Long\nago",
        host.questions[2].to_string(): "M & L",
        host.questions[3].to_string(): ["Red", "Blue"],
        host.questions[4].to_string(): false,
        host.questions[5].to_string(): "+41 44 668 18 00",
    });
    let guest = |email: &str| json!({ "email": email });
    let body = json!({
        "start": TEN, "zone": "Europe/Paris", "name": "Sam Lee", "email": SAM,
        "note": "First line\nsecond line", "answers": answers,
        "guests": [guest("kim@bookers.test"), guest("lee@bookers.test"), guest("max@bookers.test")],
    });
    let request = app.request(Method::POST, &format!("{}/bookings", host.api));
    let key = form.value("idempotency_key").to_owned();
    let again = app
        .send(request.header("Idempotency-Key", key).json(&body))
        .await;
    assert_eq!(again.status, 201, "{}", again.text());
    assert_eq!(again.header("idempotent-replayed"), "true");
    app.end().await;
}

#[tokio::test]
async fn questions_that_need_no_answer_may_stay_empty() {
    let app = TestApp::start().await;
    let host = app
        .host("ana")
        .ask("Story", "long_text", false, &[])
        .ask("Size", "choice", false, &["S", "L"])
        .ask("Topics", "multiple_choice", false, &["Red", "Green"])
        .ask("Met before?", "yes_no", false, &[])
        .make()
        .await;
    // Radios have an empty answer; nothing is chosen at first.
    let form = filled(&app, &host, TEN, SAM).await;
    let form = form.with(&field(&host, 1), "").with(&field(&host, 3), "");
    let answer = form.send(&app).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    app.end().await;
}

/// Red when `FormPage` is given `Typed::default()`.
#[tokio::test]
async fn what_breaks_a_rule_comes_back_with_everything_typed_and_every_fault_in_both_languages() {
    let app = TestApp::start().await;
    let host = asking(&app).await;
    let before = app.database.rows().await;
    for (lang, said) in [
        (
            "en",
            [
                "Please enter your name.",
                "This is not an email address.",
                "This is too long: 2000 characters at most.",
                "Guest 2: this is not an email address.",
                "Guest 3: this address is there already.",
                "Please answer this question.",
                "Please choose one of the options.",
                "This is not a phone number",
            ],
        ),
        (
            "zh-CN",
            [
                "请填写您的姓名。",
                "这不是有效的电子邮箱。",
                "内容太长：最多 2000 个字符。",
                "第 2 位嘉宾的邮箱无效。",
                "第 3 位嘉宾的邮箱重复了。",
                "请回答这个问题。",
                "请从选项中选择。",
                "这不是有效的电话号码",
            ],
        ),
    ] {
        let long = "x".repeat(2001);
        let typed = [
            ("name", ""),
            ("email", "sam@"),
            ("note", &long),
            ("guests", "kim@bookers.test\nnobody\nkim@bookers.test"),
            (&field(&host, 1), "My \"story\" <b>"),
            (&field(&host, 2), "XXL"),
            (&field(&host, 4), "yes"),
            (&field(&host, 5), "call me"),
        ];
        let path = format!("{}&lang={lang}", form_path(&host, TEN));
        let mut form = app.get(&path).await.form(&host.page);
        for (name, value) in typed {
            form = form.with(name, value);
        }
        let form = form
            .with(&field(&host, 3), "Green")
            .and(&field(&host, 3), "Blue");
        let answer = form.send(&app).await;
        assert_eq!(answer.status, 422, "{}", answer.text());
        for text in said {
            assert!(answer.says(text), "{lang}: {text}");
        }
        let back = answer.form(&host.page);
        for (name, value) in typed {
            // An answer that is no option cannot be shown as chosen.
            if value != "XXL" {
                assert_eq!(back.value(name), value, "{lang} {name}");
            }
        }
        let topics: Vec<_> = back
            .fields
            .iter()
            .filter(|(name, _)| *name == field(&host, 3))
            .map(|(_, value)| value.as_str())
            .collect();
        assert_eq!(topics, ["Green", "Blue"]);
        for name in ["start", "zone", "lang", "idempotency_key"] {
            assert_eq!(back.value(name), form.value(name), "{lang} {name}");
        }
        assert_eq!(answer.header("cache-control"), "no-store");
    }
    assert_eq!(app.database.rows().await, before);
    app.end().await;
}

#[tokio::test]
async fn the_corrected_form_books_under_the_same_key() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let form = filled(&app, &host, TEN, "sam@").await;
    let back = form.send(&app).await.form(&host.page);
    let answer = back.with("email", SAM).send(&app).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    app.end().await;
}

#[tokio::test]
async fn guests_on_a_page_without_them_come_back_to_be_taken_out() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let form = filled(&app, &host, TEN, SAM).await;
    assert!(!form.controls.contains(&"guests".to_owned()));
    let answer = form.with("guests", "kim@bookers.test").send(&app).await;
    assert_eq!(answer.status, 422);
    assert!(answer.says("No guests can be added to this meeting."));
    let back = answer.form(&host.page);
    assert_eq!(back.value("guests"), "kim@bookers.test");
    assert_eq!(back.with("guests", "").send(&app).await.status, 303);
    app.end().await;
}

#[tokio::test]
async fn an_answer_to_a_question_that_is_no_longer_asked_is_said_at_the_top() {
    let app = TestApp::start().await;
    let host = app
        .host("ana")
        .ask("Gone", "short_text", false, &[])
        .make()
        .await;
    let form = filled(&app, &host, TEN, SAM).await;
    app.database.run("DELETE FROM questions").await;
    let answer = form.with(&field(&host, 0), "x").send(&app).await;
    assert_eq!(answer.status, 422, "{}", answer.text());
    let back = answer.form(&host.page);
    assert!(!back.controls.contains(&field(&host, 0)));
    assert_eq!(back.send(&app).await.status, 303);
    app.end().await;
}

/// Red when `Trouble::Taken` is given no days.
#[tokio::test]
async fn a_time_that_went_meanwhile_is_409_with_the_days_other_times_as_buttons() {
    let app = TestApp::start().await;
    let host = asking(&app).await;
    let form = everything(&app, &host).await;
    let rival = everything(&app, &host)
        .await
        .with("email", "kit@bookers.test");
    assert_eq!(rival.send(&app).await.status, 303);
    let answer = form.send(&app).await;
    assert_eq!(answer.status, 409);
    let back = answer.form(&host.page);
    for (name, value) in &form.fields {
        let name = name.as_str();
        match name {
            "start" => assert_eq!(back.value(name), "", "no field names the time that went"),
            // One of two is looked at.
            _ if *name == field(&host, 3) => assert_eq!(back.value(name), "Red"),
            _ => assert_eq!(back.value(name), value.replace("\r\n", "\n"), "{name}"),
        }
    }
    let starts: Vec<&str> = back
        .buttons
        .iter()
        .map(|(_, start)| start.as_str())
        .collect();
    assert!(back.buttons.iter().all(|(name, _)| name == "start"));
    assert_eq!(
        starts[..7],
        [
            "2026-06-02T09:00:00Z",
            "2026-06-02T11:00:00Z",
            "2026-06-02T12:00:00Z",
            "2026-06-02T13:00:00Z",
            "2026-06-02T14:00:00Z",
            "2026-06-02T15:00:00Z",
            "2026-06-02T16:00:00Z"
        ]
    );
    assert_eq!(starts.len(), 7 + 8, "and the next free day");
    let answer = back.clone().with("start", starts[1]).send(&app).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let booking = booking(&app, &token(&answer)).await;
    assert_eq!(booking["start"], "2026-06-02T11:00:00Z");
    app.end().await;
}

#[tokio::test]
async fn a_time_that_the_page_no_longer_offers_is_422_at_the_time() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let form = filled(&app, &host, TEN, SAM).await;
    for start in [
        "2026-06-02T10:07:00Z",
        "2020-01-01T10:00:00Z",
        "2032-06-02T10:00:00Z",
    ] {
        let answer = form.clone().with("start", start).send(&app).await;
        assert_eq!(answer.status, 422, "{start}");
        assert!(answer.says("This time can&#39;t be booked."), "{start}");
        assert_eq!(answer.form(&host.page).value("name"), "Sam Lee");
    }
    app.end().await;
}

#[tokio::test]
async fn a_second_press_is_the_same_booking_and_another_text_under_the_key_is_asked_again() {
    let app = with_mail().await;
    let host = app.host("ana").by_mail().make().await;
    let form = filled(&app, &host, TEN, SAM).await;
    let first = form.send(&app).await;
    assert_eq!(first.status, 201);
    assert_eq!(first.header("idempotent-replayed"), "");
    let again = form.send(&app).await;
    assert_eq!(again.status, 201, "{}", again.text());
    assert_eq!(again.header("idempotent-replayed"), "true");
    assert_eq!(again.text(), first.text());
    let holds = app.deliver().await;
    assert_eq!(holds.len(), 1, "one mail");

    // The form sent again with another time: nothing is done, and a press more sends it anew.
    let other = form.clone().with("start", ELEVEN);
    let refused = other.send(&app).await;
    assert_eq!(refused.status, 422);
    assert!(refused.says("This form was sent before with other contents"));
    let back = refused.form(&host.page);
    assert_ne!(back.value("idempotency_key"), form.value("idempotency_key"));
    assert_eq!(back.value("start"), ELEVEN);
    assert_eq!(back.send(&app).await.status, 201);
    app.end().await;
}

#[tokio::test]
async fn a_hold_is_answered_with_its_address_its_end_and_what_to_do() {
    let app = with_mail().await;
    let host = app.host("ana").by_mail().make().await;
    let path = format!("{}?zone=Asia/Kathmandu&start={TEN}&lang=zh-CN", host.page);
    let form = app.get(&path).await.form(&host.page);
    let form = form.with("name", "山姆").with("email", SAM);
    // The form names its language; what the browser wishes does not count.
    let request = form.request(&app).header(ACCEPT_LANGUAGE, "en");
    let sent = app.send(request).await;
    assert_eq!(sent.status, 201);
    assert!(sent.says(SAM));
    assert!(sent.says("<html lang=\"zh-CN\">"));
    assert!(sent.says("14:15"), "08:30 UTC in Kathmandu, when it lapses");
    assert!(sent.links().contains(&"/dev/mail".to_owned()));
    assert!(sent.links().iter().any(|link| link.contains("lang=zh-CN")));
    assert!(
        !sent.says("/book/m/"),
        "the token goes to the mailbox alone"
    );
    let mail = app.deliver().await;
    assert!(mail[0].subject.contains("请"), "{}", mail[0].subject);
    app.end().await;
}

#[tokio::test]
async fn too_many_holds_or_requests_keep_what_was_typed() {
    let app = TestApp::with(Options {
        limits: Limits {
            open_holds_per_address: 1,
            booking_requests_per_minute: 2,
            ..Options::default().limits
        },
        ..Options::default()
    })
    .await;
    let host = app.host("ana").by_mail().make().await;
    assert_eq!(
        filled(&app, &host, TEN, SAM).await.send(&app).await.status,
        201
    );
    let second = filled(&app, &host, ELEVEN, SAM)
        .await
        .with("note", "Please");
    let capped = second.send(&app).await;
    assert_eq!(capped.status, 429);
    assert_eq!(capped.header("retry-after"), "1800");
    assert_eq!(capped.form(&host.page).value("note"), "Please");
    // The third request of the minute.
    let gated = second.send(&app).await;
    assert_eq!(gated.status, 429);
    assert!(gated.header("retry-after").parse::<u32>().unwrap() <= 60);
    assert_eq!(gated.form(&host.page).value("note"), "Please");
    app.end().await;
}

#[tokio::test]
async fn while_times_cannot_be_worked_out_what_was_typed_is_kept() {
    let app = TestApp::with(Options {
        slot_concurrency: 1,
        ..Options::default()
    })
    .await;
    let host = app.host("ana").make().await;
    let form = filled(&app, &host, TEN, SAM).await.with("note", "Please");
    booked(&app, &host, TEN).await;
    let held = app.state.slot_permit().unwrap();
    let answer = form.with("email", "kit@bookers.test").send(&app).await;
    drop(held);
    assert_eq!(answer.status, 503);
    assert_eq!(answer.header("retry-after"), "5");
    assert_eq!(answer.form(&host.page).value("note"), "Please");
    app.end().await;
}
