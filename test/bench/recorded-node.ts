/**
 * A node of its own process that answers from memory with a long chain made of recorded blocks: each has the one before it as its
 * parent, and a hash that is that of its header, so that it passes every check. Prints its URL: `recorded-node.ts COUNT [MORE]`. Of MORE blocks
 * above it has the headers in memory only, and makes the rest when it is asked. Each thousandth of these is one whose like is nowhere
 * else. A GET returns how many calls of each method there were since the last one.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { keccak } from "../../server/chain/check/encoding/fields.ts";
import { serializeHeader } from "../../server/chain/check/encoding/header.ts";
import type { BlockBundle, Hex, WireBlock, WireLog } from "../../server/matching/wire.ts";
import { everydayBlocks, rareBlock } from "./everyday-blocks.ts";

/** Its parts are texts as they go over the wire, so that the node takes next to nothing of the machine. */
type Stored = { number: Hex; hash: Hex; header: Buffer } & Whole;
type Whole = { readonly block: Buffer; readonly receipts: Buffer };

const count = Number(process.argv[2]);
const more = Number(process.argv[3] ?? 0);
const rareEvery = 1_000;
const chain: Stored[] = [];
const byHash = new Map<string, Stored>();
const originalOf = (number: number): BlockBundle =>
  number >= count && number % rareEvery === rareEvery - 1
    ? rareBlock
    : (everydayBlocks[number % everydayBlocks.length] as BlockBundle);
for (let number = 0; number < count + more; number += 1) {
  const stored = store(originalOf(number), number, chain.at(-1)?.hash);
  chain.push(stored);
  byHash.set(stored.hash, stored);
}

function store({ block, receipts }: BlockBundle, number: number, parent: Hex | undefined): Stored {
  const place: Hex = `0x${number.toString(16)}`;
  const made: WireBlock = { ...block, number: place, parentHash: parent ?? block.parentHash };
  const hash: Hex = `0x${Buffer.from(keccak(serializeHeader(made))).toString("hex")}`;
  const moved = (value: unknown) =>
    Buffer.from(
      JSON.stringify(value)
        .replaceAll(block.hash, hash)
        .replaceAll(`"blockNumber":"${block.number}"`, `"blockNumber":"${place}"`),
    );
  const { transactions, ...rest } = made;
  const header = moved({ ...rest, transactions: transactions.map((one) => one.hash) });
  const whole = (): Whole => ({ block: moved(made), receipts: moved(receipts) });
  if (number < count) return { number: place, hash, header, ...whole() };
  const later = { number: place, hash, header };
  return Object.defineProperties(later, {
    block: { get: () => whole().block },
    receipts: { get: () => whole().receipts },
  }) as Stored;
}

type Filter = { blockHash?: Hex; fromBlock: Hex; toBlock: Hex; address?: Hex | Hex[]; topics?: (Hex | Hex[] | null)[] };
type Call = { id: number; method: string } & (
  | { method: "eth_getLogs"; params: [Filter] }
  | { method: "eth_chainId" | "eth_blockNumber" | "eth_getBlockReceipts" | "eth_getBlock"; params: [string, unknown] }
);

/** Looks through the logs of every block of the range. */
function logsOf({ blockHash: only, address, topics = [], ...range }: Filter): Buffer {
  const isOf = (values: Hex | Hex[] | null | undefined, value: string | undefined) =>
    !values || [values].flat().some((one) => one.toLowerCase() === value);
  const isAsked = (log: WireLog) =>
    isOf(address, log.address) && topics.every((values, at) => isOf(values, log.topics[at]));
  const place = only && byHash.get(only)?.number;
  const [fromBlock, toBlock] = [place ?? range.fromBlock, place ?? range.toBlock];
  const askedOf = new Map<BlockBundle, WireLog[]>();
  const found: object[] = [];
  for (let number = Number(fromBlock); number <= Number(toBlock) && number < chain.length; number += 1) {
    const original = originalOf(number);
    const logs = askedOf.get(original) ?? original.receipts.flatMap((receipt) => receipt.logs).filter(isAsked);
    askedOf.set(original, logs);
    const { number: blockNumber, hash: blockHash } = chain[number] as Stored;
    for (const log of logs) found.push({ ...log, blockNumber, blockHash, removed: false });
  }
  return Buffer.from(JSON.stringify(found));
}

function resultOf(call: Call): Buffer {
  if (call.method === "eth_getLogs") return logsOf(call.params[0]);
  const { method, params } = call;
  // Some leave out the parameters of what has none.
  const [ref = "latest", whole] = params ?? [];
  if (method === "eth_chainId") return Buffer.from('"0x1"');
  if (method === "eth_blockNumber") return Buffer.from(`"${chain.at(-1)?.number}"`);
  const tag = ref === "latest" || ref === "finalized";
  const stored = tag ? chain.at(-1) : ref.length === 66 ? byHash.get(ref) : chain[Number(ref)];
  if (!stored) return Buffer.from("null");
  if (method === "eth_getBlockReceipts") return stored.receipts;
  return whole ? stored.block : stored.header;
}

const calls = new Map<string, number>();

const server = createServer(async (request, response) => {
  if (request.method === "GET") {
    response.end(JSON.stringify(Object.fromEntries(calls)));
    calls.clear();
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const asked = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
  const parts = [asked].flat().flatMap((call, index) => {
    calls.set(call.method, (calls.get(call.method) ?? 0) + 1);
    const before = Array.isArray(asked) ? (index === 0 ? "[" : ",") : "";
    return [Buffer.from(`${before}{"jsonrpc":"2.0","id":${call.id},"result":`), resultOf(call), Buffer.from("}")];
  });
  if (Array.isArray(asked)) parts.push(Buffer.from("]"));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  response.writeHead(200, { "content-type": "application/json", "content-length": length });
  response.cork();
  for (const part of parts) response.write(part);
  response.end();
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
