/** The mock under the kit that others are examined by: it differs from a service in what it does on purpose, and in nothing else. */
import { expect, onTestFinished, test } from "vitest";
import { failureOf } from "../../scripts/command/conformance/report/table.ts";
import { startMock } from "../support/mock.ts";
import { examineExample } from "./example.ts";

const onPurpose = {
  "unknown-key-401": "Any key is valid.",
  "unknown-chain-refused": "Any chain is supported.",
  "secret-of-its-own": "New webhooks share a secret that the guide names.",
  "test-is-not-listed": "A new webhook gets a notification, which is listed.",
  "key-first": "Any key is valid.",
  "long-url-414": "A long URL is judged by its parameters.",
  "preview-of-block": "The example is in no block that matches.",
  "preview-decides": "It is the example of every webhook, watched or not.",
  "preview-as-notified": "That one is of addresses that the webhook does not watch, so a preview of it does not match.",
};

test("conformance finds what the guide says, and nothing else", async () => {
  const mock = await startMock();
  onTestFinished(mock.close);
  const { findings, left } = await examineExample(mock.url, { readKey: undefined, writeKey: undefined });
  const others = findings.filter(({ rule }) => !(rule in onPurpose));
  expect(others.flatMap(failureOf).join("\n")).toBe("");
  expect(new Set(findings.map(({ rule }) => rule))).toContain("unknown-key-401");
  expect(left).toEqual([]);
});
