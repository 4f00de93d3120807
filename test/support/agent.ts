/** An agent's host: starts `chain-webhooks-tools mcp` as a process, and speaks to it through the SDK's own client. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { commandArguments } from "./programs.ts";

/** The answer of a tool. */
export type ToolAnswer = {
  text: string;
  failed: boolean;
  /** The JSON between the markers; undefined where there are none. */
  data: unknown;
};

export type Agent = {
  client: Client;
  tools: Tool[];
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<ToolAnswer>;
  /** What the server wrote for the person who started it. */
  stderr(): string;
  /** What came on its standard output that is no message. */
  strayOutput: Error[];
  close(): Promise<void>;
};

/** The server's access to the API, by its environment. */
export type Access = { url: string; key: string; args?: string[] };

export async function startAgent({ url, key, args = [] }: Access): Promise<Agent> {
  const env = { PATH: process.env.PATH ?? "", BASE_URL: url, API_KEY: key };
  const command = { command: process.execPath, args: commandArguments("mcp", ...args), env };
  const transport = new StdioClientTransport({ ...command, stderr: "pipe" });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  const strayOutput: Error[] = [];
  client.onerror = (error) => void strayOutput.push(error);
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    client,
    tools,
    strayOutput,
    stderr: () => stderr,
    async call(name, given = {}, signal) {
      const { content, isError } = await client.callTool({ name, arguments: given }, undefined, signal && { signal });
      const [{ text = "" } = {}] = content as { text?: string }[];
      const marked = splitMarked(text);
      return { text, failed: isError === true, data: marked && parse(marked.inside) };
    },
    close: () => client.close(),
  };
}

/** What is between the markers, the word of both, and what is outside. */
export type Marked = { inside: string; word: string; outside: string };

/** @returns undefined for a text without markers */
export function splitMarked(text: string): Marked | undefined {
  const [whole, word = "", inside = ""] = /<<<DATA ([0-9a-f]{24})\n(.*)\nDATA \1>>>/s.exec(text) ?? [];
  return whole === undefined ? undefined : { inside, word, outside: text.replace(whole, "") };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A server that answers as a test wishes. */
export type FakeService = {
  url: string;
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  close(): Promise<void>;
};

export async function startFakeService(): Promise<FakeService> {
  const server = createServer((request, response) => fake.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const fake: FakeService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (_, response) => response.writeHead(404).end(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}
