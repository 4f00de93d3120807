-- How far each chain has been followed. Whoever records a block holds the chain's lock (see chain-lock.ts) alone; whoever
-- changes what is watched holds it shared. So a change is seen by every block after `cursor_number` and by none before.

CREATE TABLE chains (
  chain_id       text PRIMARY KEY,
  cursor_number  bigint,                              -- the newest block recorded; null until the first
  cursor_hash    bytea,
  highest        bigint,                              -- the highest number ever recorded; above the cursor after a reorganisation
  head_number    bigint,                              -- the newest block that a node told of
  head_seen_at   timestamptz,
  last_position  bigint NOT NULL DEFAULT 0,           -- the chain's newest notification, see notifications.position
  stopped        text,                                -- why the chain is not followed any further
  CHECK ((cursor_number IS NULL) = (cursor_hash IS NULL))
) WITH (fillfactor = 50);

-- The recorded blocks that can still be replaced, to find where a new branch leaves the old one.
CREATE TABLE chain_blocks (
  chain_id  text NOT NULL REFERENCES chains,
  number    bigint NOT NULL,
  hash      bytea NOT NULL,                           -- empty for the block before the first, which was never asked for
  PRIMARY KEY (chain_id, number)
);
