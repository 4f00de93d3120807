/** Faults in what needs a chain where something happens: previews, explanations, notifications, replays. In front of the service itself. */
import { type Body, type Message, signedAgain } from "../breakage.ts";
import { asks, created, type Faults, idIn, recordsIn, refusal, sentIn } from "./fault.ts";

const [previewPath, explainPath] = ["POST /v1/webhooks/preview", "GET /v1/webhooks/{id}/explain"];
const [listPath, onePath] = ["GET /v1/webhooks/{id}/notifications", "GET /v1/webhooks/{id}/notifications/{messageId}"];
const replayPath = "POST /v1/webhooks/{id}/replays";

/** Changes the answers of an operation. */
const answers = (says: string, operation: string, change: (body: Body) => void): Faults[string] => ({
  says,
  needs: "chain",
  make: () => ({
    answer({ status, body }, request) {
      if (status < 300 && asks(request, operation)) change(body);
    },
  }),
});

/** Changes what is previewed. */
const previewed = (says: string, change: (transaction: Body) => void) =>
  answers(says, previewPath, ({ transactions }) => transactions.forEach(change));

/** Changes events wherever they are shown or sent. */
const events = (says: string, change: (event: Body) => void): Faults[string] => ({
  says,
  needs: "chain",
  make: () => ({
    answer({ status, body }, request) {
      if (status === 200 && asks(request, onePath)) change(body.payload.event);
      if (status === 200 && asks(request, previewPath))
        for (const { payload } of body.transactions) if (payload) change(payload.event);
    },
    async notify(notification, ask) {
      for (const { event } of sentIn(notification.body)) change(event);
      await signedAgain(notification, ask);
    },
  }),
});

const isTest = ({ headers }: Message) => headers["webhook-sequence"] === "0";

/** Changes how notifications but tests are sent. */
const notified = (says: string, change: (notification: Message) => void, signs = false): Faults[string] => ({
  says,
  needs: "chain",
  make: () => ({
    async notify(notification, ask) {
      if (isTest(notification)) return;
      change(notification);
      if (signs) await signedAgain(notification, ask);
    },
  }),
});

/** Does not do what a webhook asks for, and shows it even so. */
const undone = (says: string, strip: (metadata: Body, body: Body) => Body | undefined): Faults[string] => ({
  says,
  needs: "chain",
  make() {
    const shown = new Map<string, Body>();
    return {
      request(request) {
        const webhook = created(request) ?? (asks(request, previewPath) ? request.body : undefined);
        if (webhook?.metadata === null || typeof webhook?.metadata !== "object") return undefined;
        const lost = strip(webhook.metadata, webhook);
        if (lost !== undefined) request.headers["x-lost"] = JSON.stringify(lost);
        return undefined;
      },
      answer({ status, body }, request) {
        const { "x-lost": lost } = request.headers;
        if (status === 201 && lost !== undefined) shown.set(body.id, JSON.parse(lost));
        for (const record of recordsIn(body)) {
          const { metadata = {}, ...own } = shown.get(record.id) ?? {};
          Object.assign(record, own);
          Object.assign(record.metadata, metadata);
        }
      },
    };
  },
});

export const onChain: Faults = {
  "preview-index-from-one": previewed("counts transactions of a preview from 1", (transaction) => {
    transaction.transactionIndex += 1;
  }),
  "preview-with-webhook-id": previewed("previews with identifiers that are not all zero", ({ payload }) => {
    if (payload) payload.messageId = "0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10";
  }),
  "preview-without-message": previewed("says nothing in the message of a preview", (transaction) => {
    transaction.message = "";
  }),
  "preview-parts-missing": previewed("previews without parts", (transaction) => {
    transaction.parts = [];
  }),
  "preview-part-count": previewed("counts one part too many in a preview", (transaction) => {
    transaction.partCount += 1;
  }),
  "preview-roles-swapped": previewed("takes the sender for the receiver in a preview", ({ parts }) => {
    for (const part of parts) part.role = part.role === "from" ? "to" : part.role === "to" ? "from" : part.role;
  }),
  "preview-payload-missing": previewed("previews without payloads", (transaction) => {
    delete transaction.payload;
  }),
  "preview-counts-shown": answers("counts as looked at what a preview shows", previewPath, (body) => {
    body.transactionCount = body.transactions.length;
  }),
  "preview-matches-of-block": answers("counts every transaction of the block as a match", previewPath, (body) => {
    body.matchCount = body.transactionCount;
  }),
  "preview-block-hex": answers("gives a preview's block another hash", previewPath, (body) => {
    body.blockHash = `0x${"12".repeat(32)}`;
  }),
  "preview-creates": {
    says: "creates a webhook with each preview",
    needs: "chain",
    make() {
      const made: Body[] = [];
      return {
        async answer({ status, body }, request, ask) {
          if (status === 200 && asks(request, previewPath)) {
            const [first] = (await ask("GET", "/v1/webhooks?pageSize=1")).body.webhooks ?? [];
            if (first) made.push({ ...first, id: "11111111-1111-4111-8111-111111111111", createdAt: Date.now() });
          }
          if (asks(request, "GET /v1/webhooks") && made[0] && !request.path.includes("pageToken"))
            body.webhooks?.unshift(made[0]);
        },
      };
    },
  },
  "preview-ignores-logs": {
    says: "previews without logs whatever is asked for",
    needs: "chain",
    make: () => ({
      request(request) {
        if (!asks(request, previewPath)) return undefined;
        if (request.body?.includeLogs === true) request.body.includeLogs = false;
        if (request.body?.metadata?.includeLogs === true) request.body.metadata.includeLogs = false;
        return undefined;
      },
    }),
  },
  "preview-ignores-signatures": {
    says: "previews as if there were no event signatures",
    needs: "chain",
    make: () => ({
      request(request) {
        if (
          asks(request, previewPath) &&
          request.body?.metadata?.eventSignatures?.every?.((one: Body) => /^0x[0-9a-f]{64}$/i.test(one))
        )
          delete request.body.metadata.eventSignatures;
        return undefined;
      },
    }),
  },
  "preview-ignores-conditions": {
    says: "previews as if there were no conditions",
    needs: "chain",
    make: () => ({
      request(request) {
        if (asks(request, previewPath) && request.body?.metadata?.conditions?.field?.startsWith("transaction."))
          delete request.body.metadata.conditions;
        return undefined;
      },
    }),
  },
  "hash-case-matters": {
    says: "knows no transaction whose hash is written in capitals",
    needs: "chain",
    make: () => ({
      request: (request) =>
        /0x[0-9a-f]*[A-F]/.test(`${request.body?.txHash} ${/txHash=(\w+)/.exec(request.path)?.[1]}`)
          ? refusal(400, "txHash must be the hash of a transaction.")
          : undefined,
    }),
  },
  "explanation-of-capitals": {
    says: "shows a transaction's hash as it was asked for",
    needs: "chain",
    make: () => ({
      answer({ status, body }, request) {
        const [, hash] = /txHash=(\w+)/.exec(request.path) ?? [];
        if (status === 200 && asks(request, explainPath)) body.txHash = hash;
      },
    }),
  },
  "explanation-without-parts": answers("explains without parts", explainPath, (body) => {
    body.parts = [];
    body.partCount = 0;
  }),
  "explanation-never-notified": answers("explains a notification as none", explainPath, (body) => {
    body.notified = false;
  }),
  "explanation-no-block": answers("explains in another block", explainPath, (body) => {
    if (body.blockNumber) body.blockNumber = String(BigInt(body.blockNumber) + 1n);
  }),
  "explanation-log-of-block": answers("counts logs of an explanation from 1", explainPath, ({ parts }) => {
    for (const part of parts) if (part.logIndex !== undefined) part.logIndex += 1;
  }),
  "explanation-not-matching": answers("explains what was notified as what does not match", explainPath, (body) => {
    body.matches = false;
  }),
  "explanation-newest-first": answers("explains with the newest notification first", explainPath, (body) => {
    body.notifications.reverse();
  }),
  "list-newest-first": answers("lists the newest notification first", listPath, ({ notifications }) => {
    notifications.reverse();
  }),
  "list-size-ignored": {
    says: "ignores the page size of notifications",
    needs: "chain",
    make: () => ({
      request(request) {
        if (asks(request, listPath)) request.path = request.path.replace(/pageSize=\d+/, "pageSize=50");
        return undefined;
      },
    }),
  },
  "recorded-in-seconds": answers("says in seconds when a notification was recorded", listPath, ({ notifications }) => {
    for (const one of notifications) one.recordedAt = Math.floor(one.recordedAt / 1000);
  }),
  "last-attempt-first": answers("shows the first attempt as the last", onePath, (body) => {
    if (body.attempts.length > 0) body.lastAttempt = body.attempts[0];
  }),
  "attempts-newest-first": answers("shows the newest attempt first", onePath, ({ attempts }) => {
    attempts.reverse();
  }),
  "attempts-from-zero": answers("numbers attempts from 0", onePath, ({ attempts, lastAttempt }) => {
    for (const one of [...attempts, lastAttempt]) if (one) one.number -= 1;
  }),
  "attempt-count-short": answers("counts only attempts that failed", listPath, ({ notifications }) => {
    for (const one of notifications) if (one.status === "delivered") one.attemptCount = 0;
  }),
  "payload-of-another": answers("shows a payload without what was sent", onePath, ({ payload }) => {
    payload.event.transaction.value = "1";
  }),
  "resend-by-schedule": answers(
    "takes a resend for an attempt of the schedule",
    onePath,
    ({ attempts, lastAttempt }) => {
      for (const one of [...attempts, lastAttempt]) if (one) one.trigger = "schedule";
    },
  ),
  "resend-refused": {
    says: "refuses to resend what was delivered",
    needs: "chain",
    make: () => ({
      request: (request) =>
        /\/resend$/.test(request.path) && /[0-9a-f]{12}\/resend$/.test(request.path) && !/0{8}/.test(request.path)
          ? refusal(409, "The notification was delivered.")
          : undefined,
    }),
  },
  "resend-under-new-id": {
    says: "resends under a new messageId",
    needs: "chain",
    make() {
      const seen = new Set<string>();
      return {
        async notify(notification, ask) {
          if (isTest(notification)) return;
          for (const one of sentIn(notification.body)) {
            if (seen.has(one.messageId)) one.messageId = `${one.messageId.slice(0, -1)}0`;
            seen.add(one.messageId);
            if (!Array.isArray(notification.body)) notification.headers["webhook-id"] = one.messageId;
          }
          await signedAgain(notification, ask);
        },
      };
    },
  },
  "replay-counts-swapped": {
    says: "counts as added what a replay sent again",
    needs: "chain",
    make: () => ({
      answer({ body }) {
        if (body?.resentCount === undefined) return;
        const { resentCount, addedCount } = body;
        Object.assign(body, { resentCount: addedCount, addedCount: resentCount });
      },
    }),
  },
  "replay-without-end": {
    says: "does not say when a replay was done",
    needs: "chain",
    make: () => ({
      answer({ body }) {
        if (body?.resentCount !== undefined) delete body.finishedAt;
      },
    }),
  },
  "replay-without-last-block": {
    says: "leaves out the last block of a replay",
    needs: "chain",
    make: () => ({
      request(request) {
        const { fromBlock, toBlock } = request.body ?? {};
        if (asks(request, replayPath) && /^\d+$/.test(toBlock) && BigInt(toBlock) > BigInt(fromBlock))
          request.body.toBlock = String(BigInt(toBlock) - 1n);
        return undefined;
      },
      answer({ status, body }, request) {
        if (status === 202 && asks(request, replayPath)) body.toBlock = String(BigInt(body.toBlock) + 1n);
      },
    }),
  },
  "replay-below-any": {
    says: "answers with a replay below any webhook of the account",
    needs: "chain",
    make: () => belowAny(/(?<=\/replays\/)[0-9a-f-]{36}$/, "POST /v1/webhooks/{id}/replays"),
  },
  "notification-below-any": {
    says: "answers with a notification below any webhook of the account",
    needs: "chain",
    make: () => belowAny(/(?<=\/notifications\/)[0-9a-f-]{36}$/, listPath),
  },
  "replay-ahead": {
    says: "takes a replay of blocks that do not exist yet",
    needs: "chain",
    make: () => ({
      async request(request, ask) {
        if (!asks(request, replayPath) || !/^\d+$/.test(request.body?.toBlock)) return undefined;
        const { followedBlock } = (await ask("GET", "/v1/chains")).body.chains[0];
        if (BigInt(request.body.toBlock) > BigInt(followedBlock)) request.body.toBlock = followedBlock;
        return undefined;
      },
    }),
  },
  "sequence-from-zero": notified("numbers notifications from 0", ({ headers }) => {
    headers["webhook-sequence"] = String(Number(headers["webhook-sequence"]) - 1);
  }),
  "header-id-differs": notified(
    "sends another webhook-id than the messageId",
    ({ headers, body }) => {
      if (!Array.isArray(body)) headers["webhook-id"] = `${headers["webhook-id"]?.slice(0, -1)}0`;
    },
    true,
  ),
  "first-notification-lost": {
    says: "loses every webhook's first notification",
    needs: "chain",
    make: () => ({
      notify(notification) {
        if (notification.headers["webhook-sequence"] === "1") notification.dropped = true;
      },
    }),
  },
  "sent-twice": {
    says: "sends every notification twice",
    needs: "chain",
    make: () => ({
      notify(notification) {
        if (!isTest(notification)) notification.times = 2;
      },
    }),
  },
  "batch-sequence-of-last": notified(
    "sends a batch with the sequence of its last notification",
    ({ headers, body }) => {
      if (Array.isArray(body))
        headers["webhook-sequence"] = String(Number(headers["webhook-sequence"]) + body.length - 1);
    },
  ),
  "batch-reversed": notified(
    "sends a batch with the newest notification first",
    ({ body }) => {
      if (Array.isArray(body)) body.reverse();
    },
    true,
  ),
  "log-index-of-block": events("counts logs from 1", ({ logs = [] }) => {
    for (const log of logs) log.logIndex += 1;
  }),
  "topics-compacted": events("sends an empty text where a log has no topic", ({ logs = [] }) => {
    for (const log of logs) log.topic3 ??= `0x${"0".repeat(64)}`;
  }),
  "value-rounded": events("rounds values to what a double holds", ({ transaction }) => {
    transaction.value = BigInt(Number(transaction.value) + 1).toString();
  }),
  "gas-price-missing": events("sends the gas price as 0", ({ transaction }) => {
    transaction.gasPrice = "0";
    transaction.receiptEffectiveGasPrice = "0";
  }),
  "status-inverted": events("sends the status of a transaction the other way round", ({ transaction }) => {
    transaction.txStatus = transaction.txStatus === "1" ? "0" : "1";
  }),
  "creation-without-contract": events("sends a creation as a transaction to the contract", ({ transaction }) => {
    if (!/^0x0+$/.test(transaction.contractAddress)) transaction.to = transaction.contractAddress;
  }),
  "native-zero-included": events("sends native transfers of value 0", ({ transaction }) => {
    const { nativeTransfers, txHash, from, to, blockTimestamp } = transaction;
    if (nativeTransfers?.length === 0)
      nativeTransfers.push({ transactionHash: txHash, type: "NATIVE", from, to, value: "0", blockTimestamp });
  }),
  "transfer-sides-swapped": events("swaps sender and receiver of token transfers", ({ transaction }) => {
    for (const one of transaction.erc20Transfers ?? []) Object.assign(one, { from: one.to, to: one.from });
  }),
  "transfer-value-scaled": events("gives a token's value in whole tokens", ({ transaction }) => {
    for (const { erc20Token } of transaction.erc20Transfers ?? []) erc20Token.valueWithDecimals = "5";
  }),
  "decoded-positions": events("names decoded arguments by their position", ({ logs = [] }) => {
    for (const { decoded } of logs)
      if (decoded) decoded.args = Object.fromEntries(Object.values(decoded.args).entries());
  }),
  "decoded-numbers": events("decodes numbers as numbers", ({ logs = [] }) => {
    for (const { decoded } of logs)
      for (const [name, value] of Object.entries(decoded?.args ?? {}))
        if (/^\d+$/.test(String(value))) decoded.args[name] = Number(value);
  }),
  "internal-always": events("sends internal transactions that were not asked for", ({ transaction }) => {
    transaction.internalTransactions ??= [];
  }),
  "transfers-not-sent": undone("does not send transfers", (metadata) => {
    if (metadata.includeTransfers !== true) return undefined;
    delete metadata.includeTransfers;
    return { metadata: { includeTransfers: true } };
  }),
  "conditions-not-applied": undone("notifies without regard to conditions", (metadata) => {
    const { conditions } = metadata;
    if (!/^transaction\./.test(conditions?.field ?? conditions?.all?.[0]?.field)) return undefined;
    delete metadata.conditions;
    return { metadata: { conditions } };
  }),
  "signatures-not-applied": undone("notifies without regard to event signatures", (metadata) => {
    const { eventSignatures } = metadata;
    if (!eventSignatures?.length || !eventSignatures.every((one: Body) => /^0x[0-9a-f]{64}$/.test(one)))
      return undefined;
    delete metadata.eventSignatures;
    return { metadata: { eventSignatures } };
  }),
  "batch-not-applied": undone("sends a webhook with a batch its notifications singly", (metadata) => {
    const { batch } = metadata;
    if (!(batch?.maxItems >= 1 && batch.maxItems <= 100 && Object.keys(batch).length < 3)) return undefined;
    delete metadata.batch;
    return { metadata: { batch: { maxWaitMs: 0, ...batch } } };
  }),
  "finality-not-applied": undone("notifies at once, whatever the finality", (_, body) => {
    const { finality } = body;
    if (!(finality?.confirmations >= 1 && finality.confirmations <= 10000)) return undefined;
    delete body.finality;
    return { finality, heldCount: 0 };
  }),
  "inactive-still-notified": {
    says: "notifies of what happens while a webhook is inactive",
    needs: "chain",
    make() {
      const paused = new Set<string>();
      return {
        request(request) {
          if (!asks(request, "PATCH /v1/webhooks/{id}") || !/^(in)?active$/.test(request.body?.status))
            return undefined;
          if (request.body.status === "inactive") paused.add(idIn(request));
          else paused.delete(idIn(request));
          delete request.body.status;
          return undefined;
        },
        answer({ body }) {
          for (const record of recordsIn(body))
            if (paused.has(record.id)) Object.assign(record, { status: "inactive", statusReason: "requested" });
        },
      };
    },
  },
  "removed-still-watched": {
    says: "still notifies of an address that was removed",
    needs: "chain",
    make() {
      const removed = new Map<string, string[]>();
      return {
        async request(request, ask) {
          if (!asks(request, "DELETE /v1/webhooks/{id}/addresses") || request.body?.addresses?.length !== 1)
            return undefined;
          const { status, headers, body } = await ask(
            "GET",
            `/v1/webhooks/${idIn(request)}`,
            request.headers["x-service-api-key"],
          );
          const [address] = request.body.addresses.map((one: string) => one.toLowerCase());
          if (status !== 200 || !body.metadata.addresses.includes(address)) return undefined;
          removed.set(body.id, [...(removed.get(body.id) ?? []), address]);
          const addresses = body.metadata.addresses.filter((one: string) => one !== address);
          const count = body.addressCount - 1;
          const metadata = { ...body.metadata, addresses };
          return {
            status,
            headers,
            body: { ...body, metadata, addressCount: count, changed: 1, totalAddresses: count },
          };
        },
        answer({ body }, request) {
          for (const record of recordsIn(body)) {
            const gone = removed.get(record.id) ?? [];
            const before = record.metadata.addresses.length;
            record.metadata.addresses = record.metadata.addresses.filter((one: string) => !gone.includes(one));
            record.addressCount -= before - record.metadata.addresses.length;
            if (record.totalAddresses !== undefined) record.totalAddresses = record.addressCount;
          }
          const gone = removed.get(idIn(request)) ?? [];
          if (!Array.isArray(body?.addresses)) return;
          const before = body.addresses.length;
          body.addresses = body.addresses.filter((one: string) => !gone.includes(one));
          body.totalAddresses -= before - body.addresses.length;
        },
      };
    },
  },
};

/** Finds what a path names, whatever webhook it is below. @param learnt the operation whose answers say whose it is */
function belowAny(name: RegExp, learnt: string): ReturnType<Faults[string]["make"]> {
  const owners = new Map<string, string>();
  return {
    request(request) {
      const owner = owners.get(name.exec(request.path)?.[0] ?? "");
      if (owner !== undefined) request.path = request.path.replace(idIn(request), owner);
      return undefined;
    },
    answer({ status, body }, request) {
      if (status >= 300 || !asks(request, learnt)) return;
      for (const { id, messageId } of [body, ...(body.notifications ?? [])]) owners.set(id ?? messageId, idIn(request));
    },
  };
}
