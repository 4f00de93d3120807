-- Who may call the API, and how much of it.

-- The cell that this database belongs to: one row, written when a process starts.
CREATE TABLE cell (
  only_one  boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  name      text,                                     -- null: the one unnamed cell
  version   text NOT NULL                             -- of the process that started last
);

-- The tag is part of every key of the account, and of no other account in any cell: 48 random bits, so that 100,000 accounts collide
-- with a probability of 1 in 56,000. The first 48 bits of a random UUID are all random.
CREATE TABLE accounts (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name           text NOT NULL UNIQUE,
  tag            text NOT NULL UNIQUE DEFAULT replace(left(gen_random_uuid()::text, 13), '-', '') CHECK (tag ~ '^[0-9a-f]{12}$'),
  webhook_quota  integer CHECK (webhook_quota >= 0),  -- null: the quota of the service's configuration
  address_quota  bigint CHECK (address_quota >= 0),
  created_at     timestamptz NOT NULL DEFAULT now(),
  webhooks       bigint NOT NULL DEFAULT 0,           -- these two are counted by triggers of webhooks
  addresses      bigint NOT NULL DEFAULT 0,
  -- Null where the account lives. Leaving: it may be read. Left, arriving: another cell answers for it. See moves.
  move_state     text CHECK (move_state IN ('leaving', 'left', 'arriving'))
) WITH (fillfactor = 50);

-- A key is 256 random bits, so one round of SHA-256 protects it.
CREATE TABLE api_keys (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id    bigint NOT NULL REFERENCES accounts,
  prefix        text NOT NULL,                        -- the key's first characters, to tell keys apart in lists
  hash          bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  scopes        text[] NOT NULL CHECK (scopes <@ ARRAY['read', 'write'] AND cardinality(scopes) > 0),
  created_at    timestamptz NOT NULL DEFAULT now(),
  expires_at    timestamptz,
  last_used_at  timestamptz,
  revoked_at    timestamptz
);

-- The answer to a request with an Idempotency-Key, for 24 hours.
CREATE TABLE idempotency_keys (
  account_id  bigint NOT NULL REFERENCES accounts,
  key         text NOT NULL,
  body_hash   bytea NOT NULL,
  answer      json,                                   -- null only inside the transaction that creates it
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, key)
);
CREATE INDEX ON idempotency_keys (created_at);
-- Each first use of a key counts the account's keys.
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (account_id, created_at);

-- How much each client has taken of its bucket. It holds counts of the last seconds only, so it need not survive a crash.
-- rate-limiter-flexible prescribes the columns and their types.
CREATE UNLOGGED TABLE rate_limits (
  key     varchar(255) PRIMARY KEY,                   -- the limit, and whose bucket it is
  points  integer NOT NULL DEFAULT 0,                 -- how many requests were taken from it
  expire  bigint                                      -- when it is full again, in ms since the epoch
) WITH (fillfactor = 50);
