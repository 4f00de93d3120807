/**
 * Previews and explanations, and where a history begins. The API only asks; a process that follows the chain reads the block, applies the rule
 * and writes the answer.
 */
import { setTimeout as pause } from "node:timers/promises";
import { HttpError, unavailable } from "../../contract/errors.ts";
import {
  aboveNewestBlock,
  forgottenBlock,
  pendingTransaction,
  readPreview,
  unknownBlock,
  unknownTransaction,
} from "../../contract/webhook-input.ts";
import { explain, type Found, previewOf } from "../../matching/verdict.ts";
import { defaultPeriods } from "../../settings/periods.ts";
import { assertMayWatchAny } from "../../store/accounts/quotas.ts";
import { type HistoryStart, newestBlock } from "../../store/chains/lanes.ts";
import {
  type Asked,
  type AskedOfBlock,
  ask,
  forgetQuestion,
  type HistoryAnswer,
  type QuestionAnswer,
  questionPatienceSeconds,
  readAnswer,
} from "../../store/chains/questions.ts";
import type { Pool } from "../../store/pool.ts";
import { readOnRecord } from "../../store/webhooks/on-record.ts";
import { chainNotFollowed } from "../../store/webhooks/watch-lock.ts";
import { getWebhook } from "../../store/webhooks/webhooks.ts";
import { largeAnswers } from "../limits/turns.ts";
import { policyFor } from "./chains.ts";
import type { HandlerContext, ServiceHandlers } from "./context.ts";

/** The pause grows to a tenth of the wait so far, within these bounds. */
const pollMs = { least: 25, most: 250 };
/** Whoever claims a question writes an answer within seven seconds, if only that the nodes failed. A thread may have to start before. */
const answerPatienceMs = 20_000;

export function questionHandlers(context: HandlerContext): Pick<ServiceHandlers, "previewWebhook" | "explainWebhook"> {
  const { pool, quotas, periods = defaultPeriods } = context;
  const takeLargeAnswer = largeAnswers();

  /** @throws {HttpError} 502 when no node returned the block, 503 when nobody follows the chain or the account asks too much */
  async function answerTo(accountId: number, asked: AskedOfBlock): Promise<Answered> {
    const text = await answerText(pool, accountId, asked);
    await takeLargeAnswer(accountId, text.length);
    const answer = JSON.parse(text) as QuestionAnswer;
    if (answer !== "failed") return answer;
    throw noBlockInTime(asked.chainId);
  }

  return {
    async previewWebhook({ caller: { accountId }, body }) {
      const { webhook, place } = await readPreview(body, await policyFor(context, body));
      const { chainId, addresses, eventSignatures, includeInternalTxs, includeLogs, options } = webhook;
      if (quotas && options?.anyAddress) await assertMayWatchAny(pool, accountId, quotas, 1);
      const preview = { addresses, eventSignatures, includeInternalTxs, includeLogs, ...(options && { options }) };
      const answer = await answerTo(accountId, { chainId, place, preview });
      if (answer === "pending") throw pendingTransaction();
      if (answer === "unknown") throw "txHash" in place ? unknownTransaction(chainId) : unknownBlock(chainId);
      return { status: 200, body: previewOf(chainId, answer, options) };
    },
    async explainWebhook({ caller: { accountId }, path: { id }, query }) {
      const txHash = query.txHash.toLowerCase();
      const { chainId } = await getWebhook(pool, accountId, id);
      // Without the nodes, what was recorded is still known.
      const answer = await answerTo(accountId, { chainId, place: { txHash }, webhookId: id }).catch(asFailure);
      const found = foundIn(answer);
      const block = found === "pending" ? undefined : found;
      // Read after the block, so that what was recorded meanwhile counts.
      const webhook = await getWebhook(pool, accountId, id);
      const addresses = (block?.transaction.parts ?? []).flatMap(({ address, matches }) => (matches ? address : []));
      const recorded = await readOnRecord(pool, webhook, { txHash, block, addresses, keptDays: periods.retentionDays });
      if (found === undefined && recorded.notifications.length === 0)
        throw answer instanceof HttpError ? answer : unknownTransaction(chainId);
      return { status: 200, body: explain(txHash, found, recorded) };
    },
  };
}

/** @returns the answer as JSON @throws {HttpError} 503 */
async function answerText(pool: Pool, accountId: number, asked: Asked): Promise<string> {
  const id = await ask(pool, accountId, asked);
  if (id === undefined) throw unavailable("The account has too many previews and explanations in flight");
  return waitFor(pool, id, asked.chainId).finally(() => forgetQuestion(pool, id));
}

const noBlockInTime = (chainId: string) =>
  new HttpError(502, `No node of chain ${chainId} returned the block in time; try again later.`);

/**
 * Finds out where a webhook that starts in the past begins. Its first block is read with every check, so nodes have it, and the hash of the one
 * before is known. The block after genesis is the first that can have activity.
 *
 * @throws {HttpError} 400 for a block that is not recorded yet, or that no node has any more; 502 and 503 as for a preview
 * @throws {ServiceError} `chain_not_followed`
 */
export async function historyStart(
  pool: Pool,
  accountId: number,
  { chainId, fromBlock, includeInternalTxs }: { chainId: string; fromBlock: string; includeInternalTxs: boolean },
): Promise<HistoryStart> {
  const newest = await newestBlock(pool, chainId);
  if (newest === undefined) throw chainNotFollowed(chainId);
  if (BigInt(fromBlock) > BigInt(newest)) throw aboveNewestBlock(chainId, newest);
  const first = Math.max(1, Number(fromBlock));
  if (first > newest) return { from: Number(fromBlock) };
  const text = await answerText(pool, accountId, { chainId, historyFrom: String(first), includeInternalTxs });
  const answer = JSON.parse(text) as HistoryAnswer;
  if (typeof answer === "string") throw noBlockInTime(chainId);
  if ("firstBlock" in answer) throw forgottenBlock(chainId, answer, includeInternalTxs);
  return { from: Number(fromBlock), cursor: { number: first - 1, hash: answer.parentHash } };
}

const asFailure = (error: unknown): HttpError => {
  if (error instanceof HttpError) return error;
  throw error;
};

type Answered = Exclude<QuestionAnswer, "failed">;

/** @returns the answer as JSON @throws {HttpError} 503 */
async function waitFor(pool: Pool, id: string, chainId: string): Promise<string> {
  const startedAt = performance.now();
  for (;;) {
    const beforeMs = performance.now() - startedAt;
    await pause(Math.min(pollMs.most, Math.max(pollMs.least, beforeMs / 10)));
    const state = await readAnswer(pool, id);
    if (typeof state !== "string") return state.text;
    if (state === "gone") throw unavailable("The database restarted");
    const waitedMs = performance.now() - startedAt;
    const claimMs = questionPatienceSeconds * 1_000 + pollMs.most;
    // A process that claims it at the last moment has made it "taken" before it can be forgotten as waiting.
    if (state === "waiting" && waitedMs > claimMs && (await forgetQuestion(pool, id)))
      throw unavailable(`No process that follows chain ${chainId} took the question`);
    if (waitedMs > claimMs + answerPatienceMs) throw unavailable("The process that took the question has not answered");
  }
}

function foundIn(answer: Answered | HttpError): Found {
  if (answer instanceof HttpError || answer === "unknown") return undefined;
  if (answer === "pending") return answer;
  const { blockNumber, blockHash, blockTimestamp, transactions } = answer;
  const [transaction] = transactions;
  if (!transaction) throw new Error("The answer lacks the transaction.");
  return { blockNumber, blockHash, blockTimestamp, transaction };
}
