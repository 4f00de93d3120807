-- Days are made beside the tables and attached, which waits for nobody and makes nobody wait: CREATE TABLE … PARTITION OF takes
-- the whole table for itself, so that one reader in an open transaction held up all recording and sending behind it.
--
-- drop_old_partitions() does that too. It is no longer called, since what replaces it cannot be a function
-- (store/outbox/partitions.ts), and stays for processes of an older version.
CREATE OR REPLACE FUNCTION ensure_partitions(ahead integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  part text;
  from_day date;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('chain-webhooks partitions'));
  FOREACH parent IN ARRAY ARRAY['events', 'notifications', 'attempts'] LOOP
    FOR i IN -1..ahead LOOP
      from_day := (now() AT TIME ZONE 'utc')::date + i;
      part := parent || to_char(from_day, '_YYYYMMDD');
      IF to_regclass(part) IS NULL THEN
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)', part, parent);
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, part, from_day, from_day + 1);
      END IF;
    END LOOP;
  END LOOP;
END $$;
