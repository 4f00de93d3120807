/** The bare POST that the service is measured against: the same signed body by undici alone, without deadline, checks or limits. */
import { randomUUID } from "node:crypto";
import { Pool } from "undici";
import { signingKey } from "../../../server/delivery/endpoint/endpoint.ts";
import { signedValues } from "../../../server/delivery/send/headers.ts";
import { notificationText } from "../../../server/matching/event.ts";
import { sentHeaders } from "../../support/sent-headers.ts";

const webhookId = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";

/** @returns what sends one event and gives the answer's status */
export function postAlone(url: string): (eventText: string) => Promise<number> {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { pipelining: 1, connections: 128, headersTimeout: 0, bodyTimeout: 0 });
  const keys = [signingKey(Buffer.alloc(32, 7), null)];
  return (eventText) =>
    new Promise((resolve, reject) => {
      const messageId = randomUUID();
      const body = Buffer.from(notificationText({ webhookId, messageId, eventText }));
      const headers = sentHeaders(signedValues(messageId, body, keys, Date.now()));
      let status = 0;
      pool.dispatch(
        { path, method: "POST", headers, body },
        {
          onRequestStart() {},
          onResponseStart(_, code) {
            status = code;
          },
          onResponseData() {},
          onResponseEnd: () => resolve(status),
          onResponseError: (_, error) => reject(error),
        },
      );
    });
}

/** An event as the outbox of the bench has them. */
export function eventText(n: number): string {
  return `{"transaction":{"input":"0x${String(n).padStart(1_846, "0")}"}}`;
}
