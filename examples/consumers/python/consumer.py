"""Handles each notification of a webhook once and in order, in your PostgreSQL: it follows the feed, and position.py counts."""

import json
import urllib.request
import uuid

import position
import psycopg


class Consumer:
    """`handle(connection, sequence, notification)` writes in the transaction that moves the position. It is called again if it raises."""

    def __init__(self, database_url, base_url, api_key, webhook_id, handle, lease=30, on_error=print):
        self.database_url, self.id, self.handle, self.on_error = database_url, webhook_id, handle, on_error
        self.feed, self.headers = f"{base_url}/v1/webhooks/{webhook_id}/feed", {"x-service-api-key": api_key}
        self.lease, self.me, self.failures = lease, str(uuid.uuid4()), 0

    def run(self, stopped):
        """Follows the feed until the threading.Event `stopped` is set. After a failure it waits, and goes on where the database says."""
        while not stopped.is_set():
            try:
                # A pooler in transaction mode knows no prepared statements.
                with psycopg.connect(self.database_url, autocommit=True, prepare_threshold=None) as connection:
                    connection.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
                    position.add(connection, self.id)
                    while not stopped.is_set():
                        after = position.hold(connection, self.id, self.me, self.lease)
                        stopped.wait(self.lease / 3 if after is None else self.step(connection, after, stopped))
                    position.release(connection, self.id, self.me)
            except Exception as error:
                self.failures = min(self.failures + 1, 6)
                self.on_error(error)
                stopped.wait(2**self.failures - 1)

    def step(self, connection, after, stopped):
        """Reads the feed once. A 410 raises, so nothing is passed over. Returns how many seconds to wait before the next time."""
        wait = int(min(5, self.lease / 2))  # Nothing ends it when the consumer is stopped.
        request = urllib.request.Request(f"{self.feed}?after={after}&wait={wait}", headers=self.headers)
        with urllib.request.urlopen(request, timeout=wait + 10) as answer:
            page = json.load(answer)
        if page["lastSequence"] < after or [each["sequence"] for each in page["notifications"][:1]] not in ([], [after + 1]):
            raise RuntimeError(f"The feed does not go on after {after}; its newest notification is {page['lastSequence']}.")
        for each in page["notifications"]:
            if stopped.is_set():
                break
            sequence, payload = each["sequence"], each["payload"]
            position.apply(connection, self.id, self.me, sequence, lambda: self.handle(connection, sequence, payload))
            self.failures = 0
        if not page["notifications"]:
            self.failures = 0
        return 0 if page["notifications"] or wait > 0 else 0.2
