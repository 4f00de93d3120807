/** What the page passes to the console: the operations, and how a key is sent. */
import type { PageOperation } from "../operations.ts";

/** Written into the page when it is made, read when it is opened. */
export type ConsoleModel = {
  keyHeader: string;
  /** The server that the contract names, for a page that no server serves. */
  server: string;
  operations: PageOperation[];
};

/** The id of the element that holds the model as JSON. */
export const modelId = "try-it-model";

/** Where the page came from: the service at whose `/docs` it is, else its host, else the server that the contract names. */
export function defaultServer(page: URL, named: string): string {
  if (page.protocol !== "http:" && page.protocol !== "https:") return named;
  return page.origin + (page.pathname.endsWith("/docs") ? page.pathname.slice(0, -"/docs".length) : "");
}
