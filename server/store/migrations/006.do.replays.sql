-- Replays: each a range of blocks for one webhook, one block a transaction.

CREATE TABLE replays (
  id             uuid PRIMARY KEY,
  account_id     bigint NOT NULL REFERENCES accounts, -- accounts take turns
  webhook_id     uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  chain_id       text NOT NULL REFERENCES chains,
  from_block     bigint NOT NULL,
  to_block       bigint NOT NULL CHECK (to_block >= from_block),
  next_block     bigint NOT NULL,                     -- everything below it is done
  status         text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'done', 'failed')),
  status_reason  text,
  resent         integer NOT NULL DEFAULT 0,
  added          integer NOT NULL DEFAULT 0,
  failures       integer NOT NULL DEFAULT 0,          -- of the next block, one after the other
  due_at         timestamptz NOT NULL DEFAULT clock_timestamp(), -- the earliest takes the next turn
  created_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at    timestamptz
) WITH (fillfactor = 50);
CREATE INDEX ON replays (webhook_id);
CREATE INDEX replays_due ON replays (chain_id, due_at) WHERE status IN ('queued', 'running');
-- Finds the accounts that wait, and each one's oldest step, however many replays wait.
CREATE INDEX replays_turns ON replays (chain_id, account_id, due_at) WHERE status IN ('queued', 'running');
