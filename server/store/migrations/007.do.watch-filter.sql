-- What lets a process know in memory which addresses may be watched, and never miss one (see watch-filter.ts).

-- The addresses added since the newest block, which is where a filter is brought up to date. For ten million addresses 70 MB.
CREATE INDEX webhook_addresses_by_start ON webhook_addresses (chain_id, effective_from_block);

-- Another with every move of the cursor, whoever makes it: who finds the mark of his own last move knows that no other came
-- between. Random, so that a database restored to an older state never comes to the same one. Whoever changes
-- webhook_addresses by hand changes it too: UPDATE chains SET cursor_mark = gen_random_uuid().
ALTER TABLE chains ADD COLUMN cursor_mark uuid NOT NULL DEFAULT gen_random_uuid();

CREATE FUNCTION mark_cursor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.cursor_mark := gen_random_uuid();
  RETURN NEW;
END $$;

CREATE TRIGGER cursor_moved BEFORE UPDATE OF cursor_number, cursor_hash ON chains
  FOR EACH ROW EXECUTE FUNCTION mark_cursor();
