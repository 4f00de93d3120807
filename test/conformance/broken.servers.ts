/** Each server in broken/ is the example server with one thing broken: conformance must name that, and nothing else. */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { failureOf } from "../../scripts/command/conformance/report/table.ts";
import { type Breakage, breakServer } from "./breakage.ts";
import { examineExample, startExample } from "./example.ts";

const folder = new URL("broken/", import.meta.url);
const breakages = await Promise.all(
  readdirSync(folder).map(async (file) => {
    const { broken } = (await import(new URL(file, folder).href)) as { broken: Breakage };
    return { ...broken, file: file.replace(/\.ts$/, "") };
  }),
);

describe.concurrent("conformance refuses a server that", () => {
  test.for(breakages)("$says ($file)", async (breakage, { expect, onTestFinished }) => {
    const example = await startExample();
    onTestFinished(example.close);
    const server = await breakServer(example.url, "both", breakage);
    onTestFinished(server.close);
    const { findings, left } = await examineExample(server.url);
    const named = [...new Set(findings.map(({ rule }) => rule))].sort();
    expect(named, findings.flatMap(failureOf).join("\n")).toEqual([...breakage.rules].sort());
    expect(left).toEqual([]);
  });
});

test("at least twelve are kept", () => {
  expect(breakages.length).toBeGreaterThanOrEqual(12);
});
