/** Each way of spoiling the traces of a real block is caught by the check that is there for it. */
import { test } from "vitest";
import { assertCaught, type Corruption, otherAddress, otherHash, traceAt, traceWhere } from "./spoil.ts";

const traced = "mainnet-traced/19933122";
const cChain = "avalanche/21";

test.each<Corruption>([
  ["traces", "a trace is missing", traced, ({ traces }) => traces?.pop()],
  ["traces", "they are in another order", traced, ({ traces }) => traces?.reverse()],
  ["traces", "the node failed at one", traced, ({ traces }) => traces?.splice(0, 1, { error: "execution timeout" })],
  ["traces", "one is of another transaction", traced, (b) => Object.assign(traceAt(b, 0), { txHash: otherHash })],
  [
    "traces",
    "one is from someone else",
    traced,
    (b) => Object.assign(traceAt(b, 0).result ?? {}, { from: otherAddress }),
  ],
  ["traces", "one is to someone else", traced, (b) => Object.assign(traceAt(b, 0).result ?? {}, { to: otherAddress })],
  ["traces", "one moves another value", traced, (b) => Object.assign(traceAt(b, 0).result ?? {}, { value: "0x1" })],
  [
    "traces",
    "one failed where its transaction succeeded",
    traced,
    (b) => Object.assign(traceWhere(b, "0x1").result ?? {}, { error: "execution reverted" }),
  ],
  [
    "traces",
    "one succeeded where its transaction failed",
    "mainnet-traced/12244000",
    (b) => Reflect.deleteProperty(traceWhere(b, "0x0").result ?? {}, "error"),
  ],

  [
    "traceGas",
    "a trace used more than it had",
    traced,
    (b) => Object.assign(traceAt(b, 0).result ?? {}, { gasUsed: "0xffffffff" }),
  ],
  [
    "traceGas",
    "a trace had more than its transaction",
    traced,
    (b) => Object.assign(traceAt(b, 0).result ?? {}, { gas: "0xffffffff" }),
  ],
  [
    "traceGas",
    "a trace used other gas than its receipt",
    cChain,
    (b) => Object.assign(traceAt(b, 0).result ?? {}, { gasUsed: "0x5209" }),
  ],
])("%s catches that %s", assertCaught);
