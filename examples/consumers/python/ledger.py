"""Keeps a ledger of token transfers in PostgreSQL: each of them once. The same as examples/ledger.ts.

    python3 -m pip install -r requirements.txt
    BASE_URL=… API_KEY=… WEBHOOK_ID=… WEBHOOK_SECRET=whsec_… DATABASE_URL=postgres://… python3 ledger.py
"""

import os
import signal
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psycopg
from consumer import Consumer
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

LEDGER = """CREATE TABLE IF NOT EXISTS ledger (
    sequence bigint NOT NULL, tx_hash text NOT NULL, token text NOT NULL, holder text NOT NULL, amount numeric NOT NULL)"""
BOOK = "INSERT INTO ledger VALUES (%s, %s, %s, %s, %s), (%s, %s, %s, %s, %s)"
env, stopped, webhook = os.environ, threading.Event(), Webhook(os.environ["WEBHOOK_SECRET"])


def book(connection, sequence, notification):
    sign = -1 if notification["event"].get("removed") else 1  # Taken back: the block has left the chain.
    for transfer in notification["event"]["transaction"].get("erc20Transfers", []):
        place = [sequence, transfer["transactionHash"], transfer["erc20Token"]["address"]]
        amount = sign * int(transfer["value"])
        connection.execute(BOOK, [*place, transfer["to"], amount, *place, transfer["from"], -amount])


class Receiver(BaseHTTPRequestHandler):
    """Accepts what verifies: the consumer reads it from the feed. A webhook without a URL needs none of this."""

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        body = self.rfile.read(int(length)) if length.isdecimal() and int(length) < 2**25 else b""
        try:
            webhook.verify(body, dict(self.headers))
        except (WebhookVerificationError, ValueError):
            return self.answer(400)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


with psycopg.connect(env["DATABASE_URL"]) as connection:
    connection.execute(LEDGER)
server = ThreadingHTTPServer(("127.0.0.1", int(env.get("PORT", "4000"))), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
print("Listening", flush=True)
signal.signal(signal.SIGTERM, lambda *_: stopped.set())
lease = int(env.get("LEASE_MS", "30000")) / 1000
Consumer(env["DATABASE_URL"], env["BASE_URL"], env["API_KEY"], env["WEBHOOK_ID"], book, lease).run(stopped)
