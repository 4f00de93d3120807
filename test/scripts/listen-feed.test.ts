/** `listen --webhook`: what a webhook is notified of is shown, and passed on as it would be sent. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { verifyNotification } from "../../client/receiver/index.ts";
import { run } from "../../scripts/command/commands/listen.ts";
import { followAndForward } from "../../scripts/command/notifications/follow.ts";
import { announceWork } from "../../server/store/delivery/announcements.ts";
import { type Api, newWebhook, startApi } from "../support/api.ts";
import { runHere } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { record } from "../support/sent.ts";

let api: Api;
let receiver: Receiver;
beforeAll(async () => {
  [api, receiver] = await Promise.all([startApi(), startReceiver()]);
});
afterAll(async () => {
  await api.close();
  await receiver.close();
});

function follow(id: string, after?: number) {
  const ending = new AbortController();
  const [lines, said]: string[][] = [[], []];
  const client = createWebhooksClient({ baseUrl: api.url, apiKey: api.keys.both });
  const done = followAndForward(client, {
    ...{ id, after, forwardTo: `${receiver.url}/hooks`, signal: ending.signal },
    show: (line) => void lines?.push(line),
    say: (line) => void said?.push(line),
    terminal: { write: () => undefined },
  });
  return { lines: lines ?? [], said: said ?? [], done, end: () => ending.abort() };
}

test("what is new is passed on, signed as the service signs it, and its line has the answer", async () => {
  const { id } = (await api.call("POST", "/v1/webhooks", { body: newWebhook() })).body;
  await record(api.pool, id, 2);
  const following = follow(id);
  await eventually(() => expect(following.said[0]).toContain(`${id} after #2`));
  const [messageId = ""] = await record(api.pool, id, 1);
  await announceWork(api.pool, "notifications");
  const [sent] = await receiver.waitFor(1);
  const { secret } = (await api.call("GET", `/v1/webhooks/${id}/secret`)).body;
  const notification = await verifyNotification(sent?.rawBody ?? "", sent?.headers ?? {}, secret);
  expect(notification.messageId).toBe(messageId);
  expect([sent?.path, sent?.sequence]).toEqual(["/hooks", 3]);
  await eventually(() => expect(following.lines.join()).toMatch(/^#3 {2}.* 204 No Content in \d+ ms$/));
  expect(following.lines[0]).toContain(messageId);
  following.end();
  await following.done;
});

test("it begins where --after says, and shows what the endpoint refuses", async () => {
  const { id } = (await api.call("POST", "/v1/webhooks", { body: newWebhook() })).body;
  await record(api.pool, id, 3);
  const before = receiver.answer;
  receiver.answer = (_, response) => void response.writeHead(500).end();
  const following = follow(id, 1);
  await eventually(() => expect(following.lines.map((line) => line.slice(0, 2))).toEqual(["#2", "#3"]));
  expect(following.lines[0]).toContain("500 Internal Server Error");
  receiver.answer = before;
  following.end();
  await following.done;
});

test.each([
  [["--after", "3"], "--after must come with --webhook."],
  [
    ["--webhook", "x", "--secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    "--secret must be left out with --webhook",
  ],
  [["--webhook", "x", "--base-url", "http://127.0.0.1:1"], "--key or the variable API_KEY must be an API key."],
])("%j is refused", async (args, message) => {
  const { code, stderr } = await runHere(run, args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
