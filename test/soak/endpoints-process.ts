/**
 * Endpoints of every temper, in a process of their own whose memory can be watched. The path names the temper. Each arrival becomes
 * a line of a file, so that nothing is kept: messageId, block hash, whether it is a retraction, temper, the status that went out or
 * 0, and when it came, in ms since the epoch.
 */
import { createWriteStream } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Temper } from "./tempers.ts";

const ledger = createWriteStream(process.argv[2] ?? "");
const flapMs = 15_000;
const held = new Set<ServerResponse>();

const answers: Record<Temper, (response: ServerResponse) => void> = {
  good: (response) => response.writeHead(204).end(),
  costly: (response) => response.writeHead(204).end(),
  slow: (response) => void setTimeout(() => response.writeHead(200).end("at last"), 1_000 + Math.random() * 2_000),
  hanging: (response) => void held.add(response),
  failing: (response) => response.writeHead(500).end("no"),
  busy: (response) =>
    Math.random() < 0.5 ? response.writeHead(429, { "retry-after": "2" }).end() : answers.good(response),
  gone: (response) => response.writeHead(410).end(),
  resetting: (response) => response.socket?.resetAndDestroy(),
  flapping: (response) =>
    Math.floor(Date.now() / flapMs) % 2 === 0 ? answers.good(response) : answers.failing(response),
  // Nobody listens where these lead.
  refusing: (response) => response.writeHead(500).end(),
};

const server = createServer(async (request, response) => {
  const temper = (request.url ?? "").split("/")[1] as Temper;
  const at = Date.now();
  const chunks: Buffer[] = [];
  // Of megabytes nothing is kept: to read them would take this process's time from the others' endpoints.
  request.on("data", (chunk) => temper === "costly" || chunks.push(chunk)).on("end", () => answers[temper](response));
  response.on("close", () => {
    held.delete(response);
    const body = Buffer.concat(chunks).toString("utf8");
    const blockHash = /"blockHash":"(0x[0-9a-f]+)"/.exec(body)?.[1] ?? "";
    const removed = body.includes('"removed":true') ? 1 : 0;
    const status = response.writableFinished ? response.statusCode : 0;
    ledger.write(`${request.headers["webhook-id"]} ${blockHash} ${removed} ${temper} ${status} ${at}\n`);
  });
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));

process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
  setImmediate(() => ledger.end(() => process.exit(0)));
});
