/**
 * The bodies of operational events: the event itself, signed, or what Slack, Discord, PagerDuty and Teams take for people to read: what happened
 * in one sentence, and its data below. Names of webhooks and reasons of nodes are somebody's text, so nothing in them is markup or mentions anybody.
 */
import type { components } from "../../generated/types.ts";
import { routingKeyHeader } from "../matching/new-webhook.ts";

type OperationalEvent = components["schemas"]["OperationalEvent"];

/** An event as it is stored: all but the messageId, as JSON. */
type Stored = { messageId: string; eventText: string };

/** The exact body in the signed form. */
export function operationalEventText({ messageId, eventText }: Stored): string {
  return `{"messageId":${JSON.stringify(messageId)},${eventText.slice(1)}`;
}

/** The exact body in a form. @param headers the webhook's own, names and values alternately */
export function operationalText(
  format: components["schemas"]["OperationalFormat"],
  stored: Stored,
  headers: readonly string[],
): string {
  const signed = operationalEventText(stored);
  return format === "signed" ? signed : formText(format, JSON.parse(signed), headers);
}

/** What a test says. */
export const operationalTestText = (): string =>
  JSON.stringify({
    ...{ type: "test", createdAt: Date.now(), subject: "test" },
    ...{ message: "This is a test of the operational webhook.", data: {} },
  });

/** Whose form a body has. The signed form is the event itself. */
export type ForPeople = "slack" | "discord" | "pagerduty" | "teams";

/** How bad it is, in PagerDuty's words; `resolved` ends what had the same subject before. */
type Severity = "critical" | "error" | "warning" | "info" | "resolved";

const looks: Record<OperationalEvent["type"], { title: string; severity: Severity }> = {
  "webhook.failing": { title: "A webhook is failing", severity: "warning" },
  "webhook.deactivated": { title: "A webhook was deactivated", severity: "critical" },
  "webhook.recovered": { title: "A webhook has recovered", severity: "resolved" },
  "webhook.notifications_failed": { title: "Notifications used up their attempts", severity: "error" },
  "webhook.passed_over": { title: "An ordered webhook passed notifications over", severity: "error" },
  "chain.stopped": { title: "A chain stands still", severity: "critical" },
  "chain.resumed": { title: "A chain goes on", severity: "resolved" },
  "replay.done": { title: "A replay is done", severity: "resolved" },
  "replay.failed": { title: "A replay failed", severity: "error" },
  "history.done": { title: "A history is done", severity: "resolved" },
  "history.failed": { title: "A history failed", severity: "error" },
  "quota.reached": { title: "A quota is nearly used up", severity: "warning" },
  test: { title: "A test", severity: "info" },
  "account.set_apart": { title: "The webhooks of this account are set apart", severity: "warning" },
};

/** RGB; Discord takes a number. */
const colours: Record<Severity, number> = {
  ...{ critical: 0xb3261e, error: 0xb3261e, warning: 0xb26a00, info: 0x3367d6, resolved: 0x1b7f3b },
};

/**
 * The whole body, as JSON.
 *
 * @param headers the webhook's own, names and values alternately: PagerDuty's integration key is the value of `X-Routing-Key`
 */
export function formText(format: ForPeople, event: OperationalEvent, headers: readonly string[] = []): string {
  // A newer process may have recorded a type that this one does not know.
  const { title, severity } = looks[event.type] ?? { title: event.type, severity: "info" };
  return JSON.stringify(forms[format](event, { title, severity, details: detailsOf(event) }, headers));
}

type Shown = { title: string; severity: Severity; details: [name: string, value: string][] };
type Form = (event: OperationalEvent, shown: Shown, headers: readonly string[]) => object;

const forms: Record<ForPeople, Form> = {
  /** An incoming webhook of Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
  slack: ({ message }, { title, details }) => ({
    // What the notification of the message shows. In it these three characters are markup, and nothing else.
    text: cut(message, 3000).replace(/[&<>]/g, (character) => slackEntities[character] ?? character),
    blocks: [
      { type: "header", text: { type: "plain_text", text: title, emoji: false } },
      { type: "section", text: { type: "plain_text", text: cut(message, 3000), emoji: false } },
      {
        type: "context",
        elements: details.map(([name, value]) => ({ type: "plain_text", text: `${name}: ${value}`, emoji: false })),
      },
    ],
  }),
  /** A webhook of Discord: https://docs.discord.com/developers/resources/webhook#execute-webhook. An embed has 6,000 characters at most. */
  discord: ({ message, createdAt }, { title, severity, details }) => ({
    embeds: [
      {
        title,
        description: withoutMarkdown(cut(message, 1000)),
        color: colours[severity],
        timestamp: new Date(createdAt).toISOString(),
        fields: details.map(([name, value]) => ({ name, value: withoutMarkdown(cut(value, 150)) })),
      },
    ],
    allowed_mentions: { parse: [] },
  }),
  /** An event of PagerDuty's Events API v2: https://developer.pagerduty.com/docs/send-alert-event */
  pagerduty: ({ message, createdAt, subject, type }, { severity, details }, headers) => ({
    routing_key: headers.find((_, place) => place % 2 === 1 && headers[place - 1]?.toLowerCase() === routingKeyHeader),
    event_action: severity === "resolved" ? "resolve" : "trigger",
    dedup_key: subject,
    ...(severity !== "resolved" && {
      payload: {
        ...{ summary: cut(message, 1024), source: subject, severity, class: type },
        timestamp: new Date(createdAt).toISOString(),
        custom_details: Object.fromEntries(details),
      },
    }),
  }),
  /** A workflow of Teams that receives webhook requests; it takes an Adaptive Card, of 28 KB at most. Text runs have no markup. */
  teams: ({ message }, { title, severity, details }) => ({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            {
              type: "TextBlock",
              text: title,
              weight: "Bolder",
              size: "Medium",
              color: teamsColours[severity],
              wrap: true,
            },
            { type: "RichTextBlock", inlines: [{ type: "TextRun", text: cut(message, 3000) }] },
            ...details.map(([name, value]) => ({
              type: "RichTextBlock",
              spacing: "None",
              inlines: [
                { type: "TextRun", text: `${name}: `, weight: "Bolder" },
                { type: "TextRun", text: value },
              ],
            })),
          ],
        },
      },
    ],
  }),
};

const slackEntities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const teamsColours: Record<Severity, string> = {
  ...{ critical: "Attention", error: "Attention", warning: "Warning", info: "Accent", resolved: "Good" },
};

/** What the event says, for people: its type, and its data with times in UTC. At most ten, each at most 300 characters: Slack takes ten. */
function detailsOf({ type, data }: OperationalEvent): Shown["details"] {
  const isTime = (name: string, value: unknown) => /(?:At|[sS]ince)$/.test(name) && Number.isSafeInteger(value);
  const details = Object.entries(data).map(([name, value]): [string, string] => [
    name,
    cut(isTime(name, value) ? new Date(value).toISOString() : String(value), 300),
  ]);
  return [["type", type], ...details.slice(0, 9)];
}

/** Cuts no character in two. An empty text would be refused. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text === "" ? "-" : text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Discord's Markdown, and links that it would show: each character that could begin one has a backslash before it. */
const withoutMarkdown = (text: string) => text.replace(/[\\*_~`|>#[\]()<:@]/g, "\\$&");
