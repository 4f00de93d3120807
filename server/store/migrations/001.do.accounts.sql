-- Who may call the API. A key is 256 random bits, so one round of SHA-256 is enough to keep it.

CREATE TABLE accounts (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name        text NOT NULL UNIQUE,
  created_at  timestamptz NOT NULL DEFAULT now()
);

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

-- The answer that an Idempotency-Key gave, for 24 hours.
CREATE TABLE idempotency_keys (
  account_id  bigint NOT NULL REFERENCES accounts,
  key         text NOT NULL,
  body_hash   bytea NOT NULL,
  answer      json,                                   -- null only inside the transaction that creates it
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, key)
);
CREATE INDEX ON idempotency_keys (created_at);
