/**
 * The mock as handlers for Mock Service Worker, in Node and in a page. They need no other process: state, validation and failures are those of
 * `chain-webhooks-tools mock`. `msw` is not imported: its `http` is passed in, so that any version with it fits.
 *
 * @module
 */
import type { components } from "../../../../generated/types.ts";
import { answerByExample, answerByState, operationsById } from "../answer.ts";
import { createControl, ofProgram } from "../control/control.ts";
import { controlRoutes } from "../control/routes.ts";
import { assertKnown, assertQuotas, assertWhole } from "../start-options.ts";
import { createAccount } from "../state/account.ts";
import type { Deliver, MockControl } from "../types.ts";
import { createPageTransport } from "./deliver.ts";
import { createRespond, findExample, pageContract } from "./respond.ts";

export type { Deliver, FailOptions, MockControl, SendOptions, Sent, SentEntry, SentOutcome } from "../types.ts";

/** What is used of `msw`. */
export type Msw<Handler> = {
  readonly http: { all(path: RegExp, resolver: (info: { request: Request }) => Promise<Response>): Handler };
};

/** What to mock, and how. */
export type MswOptions = {
  /** The API's base URL, as your client has it. */
  baseUrl: string;
  /**
   * Takes each notification, and answers as its endpoint. `fetch` sends it; a receiver's function handles it here. Without it nothing is sent, and each
   * attempt fails with `blocked_address`.
   */
  deliver?: Deliver;
  /** How many webhooks there may be, and how many addresses they may watch together. 10,000 and 1,000,000 by default. */
  quotas?: { webhooks?: number; addresses?: number };
  /** The pause before each retry of a notification, in ms, in place of the service's schedule, which begins with 10 s. */
  retryPauseMs?: number;
  /** Called with a line for each notification. */
  onLine?: (line: string) => void;
};

/** A mock behind Mock Service Worker. Any API key is valid. */
export type MswMock<Handler> = {
  /** For `setupServer` and `setupWorker`. Handlers of yours that come before, or that `server.use` adds, answer in their place. */
  handlers: Handler[];
  /** The webhooks that there are now, the newest first. */
  webhooks(): components["schemas"]["Webhook"][];
  /** The same as below `/_mock`. */
  control: MockControl;
  /** Aborts the notifications in flight, and sends no more. */
  stop(): Promise<void>;
};

const fields: Readonly<Record<keyof Required<MswOptions>, true>> = {
  ...{ baseUrl: true, deliver: true, quotas: true, retryPauseMs: true, onLine: true },
};

/**
 * Makes the mock.
 *
 * @throws TypeError for an option that is wrong
 * @example
 * import { http } from "msw";
 * import { setupServer } from "msw/node";
 * const mock = mswMock({ http }, { baseUrl: "https://api.example.com" });
 * setupServer(...mock.handlers).listen();
 */
export function mswMock<Handler>(msw: Msw<Handler>, options: MswOptions): MswMock<Handler> {
  if (typeof msw?.http?.all !== "function")
    throw new TypeError("The first argument must have MSW's http, as in mswMock({ http }, options).");
  assertOptions(options);
  const { http } = msw;
  const { deliver, quotas, retryPauseMs, onLine: say = () => undefined } = options;
  const base = new URL(options.baseUrl).href.replace(/\/+$/, "");
  const sending = { transport: createPageTransport(deliver, say), allowedBy: "give `deliver` to send it" };
  const account = createAccount({ ...{ say, quotas, retryPauseMs }, ...sending, contract: pageContract });
  const control = createControl(account, operationsById(pageContract), pageContract);
  const byState = answerByState(account, control.faults, answerByExample(pageContract, findExample));
  const respond = createRespond(byState, controlRoutes(control, account.webhooks.list));
  // A pattern without groups: of a path with `*` MSW decodes the rest, and fails where it has a `%` of its own.
  const below = new RegExp(`^${base.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}(?:/|$)`);
  return {
    handlers: [http.all(below, ({ request }) => respond(request, request.url.slice(base.length).replace(/#.*$/, "")))],
    ...ofProgram(account, control),
    async stop() {
      control.faults.reset();
      await account.close();
    },
  };
}

function assertOptions(options: MswOptions): void {
  assertKnown("", options, fields);
  const { baseUrl, deliver, quotas, retryPauseMs, onLine } = options;
  if (typeof baseUrl !== "string" || !isBaseUrl(baseUrl))
    throw new TypeError("baseUrl must be a URL such as https://api.example.com, without a query or a password.");
  if (deliver !== undefined && typeof deliver !== "function")
    throw new TypeError("deliver must be a function from a Request to a Response, such as fetch.");
  if (onLine !== undefined && typeof onLine !== "function") throw new TypeError("onLine must be a function.");
  assertWhole("retryPauseMs", retryPauseMs, 86_400_000);
  assertQuotas(quotas);
}

/** A request has no user or password in its URL, so none would be found. */
function isBaseUrl(text: string): boolean {
  if (!/^https?:\/\/[^?#]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}
