/** The log's lines, and what happens to them when their reader is slow or gone. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { createLog } from "../../server/base/log.ts";

function logged(level: Parameters<typeof createLog>[0], write: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = [];
  write(createLog(level, { destination: { write: (line) => void lines.push(line) } }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("a line has its level, its time, its fields and its sentence, and lines below the level are not written", () => {
  const lines = logged("info", (log) => {
    log.debug("unseen");
    log.info("started");
    log.child({ chainId: "1" }).warn({ block: 7n, nothing: undefined }, "late");
  });
  expect(lines).toEqual([
    { level: 30, time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), msg: "started" },
    { level: 40, time: expect.any(String), chainId: "1", block: "7", msg: "late" },
  ]);
  expect(logged("silent", (log) => log.fatal("unseen"))).toEqual([]);
});

test("an error is a kind, a sentence with its causes, a stack and its fields, also when it refers to itself", () => {
  const inner = Object.assign(new TypeError("inner"), { code: "E1" });
  const err = Object.assign(new Error("outer", { cause: inner }), { self: {} as unknown, list: [1, { deep: inner }] });
  err.self = err;
  inner.cause = err;
  const [line] = logged("trace", (log) => log.error({ err }, "failed"));
  expect(line?.err).toMatchObject({ type: "Error", message: "outer: inner", self: "…" });
  expect(line?.err).toMatchObject({ stack: expect.stringContaining("caused by: TypeError: inner") });
  expect(line?.err).toMatchObject({ list: [1, { deep: { type: "TypeError", code: "E1" } }] });
  expect(logged("trace", (log) => log.error({ err: "text" }, "failed"))[0]?.err).toBe("text");
});

/** Logs many lines at once, and then reports to standard error that it lives. */
const program = `
  import { createLog } from "./server/base/log.ts";
  process.stdout.on("error", () => {});
  const log = createLog("info");
  for (let n = 0; n < 5000; n += 1) log.info({ n, text: "x".repeat(100) }, "line");
  console.error("alive");`;
const start = () => spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program]);

test("every line arrives whole at a reader that is slow", async () => {
  const child = start();
  const ended = once(child, "close");
  const chunks: Buffer[] = [];
  // The pipe holds less than a tenth of it, so that the writer waits for each of these.
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  await ended;
  const lines = Buffer.concat(chunks).toString().trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { n: number }).n)).toEqual(
    Array.from({ length: 5_000 }, (_, n) => n),
  );
});

test("a reader that goes away does not end the process", async () => {
  const child = start();
  child.stdout.destroy();
  const [alive] = (await once(child.stderr, "data")) as [Buffer];
  expect(alive.toString()).toContain("alive");
  expect(await once(child, "close")).toEqual([0, null]);
});
