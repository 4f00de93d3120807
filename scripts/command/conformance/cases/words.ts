/**
 * What the contract says in words, beyond what its schemas can, by the name of the schema that says it. A server may be right to refuse
 * what the schema allows; these are the values it must take, and those it must not.
 */
import type { Arbitrary } from "fast-check";
import { firstWrongChecksum } from "../../../../server/contract/checksum.ts";
import { readHeaders } from "../../../../server/contract/webhook-options.ts";
import { compileAbi } from "../../../../server/matching/abi.ts";
import { asObject, type Json, type JsonObject, refOf } from "../../../document/json.ts";
import type { Samples } from "../bounds/candidates.ts";
import { followed } from "../contract.ts";
import type { Target } from "../probe.ts";
import type { Rule } from "../rules.ts";
import type { FastCheck } from "./fast-check.ts";
import { isKnown, knownConditions, knownEvents, secretValue } from "./known-values.ts";

/** The server, and what of it the words are about. */
export type World = {
  target: Target;
  /** The chains on which webhooks can be created. */
  chainIds: readonly string[];
  /** Whether listChains has a `finality` of the chain. */
  finality: boolean;
  /** A webhook that is there. */
  webhookId: string;
  /** The account has more webhooks than one would page through often. */
  crowded: boolean;
};

/** Whether a server must take a value that its schema allows; "either" where the words leave it to the server. */
export type Judgement = "valid" | "either" | { rule: Rule };

type Word = {
  judge?: (value: Json, world: World) => Judgement;
  /** Further values worth trying. */
  more?: (world: World) => Json[];
  sample?: (world: World) => Json;
  sized?: (length: number, world: World) => string;
  arbitrary?: (fc: FastCheck, world: World) => Arbitrary<Json>;
};

const refused: Judgement = { rule: "bad-request-400" };
/** Of other protocols, which browsers refuse, and which are refused whatever the operator allows. */
const blockedPorts = ["22", "25", "110", "6667"];
/** Bytes in hex. Made from the pattern, each would take a hundred times as long. */
const hexOf = (fc: FastCheck, length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);

/** By the schema's name. */
const words: Record<string, Word> = {
  ChainId: {
    judge: (value, { target, chainIds }) =>
      value === target.chainId
        ? "valid"
        : chainIds.includes(String(value))
          ? "either"
          : { rule: "unknown-chain-refused" },
    more: ({ target }) => [
      "9999999999999999999",
      `0${target.chainId}`,
      `0x${BigInt(target.chainId || 0).toString(16)}`,
    ],
    sample: ({ target }) => target.chainId,
    arbitrary: (fc, { target }) => fc.constant(target.chainId),
  },
  WebhookUrl: {
    judge: judgeUrl,
    more: ({ target }) => [
      "ftp://receiver.example.com/",
      "https://",
      "https://user:password@receiver.example.com/",
      ...blockedPorts.map((port) => `https://receiver.example.com:${port}/`),
      "https://a..example.com/",
      "https://*.example.com/",
      "https://receiver.invalid/",
      "javascript:alert(1)",
      // Those that follow are valid, and not as a parser would write them.
      ...["a=b&c=%20#fragment", "q=%e6+%7E&&empty=", ""].map((query) => `${target.url}?${query}`),
      ...["", "/", "/a/../b/./c//", "/%7euser;v=1/%2F"].map((path) => `${new URL(target.url).origin}${path}`),
      target.url.replace("receiver.example.com", "RECEIVER.Example.com:443").replace("https", "HTTPS"),
    ],
    sample: ({ target }) => target.url,
    sized: (length, { target }) => `${target.url}/`.padEnd(length, "x").slice(0, length),
    arbitrary: (fc, { target }) =>
      fc
        .stringMatching(/^[a-z0-9._~-]{0,12}(\?[a-z0-9=&%]{0,0}[a-z]{1,8}=[a-z0-9]{0,8})?$/)
        .map((path) => (path === "" ? target.url : `${target.url}/${path}`)),
  },
  AddressInput: {
    judge: (value) => (firstWrongChecksum([String(value)]) === -1 ? "valid" : { rule: "checksum-refused" }),
    more: () => [`0X${"5a".repeat(20)}`, "5a".repeat(20), `0x${"5a".repeat(19)}`, `0x${"5a".repeat(21)}`],
    arbitrary: (fc) => hexOf(fc, 20),
  },
  UuidInput: {
    sample: ({ webhookId }) => webhookId,
    more: ({ webhookId }) => [`urn:uuid:${webhookId}`, webhookId.replaceAll("-", ""), `{${webhookId}}`],
  },
  // Whether the chain is as far, and its nodes have the block, only the server knows.
  FromBlock: { judge: () => "either", more: () => ["007", "-1", "0x10", "1e3"] },
  BlockNumberInput: { more: () => ["007", "-1", "0x10", "1e3"] },
  CreatedByArgument: { more: () => ["topic0", "topic4", "data100", "data01"] },
  EventSignatureInput: {
    more: () => [`0X${"5a".repeat(32)}`, "5a".repeat(32), "Transfer(address,address,uint256)"],
    arbitrary: (fc) => hexOf(fc, 32),
  },
  IncludeInternalTxs: {
    judge: (value, { target }) => judgeTraces(value, target),
    arbitrary: (fc, { target }) => (target.traces ? fc.boolean() : fc.constant(false)),
  },
  TxHashInput: { more: () => ["5a".repeat(32), `0X${"5a".repeat(32)}`], arbitrary: (fc) => hexOf(fc, 32) },
  // What it needs, and must be without, is judged with the other fields.
  AnyAddress: { arbitrary: (fc) => fc.constant(false) },
  FinalityInput: {
    more: () => ["Instant", "finalised", { confirmations: 1, finalized: true }],
    judge: (value, { finality }) =>
      typeof value === "string" && value !== "instant" && !finality ? { rule: "finality-refused" } : "valid",
    arbitrary: (fc, { finality }) =>
      fc.oneof(
        fc.constantFrom("instant", ...(finality ? ["finalized", "both"] : [])),
        fc.record({ confirmations: fc.integer({ min: 1, max: 10_000 }) }, { noNullPrototype: true }),
      ),
  },
  HeadersInput: {
    judge: judgeHeaders,
    more: () => [
      ...["Content-Type", "host", "webhook-id", "X-Signature", "Proxy-Authorization"].map((name) => ({ [name]: "a" })),
      ...["", "a b", "a:b", "a\r\nb", "x".repeat(65)].map((name) => ({ [name]: "a" })),
      ...["", " a", "a ", "a\r\nb", "\u00e9", "x".repeat(1_025), null, 7].map((value) => ({ "X-Key": value })),
      { "X-Key": "a", "x-key": "b" },
      headers(11, "a"),
      headers(4, "x".repeat(1_024)),
      // Those that follow are valid.
      { ["x".repeat(64)]: "x".repeat(1_024), "!#$%&'*+-.^_`|~": "a b" },
      headers(10, secretValue),
    ],
    sample: () => ({ "X-Key": secretValue }),
    arbitrary: (fc) =>
      fc.oneof(
        fc.constant(null),
        fc.dictionary(
          fc.constantFrom("Authorization", "x-api-key", "X-Route"),
          fc.stringMatching(/^[!-~]{1,9}( [!-~])?$/),
          {
            noNullPrototype: true,
          },
        ),
      ),
  },
  ConditionInput: {
    judge: (value) => (isKnown(value, knownConditions) ? "valid" : "either"),
    more: () => [...knownConditions],
    sample: () => knownConditions[0] ?? null,
    arbitrary: (fc) => fc.constantFrom(...knownConditions),
  },
  AbiEventInput: {
    judge: (value) => (isKnown(value, knownEvents) || compiles(value) ? "valid" : "either"),
    more: () => [...knownEvents],
    sample: () => knownEvents[0] ?? null,
    arbitrary: (fc) => fc.constantFrom(...knownEvents),
  },
};

/** Solidity has more types than those of the known events. */
function compiles(event: Json): boolean {
  try {
    compileAbi([event] as unknown as Parameters<typeof compileAbi>[0]);
    return true;
  } catch {
    return false;
  }
}

const headers = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-Key-${index}`, value]));

function judgeHeaders(value: Json): Judgement {
  try {
    readHeaders(value as Parameters<typeof readHeaders>[0]);
    return "valid";
  } catch {
    return refused;
  }
}

function judgeTraces(value: Json, { traces }: Target): Judgement {
  if (value !== true || traces === true) return "valid";
  return traces === undefined ? "either" : { rule: "traces-refused" };
}

function judgeUrl(value: Json, { target }: World): Judgement {
  const text = String(value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // `format: uri` is ASCII.
  if (!url || /[^!-~]/.test(text) || url.username !== "" || url.password !== "") return refused;
  const { hostname, host } = url;
  if (/\.invalid$|\.\.|\*/.test(hostname) || blockedPorts.includes(url.port)) return { rule: "url-refused" };
  return host === new URL(target.url).host && url.protocol === "https:" ? "valid" : "either";
}

const wordsBefore = new WeakMap<JsonObject, Word>();

/** The words about a schema. A list of 10,000 addresses asks for them as often. */
export function wordsOf(schema: JsonObject): Word {
  const found = wordsBefore.get(schema) ?? words[refOf(schema)?.split("/").at(-1) ?? ""] ?? {};
  wordsBefore.set(schema, found);
  return found;
}

/** The samples that a server takes. */
export function samplesOf(world: World): Samples {
  return {
    sample: (schema) => wordsOf(schema).sample?.(world),
    sized: (schema, length) => wordsOf(schema).sized?.(length, world),
    more: (schema) => wordsOf(schema).more?.(world) ?? [],
  };
}

/** A page token that no page gave out is the server's to take or to refuse, and a transaction may be one that the chain does not have. */
export const judgeParameter = (name: string): Judgement =>
  name === "pageToken" || name === "txHash" ? "either" : "valid";

/** Judges a value that its schema allows, in every place where there are words about it. */
export function judge(schema: JsonObject, value: Json | undefined, world: World): Judgement {
  if (value === undefined) return "valid";
  const own = wordsOf(schema).judge?.(value, world) ?? "valid";
  if (value === null || typeof value !== "object") return own;
  const { items, properties } = followed(schema);
  const inner = Array.isArray(value)
    ? value.map((item) => judge(asObject(items), item, world))
    : Object.entries(asObject(properties)).map(([name, of]) => judge(asObject(of), asObject(value)[name], world));
  return worst([own, ...inner]);
}

/** Refused if one is refused. */
export function worst(all: readonly Judgement[]): Judgement {
  return all.find((one) => typeof one === "object") ?? (all.includes("either") ? "either" : "valid");
}
