/** A process that answers in ways that would fill a careless sender's memory. It prints its URL and runs until it is killed. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

const bomb = gzipSync(Buffer.alloc(50_000_000));
const chunk = Buffer.alloc(64_000, "x");
const answers: Record<string, RequestListener> = {
  "/endless": (_, response) => {
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", write);
    write();
  },
  "/trickle": (request, response) => {
    const timer = setInterval(() => response.write("."), 20);
    request.socket.on("close", () => clearInterval(timer));
  },
  "/bomb": (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
  "/headers": (_, response) => response.writeHead(200, { "x-large": "x".repeat(200_000) }).end(),
};

const server = createServer((request, response) => {
  request.resume().on("end", () => answers[request.url ?? ""]?.(request, response));
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
});
