-- The replays of a deleted webhook end in the order of their ids, in which others lock them, too (chains/replay-work.ts).

CREATE OR REPLACE FUNCTION note_removed_webhook() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO removed_webhooks (webhook_id) VALUES (OLD.id);
  PERFORM id FROM replays WHERE webhook_id = OLD.id AND status IN ('queued', 'running') ORDER BY id FOR UPDATE;
  UPDATE replays SET status = 'cancelled', finished_at = clock_timestamp() WHERE webhook_id = OLD.id AND status IN ('queued', 'running');
  RETURN NULL;
END $$;
