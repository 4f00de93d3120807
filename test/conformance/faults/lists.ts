/** Faults in lists, in what a webhook watches, in what is kept under an Idempotency-Key, and in who may do what. */
import type { Answer, Body, Request } from "../breakage.ts";
import { asks, created, type Faults, idIn, queryOf, recordsIn, refusal, setQuery } from "./fault.ts";

const addressPaths = "/v1/webhooks/{id}/addresses";
const key = (request: Request) => (asks(request, "POST /v1/webhooks") ? request.headers["idempotency-key"] : undefined);

/** Changes the answers to a request that was sent before under the same key. */
const repeated = (says: string, change: (answer: Answer) => void): Faults[string] => ({
  says,
  make() {
    const known = new Set<string>();
    return {
      answer(answer, request) {
        const own = key(request);
        if (own === undefined || answer.status !== 201) return;
        if (known.has(own)) change(answer);
        known.add(own);
      },
    };
  },
});

/** Changes addresses before they are checked. */
const addressesOf = (says: string, operation: string, change: (address: string) => string): Faults[string] => ({
  says,
  make: () => ({
    request(request) {
      const { body } = request;
      const holder = asks(request, operation) ? (body?.metadata ?? body) : undefined;
      if (Array.isArray(holder?.addresses))
        holder.addresses = holder.addresses.map((one: Body) => (typeof one === "string" ? change(one) : one));
      return undefined;
    },
  }),
});

export const ofLists: Faults = {
  "checksums-unchecked-in-add": addressesOf(
    "does not check checksums in addWebhookAddresses",
    `PATCH ${addressPaths}`,
    (one) => one.toLowerCase(),
  ),
  "checksums-unchecked-in-remove": addressesOf(
    "does not check checksums in removeWebhookAddresses",
    `DELETE ${addressPaths}`,
    (one) => one.toLowerCase(),
  ),
  "capital-x-taken": addressesOf("takes an address that begins with 0X", "POST /v1/webhooks", (one) =>
    one.replace(/^0X/, "0x"),
  ),
  "prefix-optional": addressesOf("takes an address without 0x", `PATCH ${addressPaths}`, (one) =>
    /^[0-9a-f]{40}$/i.test(one) ? `0x${one}` : one,
  ),
  "capitals-refused": {
    says: "refuses addresses that are wholly in capitals",
    make: () => ({
      request: ({ body }) =>
        [...(body?.addresses ?? []), ...(body?.metadata?.addresses ?? [])].some((one) =>
          /^0x[0-9A-F]*[A-F][0-9A-F]*$/.test(one),
        )
          ? refusal(400, "addresses must have a right checksum.")
          : undefined,
    }),
  },
  "few-addresses": {
    says: "refuses more than 5,000 addresses in a request",
    make: () => ({
      request: ({ body }) =>
        body?.addresses?.length > 5000 && body.addresses.length <= 10000
          ? refusal(400, "addresses must have at most 5000 items.")
          : undefined,
    }),
  },
  "unwatched-refused": {
    says: "refuses to remove an address that it does not watch",
    make: () => ({
      answer(answer, request) {
        if (asks(request, `DELETE ${addressPaths}`) && answer.body.changed === 0)
          Object.assign(answer, refusal(404, "There is no such address."));
      },
    }),
  },
  "removed-counts-requested": {
    says: "counts as removed what was asked to be removed",
    make: () => ({
      answer({ status, body }, request) {
        if (status === 200 && asks(request, `DELETE ${addressPaths}`)) body.changed = request.body.addresses.length;
      },
    }),
  },
  "last-address-pauses": {
    says: "makes a webhook inactive when its last address is removed",
    make: () => ({
      answer({ body }, request) {
        if (asks(request, `DELETE ${addressPaths}`) && body.addressCount === 0)
          Object.assign(body, { status: "inactive", statusReason: "requested" });
      },
    }),
  },
  "insertion-order": {
    says: "shows addresses in the order in which they were added",
    make() {
      const orders = new Map<string, string[]>();
      return {
        answer(answer, request) {
          const given = (request.body?.metadata ?? request.body)?.addresses;
          for (const record of recordsIn(answer.body)) {
            const own = [...(orders.get(record.id) ?? [])];
            if (Array.isArray(given) && answer.status < 300) own.push(...given.map((one) => String(one).toLowerCase()));
            orders.set(record.id, own);
            const place = (one: string) => own.indexOf(one);
            record.metadata.addresses.sort((a: string, b: string) => place(a) - place(b));
          }
        },
      };
    },
  },
  "addresses-descending": {
    says: "lists each page of addresses in descending order",
    make: () => ({
      answer({ body }, request) {
        if (asks(request, `GET ${addressPaths}`)) body.addresses?.reverse();
      },
    }),
  },
  "addresses-counted-by-page": {
    says: "says how many addresses a page has in place of how many there are",
    make: () => ({
      answer({ body }, request) {
        if (asks(request, `GET ${addressPaths}`) && body.addresses) body.totalAddresses = body.addresses.length;
      },
    }),
  },
  "lists-without-addresses": {
    says: "lists records without their addresses",
    make: () => ({
      answer({ body }) {
        for (const { metadata } of Array.isArray(body?.webhooks) ? body.webhooks : []) metadata.addresses = [];
      },
    }),
  },
  "lists-by-change": {
    says: "lists first what was changed last",
    make() {
      const changed: string[] = [];
      return {
        answer({ status, body }, request) {
          if (status === 200 && asks(request, "PATCH /v1/webhooks/{id}")) changed.unshift(idIn(request));
          const rank = ({ id }: Body) => (changed.includes(id) ? changed.indexOf(id) : changed.length);
          if (Array.isArray(body?.webhooks)) body.webhooks.sort((a: Body, b: Body) => rank(a) - rank(b));
        },
      };
    },
  },
  "lists-names-of-creation": {
    says: "lists the names that webhooks had at first",
    make() {
      const names = new Map<string, string>();
      return {
        answer({ body }) {
          for (const record of recordsIn(body)) {
            if (!names.has(record.id)) names.set(record.id, record.name);
            if (Array.isArray(body.webhooks)) record.name = names.get(record.id);
          }
        },
      };
    },
  },
  "deleted-still-listed": {
    says: "lists what was deleted, as inactive",
    make() {
      const deleted: Body[] = [];
      return {
        answer({ status, body }, request) {
          if (status === 200 && asks(request, "DELETE /v1/webhooks/{id}")) deleted.unshift(body);
          if (asks(request, "GET /v1/webhooks") && !queryOf(request, "pageToken") && body.webhooks)
            if (
              body.webhooks.length < Number(queryOf(request, "pageSize") ?? 10) &&
              deleted[0] &&
              queryOf(request, "status") !== "active"
            )
              body.webhooks.push(deleted[0]);
        },
      };
    },
  },
  "filter-is-not-active": {
    says: "takes every status but active for inactive: a filter by active shows all",
    make: () => ({
      request(request) {
        if (asks(request, "GET /v1/webhooks") && queryOf(request, "status") === "active")
          setQuery(request, "status", undefined);
        return undefined;
      },
    }),
  },
  "last-page-full-cut": {
    says: "gives no token when exactly one item is left",
    make: () => ({
      async answer(answer, request, ask) {
        const token = answer.body?.nextPageToken;
        if (!token || !answer.body.webhooks) return;
        const [path] = request.path.split("?");
        const next = await ask(
          "GET",
          `${path}?pageSize=2&pageToken=${encodeURIComponent(token)}`,
          request.headers["x-service-api-key"],
        );
        if (next.body.webhooks?.length === 1) delete answer.body.nextPageToken;
      },
    }),
  },
  "key-case-ignored": {
    says: "takes Idempotency-Keys that differ in case for the same",
    make: () => ({
      request({ headers }) {
        const { "idempotency-key": own } = headers;
        if (own !== undefined) headers["idempotency-key"] = own.toLowerCase();
        return undefined;
      },
    }),
  },
  "key-any-form": {
    says: "takes an Idempotency-Key of any length",
    make: () => ({
      request({ headers }) {
        const { "idempotency-key": own } = headers;
        if (own !== undefined && own.length > 255) headers["idempotency-key"] = own.slice(-255);
        return undefined;
      },
    }),
  },
  "key-short": {
    says: "refuses an Idempotency-Key of more than 64 characters",
    make: () => ({
      request: ({ headers }) =>
        (headers["idempotency-key"]?.length ?? 0) > 64 && (headers["idempotency-key"]?.length ?? 0) <= 255
          ? refusal(400, "The header Idempotency-Key must have at most 64 characters.")
          : undefined,
    }),
  },
  "repetition-is-200": repeated("answers a repeated create with 200", (answer) => {
    answer.status = 200;
  }),
  "repetition-without-location": repeated("answers a repeated create without a Location", ({ headers }) => {
    delete headers.location;
  }),
  "repetition-of-today": {
    says: "answers a repeated create with the record as it is now",
    make: () => ({
      async answer(answer, request, ask) {
        if (key(request) === undefined || answer.status !== 201) return;
        const now = await ask("GET", `/v1/webhooks/${answer.body.id}`);
        if (now.status === 200) answer.body = now.body;
      },
    }),
  },
  "deleted-created-again": {
    says: "creates another webhook where that of an Idempotency-Key was deleted",
    make() {
      let again = 0;
      const keys = new Map<string, string>();
      const ids = new Map<string, string>();
      return {
        request(request) {
          const own = key(request);
          if (own !== undefined) request.headers["idempotency-key"] = keys.get(own) ?? own;
          return undefined;
        },
        answer({ status, body, headers: _ }, request) {
          const own = key(request);
          if (own !== undefined && status === 201) ids.set(body.id, own);
          const used = ids.get(idIn(request));
          again += 1;
          if (status === 200 && used !== undefined && asks(request, "DELETE /v1/webhooks/{id}"))
            keys.set(used, `again-${again}-${used}`.slice(0, 255));
        },
      };
    },
  },
  "conflict-by-url-only": {
    says: "compares only the URL of what is sent again under an Idempotency-Key",
    make() {
      const bodies = new Map<string, Body>();
      return {
        request(request) {
          const own = key(request);
          const webhook = created(request);
          if (own === undefined || !webhook) return undefined;
          const before = bodies.get(own);
          if (before?.url === webhook.url && before.name === webhook.name) request.body = structuredClone(before);
          else bodies.set(own, structuredClone(webhook));
          return undefined;
        },
      };
    },
  },
  "two-at-once": {
    says: "creates two webhooks where two requests with the same Idempotency-Key come at once",
    make() {
      const flying = new Map<string, number>();
      return {
        request(request) {
          const own = key(request);
          if (own === undefined) return undefined;
          const others = flying.get(own) ?? 0;
          flying.set(own, others + 1);
          if (others > 0) request.headers["idempotency-key"] = `${others}${own}`.slice(0, 255);
          return undefined;
        },
        answer(_, request) {
          const own = key(request)?.replace(/^\d/, "");
          for (const name of [own, key(request)]) if (name !== undefined && flying.has(name)) flying.delete(name);
        },
      };
    },
  },
  "secret-for-readers": {
    says: "shows a secret to a key with the scope read only",
    make: () => ({
      request(request) {
        if (asks(request, "GET /v1/webhooks/{id}/secret") && request.headers["x-service-api-key"] === "read")
          request.headers["x-service-api-key"] = "both";
        return undefined;
      },
    }),
  },
  "writers-read": {
    says: "lets a key with the scope write read",
    make: () => ({
      request(request) {
        if (request.method === "GET" && request.headers["x-service-api-key"] === "write")
          request.headers["x-service-api-key"] = "both";
        return undefined;
      },
    }),
  },
  "readers-replay": {
    says: "lets a key with the scope read create replays and tests",
    make: () => ({
      request(request) {
        if (/\/(replays|test)$/.test(request.path) && request.headers["x-service-api-key"] === "read")
          request.headers["x-service-api-key"] = "both";
        return undefined;
      },
    }),
  },
  "preview-needs-write": {
    says: "previews for keys with the scope write only",
    make: () => ({
      request: (request) =>
        asks(request, "POST /v1/webhooks/preview") && request.headers["x-service-api-key"] === "read"
          ? refusal(403, "The key lacks the scope write.")
          : undefined,
    }),
  },
  "others-addresses": {
    says: "lets another account change a webhook's addresses",
    needs: "accounts",
    make: () => asOwner((request) => /\/addresses$/.test(request.path) && request.method !== "GET"),
  },
  "others-test": {
    says: "lets another account test a webhook",
    needs: "accounts",
    make: () => asOwner((request) => asks(request, "POST /v1/webhooks/{id}/test")),
  },
  "others-notifications": {
    says: "lets another account list a webhook's notifications",
    needs: "accounts",
    make: () => asOwner((request) => asks(request, "GET /v1/webhooks/{id}/notifications")),
  },
};

/** Does it for the other account as if that owned it. */
function asOwner(which: (request: Request) => boolean): ReturnType<Faults[string]["make"]> {
  return {
    request(request) {
      if (request.headers["x-service-api-key"] === "other" && which(request))
        request.headers["x-service-api-key"] = "both";
      return undefined;
    },
  };
}
