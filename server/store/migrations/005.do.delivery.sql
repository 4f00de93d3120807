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

-- A counter a shard that grows whenever something changes that a delivery process may hold in memory about one of the shard's webhooks.
CREATE TABLE shard_versions (
  shard    smallint PRIMARY KEY,
  version  bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

INSERT INTO shard_versions (shard) SELECT generate_series(0, 31);

CREATE FUNCTION bump_shard_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'webhooks' THEN
    UPDATE shard_versions SET version = version + 1 WHERE shard = OLD.shard;
    -- Who sets a webhook active again gives its endpoint a fresh start.
    UPDATE endpoint_states SET failing_since = NULL
    WHERE TG_OP = 'UPDATE' AND webhook_id = OLD.id AND OLD.status = 'inactive' AND NEW.status = 'active';
  ELSE
    UPDATE shard_versions v SET version = version + 1 FROM webhooks w WHERE w.id = OLD.webhook_id AND v.shard = w.shard;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER webhook_changed AFTER UPDATE OF url, status OR DELETE ON webhooks
  FOR EACH ROW EXECUTE FUNCTION bump_shard_version();
-- A rotation gives the secret before it an expiry, which is the update seen here.
CREATE TRIGGER webhook_secret_changed AFTER UPDATE ON webhook_secrets
  FOR EACH ROW EXECUTE FUNCTION bump_shard_version();
