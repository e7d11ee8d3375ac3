-- Who else may take over a booking of a type, beside its owner.
CREATE TABLE event_type_hosts (
    event_type_id uuid        NOT NULL,
    host_id       uuid        NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT event_type_hosts_pkey PRIMARY KEY (event_type_id, host_id),
    CONSTRAINT event_type_hosts_event_type_id_fkey FOREIGN KEY (event_type_id) REFERENCES event_types (id) ON DELETE CASCADE,
    CONSTRAINT event_type_hosts_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts (id) ON DELETE CASCADE
);

CREATE INDEX event_type_hosts_host_id_idx ON event_type_hosts (host_id);
