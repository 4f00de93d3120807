/**
 * Previews and explanations on the mock, by the service's own rule and reasons. Of the chain that is played it has whole blocks; of any other,
 * what it sent and the contract's example notifications.
 */
import { createHash } from "node:crypto";
import type { components } from "../../../../generated/types.ts";
import { blockOfEvent, eventTextFor } from "../../../../server/contract/example-event.ts";
import type { Handlers } from "../../../../server/contract/handlers.ts";
import {
  type PreviewedPlace,
  readPreview,
  unknownBlock,
  unknownTransaction,
} from "../../../../server/contract/webhook-input.ts";
import type { BlockAnswer } from "../../../../server/matching/explanation.ts";
import { shownOptions } from "../../../../server/matching/new-webhook.ts";
import { answerQuestion, type BlockQuestion } from "../../../../server/matching/question.ts";
import { explain, previewOf } from "../../../../server/matching/verdict.ts";
import { dayMs, defaultPeriods } from "../../../../server/settings/periods.ts";
import { loadScenarios } from "../../notifications/scenarios.ts";
import { knownTokens } from "../chain/known-tokens.ts";
import { watcherOf } from "../chain/state.ts";
import type { MockAccount } from "./account.ts";

import { recordOf } from "./notification-record.ts";

type Event = components["schemas"]["AddressActivityEvent"];
type Chain = components["schemas"]["Chain"];
type Asked = { chainId: string; place: PreviewedPlace; question: Omit<BlockQuestion, "txHash"> };
type Answered = BlockAnswer & { blockNumber: number; blockHash: string };

export function mockQuestionHandlers({
  webhooks,
  chain,
}: MockAccount): Pick<Handlers, "previewWebhook" | "explainWebhook"> {
  /** @returns undefined for what the chain does not have */
  async function answerTo(
    { chainId, place, question }: Asked,
    sent: readonly Event[] = [],
  ): Promise<Answered | undefined> {
    const asked = { ...question, ...("txHash" in place && { txHash: place.txHash }) };
    if (chain.plays(chainId)) {
      const bundle = await chain.find(place);
      if (!bundle) return undefined;
      const block = blockOf(bundle.block);
      const depth = Math.max(0, (chain.followed() ?? 0) - block.blockNumber);
      return { ...block, ...answerQuestion(bundle, chainId, { ...asked, depth }, knownTokens) };
    }
    const events = [...sent, ...(await exampleEvents())].filter(({ transaction }) =>
      "txHash" in place ? transaction.txHash === place.txHash : transaction.blockNumber === place.blockNumber,
    );
    const bundles = distinct(events).map((event) => ({ event, bundle: blockOfEvent(event) }));
    const [first] = bundles;
    if (!first) return undefined;
    const answers = bundles.map(({ event, bundle }) => ({
      event,
      answer: answerQuestion(bundle, chainId, { ...asked, payloads: false }),
    }));
    const transactions = answers.flatMap(({ event, answer }) =>
      answer.transactions.map((transaction) => ({
        ...transaction,
        transactionIndex: event.transaction.transactionIndex,
        ...(question.payloads && transaction.reason === "matches" && { eventText: textFor(event, chainId, question) }),
      })),
    );
    return {
      ...blockOf(first.bundle.block),
      ...{ blockTimestamp: first.event.transaction.blockTimestamp, transactionCount: bundles.length, transactions },
      matchCount: answers.reduce((sum, { answer }) => sum + answer.matchCount, 0),
    };
  }

  return {
    async previewWebhook({ body }) {
      const { webhook, place } = await readPreview(body, chain.policyFor(body.chainId));
      const { chainId, addresses, eventSignatures, ...filter } = webhook;
      const watched = new Map(addresses.map((address) => [address, 0]));
      const asking = { ...filter, id: "", eventSignatures: new Set(eventSignatures) };
      const question = { webhook: asking, watched, payloads: true };
      const answer = (await answerTo({ chainId, place, question })) ?? emptyBlock(chain.list(), chainId, place);
      if (!answer) throw "txHash" in place ? unknownTransaction(chainId) : unknownBlock(chainId);
      return { status: 200, body: previewOf(chainId, answer, filter.options) };
    },
    async explainWebhook({ path: { id }, query }) {
      const webhook = webhooks.get(id);
      const { chainId } = webhook.record;
      const txHash = query.txHash.toLowerCase();
      const kept = [...webhook.notifications.values()].filter(({ transaction }) => transaction.txHash === txHash);
      const named = chain.namedFor(webhook);
      const given = [...webhook.addresses].filter((address) => !named.has(address));
      const watched = new Map(given.map((address) => [address, 0]));
      const question = { webhook: watcherOf(webhook), watched, named, payloads: false };
      const sent = kept.map(({ eventText }) => JSON.parse(eventText) as Event);
      const answer = await answerTo({ chainId, place: { txHash }, question }, sent);
      const [transaction] = answer?.transactions ?? [];
      if (kept.length === 0 && !transaction) throw unknownTransaction(chainId);
      const missingBlocks = chain.missingBlocks(webhook, txHash);
      const held = { isHeld: missingBlocks !== undefined, ...(missingBlocks !== undefined && { missingBlocks }) };
      const body = explain(txHash, answer && transaction && { ...answer, transaction }, {
        webhook: webhook.record,
        ...{ activeBefore: [], isOnOtherBranch: false, stoppedSince: undefined, ...held },
        followed: chain.plays(chainId) ? chain.followed() : answer?.blockNumber,
        notifications: kept.map(recordOf),
        // Recorded blocks are old.
        keptSince: chain.plays(chainId) ? 0 : Date.now() - defaultPeriods.retentionDays * dayMs,
      });
      return { status: 200, body };
    },
  };
}

/** On the contract's example chains, nothing happens in any block but those of the examples. */
function emptyBlock(chains: readonly Chain[], chainId: string, place: PreviewedPlace): Answered | undefined {
  const followed = chains.find((one) => one.chainId === chainId)?.followedBlock;
  if ("txHash" in place || followed === undefined || BigInt(place.blockNumber) > BigInt(followed)) return undefined;
  const blockHash = `0x${createHash("sha256").update(`${chainId} ${place.blockNumber}`).digest("hex")}`;
  const nothing = { blockTimestamp: 0, transactionCount: 0, matchCount: 0, transactions: [] };
  return { blockNumber: Number(place.blockNumber), blockHash, ...nothing };
}

const blockOf = ({ number, hash }: { number: string; hash: string }) => ({
  blockNumber: Number(number),
  blockHash: hash.toLowerCase(),
});

async function exampleEvents(): Promise<Event[]> {
  return (await loadScenarios()).map(({ notification }) => notification.event);
}

/** One event of each transaction, of a whole one if possible: what was sent may lack logs and internal transactions. */
function distinct(events: readonly Event[]): Event[] {
  const parts = ({ logs, transaction }: Event) =>
    Number(logs !== undefined) + Number(transaction.internalTransactions !== undefined);
  const byHash = new Map<string, Event>();
  for (const event of events) {
    const known = byHash.get(event.transaction.txHash);
    if (!known || parts(event) > parts(known)) byHash.set(event.transaction.txHash, event);
  }
  return [...byHash.values()].sort((a, b) => a.transaction.transactionIndex - b.transaction.transactionIndex);
}

function textFor(event: Event, chainId: string, { webhook }: Asked["question"]): string {
  const { includeLogs, includeInternalTxs, options = {} } = webhook;
  const { top, metadata } = shownOptions(options);
  return eventTextFor({ chainId, includeLogs, includeInternalTxs, metadata, ...top }, event);
}
