/** Faults in secrets, signatures and tests, and in replays as far as they need no chain. */
import { createHmac } from "node:crypto";
import { type Ask, type Body, type Notification, signedAgain } from "../breakage.ts";
import { asks, type Between, type Faults, idIn, recordsIn, refusal, sentIn } from "./fault.ts";

const testPath = "POST /v1/webhooks/{id}/test";

/** Changes every notification, and signs the result. */
const sent = (says: string, change: (one: Body, notification: Notification) => void): Faults[string] => ({
  says,
  make: () => ({
    async notify(notification, ask) {
      for (const one of sentIn(notification.body)) change(one, notification);
      await signedAgain(notification, ask);
    },
  }),
});

/** Changes how a notification is sent. */
const posted = (
  says: string,
  notify: (notification: Notification, ask: Ask) => void | Promise<void>,
): Faults[string] => ({
  says,
  make: () => ({ notify }),
});

/** Signs something else. */
const signed = (says: string, of: (parts: { id: string; at: string; text: string; secret: string }) => string) =>
  posted(says, async ({ headers, body }, ask) => {
    const { webhookId } = sentIn(body)[0];
    const { secret } = (await ask("GET", `/v1/webhooks/${webhookId}/secret`)).body;
    const { "webhook-id": id = "", "webhook-timestamp": at = "" } = headers;
    headers["webhook-signature"] = of({ id, at, text: JSON.stringify(body), secret });
  });

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest("base64");
const bytesOf = (secret: string) => Buffer.from(secret.slice("whsec_".length), "base64");

/** Changes the outcome of a test. */
const outcome = (says: string, change: (body: Body) => void): Faults[string] => ({
  says,
  make: () => ({
    answer({ status, body }, request) {
      if (status === 200 && asks(request, testPath)) change(body);
    },
  }),
});

/** Changes an answer with a secret. */
const secretShown = (says: string, change: (body: Body) => void): Faults[string] => ({
  says,
  make: () => ({
    answer({ status, body }) {
      if (status === 200 && body?.secret) change(body);
    },
  }),
});

export const ofSending: Faults = {
  "signs-by-text": signed(
    "signs by the secret's text in place of its bytes",
    ({ id, at, text, secret }) => `v1,${hmac(secret, `${id}.${at}.${text}`)}`,
  ),
  "signs-body-only": signed(
    "signs the body without the id and the time",
    ({ text, secret }) => `v1,${hmac(bytesOf(secret), text)}`,
  ),
  "signs-in-hex": signed(
    "writes a signature in hex",
    ({ id, at, text, secret }) =>
      `v1,${Buffer.from(hmac(bytesOf(secret), `${id}.${at}.${text}`), "base64").toString("hex")}`,
  ),
  "signs-without-version": signed("writes a signature without its version", ({ id, at, text, secret }) =>
    hmac(bytesOf(secret), `${id}.${at}.${text}`),
  ),
  "signature-url-safe": posted("writes a signature in base64url", ({ headers }) => {
    headers["webhook-signature"] = (headers["webhook-signature"] ?? "").replaceAll("+", "-").replaceAll("/", "_");
  }),
  "signature-unpadded": posted("writes a signature without padding", ({ headers }) => {
    headers["webhook-signature"] = (headers["webhook-signature"] ?? "").replaceAll("=", "");
  }),
  "signatures-with-comma": posted("writes a comma between two signatures", ({ headers }) => {
    headers["webhook-signature"] = (headers["webhook-signature"] ?? "").replaceAll(" ", ", ");
  }),
  "timestamp-local": sent("takes local time for the epoch's: the timestamp is an hour off", (_, { headers }) => {
    headers["webhook-timestamp"] = String(Number(headers["webhook-timestamp"]) + 3600);
  }),
  "rotation-for-an-hour": secretShown("lets the previous secret sign for an hour", (body) => {
    if (body.previousSecretExpiresAt) body.previousSecretExpiresAt -= 23 * 3_600_000;
  }),
  "rotation-in-seconds": secretShown("says in seconds until when the previous secret signs", (body) => {
    if (body.previousSecretExpiresAt) body.previousSecretExpiresAt = Math.floor(body.previousSecretExpiresAt / 1000);
  }),
  "rotation-time-not-kept": {
    says: "says only at the rotation until when the previous secret signs",
    make: () => ({
      answer({ body }, request) {
        if (asks(request, "GET /v1/webhooks/{id}/secret")) delete body.previousSecretExpiresAt;
      },
    }),
  },
  "one-secret-for-all": {
    says: "has one secret for all webhooks of an account",
    make: () => ({
      answer({ status, body }) {
        if (status === 200 && body?.secret) body.secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
      },
    }),
  },
  "secret-url-safe": secretShown("shows a secret in base64url", (body) => {
    body.secret = `whsec_${body.secret.slice(6).replaceAll("+", "-").replaceAll("/", "_")}`;
  }),
  "gone-by-test": {
    says: "makes a webhook inactive when its endpoint answers a test with 410",
    make() {
      const gone = new Set<string>();
      return {
        answer({ status, body }, request) {
          if (asks(request, testPath) && status === 200 && body.responseStatus === 410) gone.add(idIn(request));
          for (const record of recordsIn(body))
            if (gone.has(record.id)) Object.assign(record, { status: "inactive", statusReason: "endpoint_gone" });
        },
      };
    },
  },
  "failing-by-test": {
    says: "says that an endpoint fails when it refused a test",
    make() {
      const failing = new Map<string, number>();
      return {
        answer({ status, body }, request) {
          if (asks(request, testPath) && status === 200 && !body.delivered) failing.set(idIn(request), body.sentAt);
          for (const record of recordsIn(body)) {
            const since = failing.get(record.id);
            if (since !== undefined) record.failingSince = since;
          }
        },
      };
    },
  },
  "inactive-untested": {
    says: "refuses to test an inactive webhook",
    make: () => ({
      async request(request, ask) {
        if (!asks(request, testPath)) return undefined;
        const { body } = await ask("GET", request.path.replace(/\/test$/, ""), request.headers["x-service-api-key"]);
        return body?.status === "inactive" ? refusal(400, "The webhook must be active.") : undefined;
      },
    }),
  },
  "redirect-is-delivered": outcome("takes a redirect for an acceptance of a test", (body) => {
    if (body.responseStatus >= 300 && body.responseStatus < 400) {
      body.delivered = true;
      delete body.errorClass;
    }
  }),
  "only-200-is-delivered": outcome("takes only a 200 for an acceptance of a test", (body) => {
    if (body.responseStatus > 200 && body.responseStatus < 300)
      Object.assign(body, { delivered: false, errorClass: "bad_status" });
  }),
  "answer-uncut": {
    says: "shows the whole answer of an endpoint",
    make: () => ({
      answer({ body }, request) {
        if (asks(request, testPath) && body.responseBody?.length === 1024) body.responseBody += "x".repeat(1000);
      },
    }),
  },
  "answer-not-shown": outcome("does not show what an endpoint answered", (body) => {
    delete body.responseBody;
  }),
  "answer-shown-of-failures": outcome("shows what an endpoint answered only where it did not accept", (body) => {
    if (body.delivered) delete body.responseBody;
  }),
  "error-class-of-status": outcome("takes an answer that is not a 2xx for a broken connection", (body) => {
    if (body.errorClass === "bad_status") body.errorClass = "connection_reset";
  }),
  "refused-is-timeout": outcome("takes a refused connection for a timeout", (body) => {
    // What stands between has taken the connection, and closes it.
    if (/^connection_re(fused|set)$/.test(body.errorClass)) body.errorClass = "timeout";
  }),
  "sent-in-seconds": outcome("says in seconds when a test was sent", (body) => {
    body.sentAt = Math.floor(body.sentAt / 1000);
  }),
  "test-repeated": posted("sends a test twice", (notification) => {
    notification.times = 2;
  }),
  "test-by-put": posted("sends notifications by PUT", (notification) => {
    notification.method = "PUT";
  }),
  "test-without-query": posted("forgets the query of a webhook's URL", (notification) => {
    notification.target = notification.target.replace(/\?.*$/, "");
  }),
  "test-to-first-url": {
    says: "sends to the URL of creation after that was changed",
    make() {
      const first = new Map<string, string>();
      return {
        notify(notification) {
          const { webhookId } = sentIn(notification.body)[0];
          if (!first.has(webhookId)) first.set(webhookId, notification.target);
          notification.target = first.get(webhookId) ?? notification.target;
        },
      };
    },
  },
  "notification-as-text": posted("sends notifications as text/plain", ({ headers }) => {
    headers["content-type"] = "text/plain";
  }),
  "notification-as-form": posted("sends notifications without a content type", ({ headers }) => {
    headers["content-type"] = "application/x-www-form-urlencoded";
  }),
  "test-sequence-one": posted("sends a test with the sequence 1", ({ headers }) => {
    headers["webhook-sequence"] = "1";
  }),
  "test-always-same-id": {
    says: "sends every test under the same messageId",
    make: () => ({
      async notify(notification, ask) {
        for (const one of sentIn(notification.body)) one.messageId = sameId;
        if (!Array.isArray(notification.body)) notification.headers["webhook-id"] = sameId;
        await signedAgain(notification, ask);
      },
      answer({ status, body }, request) {
        if (status === 200 && asks(request, testPath)) body.messageId = sameId;
      },
    }),
  },
  "test-without-logs": sent("sends a test without logs", (one) => {
    delete one.event.logs;
  }),
  "test-always-with-logs": sent("sends a test with logs to a webhook that wants none", (one) => {
    one.event.logs ??= [];
  }),
  "test-always-with-transfers": sent("sends a test with transfers to a webhook that wants none", (one) => {
    for (const name of ["erc20Transfers", "erc721Transfers", "erc1155Transfers", "nativeTransfers"])
      one.event.transaction[name] ??= [];
  }),
  "test-of-another-webhook": sent("sends a test with the webhookId of the example", (one) => {
    one.webhookId = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
  }),
  "removed-always-there": sent("sends removed: false where nothing was retracted", (one) => {
    one.event.removed = false;
  }),
  "test-listed": {
    says: "lists a test among the notifications",
    make() {
      const tests = new Map<string, Body>();
      const hash = `0x${"ab".repeat(32)}`;
      return {
        answer({ status, body }, request) {
          if (status === 200 && asks(request, testPath))
            tests.set(idIn(request), {
              ...{ messageId: body.messageId, sequence: 1, blockNumber: "1", blockHash: hash, txHash: hash },
              ...{ removed: false, recordedAt: body.sentAt, status: "delivered", attemptCount: 1 },
            });
          const test = tests.get(idIn(request));
          if (asks(request, "GET /v1/webhooks/{id}/notifications") && body.notifications?.length === 0 && test)
            body.notifications.push(test);
        },
      };
    },
  },
  "secret-of-deleted": afterDeletion("still shows the secret of a deleted webhook", "GET /v1/webhooks/{id}/secret", {
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  }),
  "notifications-of-deleted": afterDeletion(
    "still lists the notifications of a deleted webhook",
    "GET /v1/webhooks/{id}/notifications",
    { notifications: [] },
  ),
  "addresses-of-deleted": afterDeletion(
    "still lists the addresses of a deleted webhook",
    "GET /v1/webhooks/{id}/addresses",
    { addresses: [], totalAddresses: 0 },
  ),
  "replay-backwards": {
    says: "takes a replay whose first block is above its last one",
    make: () => ({
      request(request) {
        const { fromBlock, toBlock } = request.body ?? {};
        if (asks(request, "POST /v1/webhooks/{id}/replays") && /^\d+$/.test(fromBlock) && /^\d+$/.test(toBlock))
          if (BigInt(fromBlock) > BigInt(toBlock))
            Object.assign(request.body, { fromBlock: toBlock, toBlock: fromBlock });
        return undefined;
      },
    }),
  },
  "replay-blocks-as-numbers": {
    says: "takes numbers for a replay's blocks",
    make: () => ({
      request({ body }) {
        for (const name of ["fromBlock", "toBlock"])
          if (typeof body?.[name] === "number") body[name] = String(body[name]);
        return undefined;
      },
    }),
  },
  "replay-below-any-webhook": {
    says: "finds a replay below any webhook",
    make() {
      const replays = new Map<string, Body>();
      return {
        answer(answer, request) {
          if (answer.body?.resentCount !== undefined) replays.set(answer.body.id, answer.body);
          const known = replays.get(request.path.split("/").at(-1) ?? "");
          if (answer.status === 404 && known) Object.assign(answer, { status: 200, body: known });
        },
      };
    },
  },
  "preview-takes-unknown": {
    says: "ignores unknown fields of a preview",
    make: () => ({
      request(request) {
        if (!asks(request, "POST /v1/webhooks/preview") || typeof request.body !== "object") return undefined;
        for (const name of Object.keys(request.body ?? {})) if (!known.includes(name)) delete request.body[name];
        return undefined;
      },
    }),
  },
  "preview-of-both": {
    says: "previews the transaction where a block is given as well",
    make: () => ({
      request(request) {
        if (asks(request, "POST /v1/webhooks/preview") && request.body?.txHash && request.body.blockNumber) {
          delete request.body.blockNumber;
          return refusal(404, "There is no such transaction.");
        }
        return undefined;
      },
    }),
  },
  "preview-needs-url": {
    says: "refuses a preview without a url",
    make: () => ({
      request: (request) =>
        asks(request, "POST /v1/webhooks/preview") && request.body?.metadata && request.body.url === undefined
          ? refusal(400, "url is required.")
          : undefined,
    }),
  },
  "explanation-hash-unchecked": {
    says: "answers an explanation of what is no hash with 404",
    make: () => ({
      answer(answer, request) {
        if (asks(request, "GET /v1/webhooks/{id}/explain") && answer.status === 400)
          Object.assign(answer, refusal(404, "There is no such transaction."));
      },
    }),
  },
};

const sameId = "0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10";
const known = [
  ...["url", "chainId", "eventType", "metadata", "name", "description"],
  ...["includeInternalTxs", "includeLogs", "finality", "txHash", "blockNumber"],
];

function afterDeletion(says: string, operation: string, body: Body): Faults[string] {
  return {
    says,
    make(): Between {
      const deleted = new Set<string>();
      return {
        answer(answer, request) {
          if (answer.status === 200 && asks(request, "DELETE /v1/webhooks/{id}")) deleted.add(idIn(request));
          if (answer.status === 404 && asks(request, operation) && deleted.has(idIn(request)))
            Object.assign(answer, { status: 200, body });
        },
      };
    },
  };
}
