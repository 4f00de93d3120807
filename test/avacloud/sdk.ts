/**
 * AvaCloud's SDK, installed in a temporary folder. The project does not depend on it, because its licence allows use with Avalanche's
 * chains only. What is used of it has types here, since the compiler does not see it.
 */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { run } from "../codegen/harness/run.ts";

const own = fileURLToPath(new URL(".", import.meta.url));

/** An answer of the SDK: what its schema has of the service's, and nothing else. */
export type Read = Record<string, unknown>;

/** Where the requests go. Without it each goes to AvaCloud, whatever `serverURL` the SDK was made with. */
export type CallOptions = { serverURL: string };

type Call<Request> = (request: Request, options: CallOptions) => Promise<Read>;
type List<Request> = (request: Request, options: CallOptions) => Promise<AsyncIterable<{ result: Read }>>;
type CallAlone = (options: CallOptions) => Promise<Read>;
type ById = { id: string };
type Change = ById & { addressesChangeRequest: { addresses: string[] } };

/** The operations of its webhooks, all of them. */
export type SdkWebhooks = {
  create: Call<Read>;
  list: List<{ pageSize?: number; status?: string }>;
  get: Call<ById>;
  update: Call<ById & { updateWebhookRequest: Read }>;
  deactivate: Call<ById>;
  getSharedSecret: CallAlone;
  generateOrRotateSharedSecret: CallAlone;
  addresses: { list: List<ById & { pageSize?: number }>; add: Call<Change>; remove: Call<Change> };
};

/** The installed SDK. */
export type Sdk = {
  folder: string;
  /** Makes a client. @param rename puts the key into another header, as the guide shows */
  webhooks(serverURL: string, apiKey: string, rename?: string): SdkWebhooks;
  /** Parses a notification by the SDK's schema. @returns the places that do not fit; empty when all do */
  misfits(notification: unknown): string[];
  isValidSignature(secret: string, signature: string, payload: unknown): boolean;
  close(): void;
};

type Hook = (request: Request) => Request;
type Modules = {
  main: { AvaCloudSDK: new (options: object) => { webhooks: SdkWebhooks } };
  http: { HTTPClient: new () => { addHook(on: "beforeRequest", hook: Hook): unknown } };
  payload: { webhookAddressActivityResponseFromJSON(text: string): { ok: boolean; error?: { cause?: unknown } } };
  utils: { isValidSignature: Sdk["isValidSignature"] };
};

/** Installs it. */
export async function installSdk(): Promise<Sdk> {
  const janitor = await sharedJanitor();
  const folder = janitor.makeFolder("chain-webhooks-avacloud-");
  for (const name of ["package.json", "package-lock.json"]) cpSync(join(own, name), join(folder, name));
  const command = "npm ci --ignore-scripts --no-audit --no-fund";
  await run({ name: "fetching the SDK", command, cwd: folder, env: process.env, limitMs: 150_000 });
  const load = <Name extends keyof Modules>(path: string): Promise<Modules[Name]> =>
    import(pathToFileURL(join(folder, "node_modules/@avalabs/avacloud-sdk", path)).href);
  const { AvaCloudSDK } = await load<"main">("index.js");
  const { HTTPClient } = await load<"http">("lib/http.js");
  const { isValidSignature } = await load<"utils">("utils/index.js");
  const payload = await load<"payload">("models/components/webhookaddressactivityresponse.js");
  return {
    folder,
    webhooks(serverURL, apiKey, rename) {
      const httpClient = new HTTPClient();
      if (rename) httpClient.addHook("beforeRequest", (request) => withHeader(request, rename));
      return new AvaCloudSDK({ serverURL, apiKey, httpClient, retryConfig: { strategy: "none" } }).webhooks;
    },
    misfits(notification) {
      const { error } = payload.webhookAddressActivityResponseFromJSON(JSON.stringify(notification));
      const { issues = [] } = (error?.cause ?? {}) as { issues?: { path: (string | number)[] }[] };
      return issues.map(({ path }) => path.join("."));
    },
    isValidSignature,
    close() {
      rmSync(folder, { recursive: true, force: true });
      janitor.forgetFolder(folder);
    },
  };
}

function withHeader(request: Request, name: string): Request {
  const headers = new Headers(request.headers);
  headers.set(name, headers.get("x-glacier-api-key") ?? "");
  headers.delete("x-glacier-api-key");
  return new Request(request, { headers });
}
