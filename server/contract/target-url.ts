/** What a webhook's url may be, as far as it shows. Delivery also vets the addresses that its host resolves to. */
import { unresolvable } from "../target-names.ts";
import { refusalOf, type TargetPolicy } from "../targets.ts";
import { badRequest } from "./errors.ts";

/** Refuses a url that notifications cannot or must not be sent to. @throws {HttpError} 400 */
export function assertTargetUrl(url: string, policy: TargetPolicy): void {
  const refusal = refusalOf(url, policy) ?? unresolvable(new URL(url).hostname, policy);
  if (refusal !== undefined) throw badRequest(`url ${refusal}.`);
}
