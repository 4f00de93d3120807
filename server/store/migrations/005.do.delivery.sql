-- The delivery's own state. The hot path only inserts attempts; everything here changes rarely, or once a batch.

-- Who may work on what: kind 'chain' (follow one chain), 'replay' (replay on one chain) or 'shard' (deliver to one part of the
-- webhooks). The epoch grows with every change of owner; a write under an older epoch changes nothing.
CREATE TABLE leases (
  kind        text NOT NULL,
  key         text NOT NULL,
  owner       uuid,
  epoch       bigint NOT NULL DEFAULT 0,
  expires_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, key)
) WITH (fillfactor = 50);

INSERT INTO leases (kind, key) SELECT 'shard', shard::text FROM generate_series(0, 31) shard;

-- The processes that share the leases of a kind, so that each takes only its part.
CREATE TABLE lease_members (
  kind        text NOT NULL,
  owner       uuid NOT NULL,
  expires_at  timestamptz NOT NULL,
  PRIMARY KEY (kind, owner)
);

-- The position up to which every notification of a shard has had an attempt, or is in a backlog.
CREATE TABLE delivery_cursors (
  shard        smallint NOT NULL,
  chain_id     text NOT NULL,
  position     bigint NOT NULL,
  recorded_on  date NOT NULL,
  PRIMARY KEY (shard, chain_id)
) WITH (fillfactor = 50);

-- Endpoints with a backlog or with failures; every other endpoint has no row.
CREATE TABLE endpoint_states (
  shard          smallint NOT NULL,
  webhook_id     uuid PRIMARY KEY,
  backlog_from   bigint,                              -- first attempts from this sequence on wait for the endpoint
  failing_since  timestamptz                          -- every attempt since then has failed
);
CREATE INDEX ON endpoint_states (shard);

-- Notifications whose attempts have failed so far. One more attempt can be due besides the schedule, also of a delivered
-- notification. It never changes the schedule: `step` counts the schedule's own attempts, and `resume_at` keeps its time.
-- Without a foreign key to accounts, which every failed attempt would check.
CREATE TABLE retries (
  shard        smallint NOT NULL,
  account_id   bigint,                                -- null once the webhook is deleted, when nobody looks for it any more
  webhook_id   uuid NOT NULL,
  sequence     bigint NOT NULL,
  recorded_on  date NOT NULL,
  attempts     smallint NOT NULL,
  due_at       timestamptz,                           -- null when every attempt has been made
  step         smallint NOT NULL DEFAULT 0,           -- how many attempts by schedule have failed
  extra        text,                                  -- the trigger of the due attempt, unless it is the schedule
  resume_at    timestamptz,                           -- when the schedule continues after the extra attempt; null for never
  delivered    boolean NOT NULL DEFAULT false,        -- an attempt has succeeded; only the extra one is left
  PRIMARY KEY (webhook_id, sequence),
  CHECK (extra IS NULL OR (extra IN ('resend', 'replay') AND due_at IS NOT NULL)),
  CHECK (NOT delivered OR extra IS NOT NULL)
);
-- Skips from a shard's account to the next, then to its webhooks and what is due of each.
CREATE INDEX retries_turns ON retries (shard, account_id, webhook_id, due_at) WHERE due_at IS NOT NULL;
-- Finds what has failed for good.
CREATE INDEX retries_failed ON retries (webhook_id, sequence) WHERE due_at IS NULL;

-- One counter a shard. It grows when something changes that a delivery process may hold in memory about the shard's webhooks.
CREATE TABLE shard_versions (
  shard    smallint PRIMARY KEY,
  version  bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

INSERT INTO shard_versions (shard) SELECT generate_series(0, 31);

CREATE FUNCTION bump_shard_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'webhooks' THEN
    UPDATE shard_versions SET version = version + 1 WHERE shard = OLD.shard;
    -- An endpoint whose webhook is activated again starts without failures.
    UPDATE endpoint_states SET failing_since = NULL
    WHERE TG_OP = 'UPDATE' AND webhook_id = OLD.id AND OLD.status = 'inactive' AND NEW.status = 'active';
  ELSE
    UPDATE shard_versions v SET version = version + 1 FROM webhooks w WHERE w.id = OLD.webhook_id AND v.shard = w.shard;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER webhook_changed AFTER UPDATE OF url, status OR DELETE ON webhooks
  FOR EACH ROW EXECUTE FUNCTION bump_shard_version();
-- A rotation gives the previous secret an expiry. Encrypting secrets again need not make delivery read them again.
CREATE TRIGGER webhook_secret_changed AFTER UPDATE OF expires_at ON webhook_secrets
  FOR EACH ROW EXECUTE FUNCTION bump_shard_version();

-- Test notifications. The API writes one, a delivery process claims it within two seconds, sends it once, and records the outcome.
CREATE TABLE test_sends (
  message_id       uuid PRIMARY KEY,
  shard            smallint NOT NULL,
  webhook_id       uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  event            text NOT NULL,
  requested_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  taken_at         timestamptz,
  sent_at          timestamptz,
  duration_ms      integer,                           -- null until there is an outcome
  response_status  smallint,
  response_body    text,
  error_class      text
);
CREATE INDEX ON test_sends (webhook_id);
CREATE INDEX test_sends_wanted ON test_sends (shard) WHERE taken_at IS NULL;
