-- In the new cell of a move: the id that the account has there, or will have once it arrives. What is copied before is marked as the account's alone
-- (events.apart_account), so that a reorganisation reads none of it for others.
ALTER TABLE moves ADD COLUMN arriving_as bigint;
