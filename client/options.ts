/** What the client is set up with, checked once, so that no call fails later for a mistake made here. */

/** Where the service is, the key to it, and how patient to be. */
export type WebhooksClientOptions = {
  /** The service's base address, such as `https://webhooks.example.com`. A path in it is kept. */
  baseUrl: string;
  /** The API key. It is sent as a header, and appears in no error and in no property of the client. */
  apiKey: string;
  /** How long one try may take, in milliseconds, answer included; 30,000 unless given. */
  timeoutMs?: number;
  /** How many more tries a call may take, from 0 to 10; 2 unless given. */
  maxRetries?: number;
  /** Sends a request, in place of the global `fetch`: for a proxy, a recording or a test. */
  fetch?: (request: Request) => Promise<Response>;
};

const longestTimerMs = 2 ** 31 - 1;

/** Fills in what was not given. @throws TypeError that says which option is wrong, without its value. */
export function checkOptions(options: WebhooksClientOptions): Required<WebhooksClientOptions> {
  const { apiKey, timeoutMs = 30_000, maxRetries = 2 } = options;
  if (typeof apiKey !== "string" || !/^[!-~]+$/.test(apiKey)) {
    throw new TypeError("apiKey must be a string of visible ASCII characters.");
  }
  if (!(timeoutMs >= 1 && timeoutMs <= longestTimerMs)) {
    throw new TypeError("timeoutMs must be a number of milliseconds from 1 to 2,147,483,647.");
  }
  if (!Number.isInteger(maxRetries) || maxRetries < 0 || maxRetries > 10) {
    throw new TypeError("maxRetries must be a whole number from 0 to 10.");
  }
  // Looked up at each call, so that what replaces the global fetch later (a mock, an instrumentation) is used.
  const { fetch = (request: Request) => globalThis.fetch(request) } = options;
  return { baseUrl: checkBaseUrl(options.baseUrl), apiKey, timeoutMs, maxRetries, fetch };
}

function checkBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new TypeError("baseUrl must be an http or https address without user name, password, query or fragment.");
  }
  return url.href.replace(/\/+$/, "");
}
