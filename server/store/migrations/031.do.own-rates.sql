-- An endpoint may be called so many times a second at most; null where the webhook's owner has set no limit.
ALTER TABLE webhooks ADD COLUMN max_per_second smallint;

DROP TRIGGER webhook_changed ON webhooks;
CREATE TRIGGER webhook_changed AFTER UPDATE OF url, status, max_per_second OR DELETE ON webhooks
  FOR EACH ROW EXECUTE FUNCTION bump_shard_version();
