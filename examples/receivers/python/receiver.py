"""Receives notifications with Python's own HTTP server.

    python3 -m pip install -r requirements.txt
    WEBHOOK_SECRET=whsec_… python3 receiver.py
"""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

MOST_BYTES = 32 * 1024 * 1024
webhook = Webhook(os.environ["WEBHOOK_SECRET"])
handled = set()  # A real program keeps it in its database, as a unique key.


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            return self.answer(413)
        body = self.rfile.read(int(length))  # The signature covers the bytes as they arrived.
        try:
            notification = webhook.verify(body, dict(self.headers))
        except (WebhookVerificationError, ValueError):  # ValueError: a header that is no signature
            return self.answer(400)
        if notification["messageId"] not in handled:  # Delivery is at least once.
            print(self.headers["webhook-sequence"], notification["messageId"], flush=True)
            handled.add(notification["messageId"])  # After the work: if it throws, the service retries.
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


address = ("127.0.0.1", int(os.environ.get("PORT", "4000")))
server = ThreadingHTTPServer(address, Receiver)
print(f"Listening at http://127.0.0.1:{address[1]}/hooks", flush=True)
server.serve_forever()
