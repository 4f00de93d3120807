/**
 * Values of which no schema says whether they are valid, since that depends on other fields or on a grammar: conditions, and events in
 * JSON ABI form. These are valid by the contract's words, wherever they are given; of any other, a case leaves it to the server.
 */
import type { Json, JsonObject } from "../../../document/json.ts";
import { sameJson } from "../../../document/json.ts";

const someone = `0x${"5a".repeat(20)}`;

/** At least one for each kind of value, each op and each way to combine. None is of an argument, which would need its event in `abi`. */
export const knownConditions: readonly JsonObject[] = [
  { field: "transaction.value", op: "gte", value: "1000000" },
  { field: "transaction.value", op: "lt", value: "0xde0b6b3a7640000" },
  { field: "transaction.status", op: "eq", value: "1" },
  { field: "transaction.from", op: "ne", value: someone },
  { field: "transaction.to", op: "in", value: [someone, `0x${"5B".repeat(20)}`] },
  { field: "transaction.method", op: "eq", value: "0xa9059cbb" },
  { field: "transfer.standard", op: "in", value: ["erc721", "erc1155"] },
  { field: "transfer.contract", op: "eq", value: someone },
  { field: "transfer.tokenId", op: "lte", value: "7" },
  { field: "transfer.direction", op: "eq", value: "in" },
  {
    all: [
      { field: "transfer.value", op: "gt", value: "0" },
      {
        any: [
          { field: "transfer.to", op: "eq", value: someone },
          { not: { field: "transaction.value", op: "eq", value: "0" } },
        ],
      },
    ],
  },
];

const indexed = (name: string, type: string) => ({ name, type, indexed: true });

/** Events of which no two have the same signature. */
export const knownEvents: readonly JsonObject[] = [
  {
    type: "event",
    name: "Transfer",
    inputs: [indexed("from", "address"), indexed("to", "address"), { name: "value", type: "uint256", indexed: false }],
  },
  { type: "event", name: "Paused", inputs: [] },
  { type: "event", name: "Named", inputs: [{ type: "string" }, { name: "ids", type: "uint8[2][]" }] },
  {
    type: "event",
    name: "Ordered",
    inputs: [
      indexed("id", "bytes32"),
      { name: "order", type: "tuple", components: [{ name: "amount", type: "int128" }, { type: "bool" }] },
    ],
  },
];

/** Whether it is one of them. */
export const isKnown = (value: Json, known: readonly JsonObject[]) => known.some((one) => sameJson(one, value));

/** The value of each header that a webhook of this command has, in some part. No answer may have it. */
export const secretValue = "Bearer of-conformance-3f9c1d72a8b4";
