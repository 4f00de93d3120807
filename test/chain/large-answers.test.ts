/** Large answers of a batch are told apart without being parsed, wherever that is sure to come to the same. */
import { describe, expect, test } from "vitest";
import { answersIn } from "../../server/chain/nodes/large-answers.ts";
import { connectNode } from "../../server/chain/nodes/node.ts";
import { recordedBundle } from "../support/recorded.ts";
import { type RpcAnswer, startRpcProxy } from "../support/rpc-proxy.ts";

const { block, receipts } = recordedBundle("mainnet/20000000");
const small = { result: null };
const large = [{ result: block }, { result: receipts }, small, { error: { code: -32000, message: '},{"id":1' } }];

test.each<[string, (answer: object, id: number) => object]>([
  ["in front", (answer, id) => ({ jsonrpc: "2.0", id, ...answer })],
  ["first of all", (answer, id) => ({ id, jsonrpc: "2.0", ...answer })],
  ["behind", (answer, id) => ({ jsonrpc: "2.0", ...answer, id })],
])("with the id %s they are what the whole is parsed to", (_, layOut) => {
  const answers = large.map(layOut);
  const apart = answersIn(`${JSON.stringify(answers)}\n`, 4)?.map(({ id, text }) => [id, JSON.parse(text)]);
  expect(apart).toEqual(answers.map((answer, index) => [index, answer]));
});

describe("they are parsed whole", () => {
  const text = JSON.stringify([0, 1].map((id) => ({ jsonrpc: "2.0", id, result: receipts })));
  test.each<[string, string, number]>([
    ["when none is large", JSON.stringify([{ jsonrpc: "2.0", id: 0, ...small }]), 1],
    ["when the text was cut off", text.slice(0, -10), 2],
    ["when there are fewer than asked for", text, 3],
    ["when there are more than asked for", text, 1],
    ["when an id comes twice", text.replace('"id":1', '"id":0'), 2],
    ["when an id is none", text.replace('"id":1', '"id":"1"'), 2],
    ["when it is no list", text.slice(1, -1), 2],
    ["when they begin with something else", text.replaceAll('"jsonrpc":"2.0",', ""), 3],
    ["when there is space between them", text.replace('},{"jsonrpc"', '}, {"jsonrpc"'), 2],
  ])("%s", (_, answers, count) => {
    expect(answersIn(answers, count)).toBeUndefined();
  });
});

describe("a node", () => {
  async function ask(change: (text: string) => string) {
    const stub = await startRpcProxy();
    const over = new AbortController();
    stub.change = change;
    stub.answer = ({ params: [index] }) => large[Number(index)] as RpcAnswer;
    const node = connectNode(stub.url, { signal: over.signal, atOnce: 1 });
    const asks = large.map(async (_, index) => (await node.requestUnparsed("eth_any", [index]))());
    const asked = await Promise.allSettled(asks);
    over.abort();
    await stub.close();
    return { asked, batches: stub.batches };
  }
  const wanted = [
    { status: "fulfilled", value: block },
    { status: "fulfilled", value: receipts },
    { status: "fulfilled", value: null },
    { status: "rejected", reason: expect.objectContaining({ name: "NodeError", code: -32000 }) },
  ];

  test("gives each its own answer, also in another order, and an error of one is none of the others", async () => {
    const reversed = (text: string) => JSON.stringify((JSON.parse(text) as unknown[]).toReversed());
    const { asked } = await ask(reversed);
    expect(asked).toEqual(wanted);
  });

  test("whose answer is cut off is asked for fewer at once", async () => {
    const cut = (text: string) => (text.startsWith("[") ? text.slice(0, -10) : text);
    const { asked, batches } = await ask(cut);
    expect(asked).toEqual(wanted);
    expect(batches.length).toBeGreaterThan(1);
  });

  test("that answers no JSON in one of them has failed with this one", async () => {
    const broken = (text: string) => text.replace('"transactionIndex":"0x5"', '"transactionIndex":0x5');
    const { asked } = await ask(broken);
    expect(asked[2]).toEqual(wanted[2]);
    expect(asked.filter(({ status }) => status === "rejected")).toHaveLength(2);
    expect(asked.find(({ status }) => status === "rejected")).toMatchObject({ reason: { name: "NodeError" } });
  });
});
