/** What a webhook's url may be. Delivery vets the addresses that its host resolves to; here speaks what is plain to see. */
import { isPublicAddress } from "../targets.ts";
import { badRequest } from "./errors.ts";

const localName = /^(.+\.)?localhost\.?$/;
const literalIp = /^(\d+\.\d+\.\d+\.\d+|\[.*\])$/;

/**
 * Refuses a url that notifications cannot or must not be sent to.
 *
 * @param allowPrivateTargets whether http, and hosts outside the public internet, are allowed
 * @throws {HttpError} 400
 */
export function assertTargetUrl(url: string, allowPrivateTargets: boolean): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || parsed.username || parsed.password)
    throw badRequest("url must be a valid https URL without user name or password.");
  if (allowPrivateTargets) return;
  if (parsed.protocol !== "https:") throw badRequest("url must be an https URL.");
  const { hostname } = parsed;
  const isPrivate = literalIp.test(hostname)
    ? !isPublicAddress(hostname.replace(/^\[|\]$/g, ""))
    : localName.test(hostname);
  if (isPrivate) throw badRequest("url must have a host on the public internet.");
}
