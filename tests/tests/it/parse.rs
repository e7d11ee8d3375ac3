//! `POST /v1/availability/parse`.

use holdfast_tests::{Answer, TestApp};
use reqwest::Method;
use serde_json::{Value, json};

const PATH: &str = "/v1/availability/parse";

async fn parsed(app: &TestApp, body: Value) -> Value {
    let answer = app.post(PATH, &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// Sends bytes as they are.
async fn send(app: &TestApp, content_type: &str, body: impl Into<reqwest::Body>) -> Answer {
    app.send(
        app.request(Method::POST, PATH)
            .header("Content-Type", content_type)
            .body(body),
    )
    .await
}

#[tokio::test]
async fn a_text_becomes_windows_and_words_in_both_languages() {
    let app = TestApp::start().await;
    let text = "mondays between 12-3, tuesdays 12-2, 5-7";
    let windows = json!([
        { "weekday": 1, "start_min": 720, "end_min": 900 },
        { "weekday": 2, "start_min": 720, "end_min": 840 },
        { "weekday": 2, "start_min": 1020, "end_min": 1140 },
    ]);
    for (locale, description) in [
        (
            json!("en"),
            "Mondays 12:00–15:00; Tuesdays 12:00–14:00 and 17:00–19:00",
        ),
        (
            json!("zh-CN"),
            "周一 12:00–15:00；周二 12:00–14:00、17:00–19:00",
        ),
        (
            json!("zh-Hans"),
            "周一 12:00–15:00；周二 12:00–14:00、17:00–19:00",
        ),
        (
            json!("fr"),
            "Mondays 12:00–15:00; Tuesdays 12:00–14:00 and 17:00–19:00",
        ),
        (
            json!(null),
            "Mondays 12:00–15:00; Tuesdays 12:00–14:00 and 17:00–19:00",
        ),
    ] {
        let answer = parsed(&app, json!({ "text": text, "locale": locale })).await;
        assert_eq!(
            answer,
            json!({ "windows": windows, "description": description, "problems": [] }),
            "{locale}"
        );
    }
    assert_eq!(
        parsed(&app, json!({ "text": text })).await["windows"],
        windows
    );
    app.end().await;
}

#[tokio::test]
async fn every_problem_names_its_piece_by_bytes_and_says_it_in_the_asked_language() {
    let app = TestApp::start().await;
    let text = "mon 9-12, tue 25-26, é banana";
    let bananas = text.find("banana").unwrap();
    let answer = parsed(&app, json!({ "text": text })).await;
    let problems = answer["problems"].as_array().unwrap();
    for problem in problems {
        let place = |name: &str| usize::try_from(problem[name].as_u64().unwrap()).unwrap();
        assert_eq!(
            text.get(place("start")..place("end")),
            problem["quote"].as_str(),
            "{problem}"
        );
    }
    let banana = problems
        .iter()
        .find(|problem| problem["end"] == bananas + 6)
        .unwrap();
    assert_eq!(banana["code"], "not_understood");
    let hour = problems
        .iter()
        .find(|problem| problem["code"] == "hour_out_of_range")
        .unwrap();
    assert_eq!(
        hour["message"],
        format!(
            "\"{}\" is not a time; hours are 0 to 24.",
            hour["quote"].as_str().unwrap()
        )
    );
    let chinese = parsed(&app, json!({ "text": text, "locale": "zh-CN" })).await;
    let hour_zh = chinese["problems"]
        .as_array()
        .unwrap()
        .iter()
        .find(|problem| problem["code"] == "hour_out_of_range")
        .unwrap();
    assert_eq!(
        hour_zh["message"],
        format!(
            "“{}”不是时间；小时应为 0 到 24。",
            hour["quote"].as_str().unwrap()
        )
    );
    assert_eq!(hour_zh["start"], hour["start"]);
    app.end().await;
}

#[tokio::test]
async fn nothing_is_nothing_and_too_much_is_a_problem() {
    let app = TestApp::start().await;
    let empty = parsed(&app, json!({ "text": "" })).await;
    assert_eq!(
        (empty["windows"].clone(), empty["problems"].clone()),
        (json!([]), json!([]))
    );
    let long = parsed(&app, json!({ "text": "mon 9-5 ".repeat(300) })).await;
    assert_eq!(long["windows"], json!([]));
    assert_eq!(long["problems"].as_array().unwrap().len(), 1);
    assert_eq!(long["problems"][0]["code"], "too_long");
    assert_eq!(
        long["problems"][0]["message"],
        "The text is longer than 2,000 bytes."
    );
    app.end().await;
}

#[tokio::test]
async fn what_is_no_such_json_is_400_with_the_first_fault_and_its_pointer() {
    let app = TestApp::start().await;
    for (body, pointer, words) in [
        (
            r#"{"text":1}"#,
            "/text",
            "invalid type: integer `1`, expected a string at line 1 column 9",
        ),
        (
            r#"{"text":"mon 9-5","locale":["en"]}"#,
            "/locale",
            "invalid type: sequence, expected a string at line 1 column 27",
        ),
        (
            r#"{"text":"mon 9-5","save":true}"#,
            "/save",
            "unknown field `save`, expected `text` or `locale` at line 1 column 24",
        ),
        (
            r#"{"text":"a","text":"b"}"#,
            "",
            "duplicate field `text` at line 1 column 18",
        ),
        ("{}", "", "missing field `text` at line 1 column 2"),
        (
            r#"{"text":null}"#,
            "/text",
            "invalid type: null, expected a string at line 1 column 12",
        ),
    ] {
        let answer = send(&app, "application/json", body).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (400, "invalid_body"),
            "{body}"
        );
        let errors = answer.json()["errors"].clone();
        assert_eq!(
            errors,
            json!([{ "pointer": pointer, "code": "invalid_value", "detail": words }]),
            "{body}"
        );
        assert_eq!(answer.json()["detail"], words, "{body}");
    }
    for body in [
        "",
        "{",
        "[]",
        "\"mon 9-5\"",
        "null",
        "mon 9-5",
        r#"{"text":"a"} {}"#,
        "{\"text\":\"\u{1}\"}",
    ] {
        let answer = send(&app, "application/json", body).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (400, "invalid_body"),
            "{body}"
        );
    }
    let not_utf8: &[u8] = b"{\"text\":\"\xff\"}";
    assert_eq!(
        send(&app, "application/json", not_utf8).await.code(),
        "invalid_body"
    );
    app.end().await;
}

#[tokio::test]
async fn other_content_types_are_415() {
    let app = TestApp::start().await;
    let body = r#"{"text":"mon 9-5"}"#;
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonx",
        "text/json",
        "multipart/form-data; boundary=x",
        "",
    ] {
        let answer = send(&app, kind, body).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (415, "unsupported_media_type"),
            "{kind}"
        );
    }
    for kind in [
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
    ] {
        assert_eq!(send(&app, kind, body).await.status, 200, "{kind}");
    }
    app.end().await;
}

/// The limit holds whether the length is announced or not; and the connection lives on.
#[tokio::test]
async fn bodies_over_16_kib_are_413() {
    let app = TestApp::start().await;
    let body_of = |bytes: usize| {
        let frame = r#"{"text":""}"#.len();
        format!(r#"{{"text":"{}"}}"#, "a".repeat(bytes - frame))
    };
    assert_eq!(
        send(&app, "application/json", body_of(16 * 1024))
            .await
            .status,
        200
    );
    for bytes in [16 * 1024 + 1, 1024 * 1024] {
        let answer = send(&app, "application/json", body_of(bytes)).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (413, "body_too_large"),
            "{bytes}"
        );
        assert_eq!(answer.json()["detail"], "at most 16384 bytes");
        let head = "POST /v1/availability/parse HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
        let streamed = app
            .raw(&format!(
                "{head}{bytes:x}\r\n{}\r\n0\r\n\r\n",
                body_of(bytes)
            ))
            .await;
        assert!(
            streamed.starts_with("HTTP/1.1 413 "),
            "{bytes} in a chunk: {streamed}"
        );
    }
    assert_eq!(
        send(&app, "application/json", body_of(100)).await.status,
        200
    );
    app.end().await;
}

#[tokio::test]
async fn a_call_changes_nothing() {
    let app = TestApp::start().await;
    app.host("ana").make().await;
    let before = app.database.rows().await;
    parsed(&app, json!({ "text": "every day 9-5" })).await;
    assert_eq!(app.database.rows().await, before);
    app.end().await;
}
