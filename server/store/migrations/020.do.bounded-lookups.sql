-- What the recorder looks up for one lane is bounded, whatever the account has in others.

-- Of an account with much waiting in other lanes, its webhooks in this one are looked through a few at a time: the last that was.
CREATE TABLE held_places (
  chain_id    text NOT NULL,
  lane        bigint NOT NULL,
  account_id  bigint NOT NULL,
  webhook_id  uuid NOT NULL,
  PRIMARY KEY (chain_id, lane, account_id),
  FOREIGN KEY (chain_id, lane) REFERENCES chain_lanes ON DELETE CASCADE
);
CREATE INDEX webhooks_with_finality ON webhooks (chain_id, lane, account_id, id) WHERE options -> 'finality' IS NOT NULL;

-- What leaves with a block: a webhook with many confirmations has as much waiting of older blocks, or of other lanes.
CREATE INDEX held_notifications_by_block ON held_notifications (chain_id, account_id, block_number) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_addresses_created_by ON webhook_addresses (webhook_id, created_in) WHERE created_in IS NOT NULL;
CREATE INDEX webhooks_of_factories_by_lane ON webhooks (chain_id, lane) WHERE (options -> 'createdBy' ->> 'address') IS NOT NULL;
