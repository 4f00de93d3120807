/**
 * Reads recorded blocks: what a node's JSON-RPC returned, one file for each call, gzipped or not.
 *
 *   N.block.json     eth_getBlockByNumber(N, true)
 *   N.receipts.json  eth_getBlockReceipts(N)
 *   N.calls.json     debug_traceBlockByNumber(N, {tracer: "callTracer"}), which may be missing for all blocks
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { type ReadBlock, readBlock } from "../../../../server/chain/read/block.ts";
import { buildEvent } from "../../../../server/matching/event.ts";
import { participantsOf } from "../../../../server/matching/participants.ts";
import type { BlockBundle, WireBlock, WireReceipt, WireTrace } from "../../../../server/matching/wire.ts";
import { CommandError } from "../../command-line.ts";

export type RecordedChain = {
  /** In decimal digits. */
  chainId: string;
  /** In ascending order of their number; at least one. */
  bundles: readonly BlockBundle[];
  /** Whether all of them have traces. */
  traces: boolean;
  /** As the service reads a block. It is here since a page, where nothing is played, need not have it. */
  read(bundle: BlockBundle): ReadBlock;
};

/** Three blocks of Ethereum, 112 KB, which come with the package. */
export const shippedNames = /^(6196166|9069000|19933122)\./;
const shipped = fileURLToPath(new URL("../../../../test/data/mainnet-traced", import.meta.url));

const fileName = /^(\d+)\.(block|receipts|calls)\.json(\.gz)?$/;

/**
 * Reads the blocks of a folder, or those of the folder that one of its files is in and that have the file's number.
 *
 * @param place a path, or `recorded` for the blocks of the package
 * @param chainId the chain that they are played as; the one that their transactions name by default
 * @throws {CommandError} that names the file and what it must be
 */
export async function readRecorded(place: string, chainId?: string): Promise<RecordedChain> {
  const files = place === "recorded" ? await filesIn(shipped, shippedNames) : await filesAt(place);
  const numbers = [...new Set(files.map(({ number }) => number))].sort((a, b) => a - b);
  if (numbers.length === 0) throw new CommandError(`${place} must have files such as 19933122.block.json.`);
  const bundles: BlockBundle[] = [];
  for (const number of numbers) bundles.push(await readBundle(place, number, files));
  const own = chainId ?? chainIdOf(bundles);
  if (own === undefined)
    throw new CommandError(`--chain-id must say which chain ${place} is of, since no transaction in it does.`);
  for (const bundle of bundles) assertComplete(bundle, own);
  const traces = bundles.every((bundle) => bundle.traces !== undefined);
  return { chainId: own, bundles, traces, read: (bundle) => readBlock(bundle, own) };
}

/** Whether it is one in decimal digits. */
export const isChainId = (text: string): boolean => /^[1-9]\d{0,18}$/.test(text);

type RecordedFile = { path: string; number: number; kind: string };

async function filesAt(place: string): Promise<RecordedFile[]> {
  const found = await stat(place).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      `--chain must be recorded, or a folder or file of recorded blocks; ${place} is not readable (${error.code}).`,
    );
  });
  if (found.isDirectory()) return filesIn(place);
  const [, number] = fileName.exec(basename(place)) ?? [];
  if (number === undefined) throw new CommandError(`${place} must be named like 19933122.block.json.`);
  return filesIn(join(place, ".."), new RegExp(`^${number}\\.`));
}

async function filesIn(folder: string, wanted = /^/): Promise<RecordedFile[]> {
  return (await readdir(folder)).flatMap((name) => {
    const [, number = "", kind = ""] = (wanted.test(name) && fileName.exec(name)) || [];
    return kind === "" ? [] : [{ path: join(folder, name), number: Number(number), kind }];
  });
}

async function readBundle(place: string, number: number, files: readonly RecordedFile[]): Promise<BlockBundle> {
  const read = async <T>(kind: string): Promise<T | undefined> => {
    const file = files.find((one) => one.number === number && one.kind === kind);
    return file && ((await readResult(file.path)) as T);
  };
  const [block, receipts, traces] = [
    await read<WireBlock>("block"),
    await read<WireReceipt[]>("receipts"),
    await read<WireTrace[]>("calls"),
  ];
  if (!block || !receipts)
    throw new CommandError(`${place} must have ${number}.block.json and ${number}.receipts.json.`);
  return { block, receipts, ...(traces && { traces }) };
}

/** A file has the whole answer of a node, or only its result. */
async function readResult(path: string): Promise<unknown> {
  try {
    const content = await readFile(path);
    const value: unknown = JSON.parse((path.endsWith(".gz") ? gunzipSync(content) : content).toString());
    return typeof value === "object" && value !== null && "result" in value ? value.result : value;
  } catch (error) {
    throw new CommandError(`${path} must be JSON: ${(error as Error).message}.`, { cause: error });
  }
}

/** Builds everything that a notification can have, so that nothing is missed while the chain is played. */
function assertComplete(bundle: BlockBundle, chainId: string): void {
  const { block } = bundle;
  try {
    for (const name of ["hash", "number", "parentHash", "timestamp", "receiptsRoot"] as const)
      if (typeof block[name] !== "string") throw new Error(`It lacks ${name}.`);
    if (typeof block.transactions[0] === "string") throw new Error("Its transactions must be whole, not hashes.");
    participantsOf(bundle);
    const includeInternalTxs = bundle.traces !== undefined;
    for (const index of block.transactions.keys())
      buildEvent(bundle, index, { chainId, includeLogs: true, includeInternalTxs, includeTransfers: true });
  } catch (error) {
    throw new CommandError(`Block ${Number(block.number)} cannot be played. ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function chainIdOf(bundles: readonly BlockBundle[]): string | undefined {
  const [named] = bundles.flatMap(({ block }) => block.transactions.flatMap(({ chainId }) => chainId ?? []));
  return named && BigInt(named).toString();
}
