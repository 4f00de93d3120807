/** All that the mock remembers: one account, whatever the key. */
import type { Contract } from "../../../../server/contract/contract.ts";
import { exampleEventText } from "../../../../server/contract/example-event.ts";
import type { Quotas } from "../../../../server/settings/limits.ts";
import type { RecordedChain } from "../chain/recorded.ts";
import { createChainState, type MockChains } from "../chain/state.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { type MockSecret, newSharedSecret } from "./records.ts";
import { createMockSender, createSentLog, type SentLog, type Transport } from "./sender.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";

export type MockAccount = {
  webhooks: Webhooks;
  outbox: Outbox;
  chain: MockChains;
  quotas: Quotas;
  shared: MockSecret;
  log: SentLog;
  /** Sends a new webhook its first notification. Those on the chain that is played get theirs from there. */
  greet(id: string): Promise<void>;
  onReset(forget: () => void): void;
  /** Back to the contract's examples. */
  reset(): void;
  close(): Promise<void>;
};

export type AccountOptions = {
  contract: Contract;
  say: (line: string) => void;
  /** The service's own by default. */
  quotas?: Partial<Quotas> | undefined;
  retryPauseMs?: number | undefined;
  chain?: { recorded: RecordedChain; blocksPerSecond: number } | undefined;
  /** What makes the POSTs. */
  transport: Transport;
  /** What would allow a POST that was not made, for its line. */
  allowedBy: string;
};

/** A tenth of the service's quota of addresses: here they are in memory. */
const defaultQuotas: Quotas = { webhooks: 10_000, addresses: 1_000_000 };

export function createAccount(options: AccountOptions): MockAccount {
  const { contract, say, quotas, retryPauseMs, chain, transport, allowedBy } = options;
  const webhooks = createWebhooks(contract);
  const log = createSentLog(say, allowedBy);
  const shared: MockSecret = { secret: newSharedSecret() };
  const outbox = createOutbox({ sender: createMockSender(log, transport, shared), retryPauseMs });
  const chainState = createChainState({ contract, webhooks, outbox, say, ...chain });
  const greeted = new WeakSet<object>();
  const forgets: (() => void)[] = [];
  return {
    webhooks,
    outbox,
    shared,
    log,
    chain: chainState,
    quotas: {
      webhooks: quotas?.webhooks ?? defaultQuotas.webhooks,
      addresses: quotas?.addresses ?? defaultQuotas.addresses,
    },
    async greet(id) {
      if (!webhooks.has(id)) return;
      const webhook = webhooks.get(id);
      if (greeted.has(webhook) || chainState.plays(webhook.record.chainId)) return;
      greeted.add(webhook);
      const eventText = await exampleEventText(webhook.record);
      if (!webhook.isDeleted) void outbox.attempt(outbox.add(webhook, eventText), "schedule");
    },
    onReset: (forget) => forgets.push(forget),
    reset() {
      outbox.reset();
      webhooks.reset();
      log.reset();
      chainState.reset();
      for (const forget of forgets) forget();
    },
    async close() {
      chainState.stop();
      webhooks.reset();
      await outbox.close();
    },
  };
}
