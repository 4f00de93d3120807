-- Operational events: what the service says of an account's own webhooks. An account's operational webhook is a row of webhooks, and the events are
-- notifications of it, so that all of delivery holds for them. It is on a chain that no follower takes, has no lanes, and has an id that the contract's
-- chains cannot have.

INSERT INTO chains (chain_id) VALUES ('operational') ON CONFLICT DO NOTHING;
DELETE FROM chain_lanes WHERE chain_id = 'operational';

-- An account has one, and it counts for no quota.
CREATE UNIQUE INDEX webhooks_operational ON webhooks (account_id) WHERE chain_id = 'operational';

CREATE OR REPLACE FUNCTION count_created_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts a SET webhooks = a.webhooks + c.webhooks, addresses = a.addresses + c.addresses
  FROM (SELECT account_id, count(*) AS webhooks, sum(address_count) AS addresses FROM created
        WHERE chain_id <> 'operational' GROUP BY account_id) c
  WHERE a.id = c.account_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_changed_webhook() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET webhooks = webhooks - (TG_OP = 'DELETE')::int, addresses = addresses - OLD.address_count + COALESCE(NEW.address_count, 0)
  WHERE id = OLD.account_id AND OLD.chain_id <> 'operational';
  RETURN NULL;
END $$;

-- What was last said of each subject, written with the event that says it. Whatever differs on record is said next.
CREATE TABLE operational_said (
  webhook_id  uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE, -- the operational one
  kind        text NOT NULL,                          -- which of the subject's states
  subject     text NOT NULL,
  state       json NOT NULL,
  said_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (webhook_id, kind, subject)
);

-- How many notifications of a webhook have failed at every attempt. Without foreign keys, which would make recording an attempt wait for a change of
-- the webhook.
CREATE TABLE exhausted (
  webhook_id     uuid PRIMARY KEY,
  account_id     bigint,                              -- null where the webhook was deleted
  count          bigint NOT NULL,
  last_sequence  bigint NOT NULL
);
CREATE INDEX ON exhausted (account_id);

-- How much of that quota an account uses.
CREATE INDEX webhooks_with_any_address ON webhooks (account_id) WHERE options ->> 'anyAddress' = 'true';

-- These find what has ended, or is no longer as its owner wants it.
CREATE INDEX webhooks_deactivated ON webhooks (account_id) WHERE status = 'inactive' AND status_reason <> 'requested';
-- Whether its account was told that it has ended.
ALTER TABLE replays ADD COLUMN end_said boolean NOT NULL DEFAULT false;
CREATE INDEX replays_ended ON replays (account_id, finished_at) WHERE status IN ('done', 'failed') AND NOT end_said;
