/**
 * Questions about a block: the API asks one, and a process that follows the chain claims it, reads the block and writes the answer. Accounts
 * take turns, as with tests (delivery/test-sends.ts). A preview and an explanation ask what matches, a creation whether nodes have the block.
 */
import { randomUUID } from "node:crypto";
import type { AskedBlock, BlockAnswer } from "../../matching/explanation.ts";
import type { NewWebhook } from "../../matching/new-webhook.ts";
import type { Queryable } from "../pool.ts";
import type { Watcher } from "../webhooks/watchers.ts";
import { readWatcher } from "./replay-work.ts";

/** How long a question waits for a process, in seconds. After that no process claims it. */
export const questionPatienceSeconds = 2;
/** How many unanswered ones an account may have. */
const unansweredLimit = 32;
/** Nobody waits longer for an answer. */
const forgottenAfterSeconds = 60;

/** A transaction by its hash in lower case, or a block by its number. */
export type AskedPlace = { txHash: string } | { blockNumber: string };

/** A webhook that does not exist, as far as matching needs it. */
type PreviewedWebhook = Pick<
  NewWebhook,
  "addresses" | "eventSignatures" | "includeInternalTxs" | "includeLogs" | "options"
>;

/** What is asked of a block: by an existing webhook, or by one that is previewed. */
export type AskedOfBlock = { chainId: string; place: AskedPlace } & (
  | { webhookId: string }
  | { preview: PreviewedWebhook }
);
/** Whether a history can begin at a block of this number: whether nodes have all of it. */
export type AskedOfHistory = { chainId: string; historyFrom: string; includeInternalTxs: boolean };
export type Asked = AskedOfBlock | AskedOfHistory;

type ByAccount = { id: string; accountId: number };
export type QuestionOfBlock = AskedOfBlock & ByAccount;
export type QuestionOfHistory = AskedOfHistory & ByAccount;
export type Question = QuestionOfBlock | QuestionOfHistory;

/** Of the nodes' block. `unknown`: no node has it; `failed`: none of them returned it. */
export type QuestionAnswer = (AskedBlock & BlockAnswer) | "unknown" | "pending" | "failed";
/**
 * The hash of the block before, or the first block from which on a node has all, maybe only about; `unknown`: no node has got that far.
 */
export type HistoryAnswer = { parentHash: string } | { firstBlock: number; isAbout?: true } | "unknown" | "failed";

/** @returns the question's id; undefined if the account has too many */
export async function ask(db: Queryable, accountId: number, asked: Asked): Promise<string | undefined> {
  const id = randomUUID();
  const { chainId } = asked;
  // It has the form of a preview: a process of an earlier version fails at it, as at a block that no node returns.
  const { place, preview } =
    "historyFrom" in asked
      ? { place: { historyFrom: asked.historyFrom }, preview: { includeInternalTxs: asked.includeInternalTxs } }
      : { place: asked.place, preview: "preview" in asked ? asked.preview : undefined };
  const { rowCount } = await db.query({
    name: "ask-question",
    text: `INSERT INTO questions (id, account_id, chain_id, place, webhook_id, preview) SELECT $1, $2, $3, $4, $5, $6
           WHERE (SELECT count(*) FROM questions WHERE account_id = $2 AND answer IS NULL) < $7`,
    values: [
      ...[id, accountId, chainId, JSON.stringify(place)],
      "webhookId" in asked ? asked.webhookId : null,
      preview ? JSON.stringify(preview) : null,
      unansweredLimit,
    ],
  });
  return rowCount ? id : undefined;
}

/**
 * Claims questions; no other process gets them. Each account gets another only while it has fewer in flight than are free.
 *
 * @param inFlight how many are in flight, by account
 * @param limit how many may be in flight in total
 */
export async function takeQuestions(
  db: Queryable,
  chainIds: readonly string[],
  inFlight: ReadonlyMap<number, number>,
  limit: number,
): Promise<Question[]> {
  const counts = [...inFlight.values()];
  const { rows } = await db.query<Row>({
    name: "take-questions",
    text: `WITH wanted AS (
             SELECT id, COALESCE(u.count, 0) + row_number() OVER (PARTITION BY account_id ORDER BY asked_at) AS nth, asked_at
             FROM questions q LEFT JOIN unnest($3::bigint[], $4::int[]) AS u(account_id, count) USING (account_id)
             WHERE chain_id = ANY($1::text[]) AND taken_at IS NULL AND asked_at > clock_timestamp() - make_interval(secs => $5)),
           turn AS (SELECT *, row_number() OVER (ORDER BY nth, asked_at) AS place FROM wanted)
           UPDATE questions q SET taken_at = clock_timestamp() FROM turn
           WHERE q.id = turn.id AND q.taken_at IS NULL AND turn.nth + turn.place <= $2::int + 1
           RETURNING q.id, q.account_id, q.chain_id, q.webhook_id, q.preview, q.place`,
    values: [
      ...[chainIds, limit - counts.reduce((a, b) => a + b, 0), [...inFlight.keys()], counts],
      questionPatienceSeconds,
    ],
  });
  return rows.map(toQuestion);
}

type Row = ByAccountRow &
  (
    | { place: AskedPlace; webhook_id: string; preview: null }
    | { place: AskedPlace; webhook_id: null; preview: PreviewedWebhook }
    | { place: { historyFrom: string }; webhook_id: null; preview: { includeInternalTxs: boolean } }
  );
type ByAccountRow = { id: string; account_id: number; chain_id: string };

function toQuestion(row: Row): Question {
  const of = { id: row.id, accountId: row.account_id, chainId: row.chain_id };
  if (isOfHistory(row)) return { ...of, ...row.place, includeInternalTxs: row.preview.includeInternalTxs };
  const { place } = row;
  return row.preview ? { ...of, place, preview: row.preview } : { ...of, place, webhookId: row.webhook_id };
}

const isOfHistory = (row: Row): row is Extract<Row, { place: { historyFrom: string } }> => "historyFrom" in row.place;

/** An answer to be written, of a block as JSON: it may have megabytes. */
export type NewAnswer = { json: string } | Extract<QuestionAnswer, string> | HistoryAnswer;

export async function writeAnswer(db: Queryable, { id }: Question, answer: NewAnswer): Promise<void> {
  const text = typeof answer === "object" && "json" in answer ? answer.json : JSON.stringify(answer);
  await db.query("UPDATE questions SET answer = $2 WHERE id = $1", [id, text]);
}

/** A question waits for a process, was claimed by one, or has an answer as JSON. `gone`: the database lost it. */
type QuestionState = "waiting" | "taken" | "gone" | { text: string };

export async function readAnswer(db: Queryable, id: string): Promise<QuestionState> {
  const { rows } = await db.query<{ taken: boolean; answer: string | null }>({
    name: "read-answer",
    text: "SELECT taken_at IS NOT NULL AS taken, answer FROM questions WHERE id = $1",
    values: [id],
  });
  const [row] = rows;
  if (!row) return "gone";
  if (row.answer !== null) return { text: row.answer };
  return row.taken ? "taken" : "waiting";
}

/** Deletes a question. @returns whether it was still waiting; if so nobody will answer it */
export async function forgetQuestion(db: Queryable, id: string): Promise<boolean> {
  const { rows } = await db.query<{ waiting: boolean }>(
    "DELETE FROM questions WHERE id = $1 RETURNING taken_at IS NULL AS waiting",
    [id],
  );
  return rows[0]?.waiting ?? false;
}

/** Deletes the questions of callers that died. */
export async function forgetOldQuestions(db: Queryable): Promise<void> {
  await db.query("DELETE FROM questions WHERE asked_at < clock_timestamp() - make_interval(secs => $1)", [
    forgottenAfterSeconds,
  ]);
}

type AskedWebhook = {
  webhook: Watcher;
  watchedFrom(block: { number: number; participants: readonly string[] }): Promise<WatchedFrom>;
};

/** @returns undefined when the webhook is gone, or another cell records for it */
export async function readAskedWebhook(db: Queryable, webhookId: string): Promise<AskedWebhook | undefined> {
  const webhook = await readWatcher(db, webhookId);
  return webhook && { webhook, watchedFrom: (block) => watchedFrom(db, webhookId, block) };
}

/**
 * Of a block's participants those that the webhook watches: each with its first block, 0 if that is long ago, or with that of its factory's log. Where
 * a replay that brings the past of an address has done the block, the first is that replay's.
 */
type WatchedFrom = { watched: Map<string, number>; named: Map<string, number> };

async function watchedFrom(
  db: Queryable,
  webhookId: string,
  { number, participants }: { number: number; participants: readonly string[] },
): Promise<WatchedFrom> {
  const { rows } = await db.query<{ address: Buffer; from: number; createdIn: number | null }>({
    name: "watched-from",
    text: `SELECT w.address, w.created_in AS "createdIn",
             CASE WHEN r.from_block <= $3::bigint AND r.next_block > $3 THEN r.from_block
                  -- An addition is forgotten once no lane needs it.
                  ELSE COALESCE(a.watched_from, a.effective_from_block, r.to_block + 1, 0) END::bigint AS from
           FROM webhook_addresses w LEFT JOIN address_additions a ON a.id = w.addition LEFT JOIN replays r ON r.id = w.replay
           WHERE w.webhook_id = $1 AND w.address = ANY($2::bytea[])`,
    values: [webhookId, participants.map((address) => Buffer.from(address.slice(2), "hex")), number],
  });
  const found: WatchedFrom = { watched: new Map(), named: new Map() };
  for (const { address, from, createdIn } of rows) {
    const text = `0x${address.toString("hex")}`;
    if (createdIn === null) found.watched.set(text, from);
    else found.named.set(text, createdIn);
  }
  return found;
}
