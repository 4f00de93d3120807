/**
 * Handlers for Mock Service Worker that answer by a running mock, in Node and in a page. `msw` is not imported: its `http` and `bypass` are passed in, so
 * that any version with these fits.
 *
 * @module
 */

/** What is used of `msw`. */
export type Msw<Handler> = {
  readonly http: { all(path: RegExp, resolver: (info: { request: Request }) => Promise<Response>): Handler };
  bypass(input: string, init: RequestInit): Request;
};

/** Which requests are answered, and by which mock. */
export type MswOptions = {
  /** The API's base URL, as your client has it. */
  baseUrl: string;
  /** The mock's: `mock.url` of `startMock()`, or what `npx chain-webhooks-tools mock` prints. */
  mockUrl: string;
};

/** What the worker or `fetch` sets by itself, or what was undone by `fetch`. */
const ofTheConnection = ["connection", "content-length", "host", "keep-alive", "transfer-encoding"];
const ofTheAnswer = ["content-encoding", ...ofTheConnection];

/**
 * Makes the handlers. What the mock remembers, validates and fails is seen through them. Handlers of yours that come before, or that `server.use` adds,
 * answer in their place.
 *
 * @throws TypeError for a URL that is none
 * @example
 * import { bypass, http } from "msw";
 * import { setupServer } from "msw/node";
 * const mock = await startMock();
 * setupServer(...mswHandlers({ http, bypass }, { baseUrl: "https://api.example.com", mockUrl: mock.url })).listen();
 */
export function mswHandlers<Handler>({ http, bypass }: Msw<Handler>, { baseUrl, mockUrl }: MswOptions): Handler[] {
  const [base, mock] = [read("baseUrl", baseUrl), read("mockUrl", mockUrl)];
  const answer = async ({ request }: { request: Request }): Promise<Response> => {
    const path = request.url.slice(base.length);
    const headers = without(request.headers, ofTheConnection);
    // Not every browser has `request.body`.
    const bytes = ["GET", "HEAD"].includes(request.method) ? undefined : await request.arrayBuffer();
    const body = bytes?.byteLength ? bytes : null;
    const response = await fetch(bypass(`${mock}${path}`, { method: request.method, headers, body }));
    const { status, statusText } = response;
    const isEmpty = status === 204 || status === 205 || status === 304;
    return new Response(isEmpty ? null : await response.arrayBuffer(), {
      status,
      statusText,
      headers: without(response.headers, ofTheAnswer),
    });
  };
  // A pattern without groups: of a path with `*` MSW decodes the rest, and fails where it has a `%` of its own.
  const below = new RegExp(`^${base.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}(?:/|$)`);
  return [http.all(below, answer)];
}

/** As a request has it: with the host in lower case, and no slash at the end. */
function read(name: keyof MswOptions, url: string): string {
  if (typeof url !== "string" || !/^https?:\/\/[^/?#]+(\/[^?#]*)?$/.test(url))
    throw new TypeError(`${name} must be a URL such as http://127.0.0.1:4010, without a query.`);
  return new URL(url).href.replace(/\/+$/, "");
}

function without(headers: Headers, names: readonly string[]): Headers {
  const kept = new Headers(headers);
  for (const name of names) kept.delete(name);
  return kept;
}
