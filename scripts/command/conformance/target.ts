/** What a run needs to know of a server before it begins: that it answers, knows the keys, and has a chain to use. */

import type { OperationId } from "../../../generated/operations.ts";
import { asObject, type JsonObject } from "../../document/json.ts";
import { examine } from "./examine.ts";
import type { ExchangeRecorder, RecordedExchange } from "./exchange.ts";
import { NotExaminable } from "./not-examinable.ts";
import { createProbe, itemsOf, type ProbeCall, quietAddress, type Target } from "./probe.ts";

// Below a name that RFC 2606 reserves, so that nobody listens there. A name in .invalid would be refused.
const nowhere = "https://receiver.example.com/notifications";

/** Which server, by which keys, and with which of its chains and addresses. */
type Wanted = {
  baseUrl: URL;
  apiKey: string;
  otherKey?: string | undefined;
  chainId?: string | undefined;
  address?: string | undefined;
};

/** Looks at the server for the first time. @throws NotExaminable when it does not answer, or not to a key */
export async function findTarget(recorder: ExchangeRecorder, options: Wanted, notes: string[]): Promise<Target> {
  const { baseUrl, apiKey, otherKey, address } = options;
  const unset = {
    apiKey,
    chainId: "",
    traces: undefined,
    followedBlock: undefined,
    address: "",
    activeAddress: undefined,
  };
  const probe = createProbe({ recorder, target: { ...unset, url: nowhere }, findings: [], notes }, "start");
  const ask = (operation: OperationId, call?: ProbeCall) =>
    probe.send(operation, call).catch((error: unknown) => {
      const why = error instanceof Error ? error.message || error.name : String(error);
      throw new NotExaminable(`${baseUrl.href} does not answer: ${why}`);
    });
  const listed = await ask("listChains");
  const own = await ask("listWebhooks", { query: { pageSize: 1 } });
  if (own.status === 401) throw new NotExaminable("The server does not know the key given with --key (401).");
  if (otherKey !== undefined) {
    if (otherKey === apiKey)
      throw new NotExaminable("--other-key must be a key of another account than that of --key.");
    const other = await ask("listWebhooks", { query: { pageSize: 1 }, key: otherKey });
    if (other.status === 401) throw new NotExaminable("The server does not know the key given with --other-key (401).");
  }
  const chain = chosen(listed, options);
  const { followedBlock, traces } = chain;
  if (typeof traces !== "boolean")
    notes.push(
      `traces-refused, includeInternalTxs: listChains does not say whether chain ${chain.chainId} has traces.`,
    );
  return {
    apiKey,
    chainId: String(chain.chainId),
    traces: typeof traces === "boolean" ? traces : undefined,
    followedBlock: /^\d+$/.test(String(followedBlock)) ? BigInt(String(followedBlock)) : undefined,
    address: quietAddress,
    activeAddress: address?.toLowerCase(),
    url: nowhere,
  };
}

/** The chain asked for, or one that is followed. */
function chosen(listed: RecordedExchange, { chainId, baseUrl }: Wanted): JsonObject {
  const chains = itemsOf(asObject(listed.json), "chains");
  if (chainId !== undefined) return chains.find((chain) => chain.chainId === chainId) ?? { chainId };
  const chain = chains.find(({ followedBlock }) => followedBlock !== undefined) ?? chains[0];
  if (!chain && listed.status !== 200)
    throw new NotExaminable(
      `listChains returned ${listed.status}, so there is no chain to try. BASE_URL is what comes before /v1: ${baseUrl.href}`,
    );
  const [fault] = chain ? [] : examine(listed);
  if (fault)
    throw new NotExaminable(
      `listChains is not to be read: expected ${fault.expected}, came ${JSON.stringify(fault.came)}`,
    );
  if (!chain) throw new NotExaminable("listChains has no chain to try; name one with --chain-id.");
  return chain;
}
