/** Whether the transfers of a notification are those of its logs and its value. */
import { inWhole, tokenTransfers } from "../../../server/matching/transfers.ts";
import type { Hex, WireLog } from "../../../server/matching/wire.ts";
import { asArray, asObject, type Json, type JsonObject } from "../../document/json.ts";

const lists = ["erc20Transfers", "erc721Transfers", "erc1155Transfers", "nativeTransfers"] as const;

/**
 * @param transaction of a notification that follows the schema
 * @param logs absent if the webhook has no `includeLogs`; the tokens' transfers are then unexamined
 */
export function transfersFault(
  transaction: JsonObject,
  logs: Json | undefined,
  includeTransfers: boolean,
): { expected: string; came: string } | undefined {
  const present = lists.filter((list) => transaction[list] !== undefined);
  const wanted = includeTransfers ? [...lists] : [];
  if (present.length !== wanted.length) return fault(wanted, present);
  if (!includeTransfers) return undefined;
  const [erc20 = [], erc721 = [], erc1155 = [], native = []] = lists.map((list) =>
    asArray(transaction[list]).map(asObject),
  );
  const status: Hex = transaction.txStatus === "0" ? "0x0" : "0x1";
  if (logs !== undefined) {
    const expected = tokenTransfers({ status, logs: asArray(logs).map(asObject).map(wireLog) }).map(
      ({ standard, contract, from, to, value, tokenId, logIndex }) =>
        line(standard, logIndex, contract, from, to, value, tokenId),
    );
    const came = [...erc20, ...erc721, ...erc1155].map(lineOf);
    if (expected.toSorted().join() !== came.toSorted().join()) return fault(expected, came);
  }
  const { from, value } = transaction;
  const isMoved = status === "0x1" && value !== "0";
  const [first] = native;
  if (isMoved && (first?.from !== from || first?.value !== value))
    return fault(
      [`NATIVE of ${value} from ${from} first`],
      [first ? `NATIVE of ${first.value} from ${first.from}` : ""],
    );
  if (status === "0x0" && native.length > 0) return fault([], ["nativeTransfers of a failed transaction"]);
  // Without call frames, there is none but the transaction's own.
  const most = transaction.internalTransactions === undefined ? Number(isMoved) : native.length;
  if (native.length > most || native.some((one) => one.value === "0"))
    return fault(["no native transfer of nothing, and none besides the transaction's own"], native.map(lineOf));
  const { txHash } = transaction;
  if ([...erc20, ...erc721, ...erc1155, ...native].some(({ transactionHash }) => transactionHash !== txHash))
    return fault([`transfers with the transactionHash ${txHash}`], ["another one"]);
  for (const transfer of erc20) {
    const { decimals, valueWithDecimals } = asObject(transfer.erc20Token);
    const exact = inWhole(BigInt(String(transfer.value)), typeof decimals === "number" ? decimals : null);
    if (valueWithDecimals !== exact) return fault([`valueWithDecimals ${exact}`], [`${valueWithDecimals}`]);
  }
  return undefined;
}

const fault = (expected: readonly string[], came: readonly string[]) => ({
  expected: expected.join(", ") || "no transfers",
  came: came.join(", ") || "no transfers",
});

const line = (...parts: unknown[]) => parts.map((part) => String(part ?? "").toLowerCase()).join(" ");

function lineOf({ type, logIndex, from, to, value, tokenId, ...tokens }: JsonObject): string {
  const { address } = asObject(tokens.erc20Token ?? tokens.erc721Token ?? tokens.erc1155Token);
  return line(type, logIndex, address, from, to, value, tokenId);
}

/** The schema says that these are hex. */
function wireLog({ address, topic0, topic1, topic2, topic3, data }: JsonObject): WireLog {
  const topics = [topic0, topic1, topic2, topic3].flatMap((topic) => (typeof topic === "string" ? hex(topic) : []));
  return { address: hex(address), topics, data: hex(data), logIndex: "0x0" };
}

const hex = (text: Json | undefined): Hex => `0x${String(text).slice(2)}`;
