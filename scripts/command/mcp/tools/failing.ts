/** The tool that lists the webhooks whose endpoints fail, and the chains that stand still. */

import type { components } from "../../../../generated/types.ts";
import { time } from "../../../../server/matching/sentences.ts";
import type { ToolAnswer } from "../answers.ts";
import { readOnly, type Tool, type ToolSurroundings } from "../tool.ts";

type Webhook = components["schemas"]["Webhook"];

/** 1,000 webhooks, at 100 a page. */
const maxPages = 10;
/** Each costs a request for its oldest pending notification. */
const maxLookedAt = 20;
const maxSentences = 50;

/** `list_failing_webhooks`. */
export const listFailingWebhooks: Tool = {
  name: "list_failing_webhooks",
  title: "List failing webhooks",
  description: [
    "Lists the webhooks whose endpoints do not accept notifications now, and those that were made inactive for that,",
    "with the last error of each. It also lists the chains that are not followed now.",
  ].join(" "),
  inputSchema: {
    type: "object",
    additionalProperties: false,
    properties: {
      pageToken: { type: "string", maxLength: 512, description: "The next webhooks, as the last answer says." },
    },
  },
  annotations: readOnly(true),
  run: (args, surroundings) => list(args, surroundings),
};

async function list(
  { pageToken: from }: { pageToken?: string },
  { api, signal }: ToolSurroundings,
): Promise<ToolAnswer> {
  const failing: Webhook[] = [];
  let pageToken = from;
  let seen = 0;
  for (let page = 0; page < maxPages; page += 1) {
    const query = { pageSize: 100, ...(pageToken && { pageToken }) };
    const answer = await api.read("listWebhooks", { query }, signal);
    seen += answer.webhooks.length;
    failing.push(...answer.webhooks.filter(isFailing));
    pageToken = answer.nextPageToken || undefined;
    if (!pageToken) break;
  }
  const { chains } = await api.read("listChains", {}, signal);
  const stopped = chains.filter(({ stoppedSince, lanes = [] }) => [{ stoppedSince }, ...lanes].some(isStopped));

  const details = [];
  for (const { id, name, url, chainId, status, statusReason, statusSince, failingSince } of failing) {
    const about = { id, name, url, chainId, status, statusReason, statusSince, failingSince };
    details.push(
      details.length < maxLookedAt ? { ...about, oldestPending: await oldestPending(api, id, signal) } : about,
    );
  }
  const says = [
    `${failing.length} of ${seen} webhooks fail.`,
    ...failing.slice(0, maxSentences).map(sentence),
    ...(failing.length > maxSentences ? [`And ${failing.length - maxSentences} more; the data has all.`] : []),
    ...stopped.map(
      ({ chainId }) =>
        `Following the chain ${chainId} has stopped, for some webhooks or all. Activity is notified once it resumes.`,
    ),
  ];
  const more = pageToken ? "\nThere are more webhooks. Call again with the pageToken of the data." : "";
  const data = { failing: details, ...(stopped.length > 0 && { chains: stopped }), ...(pageToken && { pageToken }) };
  return { says: says.join("\n- ") + more, ...((failing.length > 0 || stopped.length > 0 || pageToken) && { data }) };
}

/** Failing now, or made inactive by the service rather than by a request. */
function isFailing({ failingSince, status, statusReason }: Webhook): boolean {
  return failingSince !== undefined || (status === "inactive" && statusReason !== "requested");
}

const isStopped = ({ stoppedSince }: { stoppedSince?: number | undefined }) => stoppedSince !== undefined;

function sentence({ id, status, statusReason, statusSince, failingSince }: Webhook): string {
  const since = failingSince === undefined ? "" : `, every attempt failing since ${time(failingSince)}`;
  return status === "inactive"
    ? `${id} is inactive since ${time(statusSince)} (${statusReason})${since}.`
    : `${id} is active${since}.`;
}

/** The first notification that waits, with the outcome of its last attempt. */
async function oldestPending(api: ToolSurroundings["api"], id: string, signal: AbortSignal) {
  const query = { status: "pending", pageSize: 1 };
  const { notifications } = await api.read("listNotifications", { path: { id }, query }, signal);
  return notifications[0] ?? null;
}
