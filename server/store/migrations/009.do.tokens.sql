-- What the contracts of tokens say of themselves, cleaned. Each was asked once, for a webhook that includes transfers. Notifications hold
-- their own copy, so a row can be deleted at any time: the contract is then asked again.

CREATE TABLE tokens (
  chain_id       text NOT NULL,
  address        bytea NOT NULL,
  name           text,                                -- null where the contract answered nothing that can be read
  symbol         text,
  decimals       smallint CHECK (decimals BETWEEN 0 AND 255),
  read_at_block  bigint NOT NULL,
  PRIMARY KEY (chain_id, address)
);
