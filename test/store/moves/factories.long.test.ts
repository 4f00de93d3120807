/** Factories create contracts while an account moves: its webhooks are notified of them as if it had stayed, by one cell or the other. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { noKeys } from "../../../server/settings/keyring.ts";
import { createKey, findCaller } from "../../../server/store/accounts/keys.ts";
import { beginAt, ensureChain } from "../../../server/store/chains/cursor.ts";
import { moveAccount } from "../../../server/store/moves/move-account.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import { createWebhook } from "../../../server/store/webhooks/creation.ts";
import { createdBy, expectedOf, factoryBundle } from "../../chain/factory-chain.ts";
import { blockAt, kinds, LaneFollowers } from "../../chain/lane-followers.ts";
import { MadeChain } from "../../chain/made-chain.ts";
import { inSequence, recordedOf, standing } from "../../chain/notified.ts";
import { openCells } from "./cells.ts";
import { Killed, mortal } from "./mortal.ts";

let cells: Awaited<ReturnType<typeof openCells>>;
beforeAll(async () => {
  cells = await openCells();
});
afterAll(() => cells.close());

/** Moves an account while its chain goes on before each transaction of the command, which is killed after as many statements. */
async function moveOnce(chainId: string, killedAfter: number): Promise<void> {
  const { pools } = cells;
  const chain = new MadeChain(chainId);
  chain.mine(2);
  const followers = pools.map((pool) => new LaneFollowers(pool, chain, factoryBundle));
  for (const pool of pools) {
    await ensureChain(pool, chainId);
    await beginAt(pool, { chainId, lane: 0 }, blockAt(chain.blocks, 1));
  }
  const stepAll = async () => {
    let moved = 0;
    for (const follower of followers) for (const kind of kinds) moved += (await follower.step(kind)) ? 1 : 0;
    return moved;
  };
  const account = `moving ${chainId}`;
  const { key } = await createKey(pools[0], { account, scopes: ["write"] });
  const accountId = (await findCaller(pools[0], key))?.accountId ?? 0;
  const watch = { addresses: [], eventSignatures: [], createdBy: createdBy[0] };
  const { id } = await inTransaction(pools[0], (db) =>
    createWebhook(db, accountId, { ...plain, ...watch, chainId, options: { createdBy: createdBy[0] } }, noKeys),
  );
  chain.mine(3);
  while (await stepAll());
  chain.finalise(2);
  let rounds = 0;
  const life = {
    statements: killedAfter,
    async meanwhile() {
      rounds += 1;
      if (rounds % 3 === 0) chain.reorganise(1);
      else chain.mine(1);
      await stepAll();
    },
  };
  const cellOf = (side: 0 | 1) => ({ pool: mortal(pools[side], life), name: `cell ${side}` });
  const move = () => moveAccount({ from: cellOf(0), to: cellOf(1) }, account, { keyring: noKeys });
  await move().catch((error) => {
    if (!(error instanceof Killed)) throw error;
    life.statements = Number.POSITIVE_INFINITY;
    return move();
  });
  chain.mine(4);
  chain.reorganise(2);
  while (await stepAll());
  const { hashes, watched } = expectedOf(chain.blocks, watch, 2);
  const notified = inSequence(id, (await Promise.all(pools.map((pool) => recordedOf(pool, id)))).flat());
  expect(standing(notified).map(({ hash }) => hash)).toEqual(hashes);
  const { rows } = await pools[1].query(
    `SELECT address_count, ARRAY(SELECT '0x' || encode(address, 'hex') FROM webhook_addresses WHERE webhook_id = w.id ORDER BY 1) AS addresses,
       (SELECT addresses FROM accounts a WHERE a.id = w.account_id) AS "ofAccount"
     FROM webhooks w WHERE id = $1`,
    [id],
  );
  expect(rows).toEqual([{ address_count: watched.length, addresses: watched, ofAccount: watched.length }]);
}

const plain = {
  ...{ url: "https://example.com/hook", eventType: "address_activity" as const, name: "", description: "" },
  ...{ includeLogs: false, includeInternalTxs: false },
};

test.each([Number.POSITIVE_INFINITY, 20, 45, 70, 90, 110])(
  "an account moves while its factory creates contracts; the command is killed after %d statements and run again",
  (killedAfter) => moveOnce(String(8_000_000 + (Number.isFinite(killedAfter) ? killedAfter : 0)), killedAfter),
);
