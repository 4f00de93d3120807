-- Addresses that are added with their past: a replay that matches only them brings it.

ALTER TABLE replays
  ADD COLUMN of_added boolean NOT NULL DEFAULT false, -- matches only the addresses that name it
  ADD COLUMN resends boolean NOT NULL DEFAULT true,   -- sends again what is on record
  ADD COLUMN last_hash bytea;                         -- of the block before next_block, as it was replayed

-- The replay that brings the past of an address. One that is removed, and added again, names another one, or none.
ALTER TABLE webhook_addresses ADD COLUMN replay uuid;

-- Finds the replays that a webhook has in progress, without those that have ended.
CREATE INDEX replays_unfinished ON replays (webhook_id) WHERE status IN ('queued', 'running');
-- Finds those that are done, and of which a reorganisation has replaced blocks since.
CREATE INDEX replays_done ON replays (chain_id, to_block) WHERE status = 'done';

-- Blocks above this number have left a lane. Replays that were done before do those again, later: under the chain's lock it must not matter how many
-- these are.
CREATE TABLE replaced_blocks (
  chain_id     text NOT NULL,
  lane         bigint NOT NULL,
  account_id   bigint,                                -- only of this account; null for all
  above        bigint NOT NULL,
  replaced_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX ON replaced_blocks (chain_id);

-- A deleted webhook can leave 10,000 replays for each day. They are removed in small parts, without the chain's lock (removed-webhooks.ts).
ALTER TABLE replays DROP CONSTRAINT replays_webhook_id_fkey;

-- Only those in progress must end immediately: one without its webhook would take its account's turns.
CREATE OR REPLACE FUNCTION note_removed_webhook() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO removed_webhooks (webhook_id) VALUES (OLD.id);
  UPDATE replays SET status = 'cancelled', finished_at = clock_timestamp() WHERE webhook_id = OLD.id AND status IN ('queued', 'running');
  RETURN NULL;
END $$;

-- Once a statement, and once for each minute, as the quota counts.
CREATE OR REPLACE FUNCTION keep_history_used() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO history_used (account_id, created_at, blocks)
  SELECT account_id, max(created_at), sum(next_block - from_block) FROM removed
  WHERE created_at > now() - interval '1 day' AND next_block > from_block GROUP BY account_id, date_trunc('minute', created_at);
  RETURN NULL;
END $$;

DROP TRIGGER replay_removed ON replays;
CREATE TRIGGER replay_removed AFTER DELETE ON replays REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_history_used();
