//! Every CHECK and every key that carries meaning, broken once.

use std::collections::BTreeSet;

use holdfast_tests::{Flow, calendar::personal, flow::wish};
use serde_json::json;
use shared::ops::feed::{self, FeedDetail};

use super::refusal;

/// A constraint and a statement that breaks it alone.
const BROKEN: &[(&str, &str)] = &[
    (
        "instance_has_one_row",
        "UPDATE instance SET only_row = false",
    ),
    (
        "api_keys_secret_hash_check",
        "UPDATE api_keys SET secret_hash = '\\x00'",
    ),
    (
        "calendar_feeds_token_hash_check",
        "UPDATE calendar_feeds SET token_hash = '\\x00'",
    ),
    (
        "calendar_feeds_detail_check",
        "UPDATE calendar_feeds SET detail = 'all'",
    ),
    ("users_locale_check", "UPDATE users SET locale = 'de'"),
    ("hosts_kind_check", "UPDATE hosts SET kind = 'robot'"),
    ("hosts_agent_has_slug", "UPDATE hosts SET kind = 'agent'"),
    ("hosts_handle_check", "UPDATE hosts SET handle = 'Ana'"),
    ("hosts_locale_check", "UPDATE hosts SET locale = 'en-GB'"),
    (
        "schedule_windows_weekday_check",
        "UPDATE schedule_windows SET weekday = 7",
    ),
    (
        "schedule_windows_minutes_check",
        "UPDATE schedule_windows SET end_min = 1441",
    ),
    (
        "schedule_overrides_minutes_check",
        "UPDATE schedule_overrides SET windows = '{[0,1441)}'",
    ),
    (
        "host_exceptions_kind_check",
        "UPDATE host_exceptions SET kind = 'busy'",
    ),
    (
        "host_exceptions_span_check",
        "UPDATE host_exceptions SET span = '[2026-01-01,)'",
    ),
    (
        "event_types_code_check",
        "UPDATE event_types SET code = 'ABCDEFGH'",
    ),
    (
        "event_types_slug_check",
        "UPDATE event_types SET slug = 'abcd1234'",
    ),
    (
        "event_types_duration_check",
        "UPDATE event_types SET duration_min = 4",
    ),
    (
        "event_types_step_check",
        "UPDATE event_types SET step_min = 481",
    ),
    (
        "event_types_before_buffer_check",
        "UPDATE event_types SET before_buffer_min = 121",
    ),
    (
        "event_types_after_buffer_check",
        "UPDATE event_types SET after_buffer_min = -1",
    ),
    (
        "event_types_notice_check",
        "UPDATE event_types SET notice_min = 10081",
    ),
    (
        "event_types_horizon_check",
        "UPDATE event_types SET horizon_days = 0",
    ),
    (
        "event_types_bookable_dates_check",
        "UPDATE event_types SET bookable_from = '2026-02-02', bookable_until = '2026-02-01'",
    ),
    (
        "event_types_confirmation_check",
        "UPDATE event_types SET confirmation = 'later'",
    ),
    (
        "event_types_dst_policy_check",
        "UPDATE event_types SET dst_policy = 'lax'",
    ),
    (
        "event_types_location_kind_check",
        "UPDATE event_types SET location_kind = 'moon'",
    ),
    (
        "event_types_limits_check",
        "UPDATE event_types SET limit_per_week = 0",
    ),
    (
        "event_types_locale_check",
        "UPDATE event_types SET locale = ''",
    ),
    (
        "questions_kind_check",
        "UPDATE questions SET kind = 'essay'",
    ),
    (
        "questions_options_check",
        "UPDATE questions SET options_sealed = NULL",
    ),
    (
        "calendars_kind_check",
        "UPDATE calendars SET kind = 'caldav'",
    ),
    ("calendars_name_check", "UPDATE calendars SET kind = 'team'"),
    (
        "calendars_source_check",
        "UPDATE calendars SET source_sealed = ''",
    ),
    (
        "calendars_max_age_check",
        "UPDATE calendars SET max_age_min = 59",
    ),
    (
        "calendar_members_role_check",
        "UPDATE calendar_members SET role = 'guest'",
    ),
    (
        "bookings_state_check",
        "UPDATE bookings SET state = 'requested'",
    ),
    (
        "bookings_revision_check",
        "UPDATE bookings SET revision = -1",
    ),
    (
        "bookings_span_check",
        "UPDATE bookings SET end_at = start_at",
    ),
    (
        "bookings_held_has_expiry",
        "UPDATE bookings SET hold_expires_at = NULL",
    ),
    (
        "bookings_confirmed_has_organizer",
        "UPDATE bookings SET state = 'confirmed', confirmed_at = now()",
    ),
    (
        "bookings_cancelled_has_actor",
        "UPDATE bookings SET state = 'cancelled', cancelled_at = now()",
    ),
    (
        "bookings_cancelled_by_check",
        "UPDATE bookings SET cancelled_by = 'system'",
    ),
    (
        "bookings_created_by_check",
        "UPDATE bookings SET created_by = 'nobody'",
    ),
    (
        "bookings_locale_check",
        "UPDATE bookings SET booker_locale = 'fr'",
    ),
    (
        "bookings_ip_pair_check",
        "UPDATE bookings SET ip_forget_at = NULL",
    ),
    ("events_kind_check", "UPDATE events SET kind = 'party'"),
    (
        "events_transparency_check",
        "UPDATE events SET transparency = 'busy'",
    ),
    ("events_status_check", "UPDATE events SET status = 'held'"),
    (
        "events_span_check",
        "UPDATE events SET end_utc = start_utc - interval '1 us'",
    ),
    ("events_booked_has_times", "UPDATE events SET tz = NULL"),
    (
        "events_has_timing",
        "INSERT INTO events (id, calendar_id, title_sealed, reach) SELECT gen_random_uuid(), id, '', '(,)' FROM calendars",
    ),
    (
        "events_series_has_reach",
        "INSERT INTO events (id, calendar_id, title_sealed, timing) SELECT gen_random_uuid(), id, '', '{}' FROM calendars",
    ),
    (
        "events_blocks_has_problem",
        "UPDATE events SET blocks = true",
    ),
    (
        "events_copy_check",
        "UPDATE events SET copy_of = booking_id",
    ),
    ("events_uid_pair_check", "UPDATE events SET uid_fp = ''"),
    (
        "booking_hosts_blocked_check",
        "UPDATE booking_hosts SET blocked = '[2026-06-02 10:00+00,2026-06-02 11:00+00]'",
    ),
    (
        "booking_history_actor_check",
        "INSERT INTO booking_history (booking_id, revision, at, actor_kind, action, to_state) SELECT id, 9, now(), 'cat', 'hold', 'held' FROM bookings",
    ),
    (
        "booking_history_action_check",
        "INSERT INTO booking_history (booking_id, revision, at, actor_kind, action, to_state) SELECT id, 9, now(), 'host', 'purr', 'held' FROM bookings",
    ),
    (
        "mail_outbox_kind_check",
        "UPDATE mail_outbox SET kind = 'advert'",
    ),
    (
        "mail_outbox_recipient_check",
        "UPDATE mail_outbox SET recipient = 'host'",
    ),
    (
        "mail_outbox_lane_check",
        "UPDATE mail_outbox SET lane = 'reminder'",
    ),
    (
        "mail_outbox_remind_at_check",
        "UPDATE mail_outbox SET remind_at = now()",
    ),
    (
        "mail_outbox_outcome_check",
        "UPDATE mail_outbox SET outcome = 'lost', outcome_at = now()",
    ),
    (
        "mail_outbox_outcome_pair_check",
        "UPDATE mail_outbox SET outcome = 'sent'",
    ),
    (
        "mail_outbox_claim_pair_check",
        "UPDATE mail_outbox SET claim_id = gen_random_uuid()",
    ),
    (
        "mail_outbox_refusals_check",
        "UPDATE mail_outbox SET refusals = -1",
    ),
    (
        "mail_outbox_pauses_check",
        "UPDATE mail_outbox SET pauses = 11",
    ),
    (
        "mail_outbox_suppression_reason_check",
        "UPDATE mail_outbox SET outcome = 'suppressed', outcome_at = now(), suppression_reason = 'a whim'",
    ),
    (
        "mail_outbox_suppressed_has_reason",
        "UPDATE mail_outbox SET outcome = 'suppressed', outcome_at = now()",
    ),
    (
        "mail_ledger_kind_check",
        "INSERT INTO mail_ledger (claim_id, ordinal, mail_id, kind, at) VALUES (gen_random_uuid(), 1, gen_random_uuid(), 'advert', now())",
    ),
    (
        "calendar_syncs_claim_check",
        "INSERT INTO calendar_syncs (calendar_id, due_at, claim_id) SELECT id, now(), gen_random_uuid() FROM calendars",
    ),
    (
        "calendar_syncs_failure_check",
        "INSERT INTO calendar_syncs (calendar_id, due_at, failed_at) SELECT id, now(), now() FROM calendars",
    ),
    (
        "reminder_rules_offset_check",
        "UPDATE reminder_rules SET offset_min = 4",
    ),
    (
        "reminder_rules_audience_check",
        "UPDATE reminder_rules SET to_hosts = false, to_booker = false, to_guests = false",
    ),
];

/// Keys: what may stand but once.
const TWICE: &[(&str, &str)] = &[
    (
        "hosts_human_user_key",
        "INSERT INTO hosts (id, kind, user_id, handle, display_name_sealed, contact_email_sealed, zone) SELECT gen_random_uuid(), 'human', user_id, 'other', display_name_sealed, contact_email_sealed, zone FROM hosts",
    ),
    (
        "calendars_personal_key",
        "INSERT INTO calendars (id, owner_host_id, kind) SELECT gen_random_uuid(), id, 'personal' FROM hosts",
    ),
    (
        "calendar_members_owner_key",
        "WITH other AS (INSERT INTO hosts (id, kind, agent_slug, user_id, handle, display_name_sealed, contact_email_sealed, zone) SELECT gen_random_uuid(), 'agent', 'slug', user_id, 'other', display_name_sealed, contact_email_sealed, zone FROM hosts RETURNING id) INSERT INTO calendar_members (calendar_id, host_id, role) SELECT c.id, other.id, 'owner' FROM calendars c, other",
    ),
    (
        "calendar_feeds_token_hash_key",
        "INSERT INTO calendar_feeds (id, calendar_id, host_id, token_hash, name_sealed, detail) SELECT gen_random_uuid(), calendar_id, host_id, token_hash, name_sealed, detail FROM calendar_feeds",
    ),
    (
        "booking_guests_email_key",
        "INSERT INTO booking_guests (booking_id, id, position, email_sealed, email_fp) SELECT booking_id, gen_random_uuid(), position, email_sealed, email_fp FROM booking_guests",
    ),
    (
        "mail_outbox_notice_key",
        "INSERT INTO mail_outbox (id, booking_id, kind, recipient, revision, priority, due_at, created_at) SELECT gen_random_uuid(), booking_id, kind, recipient, revision, priority, due_at, created_at FROM mail_outbox",
    ),
    (
        "reminder_rules_offset_key",
        "INSERT INTO reminder_rules (id, event_type_id, offset_min) SELECT gen_random_uuid(), event_type_id, offset_min FROM reminder_rules",
    ),
    (
        "api_keys_secret_hash_key",
        "INSERT INTO api_keys (id, host_id, secret_hash, created_at) SELECT gen_random_uuid(), host_id, secret_hash, created_at FROM api_keys",
    ),
    (
        "manage_tokens_pkey",
        "INSERT INTO manage_tokens (token_hash, booking_id) SELECT '\\x00', id FROM bookings; INSERT INTO manage_tokens (token_hash, booking_id) SELECT '\\x00', id FROM bookings",
    ),
    (
        "idempotency_keys_pkey",
        "INSERT INTO idempotency_keys (scope, key_hash, request_fp, status, booking_id, revision, created_at) SELECT scope, key_hash, request_fp, status, booking_id, revision, created_at FROM idempotency_keys",
    ),
];

/// A database with a row in every table: a hold with a guest and an answer.
async fn full() -> Flow {
    let flow = Flow::start().await;
    let host = flow
        .host("ana")
        .by_mail()
        .guests()
        .ask("Which?", "choice", false, &["this", "that"])
        .make()
        .await;
    host.except(
        &flow.context,
        "blocked",
        "2026-06-05T10:00:00Z",
        "2026-06-05T11:00:00Z",
    )
    .await;
    flow.key(&host).await;
    let (context, detail) = (&flow.context, FeedDetail::Full);
    let calendar = personal(context, &host).await;
    feed::create(context, host.id, calendar, "Phone", detail)
        .await
        .unwrap();
    host.override_date(&flow.context, "2026-06-06", "{}").await;
    let mut wish = wish("2026-06-02T10:00:00Z", "sam@bookers.test");
    wish["guests"] = json!([{ "email": "kim@bookers.test" }]);
    let answer = flow.ask_once(&host, &wish, "once").await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    flow
}

#[tokio::test]
async fn each_check_refuses_what_it_is_for_and_none_is_forgotten_here() {
    let flow = full().await;
    for (name, sql) in BROKEN {
        let (code, constraint) = refusal(&flow, sql).await.expect(name);
        assert_eq!((code.as_str(), constraint.as_str()), ("23514", *name));
    }
    let broken: BTreeSet<String> = BROKEN.iter().map(|(name, _)| (*name).into()).collect();
    let there = flow
        .texts("SELECT conname::text FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace")
        .await;
    assert_eq!(broken, there.into_iter().collect());
    flow.end().await;
}

#[tokio::test]
async fn what_may_stand_but_once_stands_but_once() {
    let flow = full().await;
    for (name, sql) in TWICE {
        let (code, constraint) = refusal(&flow, sql).await.expect(name);
        assert_eq!((code.as_str(), constraint.as_str()), ("23505", *name));
    }
    let (code, constraint) = refusal(
        &flow,
        "INSERT INTO schedule_windows SELECT schedule_id, weekday, start_min + 1, end_min - 1 FROM schedule_windows",
    )
    .await
    .unwrap();
    assert_eq!(
        (code.as_str(), constraint.as_str()),
        ("23P01", "schedule_windows_no_overlap")
    );
    flow.end().await;
}

/// What a booking stands on cannot be deleted from under it.
#[tokio::test]
async fn a_booked_type_host_and_calendar_stay() {
    let flow = full().await;
    for sql in [
        "DELETE FROM event_types",
        "DELETE FROM hosts",
        "DELETE FROM users",
        "DELETE FROM calendars",
        "DELETE FROM events",
        "DELETE FROM bookings",
    ] {
        let (code, _) = refusal(&flow, sql).await.expect(sql);
        assert!(["23503", "23001"].contains(&code.as_str()), "{sql}: {code}");
    }
    flow.end().await;
}
