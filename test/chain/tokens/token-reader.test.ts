/** A step waits for tokens a bounded time, once, and what was not read then is read for a later one. */
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTokenReader, type TokenReader } from "../../../server/chain/tokens/token-reader.ts";
import { createPool, type Pool } from "../../../server/store/pool.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { numberAnswer, stringAnswer } from "../../support/made-token.ts";
import { type RpcAnswer, type RpcProxy, startRpcProxy } from "../../support/rpc-proxy.ts";

const contract = `0x${"c".repeat(40)}`;
const metadata = { name: "Coin", symbol: "Coin", decimals: 6 };
const lines: string[] = [];

let database: TestDatabase;
let pool: Pool;
let node: RpcProxy;
let controller: AbortController;
beforeEach(async () => {
  [database, node, controller] = [await createTestDatabase(), await startRpcProxy(), new AbortController()];
  pool = createPool(database.url);
  node.answer = good;
  lines.length = 0;
});
afterEach(async () => {
  controller.abort();
  await node.close();
  await pool.end();
  await database.drop();
});

function good({ params: [call] }: { params: unknown[] }): RpcAnswer {
  const { data } = call as { data: string };
  return { result: data === "0x313ce567" ? numberAnswer(6) : stringAnswer("Coin") };
}

const newReader = () =>
  createTokenReader({
    ...{ pool, chain: { chainId: "1", rpcUrls: [node.url] }, callsOf: () => () => undefined },
    log: pino({ level: "debug" }, { write: (line: string) => void lines.push(line) }),
    signal: controller.signal,
  });

/** A step that moves tokens of these contracts. */
async function step(reader: TokenReader, contracts = [contract]) {
  const from = performance.now();
  let attempts = 0;
  const book = await reader.withTokens(16, async (pass) => {
    attempts += 1;
    const found = await pass.find(pool, contracts);
    pass.assertAsked();
    return found;
  });
  return { book, known: book.get(contract), attempts, ms: performance.now() - from };
}

test("a contract is asked once, whichever process it is for", async () => {
  const reader = newReader();
  expect(await step(reader)).toMatchObject({ attempts: 2 });
  // Beside other work, a step may not have waited long enough.
  await expect.poll(async () => (await pool.query("SELECT FROM tokens")).rowCount).toBe(1);
  const asked = node.calls.length;
  expect(await step(reader)).toMatchObject({ known: metadata, attempts: 1 });
  expect(await step(newReader())).toMatchObject({ known: metadata, attempts: 1 });
  expect(node.calls.length).toBe(asked);
});

test("the step that needs a token first has it", async () => {
  const reader = newReader();
  const firsts: unknown[] = [];
  // Beside other work, a node may take longer than a step waits.
  for (let n = 1; n <= 5 && !firsts.some(Boolean); n += 1) {
    const one = `0x${String(n).padStart(40, "e")}`;
    firsts.push((await step(reader, [one])).book.get(one));
  }
  expect(firsts.at(-1)).toEqual(metadata);
});

test("a step without tokens asks nobody", async () => {
  expect(await step(newReader(), [])).toMatchObject({ attempts: 1 });
  expect(node.calls).toEqual([]);
});

test("a node that never answers delays one step by less than half a second, and no other meanwhile", async () => {
  let answer: (() => void) | undefined;
  const late = new Promise<void>((resolve) => {
    answer = resolve;
  });
  node.answer = async (call) => {
    await late;
    return good(call);
  };
  const reader = newReader();
  const first = await step(reader);
  expect(first).toMatchObject({ known: undefined, attempts: 2 });
  expect(first.ms).toBeLessThan(10_000);
  expect(await step(reader)).toMatchObject({ known: undefined, attempts: 1 });
  answer?.();
  await expect.poll(async () => (await step(reader)).known).toEqual(metadata);
});

test("a node that is away is not asked again for a while, and its failure is logged", async () => {
  node.down = true;
  const reader = newReader();
  expect(await step(reader)).toMatchObject({ known: undefined, attempts: 2 });
  expect(await step(reader, [`0x${"d".repeat(40)}`])).toMatchObject({ attempts: 1 });
  expect(lines.filter((line) => line.includes("tokens could not be read"))).toHaveLength(1);
  expect((await pool.query("SELECT FROM tokens")).rowCount).toBe(0);
});

test("a contract that answers garbage is remembered", async () => {
  node.answer = ({ params: [call] }) =>
    (call as { to: string }).to === contract ? { error: { code: 3, message: "execution reverted" } } : { result: "0x" };
  const nothing = { name: null, symbol: null, decimals: null };
  expect(await step(newReader())).toMatchObject({ attempts: 2 });
  await expect.poll(async () => (await pool.query("SELECT FROM tokens")).rowCount).toBe(1);
  expect(await step(newReader())).toMatchObject({ known: nothing, attempts: 1 });
});

test("errors of the step are its own, and ask nobody", async () => {
  const failing = newReader().withTokens(16, () => Promise.reject(new Error("cursor moved")));
  await expect(failing).rejects.toThrow("cursor moved");
  expect(node.calls).toEqual([]);
});
