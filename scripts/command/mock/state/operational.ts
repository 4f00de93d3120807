/** The mock's operational webhook. Nothing happens to webhooks here that there is to report, so it has no events but tests. */
import { randomUUID } from "node:crypto";
import type { components } from "../../../../generated/types.ts";
import { noOperationalWebhook } from "../../../../server/base/errors.ts";
import { notOfThisFeed } from "../../../../server/contract/errors.ts";
import type { Handlers } from "../../../../server/contract/handlers.ts";
import { operationalWithoutUrl, readOperational } from "../../../../server/contract/webhook-input.ts";
import { operationalTestText } from "../../../../server/operational/forms.ts";
import type { MockAccount } from "./account.ts";
import { newMockSecret, rotate, secretOf } from "./records.ts";
import type { MockTarget } from "./sender.ts";

type OperationalHandlers = Pick<
  Handlers,
  | "putOperationalWebhook"
  | "getOperationalWebhook"
  | "deleteOperationalWebhook"
  | "getOperationalSecret"
  | "rotateOperationalSecret"
  | "testOperationalWebhook"
  | "readOperationalFeed"
>;

type Registered = MockTarget & { shown: components["schemas"]["OperationalWebhook"] };

const lookMs = 20;

export function mockOperationalHandlers({ outbox, onReset }: MockAccount): OperationalHandlers {
  let registered: Registered | undefined;
  onReset(() => {
    registered = undefined;
  });
  const own = () => {
    if (registered) return registered;
    throw noOperationalWebhook();
  };
  return {
    putOperationalWebhook({ body }) {
      const { url, format, headers } = readOperational(body, { chains: [], allowPrivateTargets: true });
      const now = Date.now();
      const shown: Registered["shown"] = {
        ...(url !== undefined && { url }),
        format,
        ...(headers.length > 0 && { headerNames: headers.map(([name]) => name) }),
        ...{ status: "active", statusReason: "created", statusSince: now, createdAt: now },
        ...(registered && { statusSince: registered.shown.statusSince, createdAt: registered.shown.createdAt }),
      };
      registered = {
        ...(registered ?? { secret: newMockSecret() }),
        ...{ shown, headers },
        record: {
          ...{ id: registered?.record.id ?? randomUUID(), metadata: {}, operational: format },
          ...(url !== undefined && { url }),
        },
      };
      return { status: 200, body: shown };
    },
    getOperationalWebhook: () => ({ status: 200, body: own().shown }),
    deleteOperationalWebhook() {
      const { shown } = own();
      registered = undefined;
      return {
        status: 200,
        body: { ...shown, status: "inactive", statusReason: "requested", statusSince: Date.now() },
      };
    },
    getOperationalSecret: () => ({ status: 200, body: secretOf(own()) }),
    rotateOperationalSecret: () => ({ status: 200, body: rotate(own(), newMockSecret()) }),
    async testOperationalWebhook() {
      const target = own();
      if (target.record.url === undefined) throw operationalWithoutUrl();
      return { status: 200, body: await outbox.test(target, operationalTestText()) };
    },
    async readOperationalFeed({ query, headers, wantsEvents, whenClosed }) {
      const of = own();
      if (Number(headers["last-event-id"] ?? query.after ?? 0) > 0) throw notOfThisFeed(0);
      let isClosed = false;
      whenClosed(() => {
        isClosed = true;
      });
      const pause = () => new Promise((resolve) => setTimeout(resolve, lookMs));
      async function* none(): AsyncGenerator<never[], void, undefined> {
        while (!isClosed && registered?.record.id === of.record.id) {
          yield [];
          await pause();
        }
      }
      if (wantsEvents) return { status: 200, events: none() };
      const until = Date.now() + query.wait * 1_000;
      while (!isClosed && Date.now() < until) await pause();
      return { status: 200, body: { notifications: [], lastSequence: 0 } };
    },
  };
}
