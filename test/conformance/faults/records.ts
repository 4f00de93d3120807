/** Faults in the records of webhooks: what is taken, normalised, kept, changed and shown. */
import type { Body } from "../breakage.ts";
import { asks, created, type Faults, idIn, recordsIn, refusal } from "./fault.ts";

const both = (body: Body, change: (metadata: Body) => void) => {
  if (body?.metadata !== null && typeof body?.metadata === "object") change(body.metadata);
  return undefined;
};

/** Shows something else of every record. */
const shown = (says: string, change: (record: Body) => void): Faults[string] => ({
  says,
  make: () => ({ answer: ({ body }) => recordsIn(body).forEach(change) }),
});

/** Has lost it where an operation answers with it. */
const shownBy = (says: string, operation: string, change: (record: Body) => void): Faults[string] => ({
  says,
  make: () => ({
    answer({ body }, request) {
      if (asks(request, operation)) recordsIn(body).forEach(change);
    },
  }),
});

/** Of an ABI as it is given and as it is shown: each internalType may be left out. */
const textOf = (abi: Body) => JSON.stringify(abi, (name, value) => (name === "internalType" ? undefined : value));

const asWritten = new Map<string, string>();

export const ofRecords: Faults = {
  "url-rewritten": shown("shows a URL as a parser writes it", (record) => {
    record.url = URL.parse(record.url)?.href ?? record.url;
  }),
  "url-fragment-dropped": shown("drops a URL's fragment", (record) => {
    record.url = record.url?.replace(/#.*$/, "");
  }),
  "url-scheme-capitals-refused": {
    says: "refuses a URL whose scheme is in capitals",
    make: () => ({
      request: (request) =>
        /^HTTPS?:/.test(request.body?.url) ? refusal(400, "url must be an https URL.") : undefined,
    }),
  },
  "url-unresolvable-taken": {
    says: "takes names that can never resolve, such as those in .invalid",
    make: () => nameChanged(/(\.invalid|\.\.b|\*\.example\.com)(?=[:/]|$)/),
  },
  "url-port-taken": {
    says: "takes ports of other protocols, those that browsers refuse",
    make: () => nameChanged(/(?<=[a-z]):(?!80|443)\d{1,4}(?=\/|$)/),
  },
  "instant-shown": {
    says: 'shows the finality "instant"',
    make: () => ({
      answer: ({ body }) =>
        recordsIn(body).forEach((record) => {
          record.finality ??= "instant";
          record.heldCount ??= 0;
        }),
    }),
  },
  "both-becomes-finalized": shown('keeps the finality "both" as "finalized"', (record) => {
    if (record.finality === "both") record.finality = "finalized";
  }),
  "confirmations-capped": {
    says: "keeps at most 100 confirmations",
    make: () => ({
      request(request) {
        const { finality } = created(request) ?? {};
        if (finality?.confirmations > 100 && finality.confirmations <= 10000) finality.confirmations = 100;
        return undefined;
      },
    }),
  },
  "held-count-missing": shown("shows no heldCount", (record) => {
    delete record.heldCount;
  }),
  "fractions-rounded": {
    says: "rounds a fraction where a whole number must be",
    make: () => ({
      request: (request) =>
        both(created(request), ({ batch }) => {
          for (const name of ["maxItems", "maxWaitMs"])
            if (typeof batch?.[name] === "number") batch[name] = Math.round(batch[name]);
        }),
    }),
  },
  "ordered-not-shown": shown("does not show metadata.ordered", ({ metadata }) => {
    delete metadata.ordered;
  }),
  "transfers-not-shown": shown("does not show metadata.includeTransfers", ({ metadata }) => {
    delete metadata.includeTransfers;
  }),
  "ordered-lost-by-addresses": shownBy(
    "answers a change of addresses without metadata.ordered and batch",
    "PATCH /v1/webhooks/{id}/addresses",
    ({ metadata }) => {
      delete metadata.ordered;
      delete metadata.batch;
    },
  ),
  "finality-lost-by-addresses": shownBy(
    "answers a removal of addresses without the finality",
    "DELETE /v1/webhooks/{id}/addresses",
    (record) => {
      delete record.finality;
      delete record.heldCount;
    },
  ),
  "conditions-lost-in-lists": shownBy(
    "lists records without conditions and ABI",
    "GET /v1/webhooks",
    ({ metadata }) => {
      delete metadata.conditions;
      delete metadata.abi;
    },
  ),
  "abi-names-added": shown("gives an ABI's arguments without a name an empty one", ({ metadata }) => {
    for (const { inputs = [] } of metadata.abi ?? []) for (const input of inputs) input.name ??= "";
  }),
  "abi-indexed-added": shown("gives an ABI's arguments an indexed that they did not have", ({ metadata }) => {
    for (const { inputs = [] } of metadata.abi ?? []) for (const input of inputs) input.indexed ??= false;
  }),
  "abi-adds-signatures": {
    says: "adds the signatures of an ABI to those that are given",
    make() {
      const wrong = new Set<string>();
      return {
        request: (request) =>
          both(created(request), ({ abi, eventSignatures }) => {
            if (abi && eventSignatures?.length) wrong.add(textOf(abi));
          }),
        answer: ({ body }) =>
          recordsIn(body).forEach(({ metadata }) => {
            if (metadata.abi && wrong.has(textOf(metadata.abi))) metadata.eventSignatures.push(`0x${"ab".repeat(32)}`);
          }),
      };
    },
  },
  "batch-default-wait": {
    says: "lets a batch wait for a second where nothing is said",
    make: () => ({
      request: (request) =>
        both(created(request), ({ batch }) => {
          if (batch && batch.maxWaitMs === undefined) batch.maxWaitMs = 1000;
        }),
    }),
  },
  "batch-wait-lost": shown("forgets how long a batch waits", ({ metadata }) => {
    if (metadata.batch) metadata.batch.maxWaitMs = 0;
  }),
  "batch-default-size": {
    says: "takes a batch without maxItems",
    make: () => ({
      request: (request) =>
        both(created(request), ({ batch }) => {
          if (batch && batch.maxItems === undefined && !Array.isArray(batch)) batch.maxItems = 100;
        }),
    }),
  },
  "condition-numbers-decimal": shown("shows a condition's number in decimal digits", ({ metadata }) => {
    for (const one of comparisonsIn(metadata.conditions))
      if (/^0x[0-9a-f]{1,16}$/i.test(one.value)) one.value = BigInt(one.value).toString();
  }),
  "condition-lower-case": shown("shows a condition's value in lower case", ({ metadata }) => {
    for (const one of comparisonsIn(metadata.conditions))
      one.value = JSON.parse(JSON.stringify(one.value).toLowerCase());
  }),
  "condition-not-refused": {
    says: "refuses conditions with not",
    make: () => ({
      request: (request) =>
        created(request)?.metadata.conditions?.not
          ? refusal(400, "metadata.conditions must be all, any or a comparison.")
          : undefined,
    }),
  },
  "condition-in-refused": {
    says: "refuses the comparison in with a list",
    make: () => ({
      request: (request) =>
        comparisonsIn(created(request)?.metadata.conditions).some(({ value }) => Array.isArray(value))
          ? refusal(400, "metadata.conditions.value must be a text.")
          : undefined,
    }),
  },
  "condition-order-of-addresses": {
    says: "takes an order of addresses: transaction.to gt an address",
    make: () => ({
      request: (request) =>
        both(request.body, ({ conditions }) => {
          for (const one of comparisonsIn(conditions))
            if (/from|to|contract/.test(one.field) && /^[gl]te?$/.test(one.op)) one.op = "eq";
        }),
    }),
  },
  "condition-unknown-argument": {
    says: "takes a condition on an argument that no event of the ABI has",
    make: () => ({
      request: (request) =>
        both(request.body, ({ conditions, abi }) => {
          const known = JSON.stringify(abi ?? []);
          for (const one of comparisonsIn(conditions)) {
            const [, name] = /^args\.(\w+)$/.exec(one.field) ?? [];
            if (name && !known.includes(`"${name}"`)) Object.assign(one, { field: "transaction.value", value: "1" });
          }
        }),
    }),
  },
  "condition-kinds-together": {
    says: "takes all beside any in one condition, and looks at the first only",
    make: () => ({
      request: (request) =>
        both(request.body, ({ conditions }) => {
          if (conditions?.all && conditions.any) delete conditions.any;
        }),
    }),
  },
  "condition-levels-unlimited": {
    says: "takes conditions of nine levels",
    make: () => ({
      request: (request) =>
        both(request.body, (metadata) => {
          let [levels, inner] = [1, metadata.conditions];
          while (inner?.not ?? inner?.all?.[0] ?? inner?.any?.[0]) {
            inner = inner.not ?? inner.all?.[0] ?? inner.any?.[0];
            levels += 1;
          }
          if (levels >= 9 && levels <= 10) metadata.conditions = inner;
        }),
    }),
  },
  "condition-comparisons-unlimited": {
    says: "takes conditions of more than 50 comparisons",
    make: () => ({
      request: (request) =>
        both(request.body, ({ conditions }) => {
          const several = conditions?.all ?? conditions?.any;
          if (Array.isArray(several) && several.length <= 50 && comparisonsIn(conditions).length > 50)
            several.length = 1;
        }),
    }),
  },
  "factory-as-given": {
    says: "shows a factory's address as it was given",
    make: () => ({
      request: (request) =>
        both(created(request), ({ createdBy }) => {
          if (typeof createdBy?.address === "string") asWritten.set(createdBy.address.toLowerCase(), createdBy.address);
        }),
      answer: ({ body }) =>
        recordsIn(body).forEach(({ metadata: { createdBy } }) => {
          if (createdBy) createdBy.address = asWritten.get(createdBy.address) ?? createdBy.address;
        }),
    }),
  },
  "factory-needs-addresses": {
    says: "refuses a factory without addresses",
    make: () => ({
      request: (request) =>
        created(request)?.metadata.createdBy && !request.body.metadata.addresses
          ? refusal(400, "metadata.addresses is required.")
          : undefined,
    }),
  },
  "factory-any-argument": {
    says: "takes topic0 as the argument with a factory's contract",
    make: () => ({
      request: (request) =>
        both(request.body, ({ createdBy }) => {
          if (/^(topic\d|data\d{3})$/.test(createdBy?.argument)) createdBy.argument = "topic1";
        }),
    }),
  },
  "nothing-to-watch-taken": {
    says: "takes a webhook without anything to watch",
    make: () => ({
      request: (request) =>
        both(created(request), (metadata) => {
          if (!metadata.addresses && !metadata.anyAddress && !metadata.createdBy)
            metadata.addresses = [`0x${"0".repeat(40)}`];
        }),
    }),
  },
  "empty-signatures-refused": {
    says: "refuses an empty list of event signatures",
    make: () => ({
      request: (request) =>
        created(request)?.metadata.eventSignatures?.length === 0
          ? refusal(400, "metadata.eventSignatures must have at least 1 item.")
          : undefined,
    }),
  },
  "signatures-repeated": {
    says: "shows an event signature as often as it was given",
    make: () => ({
      answer: ({ body }, request) => {
        const given: string[] = created(request)?.metadata.eventSignatures ?? [];
        if (new Set(given.map((one) => String(one).toLowerCase())).size < given.length)
          for (const { metadata } of recordsIn(body)) metadata.eventSignatures = given.map((one) => one.toLowerCase());
      },
    }),
  },
  "booleans-disagree": {
    says: "takes booleans that disagree, inside and outside of metadata",
    make: () => ({
      request: (request) =>
        both(created(request), (metadata) => {
          for (const name of ["includeLogs", "includeInternalTxs"])
            if (request.body[name] !== undefined) delete metadata[name];
        }),
    }),
  },
  "metadata-booleans-ignored": {
    says: "ignores booleans inside of metadata",
    make: () => ({
      request: (request) =>
        both(created(request), (metadata) => {
          for (const name of ["includeLogs", "includeInternalTxs"])
            if (metadata[name] === true && request.body[name] === undefined) metadata[name] = false;
        }),
    }),
  },
  "event-type-optional": {
    says: "takes a webhook without an event type",
    make: () => ({
      request(request) {
        const webhook = created(request);
        if (webhook) webhook.eventType ??= "address_activity";
        return undefined;
      },
    }),
  },
  "unknown-chain-not-found": {
    says: "answers 404 to a chain that it does not support",
    make: () => ({
      answer(answer) {
        if (answer.status === 400 && /^chainId must be one of/.test(answer.body.message))
          Object.assign(answer, refusal(404, "There is no such chain."));
      },
    }),
  },
  "texts-normalised": shown("shows texts in their composed form", (record) => {
    record.name = record.name.normalize("NFC");
    record.description = record.description.normalize("NFC");
  }),
  "description-cut": shown("cuts a description after 1,000 characters", (record) => {
    record.description = record.description.slice(0, 1000);
  }),
  "name-in-code-units": {
    says: "counts a name's length in units of UTF-16",
    make: () => ({
      request: ({ body }) =>
        typeof body?.name === "string" && body.name.length > 200 && [...body.name].length <= 200
          ? refusal(400, "name must have at most 200 characters.")
          : undefined,
    }),
  },
  "name-escaped": shown("escapes a name for HTML", (record) => {
    record.name = record.name.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  }),
  "empty-name-ignored": {
    says: "keeps a name or a description that is set to nothing",
    make: () => ({
      request(request) {
        if (!asks(request, "PATCH /v1/webhooks/{id}")) return undefined;
        for (const name of ["name", "description"]) if (request.body?.[name] === "") delete request.body[name];
        return undefined;
      },
    }),
  },
  "false-ignored": {
    says: "keeps a boolean that is set to false",
    make: () => ({
      request(request) {
        if (!asks(request, "PATCH /v1/webhooks/{id}")) return undefined;
        for (const name of ["includeLogs", "includeInternalTxs"])
          if (request.body?.[name] === false) delete request.body[name];
        return undefined;
      },
    }),
  },
  "fixed-fields-ignored": {
    says: "ignores fields of an update that cannot be changed",
    make: () => ({
      request(request) {
        if (!asks(request, "PATCH /v1/webhooks/{id}")) return undefined;
        for (const name of ["chainId", "metadata", "finality", "eventType"]) delete request.body?.[name];
        return undefined;
      },
    }),
  },
  "update-is-a-change-of-status": {
    says: "shows every update as a change of the status",
    make() {
      const since = new Map<string, number>();
      return {
        answer({ status, body }, request) {
          if (status === 200 && asks(request, "PATCH /v1/webhooks/{id}")) since.set(idIn(request), Date.now() + 1);
          for (const record of recordsIn(body)) record.statusSince = since.get(record.id) ?? record.statusSince;
        },
      };
    },
  },
  "created-now": shown("shows the time at which a record is read as that of its creation", (record) => {
    record.createdAt = Date.now();
  }),
  "status-reason-fixed": shown("shows why it was created as the reason of every status", (record) => {
    record.statusReason = "created";
  }),
};

/** Takes what refuses a name or a port for another name. */
function nameChanged(what: RegExp): ReturnType<Faults[string]["make"]> {
  const real = new Map<string, string>();
  return {
    request({ body }) {
      if (typeof body?.url !== "string" || body.url.startsWith("http://127") || !what.test(body.url)) return undefined;
      const taken = body.url.replace(what, "");
      real.set(taken, body.url);
      body.url = taken;
      return undefined;
    },
    answer: ({ body }) =>
      recordsIn(body).forEach((record) => {
        record.url = real.get(record.url) ?? record.url;
      }),
  };
}

function comparisonsIn(conditions: Body): Body[] {
  if (conditions === null || typeof conditions !== "object") return [];
  const { all, any, not, op } = conditions;
  const several = [all, any].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...(op ? [conditions] : []), ...[...several, not].flatMap(comparisonsIn)];
}
