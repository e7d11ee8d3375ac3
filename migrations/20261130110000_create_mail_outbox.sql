-- Mail owed: one row a recipient a notice. No body and no address stands here; what is sent is
-- rendered from the booking at send time.
--
-- `due_at` alone says when a row may be claimed: claiming moves it to the lease's end, a failure
-- to the next try. `claim_id` is a claim's identity: every ending names it.
CREATE TABLE mail_outbox (
    id                 uuid        NOT NULL,
    booking_id         uuid        NOT NULL,
    kind               text        NOT NULL,
    recipient          text        NOT NULL,
    recipient_id       uuid,
    revision           integer     NOT NULL,
    offset_min         integer     NOT NULL DEFAULT 0,
    lane               text        NOT NULL DEFAULT 'prompt',
    priority           smallint    NOT NULL,
    remind_at          timestamptz,
    due_at             timestamptz NOT NULL,
    attempts           smallint    NOT NULL DEFAULT 0,
    uncertain          smallint    NOT NULL DEFAULT 0,
    claim_id           uuid,
    claimed_at         timestamptz,
    outcome            text,
    outcome_at         timestamptz,
    suppression_reason text,
    error_class        text,
    smtp_stage         text,
    smtp_code          smallint,
    smtp_status        text,
    created_at         timestamptz NOT NULL,
    CONSTRAINT mail_outbox_pkey PRIMARY KEY (id),
    CONSTRAINT mail_outbox_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES bookings (id) ON DELETE CASCADE,
    CONSTRAINT mail_outbox_notice_key UNIQUE NULLS NOT DISTINCT (booking_id, kind, recipient, recipient_id, revision, offset_min),
    CONSTRAINT mail_outbox_kind_check CHECK (kind IN ('hold', 'confirmed', 'rescheduled', 'cancelled', 'reminder')),
    CONSTRAINT mail_outbox_recipient_check CHECK (recipient IN ('host', 'booker', 'guest') AND (recipient = 'booker') = (recipient_id IS NULL)),
    CONSTRAINT mail_outbox_lane_check CHECK (lane IN ('prompt', 'reminder') AND (lane = 'reminder') = (kind = 'reminder')),
    CONSTRAINT mail_outbox_remind_at_check CHECK ((kind = 'reminder') = (remind_at IS NOT NULL)),
    CONSTRAINT mail_outbox_outcome_check CHECK (outcome IN ('sent', 'rejected', 'suppressed', 'skipped', 'exhausted')),
    CONSTRAINT mail_outbox_outcome_pair_check CHECK ((outcome IS NULL) = (outcome_at IS NULL)),
    CONSTRAINT mail_outbox_claim_pair_check CHECK ((claim_id IS NULL) = (claimed_at IS NULL))
);

-- The claim reads the due rows of one lane in order; finished rows cost it nothing.
CREATE INDEX mail_outbox_due_idx ON mail_outbox (lane, due_at, priority) WHERE outcome IS NULL;
-- Whether another row of the same booking and recipient is on its way: only claimed rows are here.
CREATE INDEX mail_outbox_claimed_idx ON mail_outbox (booking_id) WHERE outcome IS NULL AND claim_id IS NOT NULL;

-- When to remind whom, before each meeting of a type. A type without rows reminds nobody.
CREATE TABLE reminder_rules (
    id            uuid        NOT NULL,
    event_type_id uuid        NOT NULL,
    offset_min    integer     NOT NULL,
    to_hosts      boolean     NOT NULL DEFAULT true,
    to_booker     boolean     NOT NULL DEFAULT true,
    to_guests     boolean     NOT NULL DEFAULT true,
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT reminder_rules_pkey PRIMARY KEY (id),
    CONSTRAINT reminder_rules_event_type_id_fkey FOREIGN KEY (event_type_id) REFERENCES event_types (id) ON DELETE CASCADE,
    CONSTRAINT reminder_rules_offset_key UNIQUE (event_type_id, offset_min),
    CONSTRAINT reminder_rules_offset_check CHECK (offset_min BETWEEN 5 AND 43200),
    CONSTRAINT reminder_rules_audience_check CHECK (to_hosts OR to_booker OR to_guests)
);

-- Every type that exists already reminds a day before, as new ones do.
INSERT INTO reminder_rules (id, event_type_id, offset_min)
SELECT gen_random_uuid(), id, 1440 FROM event_types;
