/** `mock --chain`: recorded blocks are played as a chain, and the service's own matching decides whom to notify of what. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { run } from "../../scripts/command/commands/mock.ts";
import { startMock as start } from "../../scripts/command/mock/start.ts";
import { recordedBundle } from "../../scripts/local/recorded.ts";
import { participantsByTransaction } from "../../server/matching/participants.ts";
import { newWebhook } from "../support/api.ts";
import { runHere } from "../support/command.ts";
import { assertError } from "../support/contract-check.ts";
import { type Mock, startMock } from "../support/mock.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const numbers = ["6196166", "9069000", "19933122"];
/** The one that takes part in the most transactions of the first block. */
const busiest = (() => {
  const counts = new Map<string, number>();
  for (const { addresses } of participantsByTransaction(recordedBundle(`mainnet-traced/${numbers[0]}`)))
    for (const address of addresses) counts.set(address, (counts.get(address) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "";
})();
const inFirst = participantsByTransaction(recordedBundle(`mainnet-traced/${numbers[0]}`)).filter(({ addresses }) =>
  addresses.has(busiest),
);

describe("the blocks of the package", () => {
  let mock: Mock;
  let receiver: Receiver;
  beforeEach(async () => {
    [mock, receiver] = await Promise.all([startMock({ chain: { blocks: "recorded", speed: 20 } }), startReceiver()]);
  });
  afterEach(async () => {
    await mock.close();
    await receiver.close();
  });
  const create = async (changes: object = {}) => {
    const body = newWebhook({
      url: `${receiver.url}/hooks`,
      chainId: "1",
      metadata: { addresses: [busiest] },
      ...changes,
    });
    return (await mock.call("POST", "/v1/webhooks", { body })).body;
  };
  const chain = async () =>
    (await mock.call("GET", "/v1/chains")).body.chains.find(({ chainId }: { chainId: string }) => chainId === "1");

  test("wait for a webhook, which is notified of its addresses' transactions, in order, from its first block on", async () => {
    const finality = { confirmations: 2 };
    expect(await chain()).toEqual({ chainId: "1", name: "Recorded chain", traces: true, finality });
    const { effectiveFromBlock } = await create();
    expect(effectiveFromBlock).toBe(numbers[0]);
    const sent = await receiver.waitFor(inFirst.length);
    const first = sent.slice(0, inFirst.length).sort((a, b) => a.sequence - b.sequence);
    expect(first.map(({ notification }) => notification.event.transaction.txHash)).toEqual(
      inFirst.map(({ transactionHash }) => transactionHash),
    );
    expect(first.map(({ sequence }) => sequence)).toEqual(inFirst.map((_, index) => index + 1));
    expect(Number((await chain()).followedBlock)).toBeGreaterThanOrEqual(Number(numbers[0]));
  });

  test("that were played are notified first, in order, to a webhook that starts in the past", async () => {
    await create({ metadata: { addresses: [`0x${"a5".repeat(20)}`] } });
    await expect.poll(async () => Number((await chain()).followedBlock)).toBeGreaterThan(Number(numbers[0]));
    const above = newWebhook({ chainId: "1", fromBlock: "99999999999" });
    assertError(
      await mock.call("POST", "/v1/webhooks", { body: above }),
      400,
      /^fromBlock must be at most \d+, the newest block of chain 1\.$/,
    );
    const created = await create({ fromBlock: numbers[0] });
    expect(created).toMatchObject({
      effectiveFromBlock: numbers[0],
      history: { nextBlock: numbers[0], mode: "complete" },
    });
    const sent = await receiver.waitFor(
      inFirst.length + 1,
      ({ notification }) => notification.webhookId === created.id,
    );
    const inOrder = sent.toSorted((a, b) => a.sequence - b.sequence).map(({ notification }) => notification.event);
    expect(inOrder.slice(0, inFirst.length).map(({ transaction }) => transaction.txHash)).toEqual(
      inFirst.map(({ transactionHash }) => transactionHash),
    );
    const blocks = inOrder.map(({ transaction }) => Number(transaction.blockNumber));
    expect(blocks).toEqual(blocks.toSorted((a, b) => a - b));
    await expect.poll(async () => (await mock.call("GET", `/v1/webhooks/${created.id}`)).body.history).toBeUndefined();
    const metadata = { addresses: [`0x${"a5".repeat(20)}`], eventSignatures: [`0x${"ab".repeat(32)}`] };
    const byLogs = await create({ fromBlock: numbers[0], historyMode: "logs", metadata });
    expect(byLogs.history).toMatchObject({ mode: "logs", nodesAgreed: 1 });
  });

  test("come by a replay for addresses that are added with their past, and nothing else does", async () => {
    const { id } = await create({ metadata: { addresses: [`0x${"a5".repeat(20)}`] } });
    await expect.poll(async () => Number((await chain()).followedBlock)).toBeGreaterThan(Number(numbers[0]));
    const add = (fromBlock: string) =>
      mock.call("PATCH", `/v1/webhooks/${id}/addresses`, { body: { addresses: [busiest], fromBlock } });
    assertError(await add("99999999999"), 400, /^fromBlock must be at most \d+, the newest block of chain 1\.$/);
    const { changed, replayId, effectiveFromBlock } = (await add(numbers[0] ?? "")).body;
    expect(changed).toBe(1);
    expect((await add(numbers[0] ?? "")).body).toMatchObject({ changed: 0, replayId });
    const replay = async () => (await mock.call("GET", `/v1/webhooks/${id}/replays/${replayId}`)).body;
    await expect.poll(async () => (await replay()).status).toBe("done");
    expect(await replay()).toMatchObject({
      ...{ fromBlock: numbers[0], toBlock: String(BigInt(effectiveFromBlock) - 1n), resentCount: 0 },
      addedCount: expect.any(Number),
    });
    const sent = await receiver.waitFor(inFirst.length, ({ notification: { webhookId, event } }) => {
      return webhookId === id && event.transaction.blockNumber === numbers[0];
    });
    expect(new Set(sent.map(({ notification }) => notification.event.transaction.txHash))).toEqual(
      new Set(inFirst.map(({ transactionHash }) => transactionHash)),
    );
  });

  test("do not come for added addresses that are removed meanwhile, also if they are added again", async () => {
    const { id } = await create({ metadata: { addresses: [`0x${"a5".repeat(20)}`] } });
    await expect.poll(async () => Number((await chain()).followedBlock)).toBeGreaterThan(Number(numbers[0]));
    const change = async (method: "PATCH" | "DELETE", more: object = {}) =>
      (await mock.call(method, `/v1/webhooks/${id}/addresses`, { body: { addresses: [busiest], ...more } })).body;
    const { replayId } = await change("PATCH", { fromBlock: numbers[0] });
    await change("DELETE");
    expect(await change("PATCH")).toMatchObject({ changed: 1 });
    const replay = async () => (await mock.call("GET", `/v1/webhooks/${id}/replays/${replayId}`)).body;
    await expect.poll(async () => (await replay()).status).toBe("done");
    expect(await replay()).toMatchObject({ addedCount: 0 });
  });

  test("are notified twice to a webhook with the finality both, once when two more were played", async () => {
    const { id } = await create({ finality: "both" });
    const event = (finalized: true | undefined) =>
      receiver.waitFor(
        1,
        ({ notification: { webhookId, event } }) => webhookId === id && event.finalized === finalized,
      );
    const [[first], [final]] = [await event(undefined), await event(true)];
    expect(first?.notification.event.confirmations).toBe(0);
    expect(final?.notification.event).toMatchObject({
      confirmations: 2,
      transaction: first?.notification.event.transaction,
    });
    expect(final?.sequence).toBeGreaterThan(first?.sequence ?? 0);
    const shown = await mock.call("GET", `/v1/webhooks/${id}/notifications/${final?.notification.messageId}`);
    expect(shown.body).toMatchObject({ finalized: true });
  });

  test("come again as later blocks with other hashes, so every notification has its own messageId", async () => {
    await create();
    const later = await receiver.waitFor(
      1,
      ({ notification }) => Number(notification.event.transaction.blockNumber) > Number(numbers[2]),
    );
    const again = later[0]?.notification.event.transaction;
    expect(inFirst.map(({ transactionHash }) => transactionHash)).not.toContain(again?.txHash);
    const ids = receiver.deliveries.map(({ notification }) => notification.messageId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("are replayed: what was missed is added, and what is on record is sent again", async () => {
    const unwatched = `0x${"a5".repeat(20)}`;
    const { id } = await create({ metadata: { addresses: [unwatched] } });
    await expect.poll(chain).toMatchObject({ followedBlock: expect.any(String) });
    const ahead = await mock.call("POST", `/v1/webhooks/${id}/replays`, {
      body: { fromBlock: "1", toBlock: "99999999999" },
    });
    expect(ahead.status).toBe(400);
    await mock.call("PATCH", `/v1/webhooks/${id}`, { body: { status: "inactive" } });
    await mock.call("PATCH", `/v1/webhooks/${id}/addresses`, { body: { addresses: [busiest] } });
    const range = { fromBlock: numbers[0], toBlock: numbers[0], includeEarlier: true };
    const replay = async () => {
      const { body } = await mock.call("POST", `/v1/webhooks/${id}/replays`, { body: range });
      const path = `/v1/webhooks/${id}/replays/${body.id}`;
      await expect.poll(async () => (await mock.call("GET", path)).body.status).toBe("done");
      return (await mock.call("GET", path)).body;
    };
    expect(await replay()).toMatchObject({ addedCount: inFirst.length, resentCount: 0 });
    expect(await replay()).toMatchObject({ addedCount: 0, resentCount: inFirst.length });
    expect(receiver.deliveries).toEqual([]);
    await mock.call("DELETE", `/v1/webhooks/${id}/addresses`, { body: { addresses: [busiest] } });
    await mock.call("PATCH", `/v1/webhooks/${id}`, { body: { status: "active" } });
    const sent = await receiver.waitFor(inFirst.length);
    expect(sent).toHaveLength(inFirst.length);
  });
});

describe("a folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "chain-webhooks-mock-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const recorded = fileURLToPath(new URL("../data/mainnet-traced/", import.meta.url));
  const { block, receipts } = recordedBundle("mainnet-traced/6196166");
  const write = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
  const refusal = async (args: string[]) => {
    const { code, stderr } = await runHere(run, ["--port", "0", ...args]);
    expect(code).toBe(1);
    return stderr.trim();
  };

  test("that is wrong is refused in a sentence that names what", async () => {
    expect(await refusal(["--chain", "/nowhere"])).toMatch(
      /^--chain must be recorded, or a folder .*\/nowhere is not readable \(ENOENT\)\.$/,
    );
    expect(await refusal(["--chain", folder])).toBe(`${folder} must have files such as 19933122.block.json.`);
    write("6196166.block.json", block);
    expect(await refusal(["--chain", folder])).toBe(
      `${folder} must have 6196166.block.json and 6196166.receipts.json.`,
    );
    write("6196166.receipts.json", receipts.slice(1));
    expect(await refusal(["--chain", folder, "--chain-id", "1"])).toMatch(
      /^Block 6196166 cannot be played\. Transaction 0x\w+ .* lacks its receipt/,
    );
    writeFileSync(join(folder, "6196166.receipts.json"), "[");
    expect(await refusal(["--chain", folder])).toMatch(/6196166\.receipts\.json must be JSON: /);
    write("6196166.receipts.json", receipts);
    write("6196166.block.json", { ...block, transactions: block.transactions.map(({ hash }) => hash) });
    expect(await refusal(["--chain", folder, "--chain-id", "1"])).toBe(
      "Block 6196166 cannot be played. Its transactions must be whole, not hashes.",
    );
    const unnamed = block.transactions.map(({ chainId: _, ...transaction }) => transaction);
    write("6196166.block.json", { ...block, transactions: unnamed });
    expect(await refusal(["--chain", folder])).toMatch(/^--chain-id must say which chain /);
  });

  test("is played as any chain, from a node's whole answers, compressed or not, and without traces it offers none", async () => {
    write("6196166.block.json", { jsonrpc: "2.0", id: 1, result: block });
    rmSync(join(folder, "6196166.receipts.json"));
    copyFileSync(join(recorded, "6196166.receipts.json.gz"), join(folder, "6196166.receipts.json.gz"));
    const mock = await startMock({
      chain: { blocks: join(folder, "6196166.block.json"), chainId: "43114", speed: 50 },
    });
    const receiver = await startReceiver();
    try {
      const body = newWebhook({ url: receiver.url, metadata: { addresses: [busiest] } });
      assertError(
        await mock.call("POST", "/v1/webhooks", { body: { ...body, includeInternalTxs: true } }),
        400,
        "includeInternalTxs must be false on a chain without traces.",
      );
      await mock.call("POST", "/v1/webhooks", { body });
      const [sent] = await receiver.waitFor(1);
      expect(sent?.notification.event.transaction.chainId).toBe("43114");
    } finally {
      await mock.close();
      await receiver.close();
    }
  });
});

test("a mock that cannot start leaves nothing behind", async () => {
  const first = await start();
  const port = Number(new URL(first.url).port);
  await expect(start({ port })).rejects.toThrow("EADDRINUSE");
  await first.stop();
  await expect(fetch(first.url)).rejects.toThrow();
});
