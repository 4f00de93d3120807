-- Signing secrets can be encrypted under keys that the operator keeps elsewhere (SECRET_KEY). One that is has no `secret`, so that a
-- process of a version that knows of no keys fails with it, rather than to sign with what is none.

-- The keys that secrets are encrypted under. Not the keys themselves: what names them.
CREATE TABLE secret_keys (
  key_id      text PRIMARY KEY,
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The constraints hold for what is written from now on, and no row is read for them meanwhile.
ALTER TABLE webhook_secrets
  ALTER COLUMN secret DROP NOT NULL,
  ADD COLUMN key_id text,
  ADD COLUMN sealed bytea,                            -- AES-256-GCM: 12 bytes of nonce, what is encrypted, 16 of tag
  ADD CONSTRAINT webhook_secrets_key FOREIGN KEY (key_id) REFERENCES secret_keys NOT VALID,
  ADD CONSTRAINT webhook_secrets_form CHECK (CASE WHEN key_id IS NULL THEN secret IS NOT NULL AND sealed IS NULL
                                             ELSE secret IS NULL AND sealed IS NOT NULL END) NOT VALID;

-- Delivery holds secrets, not how they are kept: to encrypt them anew need not have it read them again, one by one.
CREATE OR REPLACE TRIGGER webhook_secret_changed AFTER UPDATE OF expires_at ON webhook_secrets
  FOR EACH ROW EXECUTE FUNCTION bump_shard_version();
