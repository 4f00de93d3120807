-- What signs notifications in another service's form, for all of an account's webhooks with that compatibility. Like webhook_secrets: the one
-- without expiry is the current one.
CREATE TABLE shared_secrets (
  account_id  bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  secret      bytea,                                  -- null when sealed
  key_id      text CONSTRAINT shared_secrets_key REFERENCES secret_keys,
  sealed      bytea,                                  -- as in webhook_secrets
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at  timestamptz,
  CONSTRAINT shared_secrets_form CHECK (CASE WHEN key_id IS NULL THEN secret IS NOT NULL AND sealed IS NULL
                                        ELSE secret IS NULL AND sealed IS NOT NULL END)
);
CREATE UNIQUE INDEX shared_secrets_current ON shared_secrets (account_id) WHERE expires_at IS NULL;
CREATE INDEX ON shared_secrets (account_id);

-- A rotation gives the previous secret an expiry. The shards are locked in their order, since two accounts may share several.
CREATE FUNCTION bump_shared_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM shard_versions WHERE shard IN (
    SELECT shard FROM webhooks WHERE account_id = OLD.account_id AND options ->> 'compatibility' IS NOT NULL) ORDER BY shard FOR UPDATE;
  UPDATE shard_versions SET version = version + 1 WHERE shard IN (
    SELECT shard FROM webhooks WHERE account_id = OLD.account_id AND options ->> 'compatibility' IS NOT NULL);
  RETURN NULL;
END $$;

CREATE TRIGGER shared_secret_changed AFTER UPDATE OF expires_at ON shared_secrets
  FOR EACH ROW EXECUTE FUNCTION bump_shared_versions();
