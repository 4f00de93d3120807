-- How a history reads its blocks. Where only the logs of some addresses count, a header's bloom says which blocks need not be read whole.

ALTER TABLE chain_lanes
  ADD COLUMN history_mode text CHECK (history_mode IN ('headers')), -- null where every block is read whole
  ADD COLUMN whole_until bigint,              -- below this block every block is read whole all the same
  ADD COLUMN arrivals bigint NOT NULL DEFAULT 0; -- of a lane with a mode: changes whenever webhooks come to it

ALTER TABLE move_lanes ADD COLUMN history_mode text;
