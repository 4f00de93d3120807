-- What clients ask of a chain: previews and explanations. The API writes a question, and a process that follows the chain claims it within
-- two seconds, reads the block, and writes the answer. It lives for seconds, and nobody misses it after a crash.
CREATE UNLOGGED TABLE questions (
  id            uuid PRIMARY KEY,
  account_id    bigint NOT NULL,
  chain_id      text NOT NULL,
  webhook_id    uuid,                                 -- of an explanation
  preview       json,                                 -- the webhook of a preview
  place         json NOT NULL,                        -- a transaction's hash, or a block's number
  asked_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  taken_at      timestamptz,
  answer        text,                                 -- JSON, maybe of some MB
  CHECK ((webhook_id IS NULL) <> (preview IS NULL))
);
CREATE INDEX questions_waiting ON questions (chain_id) WHERE taken_at IS NULL;
CREATE INDEX questions_unanswered ON questions (account_id) WHERE answer IS NULL;

-- When a webhook was active before, in blocks of its lane: the first whose activity was notified, and the first that was not. Its present
-- activity is in webhooks.
CREATE TABLE webhook_active_before (
  webhook_id  uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  from_block  bigint NOT NULL,
  to_block    bigint NOT NULL,
  ended_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX ON webhook_active_before (webhook_id, ended_at);

-- Whoever deactivates a webhook, and for whatever reason. An account may do so as often as it likes, so only the newest 100 are kept. In
-- a cell that the account has left, there is no lane.
CREATE FUNCTION note_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_active_before (webhook_id, from_block, to_block)
  SELECT NEW.id, OLD.effective_from_block, GREATEST(OLD.effective_from_block, cursor_number + 1)
  FROM chain_lanes WHERE chain_id = NEW.chain_id AND lane = NEW.lane AND cursor_number IS NOT NULL;
  DELETE FROM webhook_active_before b WHERE webhook_id = NEW.id AND ended_at < (
    SELECT ended_at FROM webhook_active_before WHERE webhook_id = NEW.id ORDER BY ended_at DESC OFFSET 99 LIMIT 1);
  RETURN NULL;
END $$;

CREATE TRIGGER webhook_deactivated AFTER UPDATE OF status ON webhooks
  FOR EACH ROW WHEN (OLD.status = 'active' AND NEW.status = 'inactive') EXECUTE FUNCTION note_activity();
