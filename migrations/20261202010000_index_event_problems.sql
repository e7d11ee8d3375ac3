-- How many events of a calendar wait for their host's decision.
CREATE INDEX events_problems_idx ON events (calendar_id) WHERE problems_sealed IS NOT NULL AND NOT marked_free AND deleted_at IS NULL;
