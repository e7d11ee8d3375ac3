//! `/`, `/{handle}` and `/book/{handle}/{code}` up to the form: what is shown to whom.
use holdfast_tests::TestApp;
use reqwest::{Method, header::ACCEPT_LANGUAGE};

use super::{TEN, at, booked, form_path};

#[tokio::test]
async fn the_instance_lists_who_opted_in_and_a_host_lists_what_is_listed() {
    let app = TestApp::start().await;
    let listed = app
        .host("ana")
        .name("Ana Novak")
        .set("listed", "true".into())
        .make()
        .await;
    app.host("bea").name("Bea Bell").make().await;
    let nobody = app.get("/").await;
    assert_eq!(nobody.status, 200);
    assert!(!nobody.says("Ana Novak"));
    app.database
        .run("UPDATE hosts SET listed = true WHERE handle = 'ana'")
        .await;
    let home = app.get("/").await;
    assert!(home.says("Ana Novak") && !home.says("Bea Bell"));
    assert!(home.links().contains(&"/ana".to_owned()));

    let host = app.get("/ana").await;
    assert_eq!(host.status, 200);
    assert!(host.links().contains(&listed.page));
    assert!(host.says("Introduction") && host.says("1 h"));
    let slug = "UPDATE event_types SET slug = 'first-talk'";
    app.database.run(slug).await;
    let with_slug = app.get("/ana").await;
    assert!(
        with_slug
            .links()
            .contains(&"/book/ana/first-talk".to_owned())
    );
    assert_eq!(app.get("/book/ana/first-talk").await.status, 200);
    app.end().await;
}

#[tokio::test]
async fn days_with_free_times_lead_to_times_and_others_lead_nowhere() {
    let app = TestApp::start().await;
    let host = app.host("ana").free("mon-tue 9:00-11:00").make().await;
    let page = app.get(&host.page).await;
    let days: Vec<String> = page
        .links()
        .into_iter()
        .filter(|link| link.starts_with(&host.page) && !link.contains("start="))
        .filter_map(|link| Some(link.split_once("day=")?.1.to_owned()))
        .collect();
    // Six weeks from Monday, 1 June: Mondays and Tuesdays.
    assert_eq!(days.len(), 12, "{days:?}");
    assert_eq!((&*days[0], &*days[11]), ("2026-06-01", "2026-07-07"));
    let monday = app.get(&format!("{}?day=2026-06-08", host.page)).await;
    assert_eq!(monday.texts("time"), ["09:00", "10:00"]);
    let sunday = app.get(&format!("{}?day=2026-06-07", host.page)).await;
    assert_eq!(sunday.status, 200);
    assert!(sunday.texts("time").is_empty());
    assert!(!sunday.texts("nothing-title").is_empty());

    // The horizon is 60 days: one page more, and then no more.
    let later = page.links().into_iter().find(|link| link.contains("from="));
    let later = app.get(&later.unwrap()).await;
    assert!(later.says("July 2026"));
    let on: Vec<_> = later.links();
    let on: Vec<_> = on.iter().filter(|link| link.contains("from=")).collect();
    let backwards = on.iter().filter(|link| link.contains("from=2026-06-01"));
    assert_eq!(backwards.count(), 1, "{on:?}");
    assert!(on.iter().all(|link| !link.contains("from=2026-08-24")));
    app.end().await;
}

#[tokio::test]
async fn a_busy_time_is_not_offered_and_the_form_for_it_is_409_with_the_others() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    booked(&app, &host, TEN).await;
    let page = app.get(&form_path(&host, TEN)).await;
    assert_eq!(page.status, 409);
    let times = page.texts("time");
    assert!(
        times.contains(&"11:00".to_owned()),
        "09:00 UTC in Paris: {times:?}"
    );
    assert!(
        !times.contains(&"12:00".to_owned()),
        "10:00 UTC in Paris: {times:?}"
    );
    assert!(page.forms().is_empty());
    // Off the grid, it never was one.
    let page = app.get(&form_path(&host, "2026-06-02T10:07:00Z")).await;
    assert_eq!(page.status, 409);
    app.end().await;
}

#[tokio::test]
async fn times_are_told_in_the_zone_that_is_asked_for_else_in_the_hosts() {
    let app = TestApp::start().await;
    let host = app.host("ana").zone("America/New_York").make().await;
    let first = async |query: &str| {
        let page = app
            .get(&format!("{}?day=2026-06-03{query}", host.page))
            .await;
        assert_eq!(page.status, 200, "{query}");
        page.texts("time")[0].clone()
    };
    assert_eq!(first("").await, "09:00");
    assert_eq!(first("&zone=Asia/Kathmandu").await, "00:45");
    assert_eq!(first("&zone=asia/tokyo").await, "00:00");
    let long = format!("&zone={}", "A".repeat(4000));
    for unknown in [
        "&zone=Mars/Base",
        "&zone=%2B05:30",
        "&zone=%00",
        "&zone=%FF%FE",
        "&zone=",
        &long,
    ] {
        assert_eq!(first(unknown).await, "09:00", "{unknown}");
    }
    // What was not understood is not carried on.
    let page = app.get(&format!("{}?zone=Mars/Base", host.page)).await;
    assert!(page.links().iter().all(|link| !link.contains("Mars")));
    app.end().await;
}

#[tokio::test]
async fn an_hour_that_happens_twice_is_told_apart() {
    let app = TestApp::start().await;
    let host = app
        .host("ana")
        .free("every day 0:00-24:00")
        .set("horizon_days", "200".into())
        .make()
        .await;
    let day = "day=2026-10-25&zone=Europe/Paris";
    let times = app.get(&format!("{}?{day}", host.page)).await.texts("time");
    assert_eq!(times.len(), 25);
    assert_eq!(times[2..4], ["02:00 UTC+2", "02:00 UTC+1"]);
    app.end().await;
}

#[tokio::test]
async fn the_language_is_the_addresss_else_the_browsers_and_links_keep_the_first() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let read = async |path: &str, accepts: &str| {
        let request = app.request(Method::GET, path);
        app.send(request.header(ACCEPT_LANGUAGE, accepts)).await
    };
    let page = read(&host.page, "fr, zh-CN;q=0.8, en;q=0.5").await;
    assert!(page.says("<html lang=\"zh-CN\">") && page.says("选择日期"));
    let day = |page: &holdfast_tests::Answer| {
        page.links()
            .into_iter()
            .find(|link| link.contains("day="))
            .unwrap()
    };
    assert!(!day(&page).contains("lang="), "the browser says it again");
    let page = read(&format!("{}?lang=en", host.page), "zh-CN").await;
    assert!(page.says("<html lang=\"en\">"));
    assert!(day(&page).contains("lang=en"));
    // The switch leads to the same page.
    let switch = page.links().into_iter().find(|l| l.contains("lang=zh-CN"));
    assert!(read(&switch.unwrap(), "en").await.says("选择日期"));
    app.end().await;
}

#[tokio::test]
async fn a_link_that_a_mail_gateway_decorated_still_opens() {
    let app = TestApp::start().await;
    let host = app.host("ana").make().await;
    let path = format!(
        "{}?utm_source=mail&fbclid=x%ZZ&day=2026-06-02&=&&day=x",
        host.page
    );
    let page = app.get(&path).await;
    assert_eq!(page.status, 200);
    assert!(!page.texts("time").is_empty());
    assert!(page.links().iter().all(|link| !link.contains("utm")));
    app.end().await;
}

#[tokio::test]
async fn today_and_the_last_day_are_the_readers() {
    let app = TestApp::start().await;
    let host = app.host("ana").free("every day 0:00-24:00").make().await;
    // In Auckland it is the second already; in Honolulu still the thirty-first of May.
    at(&app, "2026-06-01T13:00:00Z");
    let status = async |day: &str, zone: &str| {
        let path = format!("{}?day={day}&zone={zone}", host.page);
        app.get(&path).await.status.as_u16()
    };
    assert_eq!(status("2026-06-01", "UTC").await, 200);
    assert_eq!(status("2026-06-01", "Pacific/Auckland").await, 404);
    assert_eq!(status("2026-06-02", "Pacific/Auckland").await, 200);
    at(&app, "2026-06-01T08:00:00Z");
    assert_eq!(status("2026-05-31", "Pacific/Honolulu").await, 200);
    assert_eq!(status("2026-05-31", "UTC").await, 404);
    // The horizon ends on the 31st of July at 08:00; the last meeting begins an hour before.
    assert_eq!(status("2026-07-31", "UTC").await, 200);
    assert_eq!(status("2026-08-01", "UTC").await, 404);
    assert_eq!(status("2026-07-31", "Pacific/Honolulu").await, 404);
    assert_eq!(status("2026-07-30", "Pacific/Honolulu").await, 200);
    app.end().await;
}

#[tokio::test]
async fn style_and_script_may_be_kept_for_a_year() {
    let app = TestApp::start().await;
    let page = app.get("/").await.text();
    for (ending, kind) in [
        ("css", "text/css; charset=utf-8"),
        ("js", "text/javascript; charset=utf-8"),
    ] {
        let at = page.find("/static/page.").unwrap();
        let rest = page[at..].split('"').map(str::to_owned);
        let path = rest
            .filter(|part| part.starts_with("/static/page."))
            .find(|path| path.ends_with(ending))
            .unwrap();
        let asset = app.get(&path).await;
        assert_eq!(asset.status, 200);
        assert_eq!(asset.header("content-type"), kind);
        let kept = "public, max-age=31536000, immutable";
        assert_eq!(asset.header("cache-control"), kept);
    }
    let old = app.get("/static/page.00000000.css").await;
    assert_eq!(old.status, 404);
    assert_eq!(old.header("cache-control"), "no-store");
    app.end().await;
}
