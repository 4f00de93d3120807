/** Gives tests the recorded blocks of test/data: real answers of real nodes, see its README. */
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { BlockBundle, WireBlock, WireReceipt, WireTrace } from "../../server/matching/wire.ts";
import { avalancheBalances, avalancheBundles } from "./recorded-avalanche.ts";

/** A recorded block by its name, such as `mainnet/20000000`, `mainnet-traced/9069000` or `avalanche/12`. */
export type RecordedBlock = { name: string; chainId: string; bundle: BlockBundle };

const folder = new URL("../data/", import.meta.url);

function read<T>(path: string): T {
  return JSON.parse(gunzipSync(readFileSync(new URL(`${path}.json.gz`, folder))).toString()) as T;
}

function mainnetBlock(group: string, number: string): RecordedBlock {
  const name = `${group}/${number}`;
  const block = read<WireBlock>(`${name}.block`);
  const receipts = read<WireReceipt[]>(`${name}.receipts`);
  const traced = group === "mainnet-traced" && { traces: read<WireTrace[]>(`${name}.calls`) };
  return { name, chainId: "1", bundle: { block, receipts, ...traced } };
}

function mainnetNumbers(group: string): string[] {
  const names = readdirSync(new URL(group, folder)).filter((name) => name.includes(".block."));
  return names.map((name) => name.slice(0, name.indexOf("."))).sort((a, b) => Number(a) - Number(b));
}

/** A block of a chain without a profile, such as `cronos-6542`, that its nodes return as it is here. Each call reads it again. */
export function otherChainBundle(name: string): BlockBundle {
  const path = `other-chains/${name}`;
  return { block: read<WireBlock>(`${path}.block`), receipts: read<WireReceipt[]>(`${path}.receipts`) };
}

let known: Map<string, RecordedBlock> | undefined;

function all(): Map<string, RecordedBlock> {
  known ??= new Map(
    [
      ...["mainnet", "mainnet-traced"].flatMap((group) =>
        mainnetNumbers(group).map((number) => mainnetBlock(group, number)),
      ),
      ...avalancheBundles(read("avalanche/cchain-fixture")).map((bundle) => ({
        name: `avalanche/${Number(bundle.block.number)}`,
        chainId: "43110",
        bundle,
      })),
    ].map((recorded) => [recorded.name, recorded]),
  );
  return known;
}

/** Every recorded block. They are read once and shared: do not change them. */
export function recordedBlocks(): RecordedBlock[] {
  return [...all().values()];
}

/** One recorded block. @throws when there is none of that name. */
export function recordedBundle(name: string): BlockBundle {
  const recorded = all().get(name);
  if (!recorded) throw new Error(`There is no recorded block ${name}; there are ${[...all().keys()].join(", ")}.`);
  return recorded.bundle;
}

/** What some accounts of the recorded C-Chain had after each block: by address, the balances by block number. */
export function recordedBalances(): Map<string, Map<number, bigint>> {
  return avalancheBalances(read("avalanche/cchain-fixture"));
}
