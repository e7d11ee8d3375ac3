-- Calendars published at an address whose token is the only key to them.

CREATE TABLE calendar_feeds (
    id           uuid        NOT NULL,
    calendar_id  uuid        NOT NULL,
    -- Whoever made it: the feed shows what they may see.
    host_id      uuid        NOT NULL,
    token_hash   bytea       NOT NULL,
    name_sealed  bytea       NOT NULL,
    detail       text        NOT NULL,
    last_used_at timestamptz,
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT calendar_feeds_pkey PRIMARY KEY (id),
    -- Whoever no longer sees the calendar has no feed of it, and a revoked feed has no row.
    CONSTRAINT calendar_feeds_member_fkey FOREIGN KEY (calendar_id, host_id) REFERENCES calendar_members (calendar_id, host_id) ON DELETE CASCADE,
    CONSTRAINT calendar_feeds_token_hash_key UNIQUE (token_hash),
    CONSTRAINT calendar_feeds_token_hash_check CHECK (octet_length(token_hash) = 32),
    CONSTRAINT calendar_feeds_detail_check CHECK (detail IN ('busy_only', 'full'))
);

CREATE INDEX calendar_feeds_member_idx ON calendar_feeds (calendar_id, host_id);

-- A calendar as a whole, in the order of its events' ids.
CREATE INDEX events_calendar_id_idx ON events (calendar_id, id) WHERE deleted_at IS NULL;
