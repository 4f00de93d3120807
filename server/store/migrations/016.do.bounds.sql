-- What bounds a transaction that records a block, whatever an account has.

-- Whether a lane has webhooks of an account whose ids begin alike (watchers.ts).
CREATE INDEX webhooks_by_lane_and_id ON webhooks (chain_id, lane, id);

-- Blocks of which notifications were retracted: only they can be notified of again. An account may have millions of events in a block, too many to
-- look for one that is a retraction.
CREATE TABLE retracted_blocks (
  chain_id  text NOT NULL,
  number    bigint NOT NULL,
  hash      bytea NOT NULL,
  PRIMARY KEY (chain_id, number, hash)
);
INSERT INTO retracted_blocks SELECT DISTINCT chain_id, block_number, block_hash FROM events WHERE removed;

-- Of a webhook with more notifications than are recorded at once, a part of the block's may be.
ALTER TABLE chain_lanes ADD COLUMN owed_from integer; -- of owed_after itself, transactions from this index on are still to be recorded, too
ALTER TABLE move_lanes ADD COLUMN owed_from integer;

-- The options as matching needs them, where they are shorter: 32 KiB of events to decode by are of no use to it unless conditions compare arguments.
ALTER TABLE webhooks ADD COLUMN matched_options json;
UPDATE webhooks SET matched_options = (options::jsonb - 'abi')::json
WHERE options -> 'abi' IS NOT NULL AND strpos(options::text, '"field":"args.') = 0;

-- How many bytes the events have by which a webhook's logs are decoded. A process that sends has them in memory, so those of an account are bounded
-- together.
ALTER TABLE webhooks ADD COLUMN abi_bytes integer NOT NULL DEFAULT 0;
UPDATE webhooks SET abi_bytes = octet_length((options -> 'abi')::text) WHERE options -> 'abi' IS NOT NULL;
CREATE INDEX webhooks_with_abi ON webhooks (account_id) INCLUDE (abi_bytes) WHERE abi_bytes > 0;
