/** The addresses that a webhook watches. */
import type { components } from "../../../generated/types.ts";
import { checkAddresses } from "../../contract/address-input.ts";
import { inTransaction } from "../../store/pool.ts";
import { type AddressChange, addAddresses, listAddresses, removeAddresses } from "../../store/webhooks/addresses.ts";
import { getWebhook } from "../../store/webhooks/webhooks.ts";
import type { HandlerContext, ServiceHandlers } from "./context.ts";
import { addressPageToken, parseAddressPageToken } from "./page-token.ts";
import { historyStart } from "./questions.ts";

export function addressHandlers({
  pool,
  quotas,
}: HandlerContext): Pick<ServiceHandlers, "listWebhookAddresses" | "addWebhookAddresses" | "removeWebhookAddresses"> {
  return {
    async listWebhookAddresses({ caller, path, query }) {
      const after = parseAddressPageToken(query.pageToken);
      const page = await listAddresses(pool, caller.accountId, path.id, { limit: query.pageSize + 1, after });
      const addresses = page.addresses.slice(0, query.pageSize);
      const last = page.addresses.length > addresses.length ? addresses.at(-1) : undefined;
      const next = last === undefined ? {} : { nextPageToken: addressPageToken(last) };
      return { status: 200, body: { addresses, totalAddresses: page.total, ...next } };
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
  };
}

function toChange({ webhook, changed, firstBlock, replayId }: AddressChange): components["schemas"]["AddressChange"] {
  const record = { ...webhook, effectiveFromBlock: String(firstBlock) };
  return { ...record, changed, totalAddresses: webhook.addressCount, ...(replayId !== undefined && { replayId }) };
}
