-- How much an account may have. Null: as much as the service's configuration gives to every account.

ALTER TABLE accounts
  ADD COLUMN webhook_quota integer CHECK (webhook_quota >= 0),
  ADD COLUMN address_quota bigint CHECK (address_quota >= 0);
