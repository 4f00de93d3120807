"""Where a consumer is, in your PostgreSQL, and which process is at it. It is the table of chain-webhooks/consumer."""

import psycopg

TABLE = """CREATE TABLE IF NOT EXISTS chain_webhooks_consumers (webhook_id text PRIMARY KEY, position bigint,
    skipped jsonb NOT NULL DEFAULT '[]', holder text, held_until timestamptz)"""
ADD = "INSERT INTO chain_webhooks_consumers (webhook_id) VALUES (%s) ON CONFLICT DO NOTHING"
HOLD = """UPDATE chain_webhooks_consumers SET holder = %(me)s, held_until = clock_timestamp() + %(lease)s * interval '1 s'
    WHERE webhook_id = %(id)s AND (holder = %(me)s OR webhook_id IN (SELECT webhook_id FROM chain_webhooks_consumers
    WHERE webhook_id = %(id)s AND (holder IS NULL OR held_until < clock_timestamp()) FOR UPDATE SKIP LOCKED))
    RETURNING coalesce(position, 0)"""
RELEASE = "UPDATE chain_webhooks_consumers SET holder = NULL WHERE webhook_id = %s AND holder = %s"
LOCK = "SELECT coalesce(position, 0), holder, txid_current() FROM chain_webhooks_consumers WHERE webhook_id = %s FOR UPDATE"
MOVE = "UPDATE chain_webhooks_consumers SET position = %s WHERE webhook_id = %s AND txid_current() = %s"


def add(connection, id):
    # IF NOT EXISTS alone needs the right to create, even where the table is there.
    if connection.execute("SELECT to_regclass('chain_webhooks_consumers')").fetchone() == (None,):
        connection.execute(TABLE)
    connection.execute(ADD, [id])


def hold(connection, id, me, lease):
    """Returns the position if `me` holds the webhook for the next `lease` seconds, else None."""
    held = connection.execute(HOLD, {"id": id, "me": me, "lease": lease}).fetchone()
    return None if held is None else held[0]


def release(connection, id, me):
    connection.execute(RELEASE, [id, me])


def apply(connection, id, me, sequence, handle):
    """Calls `handle` in the transaction that moves the position to the sequence, unless it is elsewhere or somebody else holds the webhook."""
    with connection.transaction():
        connection.execute("SET LOCAL idle_in_transaction_session_timeout = 60000")
        position, holder, transaction = connection.execute(LOCK, [id]).fetchone()
        if (position, holder) != (sequence - 1, me):
            return
        try:
            handle()
        except psycopg.Rollback as error:  # It would end the transaction without an error.
            raise RuntimeError("The handler ended the transaction that it was given.") from error
        if connection.execute(MOVE, [sequence, id, transaction]).rowcount != 1:
            raise RuntimeError("The handler ended the transaction that it was given.")
