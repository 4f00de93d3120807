/** Shows a preview or an explanation so that one sees why: the verdict, its reason, and how watched addresses take part. */
import type { components } from "../../../../generated/types.ts";
import { element } from "./dom.ts";

type Schemas = components["schemas"];
type Part = Schemas["Part"];

/** The operations that answer why. */
export const explaining = { preview: "previewWebhook", explanation: "explainWebhook" } as const;

/** @returns undefined for any other answer, such as an error, and one that lacks what is shown */
export function reasonsView(operationId: string, body: string): HTMLElement | undefined {
  try {
    if (operationId === explaining.explanation) return explanationView(JSON.parse(body) as Schemas["Explanation"]);
    if (operationId === explaining.preview) return previewView(JSON.parse(body) as Schemas["Preview"]);
  } catch {
    // What is shown below is the answer as it came.
  }
  return undefined;
}

function explanationView(explanation: Schemas["Explanation"]): HTMLElement {
  const { notified, reason, message, blockNumber, followedBlock, fromBlock, missingBlocks, notifications } =
    explanation;
  const facts: [string, string | undefined][] = [
    ["Block", blockNumber],
    ["Recorded up to", followedBlock],
    ["Notified from", fromBlock],
    ["Missing blocks", missingBlocks?.toString()],
  ];
  return element(
    "section",
    { class: "try-why", "aria-label": "Why" },
    verdict(notified, notified ? "Notified" : "Not notified", reason, message),
    factList(facts),
    ...conditionsTable(explanation),
    ...partsTable(explanation),
    ...notificationsTable(notifications),
  );
}

function previewView({ blockNumber, matchCount, transactionCount, transactions }: Schemas["Preview"]): HTMLElement {
  const of = `${matchCount} of ${transactionCount} ${transactionCount === 1 ? "transaction" : "transactions"}`;
  return element(
    "section",
    { class: "try-why", "aria-label": "Why" },
    element("p", {}, `In block ${blockNumber}, ${of} would be notified${shownOnly(transactions.length, matchCount)}.`),
    ...transactions.map((transaction) =>
      element(
        "div",
        { class: "try-transaction" },
        element("code", {}, transaction.txHash),
        verdict(
          transaction.matches,
          transaction.matches ? "Would be notified" : "Would not be notified",
          transaction.reason,
          transaction.message,
        ),
        ...conditionsTable(transaction),
        ...partsTable(transaction),
      ),
    ),
  );
}

const shownOnly = (shown: number, matchCount: number) => (shown < matchCount ? `; the first ${shown} are shown` : "");

function verdict(good: boolean, title: string, reason: string, message: string): HTMLElement {
  return element(
    "div",
    { class: "try-verdict" },
    element("strong", { class: good ? "try-good" : "try-bad" }, title),
    element("code", {}, reason),
    element("p", {}, message),
  );
}

function factList(facts: [string, string | undefined][]): HTMLElement {
  const known = facts.filter(([, value]) => value !== undefined);
  return element(
    "dl",
    {},
    ...known.map(([name, value = ""]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
  );
}

function conditionsTable({
  decidedBy = [],
  decidedOn,
}: Pick<Schemas["Explanation"], "decidedBy" | "decidedOn">): HTMLElement[] {
  if (decidedBy.length === 0) return [];
  const of = decidedOn && (decidedOn.logIndex === undefined ? "a native transfer" : `log ${decidedOn.logIndex}`);
  const rows = decidedBy.map(({ path, field, op, value, actual = "–", holds }) => [
    holds ? "✓" : "–",
    path,
    `${field} ${op} ${value}`,
    actual,
  ]);
  return [table(`Conditions that decided${of ? `, of ${of}` : ""}`, ["Holds", "Where", "Condition", "Actual"], rows)];
}

function partsTable({ parts, partCount }: { parts: Part[]; partCount: number }): HTMLElement[] {
  if (parts.length === 0) return [];
  const more = partCount > parts.length ? `, the first ${parts.length} of ${partCount}` : "";
  const rows = parts.map((part) => [
    part.matches ? "✓" : "–",
    part.role.replace("_", " "),
    part.logIndex !== undefined
      ? `log ${part.logIndex}`
      : part.internalIndex !== undefined
        ? `call ${part.internalIndex}`
        : "",
    part.address,
  ]);
  return [table(`How watched addresses take part${more}`, ["Matches", "As", "In", "Address"], rows)];
}

function notificationsTable(notifications: Schemas["NotificationRecord"][]): HTMLElement[] {
  if (notifications.length === 0) return [];
  const rows = notifications.map(({ sequence, removed, status, attemptCount }) => [
    String(sequence),
    removed ? "retraction" : "notification",
    status,
    String(attemptCount),
  ]);
  return [table("Its notifications", ["Sequence", "What", "Status", "Attempts"], rows)];
}

function table(caption: string, names: string[], rows: string[][]): HTMLElement {
  const head = element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)));
  const body = rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))));
  const whole = element(
    "table",
    {},
    element("caption", {}, caption),
    element("thead", {}, head),
    element("tbody", {}, ...body),
  );
  // Scrolled by keyboard, too, where it is wider than a phone.
  return element("div", { class: "try-table", tabindex: "0", role: "region", "aria-label": caption }, whole);
}
