-- Replays of any range: they can be cancelled, say how fast they are, and count for an account's quota.

ALTER TABLE replays DROP CONSTRAINT replays_status_check;
ALTER TABLE replays ADD CONSTRAINT replays_status_check CHECK (status IN ('queued', 'running', 'done', 'failed', 'cancelled'));

-- How fast it was between the last two times at which that was measured, see store/chains/replay-work.ts.
ALTER TABLE replays ADD COLUMN paced_at timestamptz;
ALTER TABLE replays ADD COLUMN paced_from bigint;     -- next_block at that time
ALTER TABLE replays ADD COLUMN blocks_per_second real;

-- Finds the replays of an account that go through the same blocks.
CREATE INDEX replays_together ON replays (chain_id, account_id, next_block) WHERE status IN ('queued', 'running');
-- Finds those that a reorganisation sends back.
CREATE INDEX replays_at ON replays (chain_id, next_block) WHERE status IN ('queued', 'running');
-- Finds what an account has used of its quota within a day.
CREATE INDEX replays_of_account ON replays (account_id, created_at);

-- How many blocks an account may replay within 24 hours; null for the quota of the service's configuration.
ALTER TABLE accounts ADD COLUMN history_quota bigint CHECK (history_quota >= 0);

-- What deleted replays have used of it: deleting a webhook, and its replays with it, gives nothing back but what was still to be read.
CREATE TABLE history_used (
  account_id  bigint NOT NULL,
  created_at  timestamptz NOT NULL,                   -- when the replay was created
  blocks      bigint NOT NULL
);
CREATE INDEX ON history_used (account_id, created_at);

CREATE FUNCTION keep_history_used() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.created_at > now() - interval '1 day' AND OLD.next_block > OLD.from_block THEN
    DELETE FROM history_used WHERE account_id = OLD.account_id AND created_at <= now() - interval '1 day';
    INSERT INTO history_used VALUES (OLD.account_id, OLD.created_at, OLD.next_block - OLD.from_block);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER replay_removed AFTER DELETE ON replays FOR EACH ROW EXECUTE FUNCTION keep_history_used();
