-- What a mail has met on its way. An address is given up only at the third permanent refusal, if
-- nobody's copy of the notice was accepted (`refusals`). A pause of the recipient's domain holds a
-- mail back ten times and no more (`pauses`). `domain_fp` is a keyed fingerprint of that domain; it is
-- written once a domain hangs or is paused, so that claims can pass over its other mail. `claimed_by`
-- names the worker that claimed the row last, for the operator: no ending looks at it.
ALTER TABLE mail_outbox
    ADD COLUMN refusals   smallint NOT NULL DEFAULT 0,
    ADD COLUMN pauses     smallint NOT NULL DEFAULT 0,
    ADD COLUMN domain_fp  bigint,
    ADD COLUMN claimed_by text,
    ADD CONSTRAINT mail_outbox_refusals_check CHECK (refusals >= 0),
    ADD CONSTRAINT mail_outbox_pauses_check CHECK (pauses BETWEEN 0 AND 10);

-- What an operator looks through: the mail that was not delivered. Few rows, whatever the table holds.
CREATE INDEX mail_outbox_undelivered_idx ON mail_outbox (outcome_at DESC, id) WHERE outcome IN ('rejected', 'exhausted');
