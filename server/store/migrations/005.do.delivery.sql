-- The delivery's own state. The hot path only inserts attempts; everything here changes rarely or once a batch.

-- Who may work on what: kind 'chain' (following one chain) or 'shard' (delivering one part of the webhooks). The epoch grows
-- with every change of owner; a write under an older epoch changes nothing.
CREATE TABLE leases (
  kind        text NOT NULL,
  key         text NOT NULL,
  owner       uuid,
  epoch       bigint NOT NULL DEFAULT 0,
  expires_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, key)
) WITH (fillfactor = 50);

INSERT INTO leases (kind, key) SELECT 'shard', shard::text FROM generate_series(0, 31) shard;

-- The processes that share the leases of a kind, so that each takes its part only.
CREATE TABLE lease_members (
  kind        text NOT NULL,
  owner       uuid NOT NULL,
  expires_at  timestamptz NOT NULL,
  PRIMARY KEY (kind, owner)
);

-- Up to which position every notification of a shard has been attempted once, or lies in a backlog.
CREATE TABLE delivery_cursors (
  shard        smallint NOT NULL,
  chain_id     text NOT NULL,
  position     bigint NOT NULL,
  recorded_on  date NOT NULL,
  PRIMARY KEY (shard, chain_id)
) WITH (fillfactor = 50);

-- What is out of the ordinary about an endpoint; no row, nothing.
CREATE TABLE endpoint_states (
  shard          smallint NOT NULL,
  webhook_id     uuid PRIMARY KEY,
  backlog_from   bigint,                              -- first attempts from this sequence on wait for the endpoint
  failing_since  timestamptz                          -- every attempt since then has failed
);
CREATE INDEX ON endpoint_states (shard);

-- Notifications whose attempts have failed so far.
CREATE TABLE retries (
  shard        smallint NOT NULL,
  webhook_id   uuid NOT NULL,
  sequence     bigint NOT NULL,
  recorded_on  date NOT NULL,
  attempts     smallint NOT NULL,
  due_at       timestamptz,                           -- null when every attempt has been made
  PRIMARY KEY (webhook_id, sequence)
);
CREATE INDEX ON retries (shard, webhook_id, due_at) WHERE due_at IS NOT NULL;
