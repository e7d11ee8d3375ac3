-- Calendars and their events, bookings, and everything a booking owns.

CREATE TABLE calendars (
    id             uuid        NOT NULL,
    owner_host_id  uuid        NOT NULL,
    kind           text        NOT NULL,
    counts_as_busy boolean     NOT NULL DEFAULT true,
    revision       bigint      NOT NULL DEFAULT 0,
    created_at     timestamptz NOT NULL DEFAULT now(),
    updated_at     timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT calendars_pkey PRIMARY KEY (id),
    CONSTRAINT calendars_owner_host_id_fkey FOREIGN KEY (owner_host_id) REFERENCES hosts (id) ON DELETE RESTRICT,
    CONSTRAINT calendars_kind_check CHECK (kind IN ('personal'))
);

CREATE UNIQUE INDEX calendars_personal_key ON calendars (owner_host_id) WHERE kind = 'personal';

-- The personal calendar is made with its host: nobody can be booked without one.
INSERT INTO calendars (id, owner_host_id, kind)
SELECT gen_random_uuid(), id, 'personal' FROM hosts;

CREATE TABLE bookings (
    id                   uuid        NOT NULL,
    event_type_id        uuid        NOT NULL,
    state                text        NOT NULL,
    revision             integer     NOT NULL DEFAULT 0,
    revised_at           timestamptz NOT NULL,
    title_sealed         bytea       NOT NULL,
    description_sealed   bytea       NOT NULL,
    location_sealed      bytea,
    answers_sealed       bytea,
    note_sealed          bytea,
    booker_name_sealed   bytea       NOT NULL,
    booker_email_sealed  bytea       NOT NULL,
    booker_email_fp      bytea       NOT NULL,
    booker_zone          text        NOT NULL,
    booker_locale        text        NOT NULL,
    host_name_sealed     bytea       NOT NULL,
    organizer_sealed     bytea,
    duration_min         integer     NOT NULL,
    before_buffer_min    integer     NOT NULL,
    after_buffer_min     integer     NOT NULL,
    start_at             timestamptz NOT NULL,
    end_at               timestamptz NOT NULL,
    hold_expires_at      timestamptz,
    confirmed_at         timestamptz,
    cancelled_at         timestamptz,
    cancelled_by         text,
    cancel_reason_sealed bytea,
    booker_reschedules   integer     NOT NULL DEFAULT 0,
    ip_fp                bytea,
    ip_forget_at         timestamptz,
    created_by           text        NOT NULL,
    created_at           timestamptz NOT NULL,
    CONSTRAINT bookings_pkey PRIMARY KEY (id),
    CONSTRAINT bookings_event_type_id_fkey FOREIGN KEY (event_type_id) REFERENCES event_types (id) ON DELETE RESTRICT,
    CONSTRAINT bookings_state_check CHECK (state IN ('held', 'confirmed', 'cancelled', 'expired', 'completed', 'no_show')),
    CONSTRAINT bookings_revision_check CHECK (revision >= 0),
    CONSTRAINT bookings_span_check CHECK (end_at > start_at),
    CONSTRAINT bookings_held_has_expiry CHECK (state <> 'held' OR hold_expires_at IS NOT NULL),
    CONSTRAINT bookings_confirmed_has_organizer CHECK (state NOT IN ('confirmed', 'completed', 'no_show') OR (confirmed_at IS NOT NULL AND organizer_sealed IS NOT NULL)),
    CONSTRAINT bookings_cancelled_has_actor CHECK ((state = 'cancelled') = (cancelled_at IS NOT NULL AND cancelled_by IS NOT NULL)),
    CONSTRAINT bookings_cancelled_by_check CHECK (cancelled_by IN ('booker', 'host', 'coordinator')),
    CONSTRAINT bookings_created_by_check CHECK (created_by IN ('booker', 'host', 'coordinator', 'agent', 'api')),
    CONSTRAINT bookings_locale_check CHECK (booker_locale IN ('en', 'zh-CN')),
    CONSTRAINT bookings_ip_pair_check CHECK ((ip_fp IS NULL) = (ip_forget_at IS NULL))
);

CREATE INDEX bookings_hold_expires_at_idx ON bookings (hold_expires_at) WHERE state = 'held';
CREATE INDEX bookings_ip_forget_at_idx ON bookings (ip_forget_at) WHERE ip_fp IS NOT NULL;
CREATE INDEX bookings_ip_fp_idx ON bookings (ip_fp, created_at) WHERE ip_fp IS NOT NULL;
CREATE INDEX bookings_booker_email_fp_idx ON bookings (booker_email_fp, created_at);
CREATE INDEX bookings_event_type_state_start_idx ON bookings (event_type_id, state, start_at);

-- `start_utc` and `end_utc` are what decides; the wall times and the zone say how they were meant.
-- An event that belongs to a booking is never counted as busy by itself: the booking's blocked
-- span is.
CREATE TABLE events (
    id              uuid        NOT NULL,
    calendar_id     uuid        NOT NULL,
    booking_id      uuid,
    kind            text        NOT NULL DEFAULT 'meeting',
    title_sealed    bytea       NOT NULL,
    notes_sealed    bytea,
    location_sealed bytea,
    start_local     timestamp   NOT NULL,
    end_local       timestamp   NOT NULL,
    tz              text        NOT NULL,
    start_utc       timestamptz NOT NULL,
    end_utc         timestamptz NOT NULL,
    all_day         boolean     NOT NULL DEFAULT false,
    transparency    text        NOT NULL DEFAULT 'opaque',
    status          text        NOT NULL DEFAULT 'confirmed',
    sequence        integer     NOT NULL DEFAULT 0,
    deleted_at      timestamptz,
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT events_pkey PRIMARY KEY (id),
    CONSTRAINT events_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES calendars (id) ON DELETE RESTRICT,
    CONSTRAINT events_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES bookings (id) ON DELETE RESTRICT,
    CONSTRAINT events_kind_check CHECK (kind IN ('meeting', 'commitment', 'out_of_office', 'note')),
    CONSTRAINT events_transparency_check CHECK (transparency IN ('opaque', 'transparent')),
    CONSTRAINT events_status_check CHECK (status IN ('tentative', 'confirmed', 'cancelled')),
    CONSTRAINT events_span_check CHECK (end_utc >= start_utc)
);

CREATE INDEX events_booking_id_idx ON events (booking_id) WHERE booking_id IS NOT NULL;
-- The busy read: what is in the way on a calendar, by time.
CREATE INDEX events_busy_idx ON events USING gist (calendar_id, tstzrange(start_utc, end_utc, '[)'))
    WHERE booking_id IS NULL AND deleted_at IS NULL AND status <> 'cancelled' AND transparency = 'opaque' AND kind <> 'note';

-- One row a host a booking. `blocked` is the meeting with its buffers, fixed when it was booked;
-- while `active`, no other active row of that host may overlap it. This constraint holds even
-- when the code above it is wrong.
CREATE TABLE booking_hosts (
    booking_id uuid        NOT NULL,
    host_id    uuid        NOT NULL,
    event_id   uuid        NOT NULL,
    is_primary boolean     NOT NULL DEFAULT true,
    blocked    tstzrange   NOT NULL,
    active     boolean     NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT booking_hosts_pkey PRIMARY KEY (booking_id, host_id),
    CONSTRAINT booking_hosts_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES bookings (id) ON DELETE CASCADE,
    CONSTRAINT booking_hosts_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts (id) ON DELETE RESTRICT,
    CONSTRAINT booking_hosts_event_id_fkey FOREIGN KEY (event_id) REFERENCES events (id) ON DELETE RESTRICT,
    CONSTRAINT booking_hosts_blocked_check CHECK (NOT isempty(blocked) AND NOT lower_inf(blocked) AND NOT upper_inf(blocked) AND lower_inc(blocked) AND NOT upper_inc(blocked)),
    CONSTRAINT booking_hosts_no_overlap EXCLUDE USING gist (host_id WITH =, blocked WITH &&) WHERE (active)
);

-- The busy read of bookings: a range scan on plain keys is about four times a GiST `&&` read. A
-- blocked span is at most 480 + 2 x 120 minutes long, so a bound on its start bounds both ends.
CREATE INDEX booking_hosts_busy_idx ON booking_hosts (host_id, lower(blocked), upper(blocked)) INCLUDE (booking_id) WHERE active;

CREATE TABLE booking_guests (
    booking_id   uuid        NOT NULL,
    id           uuid        NOT NULL,
    position     smallint    NOT NULL,
    email_sealed bytea       NOT NULL,
    email_fp     bytea       NOT NULL,
    name_sealed  bytea,
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT booking_guests_pkey PRIMARY KEY (id),
    CONSTRAINT booking_guests_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES bookings (id) ON DELETE CASCADE,
    CONSTRAINT booking_guests_email_key UNIQUE (booking_id, email_fp)
);

-- Only hashes. `mail_id` is no foreign key: the link of a mail that is on its way must work
-- whatever becomes of its row.
CREATE TABLE manage_tokens (
    token_hash bytea       NOT NULL,
    booking_id uuid        NOT NULL,
    mail_id    uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT manage_tokens_pkey PRIMARY KEY (token_hash),
    CONSTRAINT manage_tokens_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES bookings (id) ON DELETE CASCADE
);

CREATE INDEX manage_tokens_booking_id_idx ON manage_tokens (booking_id);

-- What happened, in order. Rows are only ever added.
CREATE TABLE booking_history (
    booking_id uuid        NOT NULL,
    revision   integer     NOT NULL,
    at         timestamptz NOT NULL,
    actor_kind text        NOT NULL,
    actor_id   uuid,
    action     text        NOT NULL,
    from_state text,
    to_state   text        NOT NULL,
    old_span   tstzrange,
    new_span   tstzrange,
    old_host   uuid,
    new_host   uuid,
    CONSTRAINT booking_history_pkey PRIMARY KEY (booking_id, revision),
    CONSTRAINT booking_history_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES bookings (id) ON DELETE RESTRICT,
    CONSTRAINT booking_history_actor_check CHECK (actor_kind IN ('booker', 'host', 'coordinator', 'agent', 'api', 'system')),
    CONSTRAINT booking_history_action_check CHECK (action IN ('hold', 'book', 'confirm', 'expire', 'release', 'reschedule', 'cancel', 'complete', 'no_show'))
);

CREATE FUNCTION refuse_history_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'booking_history is append-only' USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER booking_history_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON booking_history
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();

-- What was answered under an idempotency key, without anything personal: the booking and its
-- revision; the answer is rendered again. Purged after 24 hours.
CREATE TABLE idempotency_keys (
    scope      bytea       NOT NULL,
    key_hash   bytea       NOT NULL,
    request_fp bytea       NOT NULL,
    status     smallint    NOT NULL,
    booking_id uuid        NOT NULL,
    revision   integer     NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (scope, key_hash),
    CONSTRAINT idempotency_keys_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES bookings (id) ON DELETE CASCADE
);

CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
