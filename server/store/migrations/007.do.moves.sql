-- Accounts on their way to another cell (docs/moving.md). Each of the two cells has a row under the same id.
-- out: copying, frozen, released, left, moved. in: copying, arrived, taken, moved. Both: or aborted.

CREATE TABLE moves (
  id           uuid PRIMARY KEY,
  account      text NOT NULL,
  direction    text NOT NULL CHECK (direction IN ('out', 'in')),
  state        text NOT NULL DEFAULT 'copying'
               CHECK (state IN ('copying', 'frozen', 'released', 'left', 'arrived', 'taken', 'moved', 'aborted')),
  other_cell   text NOT NULL,                         -- its host, port and database
  run          uuid NOT NULL,                         -- the newest run of the command; earlier ones change nothing any more
  started_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at   timestamptz NOT NULL DEFAULT clock_timestamp(), -- the state, last
  finished_at  timestamptz                            -- of moved and aborted
);
CREATE UNIQUE INDEX moves_unfinished ON moves (account) WHERE finished_at IS NULL;

-- In the new cell: whose addresses are copied. In the old one: which lane each webhook was in.
CREATE TABLE move_webhooks (
  move_id          uuid NOT NULL REFERENCES moves ON DELETE CASCADE,
  webhook_id       uuid NOT NULL,
  address_changes  bigint,                            -- those of the copy; null while it is incomplete
  lane             bigint,
  PRIMARY KEY (move_id, webhook_id)
);

-- In the old cell: the account's lanes at the switch. The new cell continues each of them after its cursor.
CREATE TABLE move_lanes (
  move_id        uuid NOT NULL REFERENCES moves ON DELETE CASCADE,
  chain_id       text NOT NULL,
  lane           bigint NOT NULL,
  traces         boolean NOT NULL,
  cursor_number  bigint NOT NULL,
  cursor_hash    bytea NOT NULL,
  highest        bigint NOT NULL,
  block_numbers  bigint[] NOT NULL,                   -- as in chain_blocks
  block_hashes   bytea[] NOT NULL,
  PRIMARY KEY (move_id, chain_id, lane)
);

-- In the new cell: up to which position of the old one the notifications are copied that may have to be retracted.
CREATE TABLE move_records (
  move_id   uuid NOT NULL REFERENCES moves ON DELETE CASCADE,
  chain_id  text NOT NULL,
  position  bigint NOT NULL,
  PRIMARY KEY (move_id, chain_id)
);
