-- A history may read the blocks whole of which nodes return logs by eth_getLogs, and no others.

ALTER TABLE chain_lanes
  DROP CONSTRAINT chain_lanes_history_mode_check,
  ADD CONSTRAINT chain_lanes_history_mode_check CHECK (history_mode IN ('headers', 'logs')),
  ADD COLUMN nodes_agreed integer;               -- with logs: on each range read so far at least so many nodes agreed; null before the first

ALTER TABLE move_lanes ADD COLUMN nodes_agreed integer;
