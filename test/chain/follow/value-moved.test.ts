/** Every way in which a contract can move value, followed from a real node and held against the accounts' real balances. */
import { afterEach, expect, test } from "vitest";
import { gainsReported } from "../../support/value-moved.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";

let world: ChainWorld;
afterEach(() => world.stop());

const push = (address: string) => `73${address.slice(2)}`;
const noData = "6000600060006000";
/** Calls an address with so much value, or on the caller's own account, and passes over the outcome. */
const call = (to: string, value: number) => `${noData}60${value.toString(16).padStart(2, "0")}${push(to)}5af150`;
const delegateCall = (to: string) => `${noData}${push(to)}5af450`;
const staticCall = (to: string) => `${noData}${push(to)}5afa50`;
const callCode = (to: string, value: number) => `${noData}60${value.toString(16).padStart(2, "0")}${push(to)}5af250`;
/** Creates a contract that destroys itself immediately, in favour of an address. */
const createAndDestroy = (heir: string, value: number) =>
  `75${push(heir)}ff6000526016600a60${value.toString(16).padStart(2, "0")}f050`;
const revert = "60006000fd";
const stop = "60006000f3";

test("the notified value is the value that moved", async () => {
  world = await startChainWorld();
  const { rpc } = world.chain;
  const [payee, heir, behindRevert, library] = [freshAddress(), freshAddress(), freshAddress(), freshAddress()];
  const reverting = freshAddress();
  await rpc("anvil_setCode", [reverting, `0x${call(behindRevert, 3)}${revert}`]);
  await rpc("anvil_setCode", [library, "0x00"]);
  await world.start();
  await world.followed();
  const { id } = await world.watch({ addresses: [payee], includeInternalTxs: true });

  const [sender = ""] = await rpc<string[]>("eth_accounts");
  const code = [
    call(payee, 7),
    createAndDestroy(heir, 5),
    delegateCall(library),
    callCode(library, 2),
    staticCall(library),
    call(reverting, 9),
    stop,
  ];
  const transaction = { from: sender, data: `0x${code.join("")}`, value: "0x64", gas: "0x100000" };
  const hash = await rpc<string>("eth_sendTransaction", [transaction]);
  const notified = await soon(async () => {
    const [first] = await world.notified({ id });
    if (!first) throw new Error("nothing is notified yet");
    return first;
  });
  expect(notified.transactionHash).toBe(hash);
  const { internalTransactions = [], contractAddress } = notified.event.transaction;
  expect(internalTransactions.map(({ internalTxType, value }) => [internalTxType, value])).toEqual([
    ["CALL", "7"],
    ["CREATE", "5"],
    ["SELFDESTRUCT", "5"],
    ["DELEGATECALL", "0"],
    ["CALLCODE", "0"],
    ["STATICCALL", "0"],
  ]);

  const { blockNumber } = notified;
  const { miner } = await rpc<{ miner: string }>("eth_getBlockByNumber", [`0x${blockNumber.toString(16)}`, false]);
  const balance = async (address: string, block: number) =>
    BigInt(await rpc<string>("eth_getBalance", [address, `0x${block.toString(16)}`]));
  const gains = gainsReported(notified.event, miner);
  const created = internalTransactions[1]?.to ?? "";
  for (const address of [payee, heir, behindRevert, library, reverting, contractAddress, created, sender]) {
    const change = (await balance(address, blockNumber)) - (await balance(address, blockNumber - 1));
    expect([address, gains.get(address) ?? 0n]).toEqual([address, change]);
  }
  expect([payee, heir, contractAddress].map((address) => gains.get(address))).toEqual([7n, 5n, 88n]);
});
