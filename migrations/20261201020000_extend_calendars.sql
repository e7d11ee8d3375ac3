-- Calendars of every kind, who sees them, and events that recur.

ALTER TABLE calendars
    DROP CONSTRAINT calendars_kind_check,
    ADD COLUMN name_sealed       bytea,
    ADD COLUMN source_sealed     bytea,
    ADD COLUMN max_age_min       integer NOT NULL DEFAULT 1440,
    ADD COLUMN last_good_sync_at timestamptz,
    ADD CONSTRAINT calendars_kind_check CHECK (kind IN ('personal', 'team', 'subscribed')),
    ADD CONSTRAINT calendars_name_check CHECK (kind = 'personal' OR name_sealed IS NOT NULL),
    ADD CONSTRAINT calendars_source_check CHECK ((kind = 'subscribed') = (source_sealed IS NOT NULL)),
    ADD CONSTRAINT calendars_max_age_check CHECK (max_age_min BETWEEN 60 AND 43200);

-- `counts_as_busy` moves to each host's own row below. The column stays for one version: a process
-- of the version before still reads it. Nothing reads it any more.
COMMENT ON COLUMN calendars.counts_as_busy IS 'not read since calendar_members; to be dropped';

CREATE INDEX calendars_owner_host_id_idx ON calendars (owner_host_id);

-- Who sees a calendar, its owner included. Everything that a host sees is busy unless they switch
-- it off here. Whoever changes a row locks the host first, so that no booking of theirs is between
-- its locks and its insert.
CREATE TABLE calendar_members (
    calendar_id    uuid        NOT NULL,
    host_id        uuid        NOT NULL,
    role           text        NOT NULL,
    counts_as_busy boolean     NOT NULL DEFAULT true,
    created_at     timestamptz NOT NULL DEFAULT now(),
    updated_at     timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT calendar_members_pkey PRIMARY KEY (calendar_id, host_id),
    CONSTRAINT calendar_members_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES calendars (id) ON DELETE CASCADE,
    CONSTRAINT calendar_members_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts (id) ON DELETE CASCADE,
    CONSTRAINT calendar_members_role_check CHECK (role IN ('owner', 'member'))
);

CREATE INDEX calendar_members_host_id_idx ON calendar_members (host_id, calendar_id);
CREATE UNIQUE INDEX calendar_members_owner_key ON calendar_members (calendar_id) WHERE role = 'owner';

INSERT INTO calendar_members (calendar_id, host_id, role, counts_as_busy)
SELECT id, owner_host_id, 'owner', counts_as_busy FROM calendars;

-- An event of a booking keeps its times in columns, as before. Any other event keeps what it says
-- of its times as one value: `timing` (start, end, RRULE verbatim, EXDATE, RDATE and, for an
-- override, the start that it replaces). `reach` is where the event, its whole series and its
-- overrides lie, with room for every zone; without an upper bound the series does not end. What
-- cannot be read at all has no timing and reaches everywhere.
ALTER TABLE events
    ALTER COLUMN start_local DROP NOT NULL,
    ALTER COLUMN end_local DROP NOT NULL,
    ALTER COLUMN tz DROP NOT NULL,
    ALTER COLUMN start_utc DROP NOT NULL,
    ALTER COLUMN end_utc DROP NOT NULL,
    ADD COLUMN uid_sealed       bytea,
    ADD COLUMN uid_fp           bytea,
    ADD COLUMN attendees_sealed bytea,
    ADD COLUMN timing           jsonb,
    ADD COLUMN reach            tstzrange,
    ADD COLUMN series_id        uuid,
    ADD COLUMN copy_of          uuid,
    ADD COLUMN problems_sealed  bytea,
    ADD COLUMN verbatim_sealed  bytea,
    ADD COLUMN blocks           boolean NOT NULL DEFAULT false,
    ADD COLUMN marked_free      boolean NOT NULL DEFAULT false;

-- Events that stand already without a booking: their columns become their timing.
UPDATE events
   SET timing = CASE WHEN all_day
           THEN jsonb_build_object('start', to_char(start_local, 'YYYY-MM-DD'), 'end', to_char(greatest(end_local, start_local + interval '1 day'), 'YYYY-MM-DD'))
           ELSE jsonb_build_object('start', to_char(timestamp 'epoch' + make_interval(secs => floor(extract(epoch FROM start_utc))::float8), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'end', to_char(timestamp 'epoch' + make_interval(secs => ceil(extract(epoch FROM end_utc))::float8), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
           END,
       reach = tstzrange(start_utc - interval '2 days', end_utc + interval '2 days', '[)')
 WHERE booking_id IS NULL;

ALTER TABLE events
    ADD CONSTRAINT events_series_id_fkey FOREIGN KEY (series_id) REFERENCES events (id) ON DELETE CASCADE,
    ADD CONSTRAINT events_booked_has_times CHECK (booking_id IS NULL OR (start_local IS NOT NULL AND end_local IS NOT NULL AND tz IS NOT NULL AND start_utc IS NOT NULL AND end_utc IS NOT NULL AND timing IS NULL AND series_id IS NULL)),
    ADD CONSTRAINT events_has_timing CHECK (booking_id IS NOT NULL OR timing IS NOT NULL OR (verbatim_sealed IS NOT NULL AND problems_sealed IS NOT NULL)),
    ADD CONSTRAINT events_series_has_reach CHECK (booking_id IS NOT NULL OR (series_id IS NULL) = (reach IS NOT NULL)),
    ADD CONSTRAINT events_blocks_has_problem CHECK (NOT blocks OR problems_sealed IS NOT NULL),
    ADD CONSTRAINT events_copy_check CHECK (copy_of IS NULL OR booking_id IS NULL),
    ADD CONSTRAINT events_uid_pair_check CHECK ((uid_sealed IS NULL) = (uid_fp IS NULL));

DROP INDEX events_busy_idx;
-- What lies on a calendar in a range: series by where they reach, then their overrides.
CREATE INDEX events_reach_idx ON events USING gist (calendar_id, reach) WHERE booking_id IS NULL AND series_id IS NULL AND deleted_at IS NULL;
CREATE INDEX events_series_id_idx ON events (series_id) WHERE series_id IS NOT NULL;
-- What other hosts have booked on a calendar.
CREATE INDEX events_booked_idx ON events USING gist (calendar_id, tstzrange(start_utc, end_utc, '[)')) WHERE booking_id IS NOT NULL AND deleted_at IS NULL;
-- The same event again: an import over it, a sync, a copy of a booking.
CREATE INDEX events_uid_fp_idx ON events (calendar_id, uid_fp) WHERE uid_fp IS NOT NULL;
