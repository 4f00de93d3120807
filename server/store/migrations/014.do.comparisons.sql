-- How many comparisons a webhook's conditions have. Each takes time for every log of a block, so those of an account are bounded together.
ALTER TABLE webhooks ADD COLUMN comparisons smallint NOT NULL DEFAULT 0;

-- A comparison alone has an op; within a text its quotes would be escaped.
UPDATE webhooks SET comparisons = (length(options::text) - length(replace(options::text, '"op":', ''))) / length('"op":')
WHERE options -> 'conditions' IS NOT NULL;

CREATE INDEX webhooks_with_conditions ON webhooks (account_id) INCLUDE (comparisons) WHERE comparisons > 0;
