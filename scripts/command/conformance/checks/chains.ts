/** The list of chains: in order, each once, without a key, and each chain in agreement with itself. */
import { apiKeyHeader } from "../../../../generated/operations.ts";
import { asArray, asObject, type JsonObject, sameJson } from "../../../document/json.ts";
import type { RecordedExchange } from "../exchange.ts";
import { itemsOf, type Probe } from "../probe.ts";

/** What a chain shows of its lane without traces. */
const ofLane = ["headBlock", "followedBlock", "lagBlocks", "blocksFrom", "stoppedSince", "stoppedReason"];

/** Reads the list. */
export async function checkChains(probe: Probe): Promise<void> {
  const listed = await probe.send("listChains", { headers: { [apiKeyHeader]: "" } });
  if (!probe.status(listed, "status-expected", 200)) return;
  const chains = itemsOf(asObject(listed.json), "chains");
  const ids = chains.map(({ chainId }) => (/^\d+$/.test(String(chainId)) ? BigInt(String(chainId)) : 0n));
  const ascending = ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? id));
  probe.check(listed, "chains-ascending", ascending, "chainId ascending, each once", ids.join(", "));
  for (const chain of chains) checkChain(probe, listed, chain);
}

function checkChain(probe: Probe, listed: RecordedExchange, chain: JsonObject): void {
  const agrees = (condition: boolean, expected: string) =>
    probe.check(listed, "chains-agree", condition, `chain ${chain.chainId}: ${expected}`);
  const { traces, finality, finalBlock, lanes } = chain;
  const [first, second, ...more] = asArray(lanes).map(asObject);
  for (const one of [chain, ...(first ? [first] : []), ...(second ? [second] : [])]) {
    const { headBlock, followedBlock, lagBlocks, stoppedSince, stoppedReason } = one;
    if (headBlock !== undefined && followedBlock !== undefined) {
      const between = Number(headBlock) - Number(followedBlock);
      agrees(lagBlocks === Math.max(0, between), `lagBlocks ${between}, between followedBlock and headBlock`);
    }
    agrees((stoppedSince === undefined) === (stoppedReason === undefined), "stoppedSince and stoppedReason together");
  }
  if (finality === undefined) agrees(finalBlock === undefined, "no finalBlock without a finality");
  if (!first) return;
  const isOrdered = first.traces === false && (second === undefined || second.traces === true) && more.length === 0;
  agrees(isOrdered, "a lane without traces, then at most one with traces");
  agrees(second === undefined || traces === true, "no lane with traces, since the chain has none");
  if (first.traces === false)
    for (const name of ofLane) agrees(sameJson(chain[name], first[name]), `${name} as in the lane without traces`);
}
