-- What was mailed lately: one row for every attempt that has reached, or may reach, a mail server.
-- Budgets are counted from it. No address stands here: `recipient_fp` is a fingerprint made for
-- this table alone, and NULL for hosts, who have no budget of their own. Rows outlive their booking
-- and go after two days.
CREATE TABLE mail_ledger (
    claim_id     uuid        NOT NULL,
    ordinal      bigint      NOT NULL,
    mail_id      uuid        NOT NULL,
    recipient_fp bytea,
    kind         text        NOT NULL,
    at           timestamptz NOT NULL,
    CONSTRAINT mail_ledger_pkey PRIMARY KEY (claim_id),
    CONSTRAINT mail_ledger_kind_check CHECK (kind IN ('hold', 'confirmed', 'rescheduled', 'cancelled', 'reminder', 'conference_failed', 'sign_in'))
);

-- Drawn before the clock is read, so the two rise together but for what is on its way at the same
-- time. How many rows an hour can have at most is then the distance between two of them, which costs
-- the same however many there are.
CREATE SEQUENCE mail_ledger_ordinal_seq OWNED BY mail_ledger.ordinal;

CREATE INDEX mail_ledger_recipient_idx ON mail_ledger (recipient_fp, at) WHERE recipient_fp IS NOT NULL;
CREATE INDEX mail_ledger_at_idx ON mail_ledger (at, ordinal);

-- A mail that a budget held back says which, and no other does.
ALTER TABLE mail_outbox
    ADD CONSTRAINT mail_outbox_suppression_reason_check CHECK (suppression_reason IN ('recipient_hour', 'recipient_day', 'instance_hour')),
    ADD CONSTRAINT mail_outbox_suppressed_has_reason CHECK ((outcome IS NOT DISTINCT FROM 'suppressed') = (suppression_reason IS NOT NULL));
