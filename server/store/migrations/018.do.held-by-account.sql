-- What is held is released and dropped by account: one with millions waiting, in whichever lane, is passed over for the others.

ALTER TABLE held_notifications ADD COLUMN account_id bigint;
UPDATE held_notifications h SET account_id = w.account_id FROM webhooks w WHERE w.id = h.webhook_id;
CREATE INDEX held_notifications_by_depth ON held_notifications (chain_id, account_id, due_at, block_number, transaction_index)
  WHERE due_at IS NOT NULL;
CREATE INDEX held_notifications_by_finality ON held_notifications (chain_id, account_id, block_number, transaction_index)
  WHERE due_at IS NULL;
DROP INDEX held_notifications_due;

-- The accounts for which something is held on a chain. Nothing is due before these two, but maybe nothing is then: what was dropped is still counted
-- until its time comes. Whoever deletes a row holds the chain's lock alone.
CREATE TABLE held_accounts (
  chain_id     text NOT NULL,
  account_id   bigint NOT NULL,
  due_at       bigint,                                -- the least of what is due at a depth; null for none
  final_at     bigint,                                -- the least block of what waits for its finality; null for none
  released_at  timestamptz,                           -- its last turn
  PRIMARY KEY (chain_id, account_id)
);
INSERT INTO held_accounts
SELECT chain_id, account_id, min(due_at), min(block_number) FILTER (WHERE due_at IS NULL) FROM held_notifications
WHERE account_id IS NOT NULL GROUP BY 1, 2;

CREATE FUNCTION own_held() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.account_id := (SELECT account_id FROM webhooks WHERE id = NEW.webhook_id);
  RETURN NEW;
END $$;

CREATE TRIGGER held_owned BEFORE INSERT ON held_notifications
  FOR EACH ROW WHEN (NEW.account_id IS NULL) EXECUTE FUNCTION own_held();

CREATE FUNCTION note_held() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO held_accounts AS a (chain_id, account_id, due_at, final_at)
  SELECT chain_id, account_id, min(due_at), min(block_number) FILTER (WHERE due_at IS NULL) FROM added
  WHERE account_id IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (chain_id, account_id) DO UPDATE
    SET due_at = LEAST(a.due_at, excluded.due_at), final_at = LEAST(a.final_at, excluded.final_at)
    WHERE (a.due_at, a.final_at) IS DISTINCT FROM (LEAST(a.due_at, excluded.due_at), LEAST(a.final_at, excluded.final_at));
  RETURN NULL;
END $$;

CREATE TRIGGER held_noted AFTER INSERT ON held_notifications
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_held();

-- Whether an account has webhooks in a lane.
CREATE INDEX webhooks_by_lane_and_account ON webhooks (chain_id, lane, account_id);
DROP INDEX webhooks_by_lane;
