-- Reading subscribed calendars: one row a calendar, claimed and leased like mail. It stands apart
-- from `calendars`, whose rows bookings lock: a claim must not wait for a booking, nor a booking
-- for a claim.

CREATE TABLE calendar_syncs (
    calendar_id     uuid        NOT NULL,
    -- From when on it may be claimed; a claim sets it to the end of its lease.
    due_at          timestamptz NOT NULL,
    -- Claims since the last good end.
    attempts        integer     NOT NULL DEFAULT 0,
    claim_id        uuid,
    claimed_at      timestamptz,
    -- Asked for again while it was claimed: due at once when the claim ends.
    again           boolean     NOT NULL DEFAULT false,
    tried_at        timestamptz,
    -- The first and the last failure since the last good end.
    failing_since   timestamptz,
    failed_at       timestamptz,
    error_class     text,
    -- What the server said its answer is known by, sent back to it to ask for news alone.
    etag_sealed     bytea,
    modified_sealed bytea,
    -- The program and the zone table that read that answer: another one must see it again.
    read_by         text,
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT calendar_syncs_pkey PRIMARY KEY (calendar_id),
    CONSTRAINT calendar_syncs_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES calendars (id) ON DELETE CASCADE,
    CONSTRAINT calendar_syncs_claim_check CHECK ((claim_id IS NULL) = (claimed_at IS NULL)),
    CONSTRAINT calendar_syncs_failure_check CHECK ((error_class IS NULL) = (failed_at IS NULL) AND (failed_at IS NULL) = (failing_since IS NULL))
);

CREATE INDEX calendar_syncs_due_at_idx ON calendar_syncs (due_at);

INSERT INTO calendar_syncs (calendar_id, due_at) SELECT id, now() FROM calendars WHERE kind = 'subscribed';

-- What a series says with its overrides, or what is left of an event that cannot be read, as a
-- keyed fingerprint: a sync leaves what is the same where it is. An override has none of its own.
ALTER TABLE events ADD COLUMN content_fp bytea;
