-- What one account has of a block is found and retracted without reading it for others, and without holding the chain's lock for long.

-- A lane that is set apart leaves blocks one after the other, from its cursor down, and retracts a part of what a block notified of in each
-- transaction. Meanwhile `owed_after` is set, so it has recorded less than its cursor says.
ALTER TABLE chain_lanes
  ADD COLUMN leaving_above bigint,                    -- all blocks above this one leave the lane's record; null for none
  ADD COLUMN leaving_hash bytea,                      -- the hash of that one
  ADD COLUMN leaving_event bigint,                    -- of the cursor's block, what has events below this id is retracted; of this one, webhooks up to owed_after
  ADD CHECK ((leaving_above IS NULL) = (leaving_hash IS NULL)),
  ADD CHECK ((leaving_above IS NULL) = (leaving_event IS NULL)),
  ADD CHECK (leaving_above IS NULL OR owed_after IS NOT NULL);

-- Ids of events are of one cell: another one begins with the block from scratch.
ALTER TABLE move_lanes ADD COLUMN leaving_above bigint, ADD COLUMN leaving_hash bytea;

-- Whose webhooks alone share the event, since they were set apart when it was recorded; 0 where webhooks of many accounts may. An account can have
-- millions of a block, and no other lane reads them.
ALTER TABLE events ADD COLUMN apart_account bigint NOT NULL DEFAULT 0;
CREATE INDEX events_by_block ON events (chain_id, block_number, apart_account, id);
DROP INDEX events_chain_id_block_number_idx;
