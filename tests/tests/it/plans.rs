//! What PostgreSQL plans for the statements that a busy installation lives by, on a database that
//! is filled and analysed. The statements are the program's own, from `.sqlx`.

use std::collections::BTreeSet;

use holdfast_tests::{Flow, source};
use serde_json::Value;

/// 20 hosts with 1,000 bookings each, most of them over, and a mail table in which next to nothing
/// is owed.
async fn filled() -> Flow {
    let flow = Flow::start().await;
    for number in 0..20 {
        let host = flow.host(&format!("host-{number}")).make().await;
        flow.booked(&host, "2026-06-02T10:00:00Z").await;
    }
    flow.sql(
        "CREATE TEMP TABLE model AS SELECT b.*, h.host_id, h.event_id, row_number() OVER (ORDER BY b.id) AS host_no FROM bookings b JOIN booking_hosts h ON h.booking_id = b.id;
         CREATE TEMP TABLE made AS SELECT m.*, n, gen_random_uuid() AS new_id, gen_random_uuid() AS new_event, timestamptz '2025-06-01 00:00+00' + n * interval '9 hours' AS at FROM model m, generate_series(1, 1000) n;
         INSERT INTO bookings (id, event_type_id, state, revision, revised_at, title_sealed, description_sealed, booker_name_sealed, booker_email_sealed, booker_email_fp,
                booker_zone, booker_locale, host_name_sealed, organizer_sealed, duration_min, before_buffer_min, after_buffer_min, start_at, end_at, hold_expires_at,
                confirmed_at, ip_fp, ip_forget_at, created_by, created_at)
         SELECT new_id, event_type_id, CASE WHEN n % 500 = 0 THEN 'held' WHEN n % 3 = 0 THEN 'expired' ELSE 'confirmed' END, 0, at, title_sealed, description_sealed,
                booker_name_sealed, booker_email_sealed, sha256(convert_to('a' || n % 97 || host_no, 'UTF8')), booker_zone, booker_locale, host_name_sealed, organizer_sealed,
                60, 0, 0, at, at + interval '1 hour', at, at, CASE WHEN n > 980 THEN sha256(convert_to('i' || n, 'UTF8')) END,
                CASE WHEN n > 980 THEN at END, 'booker', at FROM made;
         INSERT INTO events (id, calendar_id, booking_id, title_sealed, start_local, end_local, tz, start_utc, end_utc)
         SELECT new_event, c.id, new_id, title_sealed, at AT TIME ZONE 'UTC', at AT TIME ZONE 'UTC', 'UTC', at, at + interval '1 hour' FROM made m JOIN calendars c ON c.owner_host_id = m.host_id;
         INSERT INTO events (id, calendar_id, title_sealed, timing, reach)
         SELECT gen_random_uuid(), c.id, title_sealed, jsonb_build_object('start', '2026-01-01T00:00:00Z'), tstzrange(at - interval '2 days', at + interval '2 days') FROM made m JOIN calendars c ON c.owner_host_id = m.host_id;
         INSERT INTO booking_hosts (booking_id, host_id, event_id, blocked, active)
         SELECT new_id, host_id, new_event, tstzrange(at, at + interval '1 hour'), n % 3 <> 0 OR n % 500 = 0 FROM made;
         INSERT INTO mail_outbox (id, booking_id, kind, recipient, revision, offset_min, lane, priority, due_at, created_at, outcome, outcome_at)
         SELECT gen_random_uuid(), new_id, 'confirmed', 'booker', r, 0, 'prompt', 1, at, at, CASE WHEN n = 1000 AND r = 5 THEN NULL ELSE 'sent' END, CASE WHEN n = 1000 AND r = 5 THEN NULL ELSE at END
           FROM made, generate_series(0, 5) r;
         INSERT INTO mail_ledger (claim_id, ordinal, mail_id, recipient_fp, kind, at)
         SELECT gen_random_uuid(), nextval('mail_ledger_ordinal_seq'), gen_random_uuid(), CASE WHEN n % 3 > 0 THEN sha256(int4send(n % 9000)) END, 'confirmed',
                timestamptz '2026-06-01 08:00+00' - interval '50 hours' + n * interval '0.9 second' FROM generate_series(1, 200000) n;
         INSERT INTO booking_guests (booking_id, id, position, email_sealed, email_fp) SELECT new_id, gen_random_uuid(), 1, title_sealed, title_sealed FROM made;
         INSERT INTO booking_history (booking_id, revision, at, actor_kind, action, to_state) SELECT new_id, 0, at, 'booker', 'book', 'confirmed' FROM made;
         INSERT INTO api_keys (id, host_id, secret_hash, created_at) SELECT gen_random_uuid(), host_id, sha256(uuid_send(new_id)), at FROM made;
         INSERT INTO manage_tokens (token_hash, booking_id) SELECT sha256(uuid_send(new_id)), new_id FROM made;
         ANALYZE",
    )
    .await;
    flow
}

/// The program's statement that has these words.
fn statement(words: &str) -> String {
    let texts = source::files(".sqlx", ".json").into_iter().map(|file| {
        let json: Value = serde_json::from_str(&file.text).unwrap();
        json["query"].as_str().unwrap().to_owned()
    });
    let found: Vec<String> = texts.filter(|text| text.contains(words)).collect();
    assert_eq!(found.len(), 1, "{words}");
    found.into_iter().next().unwrap()
}

/// The indexes that a plan uses, and the tables that it reads whole.
fn nodes(plan: &Value, indexes: &mut BTreeSet<String>, whole: &mut BTreeSet<String>) {
    match plan {
        Value::Object(node) => {
            if let Some(name) = node.get("Index Name") {
                indexes.insert(name.as_str().unwrap().to_owned());
            }
            if node.get("Node Type").is_some_and(|kind| kind == "Seq Scan") {
                whole.insert(node["Relation Name"].as_str().unwrap().to_owned());
            }
            node.values().for_each(|value| nodes(value, indexes, whole));
        }
        Value::Array(list) => list.iter().for_each(|value| nodes(value, indexes, whole)),
        _ => {}
    }
}

/// The plans of a statement for these arguments, and for any: a prepared statement may get either.
async fn plans(flow: &Flow, words: &str, arguments: &str) -> Vec<(&'static str, Value)> {
    let text = statement(words);
    let mut plans = Vec::new();
    for mode in ["force_custom_plan", "force_generic_plan"] {
        let mut tx = flow.context.pool.begin_with("BEGIN").await.unwrap();
        let prepared = format!("SET LOCAL plan_cache_mode = {mode}; PREPARE asked AS {text}");
        sqlx::raw_sql(sqlx::AssertSqlSafe(prepared))
            .execute(&mut *tx)
            .await
            .unwrap();
        let list = if arguments.is_empty() {
            String::new()
        } else {
            format!("({arguments})")
        };
        let explain = format!("EXPLAIN (FORMAT JSON) EXECUTE asked{list}");
        let row = sqlx::raw_sql(sqlx::AssertSqlSafe(explain))
            .fetch_one(&mut *tx)
            .await
            .unwrap();
        let plan: Value = sqlx::Row::get(&row, 0);
        sqlx::raw_sql("DEALLOCATE asked")
            .execute(&mut *tx)
            .await
            .unwrap();
        tx.rollback().await.unwrap();
        plans.push((mode, plan));
    }
    plans
}

async fn assert_plan(flow: &Flow, words: &str, arguments: &str, wanted: &[&str]) {
    for (mode, plan) in plans(flow, words, arguments).await {
        let (mut indexes, mut whole) = (BTreeSet::new(), BTreeSet::new());
        nodes(&plan, &mut indexes, &mut whole);
        for index in wanted {
            assert!(
                indexes.contains(*index),
                "{mode}: {words} does not use {index}: {plan:#}"
            );
        }
        for table in [
            "bookings",
            "booking_hosts",
            "booking_guests",
            "events",
            "mail_outbox",
            "manage_tokens",
            "booking_history",
            "api_keys",
            "mail_ledger",
        ] {
            assert!(
                !whole.contains(table),
                "{mode}: {words} reads {table} whole: {plan:#}"
            );
        }
    }
}

const NOW: &str = "'2026-06-01 08:00+00'";

#[tokio::test]
async fn statements_that_run_all_day_use_their_indexes() {
    let flow = filled().await;
    let host = flow.text("SELECT id::text FROM hosts LIMIT 1").await;
    let event_type = flow.text("SELECT id::text FROM event_types LIMIT 1").await;
    let calendar = flow.text("SELECT id::text FROM calendars LIMIT 1").await;
    let token = flow
        .text("SELECT token_hash::text FROM manage_tokens LIMIT 1")
        .await;
    let fingerprint = flow
        .text("SELECT booker_email_fp::text FROM bookings LIMIT 1")
        .await;
    let key = flow
        .text("SELECT secret_hash::text FROM api_keys LIMIT 1")
        .await;
    let bookings = flow
        .text("SELECT quote_literal(array_agg(id)) FROM (SELECT id FROM bookings LIMIT 20) b")
        .await;
    let booking = flow.text("SELECT id::text FROM bookings LIMIT 1").await;
    for (words, arguments, wanted) in [
        (
            "SET claim_id = $2, claimed_at = clock.now",
            format!("'prompt', gen_random_uuid(), {NOW}, 10, 13, NULL, '{{}}', 'w'"),
            &["mail_outbox_due_idx"][..],
        ),
        (
            "SET claim_id = $2, claimed_at = clock.now",
            format!(
                "'prompt', gen_random_uuid(), {NOW}, 10, 13, '2026-05-01 08:00+00', '{{1, 2}}', 'w'"
            ),
            &["mail_outbox_due_idx"][..],
        ),
        (
            "AND domain_fp IS NULL",
            format!("'prompt', {NOW}, 1000"),
            &["mail_outbox_due_idx", "bookings_pkey"],
        ),
        (
            "AND o.pauses < $4",
            format!("1, 600, {NOW}, 10"),
            &["mail_outbox_due_idx"],
        ),
        (
            "'rejected', 'exhausted') AND outcome = $1",
            "'exhausted', 100".to_owned(),
            &["mail_outbox_undelivered_idx"],
        ),
        (
            "min(due_at) - coalesce",
            format!("'prompt', {NOW}"),
            &["mail_outbox_due_idx"],
        ),
        (
            "lower(bh.blocked) >= $4",
            format!("'{host}', '2026-06-01', '2026-06-03', '2026-05-31', '2026-06-03'"),
            &["booking_hosts_busy_idx"],
        ),
        (
            "WITH masters AS MATERIALIZED",
            format!("ARRAY['{calendar}'::uuid], '{host}', '2026-06-01', '2026-07-03'"),
            &["events_reach_idx", "events_series_id_idx"],
        ),
        (
            "CROSS JOIN LATERAL",
            format!(
                "'{event_type}', '{fingerprint}', '{fingerprint}', {NOW}, '2026-05-31', '\\x00', '\\x00'"
            ),
            &[
                "bookings_ip_fp_idx",
                "bookings_booker_email_fp_idx",
                "bookings_hold_expires_at_idx",
            ],
        ),
        (
            "ORDER BY hold_expires_at LIMIT $2",
            format!("{NOW}, 200"),
            &["bookings_hold_expires_at_idx"],
        ),
        (
            r#"AS "behind!""#,
            format!(
                "gen_random_uuid(), gen_random_uuid(), {NOW}, '{booking}', 'guest', gen_random_uuid(), {NOW}, 100000, false, 7"
            ),
            &[
                "bookings_pkey",
                "booking_guests_pkey",
                "mail_outbox_claimed_idx",
                "mail_ledger_at_idx",
            ],
        ),
        (
            "INSERT INTO mail_ledger",
            format!(
                "200001, {NOW}, '{fingerprint}', gen_random_uuid(), 100000, false, 5, 20, gen_random_uuid(), 'confirmed', '\\x00', '{booking}'"
            ),
            &["mail_ledger_recipient_idx", "mail_ledger_at_idx"],
        ),
        (
            "INSERT INTO mail_ledger",
            format!(
                "200001, {NOW}, NULL, gen_random_uuid(), 100, true, NULL, NULL, gen_random_uuid(), 'confirmed', NULL, NULL"
            ),
            &["mail_ledger_at_idx"],
        ),
        (
            "interval '2 days' ORDER BY at",
            format!("{NOW}, 10000"),
            &["mail_ledger_at_idx"],
        ),
        (
            "SELECT min(hold_expires_at) FROM bookings",
            String::new(),
            &["bookings_hold_expires_at_idx"],
        ),
        (
            "SET ip_fp = NULL",
            format!("{NOW}, 500"),
            &["bookings_ip_forget_at_idx"],
        ),
        (
            "(SELECT booking_id FROM manage_tokens WHERE token_hash = $1)",
            format!("'{token}', NULL"),
            &["manage_tokens_pkey", "bookings_pkey"],
        ),
        (
            "(SELECT booking_id FROM manage_tokens WHERE token_hash = $1)",
            format!("NULL, {bookings}"),
            &["bookings_pkey"],
        ),
        (
            "WHERE k.secret_hash = $1",
            format!("'{key}', {NOW}"),
            &["api_keys_secret_hash_key", "api_keys_pkey"],
        ),
        (
            "ORDER BY e.start_utc DESC, e.booking_id DESC",
            format!("'{host}', NULL, NULL, NULL, NULL, {NOW}, 21"),
            &["events_host_bookings_idx", "bookings_pkey"],
        ),
        (
            "ORDER BY e.start_utc DESC, e.booking_id DESC",
            format!(
                "'{host}', '2026-03-01', gen_random_uuid(), '2026-01-01', '{{held}}', {NOW}, 21"
            ),
            &["events_host_bookings_idx", "bookings_pkey"],
        ),
        (
            "FROM mail_outbox WHERE booking_id = ANY ($1)",
            bookings.clone(),
            &["mail_outbox_notice_key"],
        ),
        (
            "FROM booking_history WHERE booking_id = ANY ($1)",
            bookings.clone(),
            &["booking_history_pkey"],
        ),
    ] {
        assert_plan(&flow, words, &arguments, wanted).await;
    }
    // A host's list is read in its order: a page of it costs a page, however long the list is.
    let (words, arguments) = (
        "ORDER BY e.start_utc DESC, e.booking_id DESC",
        format!("'{host}', '2026-03-01', gen_random_uuid(), NULL, NULL, {NOW}, 21"),
    );
    for (mode, plan) in plans(&flow, words, &arguments).await {
        assert!(!plan.to_string().contains("Sort"), "{mode}: {plan:#}");
    }
    // What was filled in here has no mail of its own.
    flow.app.end().await;
}
