-- Who can be booked, when, and for what.
-- Personal prose is sealed (`*_sealed`); what is matched is a keyed fingerprint (`*_fp`).
-- Ids are UUIDv7 made by the application.

CREATE EXTENSION IF NOT EXISTS btree_gist;

-- One row: what this installation is. `seal_probe` and `fingerprint_probe` tell a wrong key at
-- start-up instead of at the first booking.
CREATE TABLE instance (
    only_row          boolean     NOT NULL DEFAULT true,
    id                uuid        NOT NULL,
    seal_probe        bytea       NOT NULL,
    fingerprint_probe bytea       NOT NULL,
    created_at        timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT instance_pkey PRIMARY KEY (only_row),
    CONSTRAINT instance_has_one_row CHECK (only_row)
);

CREATE TABLE users (
    id                uuid        NOT NULL,
    email_sealed      bytea       NOT NULL,
    email_fp          bytea       NOT NULL,
    email_verified_at timestamptz,
    name_sealed       bytea       NOT NULL,
    locale            text        NOT NULL DEFAULT 'en',
    is_active         boolean     NOT NULL DEFAULT true,
    created_at        timestamptz NOT NULL DEFAULT now(),
    updated_at        timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_pkey PRIMARY KEY (id),
    CONSTRAINT users_email_fp_key UNIQUE (email_fp),
    CONSTRAINT users_locale_check CHECK (locale IN ('en', 'zh-CN'))
);

-- The row that bookings lock: every booking of a host takes it FOR NO KEY UPDATE first.
CREATE TABLE hosts (
    id                   uuid        NOT NULL,
    kind                 text        NOT NULL,
    user_id              uuid        NOT NULL,
    agent_slug           text,
    handle               text        NOT NULL,
    display_name_sealed  bytea       NOT NULL,
    contact_email_sealed bytea       NOT NULL,
    contact_verified_at  timestamptz,
    zone                 text        NOT NULL,
    locale               text        NOT NULL DEFAULT 'en',
    is_active            boolean     NOT NULL DEFAULT true,
    listed               boolean     NOT NULL DEFAULT false,
    created_at           timestamptz NOT NULL DEFAULT now(),
    updated_at           timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT hosts_pkey PRIMARY KEY (id),
    CONSTRAINT hosts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE RESTRICT,
    CONSTRAINT hosts_handle_key UNIQUE (handle),
    CONSTRAINT hosts_agent_slug_key UNIQUE (agent_slug),
    CONSTRAINT hosts_kind_check CHECK (kind IN ('human', 'agent')),
    CONSTRAINT hosts_agent_has_slug CHECK ((kind = 'agent') = (agent_slug IS NOT NULL)),
    CONSTRAINT hosts_handle_check CHECK (handle ~ '^[a-z0-9-]{2,32}$'),
    CONSTRAINT hosts_locale_check CHECK (locale IN ('en', 'zh-CN'))
);

-- A person is one host; their agents are hosts of their own.
CREATE UNIQUE INDEX hosts_human_user_key ON hosts (user_id) WHERE kind = 'human';

-- `revision` moves with every change of the schedule, its windows or its overrides, so that a
-- booking can tell under its lock whether what it read before still stands.
CREATE TABLE schedules (
    id                       uuid        NOT NULL,
    host_id                  uuid        NOT NULL,
    name_sealed              bytea       NOT NULL,
    zone                     text,
    cross_midnight           boolean     NOT NULL DEFAULT false,
    availability_text_sealed bytea,
    revision                 integer     NOT NULL DEFAULT 0,
    created_at               timestamptz NOT NULL DEFAULT now(),
    updated_at               timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT schedules_pkey PRIMARY KEY (id),
    CONSTRAINT schedules_id_host_key UNIQUE (id, host_id),
    CONSTRAINT schedules_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts (id) ON DELETE CASCADE
);

CREATE TABLE schedule_windows (
    schedule_id uuid        NOT NULL,
    weekday     smallint    NOT NULL,
    start_min   smallint    NOT NULL,
    end_min     smallint    NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT schedule_windows_pkey PRIMARY KEY (schedule_id, weekday, start_min),
    CONSTRAINT schedule_windows_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedules (id) ON DELETE CASCADE,
    CONSTRAINT schedule_windows_weekday_check CHECK (weekday BETWEEN 0 AND 6),
    CONSTRAINT schedule_windows_minutes_check CHECK (0 <= start_min AND start_min < end_min AND end_min <= 1440),
    CONSTRAINT schedule_windows_no_overlap EXCLUDE USING gist (
        schedule_id WITH =, weekday WITH =, int4range(start_min, end_min) WITH &&
    )
);

-- An empty `windows` is a day off.
CREATE TABLE schedule_overrides (
    schedule_id uuid           NOT NULL,
    on_date     date           NOT NULL,
    windows     int4multirange NOT NULL,
    created_at  timestamptz    NOT NULL DEFAULT now(),
    updated_at  timestamptz    NOT NULL DEFAULT now(),
    CONSTRAINT schedule_overrides_pkey PRIMARY KEY (schedule_id, on_date),
    CONSTRAINT schedule_overrides_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedules (id) ON DELETE CASCADE,
    CONSTRAINT schedule_overrides_minutes_check CHECK (windows <@ '{[0,1440)}'::int4multirange)
);

CREATE TABLE host_exceptions (
    id            uuid        NOT NULL,
    host_id       uuid        NOT NULL,
    kind          text        NOT NULL,
    span          tstzrange   NOT NULL,
    given_zone    text,
    given_local   text,
    reason_sealed bytea,
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT host_exceptions_pkey PRIMARY KEY (id),
    CONSTRAINT host_exceptions_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts (id) ON DELETE CASCADE,
    CONSTRAINT host_exceptions_kind_check CHECK (kind IN ('blocked', 'available')),
    CONSTRAINT host_exceptions_span_check CHECK (
        NOT isempty(span) AND NOT lower_inf(span) AND NOT upper_inf(span)
        AND isfinite(lower(span)) AND isfinite(upper(span))
        AND lower_inc(span) AND NOT upper_inc(span)
    )
);

CREATE INDEX host_exceptions_host_span_idx ON host_exceptions USING gist (host_id, span);

-- `code` is generated and never changes; `slug` is an optional second, readable address. A slug
-- never has the shape of a code, so both share one namespace. Unpublished (`published_at` NULL)
-- answers like a page that never was.
CREATE TABLE event_types (
    id                  uuid        NOT NULL,
    owner_host_id       uuid        NOT NULL,
    schedule_id         uuid        NOT NULL,
    code                text        NOT NULL,
    slug                text,
    title_sealed        bytea       NOT NULL,
    description_sealed  bytea       NOT NULL,
    location_kind       text        NOT NULL DEFAULT 'none',
    location_sealed     bytea,
    duration_min        integer     NOT NULL,
    step_min            integer     NOT NULL,
    before_buffer_min   integer     NOT NULL DEFAULT 5,
    after_buffer_min    integer     NOT NULL DEFAULT 10,
    notice_min          integer     NOT NULL DEFAULT 120,
    horizon_days        integer     NOT NULL DEFAULT 30,
    bookable_from       date,
    bookable_until      date,
    confirmation        text        NOT NULL DEFAULT 'email_link',
    dst_policy          text        NOT NULL DEFAULT 'strict',
    limit_per_day       integer,
    limit_per_week      integer,
    limit_per_month     integer,
    allow_guests        boolean     NOT NULL DEFAULT false,
    locale              text        NOT NULL DEFAULT 'en',
    published_at        timestamptz,
    listed              boolean     NOT NULL DEFAULT false,
    revision            integer     NOT NULL DEFAULT 0,
    created_at          timestamptz NOT NULL DEFAULT now(),
    updated_at          timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT event_types_pkey PRIMARY KEY (id),
    CONSTRAINT event_types_id_owner_key UNIQUE (id, owner_host_id),
    CONSTRAINT event_types_owner_host_id_fkey FOREIGN KEY (owner_host_id) REFERENCES hosts (id) ON DELETE RESTRICT,
    CONSTRAINT event_types_schedule_id_fkey FOREIGN KEY (schedule_id, owner_host_id) REFERENCES schedules (id, host_id) ON DELETE RESTRICT,
    CONSTRAINT event_types_owner_code_key UNIQUE (owner_host_id, code),
    CONSTRAINT event_types_owner_slug_key UNIQUE (owner_host_id, slug),
    CONSTRAINT event_types_code_check CHECK (code ~ '^[a-z0-9]{8}$'),
    CONSTRAINT event_types_slug_check CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(slug) BETWEEN 2 AND 64 AND slug !~ '^[a-z0-9]{8}$'),
    CONSTRAINT event_types_duration_check CHECK (duration_min BETWEEN 5 AND 480),
    CONSTRAINT event_types_step_check CHECK (step_min BETWEEN 5 AND 480),
    CONSTRAINT event_types_before_buffer_check CHECK (before_buffer_min BETWEEN 0 AND 120),
    CONSTRAINT event_types_after_buffer_check CHECK (after_buffer_min BETWEEN 0 AND 120),
    CONSTRAINT event_types_notice_check CHECK (notice_min BETWEEN 0 AND 10080),
    CONSTRAINT event_types_horizon_check CHECK (horizon_days BETWEEN 1 AND 365),
    CONSTRAINT event_types_bookable_dates_check CHECK (bookable_from <= bookable_until),
    CONSTRAINT event_types_confirmation_check CHECK (confirmation IN ('email_link', 'instant')),
    CONSTRAINT event_types_dst_policy_check CHECK (dst_policy IN ('strict', 'elapsed')),
    CONSTRAINT event_types_location_kind_check CHECK (location_kind IN ('none', 'text', 'booker_phone', 'host_phone', 'link')),
    CONSTRAINT event_types_limits_check CHECK (limit_per_day >= 1 AND limit_per_week >= 1 AND limit_per_month >= 1),
    CONSTRAINT event_types_locale_check CHECK (locale IN ('en', 'zh-CN'))
);

CREATE TABLE questions (
    id             uuid        NOT NULL,
    event_type_id  uuid        NOT NULL,
    position       integer     NOT NULL,
    kind           text        NOT NULL,
    label_sealed   bytea       NOT NULL,
    required       boolean     NOT NULL DEFAULT false,
    options_sealed bytea,
    created_at     timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT questions_pkey PRIMARY KEY (id),
    CONSTRAINT questions_event_type_id_fkey FOREIGN KEY (event_type_id) REFERENCES event_types (id) ON DELETE CASCADE,
    CONSTRAINT questions_position_key UNIQUE (event_type_id, position),
    CONSTRAINT questions_kind_check CHECK (kind IN ('short_text', 'long_text', 'choice', 'multiple_choice', 'yes_no', 'phone')),
    CONSTRAINT questions_options_check CHECK ((kind IN ('choice', 'multiple_choice')) = (options_sealed IS NOT NULL))
);
