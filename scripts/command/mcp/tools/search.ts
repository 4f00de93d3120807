/** The tool that finds operations by words. */
import type { OperationId } from "../../../../generated/operations.ts";
import { asStrings } from "../../../document/json.ts";
import { toolOperation, toolOperationIds, toolParameters } from "../contract.ts";
import { routeOf, scopeOf, summaryOf, writes } from "../operations.ts";
import { readOnly, type Tool } from "../tool.ts";

const most = 10;

/** `search_operations`. */
export const searchOperations: Tool = {
  name: "search_operations",
  title: "Search operations",
  description:
    'Finds operations of the webhooks API by words, such as "addresses" or "send again". Without words it lists all of them.',
  inputSchema: {
    type: "object",
    additionalProperties: false,
    properties: { query: { type: "string", maxLength: 500, description: "Words to look for." } },
  },
  annotations: readOnly(false),
  async run({ query }) {
    const words = wordsIn(typeof query === "string" ? query : "");
    const found = toolOperationIds
      .map((id) => ({ id, score: words.reduce((sum, word) => sum + scoreOf(id, word), 0) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, most)
      .map(({ id }) => id);
    if (found.length > 0) return { says: lines(found) };
    return {
      says: `${words.length > 0 ? "No operation fits these words. All operations:\n" : ""}${lines(toolOperationIds)}`,
    };
  },
};

const lines = (ids: readonly OperationId[]) => ids.map(line).join("\n");

function line(id: OperationId): string {
  const scope = scopeOf(id);
  const needs = scope ? `needs a key with the scope ${scope}` : "needs no key";
  return `${id} (${routeOf(id)}): ${summaryOf(id)}. It ${writes(id) ? "writes" : "reads"} and ${needs}.`;
}

/** How well an operation fits a word: names count more than prose. */
function scoreOf(id: OperationId, word: string): number {
  const { description, tags } = toolOperation(id);
  const names = toolParameters(id).map(({ name }) => name);
  const texts: [number, string][] = [
    [4, id],
    [3, summaryOf(id)],
    [2, [...asStrings(tags), ...names].join(" ")],
    [1, String(description ?? "")],
  ];
  const best = texts.find(([, text]) => wordsIn(text).some((other) => isLike(word, other)));
  return best?.[0] ?? 0;
}

/** So that a plural finds its singular, and the other way round. */
function isLike(one: string, other: string): boolean {
  return one === other || (Math.min(one.length, other.length) > 2 && (one.startsWith(other) || other.startsWith(one)));
}

/** `listWebhooks` is two words. */
function wordsIn(text: string): string[] {
  const words = text.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return [...new Set(words.match(/[a-z0-9]+/g))];
}
