/** What a webhook's url may be. Delivery vets the addresses that its host resolves to; here speaks what is plain to see. */
import { refusalOf, type TargetPolicy } from "../targets.ts";
import { badRequest } from "./errors.ts";

/** Refuses a url that notifications cannot or must not be sent to. @throws {HttpError} 400 */
export function assertTargetUrl(url: string, policy: TargetPolicy): void {
  const refusal = refusalOf(url, policy);
  if (refusal !== undefined) throw badRequest(`url ${refusal}.`);
}
