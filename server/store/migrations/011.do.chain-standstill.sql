-- Whether each chain is followed, for every process to tell: its follower writes here when it moves, and every few seconds else.

ALTER TABLE chains
  ADD COLUMN checked_at timestamptz,                  -- when following it last went well
  ADD COLUMN current_at timestamptz,                  -- when it was last followed up to its head
  ADD COLUMN stopped_kind text,                       -- what kind of reason `stopped` is; like the next one of no meaning without it
  ADD COLUMN stopped_since timestamptz;
