-- How a history reads its blocks. Where only the logs of some addresses count, a header's bloom says which blocks need not be read whole.

ALTER TABLE chain_lanes
  ADD COLUMN history_mode text CHECK (history_mode IN ('headers')), -- null where every block is read whole
  ADD COLUMN whole_until bigint,                 -- below this block every block is read whole all the same
  -- Changes when more may be watched than the headers of a lane with a mode are looked at for. It is random, so that a restored database never repeats one.
  ADD COLUMN arrivals bigint NOT NULL DEFAULT floor(random() * 9007199254740991)::bigint;

ALTER TABLE move_lanes ADD COLUMN history_mode text;

-- What is added to a webhook takes effect above the newest block that any lane has recorded. A history with a mode reads no header above that
-- block. If it becomes lower, what is added then may take effect below what has been read.
CREATE FUNCTION note_lower_cursor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE chain_lanes SET arrivals = DEFAULT
  WHERE chain_id = OLD.chain_id AND history_mode IS NOT NULL
    AND OLD.cursor_number > (SELECT max(cursor_number) FROM chain_lanes WHERE chain_id = OLD.chain_id);
  RETURN NULL;
END $$;

CREATE TRIGGER newest_lowered AFTER UPDATE OF cursor_number ON chain_lanes
  FOR EACH ROW WHEN (NEW.cursor_number < OLD.cursor_number) EXECUTE FUNCTION note_lower_cursor();
CREATE TRIGGER newest_removed AFTER DELETE ON chain_lanes
  FOR EACH ROW EXECUTE FUNCTION note_lower_cursor();
