-- A host's bookings by their start. Every booking has an event on its host's personal calendar,
-- which moves with it and is never deleted: what was cancelled or lapsed is found here too.
CREATE INDEX events_host_bookings_idx ON events (calendar_id, start_utc, booking_id) WHERE booking_id IS NOT NULL;
