-- Keys that programs present as `Authorization: Bearer hf_key_…`. A key belongs to one host and
-- opens that host's things and nothing else. It is shown once, when it is made: only its SHA-256
-- stands here.
--
-- `last_used_at` moves once a minute at most. With room on its page the row moves there and no
-- index is written, hence the fillfactor.
CREATE TABLE api_keys (
    id           uuid        NOT NULL,
    host_id      uuid        NOT NULL,
    secret_hash  bytea       NOT NULL,
    name_sealed  bytea,
    created_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at   timestamptz,
    CONSTRAINT api_keys_pkey PRIMARY KEY (id),
    CONSTRAINT api_keys_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts (id) ON DELETE CASCADE,
    CONSTRAINT api_keys_secret_hash_key UNIQUE (secret_hash),
    CONSTRAINT api_keys_secret_hash_check CHECK (octet_length(secret_hash) = 32)
) WITH (fillfactor = 70);

CREATE INDEX api_keys_host_id_idx ON api_keys (host_id);
