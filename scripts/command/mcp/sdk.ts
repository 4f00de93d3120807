/** Loads the SDK of the Model Context Protocol, an optional peer: only this command needs it. */
import { requirePeer } from "../../../server/base/optional-peers.ts";

/** What is used of the SDK. */
export type Sdk = Pick<typeof import("@modelcontextprotocol/sdk/server/index.js"), "Server"> &
  Pick<typeof import("@modelcontextprotocol/sdk/server/stdio.js"), "StdioServerTransport"> &
  Pick<
    typeof import("@modelcontextprotocol/sdk/types.js"),
    "CallToolRequestSchema" | "ListToolsRequestSchema" | "ErrorCode"
  >;

/** @throws {ServiceError} `package_missing` */
export function loadSdk(): Sdk {
  const load = requirePeer("@modelcontextprotocol/sdk", "The MCP server needs its SDK");
  const from = (module: string) => load(`@modelcontextprotocol/sdk/${module}`);
  return { ...from("types.js"), ...from("server/index.js"), ...from("server/stdio.js") } as Sdk;
}
