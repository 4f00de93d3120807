-- How many bytes of a webhook matching reads in each block that has its addresses: its options, as JSON, and its signatures, as the database returns
-- them. They never change. Those of an account are bounded together where accounts share a transaction.
ALTER TABLE webhooks ADD COLUMN matched_bytes integer NOT NULL DEFAULT 0;
UPDATE webhooks SET matched_bytes = COALESCE(octet_length(COALESCE(matched_options, options)::text), 0) + 66 * cardinality(event_signatures)
WHERE options IS NOT NULL OR event_signatures <> '{}';
