/**
 * The scenario that every generated client goes through. Each project's program tells in one line of JSON what it read through
 * its client; here that is held against what the service was asked and what it must answer.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { components } from "../../../generated/types.ts";
import type { Exchange } from "./window.ts";

type ApiError = components["schemas"]["ApiError"];
type Notification = components["schemas"]["AddressActivityNotification"];

/** What a program tells. Absent values may be null. */
type Report = {
  created: string[];
  read: { id: string; name: string; createdAt: number; address: string; conditions: object; finality: string };
  updated: { id: string; name: string; status: string };
  pages: string[][];
  badRequest: ApiError;
  deleted: { id: string; status: string };
  gone: ApiError;
  notification: { txHash: string; blockTimestamp: number; topics: (string | null)[] };
  headers: { id: string; sequence: string };
};

/** The example notification that programs read with the generated type. */
export const notificationFile = fileURLToPath(
  new URL("../../../openapi/examples/notification.fungible-transfer.json", import.meta.url),
);

const { parameters } = (
  JSON.parse(readFileSync(new URL("../../../generated/openapi.json", import.meta.url), "utf8")) as {
    webhooks: { addressActivity: { post: { parameters: { name: string; example: string }[] } } };
  }
).webhooks.addressActivity.post;
const headers = Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
/** The headers of a notification, which programs read with the generated type. */
export const headersJson = JSON.stringify(headers);

/** Asserts that the program did all of the scenario, and read every answer right. @param startedAt in ms since the epoch */
export function assertScenario(stdout: string, exchanges: readonly Exchange[], startedAt: number): void {
  const report = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Report;
  const [first = "", ...others] = report.created;
  const collection = "/v1/webhooks";
  const one = `${collection}/${first}`;
  assert.deepEqual(
    exchanges.map(({ method, path, status }) => `${method} ${path.replace(/\?.*/, "?")} ${status}`),
    [
      ...Array(5).fill(`POST ${collection} 201`),
      `GET ${one} 200`,
      `PATCH ${one} 200`,
      ...Array(3).fill(`GET ${collection}? 200`),
      `POST ${collection} 400`,
      `DELETE ${one} 200`,
      `GET ${one} 404`,
    ],
  );
  const change = JSON.parse(exchanges.find(({ method }) => method === "PATCH")?.sent ?? "");
  assert.deepEqual(change, { name: "renamed", status: "inactive" }, "It changed what the program did not.");
  assert.equal(new Set(report.created).size, 5);
  const { createdAt, ...read } = report.read;
  // A comparison's value and the finality are values of several types.
  assert.deepEqual(read, {
    ...{ id: first, name: "one", address: "0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85" },
    conditions: { field: "transaction.value", op: "in", value: ["1", "2"] },
    finality: "finalized",
  });
  assert.ok(createdAt >= startedAt && createdAt <= Date.now(), `createdAt was read as ${createdAt}.`);
  assert.deepEqual(report.updated, { id: first, name: "renamed", status: "inactive" });
  const newestFirst = [first, ...others].reverse();
  assert.deepEqual(report.pages, [newestFirst.slice(0, 2), newestFirst.slice(2, 4), newestFirst.slice(4)]);
  assertError(report.badRequest, 400, "Bad Request", /^chainId must be /);
  assert.deepEqual(report.deleted, { id: first, status: "inactive" });
  assertError(report.gone, 404, "Not Found", /./);
  const { transaction, logs = [] } = (JSON.parse(readFileSync(notificationFile, "utf8")) as { value: Notification })
    .value.event;
  assert.deepEqual(report.notification, {
    txHash: transaction.txHash,
    blockTimestamp: transaction.blockTimestamp,
    topics: [logs[0]?.topic0, null],
  });
  assert.deepEqual(report.headers, { id: headers["webhook-id"], sequence: headers["webhook-sequence"] });
}

function assertError(thrown: ApiError, statusCode: number, error: string, message: RegExp): void {
  assert.deepEqual({ statusCode: thrown.statusCode, error: thrown.error }, { statusCode, error });
  assert.match(thrown.message, message);
}
