/** The account's operational webhook. Nothing happens here that there is to tell, so it has no events but tests. */
import { randomUUID } from "node:crypto";
import type { components } from "chain-webhooks/types";
import { type Handlers, operationalWithoutUrl, readOperational } from "chain-webhooks-tools/server";
import { missing, ok, served } from "./answers.ts";
import { post } from "./send-test.ts";
import { newSecret, rotate, type Signing, type Stored, secretOf } from "./store.ts";

type OperationalWebhook = components["schemas"]["OperationalWebhook"];
type Registered = Signing & Pick<Stored, "headers"> & { record: OperationalWebhook };

export function operationalHandlers() {
  let registered: Registered | undefined;
  const own = () => registered ?? missing("operational webhook");
  return {
    putOperationalWebhook({ body }) {
      const { url, format, headers } = readOperational(body, served);
      const now = Date.now();
      const { statusSince, createdAt } = registered?.record ?? { statusSince: now, createdAt: now };
      const record: OperationalWebhook = {
        ...(url !== undefined && { url }),
        ...{ format, status: "active", statusReason: "created", statusSince, createdAt },
        ...(headers.length > 0 && { headerNames: headers.map(([name]) => name) }),
      };
      registered = { ...(registered ?? { secret: newSecret() }), record, headers };
      return ok(record);
    },
    getOperationalWebhook: () => ok(own().record),
    deleteOperationalWebhook() {
      const { record } = own();
      registered = undefined;
      return ok({ ...record, status: "inactive", statusReason: "requested", statusSince: Date.now() });
    },
    getOperationalSecret: () => ok(secretOf(own())),
    rotateOperationalSecret: () => ok(rotate(own(), newSecret())),
    readOperationalFeed: () => ok(own() && { notifications: [], lastSequence: 0 }),
    async testOperationalWebhook() {
      const of = own();
      const { url } = of.record;
      if (url === undefined) throw operationalWithoutUrl();
      const messageId = randomUUID();
      const event = {
        messageId,
        type: "test",
        createdAt: Date.now(),
        subject: "test",
        message: "This is a test.",
        data: {},
      };
      return ok(await post(of, { url, id: messageId, messageId, body: JSON.stringify(event) }));
    },
  } satisfies Partial<Handlers>;
}
