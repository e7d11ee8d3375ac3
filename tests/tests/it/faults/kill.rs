//! `kill -9` of the server and of the worker while bookings are made and mail is sent.

use holdfast_tests::smtp_sink::{At, Behaviour};

use super::burst::{Target, burst};

/// Ten seeded instants in `make test`, thirty in `make soak`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_seeded_instants_nothing_is_lost_and_nobody_is_double_booked() {
    let kills = if std::env::var_os("HOLDFAST_SOAK").is_some() {
        30
    } else {
        10
    };
    burst(kills, Behaviour::Accept, Target::Processes).await;
}

/// The worker dies while the mail server thinks about the final dot: the mail may have been taken,
/// so it goes again with the same Message-ID, and is counted as uncertain.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_while_the_mail_server_stalls_after_data_mail_goes_again() {
    burst(2, Behaviour::StallAt(At::Dot), Target::Processes).await;
}
