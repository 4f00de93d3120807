/**
 * Who may call a program that listens on a developer's machine. Every web page that is open there can send requests to its port: some
 * without asking first, and all of them once a name of the page's own leads to this machine (DNS rebinding). Three headers that no page
 * can forge tell such requests apart. `Host` has the name that the page called, `Origin` and `Sec-Fetch-Site` say where the page is from.
 */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { RequestHandler } from "express";
import { HttpError } from "../../server/contract/errors.ts";
import { isAddressWithin } from "../../server/targets/targets.ts";
import { UsageError } from "./command-line.ts";

/** What may call besides programs and pages of this machine. */
export type AccessOptions = {
  /** Origins whose pages may call, such as `https://app.example.com`; `*` for all pages. */
  cors?: readonly string[];
  /** Names and addresses, without a port, by which it may be called. */
  allowHosts?: readonly string[];
};

export type LocalAccess = {
  /** Whether a page of this origin may call, and read the answer. */
  allowsOrigin(origin: string, request: IncomingMessage): boolean;
  /** Why a request must not be answered, in a sentence; undefined for one that may. */
  refusalOf(request: IncomingMessage): string | undefined;
};

/** @param options checked before, by `isCorsOrigin` and `isHostName` */
export function createAccess({ cors = [], allowHosts = [] }: AccessOptions = {}): LocalAccess {
  const hosts = new Set(allowHosts.map((host) => host.toLowerCase()));
  const allowsAll = cors.includes("*");

  function allowsHost({ headers, socket }: IncomingMessage): boolean {
    // Only a program can leave it out, by HTTP/1.0.
    if (headers.host === undefined) return true;
    const name = hostnameOf(headers.host);
    if (name === undefined) return false;
    if (isLoopbackHost(name) || hosts.has(name)) return true;
    // A page has an address for its host only if it was served from there. None is, where we do not listen.
    return isIP(name) !== 0 && !isAddressWithin(socket.localAddress ?? "", "loopback");
  }

  function allowsOrigin(origin: string, request: IncomingMessage): boolean {
    const { headers } = request;
    if (!allowsHost(request)) return false;
    if (allowsAll || cors.includes(origin)) return true;
    const page = /^https?:\/\/[^/?#@\s,]+$/i.test(origin) && URL.canParse(origin) ? new URL(origin) : undefined;
    if (!page) return false;
    // Of this server itself: the host was checked.
    return isLoopbackHost(page.hostname) || page.host === headers.host?.toLowerCase();
  }

  return {
    allowsOrigin,
    refusalOf(request) {
      const { host, origin, "sec-fetch-site": site } = request.headers;
      if (!allowsHost(request))
        return `The header host must name this machine, such as 127.0.0.1, which ${shown(host)} does not; --allow-host allows more.`;
      if (origin !== undefined && !allowsOrigin(origin, request))
        return `A page of ${shown(origin)} must not call; --cors allows its origin.`;
      // Images, scripts, forms and links of a page have no origin where nothing is sent.
      if (origin === undefined && site !== undefined && site !== "none" && site !== "same-origin" && !allowsAll)
        return "A page of another site must not call; --cors allows its origin, where the request has one.";
      return undefined;
    },
  };
}

/** Refuses with a 403 what `access` does not allow. @param say called with the reason, which the page itself cannot read */
export function guard(access: LocalAccess, say: (line: string) => void = () => undefined): RequestHandler {
  return (request, _response, next) => {
    const refusal = access.refusalOf(request);
    if (refusal) say(refusal);
    next(refusal && new HttpError(403, refusal));
  };
}

/** Why an endpoint for notifications must not take a request: a page sent it, and no sender of notifications is one. */
export function sentByPage({ headers }: IncomingMessage): string | undefined {
  const { origin, "sec-fetch-site": site } = headers;
  if (origin === undefined && (site === undefined || site === "none")) return undefined;
  return "A page must not call; notifications come from servers.";
}

/** Whether a browser sends this as an origin; `*` stands for all. `null` is none, since every page can have it. */
export function isCorsOrigin(text: string): boolean {
  return text === "*" || (/^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text);
}

/** Whether a URL could have it between `//` and the port. */
export function isHostName(text: string): boolean {
  return isIP(text) !== 0 || (/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(text) && URL.canParse(`http://${text}/`));
}

/** Reads the values of an option that is a name or an address, without a port. @throws UsageError */
export function hostNames(name: string, values: readonly string[]): readonly string[] {
  const wrong = values.find((value) => !isHostName(value));
  if (wrong === undefined) return values;
  throw new UsageError(`--${name} must be a host name or an address without a port, such as mock, not ${wrong}.`);
}

/** Names that browsers never ask a name server for, and addresses. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(.+\.)?localhost\.?$/.test(hostname) || isAddressWithin(bare(hostname), "loopback");
}

/** @returns the host without its port, in lower case; undefined for what is no host */
function hostnameOf(header: string): string | undefined {
  if (!/^[^/?#@\s\\]+$/.test(header) || !URL.canParse(`http://${header}/`)) return undefined;
  return bare(new URL(`http://${header}/`).hostname);
}

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, "");

const shown = (header = "") => JSON.stringify(header.length > 100 ? `${header.slice(0, 100)}…` : header);
