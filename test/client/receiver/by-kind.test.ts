/** Handlers by kind: each gets what is its own, and nothing is dropped. */
import { expect, test } from "vitest";
import { type AddressActivityNotification, byKind, type KindHandlers } from "../../../client/receiver/index.ts";
import { loadContract } from "../../../server/contract/contract.ts";

type Event = AddressActivityNotification["event"];

const attempt = { sequence: 7, attemptAt: new Date(0) };
const { components } = (await loadContract()) as unknown as {
  components: { examples: Record<string, { value: unknown }> };
};
const example = (name: string) => components.examples[`notification.${name}`]?.value as AddressActivityNotification;
const changed = (name: string, change: Partial<Event>): AddressActivityNotification => {
  const notification = example(name);
  return { ...notification, event: { ...notification.event, ...change } };
};

/** The names of the handlers that were called, in order. */
async function called(notification: AddressActivityNotification, only?: readonly (keyof KindHandlers)[]) {
  const calls: string[] = [];
  const note = (name: string) => () => void calls.push(name);
  const handlers: KindHandlers = {
    activity: note("activity"),
    retraction: note("retraction"),
    finalized: note("finalized"),
    transfer: ({ type }, { kind, sequence }) => void calls.push(`${type} ${kind} ${sequence}`),
    events: { Transfer: ({ decoded }) => void calls.push(`Transfer ${Object.keys(decoded.args).at(-1)}`) },
  };
  const chosen = only ? Object.fromEntries(only.map((name) => [name, handlers[name]])) : handlers;
  await byKind(chosen)(notification, attempt);
  return calls;
}

test("a notification goes to the handler of its kind", async () => {
  expect(await called(example("native-transfer"))).toEqual(["activity"]);
  expect(await called(example("retraction"))).toEqual(["retraction"]);
  expect(await called(changed("native-transfer", { finalized: true }))).toEqual(["finalized"]);
});

test("a finalized one goes to activity where there is no handler for it, and a retraction never does", async () => {
  expect(await called(changed("native-transfer", { finalized: true }), ["activity"])).toEqual(["activity"]);
  expect(await called(example("retraction"), ["activity"])).toEqual([]);
});

test("decoded logs go to the handler of their event, after the whole", async () => {
  expect(await called(example("decoded-logs"))).toEqual(["activity", "Transfer tokenId", "Transfer value"]);
  const logs = (example("decoded-logs").event.logs ?? []).map((log) =>
    log.decoded ? { ...log, decoded: { ...log.decoded, name: "constructor" } } : log,
  );
  expect(await called(changed("decoded-logs", { logs }))).toEqual(["activity"]);
});

test("transfers of all kinds go to one handler", async () => {
  const { transaction } = example("native-transfer").event;
  const native = {
    ...{ transactionHash: transaction.txHash, type: "NATIVE" as const, value: "1" },
    ...{ from: transaction.from, to: transaction.to, blockTimestamp: 1 },
  };
  const notification = changed("native-transfer", { transaction: { ...transaction, nativeTransfers: [native] } });
  expect(await called(notification)).toEqual(["activity", "NATIVE activity 7"]);
});

test("what a handler throws is thrown, so that the service sends it again", async () => {
  const receive = byKind({ activity: () => Promise.reject(new Error("full")) });
  await expect(receive(example("native-transfer"), attempt)).rejects.toThrow("full");
});
