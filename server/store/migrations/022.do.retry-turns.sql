-- Retries are read in turns by account, so a retry knows whose it is without a look at its webhook. Null once the webhook is gone,
-- and then nobody looks for it. Without a foreign key, which would be checked with every attempt that fails.

ALTER TABLE retries ADD COLUMN account_id bigint;
UPDATE retries r SET account_id = w.account_id FROM webhooks w WHERE w.id = r.webhook_id;

-- A process of the version before does not set the column.
CREATE FUNCTION set_retry_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.account_id := (SELECT account_id FROM webhooks WHERE id = NEW.webhook_id);
  RETURN NEW;
END $$;

CREATE TRIGGER retry_account BEFORE INSERT ON retries
  FOR EACH ROW WHEN (NEW.account_id IS NULL) EXECUTE FUNCTION set_retry_account();

-- Finds a shard's accounts, the webhooks of each and what is due of those, by skipping from one to the next. It takes the place of the
-- index without accounts: a process of the version before uses the primary key, which costs it more while both are there.
DROP INDEX retries_shard_webhook_id_due_at_idx;
CREATE INDEX retries_turns ON retries (shard, account_id, webhook_id, due_at) WHERE due_at IS NOT NULL;
