-- Each step reads the factories that are watched from its block on. There may be 10,000 others.
CREATE INDEX webhooks_of_factories_by_start ON webhooks (chain_id, effective_from_block) WHERE (options -> 'createdBy' ->> 'address') IS NOT NULL;
