/**
 * Makes the contract's examples of previews and explanations: a real transaction, recorded from mainnet, put through the service's own code,
 * with records as each reason needs them.
 */
import type { components } from "../../generated/types.ts";
import type { AnsweredTransaction, AskedBlock, BlockAnswer, OnRecord } from "../../server/matching/explanation.ts";
import { messageIdOf } from "../../server/matching/message-id.ts";
import type { WebhookOptions } from "../../server/matching/new-webhook.ts";
import { answerQuestion } from "../../server/matching/question.ts";
import { explain, previewOf } from "../../server/matching/verdict.ts";
import { recordedBundle } from "../local/recorded.ts";

type Schemas = components["schemas"];

const transferOfToken = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const approvalForAll = "0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31";
/** The token that is transferred, who bought it, and an address that has nothing to do with it. */
const token = "0xbd3531da5cf5857e7cfaa92426877b022e612cf8";
const buyer = "0xed6af25e6158a2a6106f72126a4db188f55ab723";
const stranger = "0x5425890298aed601595a70ab815c96711a31bc65";
const chainId = "1";
const webhookId = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";

const bundle = recordedBundle("mainnet/18951424");
const blockNumber = Number(bundle.block.number);
const block: AskedBlock = { blockNumber, blockHash: bundle.block.hash };
const txHash = bundle.block.transactions[33]?.hash ?? "";

type Watching = { addresses: string[]; eventSignatures?: string[]; from?: number; options?: WebhookOptions };

function ask({ addresses, eventSignatures = [], from = 0, options }: Watching, one: boolean): BlockAnswer {
  const filter = {
    ...{ id: "", eventSignatures: new Set(eventSignatures), includeInternalTxs: false, includeLogs: false },
    ...(options && { options }),
  };
  const watched = new Map(addresses.map((address) => [address, from]));
  return answerQuestion(bundle, chainId, { webhook: filter, watched, payloads: true, ...(one && { txHash }) });
}

const preview = (watching: Watching, one = true) =>
  previewOf(chainId, { ...block, ...ask(watching, one) }, watching.options);

function notification(occurrence: number): Schemas["NotificationRecord"] {
  const { blockHash } = block;
  const recordedAt = 1767225601000 + occurrence * 60_000;
  return {
    messageId: messageIdOf({ webhookId, blockHash, transactionHash: txHash, occurrence }),
    sequence: 42 + occurrence,
    ...{ blockNumber: String(blockNumber), blockHash, txHash, removed: occurrence % 2 === 1, recordedAt },
    ...{ status: "delivered", attemptCount: 1 },
    lastAttempt: { number: 1, trigger: "schedule", sentAt: recordedAt + 12, durationMs: 84, responseStatus: 204 },
  };
}

const active: OnRecord = {
  webhook: {
    id: webhookId,
    status: "active",
    statusSince: 1767225600000,
    effectiveFromBlock: String(blockNumber - 1_000),
  },
  activeBefore: [],
  followed: blockNumber + 3,
  isOnOtherBranch: false,
  stoppedSince: undefined,
  isHeld: false,
  notifications: [],
  keptSince: 0,
};

const ofToken: Watching = { addresses: [token], eventSignatures: [transferOfToken] };

function explanation(recorded: Partial<OnRecord>, watching: Watching = ofToken) {
  const { transactions, blockTimestamp } = ask(watching, true);
  const transaction = transactions[0] as AnsweredTransaction;
  return explain(txHash, { ...block, blockTimestamp, transaction }, { ...active, ...recorded });
}

const rare: Watching = {
  ...ofToken,
  options: {
    conditions: {
      all: [
        { field: "transfer.standard", op: "eq", value: "erc721" },
        { field: "transfer.tokenId", op: "lt", value: "1000" },
      ],
    },
  },
};

const request = { chainId, metadata: { addresses: [token], eventSignatures: [transferOfToken] } };

const examples: Record<string, { summary: string; value: unknown }> = {
  "preview-webhook.transaction": { summary: "One transaction", value: { ...request, txHash } },
  "preview-webhook.block": {
    summary: "A block, with a body that could also create the webhook",
    value: {
      ...{ url: "https://example.com/hooks/wallets", chainId, eventType: "address_activity" },
      ...{ metadata: { addresses: [buyer] }, blockNumber: String(blockNumber) },
    },
  },
  "preview.matches": { summary: "The transaction matches, by the emitter of a log", value: preview(ofToken) },
  "preview.block": {
    summary: "Of a block, the transactions that match",
    value: preview({ addresses: [buyer] }, false),
  },
  "preview.other-event": {
    summary: "A watched address takes part, but in no log with the event signature",
    value: preview({ addresses: [token], eventSignatures: [approvalForAll] }),
  },
  "preview.condition-failed": { summary: "Its conditions do not hold", value: preview(rare) },
  "preview.not-watched": { summary: "No watched address takes part", value: preview({ addresses: [stranger] }) },
  "explanation.notified": { summary: "It was notified", value: explanation({ notifications: [notification(0)] }) },
  "explanation.retracted": {
    summary: "It was notified; then its block left the chain",
    value: explain(txHash, undefined, { ...active, notifications: [notification(0), notification(1)] }),
  },
  "explanation.not-watched": {
    summary: "No watched address takes part",
    value: explanation({}, { addresses: [stranger] }),
  },
  "explanation.other-event": {
    summary: "A watched address takes part, but in no log with one of the event signatures",
    value: explanation({}, { addresses: [token], eventSignatures: [approvalForAll] }),
  },
  "explanation.condition-failed": {
    summary: "The conditions do not hold",
    value: explanation({}, rare),
  },
  "explanation.not-yet-effective": {
    summary: "The address was added after the block",
    value: explanation({}, { ...ofToken, from: blockNumber + 1 }),
  },
  "explanation.inactive": {
    summary: "The webhook was inactive at the block",
    value: explanation({
      webhook: { ...active.webhook, effectiveFromBlock: String(blockNumber + 2) },
      activeBefore: [{ from: blockNumber - 1_000, to: blockNumber - 5 }],
    }),
  },
  "explanation.pending": { summary: "It is in no block yet", value: explain(txHash, "pending", active) },
  "explanation.not-followed-yet": {
    summary: "Its block is not recorded yet, since following the chain has stopped",
    value: explanation({ followed: blockNumber - 52, stoppedSince: 1767225600000 }),
  },
  "explanation.waiting-for-finality": {
    summary: "Its block is not yet as deep as the webhook's finality asks",
    value: explanation({ isHeld: true, missingBlocks: 9 }),
  },
  "explanation.not-kept": {
    summary: "Notifications of that time are no longer kept",
    value: explanation({ keptSince: 1767225600000 }),
  },
  "explanation.unexplained": {
    summary: "It matches now, but nothing was recorded",
    value: explanation({}),
  },
};

/** The text of each file by its name. */
export function exampleExplanations(): Map<string, string> {
  return new Map(
    Object.entries(examples).map(([name, example]) => [`${name}.json`, `${JSON.stringify(example, null, 2)}\n`]),
  );
}
