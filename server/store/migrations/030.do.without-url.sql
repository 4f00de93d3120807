-- A webhook may have no URL: it is only read by its feed, and nothing is ever sent.
ALTER TABLE webhooks ALTER COLUMN url DROP NOT NULL;
