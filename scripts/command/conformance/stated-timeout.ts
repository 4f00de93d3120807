/**
 * The delivery timeout that a server's own document states. The service serves its operator's in place of the contract's default, and an
 * endpoint behind a slow tunnel may need all of it.
 */
import { Agent, request } from "undici";
import { statedDeliveryTimeoutMs } from "../../../server/settings/periods.ts";
import { asObject } from "../../document/json.ts";
import { description } from "./contract.ts";
import { jsonOrUndefined } from "./exchange.ts";

const answerMs = 10_000;
const mostBytes = 16 * 1024 * 1024;

/** In ms; undefined where the server serves no document, or one that does not say. It is no part of the contract, so that is no fault. */
export async function servedDeliveryTimeout(baseUrl: URL): Promise<number | undefined> {
  const dispatcher = new Agent({ maxResponseSize: mostBytes });
  try {
    const url = `${baseUrl.href.replace(/\/+$/, "")}/openapi.json`;
    const { body } = await request(url, { dispatcher, signal: AbortSignal.timeout(answerMs) });
    const { info } = asObject(jsonOrUndefined(Buffer.from(await body.arrayBuffer())));
    return statedDeliveryTimeoutMs(description, String(asObject(info).description));
  } catch {
    return undefined;
  } finally {
    await dispatcher.destroy();
  }
}
