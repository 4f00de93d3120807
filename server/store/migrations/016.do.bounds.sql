-- What bounds a transaction that records a block, whatever an account has.

-- Whether a lane has webhooks of an account whose ids begin alike (webhook-ids.ts).
CREATE INDEX webhooks_by_lane_and_id ON webhooks (chain_id, lane, id);
