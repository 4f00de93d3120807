-- What webhooks with order have given up: notifications that failed at every attempt, so that the ones after them could go on. Without a
-- foreign key, which would make recording an attempt wait for a change of the webhook.
CREATE TABLE passed_over (
  webhook_id     uuid PRIMARY KEY,
  count          bigint NOT NULL,
  last_sequence  bigint NOT NULL,
  at             timestamptz NOT NULL                 -- when the last one failed for the last time
);
