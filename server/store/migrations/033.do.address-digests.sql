-- The digest of a webhook's set of addresses, so that two lists of a million find their differences in a few requests.

-- Of one address: its 20 bytes, and the first 12 of their SHA-256. Of a set: the XOR. The address within makes two sets that differ by one
-- name it; the hash makes more differences look like none once in 2^96.
CREATE FUNCTION address_digest(address bytea) RETURNS bit(256) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT ('x' || encode(address || substr(sha256(address), 1, 12), 'hex'))::bit(256) $$;

-- By the first byte. Only of addresses that were asked for: what a factory creates is the recorder's, which writes nothing here under the
-- chain's lock.
CREATE TABLE webhook_address_digests (
  webhook_id  uuid NOT NULL,
  first_byte  smallint NOT NULL,
  count       integer NOT NULL,
  digest      bit(256) NOT NULL,
  PRIMARY KEY (webhook_id, first_byte)
) WITH (fillfactor = 80);

CREATE FUNCTION digest_added_addresses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_address_digests AS d (webhook_id, first_byte, count, digest)
  SELECT webhook_id, get_byte(address, 0), count(*), bit_xor(address_digest(address)) FROM added WHERE created_in IS NULL GROUP BY 1, 2
  ON CONFLICT (webhook_id, first_byte) DO UPDATE SET count = d.count + EXCLUDED.count, digest = d.digest # EXCLUDED.digest;
  RETURN NULL;
END $$;

-- One that a factory created, and that is then asked for.
CREATE FUNCTION digest_changed_addresses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_address_digests AS d (webhook_id, first_byte, count, digest)
  SELECT webhook_id, get_byte(address, 0), sum(sign), bit_xor(address_digest(address)) FROM (
    SELECT webhook_id, address, 1 AS sign FROM added WHERE created_in IS NULL
    UNION ALL
    SELECT webhook_id, address, -1 FROM removed WHERE created_in IS NULL) changed
  GROUP BY 1, 2
  ON CONFLICT (webhook_id, first_byte) DO UPDATE SET count = d.count + EXCLUDED.count, digest = d.digest # EXCLUDED.digest;
  RETURN NULL;
END $$;

-- The rows of a deleted webhook go before its addresses do.
CREATE FUNCTION digest_removed_addresses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhook_address_digests d SET count = d.count - r.count, digest = d.digest # r.digest
  FROM (SELECT webhook_id, get_byte(address, 0) AS first_byte, count(*) AS count, bit_xor(address_digest(address)) AS digest
        FROM removed WHERE created_in IS NULL GROUP BY 1, 2) r
  WHERE d.webhook_id = r.webhook_id AND d.first_byte = r.first_byte;
  RETURN NULL;
END $$;

-- A million addresses take 2 s, for which no change of addresses must wait. So those that are here are digested first. The triggers are next,
-- and wait for the changes in progress. Last are the webhooks that changed meanwhile.
CREATE TEMP TABLE digested ON COMMIT DROP AS SELECT id, address_changes FROM webhooks;

INSERT INTO webhook_address_digests (webhook_id, first_byte, count, digest)
SELECT webhook_id, get_byte(address, 0), count(*), bit_xor(address_digest(address)) FROM webhook_addresses WHERE created_in IS NULL GROUP BY 1, 2;

CREATE TRIGGER addresses_added AFTER INSERT ON webhook_addresses REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION digest_added_addresses();
CREATE TRIGGER addresses_changed AFTER UPDATE ON webhook_addresses REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION digest_changed_addresses();
CREATE TRIGGER addresses_removed AFTER DELETE ON webhook_addresses REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION digest_removed_addresses();

CREATE TEMP TABLE stale ON COMMIT DROP AS
  SELECT w.id FROM webhooks w LEFT JOIN digested d ON d.id = w.id WHERE d.address_changes IS DISTINCT FROM w.address_changes;
DELETE FROM webhook_address_digests d USING stale s WHERE d.webhook_id = s.id;
INSERT INTO webhook_address_digests (webhook_id, first_byte, count, digest)
SELECT a.webhook_id, get_byte(a.address, 0), count(*), bit_xor(address_digest(a.address))
FROM stale s JOIN webhook_addresses a ON a.webhook_id = s.id WHERE a.created_in IS NULL GROUP BY 1, 2;

-- Changes of addresses that come in parts, and are applied together. Kept for a day, so that a repeated commit returns the same.
CREATE TABLE address_changes (
  webhook_id  uuid NOT NULL,
  change_id   uuid NOT NULL,
  account_id  bigint NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  answer      json,                                   -- null until it is committed
  PRIMARY KEY (webhook_id, change_id)
);
CREATE INDEX ON address_changes (account_id, created_at);

-- A part has up to 20,000 addresses: packed, they take a tenth of the time that rows take.
CREATE TABLE address_change_parts (
  webhook_id  uuid NOT NULL,
  change_id   uuid NOT NULL,
  content     bytea NOT NULL,                         -- the SHA-256 of both: one that is sent again is not kept twice
  added       bytea NOT NULL,
  removed     bytea NOT NULL,
  to_add      integer NOT NULL,
  to_remove   integer NOT NULL,
  PRIMARY KEY (webhook_id, change_id, content),
  FOREIGN KEY (webhook_id, change_id) REFERENCES address_changes ON DELETE CASCADE
);
-- Addresses do not compress.
ALTER TABLE address_change_parts ALTER added SET STORAGE EXTERNAL, ALTER removed SET STORAGE EXTERNAL;
