/** The addresses that a webhook watches. */
import type { components } from "../../../generated/types.ts";
import { checkAddresses, readPrefixes } from "../../contract/address-input.ts";
import { inTransaction } from "../../store/pool.ts";
import {
  type AddressChange,
  addAddresses,
  changeInParts,
  listAddresses,
  listDigests,
  removeAddresses,
} from "../../store/webhooks/addresses.ts";
import { getWebhook } from "../../store/webhooks/webhooks.ts";
import type { HandlerContext, ServiceHandlers } from "./context.ts";
import { addressPageToken, parseAddressPageToken } from "./page-token.ts";
import { historyStart } from "./questions.ts";

type AddressHandlers = Pick<
  ServiceHandlers,
  | "listWebhookAddresses"
  | "listWebhookAddressDigests"
  | "addWebhookAddresses"
  | "removeWebhookAddresses"
  | "changeWebhookAddresses"
>;

export function addressHandlers({ pool, quotas }: HandlerContext): AddressHandlers {
  const inLine = oneAtATime();
  return {
    async listWebhookAddresses({ caller, path, query }) {
      const after = parseAddressPageToken(query.pageToken);
      const page = await listAddresses(pool, caller.accountId, path.id, { limit: query.pageSize + 1, after });
      const addresses = page.addresses.slice(0, query.pageSize);
      const last = page.addresses.length > addresses.length ? addresses.at(-1) : undefined;
      const next = last === undefined ? {} : { nextPageToken: addressPageToken(last) };
      return { status: 200, body: { addresses, totalAddresses: page.total, ...next } };
    },
    async listWebhookAddressDigests({ caller, path, query }) {
      const prefixes = readPrefixes(query.prefix);
      const read = () => listDigests(pool, caller.accountId, path.id, prefixes);
      const digests = await (prefixes.length === 0 ? read() : inLine(caller.accountId, read));
      return { status: 200, body: { digests } };
    },
    async addWebhookAddresses({ caller, path, body }) {
      const { addresses, fromBlock } = body;
      const { accountId } = caller;
      await checkAddresses(addresses, "addresses");
      // Nodes are asked before the transaction.
      const past =
        fromBlock === undefined
          ? undefined
          : await historyStart(pool, accountId, { ...(await getWebhook(pool, accountId, path.id)), fromBlock });
      const options = { quotas, from: past?.from };
      const change = await inTransaction(pool, (db) => addAddresses(db, accountId, path.id, addresses, options));
      return { status: 200, body: toChange(change) };
    },
    async removeWebhookAddresses({ caller, path, body }) {
      const { addresses } = body;
      await checkAddresses(addresses, "addresses");
      const change = await inTransaction(pool, (db) => removeAddresses(db, caller.accountId, path.id, addresses));
      return { status: 200, body: toChange(change) };
    },
    async changeWebhookAddresses({ caller: { accountId }, path, body }) {
      const { add = [], remove = [], commit, addressDigest } = body;
      await checkAddresses(add, "add");
      await checkAddresses(remove, "remove");
      const options = { quotas, commit, digest: addressDigest?.toLowerCase() };
      const change = await inTransaction(pool, (db) => changeInParts(db, accountId, path, { add, remove }, options));
      return { status: 200, body: change };
    },
  };
}

function toChange({ webhook, changed, firstBlock, replayId }: AddressChange): components["schemas"]["AddressChange"] {
  const record = { ...webhook, effectiveFromBlock: String(firstBlock) };
  return { ...record, changed, totalAddresses: webhook.addressCount, ...(replayId !== undefined && { replayId }) };
}

/**
 * Runs an account's readings one after the other. Where a million addresses begin alike, each keeps a processor of the database busy for 4 s,
 * and an account may have half of the connections.
 */
function oneAtATime() {
  const newest = new Map<number, Promise<unknown>>();
  return <T>(accountId: number, read: () => Promise<T>): Promise<T> => {
    const own = (newest.get(accountId) ?? Promise.resolve()).then(read, read);
    const end = () => {
      if (newest.get(accountId) === own) newest.delete(accountId);
    };
    newest.set(accountId, own);
    own.then(end, end);
    return own;
  };
}
