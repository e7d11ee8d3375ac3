//! What must hold when processes die or freeze, the database restarts, clients vanish, clocks disagree
//! and mail servers hang.
mod burst;
mod clocks;
mod freeze;
mod hell;
mod kill;
mod restart;
mod sigterm;
mod stall;
mod vanish;

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use holdfast_tests::{
    Flow,
    app::Options,
    flow::SAM,
    host::{TestHost, starts},
    process::{Settings, free_port},
};

/// An installation on the machine's clock, with a page that holds, and the starts that it offers.
async fn on_the_machines_clock() -> (Flow, TestHost, Vec<String>) {
    let flow = Flow::with(Options {
        system_clock: true,
        ..Options::default()
    })
    .await;
    let host = flow.host("ana").by_mail().make().await;
    let now = flow.context.clock.now();
    let path = host.slots(
        &now.plus_minutes(2 * 24 * 60).to_string(),
        &now.plus_minutes(6 * 24 * 60).to_string(),
        "UTC",
    );
    let offered = starts(&flow.get(&path).await.json());
    let offered = offered.iter().map(ToString::to_string).collect();
    (flow, host, offered)
}

/// A hold whose mail is owed, on the machine's clock.
async fn owed() -> Flow {
    let (flow, host, offered) = on_the_machines_clock().await;
    assert_eq!(flow.book(&host, &offered[0], SAM).await.status, 201);
    flow
}

/// The settings of a worker over an installation.
fn worker(flow: &Flow) -> Settings {
    Settings::web(&flow.database)
        .with(
            "HOLDFAST_KEYS",
            format!("test:{}", STANDARD.encode([7; 32])),
        )
        .without("HOLDFAST_ROLE")
        .with("HOLDFAST_LISTEN", format!("127.0.0.1:{}", free_port()))
        .with("HOLDFAST_SMTP_URL", flow.mail.sink.url())
}

/// Waits until the mail is being sent.
async fn sending(flow: &Flow) {
    for _ in 0..2_000 {
        if flow.count("manage_tokens").await > 0 && flow.mail.sink.open_connections() > 0 {
            tokio::time::sleep(Duration::from_millis(200)).await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("nothing is being sent");
}

/// The one mail's outcome, attempts, and how often it may have gone out unknown.
async fn row(flow: &Flow) -> String {
    flow.text(
        "SELECT concat_ws(' ', coalesce(outcome, 'owed'), attempts, uncertain) FROM mail_outbox",
    )
    .await
}
