-- What is watched, and by whom.

CREATE TABLE webhooks (
  id                    uuid PRIMARY KEY,
  account_id            bigint NOT NULL REFERENCES accounts,
  shard                 smallint NOT NULL,            -- which part of the delivery work it belongs to, see leases
  chain_id              text NOT NULL REFERENCES chains,
  url                   text NOT NULL,
  status                text NOT NULL CHECK (status IN ('active', 'inactive')),
  status_reason         text NOT NULL,
  status_since          timestamptz NOT NULL,
  created_at            timestamptz NOT NULL,
  name                  text NOT NULL,
  description           text NOT NULL,
  event_type            text NOT NULL,
  event_signatures      bytea[] NOT NULL,
  include_internal_txs  boolean NOT NULL,
  include_logs          boolean NOT NULL,
  effective_from_block  bigint NOT NULL,
  address_count         integer NOT NULL CHECK (address_count >= 0)
);
CREATE INDEX ON webhooks (account_id, created_at DESC, id DESC);
CREATE INDEX webhooks_with_traces ON webhooks (chain_id) WHERE include_internal_txs AND status = 'active';

CREATE TABLE webhook_addresses (
  chain_id              text NOT NULL,
  address               bytea NOT NULL CHECK (octet_length(address) = 20),
  webhook_id            uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  effective_from_block  bigint NOT NULL,
  PRIMARY KEY (chain_id, address, webhook_id)
);
CREATE INDEX ON webhook_addresses (webhook_id, address);

-- A webhook signs with every secret that has not expired; the one without expiry is the current one.
CREATE TABLE webhook_secrets (
  webhook_id  uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  secret      bytea NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at  timestamptz
);
CREATE UNIQUE INDEX webhook_secrets_current ON webhook_secrets (webhook_id) WHERE expires_at IS NULL;
CREATE INDEX ON webhook_secrets (webhook_id);

-- The number of a webhook's newest notification; apart from webhooks because every match writes it.
CREATE TABLE webhook_sequences (
  webhook_id     uuid PRIMARY KEY REFERENCES webhooks ON DELETE CASCADE,
  last_sequence  bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
