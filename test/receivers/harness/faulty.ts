/** Receivers with one fault each, as people write them. The run of the others is only worth something if it notices these. */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Start } from "./assert-receives.ts";
import { mostBytes } from "./deliveries.ts";

/** Each fault, and the step that notices it. */
export const faults = {
  "refuses everything": "the service's delivery",
  "verifies nothing": "a changed value",
  "verifies what it parsed, not the bytes": "a space after the body",
  "does not sign the messageId": "another messageId",
  "ignores the age": "a signature of ten minutes ago",
  "ignores a time to come": "a signature of in ten minutes",
  "fails at a missing header": "no webhook-signature",
  "reads a byte as a character": "text beyond ASCII",
  "accepts 8 MiB at most": "9 MiB",
  "accepts any size": "more than 32 MiB",
  "reads the first signature only": "two signatures",
  "reads the last signature only": "two signatures, swapped",
  "handles a duplicate again": "^1 ",
} as const;

export type Fault = keyof typeof faults;

/** @returns how it starts, and what ends it */
export function faulty(fault: Fault | undefined): { start: Start; close(): void } {
  const printed: string[] = [];
  const handled = new Set<string>();
  let key = Buffer.alloc(0);
  const receive = async (request: IncomingMessage): Promise<number> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const most = fault === "accepts any size" ? Infinity : fault === "accepts 8 MiB at most" ? 8 * 2 ** 20 : mostBytes;
    if (request.method !== "POST") return 405;
    if (body.length > most) return 413;
    const value = (name: string) => String(request.headers[`webhook-${name}`] ?? "");
    if (value("signature") === "" && fault === "fails at a missing header") return 500;
    if (fault !== "verifies nothing" && !isSigned(body, value)) return 400;
    const { messageId } = JSON.parse(body.toString());
    if (!handled.has(messageId) || fault === "handles a duplicate again")
      printed.push(`${value("sequence")} ${messageId}`);
    handled.add(messageId);
    return 204;
  };
  const isSigned = (body: Buffer, value: (name: string) => string): boolean => {
    const age = Date.now() / 1000 - Number(value("timestamp"));
    if (fault === "refuses everything" || Number.isNaN(age)) return false;
    if ((age > 300 && fault !== "ignores the age") || (age < -300 && fault !== "ignores a time to come")) return false;
    const [first, ...others] = value("signature").split(" ");
    const id = fault === "does not sign the messageId" ? JSON.parse(body.toString()).messageId : value("id");
    const hmac = createHmac("sha256", key).update(`${id}.${value("timestamp")}.`);
    const signature = `v1,${hmac.update(textOf(body)).digest("base64")}`;
    if (fault === "reads the first signature only") return first === signature;
    if (fault === "reads the last signature only") return (others.at(-1) ?? first) === signature;
    return [first, ...others].includes(signature);
  };
  const textOf = (body: Buffer) => {
    if (fault === "reads a byte as a character") return body.toString("latin1");
    return fault === "verifies what it parsed, not the bytes" ? JSON.stringify(JSON.parse(body.toString())) : body;
  };
  const server = createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(400).end(),
    );
  });
  return {
    async start(secret) {
      key = Buffer.from(secret.replace("whsec_", ""), "base64");
      await once(server.listen(0, "127.0.0.1"), "listening");
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
      return { url, output: () => printed.join("\n") };
    },
    close: () => server.close().closeAllConnections(),
  };
}
