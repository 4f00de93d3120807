-- What few webhooks have, in the contract's shape: transfers, events to decode, conditions, any address, a factory, batches, order, finality.
-- Null for a webhook with none of them. A column for each would say the contract's shapes a second time.
ALTER TABLE webhooks ADD COLUMN options json;
