/**
 * Bodies as HTTP and JSON allow them, and as the contract limits them: compressed, of any spelling of the media type, up to a mebibyte;
 * and that nothing about a body is judged before the key.
 */
import { randomBytes } from "node:crypto";
import { deflateSync, gzipSync } from "node:zlib";
import type { OperationId } from "../../../../generated/operations.ts";
import { asObject, type Json, type JsonObject } from "../../../document/json.ts";
import { mebibyte } from "../contract.ts";
import type { RecordedExchange } from "../exchange.ts";
import { idOf, newWebhook, nothing, type Probe } from "../probe.ts";
import { allSettledOf } from "../together.ts";
import { validBodies, type WithBody } from "./requests.ts";

const kibibyte = 1_024;
const names = (operation: WithBody) => operation as OperationId;

/** Sends them. */
export async function checkBodies(probe: Probe): Promise<void> {
  const webhook = await probe.create();
  if (!webhook) return;
  const path = { id: idOf(webhook) };
  const valid = Object.entries(validBodies(probe)) as [WithBody, JsonObject][];
  // Of what becomes of a replay or a preview, the server's chain decides.
  const certain = valid.filter(([operation]) => operation !== "createReplay" && operation !== "previewWebhook");
  const each = (check: (operation: WithBody, body: JsonObject) => Promise<void>, of = certain) =>
    of.map(
      ([operation, body]) =>
        () =>
          check(operation, body),
    );
  await allSettledOf([
    ...each((operation, body) => checkSpellings(probe, operation, { path, body })),
    ...each((operation, body) => checkMalformed(probe, operation, { path, body }), valid),
    ...each((operation) => checkKeyFirst(probe, operation), valid),
  ]);
  await checkLimits(probe, path);
  await probe.succeed("deleteWebhook", { path });
}

type Sent = { path: { id: string }; body: JsonObject };

const types = [
  "application/json;charset=UTF-8",
  "Application/JSON; Charset=utf-8",
  'application/json; charset="utf-8"',
];

/** All of them mean the same. */
async function checkSpellings(probe: Probe, operation: WithBody, { path, body }: Sent): Promise<void> {
  const text = JSON.stringify(body);
  const taken = async (
    rule: "compressed-body-taken" | "media-type-taken",
    headers: Record<string, string>,
    sent: string | Buffer,
  ) => {
    const answer = await probe.send(names(operation), { path, headers, text: sent });
    const success = operation === "createWebhook" ? 201 : 200;
    const said = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    probe.check(answer, rule, answer.status < 300, `${success} with ${said}`);
    if (operation === "createWebhook" && answer.status < 300)
      await probe.succeed("deleteWebhook", { path: { id: idOf(asObject(answer.json)) } });
  };
  for (const type of types) await taken("media-type-taken", { "content-type": type }, text);
  await taken("compressed-body-taken", { "content-encoding": "gzip" }, gzipSync(text));
  await taken("compressed-body-taken", { "content-encoding": "deflate" }, deflateSync(text));
}

/** Each would be taken by a parser that does not look closely. */
async function checkMalformed(probe: Probe, operation: WithBody, { path, body }: Sent): Promise<void> {
  const text = JSON.stringify(body);
  const rest = text === "{}" ? "}" : `,${text.slice(1)}`;
  const [name = "name", value = ""] = Object.entries(body)[0] ?? [];
  const hasName = operation !== "createReplay" && !/Addresses$/.test(operation);
  const texts: (string | Buffer)[] = [
    ...["null", "7", `${text} x`, `${text}${text}`, text.replace(/}$/, ",}"), `{'a':1${rest}`],
    `{${JSON.stringify(name)}:${JSON.stringify(value)}${text === "{}" ? ',"name":"twice"}' : rest}`,
    ...(hasName ? [`{"name":"\\ud800"${rest}`, Buffer.from(`{"name":"\xff\xfe"${rest}`, "latin1")] : []),
  ];
  for (const one of texts)
    probe.status(await probe.send(names(operation), { path, text: one }), "malformed-json-400", 400);
}

/** With a key that nobody has, whatever else is wrong; and without one. */
async function checkKeyFirst(probe: Probe, operation: WithBody): Promise<void> {
  const wrong = [
    { text: '{"name":' },
    { text: "[]" },
    { body: { colour: "red" } },
    { text: "A text.", headers: { "content-type": "text/plain" } },
    { text: "no gzip", headers: { "content-encoding": "gzip" } },
  ];
  const paths = operation === "createWebhook" || operation === "previewWebhook" ? [nothing] : [nothing, "not-a-uuid"];
  for (const id of paths)
    for (const call of wrong) {
      const answer = await probe.send(names(operation), { path: { id }, ...call, key: "a-key-that-nobody-has" });
      probe.status(answer, "key-first", 401);
    }
}

async function checkLimits(probe: Probe, path: { id: string }): Promise<void> {
  // In escapes, so that few addresses fill a mebibyte, and nearly all of it is in texts.
  const escaped = (text: string) =>
    text.replaceAll(/./g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const addresses = Array.from(
    { length: 4_000 },
    (_, n) => `"${escaped(`0x${(n + 1).toString(16).padStart(40, "0")}`)}"`,
  );
  const largest = (bytes: number) => `{"addresses":[${addresses}]}`.padEnd(bytes, " ");
  const whole = await probe.send("addWebhookAddresses", { path, text: largest(mebibyte) });
  if (whole.status === 403) probe.note(`large-body-taken: 4,000 addresses are over a quota: ${whole.body}`);
  else probe.check(whole, "large-body-taken", whole.status === 200, "200 for a valid body of exactly 1 MiB");
  await expectStatus(probe, 413, { path, text: largest(mebibyte + 1) });

  const name = randomBytes(500 * kibibyte).toString("base64");
  // Of random digits, it is larger than 320 KiB however it is compressed.
  await expectStatus(probe, 413, { path, text: gzipSync(JSON.stringify({ name })), encoding: "gzip" });
  await expectStatus(probe, 413, { path, text: gzipSync(largest(2 * mebibyte)), encoding: "gzip" });

  const fields = Array.from({ length: 85 }, (_, n) => eventOf(`e${n}`));
  const metadata = { addresses: [probe.target.address], abi: fields };
  const many = await probe.send("createWebhook", { body: newWebhook(probe.target, { metadata }) });
  probe.status(many, "body-limits", 400);
  const formed = { addresses: [probe.target.address], abi: Array.from({ length: 9 }, (_, n) => formOf(n)) };
  const forms = await probe.send("createWebhook", { body: newWebhook(probe.target, { metadata: formed }) });
  probe.status(forms, "body-limits", 400);
  const wide = JSON.stringify(newWebhook(probe.target)).padEnd(300 * kibibyte, " ");
  probe.status(await probe.send("createWebhook", { text: wide }), "body-limits", 400);
  const spaced = JSON.stringify(newWebhook(probe.target)).padEnd(200 * kibibyte, " ");
  const taken = await probe.send("createWebhook", { text: spaced });
  probe.check(taken, "large-body-taken", taken.status < 300, "201 with 200 KiB of spaces, since 256 are allowed");
  if (taken.status < 300) await probe.succeed("deleteWebhook", { path: { id: idOf(asObject(taken.json)) } });
}

/** Together they have 3,655 fields, and 32 KiB at most. */
const eventOf = (name: string): Json => ({
  ...{ type: "event", name },
  inputs: Array.from({ length: 20 }, () => ({ type: "bool", internalType: "a" })),
});

/** One of several of the same signature. */
const formOf = (n: number): Json => ({
  ...{ type: "event", name: "form" },
  inputs: Array.from({ length: 9 }, (_, index) => ({ name: `a${index}`, type: "bool", indexed: index === n })),
});

/** A server may answer before it has read all, and close the connection: that is no answer to be judged. */
async function expectStatus(
  probe: Probe,
  status: 413,
  { path, text, encoding }: { path: { id: string }; text: string | Buffer; encoding?: string },
): Promise<RecordedExchange | undefined> {
  const headers = encoding === undefined ? {} : { "content-encoding": encoding };
  try {
    const answer = await probe.send("addWebhookAddresses", { path, text, headers });
    probe.status(answer, "too-large-413", status);
    return answer;
  } catch {
    probe.note(`addWebhookAddresses ${status}: the server closed the connection before its answer could be read.`);
    return undefined;
  }
}
