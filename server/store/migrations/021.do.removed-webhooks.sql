-- What a deleted webhook leaves behind can be a million rows. They are removed in small parts, without the chain's lock, so that nobody
-- waits for them (removed-webhooks.ts).

CREATE TABLE removed_webhooks (
  webhook_id  uuid PRIMARY KEY,
  removed_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE FUNCTION note_removed_webhook() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO removed_webhooks (webhook_id) VALUES (OLD.id);
  RETURN NULL;
END $$;

CREATE TRIGGER webhook_removed AFTER DELETE ON webhooks FOR EACH ROW EXECUTE FUNCTION note_removed_webhook();

-- Its cascade deleted a million addresses while no block of the chain could be recorded. Whoever adds addresses holds the webhook's row.
ALTER TABLE webhook_addresses DROP CONSTRAINT webhook_addresses_webhook_id_fkey;

-- How many keys an account holds is counted with every one that it uses for the first time.
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (account_id, created_at);
