-- Lanes for accounts whose webhooks cost too much of a block. Such a lane catches up and has the webhooks of one account only. It records a block
-- in several transactions, some webhooks in each, so that nobody waits long for the chain's lock.

ALTER TABLE chain_lanes
  ADD COLUMN apart_account bigint,                    -- whose webhooks alone it has; null for every other lane
  ADD COLUMN apart_until bigint,                      -- it may join the others from this block on
  ADD COLUMN owed_after uuid,                         -- of the cursor's block, webhooks with a greater id are still to be matched; null for none
  ADD CHECK ((apart_account IS NULL) = (apart_until IS NULL)),
  ADD CHECK (owed_after IS NULL OR apart_account IS NOT NULL);

ALTER TABLE move_lanes ADD COLUMN apart_until bigint, ADD COLUMN owed_after uuid;

CREATE INDEX webhooks_apart ON webhooks (chain_id, lane, id) WHERE lane <> 0;
