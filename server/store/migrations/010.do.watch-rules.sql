-- Watching more than named addresses: any address at all, and the contracts that a factory creates.

-- The block whose log named the contract; null for an address that was asked for. It is watched from that log on, whatever its addition says:
-- it is written in the transaction that moves the cursor past the block, and deleted in the one that takes the block back.
ALTER TABLE webhook_addresses ADD COLUMN created_in bigint;
CREATE INDEX webhook_addresses_created ON webhook_addresses (chain_id, created_in) WHERE created_in IS NOT NULL;

-- A step looks into these two, which are empty where nobody has the options.
CREATE INDEX webhooks_of_factories ON webhooks (chain_id, (options -> 'createdBy' ->> 'address'))
  WHERE options -> 'createdBy' ->> 'address' IS NOT NULL;
CREATE INDEX webhooks_of_any_address ON webhooks (chain_id, lane) WHERE options ->> 'anyAddress' = 'true';

-- How many webhooks of an account may watch any address; null for the quota of the service's configuration.
ALTER TABLE accounts ADD COLUMN any_address_quota integer CHECK (any_address_quota >= 0);
