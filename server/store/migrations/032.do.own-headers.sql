-- Headers of a webhook's own, which each request to its endpoint has. The record shows the names; null where there are none.
ALTER TABLE webhooks ADD COLUMN header_names text[];

DROP TRIGGER webhook_changed ON webhooks;
CREATE TRIGGER webhook_changed AFTER UPDATE OF url, status, max_per_second, header_names OR DELETE ON webhooks
  FOR EACH ROW EXECUTE FUNCTION bump_shard_version();

-- The headers with their values, as JSON, kept like webhook_secrets. A webhook with header_names and without a row here has lost them with
-- their key: nothing is sent to it until its owner sets others.
CREATE TABLE webhook_headers (
  webhook_id  uuid PRIMARY KEY REFERENCES webhooks ON DELETE CASCADE,
  secret      bytea,                                  -- null when sealed
  key_id      text CONSTRAINT webhook_headers_key REFERENCES secret_keys,
  sealed      bytea,                                  -- as in webhook_secrets
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT webhook_headers_form CHECK (CASE WHEN key_id IS NULL THEN secret IS NOT NULL AND sealed IS NULL
                                         ELSE secret IS NULL AND sealed IS NOT NULL END)
);
