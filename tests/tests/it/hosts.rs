//! `ops::create_host`, which the command line and the demo page share.

use holdfast_tests::TestApp;
use shared::{
    locale::Locale,
    ops::{self, CreateHostError, NewHost, NewPage},
};

fn new_host(app: &TestApp, handle: &str, email: &str) -> NewHost {
    NewHost {
        handle: handle.parse().unwrap(),
        name: "Ana Novak".into(),
        email: email.parse().unwrap(),
        zone: app.context.zones.get_for_host("Europe/Paris").unwrap(),
        locale: Locale::En,
        availability: "weekdays 9-12, 1-5".into(),
        page: NewPage {
            code: Some("intro30m".into()),
            title: "Talk".into(),
            description: String::new(),
            duration_min: 30,
            horizon_days: 60,
            instant: true,
        },
    }
}

/// Red when the person is looked up and then written without a constraint behind it.
#[tokio::test]
async fn of_many_who_make_one_host_at_once_one_succeeds_and_the_others_hear_why_not() {
    let app = TestApp::start().await;
    let new = new_host(&app, "ana", "ana@hosts.test");
    let outcomes =
        futures::future::join_all((0..8).map(|_| ops::create_host(&app.context, &new))).await;
    let made = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    let taken = outcomes
        .iter()
        .filter(|outcome| {
            matches!(outcome, Err(CreateHostError::HandleTaken(handle)) if handle == "ana")
                || matches!(outcome, Err(CreateHostError::PersonHasHost))
        })
        .count();
    assert_eq!((made, taken), (1, 7), "{outcomes:?}");
    app.end().await;
}

#[tokio::test]
async fn a_refused_host_leaves_nothing_behind() {
    let app = TestApp::start().await;
    ops::create_host(&app.context, &new_host(&app, "ana", "ana@hosts.test"))
        .await
        .unwrap();
    let before = app.database.rows().await;
    let taken = ops::create_host(&app.context, &new_host(&app, "ana", "ben@hosts.test")).await;
    assert!(
        matches!(&taken, Err(CreateHostError::HandleTaken(handle)) if handle == "ana"),
        "{taken:?}"
    );
    let person = ops::create_host(&app.context, &new_host(&app, "ben", "ANA@hosts.test")).await;
    assert!(
        matches!(person, Err(CreateHostError::PersonHasHost)),
        "{person:?}"
    );
    for text in ["banana", ""] {
        let mut new = new_host(&app, "cleo", "cleo@hosts.test");
        new.availability = text.into();
        assert!(
            ops::create_host(&app.context, &new).await.is_err(),
            "{text}"
        );
    }
    assert_eq!(app.database.rows().await, before);
    app.end().await;
}
