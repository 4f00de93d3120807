import { readBlock } from "../../server/chain/read/block.ts";
import { participantsOf } from "../../server/matching/participants.ts";
import { syntheticBlock } from "./synthetic-block.ts";
import { watchedAddress } from "./fill-watched.ts";
import { abi, mint, ofArguments, ofTransfers, transferTopic } from "./fill-rules.ts";
const none = new Set<string>();
const kind = (n: number, rules: boolean) => !rules ? undefined : n % 100 === 1 ? { includeTransfers: true, abi, conditions: ofArguments } : n % 10 === 0 ? { includeTransfers: true, conditions: ofTransfers } : { includeTransfers: true };
const anywhere = (text: any) => Array.from({ length: 100 }, (_, i) => ({ id: "any" + i, shard: 1, eventSignatures: new Set([transferTopic]), includeInternalTxs: false, includeLogs: false, options: structuredClone(text) }));
const modes: Record<string, (n: number) => any> = { plain: (n) => kind(n, false), rules: (n) => kind(n, true), all: (n) => kind(n, true) };
const t: Record<string, number[]> = { plain: [], rules: [], all: [] };
let number = 0;
for (let round = 0; round < Number(process.argv[2] ?? 60); round++) {
  for (const mode of Object.keys(modes)) {
    const hits = Array.from({ length: 10 }, (_, i) => watchedAddress(round * 10 + i));
    const bundle = syntheticBlock(++number, hits);
    const watchedBy = new Map(hits.map((h, i) => { const n = Math.floor(Math.random() * 1e5); const o = modes[mode]!(n); return [h, [{ id: "w" + n, shard: 1, eventSignatures: none, includeInternalTxs: false, includeLogs: true, ...(o && { options: structuredClone(o) }) }]]; }));
    const beyond = mode === "all" ? { anywhere: anywhere({ anyAddress: true, conditions: mint }), factories: [] } : undefined;
    const a = performance.now();
    const block = readBlock(bundle, "1");
    await block.match(watchedBy as any, undefined, beyond as any);
    t[mode]!.push(performance.now() - a);
  }
}
const q = (xs: number[], p: number) => { const s = [...xs].slice(Math.floor(xs.length / 3)).sort((a, b) => a - b); return s[Math.floor(s.length * p)]!.toFixed(2); };
for (const m of Object.keys(t)) console.log(m, "min", q(t[m]!, 0), "p25", q(t[m]!, 0.25), "median", q(t[m]!, 0.5));
