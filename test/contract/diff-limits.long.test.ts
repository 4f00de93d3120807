/**
 * What a comparison costs at its limits: a long chain ends, and circles of schemas end in a refusal, in bounded time and memory.
 * `DIFF_CHAIN=N` makes the chain N schemas long instead of 100,000.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { compareContracts } from "../../scripts/command/diff/contract.ts";
import type { JsonObject } from "../../scripts/document/json.ts";
import { chain, circle, levels, links, twice } from "./long-documents.ts";

const length = Number(process.env.DIFF_CHAIN ?? 100_000);
/** Of processor time, which other processes do not change much. */
const mostSeconds = 60;
const timeout = 600_000;

async function inSeconds<T>(run: () => T | Promise<T>, limit = mostSeconds): Promise<T> {
  const start = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(limit);
  return result;
}

test.each(Object.entries(links))(
  `a chain of ${length} schemas by %s is compared to its end`,
  { timeout },
  async (_, link) => {
    const compare = () => compareContracts(chain(length, link, 9), chain(length, link, 8));
    const found = await inSeconds(compare, (mostSeconds * length) / 100_000);
    expect(found.map(({ rule, what }) => `${rule}: ${what}`)).toEqual(["limit: maxLength from 9 to 8"]);
  },
);

test("circles with half a million pairs are refused with exit code 1, in 1.5 GB", { timeout }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "chain-webhooks-diff-limits-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const paths = [709, 708].map((size) => [join(folder, `${size}.json`), JSON.stringify(circle(size))] as const);
  for (const [path, text] of paths) await writeFile(path, text);
  const [code, stdout] = await new Promise<[number, string]>((resolve) => {
    const command = ["--max-old-space-size=1536", "--import", "tsx", "scripts/command/cli.ts", "diff"];
    execFile(process.execPath, [...command, ...paths.map(([path]) => path)], (error, text) =>
      resolve([error ? Number(error.code) : 0, text]),
    );
  });
  expect(code).toBe(1);
  expect(stdout).toContain("the document: compared up to the limit of 500000 pairs of schemas, and no further");
  expect(stdout).not.toContain("Nothing changed");
});

test("circles of schemas with many values each end: the lists decide", { timeout }, async () => {
  const values = (letter: string) => ({ enum: Array.from({ length: 1_000 }, (_, n) => `${letter}${n}`) });
  const sides = [circle(709, () => values("a")), circle(708, () => values("b"))] as const;
  const found = await inSeconds(() => compareContracts(...sides));
  expect(found.some(({ level }) => level === "breaking")).toBe(true);
});

test("unions whose branches look alike end, too", { timeout }, async () => {
  const union = (count: number, from: number) => ({
    anyOf: Array.from({ length: count }, (_, n) => ({
      properties: { a: { maxLength: from - n }, b: { properties: { c: { minLength: from + n } } } },
    })),
  });
  const sides = [circle(33, () => union(70, 100)), circle(32, () => union(69, 1_000))] as const;
  expect((await inSeconds(() => compareContracts(...sides))).some(({ level }) => level === "breaking")).toBe(true);
});

test.each(Object.entries(twice))(
  "levels that refer twice to the next by %s end in time, in a circle, too",
  { timeout },
  async (_, shape) => {
    const ways: [number, boolean][] = [
      [60, false],
      [17, true],
    ];
    for (const [count, isCircle] of ways)
      await inSeconds(() => compareContracts(levels(count, shape, 9, isCircle), levels(count, shape, 8, isCircle)));
  },
);

test("schemas that hold each other through allOf end at the limit of findings", () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const fields = (x: string, y: string, more: JsonObject = {}) => ({ properties: { x: ref(x), y: ref(y), ...more } });
  const knot = (maxLength: number) => ({
    openapi: "3.1.0",
    paths: { "/x": { post: { requestBody: { content: { "a/b": { schema: ref("A") } } } } } },
    components: {
      schemas: {
        A: { allOf: [fields("A", "B"), fields("B", "A")] },
        B: { allOf: [fields("A", "A", { t: { type: "string", maxLength } }), fields("B", "B")] },
      },
    },
  });
  const found = compareContracts(knot(9), knot(8));
  expect(found.length).toBeLessThan(20_500);
  expect(found.find(({ rule, where }) => rule === "incomplete" && where === "the document")).toMatchObject({
    level: "breaking",
    what: "compared up to the limit of 20000 findings, and no further",
  });
  expect(compareContracts(knot(9), knot(9))).toEqual([]);
});

test("a pattern that gets no processor, as on a busy machine, is given more time", () => {
  vi.spyOn(process, "cpuUsage").mockReturnValue({ user: 0, system: 0 });
  onTestFinished(() => void vi.restoreAllMocks());
  const answering = (x: JsonObject) => ({
    openapi: "3.1.0",
    paths: { "/x": { get: { responses: { "200": { description: "", content: { "a/b": { schema: x } } } } } } },
  });
  // The first branch looks at 2^26 ways before the second one fits.
  const text = { type: "string", pattern: "^((a+)+c|a+b)$" };
  const found = compareContracts(answering(text), answering({ enum: [`${"a".repeat(26)}b`] }));
  expect(found.map(({ level }) => level)).toEqual(["info"]);
});
