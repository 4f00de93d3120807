-- Replays take turns by account, so a replay knows whose it is without a look at its webhook.

ALTER TABLE replays ADD COLUMN account_id bigint REFERENCES accounts;
UPDATE replays r SET account_id = w.account_id FROM webhooks w WHERE w.id = r.webhook_id;

-- Set here, since a process of the version before does not know the column.
CREATE FUNCTION set_replay_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.account_id := (SELECT account_id FROM webhooks WHERE id = NEW.webhook_id);
  RETURN NEW;
END $$;

CREATE TRIGGER replay_account BEFORE INSERT ON replays FOR EACH ROW EXECUTE FUNCTION set_replay_account();

-- Finds the accounts whose turn it can be, and the oldest step of each, however many replays wait.
CREATE INDEX replays_turns ON replays (chain_id, account_id, due_at) WHERE status IN ('queued', 'running');
