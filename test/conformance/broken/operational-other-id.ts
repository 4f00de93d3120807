import { signNotification } from "../../../client/receiver/index.ts";
import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "sends an operational test under another messageId than it answers, and without the webhook's headers",
  rules: ["callback-message-id", "callback-own-headers"],
  async tell({ headers, body }, ask) {
    delete headers["x-operations"];
    body.messageId = headers["webhook-id"] = "11111111-1111-4111-8111-111111111111";
    const { secret } = (await ask("GET", "/v1/operational-webhook/secret")).body;
    const [id, timestamp] = [body.messageId, Number(headers["webhook-timestamp"])];
    // After a rotation it signs with both, too.
    const others = (headers["webhook-signature"] ?? "").split(" ").slice(1);
    const signature = await signNotification({ id, timestamp, body: JSON.stringify(body), secret });
    headers["webhook-signature"] = [signature, ...others].join(" ");
  },
};
