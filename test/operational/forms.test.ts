/** What Slack, Discord, PagerDuty and Teams get has the form of requests that they take, within their limits, whatever an event says. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { components } from "../../generated/types.ts";
import { type ForPeople, formText } from "../../server/operational/forms.ts";

type OperationalEvent = components["schemas"]["OperationalEvent"];
type Recorded = Record<ForPeople, { request: Json }>;
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
const recorded: Recorded = JSON.parse(readFileSync(new URL("recorded-requests.json", import.meta.url), "utf8"));
const formats = Object.keys(recorded) as ForPeople[];

const messageId = "0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10";
const webhookId = "6d1df3a1-32f5-4d0a-8a36-4a6b5a1f7c11";
const key = "0123456789abcdef0123456789abcdef";
const headers = ["X-Routing-Key", key];
const failing = {
  ...{ messageId, type: "webhook.failing", createdAt: 1767225600000, subject: `webhook:${webhookId}` },
  message: "The webhook has failed since 2026-01-01.",
  data: { webhookId, percent: 50, failingSince: 1767225600000, deactivatesAt: 1767657600000 },
} satisfies OperationalEvent;
const recovered = {
  ...failing,
  type: "webhook.recovered",
  message: "It goes on.",
  data: { webhookId },
} as OperationalEvent;
/** Longer than any real one, with characters that each format could misread. */
const hostile = {
  ...failing,
  message: "<!channel> @everyone & [here](https://x.invalid) *b* `c`\n# d ||e|| <@1> 😀".repeat(400),
  data: { ...failing.data, name: "<b>[x](https://x.invalid)😀".repeat(500), description: "", more: null, list: [1] },
} as unknown as OperationalEvent;

const bodyOf = (format: ForPeople, event: OperationalEvent) => JSON.parse(formText(format, event, headers));

/** Each place of a value with its type; all elements of a list are one place. */
function placesOf(value: Json, place = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => placesOf(each, `${place}[]`));
  if (value !== null && typeof value === "object")
    return Object.entries(value).flatMap(([name, each]) =>
      // Names of the account's own choice.
      placesOf(each, place.endsWith("custom_details") ? `${place}.*` : `${place}.${name}`),
    );
  return [`${place}: ${value === null ? "null" : typeof value}`];
}

test.each(formats)("what %s gets has no field, and no type, that its recorded request has not", (format) => {
  const known = new Set(placesOf(recorded[format].request));
  for (const event of [failing, recovered, hostile])
    expect(placesOf(bodyOf(format, event)).filter((place) => !known.has(place))).toEqual([]);
  expect(new Set(placesOf(bodyOf(format, failing)))).toEqual(known);
});

test.each(formats)("an event whose type only a newer version knows is sent to %s, too", (format) => {
  const text = formText(format, { ...failing, type: "webhook.new" } as unknown as OperationalEvent, headers);
  for (const part of [failing.message, "webhook.new", webhookId]) expect(text.replaceAll("\\\\", "")).toContain(part);
});

test.each(formats)("what happened and the data are in what %s gets", (format) => {
  const text = formText(format, failing, headers).replaceAll("\\\\", "");
  for (const part of [failing.message, "2026-01-01T00:00:00.000Z", "webhook.failing", webhookId])
    expect(text).toContain(part);
});

test("Slack's limits hold, and nothing in its text is markup", () => {
  const { text, blocks } = bodyOf("slack", hostile);
  expect(text).toMatch(/^&lt;!channel&gt; @everyone &amp; \[here\]/);
  expect(text).not.toMatch(/[<>]/);
  const [header, section, context] = blocks;
  expect(header.text.text.length).toBeLessThanOrEqual(150);
  expect(section.text.text.length).toBeLessThanOrEqual(3000);
  expect(context.elements.length).toBeLessThanOrEqual(10);
  for (const element of context.elements) expect(element.text.length).toBeLessThanOrEqual(2000);
});

test("Discord's limits hold, and nobody is mentioned", () => {
  const { embeds, allowed_mentions: mentions, content } = bodyOf("discord", hostile);
  expect([mentions, content, embeds.length]).toEqual([{ parse: [] }, undefined, 1]);
  const [{ title, description, fields }] = embeds;
  expect(title.length).toBeLessThanOrEqual(256);
  expect(description.length).toBeLessThanOrEqual(4096);
  // A backslash before each character that begins markup.
  expect(description.replaceAll(/\\[^\w\s]/g, "")).not.toMatch(/[*_~`|[\]<>@#]/);
  for (const { value } of fields) expect(value.length).toBeGreaterThan(0);
  for (const { value } of fields) expect(value.length).toBeLessThanOrEqual(1024);
  const all = [
    title,
    description,
    ...fields.flatMap((each: { name: string; value: string }) => [each.name, each.value]),
  ];
  expect(all.join("").length).toBeLessThanOrEqual(6000);
});

test("PagerDuty opens an incident once for a subject, and resolves it with what ends it", () => {
  const opened = bodyOf("pagerduty", failing);
  expect(opened).toMatchObject({ routing_key: key, event_action: "trigger", payload: { severity: "warning" } });
  const ended = bodyOf("pagerduty", recovered);
  expect(ended).toEqual({ routing_key: key, event_action: "resolve", dedup_key: opened.dedup_key });
  const { payload } = bodyOf("pagerduty", hostile);
  expect(payload.summary.length).toBeLessThanOrEqual(1024);
  expect(formText("pagerduty", hostile, headers).length).toBeLessThan(512_000);
});

test("a card of Teams has under 28 KB, and what is not ours is in runs of text, which have no markup", () => {
  expect(Buffer.byteLength(formText("teams", hostile))).toBeLessThan(28_000);
  const { body } = bodyOf("teams", hostile).attachments[0].content;
  const blocks = body.filter(({ type }: { type: string }) => type === "TextBlock");
  expect(blocks.map(({ text }: { text: string }) => text)).toEqual(["A webhook is failing"]);
});

test.each(formats)("what is too long for %s is cut between two characters", (format) => {
  for (const start of ["", "a"]) {
    const text = `${start}${"😀".repeat(4000)}`;
    const long = { ...failing, message: text, data: { name: text } } as unknown as OperationalEvent;
    // JSON has half a character as an escape, and a whole one as itself.
    expect(formText(format, long, headers)).not.toMatch(/\\ud[89a-f]/i);
  }
});
