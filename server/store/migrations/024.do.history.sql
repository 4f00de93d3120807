-- Webhooks that start in the past. They begin in a lane that catches up, at the block before their first one.

ALTER TABLE chain_lanes
  ADD COLUMN history_from bigint,                     -- the first block that such a lane recorded; null for every other lane
  ADD COLUMN history_account bigint,                  -- whose turns its steps take
  ADD COLUMN history_since timestamptz;               -- when it was at history_from

ALTER TABLE move_lanes ADD COLUMN is_history boolean NOT NULL DEFAULT false;

-- Filters look for what takes effect at a block to come (webhooks/watch-filter.ts). What is watched from an earlier block on is dated like the rest.
ALTER TABLE address_additions ADD COLUMN watched_from bigint; -- the first block at which its addresses are watched; null for effective_from_block
-- Of a webhook that starts in the past, the first block that no lane had recorded when it was created.
ALTER TABLE webhooks ADD COLUMN created_before bigint;
CREATE INDEX webhooks_of_factories_by_creation ON webhooks (chain_id, created_before)
  WHERE (options -> 'createdBy' ->> 'address') IS NOT NULL AND created_before IS NOT NULL;
