-- How much each caller has taken of its bucket. Nothing is lost with it but counts of the last seconds, so that it need not outlive a
-- crash of the server. Columns and types are those of rate-limiter-flexible.

CREATE UNLOGGED TABLE rate_limits (
  key     varchar(255) PRIMARY KEY,                   -- the limit, and whose bucket it is
  points  integer NOT NULL DEFAULT 0,                 -- how many requests were taken from it
  expire  bigint                                      -- when it is full again, in ms since the epoch
) WITH (fillfactor = 50);
